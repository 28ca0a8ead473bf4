// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The concrete input of one run: a cluster and every job, generators expanded, in order of (arrival, key). JobId and
// MachineId index these vectors. Immutable during a run and shared by log, state, frames and views.
#include "model/Cluster.h"
#include "model/Job.h"

namespace trainyard {

struct Workload {
    Cluster cluster;
    std::vector<Job> jobs;

    const Machine& machine(MachineId id) const { return cluster.machines[id.index()]; }
    const Job& job(JobId id) const { return jobs[id.index()]; }
};

} // namespace trainyard
