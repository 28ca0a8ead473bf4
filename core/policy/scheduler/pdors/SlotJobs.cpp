// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/pdors/SlotJobs.h"

#include "planning/TaskPlacer.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

std::vector<double> amounts(const ResourceVector& vector, std::size_t resources) {
    std::vector<double> out;
    for (std::size_t r = 0; r < resources; ++r) out.push_back(static_cast<double>(vector.micro(r)));
    return out;
}

struct Batch {
    double samples = 1;
    bool shared = false; ///< the workers divide it
};

Batch batchOf(const Job& job) {
    if (const auto* w = std::get_if<TrainedWork>(&job.work))
        return {static_cast<double>(w->batch), w->batchOf == BatchOf::job};
    if (const auto* w = std::get_if<AnalyticWork>(&job.work))
        return {static_cast<double>(w->batch), w->batchOf == BatchOf::job};
    return {};
}

/// The most workers, and their servers, that one of the idle machines holds.
std::optional<Placement> onOneMachine(const SchedulerView& view, const Job& job, const Bounds& bounds) {
    std::optional<Placement> best;
    const auto& machines = view.workload().cluster.machines;
    for (std::size_t h = 0; h < machines.size(); ++h) {
        if (!view.state().machines()[h].up || (h > 0 && best && machines[h].capacity == machines[h - 1].capacity))
            continue;
        const auto least = best ? static_cast<int>(best->workers.size()) + 1 : bounds.minimum;
        for (int n = bounds.maximum; n >= least; --n) {
            const int servers = job.serversFor(n, bounds);
            if (!(job.workerDemand.times(n) + job.serverDemand.times(servers)).fitsIn(machines[h].capacity)) continue;
            best = Placement{std::vector<MachineId>(static_cast<std::size_t>(n), MachineId(h)),
                             std::vector<MachineId>(static_cast<std::size_t>(servers), MachineId(h))};
            break;
        }
    }
    return best;
}

/// The most workers that the idle cluster holds, on as many machines as they take.
std::optional<Placement> onSeveral(const SchedulerView& view, const Job& job, const Bounds& bounds) {
    FreeCapacity idle = FreeCapacity::whole(view.state());
    for (int n = bounds.maximum; n >= bounds.minimum; --n)
        if (auto placement =
                placeTasks(view.workload(), job, n, job.serversFor(n, bounds), idle, PlacingStrategy::spread))
            return placement;
    return std::nullopt;
}

/// Samples per worker and second.
double pace(const SchedulerView& view, JobId id, const std::optional<Placement>& placement, const Batch& batch) {
    if (!placement) return 0;
    const double seconds = view.speed().secondsPerUpdate(id, *placement);
    if (!(seconds > 0) || !std::isfinite(seconds)) return 0;
    return batch.samples / (seconds * (batch.shared ? static_cast<double>(placement->workers.size()) : 1.0));
}

} // namespace

SlotCluster slotCluster(const Cluster& cluster, int horizon) {
    SlotCluster out{horizon, cluster.machines.size(), cluster.resourceNames.size(), {}};
    for (const Machine& machine : cluster.machines)
        for (const double amount : amounts(machine.capacity, out.resources)) out.capacity.push_back(amount);
    return out;
}

SlotJobShape slotJobShape(const SchedulerView& view, JobId id, double slotSeconds) {
    const Job& job = view.workload().job(id);
    const std::size_t resources = view.workload().cluster.resourceNames.size();
    const Batch batch = batchOf(job);
    Bounds bounds = view.workers(id);
    const bool scales = batch.shared || (job.stop.epochs && !job.stop.iterations && !job.stop.loss);
    if (!scales) bounds.maximum = bounds.minimum;
    SlotJobShape shape;
    SlotJob& out = shape.job;
    out.batch = bounds.maximum;
    out.fewest = bounds.minimum;
    for (int n = 0; n <= bounds.maximum; ++n)
        out.servers.push_back(n == 0 ? 0 : job.serversFor(std::max(n, bounds.minimum), view.workers(id)));
    out.workerDemand = amounts(job.workerDemand, resources);
    out.serverDemand = amounts(job.serverDemand, resources);
    out.utility = job.utility.value_or(Utility{job.weight, 0, 0});
    out.localRate = pace(view, id, onOneMachine(view, job, bounds), batch) * slotSeconds;
    out.remoteRate = pace(view, id, onSeveral(view, job, bounds), batch) * slotSeconds;
    if (out.remoteRate <= 0) out.remoteRate = out.localRate;
    if (out.localRate <= 0) out.localRate = out.remoteRate;
    // Of what one update counts: by the batch as a whole, or by the workers with whom the updates to do were counted.
    shape.samplesPerUpdate = batch.samples * (batch.shared ? 1 : bounds.maximum);
    shape.plannable = out.localRate > 0 && std::isfinite(view.speed().remainingUpdates(id));
    return shape;
}

SlotJob slotJob(const SchedulerView& view, JobId id, const SlotJobShape& shape, int first, SimTime begin,
                double slotSeconds) {
    SlotJob out = shape.job;
    out.arrival = first;
    // A job whose loss is low enough already has to be placed all the same, in order to end.
    out.samples = std::max(1.0, view.speed().remainingUpdates(id)) * shape.samplesPerUpdate;
    out.slotSeconds = slotSeconds;
    out.startsAfter = (begin - view.workload().job(id).arrival).toSeconds();
    out.endCounts = true;
    return out;
}

Placement placementOf(const SlotTasks& tasks) {
    Placement out;
    for (const auto& on : tasks.on) {
        out.workers.insert(out.workers.end(), static_cast<std::size_t>(on.workers), MachineId(on.machine));
        out.servers.insert(out.servers.end(), static_cast<std::size_t>(on.servers), MachineId(on.machine));
    }
    return out;
}

} // namespace trainyard
