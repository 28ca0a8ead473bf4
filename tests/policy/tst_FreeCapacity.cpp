// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is free, grouped; and that placing by groups of machines gives what placing machine by machine gives.
#include "base/Random.h"
#include "planning/TaskPlacer.h"
#include "support/TestMain.h"

#include <algorithm>
#include <set>

using namespace trainyard;

class tst_FreeCapacity : public QObject {
    Q_OBJECT
private slots:
    void groupsFollowChanges_data();
    void groupsFollowChanges();
    void scratchesAreUndone();
    void placingMachineByMachine_data();
    void placingMachineByMachine();
};

namespace {

ResourceVector amounts(RandomStream& random, int most) {
    return ResourceVector::of(
        {double(random.below(std::uint64_t(most) + 1)), double(random.below(std::uint64_t(most) + 1))});
}

Workload randomMachines(RandomStream& random, std::size_t machines) {
    Workload out;
    out.cluster.resourceNames = {"cpu", "gpu"};
    const std::vector<ResourceVector> models{ResourceVector::of({8, 4}), ResourceVector::of({12, 2}),
                                             ResourceVector::of({6, 6})};
    for (std::size_t m = 0; m < machines; ++m) {
        Machine machine{.key = "m" + std::to_string(m),
                        .rack = m % 7 == 0 ? "" : "r" + std::to_string(random.below(3))};
        machine.capacity = models[random.below(3)];
        out.cluster.machines.push_back(machine);
    }
    return out;
}

/// The definition, without groups: again and again the machine that holds most of what remains (workers first, then servers
/// in what they leave); among equals the one with the least share free, then the first.
bool packEachMachine(const Workload& workload, const Job& job, int workers, int servers,
                     std::vector<ResourceVector>& free, const std::vector<std::size_t>& machines, Placement& out) {
    std::set<std::size_t> used;
    while (workers + servers > 0) {
        std::size_t best = free.size();
        std::int64_t bestWorkers = 0, bestServers = 0;
        for (const auto m : machines) {
            const auto w = job.workerDemand.copiesIn(free[m], workers);
            const auto s = servers > 0 ? job.serverDemand.copiesIn(free[m] - job.workerDemand.times(w), servers) : 0;
            if (used.contains(m) || w + s == 0 || w + s < bestWorkers + bestServers) continue;
            const auto share = [&](std::size_t i) {
                return dominantShare(free[i], workload.cluster.machines[i].capacity);
            };
            if (best < free.size() && w + s == bestWorkers + bestServers && share(m) >= share(best)) continue;
            best = m;
            bestWorkers = w;
            bestServers = s;
        }
        if (best == free.size()) return false;
        used.insert(best);
        out.workers.insert(out.workers.end(), std::size_t(bestWorkers), MachineId(best));
        out.servers.insert(out.servers.end(), std::size_t(bestServers), MachineId(best));
        free[best] -= job.workerDemand.times(bestWorkers) + job.serverDemand.times(bestServers);
        workers -= int(bestWorkers);
        servers -= int(bestServers);
    }
    return true;
}

/// One task after another to the machine with most of the resource free of which the task takes the greatest share.
bool spreadEachMachine(const Workload& workload, const ResourceVector& demand, int count,
                       std::vector<ResourceVector>& free, std::vector<MachineId>& out) {
    const ResourceVector total = workload.cluster.totalCapacity();
    const std::size_t r = demand.amount(1) / total.amount(1) > demand.amount(0) / total.amount(0) ? 1 : 0;
    for (; count > 0; --count) {
        std::size_t best = free.size();
        for (std::size_t m = 0; m < free.size(); ++m)
            if (demand.fitsIn(free[m]) && (best == free.size() || free[m].micro(r) > free[best].micro(r))) best = m;
        if (best == free.size()) return false;
        free[best] -= demand;
        out.push_back(MachineId(best));
    }
    return true;
}

std::optional<Placement> placeEachMachine(const Workload& workload, const Job& job, int workers, int servers,
                                          std::vector<ResourceVector> free, PlacingStrategy strategy) {
    Placement out;
    std::vector<std::size_t> all;
    for (std::size_t m = 0; m < free.size(); ++m) all.push_back(m);
    if (strategy == PlacingStrategy::spread) {
        const bool placed = spreadEachMachine(workload, job.workerDemand, workers, free, out.workers) &&
                            spreadEachMachine(workload, job.serverDemand, servers, free, out.servers);
        return placed ? std::optional(out) : std::nullopt;
    }
    std::optional<Placement> best;
    double least = 0;
    std::vector<std::string> racks;
    for (const Machine& machine : workload.cluster.machines)
        if (!machine.rack.empty() && std::find(racks.begin(), racks.end(), machine.rack) == racks.end())
            racks.push_back(machine.rack);
    for (const auto& rack : strategy == PlacingStrategy::rack ? racks : std::vector<std::string>{}) {
        std::vector<std::size_t> members;
        for (const auto m : all)
            if (workload.cluster.machines[m].rack == rack) members.push_back(m);
        auto rest = free;
        Placement here;
        if (!packEachMachine(workload, job, workers, servers, rest, members, here)) continue;
        double left = 0;
        for (const auto m : members) left += dominantShare(rest[m], workload.cluster.machines[m].capacity);
        if (best && left >= least) continue;
        best = here;
        least = left;
    }
    if (best) return best;
    return packEachMachine(workload, job, workers, servers, free, all, out) ? std::optional(out) : std::nullopt;
}

/// Every machine that is up in the group of its model and amount, and nowhere else.
void checkGroups(FreeCapacity& free, const Workload& workload) {
    std::set<std::uint32_t> met;
    ResourceVector total;
    for (const auto& [key, group] : free.groups()) {
        QVERIFY(!group.machines.empty());
        for (const auto m : group.machines) {
            QVERIFY(met.insert(m).second);
            QVERIFY(free.of(MachineId(m)) == key.free);
            QCOMPARE(group.share, dominantShare(key.free, workload.cluster.machines[m].capacity));
            total += key.free;
        }
    }
    for (std::uint32_t m = 0; m < free.machineCount(); ++m) QCOMPARE(met.contains(m), free.isUp(MachineId(m)));
    QVERIFY(total == free.total());
}

} // namespace

