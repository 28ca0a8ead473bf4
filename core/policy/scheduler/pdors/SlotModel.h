// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Jobs that are given workers and parameter servers for whole slots of time, on machines of several resources: what the
// planning of slots computes with. Within a slot a worker's pace depends on locality alone (the model of arXiv 2108.02917).
#include "model/Job.h"

#include <cstddef>
#include <span>
#include <vector>

namespace trainyard {

/// A job as a planner of slots sees it.
struct SlotJob {
    int arrival = 0;          ///< first slot that it may use, from 0
    double samples = 0;       ///< to be processed in all, E·K
    int batch = 1;            ///< F: at most so many workers, one sample each at least
    int workersPerServer = 1; ///< γ
    double localRate = 1;     ///< samples per worker and slot, all workers and servers on one machine
    double remoteRate = 1;    ///< the same on any other placement: the slowest worker sets the pace
    std::vector<double> workerDemand, serverDemand; ///< by resource
    Utility utility;                                ///< of latency()
    int fewest = 1;                                 ///< workers that it needs to run at all
    std::vector<int> servers = {};                  ///< by number of workers, from 0; empty: one for every γ
    double slotSeconds = 1;                         ///< in the unit of the utility's time
    double startsAfter = 0;                         ///< from its arrival to the begin of its first slot, likewise
    bool endCounts = false;                         ///< whether the slot in which it ends is part of its latency

    int serversFor(int workers) const {
        return servers.empty() ? (workers + workersPerServer - 1) / workersPerServer
                               : servers[static_cast<std::size_t>(workers)];
    }
    double latency(int completion) const { return (completion - arrival + endCounts) * slotSeconds + startsAfter; }
    /// Where it needs so many slots of work.
    double latencyOf(double count) const { return count * slotSeconds + startsAfter; }
    double utilityAt(int completion) const { return utility.at(latency(completion)); }
    double demandOf(std::size_t resource) const { return workerDemand[resource] + serverDemand[resource]; }
    /// Samples per worker and slot where an iteration's exchange of `bytes` with each of the servers takes 2·bytes/rate:
    /// 1 / (τ + 2γg/(bF)), all times in slots.
    static double rate(double slotsPerSample, double bytes, double bytesPerSlot, int workersPerServer, int batch) {
        return 1 / (slotsPerSample + 2.0 * workersPerServer * bytes / (bytesPerSlot * batch));
    }
};

/// Slots 0…horizon−1 of equal machines or unlike ones.
struct SlotCluster {
    int horizon = 0; ///< slots that are planned
    std::size_t machines = 0, resources = 0;
    std::vector<double> capacity; ///< machine by machine, each by resource

    double of(std::size_t machine, std::size_t resource) const { return capacity[machine * resources + resource]; }
    double total() const;
};

/// Tasks of one job in one slot.
struct SlotTasks {
    struct On {
        std::size_t machine = 0;
        int workers = 0, servers = 0;
        friend bool operator==(const On&, const On&) = default;
    };
    std::vector<On> on; ///< ascending by machine, none empty
    int workers() const;
    int servers() const;
    /// All on one machine.
    bool isLocal() const { return on.size() == 1; }
    /// What it processes in the slot.
    double samples(const SlotJob& job) const { return workers() * (isLocal() ? job.localRate : job.remoteRate); }
    friend bool operator==(const SlotTasks&, const SlotTasks&) = default;
};

struct SlotSchedule {
    struct Slot {
        int slot = 0;
        SlotTasks tasks;
        friend bool operator==(const Slot&, const Slot&) = default;
    };
    std::vector<Slot> bySlot; ///< ascending, none without workers
    /// The slot in which the job ends.
    int completion() const { return bySlot.back().slot; }
    friend bool operator==(const SlotSchedule&, const SlotSchedule&) = default;
};

/// What has been promised of each machine in each slot.
class SlotLedger {
public:
    explicit SlotLedger(SlotCluster cluster);
    /// A machine that is down has room for nothing; what was promised on it stays promised.
    void setUp(std::size_t machine, bool up) { m_up[machine] = up; }
    bool isUp(std::size_t machine) const { return m_up[machine] != 0; }
    /// The first `slots` are over: slot i is now what slot i + slots was, and as many new ones follow at the end.
    void advance(int slots);
    double used(int slot, std::size_t machine, std::size_t resource) const {
        return m_used[index(slot, machine) + resource];
    }
    double free(int slot, std::size_t machine, std::size_t resource) const {
        return m_cluster.of(machine, resource) - used(slot, machine, resource);
    }
    /// How many tasks of a demand a machine still has room for, at most `most`.
    int room(int slot, std::size_t machine, std::span<const double> demand, int most) const;
    bool fits(int slot, std::size_t machine, const SlotJob& job, int workers, int servers) const;
    void take(const SlotJob& job, const SlotSchedule& schedule) { add(job, schedule, 1); }
    void give(const SlotJob& job, const SlotSchedule& schedule) { add(job, schedule, -1); }
    const SlotCluster& cluster() const { return m_cluster; }

private:
    std::size_t index(int slot, std::size_t machine) const {
        return (static_cast<std::size_t>(slot) * m_cluster.machines + machine) * m_cluster.resources;
    }
    void add(const SlotJob& job, const SlotSchedule& schedule, int sign);

    SlotCluster m_cluster;
    std::vector<double> m_used;     ///< by slot, machine and resource
    std::vector<std::uint8_t> m_up; ///< by machine
};

/// Amounts are sums of demands; what differs by less than this share of a capacity is equal.
inline constexpr double slotTolerance = 1e-9;

} // namespace trainyard
