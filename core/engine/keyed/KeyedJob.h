// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A running keyed job as SimulationCore has it: its run, and what is logged of it when.
#include "engine/Coordinator.h"
#include "engine/keyed/KeyedRun.h"

namespace trainyard {

/// How a job is to begin.
struct KeyedStart {
    Restoring restoring;
    std::shared_ptr<const KeyedSnapshot> saved; ///< null: from the start
};

struct KeyedJob {
    /// Counters are logged at the end of each interval. Intervals double when there are so many.
    static constexpr Duration firstInterval = Duration::nanoseconds(1'000'000);
    static constexpr int mostIntervals = 256;
    /// Of so many of the most frequent keys it is logged where they are.
    static constexpr std::uint32_t shownKeys = 100;

    KeyedRun run;
    std::uint32_t generation = 0;
    std::uint64_t before = 0; ///< iterations that its present workers do not know of
    std::uint64_t goal = 0;   ///< iterations
    FinishReason reason = FinishReason::iterations;
    Duration interval = firstInterval;
    int intervals = 0;
    bool ticks = false;                              ///< an end of an interval is pending
    bool announced = false;                          ///< the present quiet point is pending
    bool workersEnded = false;                       ///< of the present stretch, and it is logged
    bool waitsToSave = false;                        ///< its checkpoint, for a way to the storage
    bool over = false;                               ///< its end needs no snapshot
    std::vector<std::uint32_t> shownAt;              ///< by rank: the node that it was logged to be at
    std::shared_ptr<const KeyedSnapshot> checkpoint; ///< on its way to the storage

    std::uint64_t iterations() const { return before + run.iterations(); }
    bool waitsForRoute() const { return !run.quietSince() && run.next() == SimTime::never(); }
};

} // namespace trainyard
