// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keyed jobs on threads: no addition is lost, each key is consistent under random delays, replicas end equal; counts, failures and
// preemption as in virtual time.
#include "engine/Executor.h"
#include "engine/keyed/KeyedExecution.h"
#include "record/Metrics.h"
#include "support/KeyTracer.h"
#include "support/KeyedLoop.h"
#include "support/TestMain.h"

#include <array>
#include <atomic>
#include <numeric>

using namespace trainyard;
using namespace trainyard::test;

Q_DECLARE_METATYPE(trainyard::Choice)

namespace {

constexpr int machines = 3, threads = 2;

struct Layout {
    int nodes = machines, threads = ::threads; ///< threads of each node
};

Scenario smallScenario(const Choice& parameters, std::int64_t operations = 400, Layout layout = {}) {
    Scenario scenario = keyedScenario(layout.nodes, layout.threads, operations, parameters);
    scenario.mode = RunMode::execute;
    KeyedAccess& access = accessOf(scenario);
    access.keys = 40;
    access.valuesPerKey = 3;
    access.push = 1;
    return scenario;
}

KeyPlan planOf(const Scenario& scenario) {
    return *Registry::builtin().makeParameters(scenario.policies.parameters)->keyPlan();
}

/// One execution without an executor around it.
struct BareExecution {
    explicit BareExecution(const Scenario& scenario, std::uint64_t seed = 1, Layout layout = {})
        : options(optionsFor(scenario, seed)), workload(expandWorkload(scenario, seed)),
          network(*workload, scenario.network, clock, pending) {
        for (int m = 0; m < layout.nodes; ++m)
            for (int t = 0; t < layout.threads; ++t)
                placement.workers.push_back(MachineId(static_cast<std::size_t>(m)));
    }
    void start() {
        const KeyedAccess& access = *workload->jobs[0].keyedAccess();
        job = std::make_unique<KeyedExecution>(
            Execution::Shared{options, *workload, clock, network, pending, std::nullopt, ended},
            KeyedExecutionSetup{.job = JobId(0),
                                .placement = placement,
                                .plan = planOf(*options.scenario),
                                .pace = pace,
                                .keys = std::make_shared<const KeyRanks>(static_cast<std::uint32_t>(access.keys),
                                                                         access.exponent, access.permutationSeed),
                                .restoring = {.begins = false}});
    }
    /// Up to its end, or for so long.
    void run(double seconds = 60) {
        start();
        while (!job->ended() && clock.now().toSeconds() < seconds)
            ended.waitUntil(clock.at(clock.now() + Duration::seconds(0.001)));
        job->stop();
    }
    double total() const {
        const auto& values = job->snapshot()->keyed->values;
        return std::accumulate(values.begin(), values.end(), 0.0);
    }

    SimulationOptions options;
    KeyedPace pace;
    std::shared_ptr<const Workload> workload;
    RealClock clock;
    PendingWork pending;
    WakeUp ended;
    RealNetwork network;
    Placement placement;
    std::unique_ptr<KeyedExecution> job;
};

/// Up to half a millisecond for each message; any thread.
Duration randomDelay(std::uint64_t number) {
    return Duration::nanoseconds(static_cast<std::int64_t>(number * 0x9e3779b97f4a7c15ull % 500'000));
}

std::unique_ptr<Executor> executed(const Scenario& scenario) {
    auto made = Executor::create(optionsFor(scenario));
    for (const auto& p : made.problems()) qWarning("%s", p.text().c_str());
    if (!made) return nullptr;
    (*made)->run({}, [] {});
    return std::move(made).value();
}

std::map<std::string, double> metricsOf(const Executor& run) {
    return computeMetrics(*run.workload(), run.log(), run.state().now()).values;
}

void addPolicies() {
    QTest::addColumn<Choice>("parameters");
    QTest::newRow("static") << Choice{"static", {}};
    QTest::newRow("relocating") << Choice{"relocating", {}};
    QTest::newRow("adaptive") << Choice{"adaptive", {}};
    QTest::newRow("some replicas") << Choice{
        "nups", {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{5}}, {"syncs_per_second", 500.0}}};
    QTest::newRow("all replicated") << Choice{
        "nups", {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{40}}, {"syncs_per_second", 500.0}}};
}

} // namespace

