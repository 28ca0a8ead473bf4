// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Placing tasks, the graph look-ahead, the partitioners, and the registry as a list.
#include "planning/GraphLookahead.h"
#include "planning/TaskPlacer.h"
#include "policy/Registry.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

#include <limits>
#include <set>

using namespace trainyard;
using test::machineWith;
using test::workerJob;

class tst_Planning : public QObject {
    Q_OBJECT
private slots:
    void packUsesTheFewestMachines_data();
    void packUsesTheFewestMachines();
    void packPrefersTheFullest();
    void packLooksAgainOnceWorkersArePlaced();
    void spreadTakesTheEmptiest();
    void rackStaysInOneIfItCan();
    void failureLeavesFreeUntouched();
    void stepByHand();
    void stepWithoutCommunicationIsSequentialOverDegree();
    void devicesOfAPlacement();
    void partitionersChoose();
    void randomPartitionerIsUniform();
    void registryIsConsistent();
    void combinationsRefused();
};

static Workload machinesWith(const std::vector<double>& cpus, std::size_t perRack = 0) {
    Workload out;
    out.cluster.resourceNames = {"cpu"};
    for (std::size_t m = 0; m < cpus.size(); ++m)
        out.cluster.machines.push_back(
            machineWith("m" + std::to_string(m), {cpus[m]}, perRack ? "r" + std::to_string(m / perRack) : ""));
    return out;
}

static std::vector<ResourceVector> freeOf(const Workload& workload) {
    std::vector<ResourceVector> out;
    for (const auto& m : workload.cluster.machines) out.push_back(m.capacity);
    return out;
}

static std::vector<std::size_t> indices(const std::vector<MachineId>& machines) {
    std::vector<std::size_t> out;
    for (MachineId m : machines) out.push_back(m.index());
    return out;
}

void tst_Planning::packUsesTheFewestMachines_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 60; ++seed) QTest::addRow("seed %d", seed) << seed;
}

void tst_Planning::packUsesTheFewestMachines() {
    // For equal tasks the least number of machines is that of the roomiest ones: sort by room, take until it
    // is enough.
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test, 8);
    std::vector<double> cpus;
    for (int m = 0; m < 8; ++m) cpus.push_back(double(random.below(9)));
    const auto workload = machinesWith(cpus);
    const Job job = workerJob("j", 0, {2});
    const int workers = 1 + int(random.below(14));
    std::vector<int> room;
    for (double c : cpus) room.push_back(int(c) / 2);
    std::sort(room.rbegin(), room.rend());
    int least = 0, sum = 0;
    while (least < 8 && sum < workers) sum += room[std::size_t(least++)];
    auto free = freeOf(workload);
    const auto placement = placeTasks(workload, job, workers, 0, free, PlacingStrategy::pack);
    QCOMPARE(placement.has_value(), sum >= workers);
    if (!placement) return;
    auto used = indices(placement->workers);
    QCOMPARE(int(used.size()), workers);
    for (auto m : used) free[m] += job.workerDemand;
    QVERIFY(free == freeOf(workload)); // exactly what was placed had been taken
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    QCOMPARE(int(used.size()), least);
}

void tst_Planning::packPrefersTheFullest() {
    // 3 tasks of 2 fit on m0 (8 free of 8), m1 (6 of 8) and m2 (6 of 12): m2 is fullest in share (1/2).
    Workload workload = machinesWith({8, 8, 12});
    std::vector<ResourceVector> free{ResourceVector::of({8}), ResourceVector::of({6}), ResourceVector::of({6})};
    const auto placement = placeTasks(workload, workerJob("j", 0, {2}), 3, 0, free, PlacingStrategy::pack);
    QCOMPARE(indices(placement->workers), (std::vector<std::size_t>{2, 2, 2}));
}

void tst_Planning::packLooksAgainOnceWorkersArePlaced() {
    // 2 workers of 3 and 4 servers of 1, on 2, 3 and 7. m2 holds most: both workers and a server. Then m1, which held one
    // task at first (a worker), holds all three servers that are left; m0 holds two.
    const auto workload = machinesWith({2, 3, 7});
    auto free = freeOf(workload);
    Job job = workerJob("j", 0, {3});
    job.serverDemand = ResourceVector::of({1});
    const auto placement = placeTasks(workload, job, 2, 4, free, PlacingStrategy::pack);
    QCOMPARE(indices(placement->workers), (std::vector<std::size_t>{2, 2}));
    QCOMPARE(indices(placement->servers), (std::vector<std::size_t>{2, 1, 1, 1}));
}

