// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// By which techniques the keys of a keyed job are managed over time: how many copies machines hold, how old these are, and how many keys move.
#include "analysis/KeyedCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trainyard {

namespace key_techniques {

using Interval = KeyedCourse::Interval;

Plot plotOf(const std::vector<Interval>& intervals, const char* key, const Text& label, Text title, Role role,
            std::vector<double> values, double least = 1) {
    Plot plot;
    plot.x = timeAxis(intervals.back().to);
    plot.y = {.title = std::move(title), .key = key};
    rangeFromZero(plot.y, std::accumulate(values.begin(), values.end(), least,
                                          [](double most, double v) { return std::fmax(most, v); }));
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
    const auto intervals = request.run.fold<KeyedCourse>().merged(request.job);
    Text meaning{
        TRAINYARD_TEXT(
            "Above, the copies and replicas of keys that a machine holds, of the machine with most; in the middle, the keys "
            "that came to another machine and stayed, per second; below, how old the values of copies were when younger "
            "ones replaced them. Means over the intervals that are logged."),
        {}};
    if (intervals.empty())
        return emptyChart({TRAINYARD_TEXT("No keys have been counted yet. Press play."), {}}, std::move(meaning));
    const Text held{TRAINYARD_TEXT("copies held"), {}}, moved{TRAINYARD_TEXT("keys moved"), {}},
        age{TRAINYARD_TEXT("age of copies"), {}};
    std::vector<double> copies, moves, ages;
    double all = 0;
    for (const Interval& interval : intervals) {
        copies.push_back(interval.copiesAt.empty() ? 0 : *std::ranges::max_element(interval.copiesAt));
        moves.push_back(interval.relocated / std::max(interval.to - interval.from, 1e-12));
        ages.push_back(interval.refreshes > 0
                           ? interval.ageSum / interval.refreshes
                           : std::numeric_limits<double>::quiet_NaN()); // a gap: no copy was replaced
        all += interval.relocated;
    }
    const auto after = std::ranges::lower_bound(intervals, request.at.toSeconds(), {}, &Interval::to);
    const auto now = std::min(static_cast<std::size_t>(after - intervals.begin()), intervals.size() - 1);
    Chart chart;
    chart.legend = {
        legendLine(held, count(static_cast<std::size_t>(std::llround(copies[now]))), Role::hue(0)),
        legendLine({TRAINYARD_TEXT("keys moved per second"), {}}, {}, Role::hue(1)),
        legendItem({TRAINYARD_TEXT("keys moved in all"), {}}, count(static_cast<std::size_t>(all))),
        legendLine(age, std::isnan(ages[now]) ? std::nullopt : std::optional(Quantity{ages[now], "s"}), Role::hue(2))};
    chart.legend[1].text = {TRAINYARD_TEXT("{0}/s"), {shortCount(moves[now])}};
    chart.plots = {plotOf(intervals, "copies_held", held, {TRAINYARD_TEXT("copies"), {}}, Role::hue(0), copies),
                   plotOf(intervals, "moved_keys_per_s", moved, {TRAINYARD_TEXT("moves/s"), {}}, Role::hue(1), moves),
                   plotOf(intervals, "copy_age", age, {TRAINYARD_TEXT("age"), {}}, Role::hue(2), ages, 1e-9)};
    chart.plots[1].row = 1;
    chart.plots[2].y.unit = "s";
    chart.plots[2].row = 2;
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace key_techniques

View keyTechniquesView() {
    return {
        .id = "key-techniques",
        .group = keysGroup(),
        .title = {TRAINYARD_TEXT("Copies and moves"), {}},
        .summary = {TRAINYARD_TEXT(
                        "How many copies of keys machines hold, how old these are, and how many keys move, over time."),
                    {}},
        .concerns = [](const RunIndex& run, JobId job) { return KeyedCourse::concerns(run, job); },
        .compute = key_techniques::compute};
}

} // namespace trainyard
