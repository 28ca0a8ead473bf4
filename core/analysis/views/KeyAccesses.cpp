// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Where a keyed job finds the keys that it reads: here, on their way here, or elsewhere; and how busy its machines are with that.
#include "analysis/KeyedCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace key_accesses {

double largest(const std::vector<double>& values) { return values.empty() ? 0 : *std::ranges::max_element(values); }

Series curve(const std::vector<KeyedCourse::Interval>& intervals, const char* key, Text label, Role role,
             const std::function<double(const KeyedCourse::Interval&)>& value) {
    Series line{.kind = Series::Kind::steps, .key = key, .label = std::move(label), .role = role};
    for (const auto& interval : intervals) {
        line.x.push_back(interval.from);
        line.y.push_back(value(interval));
    }
    line.x.push_back(intervals.back().to);
    return line;
}

Computation compute(const ViewRequest& request) {
    const auto& intervals = request.run.fold<KeyedCourse>().intervals(request.job);
    Text meaning{
        TRAINYARD_TEXT(
            "Above: of all reads of the job, the share whose key the worker's machine had, was waiting for, or had to "
            "ask another machine for. Below: how busy the busiest server thread and the busiest network interface "
            "were."),
        {}};
    if (intervals.empty())
        return emptyChart({TRAINYARD_TEXT("No reads have been counted yet. Press play."), {}}, std::move(meaning));
    Chart chart;
    Plot& reads = chart.plot();
    reads.x = timeAxis(intervals.back().to);
    reads.y = {
        .title = {TRAINYARD_TEXT("share of reads"), {}}, .unit = "%", .key = "share_percent", .from = 0, .to = 100};
    constexpr std::array names{TRAINYARD_TEXT("local"), TRAINYARD_TEXT("remote"),
                               TRAINYARD_TEXT("waiting for the key")};
    constexpr std::array keys{"local", "remote", "waiting"};
    for (std::size_t k = 0; k < names.size(); ++k) {
        reads.series.push_back(
            curve(intervals, keys[k], {names[k], {}}, Role::hue(k), [k](const KeyedCourse::Interval& i) {
                const double all = std::accumulate(i.pulls.begin(), i.pulls.end(), 0.0);
                return all > 0 ? 100 * i.pulls[k] / all : 0;
            }));
        double sum = 0, all = 0;
        for (const auto& i : intervals)
            if (i.from <= request.at.toSeconds())
                sum += i.pulls[k], all += std::accumulate(i.pulls.begin(), i.pulls.end(), 0.0);
        chart.legend.push_back(legendLine({names[k], {}}, Quantity{all > 0 ? 100 * sum / all : 0, "%"}, Role::hue(k)));
    }
    Plot& busy = chart.plots.emplace_back();
    busy.row = 1;
    busy.share = 0.6;
    busy.x = chart.plots.front().x;
    busy.y = {.title = {TRAINYARD_TEXT("busiest"), {}}, .unit = "%", .key = "busy_percent", .from = 0, .to = 100};
    busy.series.push_back(curve(intervals, "server-thread", {TRAINYARD_TEXT("server thread"), {}}, Role::accent(),
                                [](const auto& i) { return std::min(100.0, 100 * largest(i.server)); }));
    busy.series.push_back(
        curve(intervals, "network-interface", {TRAINYARD_TEXT("network interface"), {}}, Role::warning(),
              [](const auto& i) { return std::min(100.0, 100 * std::max(largest(i.sending), largest(i.receiving))); }));
    chart.legend.push_back(legendLine({TRAINYARD_TEXT("busiest server thread"), {}}, {}, Role::accent()));
    chart.legend.push_back(legendLine({TRAINYARD_TEXT("busiest network interface"), {}}, {}, Role::warning()));
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace key_accesses

View keyAccessesView() {
    return {
        .id = "key-accesses",
        .group = keysGroup(),
        .title = {TRAINYARD_TEXT("Local and remote reads"), {}},
        .summary = {TRAINYARD_TEXT("Where a keyed job finds its keys, and how busy its machines are with that."), {}},
        .concerns = [](const RunIndex& run, JobId job) { return KeyedCourse::concerns(run, job); },
        .compute = key_accesses::compute};
}

} // namespace trainyard
