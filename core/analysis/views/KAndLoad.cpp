// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// k and β as training goes on, under the loss: on the left against time, on the right against updates, so
// that what is fast in one and slow in the other shows.
#include "analysis/UpdateValues.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace k_and_load_view {

constexpr std::size_t mostKnots = 1000;

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void hold(double v) {
        if (!std::isfinite(v)) return;
        low = std::min(low, v);
        high = std::max(high, v);
    }
};

/// With a margin; logarithmic where it is asked for and the values are far apart.
void setRange(Axis& axis, const Range& range, bool logarithmic) {
    const auto [low, high] = range;
    if (!std::isfinite(low)) {
        axis.from = 0, axis.to = 1;
    } else if (logarithmic && low > 0 && (high > 3 * low || !(high > low))) {
        const double margin = high > low ? 1.25 : 2;
        axis.kind = Axis::Kind::logarithmic;
        axis.from = low / margin, axis.to = high * margin;
    } else {
        const double margin = high > low ? 0.08 * (high - low) : 1;
        axis.from = low - margin, axis.to = high + margin;
    }
}

struct Column {
    bool byUpdate = false;
    Axis x;
};

Column columnOf(const ViewRequest& request, bool byUpdate) {
    const UpdateLog& updates = updatesOf(request);
    Column column{.byUpdate = byUpdate};
    column.x.from = 0;
    if (!byUpdate) { // the run may go on long after the job
        const SimTime end = std::min(request.run.head(), request.run.jobs()[request.job.index()].endedAt());
        column.x = timeAxis(std::max(end.toSeconds(), 1e-9));
        return column;
    }
    column.x.title = {TRAINYARD_TEXT("updates"), {}};
    column.x.key = "update";
    column.x.whole = true;
    column.x.to = std::max(1.0, static_cast<double>(updates.size()));
    column.x.knots.push_back({0, SimTime::zero()});
    const std::size_t every = updates.size() / mostKnots + 1;
    for (std::size_t u = 0; u < updates.size(); u += every)
        column.x.knots.push_back({static_cast<double>(u + 1), timeOfUpdate(request.run, request.job, u)});
    if (updates.size() % every != 1 && updates.size() > 1)
        column.x.knots.push_back(
            {static_cast<double>(updates.size()), timeOfUpdate(request.run, request.job, updates.size() - 1)});
    return column;
}

Series lossSeries(const ViewRequest& request, const Column& column, Range& range) {
    const LossSeries& all = request.run.jobs()[request.job.index()].losses;
    // Updates go back only where a job was interrupted.
    const bool back = column.byUpdate && !all.breaks.empty();
    const LossSeries kept = back ? keptUpdates(all) : LossSeries{};
    const LossSeries& losses = back ? kept : all;
    const auto buckets = static_cast<int>(std::clamp<std::size_t>(request.mostPoints / 4, 1, 1 << 30));
    const auto points = decimated(column.byUpdate ? losses.update : losses.time, losses.loss, 0,
                                  column.x.to.value_or(1), buckets, losses.breaks);
    for (const double y : points.y) range.hold(y);
    return {.key = "loss",
            .label = {TRAINYARD_TEXT("loss"), {}},
            .role = Role::of(request.job),
            .x = points.x,
            .y = points.y,
            .refs = {{.job = request.job}}};
}

/// k, or β, from the place where an update began to that where the next one of another kind begins.
Series stepSeries(const ViewRequest& request, const Column& column, bool load) {
    const UpdateLog& updates = updatesOf(request);
    std::vector<double> x, y;
    for (const UpdateLog::Step& step : updates.steps()) {
        const double from = column.byUpdate    ? static_cast<double>(step.update)
                            : step.update == 0 ? 0
                                               : timeOfUpdate(request.run, request.job, step.update - 1).toSeconds();
        x.push_back(from);
        y.push_back(load ? loadOfUpdate(request.run, request.job, step.update) : static_cast<double>(step.gradients));
    }
    if (x.size() > request.mostPoints) {
        const auto thinned = decimated(x, y, 0, column.x.to.value_or(1), static_cast<int>(request.mostPoints / 4 + 1));
        x = thinned.x, y = thinned.y;
    }
    if (updates.size() > 0)
        x.push_back(column.byUpdate ? static_cast<double>(updates.size())
                                    : timeOfUpdate(request.run, request.job, updates.size() - 1).toSeconds());
    return {.kind = Series::Kind::steps,
            .key = load ? "load" : "k",
            .label = nameText(load ? "β" : "k"),
            .role = Role::of(load ? Activity::update : Activity::compute),
            .weight = 1.4,
            .x = std::move(x),
            .y = std::move(y),
            .refs = {{.job = request.job}}};
}

