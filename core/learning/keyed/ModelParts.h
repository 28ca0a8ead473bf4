// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What keyed models share: numbers of logistic losses, initial values, shares of examples.
#include "base/Random.h"

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace trainyard {

/// log(1 + eˣ)
inline double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
inline double sigmoid(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

/// Four partial sums, so that it can be vectorised without another result.
inline double product(const float* a, const float* b, std::uint32_t count) {
    float sums[8] = {};
    std::uint32_t k = 0;
    for (; k + 8 <= count; k += 8)
        for (std::uint32_t j = 0; j < 8; ++j) sums[j] += a[k + j] * b[k + j];
    float rest = 0;
    for (; k < count; ++k) rest += a[k] * b[k];
    return double{((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest};
}

/// Normal with this standard deviation, by key.
inline void drawInitial(std::uint64_t seed, std::uint32_t key, double spread, std::span<float> values) {
    RandomStream random(seed, Purpose::initialWeights, key);
    for (float& value : values) value = static_cast<float>(spread * random.normal());
}

/// Numbers below `count` of one worker: a contiguous range of all, shuffled.
inline std::vector<std::uint32_t> shuffledShare(std::uint32_t count, std::uint32_t worker, std::uint32_t workers,
                                                std::uint64_t seed) {
    const auto bound = [&](std::uint64_t w) { return static_cast<std::uint32_t>(w * count / workers); };
    std::vector<std::uint32_t> out(bound(worker + 1ull) - bound(worker));
    std::iota(out.begin(), out.end(), bound(worker));
    RandomStream random(seed, Purpose::batch, worker);
    for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
    return out;
}

} // namespace trainyard
