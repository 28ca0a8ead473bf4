// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How well simulated runs foretold executed ones: the order of a comparison's arms by one metric in both
// modes, with the rank correlation of the two orders and its uncertainty, and by how much the iteration times
// differ. Used by `trainyard-cli compare --mode execute`.
#include "run/compare/Comparison.h"

namespace trainyard {

/// One arm in both modes, over all seeds.
struct ArmAgreement {
    std::string name;
    Estimate executed, simulated; ///< of the metric
    /// Mean over seeds of mean_iteration_s executed / simulated − 1; absent where either has none.
    std::optional<Estimate> iterationGap;
};

struct OrderAgreement {
    std::string metric;
    std::vector<ArmAgreement> arms;   ///< with the metric in every run of both modes; by executed mean, ascending
    std::vector<std::string> leftOut; ///< the others
    /// Spearman's, of the executed with the simulated means. Its own interval is over arms: how far these
    /// arms speak for others; with a perfect correlation, or fewer than four arms, it says nothing.
    RankCorrelation ranks;
    /// 95 % over seeds: percentiles of the correlation over 2,000 bootstrap samples of the seeds, each drawn
    /// for all arms and both modes together. How far another set of seeds, and of executions, could change
    /// it. Absent for a single seed, and for fewer than two arms.
    std::optional<std::pair<double, double>> interval;
};

/// Both are results of the same request but for the mode; `metric` is one of the whole run.
OrderAgreement orderAgreement(const ComparisonResult& executed, const ComparisonResult& simulated,
                              const std::string& metric);

} // namespace trainyard