void addColumn(const ViewRequest& request, bool byUpdate, Chart& chart) {
    const Column column = columnOf(request, byUpdate);
    const std::size_t c = byUpdate ? 1 : 0;
    Range losses, ks;
    Plot loss{.x = column.x, .y = {.title = {TRAINYARD_TEXT("loss"), {}}, .key = "loss"}, .column = c, .share = 0.42};
    loss.title =
        byUpdate ? Text{TRAINYARD_TEXT("loss against updates"), {}} : Text{TRAINYARD_TEXT("loss against time"), {}};
    loss.series.push_back(lossSeries(request, column, losses));
    setRange(loss.y, losses, true);
    Plot k{
        .x = column.x, .y = {.title = nameText("k"), .key = "k", .whole = true}, .column = c, .row = 1, .share = 0.33};
    k.series.push_back(stepSeries(request, column, false));
    ks.hold(1);
    for (const double y : k.series[0].y) ks.hold(y);
    setRange(k.y, ks, ks.high > 4);
    Plot load{
        .x = column.x, .y = {.title = nameText("β"), .key = "load", .from = 0}, .column = c, .row = 2, .share = 0.25};
    load.series.push_back(stepSeries(request, column, true));
    double most = 1;
    for (const double y : load.series[0].y) most = std::max(most, y);
    load.y.to = 1.08 * most;
    for (Plot* plot : {&loss, &k, &load}) chart.plots.push_back(std::move(*plot));
}

void addLegend(const ViewRequest& request, Chart& chart) {
    const UpdateLog& updates = updatesOf(request);
    const std::size_t until = updatesUntil(request.run, request.job, request.at);
    const LossSeries& losses = request.run.jobs()[request.job.index()].losses;
    const std::size_t evaluated = losses.indexAt(request.at.toSeconds());
    std::optional<Quantity> loss, k, load;
    if (evaluated < losses.size()) loss = Quantity{losses.loss[evaluated], "", 4};
    if (until > 0) {
        k = count(updates.gradientsOf(until - 1));
        load = Quantity{loadOfUpdate(request.run, request.job, until - 1), ""};
    }
    chart.legend = {legendLine({TRAINYARD_TEXT("loss"), {}}, loss, Role::of(request.job)),
                    legendLine(nameText("k"), k, Role::of(Activity::compute)),
                    legendLine(nameText("β"), load, Role::of(Activity::update)),
                    legendItem({TRAINYARD_TEXT("updates"), {}}, count(until))};
}

Computation compute(const ViewRequest& request) {
    Chart chart;
    chart.meaning = {
        TRAINYARD_TEXT("k: gradients per update. β: samples of each, as a share of the job's batch. Above them "
                       "the evaluated loss. Left against time, right against updates: few gradients make fast "
                       "updates, many make less noisy ones."),
        {}};
    const UpdateLog& updates = updatesOf(request);
    if (updates.size() == 0) {
        chart.empty = {TRAINYARD_TEXT("No update has been made yet. Press play."), {}};
    } else if (updates.gradients().empty()) {
        chart.empty = {TRAINYARD_TEXT("This job has no k: only trained jobs, and analytic jobs under the flow "
                                      "model, have single gradients."),
                       {}};
    } else {
        for (const bool byUpdate : {false, true}) addColumn(request, byUpdate, chart);
        addLegend(request, chart);
    }
    return chart;
}

} // namespace k_and_load_view

View kAndLoadView() {
    return {.id = "k-and-load",
            .group = waitingGroup(),
            .title = {TRAINYARD_TEXT("k and β over time"), {}},
            .summary = {TRAINYARD_TEXT("Gradients per update and samples of each, under the loss, against "
                                       "time and against updates."),
                        {}},
            .concerns = hasGradients,
            .compute = k_and_load_view::compute};
}

} // namespace trainyard
