// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the workers of a job do, told from the events of its log: the one place where it is decided. Used by the state, the
// metrics, the index of a run, the histories and the trace.
//
// - A worker reads, computes, sends; it waits from the arrival of its gradient, or the cancellation of its task, until its next
//   task begins, or until its synchronization blocks it, which is waiting too. What it sends while it is at the next task
//   already goes on beside it, and is no phase.
// - A worker that goes on once an update has been applied waited for others only until the last of the gradients that the
//   update was made of had arrived; from then on it waited for the servers: they had other updates to apply, applied this one,
//   or evaluated the loss (updating). Which gradients these are is known only once the update has been applied.
// - A job that begins again elsewhere is not at work until its parameters are there: workers that it keeps are idle meanwhile.
#include "record/Event.h"
#include "record/WorkerPhase.h"

#include <optional>
#include <span>
#include <vector>

namespace trainyard {

struct WorkerState {
    WorkerPhase phase = WorkerPhase::idle;
    SimTime since;
    std::uint32_t task = 0;
    friend bool operator==(const WorkerState&, const WorkerState&) = default;
};

/// The state that an event of its job puts a worker into at that instant; nothing: it goes on as it is.
std::optional<WorkerState> nextState(const WorkerState& now, const Event& event);

/// The workers of one job, with what only later events tell of a phase.
class WorkerPhases {
public:
    /// `after.since` is the time of the event, or an earlier one that is not before `before.since`: so long ago the phase has
    /// changed without anybody knowing.
    struct Change {
        std::uint32_t worker = 0;
        WorkerState before, after;
    };
    /// What an event of the job changes, in order; borrowed until the next call. Events come in order of time. Workers that are
    /// not placed, or that a job cannot have, change nothing.
    std::span<const Change> apply(const Event& event);

    std::size_t size() const { return m_workers.size(); }
    /// WorkerPhase::absent where there is none.
    WorkerState of(std::size_t worker) const {
        return worker < m_workers.size() ? m_workers[worker].state : WorkerState{WorkerPhase::absent, {}, 0};
    }

private:
    struct Arrival {
        std::uint32_t task = 0;
        SimTime at;
    };
    struct Worker {
        WorkerState state{WorkerPhase::absent, {}, 0};
        std::vector<Arrival> arrived; ///< gradients that have been neither used nor dropped
    };
    void enter(std::uint32_t worker, const WorkerState& after);
    void leave(std::uint32_t worker, const Event& event, const WorkerState& after);
    void settle(const Event& event);

    std::vector<Worker> m_workers;
    std::vector<Change> m_changes;
    std::optional<SimTime> m_needed;     ///< arrival of the last gradient used since the last update
    std::optional<SimTime> m_lastNeeded; ///< of the last update
    bool m_isFreed = false;              ///< an update has been applied, and no gradient has arrived since
    SimTime m_replanned;                 ///< the job's placement has changed last
};

} // namespace trainyard