class tst_KeyedExecution : public QObject {
    Q_OBJECT
private slots:
    void nothingIsLost_data() { addPolicies(); }
    void nothingIsLost();
    void anyLayoutLosesNothing_data() { addPolicies(); }
    void anyLayoutLosesNothing();
    void stoppedInTheMiddleNothingIsLost_data() { addPolicies(); }
    void stoppedInTheMiddleNothingIsLost();
    void relocationIsConsistent();
    void noWorkerIsTooFarAhead();
    void optimizerStateIsExact();
    void replicasEndEqual();
    void staticCountsAreThoseOfTheSimulation();
    void computingTakesItsTime();
    void lostMachineGoesBackToTheCheckpoint();
    void failedLinkIsWaitedFor();
    void endsWhenNothingCanMove();
    void preemptedGoesOn();
    void limitOfSecondsHolds();
};

void tst_KeyedExecution::nothingIsLost() {
    QFETCH(Choice, parameters);
    BareExecution bare(smallScenario(parameters));
    bare.run();
    QVERIFY(bare.job->finishReason() == FinishReason::iterations);
    QCOMPARE(bare.job->snapshot()->updates, std::uint64_t{machines * threads * 400});
    QCOMPARE(bare.total(), machines * threads * 400 * 3.0);
}

/// From one node to as many as fold unevenly in rounds of replicas, and from one thread to more than there are cores.
void tst_KeyedExecution::anyLayoutLosesNothing() {
    QFETCH(Choice, parameters);
    for (const Layout layout : {Layout{1, 1}, {1, 8}, {2, 4}, {4, 2}, {5, 1}, {7, 2}, {8, 1}, {4, 4}}) {
        const QByteArray of = QByteArray::number(layout.nodes) + " x " + QByteArray::number(layout.threads);
        BareExecution bare(smallScenario(parameters, 150, layout), 1, layout);
        bare.run();
        const int iterations = layout.nodes * layout.threads * 150;
        QVERIFY2(bare.job->finishReason() == FinishReason::iterations, of);
        QVERIFY2(bare.job->snapshot()->updates == static_cast<std::uint64_t>(iterations), of);
        QVERIFY2(bare.total() == iterations * 3.0, of);
    }
}

void tst_KeyedExecution::stoppedInTheMiddleNothingIsLost() {
    QFETCH(Choice, parameters);
    bool moved = false;
    for (const double seconds : {0.0, 0.003, 0.01, 0.03, 0.06, 1.0, 10.0}) {
        if (moved && seconds > 0.1) break; // those are for busy machines
        BareExecution bare(smallScenario(parameters, 1'000'000));
        bare.options.keyedDelay = randomDelay;
        bare.run(seconds);
        const auto updates = static_cast<double>(bare.job->snapshot()->updates);
        QCOMPARE(bare.total(), updates * 3.0);
        QVERIFY(!bare.job->finishReason());
        moved = moved || updates > 0;
    }
    QVERIFY(moved);
}

void tst_KeyedExecution::relocationIsConsistent() {
    constexpr std::size_t workers = machines * threads;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Scenario scenario = smallScenario({"relocating", {}}, 300);
        KeyedAccess& access = accessOf(scenario);
        access.keys = 12;
        access.exponent = 0.7;
        access.workerSeed = seed;
        access.valuesPerKey = 2 * workers;
        access.lookAhead = 4;
        access.localizeEvery = 2;
        KeyTracer tracer(workers);
        BareExecution bare(scenario, seed);
        bare.options.keyObserver = &tracer;
        bare.options.keyedDelay = randomDelay;
        bare.run();
        const auto trace = tracer.trace();
        QCOMPARE(trace.size(), 2 * workers * 300);
        const auto flaw = inconsistency(trace, workers);
        QVERIFY2(!flaw, flaw ? flaw->c_str() : "");
    }
}

