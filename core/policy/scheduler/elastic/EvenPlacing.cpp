// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/elastic/EvenPlacing.h"

#include "planning/TaskPlacer.h"

#include <algorithm>

namespace trainyard {

namespace count_placing {

std::size_t dominantOf(const ResourceVector& demand, const ResourceVector& capacity) {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t r = 0; r < demand.size(); ++r) {
        if (capacity.micro(r) <= 0) continue;
        const double share = static_cast<double>(demand.micro(r)) / static_cast<double>(capacity.micro(r));
        if (share > most) {
            most = share;
            best = r;
        }
    }
    return best;
}

/// The least loaded machines that hold any of the tasks, `most` at most.
std::vector<MachineId> leastLoaded(const Job& job, int servers, FreeCapacity& free, std::size_t resource,
                                   std::size_t most) {
    struct Alike {
        std::int64_t amount;
        const FreeCapacity::Group* group;
    };
    std::vector<Alike> order;
    for (const auto& [key, group] : free.groups())
        if (job.workerDemand.fitsIn(key.free) || (servers > 0 && job.serverDemand.fitsIn(key.free)))
            order.push_back({key.free.micro(resource), &group});
    std::sort(order.begin(), order.end(), [](const Alike& a, const Alike& b) {
        return a.amount != b.amount ? a.amount > b.amount : *a.group->machines.begin() < *b.group->machines.begin();
    });
    std::vector<MachineId> out;
    for (const Alike& alike : order)
        for (const auto machine : alike.group->machines) {
            if (out.size() == most) return out;
            out.emplace_back(machine);
        }
    return out;
}

/// How many of `count` tasks, dealt one by one over k machines from the one numbered `first` on, the machine `at` gets.
std::int64_t dealt(int count, std::size_t k, std::size_t first, std::size_t at) {
    const auto n = static_cast<std::size_t>(count);
    return static_cast<std::int64_t>(n / k + ((at + k - first) % k < n % k ? 1 : 0));
}

bool fitsEvenly(const Job& job, int workers, int servers, const FreeCapacity& free,
                std::span<const MachineId> machines) {
    const std::size_t k = machines.size(), first = static_cast<std::size_t>(workers) % k;
    for (std::size_t i = 0; i < k; ++i)
        if (!(job.workerDemand.times(dealt(workers, k, 0, i)) + job.serverDemand.times(dealt(servers, k, first, i)))
                 .fitsIn(free.of(machines[i])))
            return false;
    return true;
}

} // namespace count_placing

std::optional<Placement> placeEvenly(const Workload& workload, const Job& job, int workers, int servers,
                                     FreeCapacity& free, const ResourceVector& capacity) {
    using namespace count_placing;
    const auto tasks = static_cast<std::size_t>(workers + servers);
    if (tasks == 0) return Placement{};
    const ResourceVector demand = job.workerDemand.times(workers) + job.serverDemand.times(servers);
    if (!demand.fitsIn(free.total())) return std::nullopt;
    const std::size_t resource = dominantOf(demand, capacity);
    const auto machines = leastLoaded(job, servers, free, resource, tasks);
    std::int64_t room = 0;
    for (std::size_t k = 1; k <= machines.size(); ++k) {
        room += free.of(machines[k - 1]).micro(resource);
        if (room < demand.micro(resource)) continue;
        if (!fitsEvenly(job, workers, servers, free, std::span(machines).first(k))) continue;
        Placement out;
        for (std::size_t w = 0; w < static_cast<std::size_t>(workers); ++w) out.workers.push_back(machines[w % k]);
        for (std::size_t p = static_cast<std::size_t>(workers); p < tasks; ++p) out.servers.push_back(machines[p % k]);
        takeTasks(job, out, free);
        return out;
    }
    return placeTasks(workload, job, workers, servers, free, PlacingStrategy::pack);
}

} // namespace trainyard
