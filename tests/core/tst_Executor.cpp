// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Executing: the same node code on threads gives the same training, real waits, and stops when asked.
#include "engine/Executor.h"
#include "record/GradientNorm.h"
#include "support/RestlessScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <map>

using namespace trainyard;
using namespace trainyard::test;

namespace {

std::unique_ptr<Executor> executor(const Scenario& scenario, std::uint64_t seed = 1) {
    auto options = optionsFor(scenario, seed);
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(RestlessScheduler::entry());
    options.registry = std::make_shared<const Registry>(std::move(registry));
    auto made = Executor::create(std::move(options));
    for (const auto& p : made.problems()) qWarning("%s", p.text().c_str());
    return made ? std::move(made).value() : nullptr;
}

double lastLossOf(const EventLog& log) { return eventsOf(log, EventType::lossEvaluated).back().value; }

} // namespace

class tst_Executor : public QObject {
    Q_OBJECT
private slots:
    void fullSyncLossEqualsTheSimulatedOne();
    void everyPolicyTrains_data();
    void everyPolicyTrains();
    void logFoldsToItsState();
    void failureRestartsFromTheCheckpoint();
    void randomFaultsComeAndGo();
    void stopsWhenAsked();
    void refusesTooManyThreads();
    void threadsAreLimitedPerRun();
    void failedLinkIsWaitedFor();
    void failedLinkIsGoneAround();
    void endsWhenNothingCanMove_data();
    void endsWhenNothingCanMove();
    void networkBoundIterationsTakeTheirTime();
    void srtfRanksByWhatRemains();
    void pendingWakeUpKeepsNoRunAlive();
    void shrinksWhereTheJobSaysSo();
    void preemptedGraphJobGoesOn();
    void graphJobWaitsForItsLink();
    void wakeUpsMayPassWhileJobsStop();
    void stalenessAgreesWithTheLog();
    void haltedBetweenUpdatesOnly();
};

// Same batches, same sums in the same order: the parameters agree to the last bit whatever the threads do.
void tst_Executor::fullSyncLossEqualsTheSimulatedOne() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    auto execution = executor(scenario, 5);
    QVERIFY(execution);
    execution->run({}, [] {});
    auto simulation = Simulation::create(optionsFor(scenario, 5));
    while ((*simulation)->step()) {}
    QCOMPARE(lastLossOf(execution->log()), lastLossOf((*simulation)->log()));
    QCOMPARE(eventsOf(execution->log(), EventType::updateApplied).size(), std::size_t{40});
    // 40 iterations of 16 ms of injected computation cannot take less.
    QVERIFY(eventsOf(execution->log(), EventType::jobFinished)[0].time.toSeconds() >= 0.64);
}

void tst_Executor::everyPolicyTrains_data() {
    QTest::addColumn<QString>("policy");
    for (const auto& entry : Registry::builtin().synchronizations)
        QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
}

void tst_Executor::everyPolicyTrains() {
    QFETCH(QString, policy);
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    std::get<TrainedWork>(scenario.jobs[0].work).secondsPerSample = 1e-4;
    scenario.cluster.machines[1].straggler.persistentFactor = 3;
    scenario.policies.synchronization.id = policy.toStdString();
    auto execution = executor(scenario);
    QVERIFY(execution);
    execution->run({}, [] {});
    QCOMPARE(eventsOf(execution->log(), EventType::jobFinished).size(), std::size_t{1});
    const auto losses = eventsOf(execution->log(), EventType::lossEvaluated);
    QVERIFY(losses.back().value < 0.7 * losses.front().value);
    for (const Event& e : losses)
        QCOMPARE(gradientNormOf(e.aux) > 0, e.count() > 0); // not known before the first update
}

void tst_Executor::logFoldsToItsState() {
    Scenario scenario = starScenario(8);
    scenario.jobs = {trainedJob(), analyticJob()};
    std::get<AnalyticWork>(scenario.jobs[1].work).parameterBytes = 1e5;
    std::get<AnalyticWork>(scenario.jobs[1].work).secondsPerSample = 1e-4;
    auto execution = executor(scenario);
    execution->run({}, [] {});
    ClusterState fold(execution->workload());
    for (std::size_t i = 0; i < execution->log().size(); ++i) fold.apply(execution->log()[i]);
    QVERIFY(fold == execution->state());
    for (const auto& job : fold.jobs()) QVERIFY(job.phase == JobPhase::finished);
}

