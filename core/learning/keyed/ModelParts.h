// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What keyed models share: numbers of logistic losses, initial values, shares of examples.
#include "base/Random.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

namespace trainyard {

/// log(1 + eˣ)
inline double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
inline double sigmoid(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

/// Eight partial sums, of numbers 0, 8, 16 … and so on: vectors of four (of GCC and Clang), since compilers do not find them.
inline double product(const float* a, const float* b, std::uint32_t count) {
    using Four [[gnu::vector_size(16)]] = float;
    Four sums[2] = {};
    std::uint32_t k = 0;
    for (; k + 8 <= count; k += 8)
        for (std::uint32_t half = 0; half < 2; ++half) {
            Four left, right;
            std::memcpy(&left, a + k + 4 * half, sizeof left);
            std::memcpy(&right, b + k + 4 * half, sizeof right);
            sums[half] += left * right;
        }
    float rest = 0;
    for (; k < count; ++k) rest += a[k] * b[k];
    const Four both = sums[0] + sums[1];
    return double{(both[0] + both[1]) + (both[2] + both[3]) + rest};
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
