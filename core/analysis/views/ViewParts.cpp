// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/views/ViewParts.h"

#include "analysis/LoggedTasks.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

Text graphsGroup() { return {TRAINYARD_TEXT("Graph jobs"), {}}; }

Text courseGroup() { return {TRAINYARD_TEXT("Over time"), {}}; }
Text waitingGroup() { return {TRAINYARD_TEXT("Waiting"), {}}; }

Text computingText() { return {TRAINYARD_TEXT("Computing…"), {}}; }

Text noGradientsText(const ViewRequest& request) {
    const Job& job = request.run.workload().job(request.job);
    if (job.keyedAccess())
        return {TRAINYARD_TEXT("Workers of a keyed job add to its keys as they go on: no update waits for gradients. "
                               "The views of keys show what they read and send."),
                {}};
    if (job.kind() == JobKind::graph)
        return {TRAINYARD_TEXT("All steps of a graph job are alike, and none waits for gradients. The views of graph "
                               "jobs show one step."),
                {}};
    if (updatesOf(request).size() == 0) return {TRAINYARD_TEXT("No gradient has been used yet. Press play."), {}};
    return {TRAINYARD_TEXT("This job has no single gradients: only trained jobs, and analytic jobs under the flow "
                           "model, have them. It computes each update as a whole."),
            {}};
}

bool hasGradients(const RunIndex& run, JobId job) { return logsTasks(run.workload(), job); }

bool hasLosses(const RunIndex& run, JobId job) {
    const auto has = [](const Job& each) {
        return each.keyedAccess() ? !each.keyedAccess()->qualities.empty() : each.kind() != JobKind::graph;
    };
    return job.valid() ? has(run.workload().job(job)) : std::ranges::any_of(run.workload().jobs, has);
}

ElementRef workerRef(const RunIndex& run, JobId job, std::uint32_t worker) {
    const auto& workers = run.jobs()[job.index()].workers;
    return {.job = job, .worker = worker, .machine = worker < workers.size() ? workers[worker].machine : MachineId{}};
}

LegendItem legendItem(Text label, std::optional<Quantity> value, Role role, LegendItem::Swatch swatch) {
    return {.label = std::move(label), .value = std::move(value), .swatch = swatch, .role = role};
}

LegendItem legendLine(Text label, std::optional<Quantity> value, Role role, Dash dash) {
    using Swatch = LegendItem::Swatch;
    return legendItem(std::move(label), std::move(value), role,
                      dash == Dash::solid    ? Swatch::line
                      : dash == Dash::dotted ? Swatch::dots
                      : dash == Dash::dashed ? Swatch::dashes
                                             : Swatch::longDashes);
}

LegendItem legendBox(Text label, std::optional<Quantity> value, Role role) {
    return legendItem(std::move(label), std::move(value), role, LegendItem::Swatch::box);
}

Series stepCurve(const ViewRequest& request, const StepSeries& values, double end, std::string key, Text label,
                 Role role, Dash dash, double scale) {
    Series series{.kind = Series::Kind::steps,
                  .key = std::move(key),
                  .label = std::move(label),
                  .role = role,
                  .weight = 1.4,
                  .dash = dash,
                  .fill = 0.1,
                  .filled = dash == Dash::solid};
    if (values.size() == 0) return series;
    const double from = std::max(request.from, values.time(0)), to = std::min(request.to, end);
    const std::size_t first = std::max<std::size_t>(values.after(from), 1) - 1, last = values.after(to);
    if (last - first <= request.mostPoints) {
        for (std::size_t i = first; i < last; ++i) {
            series.x.push_back(values.time(i));
            series.y.push_back(scale * values.value(i));
        }
    } else {
        // Spans that stay where they are while the run goes on.
        const double seen = std::isfinite(request.to) ? request.to : to;
        const double width = (seen - from) / static_cast<double>(request.mostPoints);
        const std::vector<double> means = values.means(from, to, width);
        for (std::size_t i = 0; i < means.size(); ++i) {
            if (i > 0 && means[i] == means[i - 1]) continue;
            series.x.push_back(from + width * static_cast<double>(i));
            series.y.push_back(scale * means[i]);
        }
    }
    series.x.push_back(std::max(to, from));
    return series;
}

Quantity valueNow(const ViewRequest& request, const StepSeries& values, std::string unit, double scale) {
    if (!request.wholeRun) return {scale * values.at(request.at.toSeconds()), std::move(unit)};
    return {scale * values.mean(0, request.run.head().toSeconds()), unit == "count" ? std::string() : std::move(unit)};
}

Axis timeAxis(double end) {
    return {.kind = Axis::Kind::time,
            .title = {TRAINYARD_TEXT("time"), {}},
            .unit = "s",
            .key = "time_s",
            .from = 0,
            .to = end};
}

} // namespace trainyard
