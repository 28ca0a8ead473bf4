// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/JobStart.h"

#include <algorithm>

namespace trainyard {

PlacingStrategy placingStrategy(const std::string& name) {
    if (name == "spread") return PlacingStrategy::spread;
    return name == "rack" ? PlacingStrategy::rack : PlacingStrategy::pack;
}

namespace {

/// Tasks of a demand that the machines have room for, each `most` at most.
std::int64_t roomFor(const ResourceVector& demand, std::int64_t most, FreeCapacity& free) {
    std::int64_t room = 0;
    for (const auto& [key, group] : free.groups())
        room += demand.copiesIn(key.free, most) * static_cast<std::int64_t>(group.machines.size());
    return room;
}

} // namespace

std::optional<Placement> placeJob(const SchedulerView& view, JobId id, FreeCapacity& free, PlacingStrategy strategy,
                                  const std::string& size) {
    const Job& job = view.workload().job(id);
    const Bounds bounds = view.workers(id);
    const int least = size == "maximum" ? bounds.maximum : bounds.minimum;
    int most = size == "minimum" ? bounds.minimum : bounds.maximum;
    if (least < most) // no more than the machines have room for, whatever the servers take
        most = static_cast<int>(std::min<std::int64_t>(most, roomFor(job.workerDemand, most, free)));
    for (int n = most; n >= least; --n)
        if (auto placement = placeTasks(view.workload(), job, n, job.serversFor(n, bounds), free, strategy))
            return placement;
    return std::nullopt;
}

Placement heldPlacement(const SchedulerView& view, JobId id) {
    Placement out;
    if (view.state().job(id).phase != JobPhase::running) return out;
    for (const auto role : {&Placement::workers, &Placement::servers})
        for (const MachineId m : view.state().job(id).placement.*role)
            if (m.valid() && view.state().machine(m).up) (out.*role).push_back(m);
    return out;
}

bool placeAgain(const SchedulerView& view, JobId id, FreeCapacity& free) {
    const Placement& held = view.state().job(id).placement;
    const Job& job = view.workload().job(id);
    const auto fits = [&](const std::vector<MachineId>& machines, const ResourceVector& demand) {
        return std::all_of(machines.begin(), machines.end(), [&](MachineId m) {
            if (!m.valid() || !free.isUp(m) || !demand.fitsIn(free.of(m))) return false;
            free.take(m, demand);
            return true;
        });
    };
    {
        const FreeCapacity::Scratch trial(free);
        if (!fits(held.workers, job.workerDemand) || !fits(held.servers, job.serverDemand)) return false;
    }
    takeTasks(job, held, free);
    return true;
}

const std::string& jobLabel(const SchedulerView& view, JobId job) { return view.workload().job(job).key; }

std::vector<Check> fitChecks(const SchedulerView& view, JobId id, int workers, int servers, FreeCapacity& free,
                             bool placed) {
    const Job& job = view.workload().job(id);
    const auto& names = view.workload().cluster.resourceNames;
    const ResourceVector& total = free.total();
    const std::int64_t workerRoom = roomFor(job.workerDemand, workers, free);
    const std::int64_t serverRoom = roomFor(job.serverDemand, servers, free);
    const ResourceVector demand = job.workerDemand.times(workers) + job.serverDemand.times(servers);
    std::vector<Check> out;
    for (std::size_t r = 0; r < demand.size(); ++r)
        if (demand.micro(r) > 0)
            out.push_back({"free " + (r < names.size() ? names[r] : std::to_string(r)), demand.amount(r),
                           Comparison::atMost, total.amount(r)});
    // More than is asked for is not told: the machines were counted each by itself.
    out.push_back({"room for workers", double(std::min<std::int64_t>(workerRoom, workers)), Comparison::atLeast,
                   double(workers)});
    if (servers > 0)
        out.push_back({"room for servers", double(std::min<std::int64_t>(serverRoom, servers)), Comparison::atLeast,
                       double(servers)});
    out.push_back({"all tasks placed", placed ? 1.0 : 0.0, Comparison::atLeast, 1});
    return out;
}

std::string machineList(const SchedulerView& view, const Placement& placement) {
    std::vector<MachineId> machines = placement.workers;
    machines.insert(machines.end(), placement.servers.begin(), placement.servers.end());
    std::sort(machines.begin(), machines.end());
    machines.erase(std::unique(machines.begin(), machines.end()), machines.end());
    std::string out;
    for (std::size_t i = 0; i < machines.size(); ++i) {
        if (i == 8) return out + " and " + std::to_string(machines.size() - i) + " more";
        out += (i ? ", " : "") + view.workload().machine(machines[i]).key;
    }
    return out;
}

} // namespace trainyard