void tst_Executor::failureRestartsFromTheCheckpoint() {
    Scenario scenario = starScenario(5);
    scenario.jobs = {trainedJob()};
    scenario.jobs[0].checkpoint.everyIterations = 5;
    scenario.faults.push_back({.key = "m2", .atSeconds = 0.3});
    auto execution = executor(scenario);
    execution->run({}, [] {});
    const auto preempted = eventsOf(execution->log(), EventType::jobPreempted);
    QCOMPARE(preempted.size(), std::size_t{1});
    QVERIFY(preempted[0].a > 0 && preempted[0].a % 5 == 0);
    QCOMPARE(eventsOf(execution->log(), EventType::jobRestored)[0].a, preempted[0].a);
    QVERIFY(execution->state().jobs()[0].phase == JobPhase::finished);
}

void tst_Executor::randomFaultsComeAndGo() {
    Scenario scenario = starScenario(5);
    scenario.jobs = {trainedJob()};
    scenario.jobs[0].checkpoint.everyIterations = 5;
    scenario.faults.push_back({.repairAfterSeconds = 0.05, .meanSecondsBetween = 1});
    scenario.horizonSeconds = 1.5;
    auto execution = executor(scenario);
    execution->run({}, [] {});
    const auto failed = eventsOf(execution->log(), EventType::machineFailed);
    const auto repaired = eventsOf(execution->log(), EventType::machineRepaired);
    // Five machines for 1.5 s: 7.5 expected if the job does not end before; none at all has probability
    // e^-7.5.
    QVERIFY(!failed.empty());
    QVERIFY(failed.size() >= repaired.size() && failed.size() - repaired.size() <= 5);
}

void tst_Executor::stopsWhenAsked() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    scenario.jobs[0].stop.iterations = 1'000'000;
    auto execution = executor(scenario);
    std::stop_source source;
    execution->run(source.get_token(), [&] {
        if (execution->state().jobs()[0].updates > 3) source.request_stop();
    });
    QVERIFY(execution->state().jobs()[0].updates < 100'000);
    QVERIFY(execution->log()[execution->log().size() - 1].type == EventType::runFinished);
}

void tst_Executor::refusesTooManyThreads() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    scenario.jobs[0].workers = {5000, 5000};
    auto made = Executor::create(optionsFor(scenario));
    QVERIFY(!made);
    QCOMPARE(made.problems()[0].pointer, std::string("/jobs/0/workers"));
}

// Two jobs of 600 workers have room on the machine, their threads have not: one after the other.
void tst_Executor::threadsAreLimitedPerRun() {
    Scenario scenario = starScenario(1);
    scenario.cluster.machines[0].capacity = ResourceVector::of({2000});
    Job job = analyticJob();
    job.workerDemand = job.serverDemand = ResourceVector::of({1});
    job.workers = {600, 600};
    job.stop.iterations = 2;
    std::get<AnalyticWork>(job.work).secondsPerSample = 1e-4;
    scenario.jobs = {job, job};
    scenario.jobs[1].key = "b";
    auto execution = executor(scenario);
    execution->run({}, [] {});
    const auto started = eventsOf(execution->log(), EventType::jobStarted);
    const auto finished = eventsOf(execution->log(), EventType::jobFinished);
    QCOMPARE(started.size(), std::size_t{2});
    QCOMPARE(finished.size(), std::size_t{2});
    QVERIFY(started[1].time >= finished[0].time);
}

// The server's link is down for 0.4 s of the 5 s; nobody is preempted and nothing is computed twice.
void tst_Executor::failedLinkIsWaitedFor() {
    Scenario scenario = starScenario(3);
    scenario.jobs = {analyticJob()};
    scenario.jobs[0].stop.iterations = 2;
    scenario.faults.push_back(
        {.target = Fault::Target::link, .key = "m3--s", .atSeconds = 0.1, .repairAfterSeconds = 0.4});
    auto execution = executor(scenario);
    execution->run({}, [] {});
    QVERIFY(execution->state().jobs()[0].phase == JobPhase::finished);
    QVERIFY(eventsOf(execution->log(), EventType::jobPreempted).empty());
    QCOMPARE(eventsOf(execution->log(), EventType::computeStarted).size(), std::size_t{4});
    // 2 × 0.5 s and the time between failure and repair, as they were logged.
    const double down = (eventsOf(execution->log(), EventType::linkRepaired)[0].time -
                         eventsOf(execution->log(), EventType::linkFailed)[0].time)
                            .toSeconds();
    const double seconds = eventsOf(execution->log(), EventType::jobFinished)[0].time.toSeconds();
    QVERIFY2(seconds > 0.999 + down - 0.005, qPrintable(QString::number(seconds)));
}

