// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One iteration of a job as the log has it: what each worker did for it, when the k-th gradient had come that
// the update was made of, and what was cancelled. Read by the view of one iteration.
#include "analysis/RunIndex.h"

namespace trainyard {

/// A task that was under way in the iteration. Times that it did not come to are never().
struct TaskBar {
    enum class Fate { underWay, used, dropped, cancelled };
    std::uint32_t worker = 0, task = 0;
    SimTime pull = SimTime::never(), compute = SimTime::never(), push = SimTime::never();
    SimTime end = SimTime::never(); ///< arrived, cancelled, or the end of what is shown
    bool arrived = false;
    Fate fate = Fate::underWay;
    int place = 0; ///< among the gradients used, in order of arrival, from 1; 0: not used

    SimTime start() const { return std::min({pull, compute, push, end}); }
};

struct IterationBars {
    std::size_t update = 0; ///< number of the update, from 0
    bool applied = false;   ///< else it is still being made, and shown as far as it has come
    SimTime from, to;       ///< from the update before (the first task, of the first) to this update, or now
    SimTime lastNeeded = SimTime::never(); ///< when the k-th of the gradients used had arrived
    int used = 0;                          ///< k
    std::vector<TaskBar> bars;             ///< in order of their start
    /// The workers that had a task: by the arrival of their first used gradient, then those not needed.
    std::vector<std::uint32_t> byArrival;
    SimTime earliest() const; ///< start of the first bar: before `from`, where workers run ahead or behind
};

/// The iteration that holds at an instant: whose update is the first at or after it, or the last there is.
IterationBars iterationAt(const RunIndex& run, JobId job, SimTime at);

} // namespace trainyard
