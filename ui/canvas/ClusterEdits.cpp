// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/ClusterEdits.h"

#include "model/Topologies.h"
#include "scenario/Fragment.h"
#include "scenario/References.h"

#include <algorithm>
#include <map>

namespace trainyard {

namespace cluster_edits {

template <class F>
void forEachNode(Cluster& cluster, F&& f) {
    for (Machine& machine : cluster.machines) f(machine);
    for (Switch& node : cluster.switches) f(node);
}

template <class F>
void forEachNode(const Cluster& cluster, F&& f) {
    for (const Machine& machine : cluster.machines) f(machine);
    for (const Switch& node : cluster.switches) f(node);
}

KeySet racksInUse(const Cluster& cluster) {
    KeySet used;
    forEachNode(cluster, [&](const auto& node) { used.insert(node.rack); });
    return used;
}

/// An empty rack has no frame and could not be removed on the canvas any more.
void dropRacksLeftEmpty(Scenario& s, const KeySet& usedBefore) {
    const KeySet used = racksInUse(s.cluster);
    KeySet empty;
    for (const Rack& rack : s.cluster.racks)
        if (usedBefore.contains(rack.key) && !used.contains(rack.key)) empty.insert(rack.key);
    std::erase_if(s.cluster.racks, [&](const Rack& rack) { return empty.contains(rack.key); });
}

KeySet rackKeys(const Cluster& cluster) {
    KeySet keys;
    for (const Rack& rack : cluster.racks) keys.insert(rack.key);
    return keys;
}

} // namespace cluster_edits

KeySet withMembers(const Cluster& cluster, const KeySet& keys) {
    KeySet all = keys;
    const KeySet racks = cluster_edits::rackKeys(cluster);
    cluster_edits::forEachNode(cluster, [&](const auto& node) {
        if (racks.contains(node.rack) && keys.contains(node.rack)) all.insert(node.key);
    });
    return all;
}

KeySet nodesOf(const Cluster& cluster, const KeySet& keys) {
    const KeySet wanted = withMembers(cluster, keys);
    KeySet nodes;
    cluster_edits::forEachNode(cluster, [&](const auto& node) {
        if (wanted.contains(node.key)) nodes.insert(node.key);
    });
    return nodes;
}

KeySet withWholeRacks(const Cluster& cluster, const KeySet& keys) {
    std::map<std::string, std::pair<std::size_t, std::size_t>> membersAndTaken;
    cluster_edits::forEachNode(cluster, [&](const auto& node) {
        auto& [members, taken] = membersAndTaken[node.rack];
        ++members;
        taken += keys.contains(node.key);
    });
    KeySet all = keys;
    for (const Rack& rack : cluster.racks) {
        const auto [members, taken] = membersAndTaken[rack.key];
        if (members > 0 && members == taken && (members > 1 || keys.size() > 1)) all.insert(rack.key);
    }
    return all;
}

void pinPlaces(Cluster& cluster) {
    bool all = true;
    cluster_edits::forEachNode(cluster, [&](const auto& node) { all = all && node.position; });
    if (all) return;
    const ClusterLayout layout = ClusterLayout::of(cluster);
    const auto pin = [](auto& nodes, const std::vector<QRectF>& rects) {
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (!nodes[i].position) nodes[i].position = Position{rects[i].center().x(), rects[i].center().y()};
    };
    pin(cluster.machines, layout.machines);
    pin(cluster.switches, layout.switches);
}

void clearPlaces(Cluster& cluster, const KeySet& nodes) {
    cluster_edits::forEachNode(cluster, [&](auto& node) {
        if (nodes.empty() || nodes.contains(node.key)) node.position.reset();
    });
}

std::string addMachine(Scenario& s, Position at, const std::string& rack, const std::string& like) {
    Cluster& c = s.cluster;
    Machine machine;
    if (c.resourceNames.empty()) c.resourceNames = TopologyParts{}.resourceNames;
    if (c.machines.empty()) {
        const TopologyParts usual;
        if (c.resourceNames == usual.resourceNames)
            machine.capacity = usual.capacity;
        else
            for (std::size_t r = 0; r < c.resourceNames.size(); ++r) machine.capacity.setMicro(r, 8'000'000);
    } else {
        const auto model = std::ranges::find(c.machines, like, &Machine::key);
        const Machine& from = model == c.machines.end() ? c.machines.back() : *model;
        machine.key = from.key;
        machine.capacity = from.capacity;
        machine.device = from.device;
    }
    machine.key = freeKey(machine.key.empty() ? "m1" : machine.key, nodeKeysOf(c));
    machine.rack = rack;
    machine.position = at;
    c.machines.push_back(machine);
    return machine.key;
}

std::string addSwitch(Scenario& s, Position at, const std::string& rack) {
    Switch node;
    node.key = freeKey(s.cluster.switches.empty() ? "s1" : s.cluster.switches.back().key, nodeKeysOf(s.cluster));
    node.rack = rack;
    node.position = at;
    s.cluster.switches.push_back(node);
    return node.key;
}

std::string addRack(Scenario& s, const KeySet& nodes) {
    const KeySet taken = cluster_edits::rackKeys(s.cluster);
    Rack rack;
    rack.key = freeKey(s.cluster.racks.empty() ? "r1" : s.cluster.racks.back().key, taken);
    s.cluster.racks.push_back(rack);
    setRack(s, nodes, rack.key);
    return rack.key;
}

void setRack(Scenario& s, const KeySet& nodes, const std::string& rack) {
    const KeySet before = cluster_edits::racksInUse(s.cluster);
    cluster_edits::forEachNode(s.cluster, [&](auto& node) {
        if (nodes.contains(node.key)) node.rack = rack;
    });
    cluster_edits::dropRacksLeftEmpty(s, before);
}

void removeWithMembers(Scenario& s, const KeySet& keys) {
    const KeySet before = cluster_edits::racksInUse(s.cluster);
    removeFromCluster(s, withMembers(s.cluster, keys));
    cluster_edits::dropRacksLeftEmpty(s, before);
}

LinkObstacle linkObstacle(const Cluster& cluster, const std::string& from, const std::string& to) {
    if (from == to) return LinkObstacle::itself;
    bool fromIs = false, toIs = false;
    cluster_edits::forEachNode(cluster, [&](const auto& node) {
        fromIs = fromIs || node.key == from;
        toIs = toIs || node.key == to;
    });
    if (!fromIs || !toIs) return LinkObstacle::noNode;
    const bool linked = std::ranges::any_of(cluster.links, [&](const Link& link) {
        return (link.from == from && link.to == to) || (link.from == to && link.to == from);
    });
    return linked ? LinkObstacle::linkedAlready : LinkObstacle::none;
}

KeySet unlinked(const Cluster& cluster, KeySet nodes, const std::string& hub) {
    nodes.erase(hub);
    for (const Link& link : cluster.links) {
        if (link.from == hub) nodes.erase(link.to);
        if (link.to == hub) nodes.erase(link.from);
    }
    return nodes;
}

void addLink(Scenario& s, const std::string& from, const std::string& to) {
    auto& links = s.cluster.links;
    Link link;
    const auto touching = [&](const std::string& node) {
        return std::find_if(links.rbegin(), links.rend(),
                            [&](const Link& l) { return l.from == node || l.to == node; });
    };
    auto like = touching(from);
    if (like == links.rend()) like = touching(to);
    if (like == links.rend()) like = links.rbegin();
    if (like != links.rend()) {
        link.bandwidth = like->bandwidth;
        link.latency = like->latency;
    }
    KeySet taken;
    for (const Link& other : links) taken.insert(other.key);
    link.from = from;
    link.to = to;
    link.key = freeKey(link.derivedKey(), taken);
    links.push_back(link);
}

KeySet duplicate(Scenario& s, const KeySet& keys, Position offset) {
    Scenario piece = excerptOf(s, keys);
    const Cluster& c = s.cluster;
    std::vector<std::string> originals;
    cluster_edits::forEachNode(piece.cluster, [&](const auto& node) { originals.push_back(node.key); });
    const KeySet copied(originals.begin(), originals.end());
    std::map<std::string, std::string> rackOf;
    cluster_edits::forEachNode(c, [&](const auto& node) {
        if (copied.contains(node.key) && !keys.contains(node.rack)) rackOf[node.key] = node.rack;
    });
    std::vector<Link> outward;
    for (const Link& link : c.links)
        if (copied.contains(link.from) != copied.contains(link.to)) outward.push_back(link);

    const std::size_t machines = c.machines.size(), switches = c.switches.size(),
                      pieceMachines = piece.cluster.machines.size();
    const Inserted inserted = insertFragment(s, std::move(piece), offset);
    // What was appended is in the order of the piece.
    std::map<std::string, std::string> newKey;
    for (std::size_t i = 0; i < originals.size(); ++i) {
        const auto rename = [&](auto& node) {
            newKey[originals[i]] = node.key;
            if (const auto rack = rackOf.find(originals[i]); rack != rackOf.end()) node.rack = rack->second;
        };
        if (i < pieceMachines)
            rename(s.cluster.machines[machines + i]);
        else
            rename(s.cluster.switches[switches + i - pieceMachines]);
    }
    KeySet taken;
    for (const Link& other : s.cluster.links) taken.insert(other.key);
    for (Link link : outward) {
        for (std::string* end : {&link.from, &link.to})
            if (const auto copy = newKey.find(*end); copy != newKey.end()) *end = copy->second;
        link.key = freeKey(link.derivedKey(), taken);
        taken.insert(link.key);
        s.cluster.links.push_back(std::move(link));
    }
    return inserted.keys;
}

QRectF boundsOf(const Cluster& cluster) { return ClusterLayout::of(cluster).bounds; }

} // namespace trainyard
