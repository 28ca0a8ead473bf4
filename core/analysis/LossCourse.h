#pragma once
// Losses of a run's jobs on one scale, as views show them: normalised by the limit of a job's curve (LossQuality.h), or by the
// least of the run as far as it has come. Read from the index, which is asked for nothing long.
#include "analysis/RunIndex.h"

namespace trainyard {

/// nullopt: it has no loss yet, or it does not fall.
std::optional<double> limitOf(const RunIndex& run, JobId job);

/// The mean normalised loss over active jobs (arrived, not over; no graph jobs), from its first arrival on, where it changes. NaN
/// while there are none. The same numbers as the metric mean_active_loss, before they are averaged over time.
struct MeanLossCourse {
    std::vector<double> seconds, loss, jobs;
};
MeanLossCourse meanLossCourse(const RunIndex& run);

/// Seconds from arrival to the first evaluated loss that has come down by this share of the whole drop; nullopt: not yet.
std::optional<double> secondsToShare(const RunIndex& run, JobId job, double share);

/// The heading that the views of losses across jobs stand under.
Text qualityGroup();

} // namespace trainyard
