// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What an agent sees of an optical cluster after a decision: how long each server stays taken, which blocks are free now and at horizons to
// come, and what kind of jobs is expected. All times count mean gaps between arrivals, so that clusters under the same load look alike.
#include "planning/graphs/GraphArrivals.h"

#include <span>
#include <string>
#include <vector>

namespace trainyard {

/// What is expected of the jobs to come, as numbers: constant over a run.
struct ExpectedLoad {
    double gapSeconds = 1;
    std::vector<float> numbers; ///< AfterStates::loadNumbers of them
};

class AfterStates {
public:
    explicit AfterStates(std::shared_ptr<const ServerBlocks> blocks);

    /// Degrees whose prospects ExpectedLoad tells; others are scored all the same.
    static constexpr int degrees[] = {1, 2, 4, 6, 8, 16};
    static constexpr std::size_t loadNumbers = 2 * std::size(degrees) + 4;
    /// Sizes of blocks, and horizons in mean gaps, for which free blocks are counted.
    static constexpr int sizes[] = {2, 4, 6, 8, 16};
    static constexpr double horizons[] = {0, 1, 2, 3, 4, 6, 8, 12};

    /// Of the workload's graphs in the pricer, which is asked for times on the empty cluster.
    static ExpectedLoad expect(GraphPricer& pricer, const GraphWorkload& workload);

    /// Which of the degrees it is, and which rules that look at the deadline would take it: floor-k for each of the degrees as k.
    static constexpr std::size_t optionNumbers = 2 * std::size(degrees);

    /// Numbers of a state.
    std::size_t stateSize() const { return m_stateSize; }
    /// Of an option: its after-state, and what kind of option it is.
    std::size_t optionSize() const { return m_stateSize + optionNumbers; }
    /// One short name for each number of an option, for views.
    std::vector<std::string> names() const;
    /// Of the system at `now`, to which it is advanced, with a job placed on `servers` for `seconds` (none: 0). Writes stateSize() numbers.
    void writeState(const LossSystem& system, double now, ServerMask servers, double seconds, const ExpectedLoad& load,
                    std::span<float> out) const;
    /// Of one of the options, which is in time. Writes optionSize() numbers.
    void writeOption(const LossSystem& system, double now, std::span<const GraphOption> options, std::size_t option,
                     const ExpectedLoad& load, std::span<float> out) const;
    /// Of refusing the job, likewise: no kind of option.
    void writeRefusal(const LossSystem& system, double now, const ExpectedLoad& load, std::span<float> out) const;

    struct Glance {
        int free[std::size(sizes)] = {};    ///< blocks that are free
        double wait[std::size(sizes)] = {}; ///< seconds until one is free, if nobody else arrives; infinite: never
    };
    /// The same for people, without load: blocks left, and how long until there is one.
    Glance glance(const LossSystem& system, double now, ServerMask servers, double seconds) const;

private:
    bool anyFree(std::size_t size, ServerMask occupied) const;
    struct Free {
        int blocks = 0;   ///< that are free
        int disjoint = 0; ///< jobs of that size that can be placed one after another
    };
    Free countFree(std::size_t size, ServerMask occupied) const;

    std::shared_ptr<const ServerBlocks> m_blocks;
    std::vector<std::vector<ServerMask>> m_masks; ///< by size
    std::size_t m_servers, m_stateSize;
};

} // namespace trainyard
