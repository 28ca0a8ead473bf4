// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A fixed batch divided among the workers that a job has now, the law of an update's time by their number, rates by locality,
// and servers by the number of workers: in the flow model, in the rate model, and executed.
#include "base/Result.h"
#include "engine/Executor.h"
#include "support/DecidingScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TaskAccounts.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

namespace {

/// Ten updates of eight workers that each ask for the parameters by 64 bytes take 41 µs longer.
constexpr double requests = 5e-5;

constexpr UpdateLaw law{0.02, 0.48, 0.01}; ///< t(1) = 0.51, t(2) = 0.28, t(4) = 0.18, t(8) = 0.16 s

/// One server beside `workers` workers, each on a machine of its own; messages take no time worth mentioning.
Scenario scaled(int workers, NetworkModel network) {
    Scenario s = starScenario(9);
    s.network = network;
    Job job = analyticJob();
    job.workers = {workers, workers};
    auto& work = std::get<AnalyticWork>(job.work);
    work.parameterBytes = 1e-3;
    work.batch = 240;
    work.batchOf = BatchOf::job;
    work.law = law;
    s.jobs = {job};
    return s;
}

std::shared_ptr<const EventLog> simulated(const SimulationOptions& options) {
    auto simulation = Simulation::create(options);
    while (simulation.value()->step()) {}
    return simulation.value()->sharedLog();
}

std::shared_ptr<const EventLog> executed(const SimulationOptions& options) {
    auto executor = Executor::create(options);
    executor.value()->run({}, [] {});
    return executor.value()->sharedLog();
}

SimulationOptions decidedBy(const Scenario& scenario, DecidingScheduler::Decide decide) {
    auto options = optionsFor(scenario);
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(DecidingScheduler::entry(std::move(decide)));
    options.registry = std::make_shared<const Registry>(std::move(registry));
    return options;
}

double endOf(const EventLog& log) { return eventsOf(log, EventType::jobFinished).at(0).time.toSeconds(); }

} // namespace

class tst_StrongScaling : public QObject {
    Q_OBJECT
private slots:
    void updatesTakeTheLaw_data();
    void updatesTakeTheLaw();
    void executedTasksObeyTheLaw();
    void aBatchOfTheJobIsDivided_data();
    void aBatchOfTheJobIsDivided();
    void itIsDividedAmongThoseThatAreThere();
    void anotherBatch_data();
    void anotherBatch();
    void anotherBatchIsChecked();
    void samplesBeyond32Bits();
    void estimatesOfAnotherBatch();
    void ratesGoByLocality_data();
    void ratesGoByLocality();
    void ratesDivideTheBatchExactly();
    void serversGoByWorkers_data();
    void serversGoByWorkers();
};

void tst_StrongScaling::updatesTakeTheLaw_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<double>("seconds");
    QTest::newRow("1") << 1 << 0.51;
    QTest::newRow("2") << 2 << 0.28;
    QTest::newRow("4") << 4 << 0.18;
    QTest::newRow("8") << 8 << 0.16;
}

// Ten updates. Under full synchronization each takes t(a).
void tst_StrongScaling::updatesTakeTheLaw() {
    QFETCH(int, workers);
    QFETCH(double, seconds);
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        const double end = endOf(*simulated(optionsFor(scaled(workers, network))));
        QVERIFY2(std::abs(end - 10 * seconds) < requests, qPrintable(QString::number(end, 'g', 12)));
    }
}

// A task takes at least what the law says, whatever the machine that executes it.
void tst_StrongScaling::executedTasksObeyTheLaw() {
    auto executor = Executor::create(optionsFor(scaled(4, NetworkModel::flow)));
    executor.value()->run({}, [] {});
    const EventLog& log = executor.value()->log();
    QCOMPARE(eventsOf(log, EventType::updateApplied).size(), std::size_t{10});
    std::map<std::pair<std::uint32_t, std::uint32_t>, SimTime> began;
    int tasks = 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& e = log[i];
        if (e.type == EventType::computeStarted) {
            began[{e.a, e.b}] = e.time;
            QCOMPARE(e.value, 60.0);
        }
        if (e.type != EventType::pushStarted) continue;
        ++tasks;
        QVERIFY((e.time - began.at({e.a, e.b})).toSeconds() >= 0.18 - 1e-9);
    }
    QCOMPARE(tasks, 40);
}

