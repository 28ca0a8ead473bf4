// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/views/ViewParts.h"

#include "analysis/LoggedTasks.h"
#include "model/KnownLosses.h"

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
        return each.keyedAccess() ? !each.keyedAccess()->qualities.empty() : mayHaveLosses(each);
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
    // Spans that stay where they are while the run goes on, of a few points each. Where several changes lie in one, it shows their
    // mean: lines that stand closer than that would fill the plot, however short each of them is.
    constexpr std::size_t pointsOfSpan = 6;
    const double seen = std::isfinite(request.to) ? request.to : to;
    const double width = static_cast<double>(pointsOfSpan) * (seen - from) / static_cast<double>(request.mostPoints);
    const bool each = !(width > 0) || (request.isFile && last - first <= request.mostPoints);
    const auto add = [&](double x, double y) {
        if (!each && !series.x.empty() && series.x.back() >= x) series.x.pop_back(), series.y.pop_back();
        if (!each && !series.y.empty() && series.y.back() == scale * y) return;
        series.x.push_back(x);
        series.y.push_back(scale * y);
    };
    for (std::size_t i = first; i < last;) {
        const double span = each ? 0 : std::floor((values.time(i) - from) / width);
        const double begin = from + width * span, until = std::min(to, from + width * (span + 1));
        const std::size_t next = each || span < 0 ? i + 1 : std::clamp(values.after(until), i + 1, last);
        const bool isShort = !each && ((i > first && values.time(i) - values.time(i - 1) < width / 2) ||
                                       (next < last && values.time(next) - values.time(next - 1) < width / 2));
        if (next - i == 1 && !isShort) {
            add(values.time(i), values.value(i));
        } else {
            add(begin, values.mean(begin, until));
            if (until < to) add(until, values.value(next - 1));
        }
        i = next;
    }
    series.x.push_back(std::max(to, from));
    return series;
}

Role roleOf(const ViewRequest& request, JobId job) {
    return request.run.isColoured(job) || job == request.job ? Role::of(job) : Role{Role::Kind::ghost, 0};
}

Role resourceRole(std::size_t k) { return k == 0 ? Role::accent() : k == 1 ? Role::muted() : Role::hue(k); }

Quantity valueNow(const ViewRequest& request, const StepSeries& values, std::string unit, double scale) {
    if (!request.wholeRun) return {scale * values.at(request.at.toSeconds()), std::move(unit)};
    SimTime from = request.run.head(); // as metrics count
    for (const JobHistory& job : request.run.jobs()) from = std::min(from, job.arrived());
    if (from == request.run.head()) from = {};
    return {scale * values.mean(from.toSeconds(), request.run.head().toSeconds()),
            unit == "count" ? std::string() : std::move(unit)};
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
