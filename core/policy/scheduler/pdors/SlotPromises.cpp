// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/pdors/SlotPromises.h"

#include "policy/scheduler/JobStart.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

/// Of a slot: who comes so little after its begin is there when it begins. Executed runs learn late of what happens then, and would
/// promise other slots than simulated ones.
constexpr double lateness = 1e-3;

} // namespace

void SlotPromises::follow(const SchedulerView& view, SimTime now, std::span<const Event> since) {
    m_slot = static_cast<std::int64_t>(now.toSeconds() / m_times.seconds);
    while (begin(m_slot + 1) <= now && begin(m_slot + 1) < SimTime::never()) ++m_slot; // slots may outlast time itself
    while (m_slot > 0 && begin(m_slot) > now) --m_slot;
    m_atStart = now - begin(m_slot) <= Duration::seconds(lateness * m_times.seconds);
    if (!m_ledger) {
        m_ledger.emplace(slotCluster(view.workload().cluster, m_times.horizon));
        m_base = m_times.rolling ? m_slot : 0;
    }
    if (m_times.rolling && m_slot > m_base) {
        m_ledger->advance(static_cast<int>(std::min<std::int64_t>(m_slot - m_base, m_times.horizon)));
        m_base = m_slot;
    }
    m_firstFree = static_cast<int>(std::min<std::int64_t>(m_slot + (m_atStart ? 0 : 1) - m_base, m_times.horizon));
    for (std::size_t h = 0; h < view.state().machines().size(); ++h) m_ledger->setUp(h, view.state().machines()[h].up);
    for (const Event& event : since) {
        const auto it = m_promises.find(JobId(event.job));
        if (it == m_promises.end()) continue;
        const bool failed =
            event.type == EventType::jobPreempted && static_cast<PreemptReason>(event.aux) != PreemptReason::policy;
        if (failed) it->second.broken = true;
        const JobPhase phase = view.state().job(it->first).phase;
        if (phase == JobPhase::waiting || phase == JobPhase::running) continue;
        giveBack(it->second);
        m_promises.erase(it);
    }
}

void SlotPromises::promise(JobId job, const SlotJob& as, const SlotSchedule& schedule) {
    m_ledger->take(as, schedule);
    Promise& promise = m_promises[job];
    promise.job = as;
    for (const auto& [slot, tasks] : schedule.bySlot) promise.bySlot[m_base + slot] = tasks;
}

void SlotPromises::giveBack(Promise& promise) {
    SlotSchedule later;
    const auto from = promise.bySlot.lower_bound(m_base + m_firstFree);
    for (auto it = from; it != promise.bySlot.end(); ++it)
        later.bySlot.push_back({static_cast<int>(it->first - m_base), it->second});
    m_ledger->give(promise.job, later);
    promise.bySlot.erase(from, promise.bySlot.end());
}

void SlotPromises::release(JobId job) { giveBack(m_promises.at(job)); }

std::optional<SlotSchedule> SlotPromises::rest(JobId job) const {
    const auto& bySlot = m_promises.at(job).bySlot;
    SlotSchedule out;
    for (auto it = bySlot.lower_bound(m_base + m_firstFree); it != bySlot.end(); ++it)
        out.bySlot.push_back({static_cast<int>(it->first - m_base), it->second});
    if (out.bySlot.empty()) return std::nullopt;
    return out;
}

std::vector<JobId> SlotPromises::jobs() const {
    std::vector<JobId> out;
    for (const auto& [job, promise] : m_promises) out.push_back(job);
    return out;
}

bool SlotPromises::holds(const SchedulerView& view, const SlotTasks& tasks) const {
    return std::all_of(tasks.on.begin(), tasks.on.end(),
                       [&view](const auto& on) { return view.state().machines()[on.machine].up; });
}

double SlotPromises::graceSeconds(const SchedulerView& view) const {
    double grace = 0;
    for (const auto& [job, promise] : m_promises) {
        const JobState& state = view.state().job(job);
        if (state.phase != JobPhase::running || promise.bySlot.lower_bound(m_slot) != promise.bySlot.end()) continue;
        const double left = view.speed().remainingSeconds(job, view.speed().secondsPerUpdate(job, state.placement));
        if (left <= 1e-6 * m_times.seconds) grace = std::max(grace, left + 1e-9);
    }
    return grace;
}

void SlotPromises::apply(const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
    if (m_waited < m_slot) { // once: a job with nothing left to do need not have ended
        m_waited = m_slot;
        if (const double grace = graceSeconds(view); grace > 0) return decisions.wakeAfter(context.now, grace);
    }
    m_applied = m_slot;
    m_behind = 0;
    FreeCapacity free = FreeCapacity::whole(view.state());
    std::vector<Allotment> plan;
    std::vector<JobId> late;
    for (auto& [job, promise] : m_promises) {
        const auto now = promise.bySlot.find(m_slot);
        const bool over = promise.bySlot.lower_bound(m_slot) == promise.bySlot.end();
        if (now == promise.bySlot.end() || !holds(view, now->second)) {
            if (over || promise.broken || now != promise.bySlot.end())
                late.push_back(job);
            else if (!view.state().job(job).placement.empty())
                plan.push_back({job, {}});
            continue;
        }
        plan.push_back({job, placementOf(now->second)});
        takeTasks(view.workload().job(job), plan.back().placement, free);
    }
    for (const JobId job : late) {
        const Job& spec = view.workload().job(job);
        const Placement held = view.state().job(job).placement.withoutGaps();
        bool fits = !held.empty();
        if (fits) {
            const FreeCapacity::Scratch scratch(free);
            takeTasks(spec, held, free);
            for (const auto* tasks : {&held.workers, &held.servers})
                for (const MachineId machine : *tasks)
                    fits = fits && free.isUp(machine) && !free.of(machine).anyNegative();
        }
        std::optional<Placement> placement;
        if (fits) {
            placement = held;
            takeTasks(spec, held, free);
        } else {
            placement = placeJob(view, job, free, PlacingStrategy::pack, "as-many-as-fit");
        }
        m_behind += placement.has_value();
        if (placement || !held.empty()) plan.push_back({job, placement.value_or(Placement{})});
    }
    if (!plan.empty()) decisions.replan(std::move(plan));
    if (!m_promises.empty()) wakeForNextSlot(decisions);
}

} // namespace trainyard
