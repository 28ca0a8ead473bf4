// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One machine, one link, or the workers of one job over time.
#include "analysis/EntityHistory.h"
#include "analysis/views/ViewParts.h"
#include "base/Format.h"
#include "model/ResourceLabel.h"

#include <algorithm>

namespace trainyard {

namespace entity_views {

using Kind = EntityHistory::Kind;
using Curve = EntityHistory::Curve;
using What = Curve::What;

/// Empty: the first of the scenario.
struct Options {
    std::string key;
};

BoundSchema<Options> options(const char* key, const char* label, const char* help) {
    return bindSchema<Options>(word(&Options::key, key, label, help));
}

const BoundSchema<Options>& machineOptions() {
    static const auto schema =
        options("machine", "Machine", "Which one, by the name that it has in the file; empty: the first.");
    return schema;
}

const BoundSchema<Options>& linkOptions() {
    static const auto schema =
        options("link", "Link", "Which one, by the name that it has in the file; empty: the first.");
    return schema;
}

Text labelOf(const Curve& curve, const Cluster& cluster, std::uint32_t index) {
    switch (curve.what) {
    case What::resource:
        return curve.index < cluster.resourceNames.size()
                   ? nameText(resourceLabel(cluster.resourceNames[curve.index]))
                   : Text{TRAINYARD_TEXT("resource {0}"), {std::to_string(curve.index + 1)}};
    case What::busyTasks: return {TRAINYARD_TEXT("computing tasks"), {}};
    case What::load: {
        const Link& link = cluster.links[index];
        return {TRAINYARD_TEXT("to {0}"), {nameOfEnd(cluster, curve.index == 0 ? link.to : link.from)}};
    }
    case What::placed: return {TRAINYARD_TEXT("placed workers"), {}};
    case What::computing: return {TRAINYARD_TEXT("computing workers"), {}};
    case What::waiting: return {TRAINYARD_TEXT("workers that wait for others"), {}};
    }
    return {};
}

Role roleOf(const Curve& curve) {
    switch (curve.what) {
    case What::resource: return resourceRole(curve.index);
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

/// A share with what it is of: "3 of 4 (75 %)", "90 MB/s (72 %)", "0 B/s (0 %)".
Text amountText(const Quantity& share, const Curve& curve) {
    const double amount = share.value * curve.full / 100;
    const std::string percent = quantityText(share);
    if (curve.what == What::load)
        return {amount < 999.5 ? TRAINYARD_TEXT("{0} B/s ({1})") : TRAINYARD_TEXT("{0}B/s ({1})"),
                {shortCount(amount), percent}};
    return {TRAINYARD_TEXT("{0} of {1} ({2})"), {formatNumber(amount, 3), formatNumber(curve.full, 3), percent}};
}

ElementRef refOf(Kind kind, std::size_t index) {
    switch (kind) {
    case Kind::machine: return {.machine = MachineId(index)};
    case Kind::link: return {.link = LinkId(index)};
    case Kind::job: break;
    }
    return {.job = JobId(index)};
}

Plot plotOf(const ViewRequest& request, Kind kind, double end, const EntityHistory& history, bool shares,
            Chart& chart) {
    const Cluster& cluster = request.run.workload().cluster;
    Plot plot{.x = timeAxis(end)};
    double most = 1;
    for (const Curve& curve : history.curves()) {
        if (isShare(curve) != shares) continue;
        const double scale = shares ? 100 / std::max(curve.full, 1e-300) : 1;
        const Text label = labelOf(curve, cluster, history.index());
        const Dash dash = curve.what == What::waiting ? Dash::dashed : Dash::solid;
        LegendItem item =
            legendLine(label, valueNow(request, curve.series, shares ? "%" : "count", scale), roleOf(curve), dash);
        item.ref = refOf(kind, history.index());
        if (shares) item.text = amountText(*item.value, curve);
        chart.legend.push_back(item);
        plot.series.push_back(
            stepCurve(request, curve.series, end, label.english(), label, roleOf(curve), dash, scale));
        plot.series.back().refs = {item.ref};
        most = std::max(most, curve.full);
    }
    if (shares)
        plot.y = {.title = {TRAINYARD_TEXT("capacity"), {}}, .unit = "%", .key = "share_percent", .from = 0, .to = 100};
    else
        plot.y = {.title = {TRAINYARD_TEXT("tasks"), {}}, .key = "tasks", .whole = true};
    if (!shares) rangeFromZero(plot.y, most);
    if (kind == Kind::link) { // a load that would not rise from the ground
        constexpr double low = 5;
        double highest = 0;
        for (const Series& series : plot.series)
            for (const double y : series.y) highest = std::max(highest, y);
        if (highest > 0 && highest < low) rangeFromZero(plot.y, highest);
    }
    for (const Outage& outage : history.outages())
        plot.series.push_back({.kind = Series::Kind::band,
                               .key = "down " + std::to_string(plot.series.size()),
                               .label = {TRAINYARD_TEXT("down"), {}},
                               .role = Role::of(Activity::failed),
                               .x = {outage.start.toSeconds(), std::min(outage.end.toSeconds(), end)},
                               .y = {*plot.y.to, *plot.y.to},
                               .base = {0, 0},
                               .notes = std::vector<Text>(2, {TRAINYARD_TEXT("down"), {}})});
    return plot;
}

Computation drawn(const ViewRequest& request, Kind kind, const std::string& key, const std::string& name,
                  Text meaning) {
    if (request.run.source().log->size() == 0)
        return emptyChart({TRAINYARD_TEXT("Nothing has run yet. Press play."), {}}, std::move(meaning));
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    const auto& history = request.run.foldSoFar<EntityHistory>(kind, key);
    if (history.outages().empty() &&
        std::ranges::all_of(history.curves(), [](const Curve& c) { return c.series.size() == 0; }))
        return emptyChart(nothingOf(kind), std::move(meaning));
    Chart chart;
    chart.title = nameText(name);
    chart.meaning = std::move(meaning);
    for (const bool shares : {true, false}) {
        if (std::ranges::none_of(history.curves(), [&](const Curve& c) { return isShare(c) == shares; })) continue;
        Plot plot = plotOf(request, kind, end, history, shares, chart);
        plot.row = chart.plots.size();
        chart.plots.push_back(std::move(plot));
    }
    return chart;
}

Computation ofMachine(const ViewRequest& request) {
    Text meaning{
        hasGradients(request.run, {})
            ? TRAINYARD_TEXT("What placed tasks hold of the machine's resources, and how many of them compute.")
            : TRAINYARD_TEXT("What placed tasks hold of the machine's resources."),
        {}};
    const std::string key = machineOptions().read(request.options).key;
    for (const Machine& machine : request.run.workload().cluster.machines)
        if (key.empty() || machine.key == key)
            return drawn(request, Kind::machine, machine.key, machine.name.empty() ? machine.key : machine.name,
                         std::move(meaning));
    return emptyChart({TRAINYARD_TEXT("There is no machine \"{0}\" in this run."), {key}}, std::move(meaning));
}

Computation ofLink(const ViewRequest& request) {
    Text meaning{TRAINYARD_TEXT("The load of the link by its bandwidth, in both directions."), {}};
    const std::string key = linkOptions().read(request.options).key;
    for (const Link& link : request.run.workload().cluster.links)
        if (key.empty() || link.key == key)
            return drawn(request, Kind::link, link.key, linkTitle(request.run.workload().cluster, link),
                         std::move(meaning));
    return emptyChart({TRAINYARD_TEXT("There is no link \"{0}\" in this run."), {key}}, std::move(meaning));
}

Computation ofJob(const ViewRequest& request) {
    return drawn(request, Kind::job, request.run.workload().job(request.job).key, request.run.jobName(request.job),
                 {hasGradients(request.run, request.job)
                      ? TRAINYARD_TEXT("How many of the job's workers are on machines, compute, and wait for others.")
                      : TRAINYARD_TEXT("How many of the job's workers are on machines."),
                  {}});
}

} // namespace entity_views

View workersView() {
    return {.id = "workers",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("Workers of a job"), {}},
            .summary = {TRAINYARD_TEXT("How many workers of a job are placed, compute and wait, over time."), {}},
            .name =
                [](const ParamValues&) {
                    return Text{TRAINYARD_TEXT("Workers"), {}};
                },
            .hasMeans = true,
            .compute = entity_views::ofJob};
}

View machineView() {
    return {.id = "machine",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("A machine"), {}},
            .summary = {TRAINYARD_TEXT("What of a machine is held, and how many of its tasks compute, over time."), {}},
            .scope = View::Scope::run,
            .options = entity_views::machineOptions().schema,
            .name = [](const ParamValues& given) { return nameText(entity_views::machineOptions().read(given).key); },
            .hasMeans = true,
            .compute = entity_views::ofMachine};
}

View linkView() {
    return {.id = "link",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("A link"), {}},
            .summary = {TRAINYARD_TEXT("The load of a link in both directions, over time."), {}},
            .scope = View::Scope::run,
            .options = entity_views::linkOptions().schema,
            .name = [](const ParamValues& given) { return nameText(entity_views::linkOptions().read(given).key); },
            .concerns = [](const RunIndex& run, JobId) { return run.busiestLink().size() > 0; },
            .hasMeans = true,
            .compute = entity_views::ofLink};
}

} // namespace trainyard
