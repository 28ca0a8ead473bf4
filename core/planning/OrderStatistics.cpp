// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/OrderStatistics.h"

#include "base/Result.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/beta.hpp>

#include <cmath>
#include <limits>

namespace trainyard {

namespace {

using BetaPolicy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::underflow_error<boost::math::policies::ignore_error>>;
using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int mostDoublings = 400;

/// ∫₀^∞ f over [0, w], [w, 2w], [2w, 4w] … until nothing more comes; a tail that falls like a power is summed
/// to its end as a geometric series.
template <class F>
double integrate(const F& f, double width, double precision) {
    double total = 0, before = 0, from = 0, to = width;
    for (int i = 0; i < mostDoublings; ++i) {
        const double part = Rule::integrate(f, from, to, precision < 1e-10 ? 12u : 4u, precision);
        total += part;
        if (i > 6 && part <= 1e-3 * precision * total) return total;
        const double ratio = before > 0 ? part / before : 0;
        if (i > 60 && ratio < 1) return total + part * ratio / (1 - ratio);
        before = part;
        from = to;
        to *= 2;
    }
    return total;
}

} // namespace

double orderStatisticSurvival(double survival, int n, int k) {
    require(n >= 1 && k >= 1 && k <= n, "an order statistic has 1 <= k <= n");
    if (survival <= 0) return 0;
    if (survival >= 1) return 1;
    return boost::math::ibeta(n - k + 1.0, static_cast<double>(k), survival, BetaPolicy());
}

namespace {

/// P(Z_(k:n) − minimum > t), and the width of the first piece to integrate over.
auto excessSurvival(const ResponseLaw& law, int n, int k) {
    return [&law, n, k](double t) { return orderStatisticSurvival(law.survival(law.minimum() + t), n, k); };
}
double firstWidth(const ResponseLaw& law) { return std::max(law.scale() - law.minimum(), 1e-12 * law.scale()) / 8; }

} // namespace

double orderStatisticMean(const ResponseLaw& law, int n, int k) {
    if ((n - k + 1) * law.tailIndex() <= 1) return infinite;
    return law.minimum() + integrate(excessSurvival(law, n, k), firstWidth(law), law.precision());
}

OrderMoments orderStatistic(const ResponseLaw& law, int n, int k) {
    const double mean = orderStatisticMean(law, n, k);
    if ((n - k + 1) * law.tailIndex() <= 2) return {mean, infinite};
    const auto beyond = excessSurvival(law, n, k);
    const double square = integrate([&](double t) { return 2 * t * beyond(t); }, firstWidth(law), law.precision());
    const double excess = mean - law.minimum();
    return {mean, std::max(0.0, square - excess * excess)};
}

namespace {

using FixedRule = boost::math::quadrature::gauss<double, 15>;
constexpr int mostInOnePass = 1000; // beyond, the binomial probabilities would underflow
constexpr int panelsPerPiece = 16;

/// Adds weight · P(Bin(n, 1 − survival) ≤ k − 1) to sums[k − 1], by the recursion of the binomial
/// probabilities from the end at which they are not small.
void addBinomialTails(double survival, int n, double weight, std::vector<double>& tails, std::vector<double>& sums) {
    const double other = 1 - survival;
    if (survival <= 0) return;
    tails.assign(static_cast<std::size_t>(n) + 1, 0.0);
    if (other <= 0.5) {
        tails[0] = std::pow(survival, n);
        for (int i = 1; i <= n; ++i)
            tails[static_cast<std::size_t>(i)] =
                tails[static_cast<std::size_t>(i) - 1] * (n - i + 1) / i * (other / survival);
    } else {
        tails[static_cast<std::size_t>(n)] = std::pow(other, n);
        for (int i = n; i > 0; --i)
            tails[static_cast<std::size_t>(i) - 1] =
                tails[static_cast<std::size_t>(i)] * i / (n - i + 1) * (survival / other);
    }
    double below = 0;
    for (std::size_t k = 0; k < sums.size(); ++k) {
        below += tails[k];
        sums[k] += weight * below;
    }
}

/// As integrate(), on 16 panels of every piece.
std::vector<double> meansInOnePass(const ResponseLaw& law, int n) {
    std::vector<double> sums(static_cast<std::size_t>(n), 0.0), tails;
    const double width = firstWidth(law);
    double from = 0, to = width;
    for (int piece = 0; piece < mostDoublings; ++piece) {
        const double before = sums.back(), half = (to - from) / (2 * panelsPerPiece);
        for (int p = 0; p < panelsPerPiece; ++p)
            for (std::size_t j = 0; j < FixedRule::abscissa().size(); ++j)
                for (const double side : {-1.0, 1.0}) {
                    const double x = FixedRule::abscissa()[j];
                    if (x == 0 && side < 0) continue;
                    const double t = from + half * (2 * p + 1 + side * x);
                    addBinomialTails(law.survival(law.minimum() + t), n, half * FixedRule::weights()[j], tails, sums);
                }
        if (piece > 6 && sums.back() - before <= 1e-16 * sums.back()) break;
        from = to;
        to *= 2;
    }
    for (double& mean : sums) mean += law.minimum();
    return sums;
}

} // namespace

std::vector<double> orderStatisticMeans(const ResponseLaw& law, int n) {
    if (law.isSumOfExponentials() && n <= mostInOnePass) return meansInOnePass(law, n);
    std::vector<double> means;
    for (int k = 1; k <= n; ++k) means.push_back(orderStatisticMean(law, n, k));
    return means;
}

OrderMoments completedIterations(const OrderMoments& z, double t) {
    const double spread = z.variance / (z.mean * z.mean);
    return {t / z.mean + (spread - 1) / 2, t * spread / z.mean};
}

} // namespace trainyard
