// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Agents that ship are for optical networks of one shape: clusters of drawn scenarios grow to it where a policy names one.
#include "learning/DataSet.h"
#include "scenario/agents/PolicyFileReading.h"

#include <algorithm>

namespace trainyard::test {

/// More machines like the first, until the network can have its usual shape.
inline void growToUsualShape(Cluster& cluster) {
    const OpticalNetwork usual;
    const std::vector<Link> links = cluster.links;
    while (cluster.machines.size() < static_cast<std::size_t>(usual.serverCount())) {
        Machine machine = cluster.machines.front();
        machine.key = "more-" + std::to_string(cluster.machines.size());
        for (Link link : links) {
            if (link.from != cluster.machines.front().key && link.to != cluster.machines.front().key) continue;
            (link.from == cluster.machines.front().key ? link.from : link.to) = machine.key;
            link.key = machine.key + "-" + link.key;
            cluster.links.push_back(std::move(link));
        }
        cluster.machines.push_back(std::move(machine));
    }
    for (int m = 0; m < usual.serverCount(); ++m) {
        Machine& machine = cluster.machines[static_cast<std::size_t>(m)];
        machine.capacity = cluster.machines.front().capacity;
        machine.device = cluster.machines.front().device;
        machine.straggler = {};
    }
    cluster.ramp->groups = usual.groups;
    cluster.ramp->racks = usual.racks;
    cluster.ramp->servers = usual.servers;
}

/// Nothing where all files suit.
inline void suitAgents(Scenario& scenario, const Registry& registry) {
    const auto files = readPolicyFiles(scenario, registry, ResourcePaths::find({}));
    if (!files && scenario.cluster.ramp &&
        std::ranges::any_of(files.problems(), [](const Problem& p) { return p.code == "unsuited-file"; }))
        growToUsualShape(scenario.cluster);
}

} // namespace trainyard::test
