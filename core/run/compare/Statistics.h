// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Means with their Student-t intervals, as comparisons and reproductions report them, and the tests that
// judge whether two measurements differ.
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace trainyard {

/// Of n independent observations. The interval at 95 % is mean ± t(n−1, 0.975)·s/√n; none for a single one.
struct Estimate {
    std::size_t n = 0;
    double mean = 0;
    std::optional<double> halfWidth;
};

/// Two-sided. `values` must not be empty.
Estimate estimateMean(std::span<const double> values, double confidence = 0.95);
/// Two-sided p value of Student's test that the differences have mean 0; nullopt for a single one, and where all are the same
/// and not 0: there is nothing to test. 1 if all are 0.
std::optional<double> pairedTest(std::span<const double> differences);

/// What is known of a sample that may be somebody else's: its size, mean and the mean's standard error s/√n.
struct SampleSummary {
    std::size_t n = 0;
    double mean = 0, standardError = 0;
};
/// `values` must not be empty; a single one has no standard error (0).
SampleSummary summarizeSample(std::span<const double> values);

/// Two-sided p value of Welch's test that two samples have the same mean; their variances may differ. Needs n
/// ≥ 2 in both. Without any spread in either: 1 for equal means, else 0.
double welchTest(const SampleSummary& a, const SampleSummary& b);

/// Two-sided p value of Fisher's exact test that `hits` of `n` and `otherHits` of `otherN` have the same chance: of all tables
/// with these margins, the chance of those that are no likelier than this one.
double fisherTest(std::size_t hits, std::size_t n, std::size_t otherHits, std::size_t otherN);

/// Of a share of n > 0, 95 %: Clopper and Pearson's exact interval.
std::pair<double, double> shareInterval(std::size_t hits, std::size_t n);

/// Of the median of the distribution that `sorted` values come from, at least 95 %: a pair of order statistics. nullopt: fewer
/// than six values have no such pair.
std::optional<std::pair<double, double>> medianInterval(std::span<const double> sorted);

/// Holm's step-down correction: which of the hypotheses with these p values are rejected, so that the chance
/// to reject any true one is at most `level`, whatever their dependence.
std::vector<bool> holmRejections(std::span<const double> pValues, double level);
/// The p values after the same correction, at most 1: a hypothesis is rejected at every level not below its own.
std::vector<double> holmAdjusted(std::span<const double> pValues);

/// Spearman's rank correlation (ties get their mean rank) of n ≥ 4 pairs with its 95 % interval by Fisher's
/// transformation, variance (1 + ρ²/2)/(n − 3) (Bonett and Wright 2000). 0 where one of the two does not
/// vary.
struct RankCorrelation {
    std::size_t n = 0;
    double rho = 0, low = -1, high = 1;
};
RankCorrelation rankCorrelation(std::span<const double> x, std::span<const double> y);

} // namespace trainyard
