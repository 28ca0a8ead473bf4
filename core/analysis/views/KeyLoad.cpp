// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How busy server threads and network interfaces of a keyed job's machines are, and which of them most: above, the busiest of each kind
// over time; below, that of every machine.
#include "analysis/KeyedCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace key_load {

using Interval = KeyedCourse::Interval;
struct Resource {
    const char* key;
    const char* name;
    const char* ofNode;
    Dash dash;
    const std::vector<double> Interval::*use;
};
constexpr std::array resources{
    Resource{"server-thread", TRAINYARD_TEXT("server thread"), TRAINYARD_TEXT("server thread of {0}"), Dash::solid,
             &Interval::server},
    Resource{"sending", TRAINYARD_TEXT("network, sending"), TRAINYARD_TEXT("network interface of {0}, sending"),
             Dash::dashed, &Interval::sending},
    Resource{"receiving", TRAINYARD_TEXT("network, receiving"), TRAINYARD_TEXT("network interface of {0}, receiving"),
             Dash::dotted, &Interval::receiving}};

double at(const std::vector<double>& values, std::size_t node) {
    return node < values.size() ? std::min(1.0, values[node]) : 0;
}

/// Resource and node that are busiest over these intervals, and how busy.
struct Busiest {
    std::size_t resource = 0, node = 0;
    double use = -1;
};
/// `seconds`: that uses are shares of.
Busiest busiestOf(std::span<const Interval> intervals, std::size_t nodes, double seconds) {
    Busiest out;
    for (std::size_t r = 0; r < resources.size(); ++r)
        for (std::size_t n = 0; n < nodes; ++n) {
            double busy = 0;
            for (const Interval& interval : intervals)
                busy += at(interval.*resources[r].use, n) * (interval.to - interval.from);
            if (const double use = seconds > 0 ? std::min(1.0, busy / seconds) : 0; use > out.use) out = {r, n, use};
        }
    return out;
}

Series curveOf(const Resource& resource, std::size_t number, const std::vector<Interval>& intervals,
               std::size_t nodes) {
    Series line{.kind = Series::Kind::steps,
                .key = resource.key,
                .label = {resource.name, {}},
                .role = Role::hue(number),
                .dash = resource.dash};
    for (const Interval& interval : intervals) {
        double most = 0;
        for (std::size_t n = 0; n < nodes; ++n) most = std::max(most, at(interval.*resource.use, n));
        line.x.push_back(interval.from);
        line.y.push_back(100 * most);
    }
    line.x.push_back(intervals.back().to);
    return line;
}

/// A row per machine; columns of equal length in time, each as the interval in its middle.
Series mapOf(const Resource& resource, const std::vector<Interval>& intervals, std::size_t nodes) {
    constexpr std::size_t mostColumns = 256;
    Series map{.kind = Series::Kind::cells, .key = resource.key, .label = {resource.name, {}}};
    Cells& cells = map.cells;
    cells.columns = std::min(mostColumns, 2 * intervals.size());
    cells.rows = nodes;
    cells.x0 = 0;
    cells.x1 = intervals.back().to;
    cells.y0 = -0.5;
    cells.y1 = static_cast<double>(nodes) - 0.5;
    cells.scale = {.from = 0, .to = 100, .title = {TRAINYARD_TEXT("in use, %"), {}}};
    cells.values.assign(cells.columns * nodes, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t c = 0; c < cells.columns; ++c) {
        const double middle = (static_cast<double>(c) + 0.5) / static_cast<double>(cells.columns) * cells.x1;
        const auto it = std::ranges::lower_bound(intervals, middle, {}, &Interval::to);
        if (it == intervals.end() || it->from > middle) continue;
        for (std::size_t n = 0; n < nodes; ++n) cells.values[n * cells.columns + c] = 100 * at((*it).*resource.use, n);
    }
    return map;
}

