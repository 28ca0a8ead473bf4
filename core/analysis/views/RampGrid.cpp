// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The optical network as a grid at an instant: which job holds which server.
#include "analysis/Outages.h"
#include "analysis/views/ViewParts.h"
#include "model/OpticalNetwork.h"

#include <algorithm>
#include <map>

namespace trainyard {

namespace ramp_grid_view {

/// Who has a task on the machine at the instant; invalid: nobody.
JobId holderOf(const MachineHistory& machine, SimTime at) {
    for (const SlotHistory& slot : machine.slotLanes) {
        const std::size_t i = slot.firstEndingAfter(at);
        if (i < slot.stays.size() && slot.stays[i].start <= at) {
            JobId job;
            job.value = slot.stays[i].job;
            return job;
        }
    }
    return {};
}

/// That of its first server's rack on the canvas, if it has one.
Text rackName(const Cluster& cluster, const OpticalNetwork& ramp, int group, int rack) {
    const std::string& key = cluster.machines[static_cast<std::size_t>(serverAt(ramp, {group, rack, 0}))].rack;
    const auto of = std::ranges::find(cluster.racks, key, &Rack::key);
    if (of == cluster.racks.end()) return {TRAINYARD_TEXT("rack {0}"), {std::to_string(rack + 1)}};
    return nameText(of->name.empty() ? of->key : of->name);
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "The servers of the optical network at the instant, as they lie on the canvas: a row for each group, its racks from left "
            "to right, each server in the colour of the job that holds it; the legend counts servers. Free ones have dashed outlines. A job "
            "gets one of few shapes of servers, so that free ones in the wrong places are of no use to it."),
        {}};
    const auto& ramp = request.run.workload().cluster.ramp;
    if (!ramp) {
        Diagram empty;
        empty.empty = {TRAINYARD_TEXT("The cluster has no optical network (\"ramp\")."), {}};
        empty.meaning = std::move(meaning);
        return empty;
    }
    Diagram diagram;
    constexpr double wide = 3.2, high = 0.8, title = 0.75; // of a cell, and of a rack's name over its cells
    const double rackWidth = ramp->servers * wide + 0.4;
    std::map<std::uint32_t, std::size_t> held; // servers by job
    std::size_t down = 0, free = 0;
    const Cluster& cluster = request.run.workload().cluster;
    for (int c = 0; c < ramp->groups; ++c) {
        const double top = c * (high + title + 0.35);
        diagram.nodes.push_back({.id = "group-" + std::to_string(c + 1),
                                 .x = -wide / 2 - 0.3,
                                 .y = top,
                                 .depth = 1,
                                 .width = wide,
                                 .height = high,
                                 .shape = Node::Shape::block,
                                 .label = {TRAINYARD_TEXT("Group {0}"), {std::to_string(c + 1)}},
                                 .role = Role::muted(3)});
        for (int r = 0; r < ramp->racks; ++r) {
            const double left = 0.2 + r * (rackWidth + 0.3);
            diagram.nodes.push_back({.id = "rack-" + std::to_string(c * ramp->racks + r + 1),
                                     .x = left + (rackWidth - 0.4) / 2,
                                     .y = top - title / 2,
                                     .depth = 1,
                                     .width = rackWidth,
                                     .height = high + title + 0.15,
                                     .shape = Node::Shape::block,
                                     .label = rackName(cluster, *ramp, c, r),
                                     .role = Role::muted(2)});
            for (int s = 0; s < ramp->servers; ++s) {
                const MachineId machine(static_cast<std::size_t>(serverAt(*ramp, {c, r, s})));
                const MachineHistory& history = request.run.machines()[machine.index()];
                const JobId job = holderOf(history, request.at);
                const std::string name = request.run.machineName(machine);
                Node& node = diagram.nodes.emplace_back();
                node.id = name;
                node.x = left + wide * (s + 0.5);
                node.y = top;
                node.width = wide - 0.1;
                node.height = high;
                node.shape = Node::Shape::box;
                node.ref.machine = machine;
                node.label = node.note = nameText(name);
                if (job.valid()) {
                    ++held[job.value];
                    node.role = roleOf(request, job);
                    node.note = {"{0}: {1}", {name, request.run.jobName(job)}}; // has no room in the cell
                    node.ref.job = job;
                } else if (isDownAt(history, request.at)) {
                    ++down;
                    node.role = Role::warning();
                    node.label = node.note = {TRAINYARD_TEXT("{0}: down"), {name}};
                } else {
                    ++free;
                    node.ghost = true;
                }
            }
        }
    }
    constexpr std::size_t mostNamed = 16;
    std::size_t named = 0, others = 0;
    for (const auto& [number, servers] : held) {
        JobId job;
        job.value = number;
        if (named++ < mostNamed) {
            diagram.legend.push_back(
                legendBox(nameText(request.run.jobName(job)), count(servers), roleOf(request, job)));
            diagram.legend.back().ref.job = job;
        } else {
            others += servers;
        }
    }
    if (others > 0) diagram.legend.push_back(legendItem({TRAINYARD_TEXT("other jobs"), {}}, count(others)));
    diagram.legend.push_back(legendBox({TRAINYARD_TEXT("free"), {}}, count(free), Role::muted(2)));
    if (down > 0) diagram.legend.push_back(legendBox({TRAINYARD_TEXT("down"), {}}, count(down), Role::warning()));
    diagram.meaning = std::move(meaning);
    return diagram;
}

} // namespace ramp_grid_view

View rampGridView() {
    return {.id = "ramp-grid",
            .group = graphsGroup(),
            .title = {TRAINYARD_TEXT("Servers of the optical network"), {}},
            .summary = {TRAINYARD_TEXT("Which job holds which server, by group and rack, at an instant."), {}},
            .scope = View::Scope::run,
            .concerns = [](const RunIndex& run, JobId) { return run.workload().cluster.ramp.has_value(); },
            .compute = ramp_grid_view::compute};
}

} // namespace trainyard
