// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the scheduler family: plans in slots. A job that comes is booked on machines for the
// earliest run of free slots that its expected time needs, starts when its slot comes (wakeAt), and is
// rejected if no booking within the horizon is possible. What is due at once starts in one replan, bookings are told by
// reservations and notes. Stretches the interface to what PD-ORS and OASiS need: the future, wake-ups, rejection.
#include "policy/Registry.h"
#include "policy/scheduler/JobStart.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace trainyard::test {

struct SlotPlannerParams {
    double slotSeconds = 0.5;
    int horizon = 8;
};

class SlotPlanner final : public Scheduler {
public:
    explicit SlotPlanner(SlotPlannerParams params) : m_params(params) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<SlotPlanner>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        const std::int64_t slot = slotAt(context.now);
        std::erase_if(m_bookings, [&](const auto& b) { return view.state().job(b.first).phase != JobPhase::waiting; });
        startDue(context, view, slot, decisions);
        for (JobId job : view.jobsIn(JobPhase::waiting)) {
            if (m_bookings.contains(job)) continue;
            if (!book(context, view, job, slot))
                decisions.reject(job);
            else
                reserve(context, job, decisions);
        }
        startDue(context, view, slot, decisions);
        bool waiting = false;
        for (JobId job : view.jobsIn(JobPhase::waiting))
            waiting |= !m_startedNow.contains(job) && m_bookings.contains(job);
        m_startedNow.clear();
        const SimTime next = SimTime::seconds(static_cast<double>(slot + 1) * m_params.slotSeconds);
        if (waiting && m_wake < next) {
            m_wake = next;
            decisions.wakeAt(next);
        }
    }

    static SchedulerEntry entry() {
        using P = SlotPlannerParams;
        PolicyInfo info{
            .id = "test-slot-planner", .label = "Slot planner", .summary = "Books future slots or rejects."};
        info.series = {{"slots", "Slots", "", "How many slots a job is booked for.", "first slot", ""}};
        return policyEntry<Scheduler, SlotPlanner, P>(
            std::move(info), field(&P::slotSeconds, "slot", "Slot", {0.001, 1e6}, "s", "Length of a slot."),
            field(&P::horizon, "horizon", "Horizon", {1, 100000}, "slots", "How far ahead jobs are booked."));
    }

