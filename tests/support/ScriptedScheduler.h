// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the scheduler family: starts the only job on given machines, and once, at a given time, moves it, gives it
// more tasks, or preempts it and starts it again at once where it was or ("leave") with its server elsewhere.
#include "policy/Registry.h"

namespace trainyard::test {

struct ScriptedParams {
    std::string action = "stay";
    double atSeconds = 1;
};

class ScriptedScheduler final : public Scheduler {
public:
    explicit ScriptedScheduler(ScriptedParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<ScriptedScheduler>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        const auto on = [](std::vector<std::size_t> workers, std::vector<std::size_t> servers) {
            Placement placement;
            for (const auto m : workers) placement.workers.emplace_back(m);
            for (const auto m : servers) placement.servers.emplace_back(m);
            return placement;
        };
        for (const JobId job : view.jobsIn(JobPhase::waiting)) {
            decisions.start(job, m_done && m_params.action == "leave" ? on({0}, {2}) : on({0}, {1}));
            if (m_params.action != "stay" && !m_done) decisions.wakeAt(SimTime::seconds(m_params.atSeconds));
        }
        if (m_params.action == "stay" || m_done || context.now < SimTime::seconds(m_params.atSeconds)) return;
        for (const JobId job : view.jobsIn(JobPhase::running)) {
            m_done = true;
            if (m_params.action == "move") decisions.resize(job, on({0}, {2}));
            if (m_params.action == "grow") decisions.resize(job, on({0, 3}, {1, 2}));
            if (m_params.action == "preempt" || m_params.action == "leave") decisions.preempt(job);
        }
    }

    static SchedulerEntry entry() {
        using P = ScriptedParams;
        return policyEntry<Scheduler, ScriptedScheduler, P>(
            {.id = "test-scripted", .label = "Scripted", .summary = "Does one thing to the only job."},
            choice(&P::action, "action", "Action", {"stay", "move", "grow", "preempt", "leave"}, "What it does."),
            field(&P::atSeconds, "at", "At", {0.001, 1e6}, "s", "When it does it."));
    }

private:
    ScriptedParams m_params;
    bool m_done = false;
};

} // namespace trainyard::test
