// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Mean, deviation, correlation and quantiles of observed values. Sums whose order belongs to the promise of equal digests (gradients,
// losses) are not made here.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace trainyard {

/// Sum over number: exact for whole numbers, which a running mean is not. NaN without values.
double sampleMean(std::span<const double> values);
/// √(Σ(x − mean)²/(n − 1)): exactly 0 where all are equal, and for a single one; NaN without values.
double sampleDeviation(std::span<const double> values);
/// Pearson's, of as many x as y, in [−1, 1]; 0 where one of the two does not vary or there are none.
double sampleCorrelation(std::span<const double> x, std::span<const double> y);

/// Of ascending values, linear between the two that p ∈ [0, 1] lies between (type 7 of Hyndman and Fan, The American Statistician,
/// 1996). Between two infinite ones that differ: NaN, as without values.
inline double quantileOfSorted(std::span<const double> sorted, double p) {
    if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double position = p * static_cast<double>(sorted.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(position), sorted.size() - 1);
    const double part = position - static_cast<double>(below);
    if (part == 0 || sorted[below] == sorted[below + 1]) return sorted[below];
    if (std::isinf(sorted[below])) return std::isinf(sorted[below + 1]) ? NAN : sorted[below];
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

} // namespace trainyard
