// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Why jobs were tried and not started: recorded when a job is refused for the first time or by another constraint than
// last time, with what it lacks and the machines that come closest. Kept from call to call by schedulers that try jobs one
// by one; nothing is done while nobody explains.
#include "policy/scheduler/JobStart.h"

#include <map>

namespace trainyard {

class Refusals {
public:
    /// The job does not fit with so many workers and servers. `policy`: its id, for the explanation. `behind`: jobs that
    /// are not tried because this one waits.
    void tried(const PolicyContext& context, const SchedulerView& view, JobId job, int workers, int servers,
               const std::string& policy, std::size_t behind = 0) {
        tried(context, view, {job, workers, servers, &view.free(), behind}, policy);
    }
    /// The same, in what somebody plans with.
    struct Attempt {
        JobId job;
        int workers = 0, servers = 0;
        FreeCapacity* free = nullptr;
        std::size_t behind = 0;
    };
    void tried(const PolicyContext& context, const SchedulerView& view, const Attempt& attempt,
               const std::string& policy);

private:
    void record(const PolicyContext& context, const SchedulerView& view, const Attempt& attempt,
                const std::string& policy) const;

    /// By job, the constraint that failed last: a resource, or that no machines hold all tasks.
    std::map<JobId, std::size_t> m_last;
};

} // namespace trainyard
