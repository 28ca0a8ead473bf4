// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The look-ahead of a graph job that was admitted at once: one step of it, which server works on which operation when, beside the time that the
// deadline leaves for a step.
#include "analysis/AdmissionCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <bit>

namespace trainyard {

namespace step_timeline_view {

constexpr std::size_t mostSpans = 20'000;

/// Spans of one operation that follow each other on a server, or of many where there are too many, in one.
void addSpans(Series& series, const std::vector<PartTime>& parts, const std::vector<std::uint8_t>& servers,
              const ComputationGraph& graph) {
    for (const PartTime& part : parts) {
        if (!(part.end > part.begin) || series.spans.size() >= mostSpans) continue;
        const auto row = std::ranges::find(servers, part.server) - servers.begin();
        const bool backward = part.operation >= graph.operations.size();
        const Operation& op = graph.operations[part.operation % graph.operations.size()];
        series.spans.push_back({.from = part.begin,
                                .to = part.end,
                                .row = static_cast<std::uint32_t>(row),
                                .role = backward ? Role::hue(1) : Role::accent()});
        series.labels.push_back({op.name, {}});
        series.notes.push_back(
            {backward ? TRAINYARD_TEXT("{0}, backward, part {1}") : TRAINYARD_TEXT("{0}, forward, part {1}"),
             {op.name, std::to_string(part.part + 1)}});
    }
}

struct Placed {
    GraphPlacement parts;
    ServerMask servers = 0;
};

/// Where the parts of each operation went; nothing: there is no place for them.
std::optional<Placed> placed(const ComputationGraph& graph, const SplitGraph& split, const ServerBlocks& blocks,
                             ServerMask occupied) {
    if (memoryNeverBinds(split, blocks.network().memoryBytes)) {
        const auto choice = firstFit(split.sizes(), blocks, occupied);
        return choice ? std::optional(Placed{placementOf(split, blocks, *choice), choice->servers}) : std::nullopt;
    }
    const auto chosen = firstFitInMemory(graph, split, blocks, occupied);
    if (!chosen) return std::nullopt;
    Placed out;
    for (std::size_t v = 0; v < chosen->size(); ++v) {
        const ServerBlock& block = blocks.blocks(split.parts(v))[(*chosen)[v]];
        out.parts.emplace_back(block.servers);
        out.servers |= block.mask;
    }
    return out;
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "One step of the job as the look-ahead has it: each server works on one part of an operation at a time, and waits for "
            "messages in between. The dashed line, where it is near, is what the deadline leaves for a step; all steps are alike."),
        {}};
    const auto& course = request.run.foldSoFar<AdmissionCourse>();
    const auto* arrival = course.arrivalOf(request.job, request.at);
    if (!arrival)
        return emptyChart({TRAINYARD_TEXT("No job that is admitted at once has arrived by now."), {}},
                          std::move(meaning));
    const std::string name = request.run.jobName(arrival->job);
    if (arrival->degree == 0)
        return emptyChart({TRAINYARD_TEXT("{0} was blocked: it has no servers."), {name}}, std::move(meaning));
    const Workload& workload = request.run.workload();
    const auto& work = std::get<GraphWork>(workload.job(arrival->job).work);
    const GraphSetting setting = GraphSetting::of(*workload.cluster.ramp);
    const auto split = SplitGraph::make(work.computation(), arrival->degree, setting);
    const ServerBlocks blocks(*workload.cluster.ramp);
    if (!split) return emptyChart({split.problems().front().message}, std::move(meaning));
    const auto choice = placed(work.computation(), *split, blocks, arrival->priced.occupied);
    if (!choice) return emptyChart({TRAINYARD_TEXT("{0} has no servers."), {name}}, std::move(meaning));
    std::vector<PartTime> parts;
    const StepTimes times = lookAhead(*split, choice->parts, blocks.network(), setting, &parts);
    Chart chart;
    chart.title = {name, {}};
    Plot& plot = chart.plot();
    std::vector<std::uint8_t> servers;
    plot.y = {.kind = Axis::Kind::categories, .title = {TRAINYARD_TEXT("server"), {}}, .key = "server"};
    for (ServerMask left = choice->servers; left != 0; left &= left - 1) {
        const int s = std::countr_zero(left);
        servers.push_back(static_cast<std::uint8_t>(s));
        const MachineId machine(static_cast<std::size_t>(s));
        plot.y.categories.push_back({{request.run.machineName(machine), {}}, {.machine = machine}});
    }
    const double allowed = arrival->priced.deadlineSeconds / work.steps;
    plot.x = {.title = {TRAINYARD_TEXT("time in the step"), {}}, .unit = "s", .key = "time_s"};
    constexpr double most = 3; // a deadline farther off would leave no room for the step
    rangeFromZero(plot.x, allowed > most * times.seconds ? times.seconds : std::max(times.seconds, allowed));
    Series series{.kind = Series::Kind::spans, .key = "parts", .label = {TRAINYARD_TEXT("parts of operations"), {}}};
    addSpans(series, parts, servers, work.computation());
    plot.series = {std::move(series)};
    plot.lines = {
        {.value = times.seconds, .role = Role::muted(), .label = {TRAINYARD_TEXT("step ends"), {}}},
        {.value = allowed, .role = Role::warning(), .dash = Dash::dashed, .label = {TRAINYARD_TEXT("deadline"), {}}}};
    chart.legend = {
        legendBox({TRAINYARD_TEXT("forward"), {}}, {}, Role::accent()),
        legendBox({TRAINYARD_TEXT("backward"), {}}, {}, Role::hue(1)),
        legendItem({TRAINYARD_TEXT("step"), {}}, Quantity{times.seconds, "s"}),
        legendItem({TRAINYARD_TEXT("messages under way"), {}}, Quantity{times.communicationSeconds, "s"}),
        legendLine({TRAINYARD_TEXT("deadline"), {}}, Quantity{allowed, "s"}, Role::warning(), Dash::dashed)};
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace step_timeline_view

View stepTimelineView() {
    return {.id = "step-timeline",
            .group = graphsGroup(),
            .title = {TRAINYARD_TEXT("A step ahead"), {}},
            .summary = {TRAINYARD_TEXT(
                            "Which server works on which operation when in a step of a graph job, and its deadline."),
                        {}},
            .scope = View::Scope::run,
            .concerns = [](const RunIndex& run, JobId) { return hasAdmissions(run.workload()); },
            .compute = step_timeline_view::compute};
}

} // namespace trainyard
