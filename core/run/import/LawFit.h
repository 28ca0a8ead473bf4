// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which law measured times follow: every family fitted to them, how far each is from what was measured, and
// how heavy the tail is. Used by `trainyard-cli fit`.
#include "base/Distribution.h"
#include "base/Result.h"

#include <span>
#include <vector>

namespace trainyard {

struct FamilyFit {
    Distribution law;
    /// Kolmogorov and Smirnov's: the greatest distance between the law's and the measured distribution.
    double distance = 0;
    /// P(a greater distance), asymptotically, were the law not fitted to these very values: an upper bound.
    double pValue = 0;
};

/// Hill's estimate of α in P(X > x) ~ x^−α from the k greatest values: α = k / Σ ln(x_(n−i+1)/x_(n−k)); its
/// standard error is α/√k (Hill 1975). A law whose tail falls faster than every power shows as an estimate
/// that grows as k falls.
struct TailIndex {
    std::size_t k = 0;
    double alpha = 0, standardError = 0;
};

struct LawFit {
    std::size_t n = 0;
    double mean = 0, deviation = 0, least = 0, median = 0, greatest = 0;
    std::vector<FamilyFit> families; ///< nearest first; those that cannot be fitted are missing
    TailIndex tail;
    Distribution empirical; ///< quantiles 0, 5, …, 100 % of the values
};

/// Positive times, at least 10 of them, not all equal. tailValues: k of Hill's estimate, below n; 0 takes a
/// tenth of the values, at least 5. Problems: "too-few", "out-of-range", "all-equal".
///
/// Exponential, gamma, log-normal, Weibull and Pareto (with the least value as its scale) by maximum
/// likelihood; the shifted exponential by its unbiased estimates; two exponentials in series by their two
/// moments, where their coefficient of variation can be had (1/√2 to 1); uniform between the extremes.
Result<LawFit> fitLaws(std::span<const double> times, std::size_t tailValues = 0);

} // namespace trainyard
