// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What one worker did, as a gapless sequence of intervals: each lasts until the next begins, the last one
// until the head of the run. Appended to by RunIndex; asked by painters for single intervals (zoomed in) or
// for time per activity within a pixel column (zoomed out, at a cost that does not grow with the number of
// intervals).
#include "base/SimTime.h"
#include "record/WorkerPhase.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace trainyard {

class IntervalTrack {
public:
    static constexpr std::size_t kinds = workerPhases;
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    /// Nanoseconds by WorkerPhase.
    using Sums = std::array<std::int64_t, kinds>;

    /// From `at` on the worker does this. Times must not decrease. An interval of no length is replaced; the
    /// same thing again is not a new interval.
    void enter(SimTime at, WorkerPhase phase, std::uint32_t task);
    /// The computation of this task was for nothing. When it began; nothing if there is none.
    std::optional<SimTime> discard(std::uint32_t task);

    std::size_t size() const { return m_start.size(); }
    bool empty() const { return m_start.empty(); }
    SimTime start(std::size_t i) const { return SimTime{m_start[i]}; }
    /// `head` closes the last interval.
    SimTime end(std::size_t i, SimTime head) const { return i + 1 < m_start.size() ? SimTime{m_start[i + 1]} : head; }
    WorkerPhase phase(std::size_t i) const { return m_phase[i]; }
    std::uint32_t task(std::size_t i) const { return m_task[i]; }
    /// The interval that holds at t (its start included, its end not); none before the first.
    std::size_t indexAt(SimTime t) const { return indexAt(t, 0); }
    /// The same, searched from `hint` on (which must begin at or before t): for scans from left to right.
    std::size_t indexAt(SimTime t, std::size_t hint) const;
    /// Time per activity from the first interval until t, which lies in interval i (= indexAt(t)).
    Sums sumsUntil(SimTime t, std::size_t i) const;

private:
    static constexpr std::size_t block = 64;

    std::vector<std::int64_t> m_start;
    std::vector<WorkerPhase> m_phase;
    std::vector<std::uint32_t> m_task;
    std::vector<Sums> m_blocks; ///< [k]: sums over intervals before k·block
};

} // namespace trainyard