void tst_Planning::spreadTakesTheEmptiest() {
    // 6, 4, 4 free; tasks of 2: m0 (6→4), then a tie of three at 4: m0, m1, m2 in order of id; the server (1)
    // goes to m0, where 2 are left as everywhere else.
    Workload workload = machinesWith({6, 4, 4});
    auto free = freeOf(workload);
    Job job = workerJob("j", 0, {2});
    job.serverDemand = ResourceVector::of({1});
    const auto placement = placeTasks(workload, job, 4, 1, free, PlacingStrategy::spread);
    QCOMPARE(indices(placement->workers), (std::vector<std::size_t>{0, 0, 1, 2}));
    QCOMPARE(indices(placement->servers), std::vector<std::size_t>{0});
}

void tst_Planning::rackStaysInOneIfItCan() {
    // Racks {3, 3}, {2, 8}, {4, 4}. 7 tasks of 1: r1 (10) and r2 (8) can; r2 has less left over. 9: only r1.
    // 11: none, so as pack: m3 (8), then the machine that holds the remaining three and is fullest.
    const auto workload = machinesWith({3, 3, 2, 8, 4, 4}, 2);
    const auto racks = [&](int workers) {
        auto free = freeOf(workload);
        auto used =
            indices(placeTasks(workload, workerJob("j", 0, {1}), workers, 0, free, PlacingStrategy::rack)->workers);
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        return used;
    };
    QCOMPARE(racks(7), (std::vector<std::size_t>{4, 5}));
    QCOMPARE(racks(9), (std::vector<std::size_t>{2, 3}));
    QCOMPARE(racks(11), (std::vector<std::size_t>{0, 3}));
}

void tst_Planning::failureLeavesFreeUntouched() {
    const auto workload = machinesWith({3, 3, 5, 1}, 2);
    Job job = workerJob("j", 0, {2});
    job.serverDemand = ResourceVector::of({3});
    for (const auto strategy : {PlacingStrategy::pack, PlacingStrategy::spread, PlacingStrategy::rack}) {
        auto free = freeOf(workload);
        QVERIFY(!placeTasks(workload, job, 4, 1, free, strategy));
        QVERIFY(free == freeOf(workload));
        QVERIFY(placeTasks(workload, job, 2, 1, free, strategy));
    }
}

/// A: 2 s forward, 4 s backward, hands on 100 bytes, 50 bytes of parameters. B: 1 s, 2 s.
static ComputationGraph twoOperations() { return {{{"A", 2, 4, 100, 50}, {"B", 1, 2, 10, 0}}, {{0, 1}}}; }

void tst_Planning::stepByHand() {
    // Two devices, 10 bytes/s, 0.5 s latency. A's halves end at 1; half of 100 bytes: 0.5 + 5 = 5.5 s; B
    // forward 6.5–7, backward 7–8; back again 5.5: A backward 13.5–15.5; its gradient: 2 (0.5 + 25/10) = 6:
    // the step ends at 21.5.
    QCOMPARE(stepSeconds(twoOperations(), 2, {{1, 1}, 10, 0.5}), 21.5);
    QCOMPARE(stepSeconds(twoOperations(), 1, {{1}, 10, 0.5}), 9.0);
    QCOMPARE(stepSeconds(twoOperations(), 1, {{3}, 0, 0}), 3.0);
    // A slow second device: A 1 and 2, B from 2 (no communication): 2–2.5 and 2–3, back 3–4 and 3–5, A 5–7
    // and 5–9.
    QCOMPARE(stepSeconds(twoOperations(), 2, {{1, 0.5}, std::numeric_limits<double>::infinity(), 0}), 9.0);
    QCOMPARE(stepSeconds(twoOperations(), 2, {{1, 1}, 0, 0}), std::numeric_limits<double>::infinity());
}