void tst_Executor::failedLinkIsGoneAround() {
    Scenario scenario = starScenario(3);
    for (const auto& [from, to] : {std::pair("m1", "m3"), std::pair("m2", "m3")}) // a detour round the switch
        scenario.cluster.links.push_back(
            {.key = std::string(from) + "--" + to, .from = from, .to = to, .bandwidth = 1.25e8});
    scenario.jobs = {analyticJob()};
    scenario.jobs[0].stop.iterations = 2;
    for (const char* key : {"m1--m3", "m2--m3"})
        scenario.faults.push_back({.target = Fault::Target::link, .key = key, .atSeconds = 0.05});
    auto execution = executor(scenario);
    execution->run({}, [] {});
    QVERIFY(execution->state().jobs()[0].phase == JobPhase::finished);
    QVERIFY(eventsOf(execution->log(), EventType::jobPreempted).empty());
    QCOMPARE(eventsOf(execution->log(), EventType::computeStarted).size(), std::size_t{4});
}

void tst_Executor::endsWhenNothingCanMove_data() {
    QTest::addColumn<bool>("link");
    QTest::newRow("link down for good") << true;
    QTest::newRow("machine down for good") << false;
}

void tst_Executor::endsWhenNothingCanMove() {
    QFETCH(bool, link);
    Scenario scenario = starScenario(3);
    scenario.jobs = {analyticJob()};
    Fault fault{
        .target = link ? Fault::Target::link : Fault::Target::machine, .key = link ? "m3--s" : "m3", .atSeconds = 0.1};
    scenario.faults = {fault};
    auto execution = executor(scenario);
    execution->run({}, [] {}); // without end before
    const auto failed = eventsOf(execution->log(), EventType::jobFailed);
    QCOMPARE(failed.size(), std::size_t{1});
    QCOMPARE(failed[0].aux, static_cast<std::uint16_t>(FailReason::stuck));
}

// Four workers share the server's link: 4 × 1.25 MB there and back, 0.08 s of a simulated iteration of 0.1 s.
// The network of the model cannot be faster than itself (before: by a third and more, since one transfer took
// the link after another). How much slower an execution is, depends on the machine.
void tst_Executor::networkBoundIterationsTakeTheirTime() {
    Scenario scenario = starScenario(5);
    Job job = analyticJob();
    job.workers = {4, 4};
    std::get<AnalyticWork>(job.work).parameterBytes = 1.25e6;
    std::get<AnalyticWork>(job.work).secondsPerSample = 2e-4;
    scenario.jobs = {job};
    auto execution = executor(scenario);
    execution->run({}, [] {});
    auto simulation = Simulation::create(optionsFor(scenario));
    while ((*simulation)->step()) {}
    const double real = eventsOf(execution->log(), EventType::jobFinished)[0].time.toSeconds();
    const double model = eventsOf((*simulation)->log(), EventType::jobFinished)[0].time.toSeconds();
    qInfo("executed %g s, simulated %g s", real, model);
    // Workers need not stay in step: one may push while another pulls, which those of the model never do. But in each of the ten
    // updates four pulls of 10 ms leave the server one after the other, and then the last worker computes for 20 ms and pushes.
    QVERIFY(real >= 10 * (4 * 0.01 + 0.02 + 0.01) && real < 1.5 * model);
    // The link metrics are those of the simulation: all bytes went over the server's link. On a busy machine the
    // threads tell their events late, so that the integral of the loads is off by up to a percent.
    double bytes = 0, load = 0;
    SimTime since;
    for (const Event& e : eventsOf(execution->log(), EventType::linkLoad)) {
        if (e.a != 2 * 4) continue; // m5 → s
        bytes += load * (e.time - since).toSeconds();
        load = e.value;
        since = e.time;
    }
    QVERIFY2(std::abs(bytes / (10 * 4 * 1.25e6) - 1) < 0.02, qPrintable(QString::number(bytes)));
}

