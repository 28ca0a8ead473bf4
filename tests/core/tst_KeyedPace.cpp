// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keyed jobs whose workers may run only so far ahead of the slowest: the bound, looked at after every nanosecond; what it costs, in
// closed form; and a bound so great that it is none.
#include "record/Metrics.h"
#include "support/KeyedLoop.h"
#include "support/TestMain.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace trainyard;
using namespace trainyard::test;

class tst_KeyedPace : public QObject {
    Q_OBJECT
private slots:
    void nobodyIsTooFarAhead_data();
    void nobodyIsTooFarAhead();
    void inStepTakesTheTimeOfTheSlowest();
    void aGreatBoundIsNone();
    void copiesAreNoOlderThanTheBound();
    void policiesForKeyedJobsAreDerived();
};

void tst_KeyedPace::nobodyIsTooFarAhead_data() {
    QTest::addColumn<int>("bound");
    QTest::addColumn<int>("machines");
    QTest::addColumn<int>("threads");
    for (const int bound : {0, 1, 2, 3, 9, 16}) {
        QTest::addRow("%d, one node", bound) << bound << 1 << 3;
        QTest::addRow("%d, three nodes", bound) << bound << 3 << 2;
        QTest::addRow("%d, four nodes", bound) << bound << 4 << 1;
    }
}

// The last machine is slow, so that others come to the bound; nobody gets past it, and everybody gets to the end.
void tst_KeyedPace::nobodyIsTooFarAhead() {
    QFETCH(int, bound);
    QFETCH(int, machines);
    QFETCH(int, threads);
    Scenario scenario = keyedScenario(machines, threads, 60, {"relocating", {}});
    accessOf(scenario).keys = 50;
    accessOf(scenario).valuesPerKey = 2;
    BareKeyedRun bare(scenario, KeyPlan{.relocates = true}, machines, threads);
    KeyedSetup setup = bare.setup();
    setup.mostWindow = Duration::nanoseconds(1);
    setup.pace = KeyedPace{static_cast<std::uint64_t>(bound)};
    for (std::size_t m = 0; m < setup.compute.size(); ++m)
        setup.compute[m] = Duration::nanoseconds(m + 1 == static_cast<std::size_t>(machines) ? 4'000'000 : 1500);
    KeyedRun run(setup);
    const auto workers = static_cast<std::uint64_t>(machines * threads);
    run.goOn(workers * 60, SimTime{});
    std::uint64_t farthest = 0;
    while (!run.quietSince()) {
        QVERIFY(run.next() != SimTime::never());
        run.advance(run.next() + Duration::nanoseconds(1), bare.delays());
        std::uint64_t least = ~std::uint64_t{0}, most = 0;
        for (std::size_t n = 0; n < run.nodes(); ++n)
            for (const KeyedWorker& worker : run.node(n).workers()) {
                least = std::min(least, worker.iterations);
                if (worker.step == KeyedWorker::Step::waiting || worker.step == KeyedWorker::Step::push)
                    most = std::max(most, worker.iterations);
            }
        farthest = std::max(farthest, most - std::min(most, least));
    }
    QCOMPARE(run.iterations(), workers * 60);
    QVERIFY(farthest <= static_cast<std::uint64_t>(bound));
    if (machines > 1) QCOMPARE(farthest, static_cast<std::uint64_t>(bound));
}

