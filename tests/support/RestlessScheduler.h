// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the scheduler family: starts jobs in order of arrival where they fit, each with the fewest
// tasks, and every period preempts all that run, to start them again at once.
#include "planning/TaskPlacer.h"
#include "policy/Registry.h"

namespace trainyard::test {

struct RestlessParams {
    double periodSeconds = 0.05;
};

class RestlessScheduler final : public Scheduler {
public:
    explicit RestlessScheduler(RestlessParams params) : m_params(params) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<RestlessScheduler>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        const auto running = view.jobsIn(JobPhase::running), waiting = view.jobsIn(JobPhase::waiting);
        if (running.empty() && waiting.empty()) return;
        if (context.now >= m_next) {
            for (const JobId job : running) decisions.preempt(job);
            m_next = context.now + Duration::seconds(m_params.periodSeconds);
            decisions.wakeAt(m_next);
        }
        std::vector<ResourceVector> free;
        for (const auto& machine : view.state().machines())
            free.push_back(machine.up ? machine.free : ResourceVector{});
        for (const JobId job : waiting) {
            const Job& spec = view.workload().job(job);
            const auto placement = placeTasks(view.workload(), spec, view.workers(job).minimum, spec.servers.minimum,
                                              free, PlacingStrategy::pack);
            if (!placement) continue;
            decisions.start(job, *placement);
            return; // what is free now is seen anew at the next decision
        }
    }

    static SchedulerEntry entry() {
        using P = RestlessParams;
        return policyEntry<Scheduler, RestlessScheduler, P>(
            {.id = "test-restless", .label = "Restless", .summary = "Preempts everything every period."},
            field(&P::periodSeconds, "period", "Period", {0.001, 1e6}, "s", "How long jobs run at a time."));
    }

private:
    RestlessParams m_params;
    SimTime m_next;
};

} // namespace trainyard::test
