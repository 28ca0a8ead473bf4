// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The kinds of machines that a cluster has, and room on the machines of one kind: for schedulers that give each job machines of one kind.
#include "policy/scheduler/JobStart.h"

#include <optional>

namespace trainyard {

/// Machines of equal capacity and nominal speed, whatever their racks, links and stragglers are.
struct MachineKind {
    std::vector<MachineId> machines; ///< ascending
    std::string label;               ///< the device, else the first machine
};

/// Of all machines, up or not, in the order of their first ones: the same through a whole run.
std::vector<MachineKind> machineKinds(const Cluster& cluster);

/// What is free, kind by kind.
class KindRooms {
public:
    /// `free`: of all machines.
    KindRooms(const Cluster& cluster, const std::vector<MachineKind>& kinds, const FreeCapacity& free);

    /// Of all machines of a kind together; kinds.size(): of all.
    ResourceVector total(std::size_t kind) const;
    /// All tasks on machines of one kind; kinds.size(): on any. What was placed is taken; nullopt: it does not fit.
    std::optional<Placement> place(const SchedulerView& view, JobId job, int workers, int servers, std::size_t kind,
                                   PlacingStrategy strategy);
    /// Takes what the job holds; false, and nothing taken, if it is not all there.
    bool keep(const SchedulerView& view, JobId job);
    void give(const SchedulerView& view, JobId job, const Placement& placement);
    std::size_t kindOf(MachineId machine) const { return m_kindOf[machine.index()]; }
    /// What is free on all machines.
    FreeCapacity whole(const Cluster& cluster) const;

private:
    std::vector<std::size_t> m_kindOf; ///< by machine
    std::vector<FreeCapacity> m_rooms; ///< by kind: machines of others are down
};

} // namespace trainyard