// The first job has done nearly all of its 2 s when the second, of 1.2 s, arrives.
void tst_Executor::srtfRanksByWhatRemains() {
    Scenario scenario = starScenario(3);
    scenario.policies.scheduler.id = "srtf";
    Job job = analyticJob();
    std::get<AnalyticWork>(job.work).parameterBytes = 1e3;
    std::get<AnalyticWork>(job.work).secondsPerSample = 2e-4;
    job.stop.iterations = 100;
    scenario.jobs = {job, job};
    scenario.jobs[1].key = "b";
    scenario.jobs[1].stop.iterations = 60;
    scenario.jobs[1].arrival = SimTime::seconds(1.8);
    auto execution = executor(scenario);
    execution->run({}, [] {});
    QVERIFY(eventsOf(execution->log(), EventType::jobPreempted).empty());
    QCOMPARE(eventsOf(execution->log(), EventType::jobFinished)[0].job, 0u);
}

void tst_Executor::pendingWakeUpKeepsNoRunAlive() {
    Scenario scenario = starScenario(3);
    scenario.jobs = {analyticJob()};
    scenario.jobs[0].stop.iterations = 1;
    scenario.policies.scheduler = {"test-restless", {{"period", 1e5}}};
    auto execution = executor(scenario);
    execution->run({}, [] {}); // took a day before
    QVERIFY(execution->state().jobs()[0].phase == JobPhase::finished);
}

void tst_Executor::shrinksWhereTheJobSaysSo() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    scenario.jobs[0].workers = {1, 3};
    scenario.jobs[0].onFailure = FailureReaction::shrink;
    scenario.faults = {{.key = "m2", .atSeconds = 0.2}};
    auto execution = executor(scenario);
    execution->run({}, [] {});
    QVERIFY(eventsOf(execution->log(), EventType::jobPreempted).empty());
    QVERIFY(execution->state().jobs()[0].phase == JobPhase::finished);
    const auto failed = eventsOf(execution->log(), EventType::machineFailed)[0];
    std::size_t removed = 0;
    for (const Event& e : eventsOf(execution->log(), EventType::taskRemoved))
        removed += e.b == failed.a && static_cast<TaskRole>(e.aux) == TaskRole::worker;
    QCOMPARE(removed, std::size_t{1});
    ClusterState fold(execution->workload());
    for (std::size_t i = 0; i < execution->log().size(); ++i) fold.apply(execution->log()[i]);
    QVERIFY(fold == execution->state());
}

// 1 s of work, preempted every 0.3 s and started again at once: it goes on with what is left.
void tst_Executor::preemptedGraphJobGoesOn() {
    Scenario scenario = starScenario(2);
    GraphWork work{.steps = 10};
    work.graph.operations.push_back({"op", 0.04, 0.06, 1e3, 1e3});
    Job job{.key = "g"};
    job.workerDemand = ResourceVector::of({1});
    job.workers = {1, 1};
    job.servers = {0, 0};
    job.work = work;
    scenario.jobs = {job};
    scenario.policies.scheduler = {"test-restless", {{"period", 0.3}}};
    auto execution = executor(scenario);
    std::stop_source source;
    execution->run(source.get_token(), [&] {
        if (execution->state().now() > SimTime::seconds(30)) source.request_stop(); // it never ended before
    });
    QVERIFY(!eventsOf(execution->log(), EventType::jobPreempted).empty());
    QVERIFY(execution->state().jobs()[0].phase == JobPhase::finished);
}

