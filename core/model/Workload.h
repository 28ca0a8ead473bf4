// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The concrete input of one run: a cluster and every job, generators expanded, in order of (arrival, key). JobId and
// MachineId index these vectors. Immutable during a run and shared by log, state, frames and views.
#include "model/Cluster.h"
#include "model/Job.h"

namespace trainyard {

/// Whether the job is admitted at once when it arrives: it says so, and the cluster has an optical network.
inline bool isAdmittedAtOnce(const Job& job, const Cluster& cluster) {
    const auto* work = std::get_if<GraphWork>(&job.work);
    return work && work->admission == Admission::immediate && cluster.ramp;
}

struct Workload {
    Cluster cluster;
    std::vector<Job> jobs;
    bool hasExpectedTimes = false; ///< the rate model: analytic jobs advance by expected times, without single tasks

    const Machine& machine(MachineId id) const { return cluster.machines[id.index()]; }
    const Job& job(JobId id) const { return jobs[id.index()]; }
    bool admitsAtOnce(const Job& job) const { return isAdmittedAtOnce(job, cluster); }
};

} // namespace trainyard
