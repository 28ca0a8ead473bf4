// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/LawFit.h"

#include "base/Format.h"
#include "base/Roots.h"
#include "base/SampleStatistics.h"

#include <boost/math/special_functions/digamma.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace law_fit {

/// What the families are fitted to.
struct Values {
    std::vector<double> sorted;
    double mean = 0, deviation = 0, logMean = 0, logDeviation = 0;

    double count() const { return static_cast<double>(sorted.size()); }
};

Values valuesOf(std::span<const double> times) {
    Values out{.sorted = {times.begin(), times.end()}};
    std::sort(out.sorted.begin(), out.sorted.end());
    out.mean = sampleMean(out.sorted);
    out.deviation = sampleDeviation(out.sorted);
    std::vector<double> logs;
    for (const double v : out.sorted) logs.push_back(std::log(v));
    out.logMean = sampleMean(logs);
    out.logDeviation = sampleDeviation(logs);
    return out;
}

/// Where f is zero between two shapes, searched in logarithms.
template <class Function>
double shapeBetween(double low, double high, const Function& f) {
    return std::exp(rootBetween(std::log(low), std::log(high), [&](double log) { return f(std::exp(log)); }));
}

/// ln k − ψ(k) = ln x̄ − mean of ln x.
Distribution gammaFit(const Values& v) {
    const double gap = std::log(v.mean) - v.logMean;
    const double shape = shapeBetween(1e-3, 1e6, [&](double k) { return std::log(k) - boost::math::digamma(k) - gap; });
    return {.law = Law::gamma, .mean = v.mean, .shape = shape};
}

/// 1/k = Σ x^k ln x / Σ x^k − mean of ln x, with x over the greatest so that no power overflows.
Distribution weibullFit(const Values& v) {
    const double top = v.sorted.back();
    const auto powers = [&](double shape) {
        double sum = 0, weighted = 0;
        for (const double x : v.sorted) {
            const double log = std::log(x / top), power = std::exp(shape * log);
            sum += power;
            weighted += power * log;
        }
        return std::pair(sum, weighted);
    };
    const double shape = shapeBetween(0.05, 1000, [&](double k) {
        const auto [sum, weighted] = powers(k);
        return 1 / k - weighted / sum + v.logMean - std::log(top);
    });
    const double scale = top * std::pow(powers(shape).first / v.count(), 1 / shape);
    return {.law = Law::weibull, .mean = scale * std::tgamma(1 + 1 / shape), .shape = shape};
}

std::vector<Distribution> fitted(const Values& v) {
    const double n = v.count(), least = v.sorted.front();
    std::vector<Distribution> out;
    out.push_back({.law = Law::uniform, .low = least, .high = v.sorted.back()});
    out.push_back({.law = Law::exponential, .mean = v.mean});
    // The least of n is 1/n of the mean above the shift: both estimates are corrected for it.
    const double part = (v.mean - least) * n / (n - 1), shift = least - part / n;
    if (part > 0 && shift >= 0) out.push_back({.law = Law::shiftedExponential, .mean = part, .shift = shift});
    const double spread = 2 * v.deviation * v.deviation - v.mean * v.mean;
    if (spread >= 0 && v.deviation < v.mean) {
        const double root = std::sqrt(spread);
        out.push_back({.law = Law::hypoexponential, .means = {(v.mean - root) / 2, (v.mean + root) / 2}});
    }
    const double logs = 1 / (v.logMean - std::log(least));
    if (std::isfinite(logs)) out.push_back({.law = Law::pareto, .shape = logs, .scale = least});
    const double sigma = v.logDeviation * std::sqrt((n - 1) / n);
    out.push_back({.law = Law::logNormal, .mean = std::exp(v.logMean + sigma * sigma / 2), .sigma = sigma});
    out.push_back(gammaFit(v));
    out.push_back(weibullFit(v));
    return out;
}

double distanceTo(const Distribution& law, const std::vector<double>& sorted) {
    const double n = static_cast<double>(sorted.size());
    double distance = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const double p = law.cdf(sorted[i]);
        distance = std::max({distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
    }
    return distance;
}

/// 2 Σ (−1)^(j−1) exp(−2 j² x²) with x = (√n + 0.12 + 0.11/√n)·D (Stephens 1970).
double kolmogorovTail(double distance, double n) {
    const double x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
    if (x < 0.2) return 1; // to 1e-10
    double sum = 0;
    for (int j = 1; j <= 100; ++j) sum += (j % 2 ? 2 : -2) * std::exp(-2.0 * j * j * x * x);
    return std::clamp(sum, 0.0, 1.0);
}

TailIndex hill(const std::vector<double>& sorted, std::size_t k) {
    const double threshold = sorted[sorted.size() - 1 - k];
    double sum = 0;
    for (std::size_t i = sorted.size() - k; i < sorted.size(); ++i) sum += std::log(sorted[i] / threshold);
    const double alpha = static_cast<double>(k) / sum;
    return {k, alpha, alpha / std::sqrt(static_cast<double>(k))};
}

} // namespace law_fit

Result<LawFit> fitLaws(std::span<const double> times, std::size_t tailValues) {
    using namespace law_fit;
    constexpr std::size_t fewest = 10, parts = 20;
    if (times.size() < fewest)
        return Problem{.code = "too-few",
                       .message = {TRAINYARD_TEXT("{0} times are too few to fit a law to; give at least {1}"),
                                   {std::to_string(times.size()), std::to_string(fewest)}}};
    for (const double time : times)
        if (!(time > 0) || !std::isfinite(time))
            return Problem{
                .code = "out-of-range",
                .message = {TRAINYARD_TEXT("{0} is not a time; times must be greater than 0"), {formatNumber(time)}}};
    if (tailValues >= times.size())
        return Problem{.code = "out-of-range",
                       .message = {TRAINYARD_TEXT("the tail must be fewer than all {0} values, not {1}"),
                                   {std::to_string(times.size()), std::to_string(tailValues)}}};
    const Values values = valuesOf(times);
    const auto& sorted = values.sorted;
    if (sorted.front() == sorted.back())
        return Problem{.code = "all-equal",
                       .message = {TRAINYARD_TEXT("all times are {0}: the law is constant, there is none to fit"),
                                   {formatNumber(sorted.front())}}};
    LawFit out{.n = sorted.size(),
               .mean = values.mean,
               .deviation = values.deviation,
               .least = sorted.front(),
               .median = quantileOfSorted(sorted, 0.5),
               .greatest = sorted.back()};
    for (auto& law : fitted(values)) {
        if (!law.check({}).empty()) continue; // beyond what a scenario may declare
        const double distance = distanceTo(law, sorted);
        out.families.push_back({std::move(law), distance, kolmogorovTail(distance, values.count())});
    }
    std::stable_sort(out.families.begin(), out.families.end(),
                     [](const auto& a, const auto& b) { return a.distance < b.distance; });
    const std::size_t tenth = std::max<std::size_t>(5, sorted.size() / 10);
    out.tail = hill(sorted, tailValues > 0 ? tailValues : tenth);
    out.empirical.law = Law::empirical;
    for (std::size_t i = 0; i <= parts; ++i)
        out.empirical.quantiles.push_back(quantileOfSorted(sorted, static_cast<double>(i) / parts));
    return out;
}

} // namespace trainyard