void tst_Planning::stepWithoutCommunicationIsSequentialOverDegree() {
    RandomStream random(1, Purpose::test, 9);
    ComputationGraph graph;
    for (std::uint32_t v = 0; v < 30; ++v) {
        graph.operations.push_back({"op", random.unit(), random.unit(), 1e6, 1e6});
        for (std::uint32_t u = 0; u < v; ++u)
            if (random.below(8) == 0) graph.dependencies.push_back({u, v});
    }
    for (int degree : {1, 2, 5}) {
        const LookaheadDevices free{std::vector<double>(5, 1), std::numeric_limits<double>::infinity(), 0};
        const double ideal = graph.sequentialSeconds() / degree;
        QVERIFY(std::abs(stepSeconds(graph, degree, free) - ideal) < 1e-9);
        const LookaheadDevices costly{std::vector<double>(5, 1), 1e9, 1e-3};
        QVERIFY(degree == 1 || stepSeconds(graph, degree, costly) > ideal);
    }
}

void tst_Planning::devicesOfAPlacement() {
    Workload workload = machinesWith({4, 4, 4});
    workload.cluster.devices = {{"fast", 2}};
    workload.cluster.machines[1].device = "fast";
    workload.cluster.links = {{"", "m0", "m1", 100, Duration::seconds(0.25)}, {"", "m1", "m2", 50, {}}};
    const std::vector<MachineId> machines{MachineId(0), MachineId(1), MachineId(2)};
    const auto all = lookaheadDevices(workload.cluster, machines);
    QCOMPARE(all.speeds, (std::vector<double>{1, 2, 1}));
    QCOMPARE(all.bandwidth, 50.0);
    QCOMPARE(all.latencySeconds, 0.25);
    const std::vector<MachineId> twice{MachineId(0), MachineId(0)};
    QVERIFY(std::isinf(lookaheadDevices(workload.cluster, twice).bandwidth));
    workload.cluster.localBandwidth = 7;
    QCOMPARE(lookaheadDevices(workload.cluster, twice).bandwidth, 7.0);
}

namespace {
class FakePartitionView final : public PartitionView {
public:
    explicit FakePartitionView(std::vector<int> degrees) : m_state(std::make_shared<const Workload>()) {
        for (const int degree : degrees)
            m_options.push_back({.degree = degree,
                                 .state = 100.0 / degree <= 60 ? OptionState::inTime : OptionState::late,
                                 .allowed = true,
                                 .seconds = 100.0 / degree});
    }
    const ClusterState& state() const override { return m_state; }
    JobId job() const override { return JobId(std::size_t{0}); }
    std::span<const GraphOption> options() const override { return m_options; }
    double deadlineSeconds() const override { return 60; }
    double deadlineFraction() const override { return 0.6; }

private:
    ClusterState m_state;
    std::vector<GraphOption> m_options;
};

std::optional<int> askPartitioner(const std::string& id, std::vector<int> degrees, std::uint32_t call = 0,
                                  ExplanationArena* arena = nullptr) {
    RandomStream random(5, Purpose::policy, 0, call);
    std::vector<std::uint32_t> explained;
    const FakePartitionView view(std::move(degrees));
    return Registry::builtin().makePartitioner({id, {}})->degree({SimTime{}, random, arena, &explained}, view);
}
} // namespace

void tst_Planning::partitionersChoose() {
    QCOMPARE(askPartitioner("none", {1, 2, 4}), std::optional(1));
    QCOMPARE(askPartitioner("none", {2, 4}), std::nullopt);
    QCOMPARE(askPartitioner("max", {1, 2, 4}), std::optional(4));
    for (const char* id : {"none", "max", "random"}) {
        ExplanationArena arena;
        QCOMPARE(askPartitioner(id, {}, 0, &arena), std::nullopt);
        askPartitioner(id, {1, 2, 4, 8}, 3, &arena);
        QCOMPARE(arena.all().size(), std::size_t{2});
        for (const auto& why : arena.all()) QCOMPARE(why.evaluate(), why.chosen);
        QCOMPARE(arena.all()[1].candidates.size(), std::size_t{4});
        QCOMPARE(arena.all()[1].candidates[2].numbers[1].value, 25.0); // completion_s at 4
    }
}

