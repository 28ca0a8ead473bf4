// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// By which techniques the keys of a keyed job are managed over time: how many have replicas, and how many move.
#include "analysis/KeyedCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace key_techniques {

using Interval = KeyedCourse::Interval;

Plot plotOf(const std::vector<Interval>& intervals, const char* key, const Text& label, Text title, Role role,
            std::vector<double> values) {
    Plot plot;
    plot.x = timeAxis(intervals.back().to);
    plot.y = {.title = std::move(title), .key = key};
    rangeFromZero(plot.y, std::max(1.0, *std::ranges::max_element(values)));
    Series& line = plot.series.emplace_back();
    line.kind = Series::Kind::steps;
    line.key = key;
    line.label = label;
    line.role = role;
    line.y = std::move(values);
    for (const Interval& interval : intervals) line.x.push_back(interval.from);
    line.x.push_back(intervals.back().to);
    return plot;
}

Computation compute(const ViewRequest& request) {
    const auto& course = request.run.fold<KeyedCourse>();
    const auto intervals = course.merged(request.job);
    Text meaning{
        TRAINYARD_TEXT(
            "Above, the keys that have a replica on every machine; below, the keys that came to another machine and "
            "stayed, per second. Both as logged at the ends of intervals."),
        {}};
    if (intervals.empty())
        return emptyChart({TRAINYARD_TEXT("No keys have been counted yet. Press play."), {}}, std::move(meaning));
    const Text replicated{TRAINYARD_TEXT("keys with replicas"), {}}, moved{TRAINYARD_TEXT("keys moved"), {}};
    const auto replicas = course.replicas(request.job, intervals);
    std::vector<double> moves;
    double all = 0;
    for (const Interval& interval : intervals) {
        moves.push_back(interval.relocated / std::max(interval.to - interval.from, 1e-12));
        all += interval.relocated;
    }
    const auto after = std::ranges::lower_bound(intervals, request.at.toSeconds(), {}, &Interval::to);
    const auto now = std::min(static_cast<std::size_t>(after - intervals.begin()), intervals.size() - 1);
    Chart chart;
    chart.legend = {legendLine(replicated, count(static_cast<std::size_t>(std::max(0.0, replicas[now]))), Role::hue(0)),
                    legendLine({TRAINYARD_TEXT("keys moved per second"), {}}, {}, Role::hue(1)),
                    legendItem({TRAINYARD_TEXT("keys moved in all"), {}}, count(static_cast<std::size_t>(all)))};
    chart.legend[1].text = {TRAINYARD_TEXT("{0}/s"), {shortCount(moves[now])}};
    chart.plots = {
        plotOf(intervals, "replicated_keys", replicated, {TRAINYARD_TEXT("replicas"), {}}, Role::hue(0), replicas),
        plotOf(intervals, "moved_keys", moved, {TRAINYARD_TEXT("moves"), {}}, Role::hue(1), moves)};
    chart.plots[1].y.unit = "1/s";
    chart.plots[1].row = 1;
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace key_techniques

View keyTechniquesView() {
    return {.id = "key-techniques",
            .group = keysGroup(),
            .title = {TRAINYARD_TEXT("Replicas and moves"), {}},
            .summary = {TRAINYARD_TEXT("How many keys have replicas, and how many move, over time."), {}},
            .concerns = [](const RunIndex& run, JobId job) { return KeyedCourse::concerns(run, job); },
            .compute = key_techniques::compute};
}

} // namespace trainyard
