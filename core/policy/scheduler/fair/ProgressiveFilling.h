// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Max-min fair allocation of workers by progressive filling, the common part of `drf` and `fair`: again and
// again the job with the least share gets one worker more, on real machines. Running jobs keep their tasks
// where they are and are never preempted, only shrunk to their minimum; places that others need are taken
// from the tasks a job was given last. A member of its scheduler: what running jobs hold is kept from call to
// call; one call is a FillingCall (FillingCall.h).
#include "policy/scheduler/JobStart.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/WaitingJobs.h"

#include <functional>

namespace trainyard {

class ProgressiveFilling {
public:
    /// The share of a job with so many workers and servers, weight included; what is made equal. It must not
    /// fall as workers are added.
    using Share = std::function<double(JobId, int workers, int servers)>;

    explicit ProgressiveFilling(PlacingStrategy strategy, bool stopAtFirstMisfit = false)
        : m_strategy(strategy), m_stop(stopAtFirstMisfit) {}
    /// Plans, and re-plans all that differs. `policy` signs the explanations.
    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                const Share& share, const std::string& policy, SchedulingDecisions& decisions);

    /// What a running job holds on machines that are up.
    struct Held {
        std::vector<std::uint32_t> workers; ///< their indices, in order
        std::vector<MachineId> servers;
        Placement minimum; ///< what it keeps in any case: its first workers, and its servers or those that go with them
    };

private:
    void follow(const SchedulerView& view, std::span<const Event> since);
    void hold(const SchedulerView& view, JobId job);
    void forget(const SchedulerView& view, JobId job);

    PlacingStrategy m_strategy;
    bool m_stop;
    bool m_following = false;
    WaitingJobs m_waiting;
    Refusals m_refusals;
    std::map<JobId, Held> m_held; ///< running jobs
    FreeCapacity m_plan;          ///< the machines that are up, less what running jobs keep in any case
};

} // namespace trainyard
