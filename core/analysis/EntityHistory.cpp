// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/EntityHistory.h"

#include "analysis/LoggedTasks.h"

#include <algorithm>
#include <unordered_map>

namespace trainyard {

namespace entity_history {

constexpr auto worker = static_cast<std::uint16_t>(TaskRole::worker);

template <class Items>
std::uint32_t positionOf(const Items& items, const std::string& key) {
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].key == key) return static_cast<std::uint32_t>(i);
    return static_cast<std::uint32_t>(-1);
}

void outage(std::vector<Outage>& outages, SimTime at, bool down) {
    const bool isDown = !outages.empty() && outages.back().end == SimTime::never();
    if (down && !isDown) outages.push_back({at, SimTime::never()});
    if (!down && isDown) outages.back().end = at;
}

template <class NameOf>
std::string titleOf(const Link& link, NameOf nameOf) {
    const bool own = !link.key.empty() && link.key != link.derivedKey();
    return own ? link.key : nameOf(link.from) + " – " + nameOf(link.to);
}

} // namespace entity_history

using namespace entity_history;

std::string nameOfEnd(const Cluster& cluster, const std::string& key) {
    for (const Machine& machine : cluster.machines)
        if (machine.key == key) return machine.name.empty() ? key : machine.name;
    for (const Switch& node : cluster.switches)
        if (node.key == key) return node.name.empty() ? key : node.name;
    return key;
}

std::string linkTitle(const Cluster& cluster, const Link& link) {
    return titleOf(link, [&](const std::string& key) { return nameOfEnd(cluster, key); });
}

std::vector<std::string> linkTitles(const Cluster& cluster) {
    std::unordered_map<std::string, std::string> names;
    for (const Switch& node : cluster.switches)
        if (!node.name.empty()) names[node.key] = node.name;
    for (const Machine& machine : cluster.machines)
        if (!machine.name.empty()) names[machine.key] = machine.name;
    const auto nameOf = [&](const std::string& key) {
        const auto it = names.find(key);
        return it == names.end() ? key : it->second;
    };
    std::vector<std::string> titles;
    titles.reserve(cluster.links.size());
    for (const Link& link : cluster.links) titles.push_back(titleOf(link, nameOf));
    return titles;
}

EntityHistory::EntityHistory(const RunSource& run, Kind kind, const std::string& key)
    : m_workload(run.workload), m_kind(kind) {
    begin(key);
}

void EntityHistory::begin(const std::string& key) {
    const Cluster& cluster = m_workload->cluster;
    if (m_kind != Kind::link) m_phases.resize(m_workload->jobs.size());
    using What = Curve::What;
    switch (m_kind) {
    case Kind::machine: {
        m_index = positionOf(cluster.machines, key);
        if (!known()) return;
        const ResourceVector& capacity = cluster.machines[m_index].capacity;
        m_allocated.assign(capacity.size(), 0);
        for (std::size_t r = 0; r < capacity.size(); ++r)
            if (capacity.micro(r) > 0)
                m_curves.push_back({What::resource, static_cast<std::uint32_t>(r), capacity.amount(r), {}});
        if (logsTasks(*m_workload, JobId())) m_curves.push_back({What::busyTasks, 0, 1, {}});
        break;
    }
    case Kind::link:
        m_index = positionOf(cluster.links, key);
        if (!known()) return;
        for (const std::uint32_t direction : {0u, 1u})
            m_curves.push_back({What::load, direction, cluster.links[m_index].bandwidth, {}});
        break;
    case Kind::job:
        m_index = positionOf(m_workload->jobs, key);
        if (!known()) return;
        m_curves.push_back({What::placed, 0, 1, {}});
        if (!logsTasks(*m_workload, m_workload->jobs[m_index])) break;
        for (const What what : {What::computing, What::waiting}) m_curves.push_back({what, 0, 1, {}});
        break;
    }
}

EntityHistory::Curve* EntityHistory::curve(Curve::What what, std::uint32_t index) {
    const auto it = std::find_if(m_curves.begin(), m_curves.end(),
                                 [&](const Curve& c) { return c.what == what && c.index == index; });
    return it == m_curves.end() ? nullptr : &*it;
}

