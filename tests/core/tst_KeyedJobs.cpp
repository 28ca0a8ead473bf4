// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keyed jobs in virtual time: counts that an independent program gives, what windows, clones, faults and commands must not change,
// and that nothing added is lost.
#include "record/Metrics.h"
#include "support/KeyedLoop.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace trainyard;
using namespace trainyard::test;

namespace {

Choice replicating(std::int64_t keys) {
    return {"nups", {{"rule", std::string("most-frequent")}, {"replicate", keys}}};
}

std::unique_ptr<Simulation> begun(const Scenario& scenario, Duration window = Duration::max(), int threads = 1) {
    auto options = optionsFor(scenario, 1, threads);
    options.keyedWindow = window;
    auto made = Simulation::create(std::move(options));
    for (const auto& p : made.problems()) qWarning("%s", p.text().c_str());
    return made ? std::move(made).value() : nullptr;
}

std::map<std::string, double> metricsOf(const Scenario& scenario) {
    auto simulation = begun(scenario);
    while (simulation->step()) {}
    return computeMetrics(*simulation->workload(), simulation->log(), simulation->state().now()).values;
}

/// The loop as the brief of this test says it, in a few lines: keys 0 … K − 1 shuffled, worker w draws from mt19937_64(seed + 7919·w),
/// the rank is lower_bound in the cumulated probabilities, key k lives at node k / ⌈K/N⌉.
std::uint64_t remotePullsByHand(std::size_t keys, double exponent, std::uint64_t permutation, std::uint64_t seed,
                                std::size_t nodes, std::size_t threads, std::size_t operations,
                                std::size_t shiftEvery) {
    std::vector<double> cumulated(keys);
    double sum = 0;
    for (std::size_t r = 0; r < keys; ++r) cumulated[r] = sum += std::pow(r + 1.0, -exponent);
    for (double& c : cumulated) c /= sum;
    std::vector<std::size_t> keyOf(keys);
    for (std::size_t i = 0; i < keys; ++i) keyOf[i] = i;
    std::mt19937_64 shuffler(permutation);
    std::shuffle(keyOf.begin(), keyOf.end(), shuffler);
    std::uint64_t remote = 0;
    for (std::size_t w = 0; w < nodes * threads; ++w) {
        std::mt19937_64 generator(seed + 7919 * w);
        for (std::size_t i = 0; i < operations; ++i) {
            const double u = static_cast<double>(generator() >> 11) * 0x1p-53;
            const auto found = std::lower_bound(cumulated.begin(), cumulated.end(), u) - cumulated.begin();
            std::size_t rank = std::min<std::size_t>(found, keys - 1);
            if (shiftEvery > 0)
                for (std::size_t n = 0; n < i / shiftEvery; ++n)
                    rank = (rank + std::max<std::size_t>(keys / 16, 1)) % keys;
            const std::size_t home = keyOf[rank] / ((keys + nodes - 1) / nodes);
            remote += home != w / threads;
        }
    }
    return remote;
}

double total(const KeyedSnapshot& snapshot) {
    double sum = 0;
    for (const float v : snapshot.values) sum += v;
    return sum;
}

/// Each key is in one store, or in one transfer; replicated ones are at every node.
bool isWhole(KeyedRun& run) {
    std::vector<int> places(run.job().keys->keys(), 0);
    for (std::size_t n = 0; n < run.nodes(); ++n)
        for (std::uint32_t key = 0; key < places.size(); ++key)
            places[key] += run.node(n).protocol().store().slot(key).state() == KeySlot::State::here;
    const KeyedWorld& world = run.world();
    for (std::uint32_t m = 0; m < world.messages.size(); ++m)
        if (std::ranges::count(world.freeMessages, m) == 0 && world.messages[m].type == KeyMessageType::transfer)
            for (const std::uint32_t key : world.messages[m].keys) ++places[key];
    for (const std::uint32_t key : run.job().replicated) ++places[key];
    return std::ranges::all_of(places, [](int p) { return p == 1; });
}

} // namespace

