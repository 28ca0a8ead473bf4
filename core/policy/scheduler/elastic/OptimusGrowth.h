// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Numbers of workers and servers of many jobs by marginal gains (Optimus): every job has its least numbers, then again and again the
// task is added that shortens its job's time to go most per amount of the resource that it takes most of.
#include "policy/scheduler/elastic/JobOutlooks.h"

namespace trainyard {

/// A job's part.
struct GrowingJob {
    /// One task more, or one worker with the servers that γ ties to it, as it was weighed.
    struct Step {
        int workers = 0, servers = 0; ///< with it
        double secondsToGo = 0;       ///< with it
        double gain = 0;              ///< seconds per share of the cluster's amount of the task's dominant resource
        bool fits = false;            ///< in what was left in total
    };
    JobId job;
    Bounds workerBounds;
    JobOutlook outlook;
    int leastWorkers = 0, leastServers = 0;
    int workers = 0, servers = 0;
    std::vector<Step> taken; ///< in order
    /// What was weighed at the end and not taken: it does not fit, or gains nothing.
    std::vector<Step> refused;
    bool tied = false; ///< servers follow from workers
    int tasks() const { return workers + servers; }
    /// Takes the last step back; false: there is none.
    bool shrink();
};

/// Least numbers; `workers`: the bounds.
GrowingJob leastOf(const Job& spec, JobId job, Bounds workers, JobOutlook outlook);
ResourceVector demandOf(const Job& spec, int workers, int servers);

/// Adds tasks within `room`, which is reduced, until the best gain is 0 or less or nothing fits. `capacity`: of the whole cluster.
/// Among equal gains the first job, and a worker before a server. O(steps · log jobs).
void growByGains(const Workload& workload, std::span<GrowingJob> jobs, ResourceVector& room,
                 const ResourceVector& capacity);

} // namespace trainyard
