// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How far a job is under the rate model, as a function of time. Its updates come at a pace that is constant
// over a block of updates; the time of a block is drawn from the gamma law that has the mean and the variance
// of the sum of its updates' times (few updates: skewed as times are; many: normal, by the central limit
// theorem). Blocks are the same for every policy, placement and goal, and the unit variate of each is keyed
// by (seed, job, block): what is interrupted goes on with the same draw, and two policies meet the same luck.
#include "base/Ids.h"
#include "base/SimTime.h"
#include "planning/UpdateTimes.h"

#include <cstdint>
#include <vector>

namespace trainyard {

class RatePath {
public:
    RatePath() = default;
    /// From `updates` (fractions count) at `since` on, as far as `goal` (which may have no end) or
    /// `mostSeconds`. Times do not vary where the variance is 0.
    RatePath(SimTime since, double updates, double goal, double mostSeconds, const UpdateTime& update,
             std::uint64_t seed, JobId job);

    /// Updates done at t, between those at the start and the goal.
    double updatesAt(SimTime t) const;
    /// When so many updates are done; never() if they are not.
    SimTime timeOf(double updates) const;
    double goal() const { return m_goal; }
    double expectedSeconds() const { return m_expected; } ///< per update

private:
    struct Piece {
        double updates, seconds; ///< at its beginning, the latter after `since`
        double pace;             ///< seconds per update
    };
    SimTime m_since;
    double m_goal = 0, m_expected = 0;
    std::vector<Piece> m_pieces; ///< ascending
};

} // namespace trainyard