void tst_KeyedExecution::noWorkerIsTooFarAhead() {
    class Watcher final : public KeyObserver {
    public:
        const float* adding(std::uint32_t worker, std::uint32_t, SimTime) override {
            ++m_done[worker];
            return nullptr;
        }
        void read(std::uint32_t worker, std::uint32_t, const float*, SimTime) override {
            std::uint64_t least = ~std::uint64_t{0}; // one more than has ended, where a worker is adding
            for (const auto& done : m_done) least = std::min(least, done.load());
            const std::uint64_t mine = m_done[worker], ahead = mine - std::min(mine, least);
            std::uint64_t most = furthest;
            while (ahead > most && !furthest.compare_exchange_weak(most, ahead)) {}
        }
        std::atomic<std::uint64_t> furthest{0};

    private:
        std::array<std::atomic<std::uint64_t>, machines * threads> m_done{};
    };
    for (const std::uint64_t bound : {0, 1, 5}) {
        Watcher watcher;
        BareExecution bare(smallScenario({"relocating", {}}, 60));
        bare.pace = {.bound = bound};
        bare.options.keyObserver = &watcher;
        bare.options.keyedDelay = randomDelay;
        bare.run();
        QCOMPARE(bare.job->snapshot()->updates, std::uint64_t{machines * threads * 60});
        QVERIFY2(watcher.furthest <= bound, qPrintable(QString::number(watcher.furthest)));
        QCOMPARE(bare.total(), machines * threads * 60 * 3.0);
    }
}

// AdaGrad keeps the sum of squares beside each value: of additions of 1 their number, wherever they were made.
void tst_KeyedExecution::optimizerStateIsExact() {
    for (const double seconds : {60.0, 0.01}) {
        Scenario scenario = smallScenario({"relocating", {}}, seconds > 1 ? 300 : 1'000'000);
        accessOf(scenario).optimizer = KeyedOptimizer::adagrad;
        accessOf(scenario).step = 0.1;
        BareExecution bare(scenario);
        bare.run(seconds);
        const auto& values = bare.job->snapshot()->keyed->values; // by key: three values, then three sums
        QCOMPARE(values.size(), std::size_t{40 * 6});
        double sums = 0;
        for (std::size_t i = 0; i < values.size(); ++i) sums += i % 6 >= 3 ? values[i] : 0;
        QCOMPARE(sums, static_cast<double>(bare.job->snapshot()->updates) * 3);
    }
}

void tst_KeyedExecution::replicasEndEqual() {
    bool moved = false;
    for (const double seconds : {60.0, 0.03, 1.0, 10.0}) {
        if (moved && seconds < 60) break;
        Scenario scenario = smallScenario(
            {"nups",
             {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{40}}, {"syncs_per_second", 300.0}}},
            seconds > 1 ? 2000 : 1'000'000);
        accessOf(scenario).push = 0.1; // no number of float32: sums depend on their order
        std::vector<KeyNode*> nodes;
        BareExecution bare(scenario);
        bare.options.makeKeyNode = [&](std::shared_ptr<const KeyJob> job, std::uint32_t self) {
            auto node = std::make_unique<KeyNode>(std::move(job), self);
            nodes.push_back(node.get());
            return node;
        };
        bare.run(seconds);
        QCOMPARE(nodes.size(), std::size_t{machines});
        for (std::uint32_t key = 0; key < 40; ++key) {
            std::array<float, 3> first{}, other{};
            QVERIFY(nodes[0]->store().read(key, first));
            for (const KeyNode* node : nodes) {
                QVERIFY(node->store().read(key, other));
                QVERIFY(first == other);
            }
        }
        const auto updates = static_cast<double>(bare.job->snapshot()->updates);
        if (seconds < 60) moved = updates > 0;
        QVERIFY((updates == 0 && seconds < 60) || std::abs(bare.total() / (updates * 0.3) - 1) < 1e-3);
    }
    QVERIFY(moved);
}

void tst_KeyedExecution::staticCountsAreThoseOfTheSimulation() {
    Scenario scenario = smallScenario({"static", {}});
    const auto real = executed(scenario);
    QVERIFY(real);
    auto simulation = Simulation::create(optionsFor(scenario));
    while ((*simulation)->step()) {}
    auto model = computeMetrics(*(*simulation)->workload(), (*simulation)->log(), (*simulation)->state().now()).values;
    auto metrics = metricsOf(*real);
    for (const char* name : {"remote_pulls", "pulls_not_local", "messages", "bytes_sent", "updates"}) {
        QVERIFY2(metrics[name] > 0, name);
        QVERIFY2(metrics[name] == model[name], name);
    }
    QVERIFY(metrics["makespan_s"] > model["makespan_s"]); // each message takes a thread some time
}

