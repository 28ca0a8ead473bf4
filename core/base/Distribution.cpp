// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Distribution.h"

#include "base/Hypoexponential.h"
#include "base/Roots.h"
#include "base/SampleStatistics.h"

#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trainyard {

namespace {

// No promotion to long double: the same bits everywhere, and several times faster.
using GammaPolicy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::underflow_error<boost::math::policies::ignore_error>>;

double gammaCdf(double shape, double mean, double x) {
    if (!(x > 0)) return 0;
    if (std::isinf(x)) return 1;
    return boost::math::gamma_p(shape, x * shape / mean, GammaPolicy());
}

double gammaQuantile(double shape, double mean, double p) {
    return boost::math::gamma_p_inv(shape, p, GammaPolicy()) * mean / shape;
}

double gammaSurvival(double shape, double mean, double x) {
    if (!(x > 0)) return 1;
    if (std::isinf(x)) return 0;
    return boost::math::gamma_q(shape, x * shape / mean, GammaPolicy());
}

double weibullScale(double shape, double mean) { return mean / std::tgamma(1 + 1 / shape); }

double logNormalMu(double mean, double sigma) { return std::log(mean) - 0.5 * sigma * sigma; }

double normalCdf(double z) { return 0.5 * std::erfc(-z * std::sqrt(0.5)); }

double empiricalCdf(const std::vector<double>& q, double x) {
    if (x < q.front()) return 0;
    if (x >= q.back()) return 1;
    // The last knot ≤ x: at a jump (equal quantiles) all of its probability counts.
    const auto above = std::upper_bound(q.begin(), q.end(), x);
    const auto at = static_cast<std::size_t>(above - q.begin()) - 1;
    const double part = (x - q[at]) / (q[at + 1] - q[at]);
    return (static_cast<double>(at) + part) / static_cast<double>(q.size() - 1);
}

double empiricalMean(const std::vector<double>& q) {
    double sum = 0.5 * (q.front() + q.back());
    for (std::size_t i = 1; i + 1 < q.size(); ++i) sum += q[i];
    return sum / static_cast<double>(q.size() - 1);
}

} // namespace

double Distribution::expectation() const {
    switch (law) {
    case Law::constant: return value;
    case Law::uniform: return 0.5 * (low + high);
    case Law::exponential: return mean;
    case Law::shiftedExponential: return shift + mean;
    case Law::hypoexponential: return std::accumulate(means.begin(), means.end(), 0.0);
    case Law::pareto: return shape > 1 ? scale * shape / (shape - 1) : std::numeric_limits<double>::infinity();
    case Law::logNormal:
    case Law::gamma:
    case Law::weibull: return mean;
    case Law::bimodal: return 1 - probability + probability * factor;
    case Law::empirical: return empiricalMean(quantiles);
    }
    return 0;
}

double Distribution::cdf(double x) const {
    switch (law) {
    case Law::constant: return x >= value ? 1 : 0;
    case Law::uniform: return x < low ? 0 : x >= high ? 1 : (x - low) / (high - low);
    case Law::exponential: return x > 0 ? -std::expm1(-x / mean) : 0;
    case Law::shiftedExponential: return x > shift ? -std::expm1((shift - x) / mean) : 0;
    case Law::hypoexponential: return 1 - hypoexponentialSurvival(means, x);
    case Law::pareto: return x > scale ? -std::expm1(shape * std::log(scale / x)) : 0;
    case Law::logNormal: return x > 0 ? normalCdf((std::log(x) - logNormalMu(mean, sigma)) / sigma) : 0;
    case Law::gamma: return gammaCdf(shape, mean, x);
    case Law::weibull: return x > 0 ? -std::expm1(-std::pow(x / weibullScale(shape, mean), shape)) : 0;
    case Law::bimodal: return (1 - probability) * gammaCdf(shape, 1, x) + probability * gammaCdf(shape, factor, x);
    case Law::empirical: return empiricalCdf(quantiles, x);
    }
    return 0;
}

double Distribution::survival(double x) const {
    switch (law) {
    case Law::exponential: return x > 0 ? std::exp(-x / mean) : 1;
    case Law::shiftedExponential: return x > shift ? std::exp((shift - x) / mean) : 1;
    case Law::hypoexponential: return hypoexponentialSurvival(means, x);
    case Law::pareto: return x > scale ? std::exp(shape * std::log(scale / x)) : 1;
    case Law::logNormal: return x > 0 ? normalCdf((logNormalMu(mean, sigma) - std::log(x)) / sigma) : 1;
    case Law::gamma: return gammaSurvival(shape, mean, x);
    case Law::weibull: return x > 0 ? std::exp(-std::pow(x / weibullScale(shape, mean), shape)) : 1;
    case Law::bimodal:
        return (1 - probability) * gammaSurvival(shape, 1, x) + probability * gammaSurvival(shape, factor, x);
    case Law::constant:
    case Law::uniform:
    case Law::empirical: break; // bounded: nothing to lose
    }
    return 1 - cdf(x);
}

double Distribution::quantile(double p) const {
    switch (law) {
    case Law::constant: return value;
    case Law::uniform: return low + p * (high - low);
    case Law::exponential: return -mean * std::log1p(-p);
    case Law::shiftedExponential: return shift - mean * std::log1p(-p);
    case Law::hypoexponential: {
        double top = expectation();
        while (cdf(top) < p && hypoexponentialSurvival(means, top) > 0) top *= 2;
        return rootBetween(0, top, [&](double x) { return cdf(x) - p; });
    }
    case Law::pareto: return scale * std::exp(-std::log1p(-p) / shape);
    case Law::logNormal: return std::exp(logNormalMu(mean, sigma) + sigma * normalQuantile(p));
    case Law::gamma: return gammaQuantile(shape, mean, p);
    case Law::weibull: return weibullScale(shape, mean) * std::pow(-std::log1p(-p), 1 / shape);
    case Law::bimodal: {
        const double one = gammaQuantile(shape, 1, p);
        if (std::isinf(one)) return one;
        return rootBetween(std::min(1.0, factor) * one, std::max(1.0, factor) * one,
                           [&](double x) { return cdf(x) - p; });
    }
    case Law::empirical: return quantileOfSorted(quantiles, p);
    }
    return 0;
}

double Distribution::sample(RandomStream& random) const {
    if (law == Law::constant) return value;
    if (law == Law::hypoexponential) {
        double sum = 0;
        for (double m : means) sum -= m * std::log1p(-random.unit());
        return sum;
    }
    if (law == Law::bimodal) {
        const bool slow = random.unit() < probability;
        return gammaQuantile(shape, slow ? factor : 1.0, random.unit());
    }
    return quantile(random.unit());
}

} // namespace trainyard