Text nameOf(const ViewRequest& request, const std::vector<MachineId>& machines, const Busiest& busiest) {
    return {resources[busiest.resource].ofNode,
            {nodeName(request.run, machines, static_cast<std::uint32_t>(busiest.node))}};
}

Computation compute(const ViewRequest& request) {
    const auto intervals = request.run.fold<KeyedCourse>().merged(request.job);
    Text meaning{
        TRAINYARD_TEXT(
            "How much of the time server threads handled messages, and network interfaces sent and received: "
            "above the busiest machine's; below every machine's, of the kind that is busiest over the run; the lighter, the busier. "
            "What is in use all the time holds everybody up."),
        {}};
    if (intervals.empty())
        return emptyChart({TRAINYARD_TEXT("No messages have been counted yet. Press play."), {}}, std::move(meaning));
    const auto machines = nodesOf(request.run, request.job);
    std::size_t nodes = machines.size();
    for (const Interval& interval : intervals)
        nodes = std::max({nodes, interval.server.size(), interval.sending.size(), interval.receiving.size()});
    Chart chart;
    Plot& most = chart.plot();
    most.x = timeAxis(intervals.back().to);
    most.y = {.title = {TRAINYARD_TEXT("busiest"), {}}, .unit = "%", .key = "busiest_percent", .from = 0, .to = 100};
    for (std::size_t r = 0; r < resources.size(); ++r) {
        most.series.push_back(curveOf(resources[r], r, intervals, nodes));
        chart.legend.push_back(legendLine({resources[r].name, {}}, {}, Role::hue(r), resources[r].dash));
    }
    const Busiest ofRun = busiestOf(intervals, nodes, request.run.fold<KeyedCourse>().workedSeconds(request.job));
    const auto now = std::ranges::lower_bound(intervals, request.at.toSeconds(), {}, &Interval::to);
    const auto shown = now == intervals.end() ? std::prev(intervals.end()) : now;
    const Busiest here = busiestOf({&*shown, 1}, nodes, shown->to - shown->from);
    chart.legend.push_back(legendItem({TRAINYARD_TEXT("busiest overall"), {}}));
    chart.legend.back().text = {TRAINYARD_TEXT("{0}, {1}"),
                                {nameOf(request, machines, ofRun).english(), quantityText(100 * ofRun.use, "%")}};
    chart.legend.push_back(legendItem({TRAINYARD_TEXT("busiest now"), {}}));
    chart.legend.back().text = {TRAINYARD_TEXT("{0}, {1}"),
                                {nameOf(request, machines, here).english(), quantityText(100 * here.use, "%")}};
    for (const double percent : {0.0, 50.0, 100.0})
        chart.legend.push_back({.label = {TRAINYARD_TEXT("{0} % in use"), {quantityText(percent)}},
                                .swatch = LegendItem::Swatch::cell,
                                .scaled = percent});
    Plot& map = chart.plots.emplace_back();
    map.row = 1;
    map.x = chart.plots.front().x;
    map.y = {.kind = Axis::Kind::categories, .title = {resources[ofRun.resource].name, {}}, .key = "machine"};
    for (std::size_t n = 0; n < nodes; ++n)
        map.y.categories.push_back({nameText(nodeName(request.run, machines, static_cast<std::uint32_t>(n))),
                                    {.machine = n < machines.size() ? machines[n] : MachineId{}}});
    map.series.push_back(mapOf(resources[ofRun.resource], intervals, nodes));
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace key_load

View keyLoadView() {
    return {.id = "key-load",
            .group = keysGroup(),
            .title = {TRAINYARD_TEXT("Server threads and networks"), {}},
            .summary = {TRAINYARD_TEXT("How busy the machines of a keyed job are with messages, and which most."), {}},
            .concerns = [](const RunIndex& run, JobId job) { return KeyedCourse::concerns(run, job); },
            .compute = key_load::compute};
}

} // namespace trainyard
