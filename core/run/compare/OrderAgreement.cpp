// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/OrderAgreement.h"

#include "base/Random.h"

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace order_agreement {

constexpr int resamples = 2000;
using Runs = std::vector<MetricValues>;

/// The metric in every run, or nothing.
std::optional<std::vector<double>> valuesOf(const Runs& runs, const std::string& metric) {
    std::vector<double> out;
    for (const auto& run : runs) {
        const auto it = run.find(metric);
        if (it == run.end() || run.isDiverged()) return std::nullopt;
        out.push_back(it->second);
    }
    return out;
}

std::optional<Estimate> gapOf(const Runs& executed, const Runs& simulated) {
    const auto measured = valuesOf(executed, "mean_iteration_s"), predicted = valuesOf(simulated, "mean_iteration_s");
    if (!measured || !predicted) return std::nullopt;
    std::vector<double> gaps;
    for (std::size_t i = 0; i < measured->size(); ++i)
        if ((*predicted)[i] > 0) gaps.push_back((*measured)[i] / (*predicted)[i] - 1);
    return gaps.empty() ? std::nullopt : std::optional(estimateMean(gaps));
}

struct Arm {
    std::vector<double> executed, simulated; ///< by seed
};

double meanAt(const std::vector<double>& values, std::span<const std::size_t> which) {
    double sum = 0;
    for (const std::size_t i : which) sum += values[i];
    return sum / static_cast<double>(which.size());
}

RankCorrelation correlationOf(std::span<const Arm> arms, std::span<const std::size_t> seeds) {
    std::vector<double> executed, simulated;
    for (const Arm& arm : arms) {
        executed.push_back(meanAt(arm.executed, seeds));
        simulated.push_back(meanAt(arm.simulated, seeds));
    }
    return rankCorrelation(executed, simulated);
}

std::pair<double, double> bootstrap(std::span<const Arm> arms, std::size_t seeds) {
    std::vector<double> correlations;
    std::vector<std::size_t> drawn(seeds);
    for (int b = 0; b < resamples; ++b) {
        RandomStream random(0, Purpose::test, 0, static_cast<std::uint32_t>(b));
        for (auto& seed : drawn) seed = random.below(seeds);
        correlations.push_back(correlationOf(arms, drawn).rho);
    }
    std::sort(correlations.begin(), correlations.end());
    constexpr int tail = resamples / 40;
    return {correlations[tail - 1], correlations[resamples - tail]};
}

} // namespace order_agreement

OrderAgreement orderAgreement(const ComparisonResult& executed, const ComparisonResult& simulated,
                              const std::string& metric) {
    using namespace order_agreement;
    OrderAgreement out{.metric = metric};
    std::vector<Arm> arms;
    for (std::size_t a = 0; a < executed.arms.size(); ++a) {
        const auto &real = executed.arms[a], &model = simulated.arms[a];
        auto measured = valuesOf(real.runs, metric), predicted = valuesOf(model.runs, metric);
        if (!measured || !predicted || measured->empty()) {
            out.leftOut.push_back(real.name);
            continue;
        }
        out.arms.push_back(
            {real.name, estimateMean(*measured), estimateMean(*predicted), gapOf(real.runs, model.runs)});
        arms.push_back({std::move(*measured), std::move(*predicted)});
    }
    if (arms.empty()) return out;
    std::vector<std::size_t> seeds(arms.front().executed.size());
    std::iota(seeds.begin(), seeds.end(), std::size_t{0});
    out.ranks = correlationOf(arms, seeds);
    if (seeds.size() > 1 && arms.size() > 1) out.interval = bootstrap(arms, seeds.size());
    std::stable_sort(out.arms.begin(), out.arms.end(),
                     [](const auto& x, const auto& y) { return x.executed.mean < y.executed.mean; });
    return out;
}

} // namespace trainyard
