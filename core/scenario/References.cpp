// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/References.h"

#include <algorithm>

namespace trainyard {

namespace {

void replaceKey(std::string& reference, const std::string& from, const std::string& to) {
    if (!from.empty() && reference == from) reference = to;
}

} // namespace

void renameNode(Scenario& s, const std::string& from, const std::string& to) {
    if (from == to || from.empty()) return;
    for (Link& link : s.cluster.links) {
        if (link.from != from && link.to != from) continue;
        const std::string derived = link.derivedKey(), before = link.key;
        replaceKey(link.from, from, to);
        replaceKey(link.to, from, to);
        if (before != derived) continue;
        link.key = link.derivedKey();
        for (Fault& fault : s.faults)
            if (fault.target == Fault::Target::link) replaceKey(fault.key, before, link.key);
    }
    for (Fault& fault : s.faults)
        if (fault.target == Fault::Target::machine) replaceKey(fault.key, from, to);
    replaceKey(s.cluster.storage, from, to);
}

void renameDevice(Scenario& s, const std::string& from, const std::string& to) {
    for (Machine& machine : s.cluster.machines) replaceKey(machine.device, from, to);
}

void renameRack(Scenario& s, const std::string& from, const std::string& to) {
    for (Machine& machine : s.cluster.machines) replaceKey(machine.rack, from, to);
    for (Switch& node : s.cluster.switches) replaceKey(node.rack, from, to);
}

void renameLink(Scenario& s, const std::string& from, const std::string& to) {
    for (Fault& fault : s.faults)
        if (fault.target == Fault::Target::link) replaceKey(fault.key, from, to);
}

void renameResources(Scenario& s, const std::vector<std::string>& names) {
    const auto& old = s.cluster.resourceNames;
    if (old == names) return;
    constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    std::vector<std::size_t> source(names.size(), nowhere);
    for (std::size_t r = 0; r < names.size(); ++r) {
        const auto it = std::find(old.begin(), old.end(), names[r]);
        if (it != old.end())
            source[r] = static_cast<std::size_t>(it - old.begin());
        else if (r < old.size() && std::find(names.begin(), names.end(), old[r]) == names.end())
            source[r] = r; // another name for the same
    }
    const auto move = [&](ResourceVector& amounts) {
        ResourceVector moved;
        for (std::size_t r = 0; r < names.size(); ++r)
            if (source[r] != nowhere && amounts.micro(source[r]) != 0) moved.setMicro(r, amounts.micro(source[r]));
        amounts = moved;
    };
    for (Machine& machine : s.cluster.machines) move(machine.capacity);
    const auto moveJob = [&](Job& job) {
        move(job.workerDemand);
        move(job.serverDemand);
    };
    for (Job& job : s.jobs) moveJob(job);
    for (JobGenerator& generator : s.generators) {
        moveJob(generator.job);
        for (JobTemplate& other : generator.others) moveJob(other.job);
    }
    s.cluster.resourceNames = names;
}

void removeFromCluster(Scenario& s, const std::set<std::string>& keys) {
    const auto gone = [&](const auto& item) { return keys.contains(item.key); };
    Cluster& c = s.cluster;
    std::set<std::string> nodes, links;
    for (const auto& machine : c.machines)
        if (gone(machine)) nodes.insert(machine.key);
    for (const auto& node : c.switches)
        if (gone(node)) nodes.insert(node.key);
    for (const auto& link : c.links)
        if (gone(link) || nodes.contains(link.from) || nodes.contains(link.to)) links.insert(link.key);
    for (const auto& rack : c.racks)
        if (gone(rack)) renameRack(s, rack.key, {});
    std::erase_if(c.racks, gone);
    std::erase_if(c.machines, gone);
    std::erase_if(c.switches, gone);
    std::erase_if(c.links, [&](const Link& link) { return links.contains(link.key); });
    if (nodes.contains(c.storage)) c.storage.clear();
    std::erase_if(s.faults, [&](const Fault& fault) {
        return !fault.key.empty() && (fault.target == Fault::Target::machine ? nodes : links).contains(fault.key);
    });
}

} // namespace trainyard
