// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/TailMap.h"

#include "base/Random.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace tail_map {

constexpr std::size_t variates = 60000; // of each kind
constexpr std::uint64_t entity = 0x7461696c6d617073ull;

/// Exponential numbers of mean 1 by draw and worker, the same in every cell, so that cells compare fairly.
struct Sample {
    std::size_t workers;
    std::vector<double> delays, tails;
    explicit Sample(std::size_t n) : workers(n) {
        RandomStream random(0, Purpose::policy, entity, static_cast<std::uint32_t>(n));
        const std::size_t count = std::max<std::size_t>(8, variates / n) * n;
        for (auto* numbers : {&delays, &tails}) {
            numbers->reserve(count);
            for (std::size_t i = 0; i < count; ++i) numbers->push_back(-std::log1p(-random.unit()));
        }
    }
};

/// x_m Γ(n + 1) Γ(n − k + 1 − 1/α) / (Γ(n − k + 1) Γ(n + 1 − 1/α)), x_m = (α − 1)/α: no communication.
std::vector<double> closedForm(std::size_t workers, double alpha) {
    std::vector<double> means;
    const auto n = static_cast<double>(workers);
    for (double left = n; left >= 1; --left)
        means.push_back(left * alpha <= 1 ? std::numeric_limits<double>::infinity()
                                          : (alpha - 1) / alpha *
                                                std::exp(std::lgamma(n + 1) + std::lgamma(left - 1 / alpha) -
                                                         std::lgamma(left) - std::lgamma(n + 1 - 1 / alpha)));
    return means;
}

std::vector<double> sampled(const Sample& sample, double share, double alpha) {
    const std::size_t n = sample.workers, draws = sample.delays.size() / n;
    const double scale = (1 - share) * (alpha - 1) / alpha;
    std::vector<double> means(n, 0.0), times(n);
    for (std::size_t d = 0; d < draws; ++d) {
        for (std::size_t w = 0; w < n; ++w)
            times[w] = share * sample.delays[d * n + w] + scale * std::exp(sample.tails[d * n + w] / alpha);
        std::sort(times.begin(), times.end());
        for (std::size_t k = 0; k < n; ++k) means[k] += times[k] / static_cast<double>(draws);
    }
    for (std::size_t k = 0; k < n; ++k)
        if (static_cast<double>(n - k) * alpha <= 1) means[k] = std::numeric_limits<double>::infinity();
    return means;
}

} // namespace tail_map

TailMap tailMap(int workers, const std::stop_token& stop) {
    TailMap map{.workers = std::clamp(workers, 1, mostTailWorkers),
                .tails = {1.1, 1.25, 1.5, 2, 3, 5, 10},
                .shares = {0, 0.1, 0.25, 0.5, 0.75, 0.9},
                .means = {}};
    const auto n = static_cast<std::size_t>(map.workers);
    const tail_map::Sample sample(n);
    for (const double share : map.shares)
        for (const double tail : map.tails) {
            if (stop.stop_requested()) return map;
            map.means.push_back(share > 0 ? tail_map::sampled(sample, share, tail) : tail_map::closedForm(n, tail));
        }
    return map;
}

int bestWait(const std::vector<double>& means, const std::optional<ErrorNow>& now) {
    int best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < means.size(); ++i) {
        const auto k = static_cast<double>(i + 1);
        if (!std::isfinite(means[i])) continue;
        double rate = k / means[i];
        if (now) {
            const StepOption option{static_cast<int>(i + 1), 1, k * now->batch, means[i]};
            rate = rateLine(now->model, option).at(now->error);
        }
        if (rate > most) most = rate, best = static_cast<int>(i + 1);
    }
    return best;
}

} // namespace trainyard