/// Of machines and jobs it follows the phases of workers, which takes as long again as looking at the events does.
std::size_t EntityHistory::carryOn(const EventLog& log, std::size_t from, std::size_t to, std::size_t limit) {
    return LogFold::carryOn(log, from, to, m_kind == Kind::link ? limit : limit / 2);
}

void EntityHistory::apply(const Event& event, std::size_t) {
    if (!known()) return;
    switch (m_kind) {
    case Kind::machine: applyMachine(event); return;
    case Kind::job: applyJob(event); return;
    case Kind::link:
        if (event.type == EventType::linkLoad && event.a / 2 == m_index)
            curve(Curve::What::load, event.a % 2)->series.set(event.time.toSeconds(), event.value);
        else if ((event.type == EventType::linkFailed || event.type == EventType::linkRepaired) && event.a == m_index)
            outage(m_outages, event.time, event.type == EventType::linkFailed);
        return;
    }
}

void EntityHistory::applyMachine(const Event& event) {
    switch (event.type) {
    case EventType::machineFailed:
    case EventType::machineRepaired:
        if (event.a == m_index) outage(m_outages, event.time, event.type == EventType::machineFailed);
        return;
    case EventType::taskPlaced:
    case EventType::taskRemoved: break;
    default: follow(event); return;
    }
    if (event.job >= m_workload->jobs.size() || !place(event, event.b == m_index) || event.b != m_index) return;
    const Job& job = m_workload->jobs[event.job];
    const ResourceVector& demand = event.aux == worker ? job.workerDemand : job.serverDemand;
    const int sign = event.type == EventType::taskPlaced ? 1 : -1;
    for (Curve& c : m_curves) {
        if (c.what != Curve::What::resource) continue;
        m_allocated[c.index] += sign * demand.micro(c.index);
        c.series.set(event.time.toSeconds(), static_cast<double>(m_allocated[c.index]) * 1e-6);
    }
    m_tasks.set(event.time.toSeconds(), static_cast<double>(m_here.size()));
    if (Curve* busy = curve(Curve::What::busyTasks))
        busy->full = std::max(busy->full, static_cast<double>(m_here.size()));
}

void EntityHistory::applyJob(const Event& event) {
    if (event.job != m_index) return;
    if (event.type != EventType::taskPlaced && event.type != EventType::taskRemoved) return follow(event);
    if (event.aux != worker || !place(event, true)) return;
    const auto workers = static_cast<double>(m_here.size());
    curve(Curve::What::placed)->series.set(event.time.toSeconds(), workers);
    for (Curve& c : m_curves) c.full = std::max(c.full, workers);
}

// What a damaged log places twice, or removes without having placed it, changes nothing.
bool EntityHistory::place(const Event& event, bool isHere) {
    const TaskKey key(event.job, event.aux, event.a);
    const bool comes = event.type == EventType::taskPlaced;
    if (isHere && comes && !m_here.insert(key).second) return false;
    if (isHere && !comes && !m_here.contains(key)) return false;
    follow(event);
    if (isHere && !comes) m_here.erase(key);
    return true;
}

void EntityHistory::follow(const Event& event) {
    if (event.job >= m_phases.size()) return;
    for (const auto& [index, before, after] : m_phases[event.job].apply(event)) {
        if (!m_here.contains(TaskKey(event.job, worker, index))) continue;
        m_computing += int(after.phase == WorkerPhase::computing) - int(before.phase == WorkerPhase::computing);
        m_waiting += int(isWaiting(after.phase)) - int(isWaiting(before.phase));
        if (Curve* waiting = curve(Curve::What::waiting);
            waiting && isWaiting(before.phase) && after.since < event.time)
            waiting->series.addFrom(after.since.toSeconds(), -1);
        takeCounts(event.time);
    }
}

void EntityHistory::takeCounts(SimTime at) {
    for (Curve& c : m_curves) {
        if (c.what == Curve::What::busyTasks || c.what == Curve::What::computing)
            c.series.set(at.toSeconds(), m_computing);
        if (c.what == Curve::What::waiting) c.series.set(at.toSeconds(), m_waiting);
    }
}

} // namespace trainyard
