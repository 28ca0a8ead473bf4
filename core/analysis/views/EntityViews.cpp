// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One machine, one link, or the workers of one job over time.
#include "analysis/EntityHistory.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace entity_views {

using Kind = EntityHistory::Kind;
using Curve = EntityHistory::Curve;
using What = Curve::What;

/// Machines and links have no names that could be declared: their number in the scenario, from 1.
struct Options {
    int number = 1;
};

const BoundSchema<Options>& options() {
    static const auto schema = bindSchema<Options>(
        field(&Options::number, "number", "Number", {1, 1e6}, "", "Which one, in the order of the scenario, from 1."));
    return schema;
}

Text labelOf(const Curve& curve, const Cluster& cluster, std::uint32_t index) {
    switch (curve.what) {
    case What::resource:
        return curve.index < cluster.resourceNames.size()
                   ? nameText(cluster.resourceNames[curve.index])
                   : Text{TRAINYARD_TEXT("resource {0}"), {std::to_string(curve.index + 1)}};
    case What::busyTasks: return {TRAINYARD_TEXT("computing tasks"), {}};
    case What::load: {
        const Link& link = cluster.links[index];
        return {TRAINYARD_TEXT("to {0}"), {curve.index == 0 ? link.to : link.from}};
    }
    case What::placed: return {TRAINYARD_TEXT("placed workers"), {}};
    case What::computing: return {TRAINYARD_TEXT("computing workers"), {}};
    case What::waiting: return {TRAINYARD_TEXT("workers that wait for others"), {}};
    }
    return {};
}

Role roleOf(const Curve& curve) {
    switch (curve.what) {
    case What::resource: return curve.index % 2 == 0 ? Role::accent() : Role::muted();
    case What::busyTasks:
    case What::computing: return Role::of(Activity::compute);
    case What::load: return curve.index == 0 ? Role::of(Activity::transfer) : Role::muted();
    case What::placed: return Role::muted();
    case What::waiting: return Role::of(Activity::waiting);
    }
    return {};
}

/// Resources and links in per cent of what there is, workers and tasks as they are counted.
bool isShare(const Curve& curve) { return curve.what == What::resource || curve.what == What::load; }

Text nothingOf(Kind kind) {
    switch (kind) {
    case Kind::machine: return {TRAINYARD_TEXT("No task has been placed on it yet."), {}};
    case Kind::link:
        return {TRAINYARD_TEXT("It has carried nothing yet. The rate model counts bytes but does not load links."), {}};
    case Kind::job: break;
    }
    return {TRAINYARD_TEXT("It has no workers yet."), {}};
}

Plot plotOf(const ViewRequest& request, const Cluster& cluster, double end, const EntityHistory& history, bool shares,
            Chart& chart) {
    Plot plot{.x = timeAxis(end)};
    double most = 1;
    for (const Curve& curve : history.curves()) {
        if (isShare(curve) != shares) continue;
        const double scale = shares ? 100 / std::max(curve.full, 1e-300) : 1;
        const Text label = labelOf(curve, cluster, history.index());
        const Dash dash = curve.what == What::waiting ? Dash::dashed : Dash::solid;
        chart.legend.push_back(
            legendLine(label, valueNow(request, curve.series, shares ? "%" : "count", scale), roleOf(curve), dash));
        plot.series.push_back(
            stepCurve(request, curve.series, end, label.english(), label, roleOf(curve), dash, scale));
        most = std::max(most, curve.full);
    }
    if (shares)
        plot.y = {.title = {TRAINYARD_TEXT("share of capacity"), {}},
                  .unit = "%",
                  .key = "share_percent",
                  .from = 0,
                  .to = 100};
    else
        plot.y = {.title = {TRAINYARD_TEXT("tasks"), {}}, .key = "tasks", .whole = true};
    if (!shares) rangeFromZero(plot.y, most);
    for (const Outage& outage : history.outages())
        plot.series.push_back({.kind = Series::Kind::band,
                               .key = "down " + std::to_string(plot.series.size()),
                               .label = {TRAINYARD_TEXT("down"), {}},
                               .role = Role::of(Activity::failed),
                               .x = {outage.start.toSeconds(), std::min(outage.end.toSeconds(), end)},
                               .y = {*plot.y.to, *plot.y.to},
                               .base = {0, 0}});
    return plot;
}

