// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How many workers each of several jobs gets so that a cluster is used best, while shares stay near the fair ones and few running
// jobs change: an integer program over counts, after Dorm (recalled from Sun et al., SMARTCOMP 2017; see resources/help/dorm.md).
// Used by the scheduler `dorm`, which then places the tasks.
#include "model/Job.h"
#include "planning/LpSolver.h"

#include <optional>
#include <vector>

namespace trainyard {

struct UtilizationJob {
    std::vector<double> worker,
        server;      ///< of one task, by resource: demand / what the whole cluster has; all alike in length
    Bounds workers;  ///< minimum at least 1
    int servers = 0; ///< with any number of workers
    std::optional<std::int64_t> workersPerServer; ///< instead: n workers have ⌈n/γ⌉
    std::optional<int> before;                    ///< workers that it has, if it runs

    int serversFor(int count) const;
    /// Of a resource, with so many workers and their servers.
    double share(int count, std::size_t resource) const;
    /// The greatest over all resources.
    double dominantShare(int count) const;
    /// Over all resources.
    double utilization(int count) const;
};

struct UtilizationLimits {
    double unfairness = 0; ///< greatest Σ |s − s_fair| over all jobs
    int changes = 0;       ///< most jobs with `before` whose number of workers may change
};

struct UtilizationPlan {
    LpSolution::Status status =
        LpSolution::Status::failed; ///< stopped: `workers`, if any, obey all limits but may not be best
    std::vector<int> workers;       ///< by job; empty: there is no plan
    double utilization = 0;         ///< Σ over jobs and resources
    double bound = 0;               ///< no plan has more
    double unfairness = 0;
    int changed = 0;
};

/// Workers by progressive filling: everybody's minimum, then again and again one more for the job of the least dominant share that
/// still fits, ties to the first (Ghodsi et al., NSDI 2011, Algorithm 1, going on with others where a job does not fit). Counts
/// alone: machines are as one.
std::vector<int> dominantFairCounts(const std::vector<UtilizationJob>& jobs);

/// max Σ_i Σ_r share_ir(n_i) over whole n_i within the bounds, with Σ_i share_ir ≤ 1 for each resource and the limits obeyed; s_i is
/// the dominant share and s_i,fair that of `fair` workers. Infeasible where no counts do.
UtilizationPlan bestUtilization(const std::vector<UtilizationJob>& jobs, const std::vector<int>& fair,
                                const UtilizationLimits& limits, const LpSolver::IntegerOptions& options = {});

} // namespace trainyard
