// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The mean normalised loss of active jobs over time, and how many there are.
#include "analysis/LossCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace mean_quality_view {

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "The mean over active jobs (arrived and not over) of (L − L_min)/(L_first − L_min): 1 when nothing has been "
            "learnt, 0 when all is. L_min is the limit of an analytic job's curve, the same under every policy; of a "
            "trained job, the least of the run so far. A job that leaves takes its low loss with it."),
        {}};
    const MeanLossCourse course = meanLossCourse(request.run, request.mostPoints);
    if (course.seconds.empty()) return emptyChart({TRAINYARD_TEXT("No job has arrived yet."), {}}, std::move(meaning));
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    Chart chart;
    Plot plot{
        .x = timeAxis(end),
        .y = {.title = {TRAINYARD_TEXT("mean normalised loss"), {}}, .key = "mean_normalised_loss", .from = 0, .to = 1},
        .share = 2};
    Series line{.kind = Series::Kind::steps,
                .key = "mean-normalised-loss",
                .label = {TRAINYARD_TEXT("mean normalised loss"), {}},
                .role = Role::accent(),
                .weight = 1.6,
                .x = course.seconds,
                .y = course.loss};
    plot.y.to = std::max(1.0, *std::max_element(course.loss.begin(), course.loss.end(), [](double a, double b) {
                             return (std::isfinite(a) ? a : 0) < (std::isfinite(b) ? b : 0);
                         }));
    Plot count{.x = timeAxis(end),
               .y = {.title = {TRAINYARD_TEXT("active jobs"), {}}, .key = "active_jobs", .whole = true}};
    count.row = 1;
    rangeFromZero(count.y, *std::max_element(course.jobs.begin(), course.jobs.end()));
    Series jobs = line;
    jobs.key = "active-jobs";
    jobs.label = {TRAINYARD_TEXT("active jobs"), {}};
    jobs.role = Role::muted();
    jobs.y = course.jobs;
    const MeanLoss now = meanLossAt(request.run, request.at.toSeconds());
    std::optional<Quantity> lossNow, jobsNow;
    if (request.at.toSeconds() >= course.seconds.front()) {
        if (std::isfinite(now.loss)) lossNow = Quantity{now.loss, ""};
        jobsNow = Quantity{now.jobs, "count"};
    }
    chart.legend = {legendLine(line.label, lossNow, line.role), legendLine(jobs.label, jobsNow, jobs.role)};
    plot.series.push_back(std::move(line));
    count.series.push_back(std::move(jobs));
    chart.plots = {std::move(plot), std::move(count)};
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace mean_quality_view

View meanQualityView() {
    return {.id = "mean-quality",
            .group = qualityGroup(),
            .title = {TRAINYARD_TEXT("Mean normalised loss"), {}},
            .summary = {TRAINYARD_TEXT("How far the losses of active jobs have come down, over time."), {}},
            .scope = View::Scope::run,
            .concerns = [](const RunIndex& run, JobId) { return run.workload().jobs.size() > 1 && hasLosses(run, {}); },
            .compute = mean_quality_view::compute};
}

} // namespace trainyard
