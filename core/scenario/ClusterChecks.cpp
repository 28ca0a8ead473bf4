// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/ScenarioChecks.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace trainyard {

namespace {

template <class T>
std::vector<std::string> keysOf(const std::vector<T>& items) {
    std::vector<std::string> keys;
    for (const auto& item : items) keys.push_back(item.key);
    return keys;
}

std::string elementPointer(const char* list, std::size_t index, const char* member) {
    return std::string("/cluster/") + list + "/" + std::to_string(index) + "/" + member;
}

/// Union-find with path halving.
std::size_t rootOf(std::vector<std::size_t>& parent, std::size_t at) {
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
}

} // namespace

void ScenarioChecks::checkCluster() {
    const Cluster& cluster = m_scenario.cluster;
    std::set<std::string> resources, devices, racks;
    for (std::size_t i = 0; i < cluster.resourceNames.size(); ++i)
        checkId(cluster.resourceNames[i], resources, TRAINYARD_TEXT("resource"),
                "/cluster/resources/" + std::to_string(i));
    for (std::size_t i = 0; i < cluster.devices.size(); ++i)
        checkId(cluster.devices[i].key, devices, TRAINYARD_TEXT("device"), elementPointer("devices", i, "id"));
    for (std::size_t i = 0; i < cluster.racks.size(); ++i)
        checkId(cluster.racks[i].key, racks, TRAINYARD_TEXT("rack"), elementPointer("racks", i, "id"));
    checkNodes();
    checkLinks();
    findIslands();
    findHeavyTails();
    for (std::size_t m = 0; m < cluster.machines.size(); ++m)
        if (cluster.machines[m].straggler.burst) m_bursts.push_back(m);
}

void ScenarioChecks::checkNodes() {
    const Cluster& cluster = m_scenario.cluster;
    const KnownIds devices(keysOf(cluster.devices)), racks(keysOf(cluster.racks));
    std::set<std::string> nodes;
    for (std::size_t i = 0; i < cluster.switches.size(); ++i) {
        const Switch& node = cluster.switches[i];
        checkId(node.key, nodes, TRAINYARD_TEXT("machine or switch"), elementPointer("switches", i, "id"));
        if (!node.rack.empty())
            checkReference(node.rack, racks, TRAINYARD_TEXT("rack"), elementPointer("switches", i, "rack"));
    }
    for (std::size_t i = 0; i < cluster.machines.size(); ++i) {
        const Machine& machine = cluster.machines[i];
        checkId(machine.key, nodes, TRAINYARD_TEXT("machine or switch"), elementPointer("machines", i, "id"));
        if (!machine.rack.empty())
            checkReference(machine.rack, racks, TRAINYARD_TEXT("rack"), elementPointer("machines", i, "rack"));
        if (!machine.device.empty())
            checkReference(machine.device, devices, TRAINYARD_TEXT("device"), elementPointer("machines", i, "device"));
    }
    if (!cluster.storage.empty() && !nodes.contains(cluster.storage))
        checkReference(cluster.storage, std::vector<std::string>(nodes.begin(), nodes.end()),
                       TRAINYARD_TEXT("machine or switch"), "/cluster/storage");
}

void ScenarioChecks::checkLinks() {
    const Cluster& cluster = m_scenario.cluster;
    auto keys = keysOf(cluster.machines);
    const auto switches = keysOf(cluster.switches);
    keys.insert(keys.end(), switches.begin(), switches.end());
    const KnownIds nodes(std::move(keys));
    std::set<std::string> links;
    for (std::size_t i = 0; i < cluster.links.size(); ++i) {
        const Link& link = cluster.links[i];
        checkId(link.key.empty() ? link.derivedKey() : link.key, links, TRAINYARD_TEXT("link"),
                elementPointer("links", i, "id"));
        if (!nodes.contains(link.from))
            checkReference(link.from, nodes, TRAINYARD_TEXT("machine or switch"), elementPointer("links", i, "from"));
        if (!nodes.contains(link.to))
            checkReference(link.to, nodes, TRAINYARD_TEXT("machine or switch"), elementPointer("links", i, "to"));
        else if (link.from == link.to)
            report("self-link", {TRAINYARD_TEXT("a link must join two different nodes"), {}},
                   elementPointer("links", i, "to"));
    }
}

void ScenarioChecks::findIslands() {
    const Cluster& cluster = m_scenario.cluster;
    std::unordered_map<std::string, std::size_t> index;
    for (const auto& machine : cluster.machines) index.emplace(machine.key, index.size());
    for (const auto& node : cluster.switches) index.emplace(node.key, index.size());
    std::vector<std::size_t> parent(index.size());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    for (const auto& link : cluster.links) {
        const auto from = index.find(link.from), to = index.find(link.to);
        if (from != index.end() && to != index.end()) parent[rootOf(parent, from->second)] = rootOf(parent, to->second);
    }
    m_island.clear();
    for (const auto& machine : cluster.machines) m_island.push_back(rootOf(parent, index.at(machine.key)));
    m_isConnected = std::ranges::all_of(m_island, [&](std::size_t root) { return root == m_island.front(); });
    const auto storage = index.find(cluster.storage);
    if (storage == index.end()) return;
    for (std::size_t i = 0; i < cluster.machines.size(); ++i)
        if (m_island[i] != rootOf(parent, storage->second)) {
            report("unreachable",
                   {TRAINYARD_TEXT("no links lead from machine \"{0}\" to the storage \"{1}\""),
                    {cluster.machines[i].key, cluster.storage}},
                   "/cluster/storage");
            return;
        }
}

void ScenarioChecks::checkFaults() {
    const KnownIds machines(keysOf(m_scenario.cluster.machines)), links(keysOf(m_scenario.cluster.links));
    for (std::size_t i = 0; i < m_scenario.faults.size(); ++i) {
        const Fault& fault = m_scenario.faults[i];
        const bool onLink = fault.target == Fault::Target::link;
        const std::string pointer = "/faults/" + std::to_string(i);
        if (!fault.key.empty())
            checkReference(fault.key, onLink ? links : machines,
                           onLink ? TRAINYARD_TEXT("link") : TRAINYARD_TEXT("machine"),
                           pointer + (onLink ? "/link" : "/machine"));
        else if (!fault.meanSecondsBetween)
            report("missing-key",
                   {TRAINYARD_TEXT("faults of \"*\" need \"mean_between_s\"; a single fault names one machine or "
                                   "link by its id"),
                    {}},
                   pointer);
        if (fault.meanSecondsBetween && fault.atSeconds > 0)
            report(
                "one-of",
                {TRAINYARD_TEXT("a fault is either single (\"at_s\") or repeated (\"mean_between_s\"), not both"), {}},
                pointer + "/at_s");
        if (fault.atSeconds > m_scenario.horizonSeconds)
            report("after-horizon", {TRAINYARD_TEXT("this fault comes after the horizon and never happens"), {}},
                   pointer + "/at_s", Severity::warning);
    }
}

} // namespace trainyard