void tst_StrongScaling::aBatchOfTheJobIsDivided_data() {
    QTest::addColumn<int>("workers");
    for (const int n : {1, 2, 3, 4}) QTest::addRow("%d", n) << n;
}

// 24 samples an update, whatever the number of workers, and 24 ms / n of computing; two epochs of 600 rows are 50 updates.
void tst_StrongScaling::aBatchOfTheJobIsDivided() {
    QFETCH(int, workers);
    Scenario scenario = starScenario(5);
    Job job = trainedJob();
    job.workers = {workers, workers};
    job.stop = {};
    job.stop.epochs = 2;
    auto& work = std::get<TrainedWork>(job.work);
    work.batch = 24;
    work.batchOf = BatchOf::job;
    scenario.jobs = {job};
    const auto log = simulated(optionsFor(scenario));
    for (const Event& e : eventsOf(*log, EventType::updateApplied)) QCOMPARE(e.value, 24.0);
    QCOMPARE(eventsOf(*log, EventType::updateApplied).size(), std::size_t{50});
    const double computing = 50 * 0.024 / workers;
    QVERIFY(endOf(*log) >= computing && endOf(*log) < computing + 50 * 1e-4);
}

// From four workers to two while the job runs: tasks of 60 samples become tasks of 120.
void tst_StrongScaling::itIsDividedAmongThoseThatAreThere() {
    Scenario scenario = scaled(4, NetworkModel::flow);
    scenario.jobs[0].workers = {2, 4};
    scenario.policies.scheduler = {"deciding", {}};
    const auto log = simulated(decidedBy(
        scenario, [](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
            for (const JobId job : view.jobsIn(JobPhase::waiting)) {
                decisions.start(job, placed({0, 1, 2, 3}, {8}));
                decisions.wakeAt(SimTime::seconds(1));
            }
            if (context.now == SimTime::seconds(1)) decisions.resize(JobId(std::size_t{0}), placed({1, 3}, {8}));
        }));
    // Five updates of 0.18 s, then one that the two who stay were about: their tasks go on; then four of 0.28 s.
    for (const Event& e : eventsOf(*log, EventType::computeStarted))
        QCOMPARE(e.value, e.time < SimTime::seconds(1) ? 60.0 : 120.0);
    QVERIFY2(std::abs(endOf(*log) - (6 * 0.18 + 4 * 0.28)) < requests,
             qPrintable(QString::number(endOf(*log), 'g', 12)));
}

void tst_StrongScaling::anotherBatch_data() {
    QTest::addColumn<QString>("mode");
    QTest::addColumn<bool>("restarts");
    for (const char* mode : {"flow", "rate", "execute"}) {
        QTest::addRow("%s", mode) << mode << false;
        QTest::addRow("%s, restart_s", mode) << mode << true;
    }
}

