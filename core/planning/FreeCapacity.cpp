// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/FreeCapacity.h"

#include <algorithm>
#include <string_view>

namespace trainyard {

bool operator<(const FreeCapacity::GroupKey& a, const FreeCapacity::GroupKey& b) {
    if (a.model != b.model) return a.model < b.model;
    return lessByAmounts(a.free, b.free);
}

FreeCapacity::FreeCapacity(const Cluster& cluster) {
    const std::size_t machines = cluster.machines.size();
    std::map<ResourceVector, std::uint32_t, decltype(&lessByAmounts)> models(&lessByAmounts);
    std::map<std::string_view, std::size_t> racks;
    for (std::uint32_t m = 0; m < machines; ++m) {
        const Machine& machine = cluster.machines[m];
        m_capacity.push_back(machine.capacity);
        m_total += machine.capacity;
        m_model.push_back(
            models.try_emplace(machine.capacity, static_cast<std::uint32_t>(models.size())).first->second);
        if (machine.rack.empty()) continue;
        const auto [rack, fresh] = racks.try_emplace(machine.rack, m_racks.size());
        if (fresh) m_racks.emplace_back();
        m_racks[rack->second].push_back(m);
    }
    m_free = m_grouped = m_capacity;
    m_up.assign(machines, 1);
    m_isGrouped.assign(machines, 0);
    m_isChanged.assign(machines, 0);
    for (std::uint32_t m = 0; m < machines; ++m) changed(m);
}

FreeCapacity::FreeCapacity(const Cluster& cluster, std::span<const ResourceVector> free) : FreeCapacity(cluster) {
    for (std::size_t m = 0; m < free.size(); ++m) set(MachineId(m), free[m]);
}

FreeCapacity FreeCapacity::whole(const ClusterState& state) {
    FreeCapacity out(state.workload().cluster);
    for (std::size_t m = 0; m < state.machines().size(); ++m)
        if (!state.machines()[m].up) out.setUp(MachineId(m), false, {});
    return out;
}

double FreeCapacity::share(MachineId machine) const { return dominantShare(of(machine), m_capacity[machine.index()]); }

void FreeCapacity::changed(std::uint32_t machine) {
    if (m_isChanged[machine]) return;
    m_isChanged[machine] = 1;
    m_changed.push_back(machine);
}

ResourceVector& FreeCapacity::change(MachineId machine) {
    ResourceVector& free = m_free[machine.index()];
    if (m_scratches > 0) {
        Change& change = m_journal.emplace_back(); // moving a temporary in makes g++ 12 warn without reason
        change.machine = machine;
        change.before = free;
    }
    changed(machine.value);
    return free;
}

void FreeCapacity::take(MachineId machine, const ResourceVector& demand, std::int64_t copies) {
    ResourceVector& free = change(machine);
    if (copies == 1) {
        free -= demand;
        m_total -= demand;
        return;
    }
    const ResourceVector amount = demand.times(copies);
    free -= amount;
    m_total -= amount;
}

void FreeCapacity::give(MachineId machine, const ResourceVector& demand, std::int64_t copies) {
    take(machine, demand, -copies);
}

void FreeCapacity::set(MachineId machine, const ResourceVector& free) {
    if (of(machine) == free) return;
    ResourceVector& here = change(machine);
    m_total -= here;
    m_total += free;
    here = free;
}

void FreeCapacity::setUp(MachineId machine, bool up, const ResourceVector& free) {
    m_up[machine.index()] = up;
    changed(machine.value);
    set(machine, up ? free : ResourceVector{});
}

void FreeCapacity::apply(const Event& event, const ClusterState& state) {
    switch (event.type) {
    case EventType::taskPlaced:
    case EventType::taskRemoved: {
        const MachineState& machine = state.machines()[event.b];
        if (machine.up) set(MachineId(event.b), machine.free);
        break;
    }
    case EventType::machineFailed:
    case EventType::machineRepaired:
        setUp(MachineId(event.a), state.machines()[event.a].up, state.machines()[event.a].free);
        break;
    default: break;
    }
}

void FreeCapacity::regroup(std::uint32_t machine) {
    const bool up = m_up[machine];
    if (m_isGrouped[machine]) {
        if (up && m_grouped[machine] == m_free[machine]) return;
        const GroupKey before{m_model[machine], m_grouped[machine]};
        const auto old = m_groups.find(before);
        old->second.machines.erase(machine);
        if (old->second.machines.empty()) m_groups.erase(old);
    }
    m_isGrouped[machine] = up;
    if (!up) return;
    m_grouped[machine] = m_free[machine];
    const GroupKey now{m_model[machine], m_free[machine]};
    const auto [group, fresh] = m_groups.try_emplace(now);
    if (fresh) group->second.share = share(MachineId(machine));
    group->second.machines.insert(machine);
}

const FreeCapacity::Groups& FreeCapacity::groups() {
    for (const auto machine : m_changed) {
        regroup(machine);
        m_isChanged[machine] = 0;
    }
    m_changed.clear();
    return m_groups;
}

void FreeCapacity::Scratch::undo() {
    auto& journal = m_capacity.m_journal;
    while (journal.size() > m_from) {
        ResourceVector& free = m_capacity.m_free[journal.back().machine.index()];
        m_capacity.m_total -= free;
        m_capacity.m_total += journal.back().before;
        free = std::move(journal.back().before);
        m_capacity.changed(journal.back().machine.value);
        journal.pop_back();
    }
}

} // namespace trainyard
