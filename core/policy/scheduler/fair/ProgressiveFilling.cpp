// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/fair/ProgressiveFilling.h"

#include "policy/scheduler/fair/FillingCall.h"

#include <algorithm>

namespace trainyard {

void ProgressiveFilling::hold(const SchedulerView& view, JobId job) {
    const Placement& now = view.state().job(job).placement;
    const auto usable = [&](MachineId m) { return m.valid() && view.state().machine(m).up; };
    Held& held = m_held[job];
    for (const MachineId m : now.servers)
        if (usable(m)) held.servers.push_back(m);
    const auto minimum = static_cast<std::size_t>(view.workers(job).minimum);
    for (std::uint32_t w = 0; w < now.workers.size(); ++w) {
        if (!usable(now.workers[w])) continue;
        held.workers.push_back(w);
        if (held.workers.size() <= minimum) held.minimum.workers.push_back(now.workers[w]);
    }
    const Job& spec = view.workload().job(job);
    held.minimum.servers = held.servers;
    if (spec.workersPerServer) {
        const auto first = static_cast<int>(held.minimum.workers.size());
        const auto needed = static_cast<std::size_t>(spec.serversFor(first, view.workers(job)));
        held.minimum.servers.resize(std::min(held.servers.size(), needed));
    }
    takeTasks(spec, held.minimum, m_plan);
}

void ProgressiveFilling::forget(const SchedulerView& view, JobId job) {
    const auto held = m_held.find(job);
    if (held == m_held.end()) return;
    giveTasks(view.workload().job(job), held->second.minimum, m_plan);
    m_held.erase(held);
}

void ProgressiveFilling::follow(const SchedulerView& view, std::span<const Event> since) {
    m_waiting.update(view, since, [](JobId) { return 0; });
    bool anew = !m_following;
    for (const Event& event : since) {
        anew = anew || event.type == EventType::machineFailed || event.type == EventType::machineRepaired;
        if (anew || event.job == JobId::none || event.type == EventType::lossEvaluated) continue;
        forget(view, event.jobId());
        if (view.state().job(event.jobId()).phase == JobPhase::running) hold(view, event.jobId());
    }
    const JobSet& running = view.jobsIn(JobPhase::running);
    if (!anew && m_held.size() == running.size()) return;
    m_following = true;
    m_held.clear();
    m_plan = FreeCapacity::whole(view.state());
    for (const JobId job : running) hold(view, job);
}

void ProgressiveFilling::decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                                const Share& share, const std::string& policy, SchedulingDecisions& decisions) {
    follow(view, since);
    const FreeCapacity::Scratch scratch(m_plan);
    FillingCall filling({context, view, share, policy, m_strategy, m_stop}, m_plan);
    for (const auto& [job, held] : m_held) filling.addRunning(job, held);
    WaitingJobs::Walk walk(m_waiting, false);
    while (const auto next = walk.next()) {
        if (filling.admit(next->job)) {
            walk.roomChanged();
            continue;
        }
        if (context.explaining()) { // in what is left beside the minima of those that run
            const Bounds bounds = view.workers(next->job);
            const Job& job = view.workload().job(next->job);
            m_refusals.tried(context, view,
                             {next->job, bounds.minimum, job.serversFor(bounds.minimum, bounds), &m_plan}, policy);
        }
        walk.fail();
    }
    filling.fill();
    filling.decide(decisions);
}

} // namespace trainyard
