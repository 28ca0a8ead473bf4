// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Losses of a run's jobs on one scale, as views show them: normalised by the limit of a job's curve (LossQuality.h), or by the
// least of the run as far as it has come. Read from the index, which is asked for nothing long.
#include "analysis/RunIndex.h"

#include <span>

namespace trainyard {

/// nullopt: it has no loss yet, or it does not fall.
std::optional<double> limitOf(const RunIndex& run, JobId job);

/// The mean normalised loss over active jobs (arrived, not over; no graph jobs), from its first arrival on, where it changes. NaN
/// while there are none. The same numbers as the metric mean_active_loss, before they are averaged over time.
struct MeanLossCourse {
    std::vector<double> seconds, loss, jobs;
};
/// Of more than `mostSteps` changes, those within each of as many equal parts of the run are one, at the instant of the first:
/// linear in the losses, where the whole course has to sort them.
MeanLossCourse meanLossCourse(const RunIndex& run, std::size_t mostSteps = static_cast<std::size_t>(-1));
/// The course at an instant; NaN, 0: nobody is active.
struct MeanLoss {
    double loss = 0, jobs = 0;
};
MeanLoss meanLossAt(const RunIndex& run, double seconds);

/// Seconds from arrival to the first evaluated loss that has come down by each of these shares of the whole drop, which
/// increase; nullopt: not yet.
std::vector<std::optional<double>> secondsToShares(const RunIndex& run, JobId job, std::span<const double> shares);

/// The heading that the views of losses across jobs stand under.
Text qualityGroup();

} // namespace trainyard