// At 1 s a batch of 240 becomes one of 480: tasks of 60 samples become tasks of 120, of 0.02 + 0.96/4 + 0.04 = 0.3 s. Nothing
// is stopped, lost or moved, whatever a restart takes.
void tst_StrongScaling::anotherBatch() {
    QFETCH(QString, mode);
    QFETCH(bool, restarts);
    Scenario scenario = scaled(4, mode == "rate" ? NetworkModel::rate : NetworkModel::flow);
    if (restarts) scenario.jobs[0].restartSeconds = 5;
    scenario.policies.scheduler = {"deciding", {}};
    const auto options = decidedBy(
        scenario, [](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
            for (const JobId job : view.jobsIn(JobPhase::waiting)) {
                decisions.start(job, placed({0, 1, 2, 3}, {8}));
                decisions.wakeAt(SimTime::seconds(1));
            }
            if (context.now < SimTime::seconds(1) || view.state().job(JobId(std::size_t{0})).batch > 0) return;
            decisions.resize(JobId(std::size_t{0}), placed({0, 1, 2, 3}, {8}), 480);
        });
    const auto log = mode == "execute" ? executed(options) : simulated(options);
    for (const auto& error : accountErrors(*log)) QFAIL(error.c_str());
    const auto changed = eventsOf(*log, EventType::batchChanged);
    QCOMPARE(changed.size(), std::size_t{1});
    QCOMPARE(changed[0].a, 480u);
    QCOMPARE(eventsOf(*log, EventType::jobResized).size(), std::size_t{1});
    QVERIFY(eventsOf(*log, EventType::taskCancelled).empty());
    QVERIFY(eventsOf(*log, EventType::jobRestored).empty());
    QCOMPARE(eventsOf(*log, EventType::taskPlaced).size(), std::size_t{5});
    for (const Event& e : eventsOf(*log, EventType::computeStarted))
        QCOMPARE(e.value, e.time < changed[0].time ? 60.0 : 120.0);
    // Task by task the update under way is done as it began; by rate the rest of it is as long as one of the larger batch.
    const double rest = mode == "rate" ? (10 - 1 / 0.18) * 0.3 : 0.08 + 4 * 0.3;
    if (mode != "execute")
        QVERIFY2(std::abs(endOf(*log) - 1 - rest) < requests, qPrintable(QString::number(endOf(*log))));
    QCOMPARE(eventsOf(*log, EventType::updateApplied).back().count(), std::uint64_t{10});
}

void tst_StrongScaling::anotherBatchIsChecked() {
    const auto failure = [](Scenario scenario, int batch) -> QString {
        scenario.policies.scheduler = {"deciding", {}};
        const auto options =
            decidedBy(scenario, [&](const PolicyContext&, const SchedulerView& view, SchedulingDecisions& decisions) {
                for (const JobId job : view.jobsIn(JobPhase::waiting)) {
                    const bool graph = view.workload().job(job).kind() == JobKind::graph;
                    decisions.replan({{job, graph ? placed({0}, {}) : placed({0}, {8}), batch}});
                }
            });
        try {
            simulated(options);
        } catch (const InvariantError& error) { return error.what(); }
        return {};
    };
    Scenario scenario = scaled(1, NetworkModel::flow);
    QCOMPARE(failure(scenario, 480), QString());
    QVERIFY(failure(scenario, -1).contains("scheduler \"deciding\" gave job \"a\" a batch of -1; allowed are 1 to"));
    QVERIFY(failure(scenario, 200'000'000).contains("a batch of 200000000; allowed are 1 to 100000000 samples"));
    Job graph{.key = "g", .workers = {1, 1}, .servers = {0, 0}};
    graph.work = GraphWork{.graph = {{{"op", 0.1, 0.1, 1, 1}}, {}}, .steps = 1, .deadlineFraction = 5};
    scenario.jobs = {graph};
    QVERIFY(failure(scenario, 4).contains("gave job \"g\" a batch of 4; a graph job has none"));
}

// A task of a thousand steps of 10⁸ samples each: they were counted in 32 bits, and its time was negative.
void tst_StrongScaling::samplesBeyond32Bits() {
    Scenario scenario = starScenario(2);
    scenario.policies.synchronization = {"local-sgd", {{"steps", std::int64_t{1000}}}};
    Job job = analyticJob();
    job.workers = {1, 1};
    job.stop.iterations = 2;
    auto& work = std::get<AnalyticWork>(job.work);
    work.batch = mostBatch;
    work.secondsPerSample = 1e-9;
    work.parameterBytes = 1e-3;
    scenario.jobs = {job};
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        scenario.network = network;
        const auto log = simulated(optionsFor(scenario));
        QVERIFY2(std::abs(endOf(*log) - 200) < requests, qPrintable(QString::number(endOf(*log))));
        for (const Event& e : eventsOf(*log, EventType::computeStarted)) QCOMPARE(e.value, 1e11);
        QCOMPARE(eventsOf(*log, EventType::updateApplied).back().count(), std::uint64_t{2});
    }
}

