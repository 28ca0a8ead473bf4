// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/Statistics.h"

#include "base/SampleStatistics.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

/// Where long doubles have 64 bits, as in valgrind, Boost's tables of the error function overflow when a program starts.
using OverflowIsInfinite =
    boost::math::policies::policy<boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;
using StudentsT = boost::math::students_t_distribution<double, OverflowIsInfinite>;

/// 1 for the smallest; equal values share the mean of their ranks.
std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> out(values.size());
    for (std::size_t i = 0, j = 0; i < order.size(); i = j) {
        while (j < order.size() && values[order[j]] == values[order[i]]) ++j;
        const double shared = 0.5 * static_cast<double>(i + 1 + j);
        for (std::size_t k = i; k < j; ++k) out[order[k]] = shared;
    }
    return out;
}

} // namespace

SampleSummary summarizeSample(std::span<const double> values) {
    return {values.size(), sampleMean(values), sampleDeviation(values) / std::sqrt(static_cast<double>(values.size()))};
}

Estimate estimateMean(std::span<const double> values, double confidence) {
    const SampleSummary sample = summarizeSample(values);
    Estimate out{.n = sample.n, .mean = sample.mean};
    if (sample.n < 2) return out;
    const StudentsT law(static_cast<double>(sample.n - 1));
    out.halfWidth = boost::math::quantile(law, 0.5 + confidence / 2) * sample.standardError;
    return out;
}

std::optional<double> pairedTest(std::span<const double> differences) {
    const SampleSummary sample = summarizeSample(differences);
    if (sample.n < 2) return std::nullopt;
    if (sample.mean == 0 && sample.standardError == 0) return 1;
    constexpr double rounding = 1e-12; // the same difference at every seed varies by no more
    if (sample.standardError <= rounding * std::abs(sample.mean)) return std::nullopt;
    const StudentsT law(static_cast<double>(sample.n - 1));
    return 2 * boost::math::cdf(boost::math::complement(law, std::abs(sample.mean / sample.standardError)));
}

double welchTest(const SampleSummary& a, const SampleSummary& b) {
    const double va = a.standardError * a.standardError, vb = b.standardError * b.standardError;
    if (va + vb == 0) return a.mean == b.mean ? 1 : 0;
    const double t = (a.mean - b.mean) / std::sqrt(va + vb);
    const double freedom =
        (va + vb) * (va + vb) / (va * va / static_cast<double>(a.n - 1) + vb * vb / static_cast<double>(b.n - 1));
    return 2 * boost::math::cdf(boost::math::complement(StudentsT(freedom), std::abs(t)));
}

double fisherTest(std::size_t hits, std::size_t n, std::size_t otherHits, std::size_t otherN) {
    const std::size_t all = n + otherN, marked = hits + otherHits;
    if (marked == 0 || marked == all) return 1;
    const boost::math::hypergeometric_distribution<double, OverflowIsInfinite> law(
        static_cast<unsigned>(marked), static_cast<unsigned>(n), static_cast<unsigned>(all));
    const double own = boost::math::pdf(law, static_cast<double>(hits)) * (1 + 1e-7);
    double p = 0;
    for (std::size_t k = marked > otherN ? marked - otherN : 0; k <= std::min(n, marked); ++k)
        if (const double at = boost::math::pdf(law, static_cast<double>(k)); at <= own) p += at;
    return std::min(1.0, p);
}

std::pair<double, double> shareInterval(std::size_t hits, std::size_t n) {
    using Binomial = boost::math::binomial_distribution<double, OverflowIsInfinite>;
    const auto trials = static_cast<double>(n), found = static_cast<double>(hits);
    return {hits == 0 ? 0.0 : Binomial::find_lower_bound_on_p(trials, found, 0.025),
            hits == n ? 1.0 : Binomial::find_upper_bound_on_p(trials, found, 0.025)};
}

std::optional<std::pair<double, double>> medianInterval(std::span<const double> sorted) {
    const std::size_t n = sorted.size();
    const boost::math::binomial_distribution<double, OverflowIsInfinite> below(static_cast<double>(n), 0.5);
    std::size_t k = 0; // P(fewer than k of them lie below the median) ≤ 0.025
    while (k < n / 2 && boost::math::cdf(below, static_cast<double>(k)) <= 0.025) ++k;
    if (k == 0) return std::nullopt;
    return std::pair(sorted[k - 1], sorted[n - k]);
}

std::vector<double> holmAdjusted(std::span<const double> pValues) {
    std::vector<std::size_t> order(pValues.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pValues[a] < pValues[b]; });
    std::vector<double> adjusted(pValues.size());
    double most = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        most = std::max(most, std::min(1.0, pValues[order[i]] * static_cast<double>(order.size() - i)));
        adjusted[order[i]] = most;
    }
    return adjusted;
}

std::vector<bool> holmRejections(std::span<const double> pValues, double level) {
    std::vector<bool> rejected;
    for (const double p : holmAdjusted(pValues)) rejected.push_back(p <= level);
    return rejected;
}

RankCorrelation rankCorrelation(std::span<const double> x, std::span<const double> y) {
    RankCorrelation out{.n = x.size()};
    out.rho = sampleCorrelation(ranks(x), ranks(y));
    if (out.n < 4) return out;
    const double spread = 1.959964 * std::sqrt((1 + out.rho * out.rho / 2) / (static_cast<double>(out.n) - 3));
    const double z = std::atanh(std::clamp(out.rho, -1 + 1e-15, 1 - 1e-15)); // a perfect one has an interval, too
    out.low = std::tanh(z - spread);
    out.high = std::tanh(z + spread);
    return out;
}

} // namespace trainyard