void tst_Planning::randomPartitionerIsUniform() {
    // 4000 draws of 4: χ² with 3 degrees of freedom, below 21.1 with probability 0.9999.
    std::map<int, int> counts;
    for (std::uint32_t call = 0; call < 4000; ++call) ++counts[*askPartitioner("random", {1, 2, 4, 8}, call)];
    double chi = 0;
    for (int degree : {1, 2, 4, 8}) chi += (counts[degree] - 1000.0) * (counts[degree] - 1000.0) / 1000;
    QVERIFY2(chi < 21.1, qPrintable(QString::number(chi)));
}

void tst_Planning::registryIsConsistent() {
    const Registry registry = Registry::builtin();
    for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                              PolicyFamily::partitioner}) {
        std::set<std::string> ids;
        for (const auto* info : registry.list(family)) {
            QVERIFY(ids.insert(info->id).second);
            QCOMPARE(registry.find(family, info->id), info);
            QVERIFY(!info->label.empty() && info->summary.back() == '.');
            QVERIFY(registry.check(family, {info->id, info->schema.complete({})}, "").empty());
            for (const auto& field : info->schema.fields()) QVERIFY(!field.label.empty() && field.help.back() == '.');
        }
        QVERIFY(!ids.empty());
    }
    QCOMPARE(registry.check(PolicyFamily::scheduler, {"nonesuch", {}}, "/s").front().code,
             std::string("unknown-policy"));
}

void tst_Planning::combinationsRefused() {
    const Registry registry = Registry::builtin();
    Job job = workerJob("j", 0, {1}, {1, 4});
    const auto backups = [](std::int64_t b) { return Choice{"backup-workers", {{"backups", b}}}; };
    QVERIFY(!registry.incompatible(job, backups(3), {"static", {}}));
    QVERIFY(registry.incompatible(job, backups(4), {"static", {}}));
    QVERIFY(!registry.incompatible(job, {"fastest-k", {{"k", std::int64_t{9}}}}, {"static", {}}));
    QVERIFY(registry.compatibilityWarning(
        job, {"fastest-k", {{"k", std::int64_t{9}}}})); // it waits for all four, and says so
    QVERIFY(!registry.compatibilityWarning(job, {"fastest-k", {{"k", std::int64_t{4}}}}));
    QVERIFY(registry.compatibilityWarning(job, {"adaptive-k", {{"first_k", std::int64_t{5}}}}));
    // A batch of 32: 0.5/32 rounds to one sample, less to none.
    const auto load = [](double share) { return Choice{"fastest-k", {{"load", share}}}; };
    QVERIFY(!registry.incompatible(job, load(0.5 / 32), {"static", {}}));
    QVERIFY(registry.incompatible(job, load(0.4 / 32), {"static", {}})->english().find("leaves no sample") !=
            std::string::npos);
    const auto coding = [](const char* code, std::int64_t s) {
        return Choice{"gradient-coding", {{"code", std::string(code)}, {"stragglers", s}}};
    };
    QVERIFY(!registry.incompatible(job, coding("fractional-repetition", 1), {"static", {}}));
    QVERIFY(registry.incompatible(job, coding("fractional-repetition", 2), {"static", {}})); // teams of 3 of 4 workers
    QVERIFY(!registry.incompatible(job, coding("cyclic", 3), {"static", {}}));
    QVERIFY(registry.incompatible(job, coding("cyclic", 4), {"static", {}}));
    // 100 features, batch 1, one gradient: 2/(1 + 101/1) = 0.0196.
    TrainedWork stream;
    stream.model.id = "linear-regression";
    stream.dataset.id = "gaussian-stream";
    stream.optimizer = {"sgd", {{"learning_rate", 0.02}}};
    stream.batch = 1;
    job.work = stream;
    QVERIFY(registry.compatibilityWarning(job, {"fastest-k", {{"k", std::int64_t{1}}}}));
    QVERIFY(!registry.compatibilityWarning(job, {"fastest-k", {{"k", std::int64_t{2}}}})); // 2/(1 + 101/2) = 0.0388
    job.work = GraphWork{};
    QVERIFY(!registry.incompatible(job, backups(4), {"static", {}}));
}

TRAINYARD_TEST(tst_Planning)
#include "tst_Planning.moc"
