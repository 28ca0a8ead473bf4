// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What is free on every machine that is up. Machines of equal capacity with equal amounts free form a group: whoever looks
// for room looks at each group once, and there are few of them where jobs ask for few different amounts. A change moves a
// machine from group to group when the groups are next asked for. Kept by the engine for schedulers (SchedulerView), who
// plan in it within a Scratch; used by TaskPlacer.
#include "model/Workload.h"
#include "record/ClusterState.h"

#include <map>
#include <set>
#include <span>
#include <vector>

namespace trainyard {

class FreeCapacity {
public:
    /// Machines alike.
    struct Group {
        double share = 0; ///< the greatest share of the capacity that is free (dominantShare)
        std::set<std::uint32_t> machines;
    };
    struct GroupKey {
        std::uint32_t model = 0; ///< machines of one model have equal capacities
        ResourceVector free;
        friend bool operator<(const GroupKey& a, const GroupKey& b);
    };
    using Groups = std::map<GroupKey, Group>;

    FreeCapacity() = default;
    /// All machines are up and empty.
    explicit FreeCapacity(const Cluster& cluster);
    /// As given, by machine; machines without an amount have nothing free.
    FreeCapacity(const Cluster& cluster, std::span<const ResourceVector> free);
    /// Machines that are up, with their whole capacities.
    static FreeCapacity whole(const ClusterState& state);

    /// Nothing where a machine is down.
    const ResourceVector& of(MachineId machine) const { return m_free[machine.index()]; }
    bool isUp(MachineId machine) const { return m_up[machine.index()]; }
    double share(MachineId machine) const;
    std::size_t machineCount() const { return m_free.size(); }
    /// Of all machines together.
    const ResourceVector& total() const { return m_total; }

    void take(MachineId machine, const ResourceVector& demand, std::int64_t copies = 1);
    void give(MachineId machine, const ResourceVector& demand, std::int64_t copies = 1);
    void set(MachineId machine, const ResourceVector& free);
    void setUp(MachineId machine, bool up, const ResourceVector& free);
    /// Follows the events of a run: `state` is the one after the event.
    void apply(const Event& event, const ClusterState& state);

    /// Of the machines that are up.
    const Groups& groups();
    /// Machines of each rack, racks in the order of their first machines.
    const std::vector<std::vector<std::uint32_t>>& racks() const { return m_racks; }

    /// Undoes, when it goes, every take, give and set made since. Scratches may be nested.
    class Scratch {
    public:
        explicit Scratch(FreeCapacity& free) : m_capacity(free), m_from(free.m_journal.size()) { ++free.m_scratches; }
        ~Scratch() {
            undo();
            --m_capacity.m_scratches;
        }
        Scratch(const Scratch&) = delete;
        Scratch& operator=(const Scratch&) = delete;
        void undo();

    private:
        FreeCapacity& m_capacity;
        std::size_t m_from;
    };

private:
    struct Change {
        MachineId machine;
        ResourceVector before;
    };
    void changed(std::uint32_t machine);
    void regroup(std::uint32_t machine);
    ResourceVector& change(MachineId machine);

    std::vector<ResourceVector> m_free, m_capacity;
    std::vector<std::uint8_t> m_up;
    std::vector<std::uint32_t> m_model;
    std::vector<std::vector<std::uint32_t>> m_racks;
    ResourceVector m_total;
    Groups m_groups;
    std::vector<ResourceVector> m_grouped; ///< by machine: the amount under which it is grouped
    std::vector<std::uint8_t> m_isGrouped; ///< by machine
    std::vector<std::uint32_t> m_changed;  ///< machines to be grouped anew
    std::vector<std::uint8_t> m_isChanged; ///< by machine: whether it is among these
    std::vector<Change> m_journal;         ///< since the outermost Scratch
    std::size_t m_scratches = 0;
};

} // namespace trainyard
