// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/timesharing/MachineKinds.h"

#include <algorithm>

namespace trainyard {

std::vector<MachineKind> machineKinds(const Cluster& cluster) {
    std::vector<MachineKind> out;
    for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
        const Machine& machine = cluster.machines[m];
        const auto kind = std::find_if(out.begin(), out.end(), [&](const MachineKind& k) {
            const MachineId first = k.machines.front();
            return cluster.machines[first.index()].capacity == machine.capacity &&
                   cluster.speed(first) == cluster.speed(MachineId(m));
        });
        if (kind != out.end())
            kind->machines.emplace_back(m);
        else
            out.push_back({{MachineId(m)}, machine.device.empty() ? machine.key : machine.device});
    }
    return out;
}

KindRooms::KindRooms(const Cluster& cluster, const std::vector<MachineKind>& kinds, const FreeCapacity& free)
    : m_kindOf(cluster.machines.size(), 0) {
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        for (const MachineId m : kinds[k].machines) m_kindOf[m.index()] = k;
        FreeCapacity& room = m_rooms.emplace_back(free);
        if (kinds.size() == 1) return;
        std::size_t next = 0;
        for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
            if (next < kinds[k].machines.size() && kinds[k].machines[next].index() == m)
                ++next;
            else
                room.setUp(MachineId(m), false, {});
        }
    }
}

ResourceVector KindRooms::total(std::size_t kind) const {
    ResourceVector out;
    for (std::size_t k = 0; k < m_rooms.size(); ++k)
        if (k == kind || kind >= m_rooms.size()) out += m_rooms[k].total();
    return out;
}

FreeCapacity KindRooms::whole(const Cluster& cluster) const {
    FreeCapacity out(cluster);
    for (std::size_t m = 0; m < m_kindOf.size(); ++m) {
        const FreeCapacity& room = m_rooms[m_kindOf[m]];
        out.setUp(MachineId(m), room.isUp(MachineId(m)), room.of(MachineId(m)));
    }
    return out;
}

std::optional<Placement> KindRooms::place(const SchedulerView& view, JobId id, int workers, int servers,
                                          std::size_t kind, PlacingStrategy strategy) {
    const Job& job = view.workload().job(id);
    if (kind < m_rooms.size()) return placeTasks(view.workload(), job, workers, servers, m_rooms[kind], strategy);
    FreeCapacity all = whole(view.workload().cluster);
    auto placement = placeTasks(view.workload(), job, workers, servers, all, strategy);
    if (placement)
        for (std::size_t m = 0; m < m_kindOf.size(); ++m)
            if (all.isUp(MachineId(m))) m_rooms[m_kindOf[m]].set(MachineId(m), all.of(MachineId(m)));
    return placement;
}

void KindRooms::give(const SchedulerView& view, JobId id, const Placement& placement) {
    const Job& job = view.workload().job(id);
    for (const MachineId m : placement.workers) m_rooms[m_kindOf[m.index()]].give(m, job.workerDemand);
    for (const MachineId m : placement.servers) m_rooms[m_kindOf[m.index()]].give(m, job.serverDemand);
}

bool KindRooms::keep(const SchedulerView& view, JobId id) {
    const Placement& held = view.state().job(id).placement;
    const Job& job = view.workload().job(id);
    std::vector<std::pair<MachineId, const ResourceVector*>> taken;
    const auto take = [&](const std::vector<MachineId>& machines, const ResourceVector& demand) {
        return std::all_of(machines.begin(), machines.end(), [&](MachineId m) {
            if (!m.valid()) return false;
            FreeCapacity& room = m_rooms[m_kindOf[m.index()]];
            if (!room.isUp(m) || !demand.fitsIn(room.of(m))) return false;
            room.take(m, demand);
            taken.push_back({m, &demand});
            return true;
        });
    };
    if (take(held.workers, job.workerDemand) && take(held.servers, job.serverDemand)) return true;
    for (const auto& [machine, demand] : taken) m_rooms[m_kindOf[machine.index()]].give(machine, *demand);
    return false;
}

} // namespace trainyard
