// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Where a keyed job finds the keys that it reads: here, on their way here, or elsewhere.
#include "analysis/KeyedCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace trainyard {

namespace key_accesses {

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
    const auto intervals = request.run.fold<KeyedCourse>().merged(request.job);
    Text meaning{
        TRAINYARD_TEXT(
            "Of all reads of the job, the share whose key the worker's machine had, was waiting for, or had to ask "
            "another machine for."),
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
                return all > 0 ? 100 * i.pulls[k] / all : std::numeric_limits<double>::quiet_NaN(); // a gap
            }));
        double sum = 0, all = 0;
        for (const auto& i : intervals)
            if (i.from <= request.at.toSeconds())
                sum += i.pulls[k], all += std::accumulate(i.pulls.begin(), i.pulls.end(), 0.0);
        chart.legend.push_back(legendLine({names[k], {}}, Quantity{all > 0 ? 100 * sum / all : 0, "%"}, Role::hue(k)));
    }
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace key_accesses

View keyAccessesView() {
    return {.id = "key-accesses",
            .group = keysGroup(),
            .title = {TRAINYARD_TEXT("Local and remote reads"), {}},
            .summary = {TRAINYARD_TEXT("Where a keyed job finds its keys: here, on their way here, or elsewhere."), {}},
            .concerns = [](const RunIndex& run, JobId job) { return KeyedCourse::concerns(run, job); },
            .compute = key_accesses::compute};
}

} // namespace trainyard