void tst_FreeCapacity::groupsFollowChanges_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 20; ++seed) QTest::addRow("seed %d", seed) << seed;
}

void tst_FreeCapacity::groupsFollowChanges() {
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test, 31);
    const Workload workload = randomMachines(random, 1 + random.below(12));
    FreeCapacity free(workload.cluster);
    const auto change = [&] {
        const MachineId machine(random.below(free.machineCount()));
        const ResourceVector demand = amounts(random, 2);
        if (random.below(8) == 0)
            free.setUp(machine, random.below(2) == 0, workload.machine(machine).capacity);
        else if (free.isUp(machine) && random.below(2) == 0)
            free.take(machine, demand, 1 + int(random.below(3)));
        else if (free.isUp(machine))
            free.give(machine, demand);
    };
    for (int round = 0; round < 40; ++round) {
        for (auto changes = random.below(6); changes > 0; --changes) change();
        checkGroups(free, workload);
    }
}

void tst_FreeCapacity::scratchesAreUndone() {
    RandomStream random(1, Purpose::test, 32);
    const Workload workload = randomMachines(random, 8);
    FreeCapacity free(workload.cluster);
    const auto amountsNow = [&] {
        std::vector<double> out;
        for (std::size_t m = 0; m < 8; ++m)
            for (std::size_t r = 0; r < 2; ++r) out.push_back(free.of(MachineId(m)).amount(r));
        return out;
    };
    for (int round = 0; round < 50; ++round) {
        free.take(MachineId(random.below(8)), amounts(random, 1));
        const auto outer = amountsNow();
        {
            const FreeCapacity::Scratch first(free);
            for (int i = 0; i < 5; ++i) free.take(MachineId(random.below(8)), amounts(random, 1));
            if (round % 2 == 0) free.groups();
            const auto inner = amountsNow();
            {
                const FreeCapacity::Scratch second(free);
                for (int i = 0; i < 5; ++i) free.give(MachineId(random.below(8)), amounts(random, 1));
                if (round % 3 == 0) free.groups();
            }
            QCOMPARE(amountsNow(), inner);
            checkGroups(free, workload);
        }
        QCOMPARE(amountsNow(), outer);
        checkGroups(free, workload);
    }
}

void tst_FreeCapacity::placingMachineByMachine_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 400; ++seed) QTest::addRow("seed %d", seed) << seed;
}

void tst_FreeCapacity::placingMachineByMachine() {
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test, 33);
    const Workload workload = randomMachines(random, 1 + random.below(15));
    FreeCapacity free(workload.cluster);
    std::vector<ResourceVector> amount;
    for (std::size_t m = 0; m < free.machineCount(); ++m) {
        ResourceVector left = workload.cluster.machines[m].capacity;
        for (auto tasks = random.below(5); tasks > 0; --tasks)
            if (const auto demand = amounts(random, 2); demand.fitsIn(left)) left -= demand;
        free.set(MachineId(m), left);
        amount.push_back(left);
    }
    for (int tries = 0; tries < 10; ++tries) {
        Job job;
        job.workerDemand = ResourceVector::of({1 + double(random.below(3)), double(random.below(3))});
        job.serverDemand = ResourceVector::of({1 + double(random.below(2)), double(random.below(2))});
        const int workers = int(random.below(9)) + 1, servers = int(random.below(4));
        for (const auto strategy : {PlacingStrategy::pack, PlacingStrategy::spread, PlacingStrategy::rack}) {
            const auto expected = placeEachMachine(workload, job, workers, servers, amount, strategy);
            const FreeCapacity::Scratch scratch(free);
            const auto placed = placeTasks(workload, job, workers, servers, free, strategy);
            QCOMPARE(placed.has_value(), expected.has_value());
            if (placed)
                QVERIFY2(*placed == *expected,
                         qPrintable(QStringLiteral("strategy %1, try %2").arg(int(strategy)).arg(tries)));
            ResourceVector total;
            for (const auto& a : amount) total += a;
            if (placed) total -= job.workerDemand.times(workers) + job.serverDemand.times(servers);
            QVERIFY(free.total() == total);
        }
    }
}

TRAINYARD_TEST(tst_FreeCapacity)
#include "tst_FreeCapacity.moc"
