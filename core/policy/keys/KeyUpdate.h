// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How an addition changes what is stored of a key: its values, and beside them what the optimizer keeps of each (none under sgd; Σ g²
// under adagrad). Only optimizers whose steps add up: those of several nodes are put together by adding what they have changed.
// Source of adagrad: Duchi, Hazan and Singer, Adaptive subgradient methods, JMLR 2011.
#include "model/KeyedAccess.h"

#include <cmath>
#include <cstdint>

namespace trainyard {

struct KeyUpdate {
    explicit KeyUpdate(std::uint32_t values, bool adagrad = false, double step = 0)
        : values(values), adagrad(adagrad), step(static_cast<float>(step)) {}
    explicit KeyUpdate(const KeyedAccess& access)
        : KeyUpdate(static_cast<std::uint32_t>(access.valuesPerKey), access.optimizer == KeyedOptimizer::adagrad,
                    access.step) {}

    std::uint32_t values; ///< of a key
    bool adagrad;
    float step;
    /// float32 numbers that a node keeps of a key.
    std::uint32_t stored() const { return adagrad ? 2 * values : values; }
    /// `place`: stored() numbers; `addition`: values numbers, under adagrad taken for a gradient.
    void apply(float* place, const float* addition) const {
        if (!adagrad) {
            for (std::uint32_t i = 0; i < values; ++i) place[i] += addition[i];
            return;
        }
        constexpr float tiny = 1e-8f; // of no division by 0
        for (std::uint32_t i = 0; i < values; ++i) {
            float& sum = place[values + i];
            sum += addition[i] * addition[i];
            place[i] += step * addition[i] / (std::sqrt(sum) + tiny);
        }
    }
};

} // namespace trainyard
