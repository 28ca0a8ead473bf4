// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the files of views share. Included by these only.
#include "analysis/RunIndex.h"
#include "analysis/View.h"

namespace trainyard {

/// The heading that the views of whom an update waits for stand under.
Text waitingGroup();

/// While finish() goes on.
Text computingText();
/// None yet, or none ever: then updates are computed as a whole.
Text noGradientsText(const ViewRequest& request);
/// Of the job, or of any: whether its log has single gradients, and whether it can have a loss.
bool hasGradients(const RunIndex& run, JobId job);
bool hasLosses(const RunIndex& run, JobId job);

inline const UpdateLog& updatesOf(const ViewRequest& request) {
    return request.run.jobs()[request.job.index()].updates;
}
/// The worker and the machine it was last placed on.
ElementRef workerRef(const RunIndex& run, JobId job, std::uint32_t worker);

LegendItem legendItem(Text label, std::optional<Quantity> value = {}, Role role = {},
                      LegendItem::Swatch swatch = LegendItem::Swatch::none);
LegendItem legendLine(Text label, std::optional<Quantity> value, Role role, Dash dash = Dash::solid);
LegendItem legendBox(Text label, std::optional<Quantity> value, Role role);
/// Seconds of the run from 0 on.
Axis timeAxis(double end);
/// The heading of what is followed over time.
Text courseGroup();
/// The heading of graph jobs that are admitted at once.
Text graphsGroup();
/// Values times `scale` from the first on until `end` of the run, of what the request sees. Solid ones are filled.
Series stepCurve(const ViewRequest& request, const StepSeries& values, double end, std::string key, Text label,
                 Role role, Dash dash = Dash::solid, double scale = 1);
/// The job's own, or grey of one that has none (ColouredJobs.h) and is not selected.
Role roleOf(const ViewRequest& request, JobId job);
/// Of the k-th resource that a picture shows.
Role resourceRole(std::size_t k);
/// What a series of steps is at the instant, or in the mean over the run.
Quantity valueNow(const ViewRequest& request, const StepSeries& values, std::string unit, double scale = 1);
inline Quantity count(std::size_t value) { return {static_cast<double>(value), "count"}; }

} // namespace trainyard
