// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The optical network as a grid at an instant: which job holds which server.
#include "analysis/views/ViewParts.h"
#include "model/OpticalNetwork.h"

#include <algorithm>

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

bool isDown(const MachineHistory& machine, SimTime at) {
    return std::ranges::any_of(machine.outages, [&](const Outage& o) { return o.start <= at && at < o.end; });
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "The servers of the optical network at the instant: groups from left to right, racks from top to bottom, the servers "
            "of a rack side by side, each in the colour of the job that holds it. Free ones are pale. A job gets one of "
            "few shapes of servers, so that free ones in the wrong places are of no use to it."),
        {}};
    const auto& ramp = request.run.workload().cluster.ramp;
    if (!ramp) {
        Diagram empty;
        empty.empty = {TRAINYARD_TEXT("The cluster has no optical network (\"ramp\")."), {}};
        empty.meaning = std::move(meaning);
        return empty;
    }
    Diagram diagram;
    std::size_t held = 0, down = 0;
    const double rackWidth = ramp->servers + 0.4;
    for (int c = 0; c < ramp->groups; ++c)
        for (int r = 0; r < ramp->racks; ++r)
            for (int s = 0; s < ramp->servers; ++s) {
                const MachineId machine(static_cast<std::size_t>(serverAt(*ramp, {c, r, s})));
                const MachineHistory& history = request.run.machines()[machine.index()];
                const JobId job = holderOf(history, request.at);
                Node& node = diagram.nodes.emplace_back();
                node.id = request.run.machineName(machine);
                node.x = c * (rackWidth + 0.4) + s;
                node.y = r * 1.3;
                node.width = 0.94;
                node.height = 0.94;
                node.shape = Node::Shape::box;
                node.ref.machine = machine;
                node.note = {node.id, {}};
                if (job.valid()) {
                    ++held;
                    node.role = Role::of(job);
                    node.label = {request.run.jobName(job), {}};
                    node.ref.job = job;
                } else if (isDown(history, request.at)) {
                    ++down;
                    node.role = Role::warning();
                    node.label = {TRAINYARD_TEXT("down"), {}};
                } else {
                    node.ghost = true;
                }
            }
    diagram.legend = {
        legendBox({TRAINYARD_TEXT("held by a job"), {}}, count(held), Role::accent()),
        legendBox({TRAINYARD_TEXT("free"), {}}, count(diagram.nodes.size() - held - down), Role::muted(2))};
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
