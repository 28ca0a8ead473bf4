// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/TaskPlacer.h"

#include <algorithm>

namespace trainyard {

namespace placing {

/// Machines to choose among that are alike: one, or a group of which the lowest id is next.
struct Choice {
    const ResourceVector* free = nullptr;
    double share = 0; ///< the greatest share of its capacity that is free: how full it is for pack (0 = full)
    std::uint32_t machine = 0;
    const std::set<std::uint32_t>* group = nullptr; ///< null: this machine alone
    int bound = 0;                                  ///< of the tasks that one of them can hold; 0: none is left
};

/// What a machine can hold of the tasks that remain: workers first, then servers in what they leave.
struct Holds {
    int workers = 0, servers = 0;
    int total() const { return workers + servers; }
};

/// What one machine is given.
struct Part {
    std::uint32_t machine = 0;
    Holds tasks;
};

Holds holds(const Job& job, const ResourceVector& free, int workers, int servers) {
    Holds out;
    out.workers = static_cast<int>(job.workerDemand.copiesIn(free, workers));
    if (servers > 0)
        out.servers = static_cast<int>(job.serverDemand.copiesIn(free - job.workerDemand.times(out.workers), servers));
    return out;
}

/// Of the tasks that remain, by each kind alone: at least as many as it holds of both.
int boundOf(const Job& job, const ResourceVector& free, int workers, int servers) {
    const auto copies = [&](const ResourceVector& demand, int count) {
        return count > 0 && demand.fitsIn(free) ? static_cast<int>(demand.copiesIn(free, count)) : 0;
    };
    return copies(job.workerDemand, workers) + copies(job.serverDemand, servers);
}

/// Fewest machines, greedily: again and again the machine that holds most of what remains; among equals the
/// fullest, then the lowest id. What a machine could hold of each kind alone bounds what it holds of the rest
/// (what it held of both at first does not: once the workers are placed there is room for more servers). Empty:
/// they do not fit.
std::vector<Part> pack(const Job& job, int workers, int servers, std::vector<Choice>& choices) {
    std::int64_t room = 0;
    for (const Choice& c : choices)
        room += static_cast<std::int64_t>(c.bound) * static_cast<std::int64_t>(c.group ? c.group->size() : 1);
    if (room < workers + servers) return {};
    std::vector<Part> parts;
    while (workers + servers > 0) {
        Holds best;
        Choice* chosen = nullptr;
        for (Choice& c : choices) {
            const int atMost = std::min(c.bound, workers + servers);
            if (atMost == 0 || atMost < best.total()) continue;
            const Holds here = holds(job, *c.free, workers, servers);
            if (here.total() == 0 || here.total() < best.total()) continue;
            if (chosen && here.total() == best.total() &&
                (c.share != chosen->share ? c.share > chosen->share : c.machine > chosen->machine))
                continue;
            best = here;
            chosen = &c;
        }
        if (!chosen) return {};
        parts.push_back({chosen->machine, best});
        workers -= best.workers;
        servers -= best.servers;
        const auto next =
            chosen->group ? chosen->group->upper_bound(chosen->machine) : std::set<std::uint32_t>::iterator{};
        if (chosen->group && next != chosen->group->end())
            chosen->machine = *next;
        else
            chosen->bound = 0;
    }
    return parts;
}

std::vector<Choice> allMachines(const Job& job, int workers, int servers, FreeCapacity& free) {
    std::vector<Choice> out;
    for (const auto& [key, group] : free.groups())
        if (const int bound = boundOf(job, key.free, workers, servers); bound > 0)
            out.push_back({&key.free, group.share, *group.machines.begin(), &group.machines, bound});
    return out;
}

/// The rack that the job fills best: the one with least left over that can hold it. Empty if none can.
std::vector<Part> packInRack(const Job& job, int workers, int servers, const FreeCapacity& free,
                             const Cluster& cluster) {
    std::vector<Part> best;
    double least = 0;
    for (const auto& rack : free.racks()) {
        std::vector<Choice> choices;
        for (const auto m : rack) {
            const ResourceVector& here = free.of(MachineId(m));
            if (const int bound = free.isUp(MachineId(m)) ? boundOf(job, here, workers, servers) : 0; bound > 0)
                choices.push_back({&here, free.share(MachineId(m)), m, nullptr, bound});
        }
        auto parts = pack(job, workers, servers, choices);
        if (parts.empty()) continue;
        double left = 0;
        for (const auto m : rack) {
            ResourceVector here = free.of(MachineId(m));
            for (const Part& part : parts)
                if (part.machine == m)
                    here -= job.workerDemand.times(part.tasks.workers) + job.serverDemand.times(part.tasks.servers);
            left += dominantShare(here, cluster.machines[m].capacity);
        }
        if (!best.empty() && left >= least) continue;
        best = std::move(parts);
        least = left;
    }
    return best;
}

Placement carryOut(const Job& job, const std::vector<Part>& parts, FreeCapacity& free) {
    Placement out;
    for (const Part& part : parts) {
        const MachineId machine(part.machine);
        out.workers.insert(out.workers.end(), static_cast<std::size_t>(part.tasks.workers), machine);
        out.servers.insert(out.servers.end(), static_cast<std::size_t>(part.tasks.servers), machine);
        if (part.tasks.workers > 0) free.take(machine, job.workerDemand, part.tasks.workers);
        if (part.tasks.servers > 0) free.take(machine, job.serverDemand, part.tasks.servers);
    }
    return out;
}

/// Index of the resource of which the demand takes the greatest share of the cluster.
std::size_t dominantResource(const ResourceVector& demand, const ResourceVector& total) {
    std::size_t best = 0;
    double share = -1;
    for (std::size_t r = 0; r < demand.size(); ++r) {
        if (total.micro(r) <= 0) continue;
        const double here = static_cast<double>(demand.micro(r)) / static_cast<double>(total.micro(r));
        if (here > share) {
            share = here;
            best = r;
        }
    }
    return best;
}

/// One task after another to the machine with most of its dominant resource free. False if not all fit.
bool spreadTasks(const ResourceVector& demand, int count, std::size_t resource, FreeCapacity& free,
                 std::vector<MachineId>& out) {
    for (; count > 0; --count) {
        MachineId best;
        std::int64_t most = 0;
        for (const auto& [key, group] : free.groups()) {
            const std::int64_t here = key.free.micro(resource);
            const MachineId first(*group.machines.begin());
            if (!demand.fitsIn(key.free) || (best.valid() && (here < most || (here == most && first > best)))) continue;
            best = first;
            most = here;
        }
        if (!best.valid()) return false;
        free.take(best, demand);
        out.push_back(best);
    }
    return true;
}

std::optional<Placement> spread(const Workload& workload, const Job& job, int workers, int servers,
                                FreeCapacity& free) {
    const ResourceVector total = workload.cluster.totalCapacity();
    Placement out;
    {
        const FreeCapacity::Scratch scratch(free);
        if (!spreadTasks(job.workerDemand, workers, dominantResource(job.workerDemand, total), free, out.workers) ||
            !spreadTasks(job.serverDemand, servers, dominantResource(job.serverDemand, total), free, out.servers))
            return std::nullopt;
    }
    takeTasks(job, out, free);
    return out;
}

} // namespace placing

std::optional<Placement> placeTasks(const Workload& workload, const Job& job, int workers, int servers,
                                    FreeCapacity& free, PlacingStrategy strategy) {
    if (workers + servers == 0) return Placement{};
    if (strategy == PlacingStrategy::spread) return placing::spread(workload, job, workers, servers, free);
    std::vector<placing::Part> parts;
    if (strategy == PlacingStrategy::rack) parts = placing::packInRack(job, workers, servers, free, workload.cluster);
    if (parts.empty()) {
        auto choices = placing::allMachines(job, workers, servers, free);
        parts = placing::pack(job, workers, servers, choices);
    }
    if (parts.empty()) return std::nullopt;
    return placing::carryOut(job, parts, free);
}

std::optional<Placement> placeTasks(const Workload& workload, const Job& job, int workers, int servers,
                                    std::span<ResourceVector> free, PlacingStrategy strategy) {
    FreeCapacity grouped(workload.cluster, free);
    auto placement = placeTasks(workload, job, workers, servers, grouped, strategy);
    if (placement)
        for (std::size_t m = 0; m < free.size(); ++m) free[m] = grouped.of(MachineId(m));
    return placement;
}

namespace {

bool sameMachines(std::vector<MachineId> a, std::vector<MachineId> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
}

/// `wanted` in an order in which tasks that stay keep their number, where that is below `numbers`.
std::vector<MachineId> inOrderOf(const std::vector<MachineId>& held, const std::vector<MachineId>& wanted,
                                 std::size_t numbers) {
    std::vector<MachineId> left = wanted, out(std::min(numbers, held.size()));
    std::sort(left.begin(), left.end());
    std::vector<std::size_t> taken(left.size(), 0); // at the first of equal machines: so many of them have stayed
    const auto take = [&](MachineId machine) {
        const auto [first, last] = std::equal_range(left.begin(), left.end(), machine);
        if (first == last) return false;
        auto& count = taken[static_cast<std::size_t>(first - left.begin())];
        return count < static_cast<std::size_t>(last - first) && ++count > 0;
    };
    for (std::size_t i = 0; i < out.size(); ++i)
        if (held[i].valid() && take(held[i])) out[i] = held[i];
    std::size_t free = 0;
    for (const MachineId machine : wanted) {
        const auto first = std::lower_bound(left.begin(), left.end(), machine);
        auto& stayed = taken[static_cast<std::size_t>(first - left.begin())];
        if (stayed > 0) {
            --stayed;
            continue;
        }
        while (free < out.size() && out[free].valid()) ++free;
        if (free == out.size()) out.emplace_back();
        out[free] = machine;
    }
    while (!out.empty() && !out.back().valid()) out.pop_back();
    return out;
}

} // namespace

Placement keepingNumbers(const Placement& held, Placement wanted, bool gaps) {
    if (wanted == held || held.empty()) return wanted;
    const bool keepsServers = gaps && !wanted.servers.empty() && sameMachines(held.servers, wanted.servers);
    const std::size_t numbers = keepsServers ? held.workers.size() : wanted.workers.size();
    return {inOrderOf(held.workers, wanted.workers, numbers),
            inOrderOf(held.servers, wanted.servers, wanted.servers.size())};
}

void takeTasks(const Job& job, const Placement& placement, FreeCapacity& free) {
    for (const MachineId m : placement.workers)
        if (m.valid() && free.isUp(m)) free.take(m, job.workerDemand);
    for (const MachineId m : placement.servers)
        if (m.valid() && free.isUp(m)) free.take(m, job.serverDemand);
}

void giveTasks(const Job& job, const Placement& placement, FreeCapacity& free) {
    for (const MachineId m : placement.workers)
        if (m.valid() && free.isUp(m)) free.give(m, job.workerDemand);
    for (const MachineId m : placement.servers)
        if (m.valid() && free.isUp(m)) free.give(m, job.serverDemand);
}

} // namespace trainyard