private:
    struct Booking {
        std::int64_t first = 0, length = 1;
        Placement placement;
    };

    std::int64_t slotAt(SimTime t) const {
        return static_cast<std::int64_t>(std::floor(t.toSeconds() / m_params.slotSeconds));
    }

    /// Slots a job needs from now on at a placement; of the longest jobs, as many as are looked at one by one.
    std::int64_t slotsFor(const SchedulerView& view, JobId job, const Placement& placement) const {
        const double seconds = view.speed().remainingUpdates(job) * view.speed().secondsPerUpdate(job, placement);
        constexpr double most = 1000;
        return std::isfinite(seconds) ? std::llround(std::clamp(std::ceil(seconds / m_params.slotSeconds), 1.0, most))
                                      : m_params.horizon;
    }

    /// What is free in every one of the slots [first, first + count).
    std::vector<ResourceVector> freeIn(const SchedulerView& view, std::int64_t now, std::int64_t first,
                                       std::int64_t count) const {
        const auto& machines = view.state().machines();
        std::vector<ResourceVector> least;
        for (std::int64_t s = first; s < first + count; ++s) {
            std::vector<ResourceVector> here;
            for (std::size_t m = 0; m < machines.size(); ++m)
                here.push_back(machines[m].up ? view.workload().cluster.machines[m].capacity : ResourceVector{});
            for (JobId job : view.jobsIn(JobPhase::running))
                if (s < now + slotsFor(view, job, view.state().job(job).placement))
                    take(view, job, view.state().job(job).placement, here);
            for (const auto& [job, b] : m_bookings)
                if (s >= b.first && s < b.first + b.length) take(view, job, b.placement, here);
            if (least.empty()) least = here;
            for (std::size_t m = 0; m < here.size(); ++m)
                for (std::size_t r = 0; r < std::max(here[m].size(), least[m].size()); ++r)
                    least[m].setMicro(r, std::min(least[m].micro(r), here[m].micro(r)));
        }
        return least;
    }

    static void take(const SchedulerView& view, JobId id, const Placement& placement,
                     std::vector<ResourceVector>& free) {
        const Job& job = view.workload().job(id);
        for (const MachineId m : placement.workers)
            if (m.valid()) free[m.index()] -= job.workerDemand;
        for (const MachineId m : placement.servers)
            if (m.valid()) free[m.index()] -= job.serverDemand;
    }

    void reserve(const PolicyContext& context, JobId job, SchedulingDecisions& decisions) const {
        const Booking& booking = m_bookings.at(job);
        const auto first = static_cast<std::uint32_t>(booking.first);
        context.note(0, static_cast<double>(booking.length), first, 0, job);
        for (std::uint32_t s = 0; s < std::min<std::int64_t>(booking.length, 16); ++s) {
            for (const MachineId m : booking.placement.workers)
                decisions.reserve(job, TaskRole::worker, m, first + s, 1);
            for (const MachineId m : booking.placement.servers)
                decisions.reserve(job, TaskRole::server, m, first + s, 1);
        }
    }

    bool book(const PolicyContext& context, const SchedulerView& view, JobId job, std::int64_t now) {
        Explanation why{.family = PolicyFamily::scheduler, .policy = "test-slot-planner", .job = job};
        why.summary = {"{0} is booked for the earliest slots that hold it", {jobLabel(view, job)}};
        FreeCapacity idle(view.workload().cluster, freeIn(view, now, now + 2 * m_params.horizon, 1));
        const auto alone = placeJob(view, job, idle, PlacingStrategy::pack, "minimum");
        bool booked = false;
        for (std::int64_t first = now; alone && !booked && first < now + m_params.horizon; ++first) {
            const std::int64_t length = slotsFor(view, job, *alone);
            FreeCapacity free(view.workload().cluster, freeIn(view, now, first, length));
            auto placement = placeJob(view, job, free, PlacingStrategy::pack, "minimum");
            if (placement && slotsFor(view, job, *placement) > length) placement.reset();
            if (first - now < 64)
                why.candidates.push_back({"slot " + std::to_string(first),
                                          {{"holds the job", placement ? 1.0 : 0.0, Comparison::atLeast, 1}},
                                          {}});
            if (!placement) continue;
            m_bookings[job] = {first, length, *placement};
            booked = true;
        }
        if (!booked) why.summary = {"{0} is rejected: no slots within the horizon hold it", {jobLabel(view, job)}};
        why.chosen = why.evaluate();
        context.explain(std::move(why));
        return booked;
    }

    /// Starts what is due. A predecessor that overran, or a failure, moves a booking to the next slot or to
    /// other machines.
    void startDue(const PolicyContext&, const SchedulerView& view, std::int64_t now, SchedulingDecisions& decisions) {
        auto free = view.freeCapacity();
        for (JobId job : m_startedNow) take(view, job, m_bookings.at(job).placement, free);
        std::vector<Allotment> plan;
        for (auto& [job, b] : m_bookings) {
            if (b.first > now || m_startedNow.contains(job)) continue;
            auto trial = free;
            take(view, job, b.placement, trial);
            if (std::any_of(trial.begin(), trial.end(), [](const auto& f) { return f.anyNegative(); })) {
                FreeCapacity elsewhere(view.workload().cluster, free);
                const auto other = placeJob(view, job, elsewhere, PlacingStrategy::pack, "minimum");
                if (!other) {
                    b.first = now + 1;
                    continue;
                }
                b.placement = *other;
                take(view, job, b.placement, trial);
            }
            free = trial;
            m_startedNow.insert(job);
            plan.push_back({job, b.placement});
        }
        if (!plan.empty()) decisions.replan(std::move(plan));
    }

    SlotPlannerParams m_params;
    SimTime m_wake;
    std::map<JobId, Booking> m_bookings;
    std::set<JobId> m_startedNow; ///< within one call
};

} // namespace trainyard::test