void tst_KeyedExecution::computingTakesItsTime() {
    Scenario scenario = smallScenario({"nups", {}}, 100);
    std::get<AnalyticWork>(scenario.jobs[0].work).secondsPerSample = 1e-3;
    const auto real = executed(scenario);
    const auto finished = eventsOf(real->log(), EventType::jobFinished);
    QCOMPARE(finished.size(), std::size_t{1});
    QVERIFY(finished[0].time.toSeconds() >= 0.1);
}

void tst_KeyedExecution::lostMachineGoesBackToTheCheckpoint() {
    for (const char* policy : {"static", "relocating", "nups", "adaptive"}) {
        Scenario scenario = smallScenario({policy, {}}, 500);
        std::get<AnalyticWork>(scenario.jobs[0].work).secondsPerSample = 2e-4;
        scenario.jobs[0].checkpoint.everyIterations = 600;
        scenario.cluster.storage = "s";
        scenario.faults = {
            {.target = Fault::Target::machine, .key = "m3", .atSeconds = 0.08, .repairAfterSeconds = 0.01}};
        const auto real = executed(scenario);
        const auto preempted = eventsOf(real->log(), EventType::jobPreempted);
        const auto finished = eventsOf(real->log(), EventType::jobFinished);
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(finished[0].count(), std::uint64_t{3000});
        QCOMPARE(preempted.size(), std::size_t{1});
        QCOMPARE(preempted[0].a % 600, 0u); // what is kept is a checkpoint
    }
}

void tst_KeyedExecution::failedLinkIsWaitedFor() {
    for (const char* policy : {"static", "relocating", "nups", "adaptive"}) {
        Scenario scenario = smallScenario({policy, {}}, 2000);
        std::get<AnalyticWork>(scenario.jobs[0].work).secondsPerSample = 5e-5; // a tenth of a second at least
        scenario.faults = {{.target = Fault::Target::link,
                            .key = scenario.cluster.links[0].key,
                            .atSeconds = 0.02,
                            .repairAfterSeconds = 0.1}};
        const auto real = executed(scenario);
        const auto finished = eventsOf(real->log(), EventType::jobFinished);
        QCOMPARE(finished.size(), std::size_t{1});
        QVERIFY(finished[0].time.toSeconds() > 0.12);
        QCOMPARE(finished[0].count(), std::uint64_t{machines * threads * 2000});
    }
}

void tst_KeyedExecution::endsWhenNothingCanMove() {
    Scenario scenario = smallScenario({"static", {}}, 1'000'000);
    scenario.faults = {{.target = Fault::Target::link, .key = scenario.cluster.links[0].key, .atSeconds = 0.02},
                       {.target = Fault::Target::link, .key = scenario.cluster.links[1].key, .atSeconds = 0.02}};
    const auto real = executed(scenario);
    QCOMPARE(eventsOf(real->log(), EventType::jobFailed).size(), std::size_t{1});
    QVERIFY(real->state().now().toSeconds() < 5);
}

void tst_KeyedExecution::preemptedGoesOn() {
    Scenario scenario = smallScenario({"relocating", {}}, 2000);
    std::get<AnalyticWork>(scenario.jobs[0].work).secondsPerSample = 5e-5; // a tenth of a second at least
    scenario.jobs.push_back(scenario.jobs[0]);
    scenario.jobs[1].key = "short";
    scenario.jobs[1].arrival = SimTime::seconds(0.03);
    scenario.jobs[1].stop.iterations = 100;
    scenario.policies.scheduler = {"srtf", {}};
    const auto real = executed(scenario);
    QCOMPARE(eventsOf(real->log(), EventType::jobFinished).size(), std::size_t{2});
    const auto preempted = eventsOf(real->log(), EventType::jobPreempted);
    QVERIFY(!preempted.empty());
    for (const Event& event : preempted) QCOMPARE(event.b, 0u); // nothing lost
}

void tst_KeyedExecution::limitOfSecondsHolds() {
    Scenario scenario = smallScenario({"nups", {}}, 1'000'000);
    scenario.jobs[0].stop = {};
    scenario.jobs[0].stop.seconds = 0.2;
    const auto real = executed(scenario);
    const auto finished = eventsOf(real->log(), EventType::jobFinished);
    QCOMPARE(finished.size(), std::size_t{1});
    QVERIFY(finished[0].time.toSeconds() >= 0.2 && finished[0].time.toSeconds() < 2);
    QVERIFY(finished[0].count() > 0);
}

TRAINYARD_TEST(tst_KeyedExecution)
#include "tst_KeyedExecution.moc"
