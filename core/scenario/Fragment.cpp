// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/Fragment.h"

#include "scenario/References.h"
#include "scenario/ScenarioTree.h"

#include <algorithm>
#include <cctype>

namespace trainyard {

namespace {

constexpr const char* fragmentFormat = "trainyard-fragment";

template <class Items>
std::set<std::string> keysIn(const Items& items) {
    std::set<std::string> keys;
    for (const auto& item : items) keys.insert(item.key);
    return keys;
}

/// Resource names of the piece become those of the scenario, which gets what it lacks.
void matchResources(Scenario& scenario, Scenario& piece) {
    std::vector<std::string> names = scenario.cluster.resourceNames;
    for (const auto& name : piece.cluster.resourceNames)
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    renameResources(scenario, names);
    // Renaming takes the place of a name that is gone for another name of the same: here nothing is gone.
    std::vector<std::string> both = piece.cluster.resourceNames;
    for (const auto& name : names)
        if (std::find(both.begin(), both.end(), name) == both.end()) both.push_back(name);
    renameResources(piece, both);
    renameResources(piece, names);
}

void renameApart(const Scenario& scenario, Scenario& piece) {
    std::set<std::string> taken = nodeKeysOf(scenario.cluster);
    const std::set<std::string> own = nodeKeysOf(piece.cluster);
    const auto renamed = [&](std::string& key, auto rename) {
        std::set<std::string> used = taken;
        used.insert(own.begin(), own.end());
        const std::string free = taken.contains(key) ? freeKey(key, used) : key;
        rename(piece, key, free);
        key = free;
        taken.insert(free);
    };
    for (Machine& machine : piece.cluster.machines) renamed(machine.key, renameNode);
    for (Switch& node : piece.cluster.switches) renamed(node.key, renameNode);
    std::set<std::string> racks = keysIn(scenario.cluster.racks);
    for (Rack& rack : piece.cluster.racks) {
        std::set<std::string> used = racks;
        for (const Rack& other : piece.cluster.racks) used.insert(other.key);
        const std::string free = racks.contains(rack.key) ? freeKey(rack.key, used) : rack.key;
        renameRack(piece, rack.key, free);
        rack.key = free;
        racks.insert(free);
    }
    std::set<std::string> links = keysIn(scenario.cluster.links);
    for (Link& link : piece.cluster.links) {
        if (link.key.empty()) link.key = link.derivedKey();
        if (links.contains(link.key)) link.key = freeKey(link.derivedKey(), links);
        links.insert(link.key);
    }
    std::set<std::string> jobs = keysIn(scenario.jobs);
    for (Job& job : piece.jobs) {
        if (jobs.contains(job.key)) job.key = freeKey(job.key, jobs);
        jobs.insert(job.key);
    }
}

template <class Items>
void append(Items& to, Items& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

} // namespace

std::string freeKey(const std::string& wanted, const std::set<std::string>& taken) {
    if (!wanted.empty() && !taken.contains(wanted)) return wanted;
    std::string stem = wanted;
    while (!stem.empty() && std::isdigit(static_cast<unsigned char>(stem.back()))) stem.pop_back();
    if (stem == wanted && !stem.empty()) stem += '-';
    for (std::size_t n = 1;; ++n)
        if (std::string key = stem + std::to_string(n); !taken.contains(key)) return key;
}

std::set<std::string> nodeKeysOf(const Cluster& cluster) {
    std::set<std::string> keys = keysIn(cluster.machines);
    for (const auto& node : cluster.switches) keys.insert(node.key);
    return keys;
}

Scenario excerptOf(const Scenario& s, const std::set<std::string>& keys, const std::set<std::size_t>& jobs) {
    Scenario piece;
    piece.cluster.resourceNames = s.cluster.resourceNames;
    std::set<std::string> racks, nodes, devices;
    for (const Rack& rack : s.cluster.racks)
        if (keys.contains(rack.key)) {
            racks.insert(rack.key);
            piece.cluster.racks.push_back(rack);
        }
    const auto taken = [&](const auto& node) { return keys.contains(node.key) || racks.contains(node.rack); };
    const auto keep = [&](auto& list, auto node) {
        nodes.insert(node.key);
        if (!racks.contains(node.rack)) node.rack.clear();
        list.push_back(std::move(node));
    };
    for (const Machine& machine : s.cluster.machines)
        if (taken(machine)) {
            devices.insert(machine.device);
            keep(piece.cluster.machines, machine);
        }
    for (const Switch& node : s.cluster.switches)
        if (taken(node)) keep(piece.cluster.switches, node);
    for (const Link& link : s.cluster.links)
        if (nodes.contains(link.from) && nodes.contains(link.to)) piece.cluster.links.push_back(link);
    for (const DeviceType& device : s.cluster.devices)
        if (devices.contains(device.key)) piece.cluster.devices.push_back(device);
    for (const std::size_t job : jobs)
        if (job < s.jobs.size()) piece.jobs.push_back(s.jobs[job]);
    return piece;
}

std::string writeFragment(const Scenario& excerpt) {
    JsonNode root = scenarioTree(excerpt);
    root.set("format", JsonNode::string(fragmentFormat));
    root.erase("policies");
    return formatJson(root);
}

Result<Scenario> readFragment(std::string_view text) {
    ParsedJson parsed = parseJson(text);
    if (!parsed.root || hasErrors(parsed.problems)) return std::move(parsed.problems);
    const JsonNode* format = parsed.root->find("format");
    if (!format || (format->text != fragmentFormat && format->text != "trainyard-scenario"))
        return Problem{.code = "unknown-format",
                       .message = {TRAINYARD_TEXT("this is not a part of a scenario: \"format\" must be \"{0}\""),
                                   {fragmentFormat}},
                       .pointer = format ? "/format" : "",
                       .line = 1};
    Problems problems = std::move(parsed.problems);
    Scenario piece = scenarioOf(*parsed.root, problems);
    if (hasErrors(problems)) return problems;
    return {std::move(piece), std::move(problems)};
}

Inserted insertFragment(Scenario& s, Scenario piece, Position offset) {
    matchResources(s, piece);
    renameApart(s, piece);
    Inserted inserted;
    const auto place = [&](auto& node) {
        if (node.position) node.position = Position{node.position->x + offset.x, node.position->y + offset.y};
        inserted.keys.insert(node.key);
    };
    for (Machine& machine : piece.cluster.machines) place(machine);
    for (Switch& node : piece.cluster.switches) place(node);
    for (const Rack& rack : piece.cluster.racks) inserted.keys.insert(rack.key);
    const auto known = keysIn(s.cluster.devices);
    std::erase_if(piece.cluster.devices, [&](const DeviceType& device) { return known.contains(device.key); });
    for (std::size_t i = 0; i < piece.jobs.size(); ++i) inserted.jobs.push_back(s.jobs.size() + i);
    append(s.cluster.devices, piece.cluster.devices);
    append(s.cluster.racks, piece.cluster.racks);
    append(s.cluster.switches, piece.cluster.switches);
    append(s.cluster.machines, piece.cluster.machines);
    append(s.cluster.links, piece.cluster.links);
    append(s.jobs, piece.jobs);
    return inserted;
}

} // namespace trainyard
