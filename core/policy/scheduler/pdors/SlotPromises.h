// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a scheduler that plans in slots has promised to whom, and how promises become placements: at the start of every slot one
// replan. Slots are counted from the start of the run; the ledger begins at base().
#include "policy/scheduler/pdors/ScheduleSearch.h"
#include "policy/scheduler/pdors/SlotJobs.h"

#include <map>

namespace trainyard {

struct SlotTimes {
    double seconds = 1;   ///< length of a slot
    int horizon = 20;     ///< slots that are planned
    bool rolling = false; ///< from now on, not from the start of the run
};

class SlotPromises {
public:
    explicit SlotPromises(SlotTimes times) : m_times(times) {}

    /// Machines that went or came, jobs that are over; moves on to the present slot. At every call, before anything else.
    void follow(const SchedulerView& view, SimTime now, std::span<const Event> since);
    const SlotTimes& times() const { return m_times; }
    /// Only after follow().
    SlotLedger& ledger() { return *m_ledger; }
    /// The slot that is slot 0 of the ledger.
    std::int64_t base() const { return m_base; }
    /// First slot of the ledger that can still be promised; from the horizon on there is none.
    int firstFree() const { return m_firstFree; }
    SimTime begin(std::int64_t slot) const { return SimTime::seconds(static_cast<double>(slot) * m_times.seconds); }
    /// Whether a slot begins now (or began less than a thousandth of it ago), or has begun and apply() has not been called in it.
    bool isDue() const { return m_applied < m_slot || m_atStart; }

    bool has(JobId job) const { return m_promises.contains(job); }
    /// Takes it from the ledger; slots of the schedule are counted from base().
    void promise(JobId job, const SlotJob& as, const SlotSchedule& schedule);
    /// Gives back what is promised from firstFree() on. The job stays known.
    void release(JobId job);
    /// The rest of what is promised, from base().
    std::optional<SlotSchedule> rest(JobId job) const;
    /// Jobs that have been promised something and are not over, in order.
    std::vector<JobId> jobs() const;

    /// Everyone gets what the present slot promises; jobs that are behind their promise get what is left, as they came. Asks to
    /// be woken when the next slot begins, while there are promises.
    void apply(const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions);
    void wakeForNextSlot(SchedulingDecisions& decisions) const {
        if (begin(m_slot + 1) < SimTime::never()) decisions.wakeAt(begin(m_slot + 1));
    }
    std::size_t resources() const { return m_ledger->cluster().resources; }
    /// So many jobs ran beyond or aside from their promise in the slot applied last.
    int behind() const { return m_behind; }

private:
    struct Promise {
        SlotJob job;
        std::map<std::int64_t, SlotTasks> bySlot;
        bool broken = false; ///< it has lost what it had
    };
    bool holds(const SchedulerView& view, const SlotTasks& tasks) const;
    /// Seconds until a job that should have ended by now does, if it is all but done.
    double graceSeconds(const SchedulerView& view) const;
    void giveBack(Promise& promise);

    SlotTimes m_times;
    std::optional<SlotLedger> m_ledger;
    std::map<JobId, Promise> m_promises;
    std::int64_t m_base = 0, m_slot = 0, m_applied = -1, m_waited = -1;
    int m_firstFree = 0, m_behind = 0;
    bool m_atStart = true;
};

} // namespace trainyard