Computation drawn(const ViewRequest& request, Kind kind, const std::string& key, const Text& meaning) {
    const RunSource& run = request.run.source();
    if (run.log->size() == 0) return emptyChart({TRAINYARD_TEXT("Nothing has run yet. Press play."), {}}, meaning);
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    // Of the request only what is seen is read there: the index goes on meanwhile.
    return {emptyChart(computingText(), meaning),
            [request, workload = run.workload, log = run.log, position = request.run.position(), end, kind, key,
             meaning](const std::stop_token& stop) -> Picture {
                constexpr std::size_t piece = 1 << 20;
                EntityHistory history(workload, log, kind, key);
                for (std::size_t at = 0; at < position && !stop.stop_requested(); at += piece)
                    history.update(std::min(piece, position - at));
                if (history.outages().empty() &&
                    std::ranges::all_of(history.curves(), [](const Curve& c) { return c.series.size() == 0; }))
                    return emptyChart(nothingOf(kind), meaning);
                Chart chart;
                chart.meaning = meaning;
                for (const bool shares : {true, false}) {
                    if (std::ranges::none_of(history.curves(), [&](const Curve& c) { return isShare(c) == shares; }))
                        continue;
                    Plot plot = plotOf(request, workload->cluster, end, history, shares, chart);
                    plot.row = chart.plots.size();
                    chart.plots.push_back(std::move(plot));
                }
                return chart;
            }};
}

template <class Items>
Computation numbered(const ViewRequest& request, Kind kind, const Items& items, Text meaning) {
    const auto number = static_cast<std::size_t>(options().read(request.options).number);
    if (number > items.size())
        return emptyChart({TRAINYARD_TEXT("There is no number {0}: the scenario has {1}."),
                           {std::to_string(number), std::to_string(items.size())}},
                          std::move(meaning));
    return drawn(request, kind, items[number - 1].key, std::move(meaning));
}

Computation ofMachine(const ViewRequest& request) {
    return numbered(
        request, Kind::machine, request.run.workload().cluster.machines,
        {TRAINYARD_TEXT("What placed tasks hold of the machine's resources, and how many of them compute."), {}});
}

Computation ofLink(const ViewRequest& request) {
    return numbered(request, Kind::link, request.run.workload().cluster.links,
                    {TRAINYARD_TEXT("The load of the link by its bandwidth, in both directions."), {}});
}

Computation ofJob(const ViewRequest& request) {
    return drawn(request, Kind::job, request.run.workload().job(request.job).key,
                 {TRAINYARD_TEXT("How many of the job's workers are on machines, compute, and wait for others."), {}});
}

} // namespace entity_views

View workersView() {
    return {.id = "workers",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("Workers of a job"), {}},
            .summary = {TRAINYARD_TEXT("How many workers of a job are placed, compute and wait, over time."), {}},
            .compute = entity_views::ofJob};
}

View machineView() {
    return {.id = "machine",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("A machine"), {}},
            .summary = {TRAINYARD_TEXT("What of a machine is held, and how many of its tasks compute, over time."), {}},
            .scope = View::Scope::run,
            .options = entity_views::options().schema,
            .compute = entity_views::ofMachine};
}

View linkView() {
    return {.id = "link",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("A link"), {}},
            .summary = {TRAINYARD_TEXT("The load of a link in both directions, over time."), {}},
            .scope = View::Scope::run,
            .options = entity_views::options().schema,
            .concerns = [](const RunIndex& run, JobId) { return run.busiestLink().size() > 0; },
            .compute = entity_views::ofLink};
}

} // namespace trainyard