class tst_KeyedJobs : public QObject {
    Q_OBJECT
private slots:
    void goldenCounts();
    void staticCountsAsByHand_data();
    void staticCountsAsByHand();
    void messagesPerIteration();
    void everyKeyIsSomewhere_data();
    void everyKeyIsSomewhere();
    void copiesAreHeldAsLongAsCounted_data();
    void copiesAreHeldAsLongAsCounted();
    void windowsChangeNothing();
    void clonesGoOnAlike();
    void replicasAreEqualAtTheEnd();
    void adaptedKeysLoseNothing();
    void lostMachineGoesBackToTheCheckpoint();
    void preemptedGoesOn_data();
    void preemptedGoesOn();
    void refusals();
    void quotasAreEven();
};

void tst_KeyedJobs::goldenCounts() {
    auto metrics = metricsOf(keyedScenario(4, 1, 20'000, {"static", {}}));
    QCOMPARE(metrics["remote_pulls"], 59'965.0);
    QCOMPARE(metrics["pulls_not_local"], 59'965.0);
    QCOMPARE(metrics["messages"], 239'860.0);
    QCOMPARE(metrics["bytes_sent"], 54'688'080.0); // 59,965 × (28 + 428 + 428 + 28)
    QCOMPARE(metrics["replica_messages"], 0.0);
    QCOMPARE(metrics["updates"], 80'000.0);
}

void tst_KeyedJobs::staticCountsAsByHand_data() {
    QTest::addColumn<int>("keys");
    QTest::addColumn<double>("exponent");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("shiftEvery");
    QTest::newRow("three nodes of two") << 1000 << 0.8 << 3 << 2 << 0;
    QTest::newRow("uniform") << 777 << 0.0 << 5 << 1 << 0;
    QTest::newRow("steep") << 50 << 2.5 << 2 << 3 << 0;
    QTest::newRow("one node") << 100 << 1.1 << 1 << 2 << 0;
    QTest::newRow("fewer keys than nodes") << 3 << 1.0 << 4 << 1 << 0;
    QTest::newRow("other keys become frequent") << 1000 << 1.1 << 3 << 2 << 70;
    QTest::newRow("all the time, few keys") << 5 << 1.5 << 4 << 1 << 1;
}

void tst_KeyedJobs::staticCountsAsByHand() {
    QFETCH(int, keys);
    QFETCH(double, exponent);
    QFETCH(int, nodes);
    QFETCH(int, threads);
    QFETCH(int, shiftEvery);
    Scenario scenario = keyedScenario(nodes, threads, 500, {"static", {}});
    KeyedAccess& access = accessOf(scenario);
    access.keys = keys;
    access.exponent = exponent;
    access.permutationSeed = 11;
    access.workerSeed = 42;
    access.shiftEvery = shiftEvery;
    access.valuesPerKey = 7;
    auto metrics = metricsOf(scenario);
    const auto remote = static_cast<double>(
        remotePullsByHand(static_cast<std::size_t>(keys), exponent, 11, 42, static_cast<std::size_t>(nodes),
                          static_cast<std::size_t>(threads), 500, static_cast<std::size_t>(shiftEvery)));
    QCOMPARE(metrics["remote_pulls"], remote);
    QCOMPARE(metrics["messages"], 4 * remote);
    QCOMPARE(metrics["bytes_sent"], remote * (4 * 28 + 2 * 4 * 7)); // four headers with a key, values there and back
}

// Two independent event simulations of the loop gave 2.28 and 2.12, .555 and .499, .301 and .285.
void tst_KeyedJobs::messagesPerIteration() {
    for (const auto& [policy, expected] :
         {std::pair(Choice{"relocating", {}}, 2.2), {replicating(86), 0.53}, {replicating(1000), 0.30}}) {
        auto metrics = metricsOf(keyedScenario(4, 1, 20'000, policy));
        const double messages = metrics["messages"] / metrics["updates"];
        QVERIFY2(std::abs(messages / expected - 1) < 0.12, qPrintable(QString::number(messages)));
    }
    auto metrics = metricsOf(keyedScenario(4, 1, 20'000, {"nups", {}})); // more often than 100 × the mean: 86 keys
    auto same = metricsOf(keyedScenario(4, 1, 20'000, replicating(86)));
    QCOMPARE(metrics["messages"], same["messages"]);
}

void tst_KeyedJobs::everyKeyIsSomewhere_data() {
    QTest::addColumn<int>("replicas");
    QTest::addColumn<int>("machines");
    QTest::newRow("relocating") << -1 << 4;
    QTest::newRow("some replicas, three nodes") << 5 << 3;
    QTest::newRow("some replicas, four nodes") << 5 << 4;
    QTest::newRow("all replicated, six nodes") << 40 << 6;
}

void tst_KeyedJobs::everyKeyIsSomewhere() {
    QFETCH(int, replicas);
    QFETCH(int, machines);
    Scenario scenario = keyedScenario(machines, 2, 200, {"relocating", {}});
    accessOf(scenario).keys = 40;
    accessOf(scenario).valuesPerKey = 3;
    accessOf(scenario).push = 1;
    KeyPlan plan{.relocates = true};
    if (replicas >= 0) plan.replication = ReplicationPlan{.count = replicas, .syncsPerSecond = 2000};
    BareKeyedRun bare(scenario, plan, machines, 2);
    KeyedSetup setup = bare.setup();
    setup.mostWindow = Duration::nanoseconds(1);
    KeyedRun run(setup);
    run.goOn(static_cast<std::uint64_t>(machines) * 400, SimTime{});
    std::size_t windows = 0;
    for (; !run.quietSince(); ++windows) {
        run.advance(run.next() + Duration::nanoseconds(1), bare.delays());
        QVERIFY(isWhole(run));
        QVERIFY(windows < 10'000'000);
    }
    QVERIFY(windows > 100);
    QCOMPARE(total(run.snapshot()), machines * 400 * 3.0); // nothing that was added is lost
    for (std::uint32_t key = 0; key < 40; ++key)           // homes agree with stores
        if (const std::uint32_t owner = run.ownerOf(key); owner != everyNode)
            QVERIFY(run.node(owner).protocol().store().slot(key).isLocal());
}

// Against the copies of each node after every instant at which something happens.
void tst_KeyedJobs::copiesAreHeldAsLongAsCounted_data() {
    QTest::addColumn<int>("replicas");
    QTest::newRow("adaptive") << -1;
    QTest::newRow("replicas") << 7;
}

void tst_KeyedJobs::copiesAreHeldAsLongAsCounted() {
    QFETCH(int, replicas);
    constexpr int nodes = 3;
    Scenario scenario = keyedScenario(nodes, 2, 200, {"relocating", {}});
    accessOf(scenario).keys = 40;
    accessOf(scenario).valuesPerKey = 2;
    KeyPlan plan{.relocates = true, .adapts = replicas < 0};
    if (replicas > 0) plan.replication = ReplicationPlan{.count = replicas, .syncsPerSecond = 2000};
    BareKeyedRun bare(scenario, plan, nodes, 2);
    KeyedSetup setup = bare.setup();
    setup.mostWindow = Duration::nanoseconds(1);
    KeyedRun run(setup);
    run.goOn(nodes * 400, SimTime{});
    std::vector<std::int64_t> expected(nodes);
    SimTime now;
    for (int windows = 0; !run.quietSince(); ++windows) {
        QVERIFY(windows < 10'000'000);
        const SimTime next = run.next();
        for (std::size_t n = 0; n < nodes; ++n)
            expected[n] += static_cast<std::int64_t>(run.node(n).protocol().copies()) * (next - now).ns;
        now = next;
        run.advance(next + Duration::nanoseconds(1), bare.delays());
    }
    std::int64_t all = 0;
    for (std::size_t n = 0; n < nodes; ++n) {
        const KeyedCounts counts = run.node(n).takeCounts(now);
        QCOMPARE(counts.copyNs, expected[n]);
        const std::uint64_t refreshes =
            std::accumulate(counts.copyRefreshes.begin(), counts.copyRefreshes.end(), std::uint64_t{0});
        QVERIFY(refreshes > 0);
        // Refreshes are a message apart at least; rounds half a millisecond.
        const auto age = counts.copyAgeNs / static_cast<std::int64_t>(refreshes);
        QVERIFY2(age >= (replicas > 0 ? 500'000 : 160'000) && age < 20'000'000, qPrintable(QString::number(age)));
        all += counts.copyNs;
    }
    QVERIFY(all > 0);
}

// Nor does the number of threads; with two jobs, a machine that fails, and commands.
void tst_KeyedJobs::windowsChangeNothing() {
    Scenario scenario = keyedScenario(4, 2, 500, {"nups", {{"syncs_per_second", 500.0}}});
    for (auto& machine : scenario.cluster.machines) machine.capacity = ResourceVector::of({4});
    accessOf(scenario).keys = 500;
    accessOf(scenario).valuesPerKey = 4;
    accessOf(scenario).watchedRanks = {1, 20};
    scenario.jobs.push_back(scenario.jobs[0]);
    accessOf(scenario, 1).optimizer = KeyedOptimizer::adagrad;
    scenario.jobs[1].key = "other";
    scenario.jobs[1].parameters = {"relocating", {}};
    scenario.jobs[1].synchronization = {"ssp", {{"staleness", std::int64_t{3}}}};
    scenario.jobs[1].checkpoint.everyIterations = 700;
    scenario.jobs.push_back(scenario.jobs[0]);
    scenario.jobs[2].key = "third";
    scenario.jobs[2].parameters = {"adaptive", {}};
    for (auto& machine : scenario.cluster.machines) machine.capacity = ResourceVector::of({6});
    scenario.faults = {{.target = Fault::Target::machine, .key = "m2", .atSeconds = 0.01, .repairAfterSeconds = 0.002}};
    std::vector<Event> first;
    const std::pair<std::int64_t, int> cases[] = {{std::int64_t{1} << 62, 1},
                                                  {std::int64_t{1} << 62, 2},
                                                  {std::int64_t{1} << 62, 8},
                                                  {80'000, 1},
                                                  {1000, 1},
                                                  {1, 1}};
    for (const auto& [ns, threads] : cases) {
        auto simulation = begun(scenario, Duration::nanoseconds(ns), threads);
        simulation->runUntil(SimTime::seconds(0.005), 1'000'000);
        simulation->command({.at = SimTime::seconds(0.0061), .kind = CommandKind::failLink, .a = 1});
        simulation->command({.at = SimTime::seconds(0.0064), .kind = CommandKind::repairLink, .a = 1});
        while (simulation->step()) {}
        const auto events = allEvents(simulation->log());
        if (first.empty()) first = events;
        QVERIFY(events == first);
    }
    QCOMPARE(std::ranges::count(first, EventType::jobFinished, &Event::type), 3);
    QVERIFY(std::ranges::count(first, EventType::jobPreempted, &Event::type) > 0);
    QVERIFY(std::ranges::is_sorted(first, {}, &Event::time));
}

void tst_KeyedJobs::clonesGoOnAlike() {
    Scenario scenario = keyedScenario(3, 2, 1000, {"nups", {{"syncs_per_second", 500.0}}});
    accessOf(scenario).keys = 500;
    accessOf(scenario).valuesPerKey = 5;
    auto simulation = begun(scenario);
    std::vector<std::unique_ptr<Simulation>> clones;
    while (simulation->step())
        if (simulation->eventsProcessed() % 3 == 0) clones.push_back(simulation->clone());
    QVERIFY(clones.size() > 3);
    const auto expected = allEvents(simulation->log());
    for (auto& clone : clones) {
        while (clone->step()) {}
        QVERIFY(allEvents(clone->log()) == expected);
    }
}

void tst_KeyedJobs::replicasAreEqualAtTheEnd() {
    for (const int machines : {2, 3, 4, 5, 7, 8}) {
        Scenario scenario = keyedScenario(machines, 1, 300, {"nups", {}});
        accessOf(scenario).keys = 60;
        accessOf(scenario).valuesPerKey = 6;
        accessOf(scenario).push = 0.1; // no number of float32: sums depend on their order
        BareKeyedRun bare(
            scenario, KeyPlan{.relocates = true, .replication = ReplicationPlan{.count = 20, .syncsPerSecond = 3000}},
            machines, 1);
        KeyedRun run(bare.setup());
        run.goOn(static_cast<std::uint64_t>(machines) * 300, SimTime{});
        run.advance(SimTime::never(), bare.delays());
        QVERIFY(run.quietSince());
        for (const std::uint32_t key : run.job().replicated) {
            const KeyStore& zero = run.node(0).protocol().store();
            for (std::size_t n = 1; n < run.nodes(); ++n) {
                const KeyStore& other = run.node(n).protocol().store();
                QVERIFY(std::equal(zero.values(zero.slot(key).index()), zero.values(zero.slot(key).index()) + 6,
                                   other.values(other.slot(key).index())));
            }
        }
        QVERIFY(std::abs(total(run.snapshot()) / (machines * 300 * 6 * 0.1) - 1) < 1e-4);
    }
}

// Of random sizes, skews, speeds and numbers of nodes, in several stretches: each addition is in the end in the one place of its key,
// homes know it, and no copy is left.
void tst_KeyedJobs::adaptedKeysLoseNothing() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        RandomStream random(seed, Purpose::batch, 77);
        const auto machines = static_cast<int>(2 + random.below(5)), threads = static_cast<int>(1 + random.below(3));
        Scenario scenario = keyedScenario(machines, threads, 1, {"adaptive", {}});
        KeyedAccess& access = accessOf(scenario);
        access.keys = static_cast<std::int64_t>(3 + random.below(200));
        access.valuesPerKey = static_cast<int>(1 + random.below(4));
        access.exponent = 1.5 * random.unit();
        access.push = 1;
        access.localizeEvery = static_cast<int>(1 + random.below(20));
        access.workerSeed = seed;
        access.costs.pullSeconds = 2e-6 * random.unit();
        access.costs.messageSeconds = 5e-5 * random.unit();
        const bool hashed = random.below(2) == 1;
        BareKeyedRun bare(
            scenario,
            KeyPlan{.homes = hashed ? KeyPlan::Homes::hash : KeyPlan::Homes::range, .relocates = true, .adapts = true},
            machines, threads);
        KeyedSetup setup = bare.setup();
        const auto latency = static_cast<std::int64_t>(1000 + random.below(300'000));
        setup.route = [&](MachineId from, MachineId to) { // routes that differ: messages of two nodes pass each other
            return KeyedRoute{
                true, Duration::nanoseconds(latency * (1 + (from.value + 2 * to.value) % 3)), 0.8, 0.8, {}};
        };
        KeyedRun run(setup);
        std::uint64_t done = 0;
        for (int stretch = 0; stretch < 4; ++stretch) {
            done += 100 + random.below(1500);
            run.goOn(done, run.quietSince().value_or(SimTime{}));
            run.advance(SimTime::never(), bare.delays());
            QVERIFY2(run.quietSince(), qPrintable(QString("seed %1").arg(seed)));
            const double right = static_cast<double>(done) * access.valuesPerKey;
            QCOMPARE(total(run.snapshot()), right);
            for (std::uint32_t key = 0; key < access.keys; ++key) {
                const std::uint32_t owner = run.ownerOf(key);
                for (std::uint32_t n = 0; n < run.nodes(); ++n)
                    QCOMPARE(run.node(n).protocol().store().slot(key).isLocal(), n == owner);
            }
        }
    }
}

void tst_KeyedJobs::lostMachineGoesBackToTheCheckpoint() {
    for (const char* policy : {"static", "relocating", "nups", "adaptive"}) {
        Scenario scenario = keyedScenario(3, 1, 1000, {policy, {}});
        accessOf(scenario).keys = 300;
        accessOf(scenario).valuesPerKey = 4;
        scenario.jobs[0].checkpoint.everyIterations = 600;
        scenario.cluster.storage = "s";
        scenario.faults = {
            {.target = Fault::Target::machine, .key = "m3", .atSeconds = 0.02, .repairAfterSeconds = 0.01}};
        auto simulation = begun(scenario);
        while (simulation->step()) {}
        const auto preempted = eventsOf(simulation->log(), EventType::jobPreempted);
        const auto finished = eventsOf(simulation->log(), EventType::jobFinished);
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(finished[0].count(), std::uint64_t{3000});
        if (preempted.empty()) continue;    // it was over by then
        QCOMPARE(preempted[0].a % 600, 0u); // what is kept is a checkpoint
    }
}

void tst_KeyedJobs::preemptedGoesOn_data() {
    QTest::addColumn<bool>("synchronization");
    QTest::newRow("async") << false;
    QTest::newRow("ssp") << true;
}

void tst_KeyedJobs::preemptedGoesOn() {
    QFETCH(bool, synchronization);
    // srtf: the short job takes the machines that the long one has.
    Scenario scenario = keyedScenario(2, 1, 3000, {"relocating", {}});
    accessOf(scenario).keys = 300;
    accessOf(scenario).valuesPerKey = 4;
    scenario.jobs.push_back(scenario.jobs[0]);
    scenario.jobs[1].key = "short";
    scenario.jobs[1].arrival = SimTime::seconds(0.01);
    scenario.jobs[1].stop.iterations = 100;
    scenario.policies.scheduler = {"srtf", {}};
    if (synchronization) scenario.policies.synchronization = {"ssp", {{"staleness", std::int64_t{1}}}};
    auto simulation = begun(scenario);
    while (simulation->step()) {}
    const auto finished = eventsOf(simulation->log(), EventType::jobFinished);
    QCOMPARE(finished.size(), std::size_t{2});
    for (const Event& preempted : eventsOf(simulation->log(), EventType::jobPreempted))
        QCOMPARE(preempted.b, 0u); // nothing lost
    QVERIFY(!eventsOf(simulation->log(), EventType::jobPreempted).empty());
}

void tst_KeyedJobs::refusals() {
    const Registry registry = Registry::builtin();
    const auto codeOf = [&](const std::function<void(Scenario&)>& spoil) {
        Scenario scenario = keyedScenario(2, 1, 10, {"nups", {}});
        spoil(scenario);
        std::string codes;
        for (const Problem& p : validateScenario(scenario, registry)) codes += p.code + " " + p.pointer + ";";
        return codes;
    };
    QCOMPARE(codeOf([](Scenario&) {}), std::string());
    const auto has = [&](const char* expected, const std::function<void(Scenario&)>& spoil) {
        const std::string codes = codeOf(spoil);
        QVERIFY2(codes.find(expected) != std::string::npos, codes.c_str());
    };
    has("keyed-servers /jobs/0/servers", [](Scenario& s) { s.jobs[0].servers = {1, 1}; });
    has("keyed-shrink /jobs/0/on_failure", [](Scenario& s) { s.jobs[0].onFailure = FailureReaction::shrink; });
    has("keyed-loss /jobs/0/stop/loss", [](Scenario& s) { s.jobs[0].stop.loss = 0.1; });
    has("incompatible /jobs/0", [](Scenario& s) { s.policies.synchronization = {"full-sync", {}}; });
    QCOMPARE(codeOf([](Scenario& s) { s.policies.synchronization = {"ssp", {}}; }), std::string());
    has("incompatible /jobs/0", [](Scenario& s) { accessOf(s).lookAhead = 0; });
    has("incompatible /jobs/0", [](Scenario& s) { s.policies.parameters = replicating(200'000); });
    has("incompatible /jobs/0", [](Scenario& s) { s.jobs[0] = analyticJob(); });
    has("missing-keys /jobs/0/keyed", [](Scenario& s) { std::get<AnalyticWork>(s.jobs[0].work).keyed.reset(); });
    has("unused /jobs/0/keyed", [](Scenario& s) { std::get<AnalyticWork>(s.jobs[0].work).access = AccessKind::all; });
    has("out-of-range /jobs/0/keyed/watched_ranks/0", [](Scenario& s) { accessOf(s).watchedRanks = {1e6}; });
    has("beyond-memory /jobs/0/keyed/keys", [](Scenario& s) {
        accessOf(s).keys = 1'000'000'000;
        accessOf(s).valuesPerKey = 1'000'000;
    });
    has("short-latency /cluster/links/0", [](Scenario& s) { s.cluster.links[0].latency = {}; });
    has("keyed-jobs-apart /jobs", [](Scenario& s) {
        s.jobs.push_back(s.jobs[0]);
        s.jobs[1].key = "other";
    });
}

void tst_KeyedJobs::quotasAreEven() {
    using Counts = std::vector<std::uint64_t>;
    QCOMPARE(evenQuotas({0, 0, 0}, 7), (Counts{3, 2, 2}));
    QCOMPARE(evenQuotas({5, 0, 1}, 3), (Counts{5, 2, 2}));
    QCOMPARE(evenQuotas({5, 0, 1}, 0), (Counts{5, 0, 1}));
    QCOMPARE(evenQuotas({4}, 10), (Counts{14}));
}

TRAINYARD_TEST(tst_KeyedJobs)
#include "tst_KeyedJobs.moc"
