// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Tests that tell when training with a constant step has stopped making progress and only wanders about the
// optimum. Used by the adaptive synchronizations to go on to the next option.
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace trainyard {

/// Pflug's test on the signs of products of successive gradients (Pflug 1990; Chee and Toulis, AISTATS 2018)
/// with a reflected counter: +1 for a negative product, −1 for another, never below 0, so that a long
/// transient leaves no debt to be worked off.
class ReflectedSignTest {
public:
    ReflectedSignTest(int threshold, int burnIn) : m_threshold(threshold), m_burnIn(burnIn) {}
    /// The next product ⟨g_t, g_{t−1}⟩; true: stationary.
    bool observe(double product);
    /// After a change of the noise: begins anew, and leaves the next product out, which mixes both.
    void restart();
    int counter() const { return m_counter; }
    int observed() const { return m_observed; }

private:
    int m_threshold, m_burnIn, m_counter = 0, m_observed = 0;
    bool m_skip = false;
};

/// Pesme, Dieuleveut and Flammarion, ICML 2020 (after its abstract; the details are Trainyard's): while the
/// iterate travels, its squared distance from where it set out grows as a power of the number n of updates;
/// when it only wanders, it does not. At n = start, start·q, start·q² … the slope of log distance² against
/// log n since the last look is compared with a threshold.
class DistanceTest {
public:
    DistanceTest(int start, double ratio, double slope) : m_start(start), m_ratio(ratio), m_least(slope) { restart(); }
    /// The parameters after the next update; true: stationary.
    bool observe(std::span<const double> parameters);
    void restart();
    /// Of the last look; nothing before the second.
    std::optional<double> slope() const { return m_slope; }

private:
    int m_start;
    double m_ratio, m_least;
    std::vector<double> m_origin;
    std::size_t m_observed = 0;
    double m_nextLook = 0, m_lastLook = 0, m_lastDistance = 0;
    std::optional<double> m_slope;
};

} // namespace trainyard