// Bound 0, all keys replicated, the second machine slow. Between two of its iterations, 0.44 µs to read and 1,000 µs to compute until the
// addition takes effect, lie a message of 28 B to the first machine and one back: 22 ns at 10 Gbit/s, 80 µs on the way and 2 µs at the
// server thread each. Adding, 0.71 µs, goes on meanwhile, but for the last time.
void tst_KeyedPace::inStepTakesTheTimeOfTheSlowest() {
    Scenario scenario = keyedScenario(2, 1, 20, {"nups", {}});
    accessOf(scenario).keys = 10;
    accessOf(scenario).valuesPerKey = 2;
    BareKeyedRun bare(scenario, KeyPlan{.replication = ReplicationPlan{.count = 10, .syncsPerSecond = 1e-3}}, 2, 1);
    KeyedSetup setup = bare.setup();
    setup.pace = KeyedPace{0};
    setup.compute[0] = Duration::nanoseconds(7);
    setup.compute[1] = Duration::nanoseconds(1'000'000);
    KeyedRun run(setup);
    run.goOn(40, SimTime{});
    run.advance(SimTime::seconds(500), bare.delays());
    QVERIFY(run.workersAreDone());
    QCOMPARE(run.finishedAt().ns, 20 * (440 + 1'000'000) + 19 * 2 * (22 + 80'000 + 2000) + 710);
}

void tst_KeyedPace::aGreatBoundIsNone() {
    Scenario scenario = keyedScenario(4, 2, 400, {"nups", {{"syncs_per_second", 500.0}}});
    accessOf(scenario).keys = 500;
    accessOf(scenario).valuesPerKey = 4;
    std::map<std::string, double> free;
    for (const std::int64_t bound : {std::int64_t{-1}, std::int64_t{1000}, std::int64_t{2}}) {
        scenario.policies.synchronization = bound < 0 ? Choice{"async", {}} : Choice{"ssp", {{"staleness", bound}}};
        auto simulation = std::move(Simulation::create(optionsFor(scenario))).value();
        while (simulation->step()) {}
        auto metrics = computeMetrics(*simulation->workload(), simulation->log(), simulation->state().now()).values;
        QCOMPARE(metrics["updates"], 3200.0);
        if (bound == 2)
            QVERIFY(metrics["clock_messages"] > 100 && metrics["iterations_per_s"] < free["iterations_per_s"]);
        if (bound == 1000) {
            QCOMPARE(metrics["clock_messages"], 3.0); // that nodes are done
            QCOMPARE(metrics["iterations_per_s"], free["iterations_per_s"]);
            QCOMPARE(metrics["remote_pulls"], free["remote_pulls"]);
        }
        if (bound < 0) free = std::move(metrics);
    }
}

namespace {

/// What each worker adds, by its iterations, and what it reads.
class ClockedAccesses final : public KeyObserver {
public:
    explicit ClockedAccesses(std::size_t workers) : m_done(workers) {}
    const float* adding(std::uint32_t worker, std::uint32_t key, SimTime) override {
        m_added[key].push_back({worker, m_done[worker]++});
        return nullptr;
    }
    void read(std::uint32_t worker, std::uint32_t key, const float* values, SimTime) override {
        m_reads.push_back({worker, key, m_done[worker], values[0]});
    }
    /// Reads that miss an addition of an iteration before theirs less the bound, or one of their own worker.
    int missing(std::uint64_t bound) const {
        int out = 0;
        for (const Read& read : m_reads) {
            double due = 0;
            if (const auto added = m_added.find(read.key); added != m_added.end())
                for (const auto& [worker, iteration] : added->second)
                    due += worker == read.worker ? iteration < read.iteration : iteration + bound < read.iteration;
            out += read.value < due;
        }
        return out;
    }
    std::size_t reads() const { return m_reads.size(); }

private:
    struct Read {
        std::uint32_t worker, key;
        std::uint64_t iteration;
        double value;
    };
    std::vector<std::uint64_t> m_done;
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>> m_added;
    std::vector<Read> m_reads;
};

} // namespace

// Random sizes, speeds, latencies and bounds: no read misses what its clock must have seen, or its own worker's additions, and in the end
// nothing is missing.
void tst_KeyedPace::copiesAreNoOlderThanTheBound() {
    int tooOldForLess = 0; // of a bound that is one smaller: the test can fail
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        RandomStream random(seed, Purpose::batch, 78);
        const auto machines = static_cast<int>(2 + random.below(4)), threads = static_cast<int>(1 + random.below(3));
        const std::uint64_t bound = random.below(12), each = 60 + random.below(200);
        Scenario scenario = keyedScenario(machines, threads, 1, {"replicated", {}});
        KeyedAccess& access = accessOf(scenario);
        access.keys = static_cast<std::int64_t>(2 + random.below(40));
        access.valuesPerKey = 2;
        access.push = 1;
        access.exponent = random.unit();
        access.workerSeed = seed;
        access.costs.messageSeconds = 2e-5 * random.unit();
        BareKeyedRun bare(scenario, KeyPlan{.caches = CachePlan{.eager = seed % 2 == 0}}, machines, threads);
        KeyedSetup setup = bare.setup();
        setup.pace = KeyedPace{bound};
        for (auto& compute : setup.compute)
            compute = Duration::nanoseconds(static_cast<std::int64_t>(random.below(300'000)));
        const auto latency = static_cast<std::int64_t>(1000 + random.below(200'000));
        setup.route = [&](MachineId from, MachineId to) {
            return KeyedRoute{
                true, Duration::nanoseconds(latency * (1 + (from.value + 2 * to.value) % 3)), 0.8, 0.8, {}};
        };
        const auto workers = static_cast<std::uint64_t>(machines * threads);
        ClockedAccesses accesses(workers);
        setup.observer = &accesses;
        KeyedRun run(setup);
        run.goOn(workers * each, SimTime{});
        run.advance(SimTime::never(), bare.delays());
        QVERIFY2(run.quietSince(), qPrintable(QString("seed %1").arg(seed)));
        QCOMPARE(accesses.reads(), workers * each);
        QCOMPARE(accesses.missing(bound), 0);
        if (bound > 0) tooOldForLess += accesses.missing(bound - 1);
        const auto values = run.snapshot().values;
        QCOMPARE(std::accumulate(values.begin(), values.end(), 0.0), 2.0 * static_cast<double>(workers * each));
    }
    QVERIFY(tooOldForLess > 0);
}

/// What serves which jobs follows from what the policies say of keyed jobs: no list names them.
void tst_KeyedPace::policiesForKeyedJobsAreDerived() {
    const Registry registry = Registry::builtin();
    const Job keyed = keyedScenario(2, 1, 10, {"static", {}}).jobs[0], whole = analyticJob();
    for (const auto& synchronization : registry.synchronizations)
        for (const auto& parameters : registry.parameters) {
            const auto pace = registry.makeSynchronization({synchronization.id, {}})->keyedPace();
            const auto plan = registry.makeParameters({parameters.id, {}})->keyPlan();
            const bool refused =
                registry.incompatible(keyed, {synchronization.id, {}}, {parameters.id, {}}).has_value();
            const bool needsBound = plan && plan->caches; // copies of an age that is bounded
            QVERIFY2(refused == (!pace || !plan || (needsBound && !pace->bound)), synchronization.id.c_str());
            const bool moves = plan && (plan->relocates || plan->replication || plan->caches);
            if (synchronization.id == "async")
                QCOMPARE(registry.incompatible(whole, {"async", {}}, {parameters.id, {}}).has_value(), moves);
        }
    const auto why = registry.incompatible(keyed, {"full-sync", {}}, {"static", {}});
    QCOMPARE(why->arguments.at(1), std::string("Asynchronous [async], Stale synchronous parallel [ssp]"));
}

TRAINYARD_TEST(tst_KeyedPace)
#include "tst_KeyedPace.moc"