// 0.3 s of work, split between two machines; no way joins them from 0.1 to 0.6 s. Before, it went on all the same.
void tst_Executor::graphJobWaitsForItsLink() {
    Scenario scenario = starScenario(2);
    GraphWork work{.steps = 10, .deadlineFraction = 100};
    work.graph.operations = {{"a", 0.01, 0.02, 1e3, 1e3}, {"b", 0.01, 0.02, 1e3, 1e3}};
    work.graph.dependencies = {{0, 1}};
    Job job{.key = "g"};
    job.workerDemand = ResourceVector::of({8});
    job.workers = {2, 2};
    job.servers = {0, 0};
    job.work = work;
    scenario.jobs = {job};
    scenario.policies.partitioner.id = "max";
    scenario.faults.push_back(
        {.target = Fault::Target::link, .key = "m2--s", .atSeconds = 0.1, .repairAfterSeconds = 0.5});
    auto execution = executor(scenario);
    execution->run({}, [] {});
    QVERIFY(execution->state().jobs()[0].phase == JobPhase::finished);
    const SimTime repaired = eventsOf(execution->log(), EventType::linkRepaired)[0].time;
    QVERIFY(eventsOf(execution->log(), EventType::jobFinished)[0].time > repaired);
}

// A millisecond after each decision, which may have taken longer to stop the threads of the job. Before, that failed the run.
void tst_Executor::wakeUpsMayPassWhileJobsStop() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    scenario.policies.scheduler = {"test-restless", {{"period", 0.001}}};
    auto execution = executor(scenario);
    std::stop_source source;
    execution->run(source.get_token(), [&] {
        if (execution->state().now() > SimTime::seconds(0.3)) source.request_stop();
    });
    QVERIFY(eventsOf(execution->log(), EventType::jobPreempted).size() > 10);
}

// The staleness of a gradient is the number of updates that the log has between its read and its arrival. The servers read the
// parameters after the worker asks for them and before it computes.
void tst_Executor::stalenessAgreesWithTheLog() {
    Scenario scenario = starScenario(7);
    scenario.policies.synchronization.id = "async";
    Job job = trainedJob();
    job.workers = {6, 6};
    job.stop.iterations = 400;
    std::get<TrainedWork>(job.work).secondsPerSample = 1e-4;
    std::get<TrainedWork>(job.work).optimizer = {"sgd", {{"learning_rate", 0.01}}};
    scenario.jobs = {job};
    for (auto& machine : scenario.cluster.machines) machine.straggler.factor = {.law = Law::exponential, .mean = 1};
    auto execution = executor(scenario);
    execution->run({}, [] {});
    std::uint64_t updates = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> askedAt, computedAt;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < execution->log().size(); ++i) {
        const Event& e = execution->log()[i];
        if (e.type == EventType::pullStarted) askedAt[{e.a, e.b}] = updates;
        if (e.type == EventType::computeStarted) computedAt[{e.a, e.b}] = updates;
        if (e.type == EventType::updateApplied) updates = e.count();
        if (e.type != EventType::gradientArrived) continue;
        QVERIFY(e.value <= static_cast<double>(updates - askedAt.at({e.a, e.b})));
        QVERIFY(e.value >= static_cast<double>(updates - computedAt.at({e.a, e.b})));
        ++compared;
    }
    QVERIFY(compared >= 400);
}

// Preempted every 30 ms with three servers: a job goes on from the parameters that it had after as many
// updates. Where the loss after an update was evaluated before and after a stop, it is the same number.
void tst_Executor::haltedBetweenUpdatesOnly() {
    Scenario scenario = starScenario(2);
    for (auto& machine : scenario.cluster.machines) machine.capacity = ResourceVector::of({16});
    Job job = trainedJob();
    job.workerDemand = job.serverDemand = ResourceVector::of({1});
    job.servers = {3, 3};
    job.stop.iterations = 200;
    std::get<TrainedWork>(job.work).secondsPerSample = 2e-4;
    std::get<TrainedWork>(job.work).evaluation.everyIterations = 1;
    scenario.jobs = {job};
    scenario.policies.scheduler = {"test-restless", {{"period", 0.03}}};
    scenario.policies.synchronization.id = "async";
    auto execution = executor(scenario);
    execution->run({}, [] {});
    std::map<std::uint64_t, double> losses;
    std::size_t compared = 0;
    for (const Event& e : eventsOf(execution->log(), EventType::lossEvaluated)) {
        const auto [it, first] = losses.try_emplace(e.count(), e.value);
        if (!first) QCOMPARE(e.value, it->second);
        compared += !first;
    }
    QVERIFY2(compared >= 3, qPrintable(QString::number(compared)));
    QCOMPARE(eventsOf(execution->log(), EventType::updateApplied).size(), std::size_t{200});
}

TRAINYARD_TEST(tst_Executor)
#include "tst_Executor.moc"
