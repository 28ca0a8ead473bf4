#include "planning/TaskPlacer.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace trainyard {

namespace placing {

using Machines = std::vector<std::uint32_t>;

/// What has been taken so far, so that a failure can be undone.
struct Attempt {
    const Job& job;
    std::span<ResourceVector> free;
    Placement placement;

    void put(bool worker, std::uint32_t machine) {
        free[machine] -= worker ? job.workerDemand : job.serverDemand;
        (worker ? placement.workers : placement.servers).emplace_back(machine);
    }
    void undo() {
        for (MachineId m : placement.workers) free[m.index()] += job.workerDemand;
        for (MachineId m : placement.servers) free[m.index()] += job.serverDemand;
        placement = {};
    }
};

/// How full a machine is for pack: the greatest share of its capacity that is free (0 = full).
double freeShare(const Workload& workload, std::span<const ResourceVector> free, std::uint32_t machine) {
    return dominantShare(free[machine], workload.cluster.machines[machine].capacity);
}

/// What a machine can hold of the tasks that remain: workers first, then servers in what they leave.
struct Holds {
    int workers = 0, servers = 0;
    int total() const { return workers + servers; }
};

Holds holds(const Job& job, const ResourceVector& free, int workers, int servers) {
    Holds out;
    out.workers = static_cast<int>(job.workerDemand.copiesIn(free, workers));
    if (servers > 0)
        out.servers =
            static_cast<int>(job.serverDemand.copiesIn(free - job.workerDemand.times(out.workers), servers));
    return out;
}

/// Fewest machines, greedily: again and again the machine that holds most of what remains; among equals the
/// fullest, then the lowest id. What a machine could hold of the whole job bounds what it holds of the rest,
/// so few are re-examined.
bool pack(const Workload& workload, Attempt& attempt, int workers, int servers, const Machines& machines) {
    std::vector<int> bound(machines.size());
    std::int64_t room = 0;
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const ResourceVector& free = attempt.free[machines[i]];
        const auto w = attempt.job.workerDemand.copiesIn(free, workers);
        const auto s = servers > 0 ? attempt.job.serverDemand.copiesIn(free, servers) : 0;
        bound[i] = static_cast<int>(w + s);
        room += bound[i];
    }
    if (room < workers + servers) return false;
    while (workers + servers > 0) {
        Holds best;
        std::size_t chosen = machines.size();
        for (std::size_t i = 0; i < machines.size(); ++i) {
            const int atMost = std::min(bound[i], workers + servers);
            if (atMost == 0 || atMost < best.total()) continue;
            const Holds here = holds(attempt.job, attempt.free[machines[i]], workers, servers);
            bound[i] = here.total(); // it can only shrink from here on
            if (here.total() == 0 || here.total() < best.total()) continue;
            const bool fuller = chosen == machines.size() || here.total() > best.total() ||
                                freeShare(workload, attempt.free, machines[i]) <
                                    freeShare(workload, attempt.free, machines[chosen]);
            if (!fuller) continue;
            best = here;
            chosen = i;
        }
        if (chosen == machines.size()) return false;
        for (int n = 0; n < best.workers; ++n) attempt.put(true, machines[chosen]);
        for (int n = 0; n < best.servers; ++n) attempt.put(false, machines[chosen]);
        workers -= best.workers;
        servers -= best.servers;
        bound[chosen] = 0;
    }
    return true;
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

/// One task after another to the machine with most of its dominant resource free.
bool spreadTasks(Attempt& attempt, bool worker, int count, std::size_t resource, const Machines& machines) {
    const ResourceVector& demand = worker ? attempt.job.workerDemand : attempt.job.serverDemand;
    const auto worse = [&](std::uint32_t a, std::uint32_t b) {
        const auto fa = attempt.free[a].micro(resource), fb = attempt.free[b].micro(resource);
        return fa != fb ? fa < fb : a > b;
    };
    Machines heap;
    for (auto m : machines)
        if (demand.fitsIn(attempt.free[m])) heap.push_back(m);
    std::make_heap(heap.begin(), heap.end(), worse);
    while (count > 0 && !heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), worse);
        const auto m = heap.back();
        attempt.put(worker, m);
        --count;
        if (demand.fitsIn(attempt.free[m]))
            std::push_heap(heap.begin(), heap.end(), worse);
        else
            heap.pop_back();
    }
    return count == 0;
}

bool spread(const Workload& workload, Attempt& attempt, int workers, int servers, const Machines& machines) {
    const ResourceVector total = workload.cluster.totalCapacity();
    return spreadTasks(attempt, true, workers, dominantResource(attempt.job.workerDemand, total), machines) &&
           spreadTasks(attempt, false, servers, dominantResource(attempt.job.serverDemand, total), machines);
}

/// The rack that the job fills best: the one with least left over that can hold it. False if none can.
bool packInRack(const Workload& workload, Attempt& attempt, int workers, int servers, const Machines& all) {
    std::map<std::string_view, Machines> racks;
    std::vector<std::string_view> order; // of first machine
    for (auto m : all) {
        const std::string& rack = workload.cluster.machines[m].rack;
        if (rack.empty()) continue;
        auto& members = racks[rack];
        if (members.empty()) order.push_back(rack);
        members.push_back(m);
    }
    std::string_view best;
    double least = 0;
    for (const auto rack : order) {
        if (!pack(workload, attempt, workers, servers, racks[rack])) {
            attempt.undo();
            continue;
        }
        double left = 0;
        for (auto m : racks[rack]) left += freeShare(workload, attempt.free, m);
        attempt.undo();
        if (best.empty() || left < least) {
            best = rack;
            least = left;
        }
    }
    return !best.empty() && pack(workload, attempt, workers, servers, racks[best]);
}

} // namespace placing

std::optional<Placement> placeTasks(const Workload& workload, const Job& job, int workers, int servers,
                                    std::span<ResourceVector> free, PlacingStrategy strategy) {
    placing::Machines machines(free.size());
    for (std::uint32_t m = 0; m < machines.size(); ++m) machines[m] = m;
    placing::Attempt attempt{job, free, {}};
    bool placed = false;
    switch (strategy) {
    case PlacingStrategy::rack:
        placed = placing::packInRack(workload, attempt, workers, servers, machines);
        if (placed) break;
        attempt.undo();
        [[fallthrough]];
    case PlacingStrategy::pack:
        placed = placing::pack(workload, attempt, workers, servers, machines);
        break;
    case PlacingStrategy::spread:
        placed = placing::spread(workload, attempt, workers, servers, machines);
        break;
    }
    if (placed) return std::move(attempt.placement);
    attempt.undo();
    return std::nullopt;
}

} // namespace trainyard
