// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Who has the workers: jobs grouped by how far their losses have come down, and the share of the workers that each group holds. Read
// from the index by a view and by the study of schedulers that go by losses.
#include "analysis/RunIndex.h"

#include <array>

namespace trainyard {

/// Of n active jobs (arrived, not over; no graph jobs), in order of their normalised losses (LossCourse.h; 1 before the first loss; ties
/// in order of ids): the ⌈n/4⌉ highest, the ⌊n/2⌋ lowest, and those between.
enum class LossGroup : std::size_t { highestQuarter, between, lowestHalf };

struct LossGroupShares {
    static constexpr std::size_t fewestJobs = 4; ///< groups of fewer say nothing
    std::vector<double> seconds;
    /// By group, shares of the workers on machines, which add up to 1. NaN where fewer jobs are active, or nobody has workers.
    std::array<std::vector<double>, 3> share;

    const std::vector<double>& of(LossGroup group) const { return share[static_cast<std::size_t>(group)]; }
    /// Over the instants at which there are groups; NaN: there are none.
    double mean(LossGroup group) const;
};

/// At the middle of each of `parts` equal parts of the run until its head. Cost: the samples of active jobs, sorted by instant.
LossGroupShares lossGroupShares(const RunIndex& run, std::size_t parts);

} // namespace trainyard
