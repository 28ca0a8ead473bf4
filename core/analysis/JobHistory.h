// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One job of a run over time: what its workers do, its losses, when it waited in the queue, how
// many workers it had, and how it ended. Filled by RunIndex, event by event.
#include "analysis/IntervalTrack.h"
#include "analysis/TimeSeries.h"
#include "analysis/UpdateLog.h"
#include "model/Placement.h"

namespace trainyard {

struct WorkerHistory {
    IntervalTrack track;
    MachineId machine; ///< last one it was placed on
};

class JobHistory {
public:
    enum class Phase : std::uint8_t { future, waiting, running, over };
    enum class End : std::uint8_t { none, finished, failed, rejected };
    /// In the queue, from arrival or preemption until it starts (or is refused).
    struct Wait {
        SimTime start, end = SimTime::never();
    };

    std::vector<WorkerHistory> workers;
    LossSeries losses;
    std::vector<double> updateTimes; ///< seconds of every parameter update
    UpdateLog updates;               ///< what each of them used, and how it was chosen

    Phase phase() const { return m_phase; }
    End end() const { return m_end; }
    SimTime arrived() const { return m_arrived; }              ///< never(): not yet
    SimTime endedAt() const { return m_endedAt; }              ///< never(): not yet
    const std::vector<Wait>& waits() const { return m_waits; } ///< in order of time
    const StepSeries& placed() const { return m_placed; }      ///< workers on machines, over time
    int mostPlaced() const { return m_mostPlaced; }

    void arrive(SimTime at);
    void begin(SimTime at);
    void preempt(SimTime at);
    void finish(SimTime at, End how);
    /// From `at` on, so many more of its workers are placed, and so many more of these wait.
    void change(SimTime at, int placed, int waiting);
    /// One worker that counted as waiting from `from` until `until`, the last change, did not wait for others.
    void didNotWait(SimTime from, SimTime until);
    /// Seconds lost to waiting until `at`, which is not before the last change: the integral of the share of
    /// placed workers that wait for others.
    double waitedUntil(SimTime at) const;

private:
    Phase m_phase = Phase::future;
    End m_end = End::none;
    SimTime m_arrived = SimTime::never(), m_endedAt = SimTime::never(), m_changed;
    std::vector<Wait> m_waits;
    StepSeries m_placed;
    int m_placedNow = 0, m_waitingNow = 0, m_mostPlaced = 0;
    double m_waited = 0;
};

} // namespace trainyard
