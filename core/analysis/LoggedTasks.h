// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which jobs have a log that tells when each task computes, reads, sends and waits. For views and lanes, which must not take silence for
// idleness: keyed jobs log counts by intervals, graph jobs only that they run, analytic jobs under the rate model whole updates.
#include "model/Workload.h"

#include <algorithm>

namespace trainyard {

inline bool logsTasks(const Workload& workload, const Job& job) {
    return job.kind() != JobKind::graph && !job.keyedAccess() &&
           !(workload.hasExpectedTimes && job.kind() == JobKind::analytic);
}

/// Whether the job does, or any, if it is none.
inline bool logsTasks(const Workload& workload, JobId job) {
    return job.valid() ? logsTasks(workload, workload.job(job))
                       : std::ranges::any_of(workload.jobs, [&](const Job& each) { return logsTasks(workload, each); });
}

} // namespace trainyard