// t(4) of the declared batch and of twice as much.
void tst_StrongScaling::estimatesOfAnotherBatch() {
    Scenario scenario = scaled(4, NetworkModel::flow);
    scenario.policies.scheduler = {"deciding", {}};
    double declared = 0, twice = 0, present = 0;
    simulated(decidedBy(scenario, [&](const PolicyContext&, const SchedulerView& view, SchedulingDecisions& decisions) {
        const auto placement = placed({0, 1, 2, 3}, {8});
        for (const JobId job : view.jobsIn(JobPhase::running)) present = view.speed().secondsPerUpdate(job, placement);
        for (const JobId job : view.jobsIn(JobPhase::waiting)) {
            declared = view.speed().secondsPerUpdate(job, placement);
            twice = view.speed().secondsPerUpdate(job, placement, 480);
            decisions.replan({{job, placement, 480}});
            decisions.wakeAt(SimTime::seconds(0.1));
        }
    }));
    QVERIFY(std::abs(declared - 0.18) < requests && std::abs(twice - 0.3) < requests);
    QCOMPARE(present, twice);
}

void tst_StrongScaling::ratesGoByLocality_data() {
    QTest::addColumn<bool>("together");
    QTest::addColumn<double>("seconds");
    QTest::newRow("beside its server") << true << 100 / 400.0;
    QTest::newRow("elsewhere") << false << 100 / 250.0;
}

void tst_StrongScaling::ratesGoByLocality() {
    QFETCH(bool, together);
    QFETCH(double, seconds);
    Scenario scenario = starScenario(2);
    Job job = analyticJob();
    job.workers = {1, 1};
    job.workerDemand = job.serverDemand = ResourceVector::of({together ? 4.0 : 8.0});
    auto& work = std::get<AnalyticWork>(job.work);
    work.parameterBytes = 1e-3;
    work.rates = LocalityRates{400, 250};
    scenario.jobs = {job};
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        scenario.network = network;
        const double end = endOf(*simulated(optionsFor(scenario)));
        QVERIFY2(std::abs(end - 10 * seconds) < requests, qPrintable(QString::number(end, 'g', 12)));
    }
}

// 100 samples among three workers of 250 a second: an update takes 100/750 s, though its tasks count 33 samples.
void tst_StrongScaling::ratesDivideTheBatchExactly() {
    Scenario scenario = scaled(3, NetworkModel::flow);
    auto& work = std::get<AnalyticWork>(scenario.jobs[0].work);
    work.law.reset();
    work.batch = 100;
    work.rates = LocalityRates{400, 250};
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        scenario.network = network;
        const double end = endOf(*simulated(optionsFor(scenario)));
        QVERIFY2(std::abs(end - 10 * 100 / 750.0) < requests, qPrintable(QString::number(end, 'g', 12)));
    }
}

void tst_StrongScaling::serversGoByWorkers_data() {
    QTest::addColumn<QString>("scheduler");
    for (const char* id : {"fifo", "srtf", "drf", "fair"}) QTest::newRow(id) << QString(id);
}

// One server for every two workers, whoever schedules; jobs come and go, so that elastic schedulers resize.
void tst_StrongScaling::serversGoByWorkers() {
    QFETCH(QString, scheduler);
    Scenario scenario = starScenario(3);
    scenario.policies.scheduler = {scheduler.toStdString(), {}};
    for (int j = 0; j < 3; ++j) {
        Job job = analyticJob();
        job.key = "j" + std::to_string(j);
        job.arrival = SimTime::seconds(0.7 * j);
        job.workerDemand = job.serverDemand = ResourceVector::of({1});
        job.workers = {1, 9};
        job.servers = {1, 5};
        job.workersPerServer = 2;
        scenario.jobs.push_back(job);
    }
    const auto log = simulated(optionsFor(scenario));
    std::size_t resized = 0;
    std::set<std::uint32_t> sizes;
    for (std::size_t i = 0; i < log->size(); ++i) {
        const Event& e = (*log)[i];
        if (e.type != EventType::jobStarted && e.type != EventType::jobResized) continue;
        resized += e.type == EventType::jobResized;
        sizes.insert(e.a);
        QCOMPARE(e.b, (e.a + 1) / 2);
    }
    QCOMPARE(eventsOf(*log, EventType::jobFinished).size(), std::size_t{3});
    if (scheduler == "fair" || scheduler == "drf") QVERIFY(resized > 0 && sizes.size() > 1);
}

TRAINYARD_TEST(tst_StrongScaling)
#include "tst_StrongScaling.moc"
