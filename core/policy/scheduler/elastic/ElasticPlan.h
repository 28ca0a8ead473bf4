// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Jobs whose numbers of workers are chosen anew again and again, on machines: first who takes part, with the least number, then the
// numbers. Running jobs keep their tasks where they are as far as their numbers allow. One call of a scheduler that grows and shrinks jobs.
#include "policy/scheduler/JobStart.h"

namespace trainyard {

class ElasticPlan {
public:
    struct Member {
        JobId id;
        Bounds bounds;
        Placement held;      ///< on machines that are up; empty: it waits
        Placement placement; ///< what it gets
        bool runs() const { return !held.workers.empty(); }
        int heldWorkers() const { return static_cast<int>(held.workers.size()); }
        int workers() const { return static_cast<int>(placement.workers.size()); }
    };

    ElasticPlan(const SchedulerView& view, PlacingStrategy strategy);

    /// The job takes part with its least number: a running one where it is, else where there is room. False: there is none.
    bool admit(JobId job);
    /// Whether its least number would have room on machines that are up and empty.
    bool couldRun(JobId job) const;
    const std::vector<Member>& members() const { return m_members; }
    const Job& job(const Member& member) const { return m_view.workload().job(member.id); }
    /// Servers beside so many workers: by γ, else those that it has, or the least.
    int serversBeside(const Member& member, int workers) const;
    /// What one worker more than so many takes, with the servers that come with it.
    ResourceVector oneMore(const Member& member, int workers) const;
    /// What is free beside what members have so far.
    FreeCapacity& room() { return m_room; }

    /// So many workers for each member, or as many as there is room for on single machines. Running jobs first keep what they hold, then
    /// those that start get what they lack, then those that run.
    void grow(std::span<const int> workers);
    /// What differs from what jobs hold; running jobs that take no part get nothing, but for `ending`.
    std::vector<Allotment> changes(std::span<const JobId> ending = {}) const;

private:
    bool takeLeast(Member& member);
    void keep(Member& member, int count);
    void growOne(Member& member, int count);

    const SchedulerView& m_view;
    PlacingStrategy m_strategy;
    FreeCapacity m_room;
    std::vector<Member> m_members;
};

} // namespace trainyard
