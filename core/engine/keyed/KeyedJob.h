// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A running keyed job as SimulationCore has it: its run, and what is logged of it when.
#include "engine/Coordinator.h"
#include "engine/keyed/KeyedLog.h"
#include "engine/keyed/KeyedRun.h"

namespace trainyard {

/// How a job is to begin.
struct KeyedStart {
    Restoring restoring;
    std::shared_ptr<const KeyedSnapshot> saved; ///< null: from the start
};

struct KeyedJob {
    KeyedRun run;
    std::uint32_t generation = 0;
    std::uint64_t before = 0; ///< iterations that its present workers do not know of
    KeyedGoal goal;
    KeyedIntervals intervals;
    bool ticks = false;        ///< an end of an interval is pending
    bool announced = false;    ///< the present quiet point is pending
    bool workersEnded = false; ///< of the present stretch, and it is logged
    bool waitsToSave = false;  ///< its checkpoint, for a way to the storage
    bool over = false;         ///< its end needs no snapshot
    ShownKeys shown;
    std::shared_ptr<const KeyedSnapshot> checkpoint; ///< on its way to the storage

    std::uint64_t iterations() const { return before + run.iterations(); }
    bool waitsForRoute() const { return !run.quietSince() && run.next() == SimTime::never(); }
};

} // namespace trainyard
