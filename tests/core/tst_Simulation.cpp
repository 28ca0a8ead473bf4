// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The simulation: iteration times by hand, determinism, clones, failures, what is conserved.
#include "engine/DelayModel.h"
#include "engine/Simulation.h"
#include "learning/TrainingProblem.h"
#include "record/GradientNorm.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>
#include <set>

using namespace trainyard;
using namespace trainyard::test;

namespace {

std::unique_ptr<Simulation> simulate(Scenario scenario, std::uint64_t seed = 1, int threads = 1) {
    auto made = Simulation::create(optionsFor(std::move(scenario), seed, threads));
    for (const auto& p : made.problems()) qWarning("%s", p.text().c_str());
    return made ? std::move(made).value() : nullptr;
}

void runToEnd(Simulation& simulation) {
    while (simulation.step()) {}
}

} // namespace

class tst_Simulation : public QObject {
    Q_OBJECT
private slots:
    void iterationTimeByHandOnSharedLinks();
    void iterationTimeByHandInTheRateModel();
    void rateModelAgreesWithTaskByTask();
    void bytesOfAnInstantAreOneEvent();
    void cancelledPushesChangeNothing();
    void stateIsTheFoldOfTheLog();
    void digestDoesNotDependOnThreads();
    void cloneContinuesWithAnEqualSuffix();
    void fullSyncTrainsAsOneBatchWould();
    void machineFailureFallsBackToTheCheckpoint();
    void linkFailureTakesAnotherWayOrWaits();
    void randomFaultsDoNotOutliveTheJobs();
    void clockStopsWithTheLastJob();
    void stuckJobFailsInsteadOfHanging();
    void jobFailsWhoseMachinesNeverComeBack();
    void localStepsDrawAFactorEach();
    void tasksTrainOnNoMoreThanTheirShare();
    void graphJobTakesItsPartitionedTime();
};

// Per iteration: both workers pull 12.5 MB from one server over its 1.25e8 B/s link, shared: 2 × 12.5e6
// / 1.25e8 = 0.2 s; compute 100 × 1 ms = 0.1 s; push, shared again, 0.2 s. Together 0.5 s, ten times: 5 s,
// but for the 64-byte request headers: 2 × 64 / 1.25e8 ≈ 1 µs an iteration.
void tst_Simulation::iterationTimeByHandOnSharedLinks() {
    Scenario scenario = starScenario(3);
    scenario.jobs.push_back(analyticJob());
    auto simulation = simulate(scenario);
    QVERIFY(simulation);
    runToEnd(*simulation);
    const auto finished = eventsOf(simulation->log(), EventType::jobFinished);
    QCOMPARE(finished.size(), std::size_t{1});
    const double seconds = finished[0].time.toSeconds();
    QVERIFY2(std::abs(seconds - 5) < 5e-5, qPrintable(QString::number(seconds)));
    QCOMPARE(eventsOf(simulation->log(), EventType::updateApplied).size(), std::size_t{10});
    // The curve at update 10: 2 / (1·10 + 1).
    QCOMPARE(eventsOf(simulation->log(), EventType::lossEvaluated).back().value, 2.0 / 11);
}

// The rate model divides each link by the job's own pairs (2): the same 0.2 + 0.1 + 0.2 s.
void tst_Simulation::iterationTimeByHandInTheRateModel() {
    Scenario scenario = starScenario(3);
    scenario.network = NetworkModel::rate;
    scenario.jobs.push_back(analyticJob());
    auto simulation = simulate(scenario);
    QVERIFY(simulation);
    runToEnd(*simulation);
    const auto finished = eventsOf(simulation->log(), EventType::jobFinished);
    QCOMPARE(finished.size(), std::size_t{1});
    QCOMPARE(finished[0].time.ns, std::int64_t{5'000'000'000});
    QCOMPARE(finished[0].count(), std::uint64_t{10});
}

void tst_Simulation::rateModelAgreesWithTaskByTask() {
    Scenario scenario = starScenario(4);
    Job job = analyticJob();
    job.workers = {3, 3};
    scenario.jobs.push_back(job);
    auto flow = simulate(scenario);
    scenario.network = NetworkModel::rate;
    auto rate = simulate(scenario);
    QVERIFY(flow && rate);
    runToEnd(*flow);
    runToEnd(*rate);
    const double a = eventsOf(flow->log(), EventType::jobFinished)[0].time.toSeconds();
    const double b = eventsOf(rate->log(), EventType::jobFinished)[0].time.toSeconds();
    QVERIFY2(std::abs(a / b - 1) < 1e-4, qPrintable(QStringLiteral("%1 %2").arg(a).arg(b)));
}

// Three workers pull and push at the same instants over the server's one link: each instant tells of a link
// once, and all bytes are told. Every message crosses two links; requests have 64 bytes.
void tst_Simulation::bytesOfAnInstantAreOneEvent() {
    Scenario scenario = starScenario(4);
    scenario.network = NetworkModel::rate;
    scenario.jobs = {trainedJob()};
    auto simulation = simulate(scenario);
    QVERIFY(simulation);
    runToEnd(*simulation);
    double told = 0, sent = 0;
    std::set<std::pair<std::int64_t, std::uint32_t>> seen;
    for (const Event& event : eventsOf(simulation->log(), EventType::linkCarried)) {
        told += event.value;
        QVERIFY(seen.emplace(event.time.ns, event.a).second);
    }
    for (const Event& event : eventsOf(simulation->log(), EventType::pullStarted)) sent += 64 + event.value;
    for (const Event& event : eventsOf(simulation->log(), EventType::pushStarted)) sent += event.value;
    QVERIFY(sent > 0);
    QCOMPARE(told, 2 * sent);
}

// The gradient of a push is worked out when it has arrived. With one thread only those are, with several also
// others that are under way; the run is the same to the bit, with uploads so slow that most pushes are
// cancelled.
void tst_Simulation::cancelledPushesChangeNothing() {
    Scenario scenario = starScenario(4);
    for (auto& machine : scenario.cluster.machines)
        machine.straggler.delay = Distribution{.law = Law::exponential, .mean = 0.5};
    scenario.policies.synchronization = {"fastest-k", {{"k", std::int64_t{1}}}};
    scenario.jobs = {trainedJob()};
    QStringList digests;
    for (const int threads : {1, 4}) {
        auto simulation = simulate(scenario, 5, threads);
        QVERIFY(simulation);
        runToEnd(*simulation);
        digests << QString::fromStdString(simulation->log().digest());
        QVERIFY(eventsOf(simulation->log(), EventType::pushStarted).size() >
                eventsOf(simulation->log(), EventType::gradientUsed).size() + 40);
        QVERIFY(eventsOf(simulation->log(), EventType::lossEvaluated).back().value <
                eventsOf(simulation->log(), EventType::lossEvaluated).front().value);
    }
    QCOMPARE(digests[1], digests[0]);
}

void tst_Simulation::stateIsTheFoldOfTheLog() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {analyticJob(), trainedJob()};
    scenario.faults.push_back({.key = "m2", .atSeconds = 1, .repairAfterSeconds = 2.0});
    auto simulation = simulate(scenario);
    QVERIFY(simulation);
    runToEnd(*simulation);
    ClusterState fold(simulation->workload());
    for (std::size_t i = 0; i < simulation->log().size(); ++i) fold.apply(simulation->log()[i]);
    QVERIFY(fold == simulation->state());
    for (const auto& job : fold.jobs()) QVERIFY(job.phase == JobPhase::finished);
    for (const auto& machine : fold.machines()) QCOMPARE(machine.free.amount(0), 8.0);
}

void tst_Simulation::digestDoesNotDependOnThreads() {
    Scenario scenario = starScenario(4);
    scenario.cluster.machines[1].straggler.factor = {.law = Law::exponential, .mean = 1};
    scenario.jobs = {trainedJob()};
    QStringList digests;
    for (const int threads : {1, 2, 8}) {
        auto simulation = simulate(scenario, 7, threads);
        QVERIFY(simulation);
        runToEnd(*simulation);
        digests << QString::fromStdString(simulation->log().digest());
    }
    QCOMPARE(digests[1], digests[0]);
    QCOMPARE(digests[2], digests[0]);
    auto other = simulate(scenario, 8, 1);
    runToEnd(*other);
    QVERIFY(QString::fromStdString(other->log().digest()) != digests[0]);
}

void tst_Simulation::cloneContinuesWithAnEqualSuffix() {
    Scenario scenario = starScenario(4);
    scenario.cluster.machines[2].straggler.factor = {.law = Law::pareto, .shape = 2, .scale = 0.5};
    scenario.jobs = {trainedJob(), analyticJob()};
    scenario.jobs[0].checkpoint.everyIterations = 5;
    scenario.faults.push_back({.key = "m3", .atSeconds = 0.7, .repairAfterSeconds = 0.5});
    for (const int cut : {3, 50, 211, 600}) {
        auto original = simulate(scenario, 3);
        QVERIFY(original);
        for (int i = 0; i < cut && original->step(); ++i) {}
        auto copy = original->clone();
        runToEnd(*original);
        runToEnd(*copy);
        QCOMPARE(copy->log().digest(), original->log().digest());
    }
}

// Full synchronization over three workers is mini-batch descent on the mean of their gradients: replayed here
// by hand from the same batches, it must give the same parameters to the last bit.
void tst_Simulation::fullSyncTrainsAsOneBatchWould() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    auto simulation = simulate(scenario, 5);
    QVERIFY(simulation);
    std::vector<double> trained;
    while (simulation->step())
        if (auto now = simulation->parameters(JobId(std::size_t{0})); !now.empty()) trained = std::move(now);

    const auto& work = std::get<TrainedWork>(scenario.jobs[0].work);
    auto problem = TrainingProblem::make(work, 5, JobId(std::size_t{0}), {});
    QVERIFY(problem);
    const auto& p = **problem;
    std::vector<double> w = p.initialParameters(), state(w.size() * p.optimizer().stateSize()), g(p.messageSize());
    std::vector<double> lastSum;
    for (std::uint32_t t = 1; t <= 40; ++t) {
        std::vector<double> sum(g.size(), 0.0);
        for (std::uint32_t worker = 0; worker < 3; ++worker) {
            p.gradient(w, {worker, t, worker, 3, 16}, g);
            for (std::size_t i = 0; i < g.size(); ++i) sum[i] += (1.0 / 3) * g[i];
        }
        p.optimizer().step(w, sum, {}, state, t);
        lastSum = sum;
    }
    // The last look at a running job's parameters may precede its final update by one step of the loop.
    const double last = eventsOf(simulation->log(), EventType::lossEvaluated).back().value;
    QCOMPARE(p.evaluate(w), last);
    // With it the norm of the 40th update's gradient, true to the 8 bits of its fraction; none is known at
    // the start.
    const auto evaluations = eventsOf(simulation->log(), EventType::lossEvaluated);
    double squares = 0;
    for (const double x : lastSum) squares += x * x;
    QVERIFY(std::abs(gradientNormOf(evaluations.back().aux) / std::sqrt(squares) - 1) <= 1.0 / 512);
    QVERIFY(std::isnan(gradientNormOf(evaluations.front().aux)));
}

void tst_Simulation::machineFailureFallsBackToTheCheckpoint() {
    Scenario scenario = starScenario(4);
    Job job = trainedJob();
    job.checkpoint.everyIterations = 10;
    scenario.jobs = {job};
    scenario.faults.push_back({.key = "m2", .atSeconds = 0.43, .repairAfterSeconds = 0.2});
    auto simulation = simulate(scenario);
    QVERIFY(simulation);
    runToEnd(*simulation);
    const auto preempted = eventsOf(simulation->log(), EventType::jobPreempted);
    QCOMPARE(preempted.size(), std::size_t{1});
    // Iterations take a little over 16 ms: 26 of them by 0.43 s; the last checkpoint is of update 20.
    QCOMPARE(preempted[0].a, 20u);
    QCOMPARE(preempted[0].b, 6u);
    const auto restored = eventsOf(simulation->log(), EventType::jobRestored);
    QCOMPARE(restored.size(), std::size_t{1});
    QCOMPARE(restored[0].a, 20u);
    QCOMPARE(restored[0].value, eventsOf(simulation->log(), EventType::checkpointStarted)[0].value);
    QVERIFY(simulation->state().job(JobId(std::size_t{0})).phase == JobPhase::finished);
    QCOMPARE(simulation->state().job(JobId(std::size_t{0})).updates, std::uint64_t{40});
}

// A ring of three machines without switch: when the direct link fails, bytes go round the other way; when
// both fail the job waits for the repair.
void tst_Simulation::linkFailureTakesAnotherWayOrWaits() {
    Scenario scenario;
    scenario.cluster.resourceNames = {"cpu"};
    for (const char* key : {"a", "b", "c"})
        scenario.cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({8})});
    for (const auto& [from, to] : {std::pair("a", "b"), std::pair("b", "c"), std::pair("c", "a")})
        scenario.cluster.links.push_back(
            {.key = std::string(from) + "--" + to, .from = from, .to = to, .bandwidth = 1.25e8});
    Job job = analyticJob();
    job.workers = {1, 1};
    scenario.jobs = {job};
    auto undisturbed = simulate(scenario);
    runToEnd(*undisturbed);
    // The links fail at 0.95 s, half way through the fourth pull (0.9 to 1.0 s), which goes on after the
    // repair. One worker, one server: 0.1 + 0.1 + 0.1 s an iteration, whichever way the bytes go.
    const double plain = eventsOf(undisturbed->log(), EventType::jobFinished)[0].time.toSeconds();
    QVERIFY(std::abs(plain - 3) < 1e-4);
    scenario.faults = {{.target = Fault::Target::link, .key = "a--b", .atSeconds = 0.95}};
    auto detour = simulate(scenario);
    runToEnd(*detour);
    QVERIFY(std::abs(eventsOf(detour->log(), EventType::jobFinished)[0].time.toSeconds() - plain) < 1e-4);
    scenario.faults.push_back(
        {.target = Fault::Target::link, .key = "c--a", .atSeconds = 0.95, .repairAfterSeconds = 2.0});
    scenario.faults.push_back(
        {.target = Fault::Target::link, .key = "b--c", .atSeconds = 0.95, .repairAfterSeconds = 2.0});
    auto waits = simulate(scenario);
    runToEnd(*waits);
    QVERIFY(std::abs(eventsOf(waits->log(), EventType::jobFinished)[0].time.toSeconds() - (plain + 2)) < 1e-4);
}

// A run without a horizon whose machines fail for ever ends with its last job.
void tst_Simulation::randomFaultsDoNotOutliveTheJobs() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {analyticJob()};
    scenario.faults.push_back({.repairAfterSeconds = 0.1, .meanSecondsBetween = 20});
    auto simulation = simulate(scenario);
    QVERIFY(simulation);
    for (int steps = 0; simulation->step(); ++steps) QVERIFY(steps < 100'000);
    const auto over = eventsOf(simulation->log(), EventType::jobFinished);
    QCOMPARE(over.size(), std::size_t{1});
    const EventLog& log = simulation->log();
    QCOMPARE(log[log.size() - 1].type, EventType::runFinished);
    for (const Event& e : eventsOf(log, EventType::machineFailed)) QVERIFY(e.time <= over[0].time);
}

// Neither a limit of time that was not reached nor a task that was cancelled keeps the clock going.
void tst_Simulation::clockStopsWithTheLastJob() {
    Scenario scenario = starScenario(4);
    scenario.cluster.devices.push_back({.key = "slow", .speed = 1e-4});
    for (const int m : {1, 2}) scenario.cluster.machines[m].device = "slow";
    scenario.jobs = {trainedJob()};
    scenario.jobs[0].stop.seconds = 600;
    scenario.policies.synchronization = {"fastest-k", {{"k", std::int64_t{1}}}};
    auto simulation = simulate(scenario);
    QVERIFY(simulation);
    runToEnd(*simulation);
    const auto finished = eventsOf(simulation->log(), EventType::jobFinished);
    QCOMPARE(finished.size(), std::size_t{1});
    QVERIFY(finished[0].time.toSeconds() < 10);
    QCOMPARE(eventsOf(simulation->log(), EventType::runFinished).at(0).time, finished[0].time);
    QVERIFY(!eventsOf(simulation->log(), EventType::taskCancelled).empty());
}

void tst_Simulation::stuckJobFailsInsteadOfHanging() {
    Scenario scenario = starScenario(3);
    scenario.jobs = {analyticJob()};
    scenario.faults = {{.target = Fault::Target::link, .key = "m1--s", .atSeconds = 0.7}};
    auto simulation = simulate(scenario);
    runToEnd(*simulation);
    const auto failed = eventsOf(simulation->log(), EventType::jobFailed);
    QCOMPARE(failed.size(), std::size_t{1});
    QCOMPARE(failed[0].aux, static_cast<std::uint16_t>(FailReason::stuck));
    QVERIFY(simulation->finished());
}

void tst_Simulation::jobFailsWhoseMachinesNeverComeBack() {
    // All machines that could hold its workers fail for good: the job waits for a placement that can never
    // come.
    Scenario scenario = starScenario(3);
    scenario.jobs = {analyticJob()};
    for (const char* key : {"m1", "m2"}) scenario.faults.push_back({.key = key, .atSeconds = 0.7});
    auto simulation = simulate(scenario);
    runToEnd(*simulation);
    const auto failed = eventsOf(simulation->log(), EventType::jobFailed);
    QCOMPARE(failed.size(), std::size_t{1});
    QCOMPARE(failed[0].aux, static_cast<std::uint16_t>(FailReason::stuck));
    QVERIFY(failed[0].time.toSeconds() >= 0.7);
    QVERIFY(simulation->finished());
}

void tst_Simulation::localStepsDrawAFactorEach() {
    // Three steps of ten samples at 1 ms: 0.01 s × the sum of three draws, the first of which is that of a
    // single step.
    Scenario scenario = starScenario(1);
    scenario.jobs = {analyticJob()};
    scenario.cluster.machines[0].straggler.factor = {.law = Law::exponential, .mean = 2};
    DelayModel delays(expandWorkload(scenario, 3), 3, DelayModel::Streams::simulate);
    const DelayModel::Task task{.job = JobId(std::size_t{0}),
                                .worker = 1,
                                .task = 5,
                                .machine = MachineId(std::size_t{0}),
                                .secondsPerSample = 1e-3};
    RandomStream random(3, Purpose::compute, entityOf(0, 1), 5);
    double sum = 0;
    for (int step = 1; step <= 3; ++step) {
        sum += -2 * std::log1p(-random.unit());
        const double seconds = delays.computeSeconds(task, 10.0 * step, SimTime{}, step);
        QVERIFY(std::abs(seconds - 0.01 * sum) < 1e-12);
    }
}

// 60 rows for 3 workers, a batch of 50 at 1 ms: tasks train on 20 rows, take 20 ms and count 20; an epoch is one update.
// Before, they took 50 ms, counted 50, and two epochs were over after one update.
void tst_Simulation::tasksTrainOnNoMoreThanTheirShare() {
    Scenario scenario = starScenario(4);
    scenario.cluster.localBandwidth = 0;
    Job job = trainedJob();
    auto& work = std::get<TrainedWork>(job.work);
    work.dataset.parameters["rows"] = std::int64_t{60};
    work.batch = 50;
    job.stop = {};
    job.stop.epochs = 2;
    scenario.jobs = {job};
    const auto problems = validateScenario(scenario, Registry::builtin());
    QCOMPARE(problems.size(), std::size_t{1});
    QCOMPARE(problems[0].code, std::string("batch-exceeds-share"));
    QCOMPARE(problems[0].pointer, std::string("/jobs/0/batch"));
    auto simulation = simulate(scenario);
    QVERIFY(simulation);
    runToEnd(*simulation);
    for (const Event& e : eventsOf(simulation->log(), EventType::computeStarted)) QCOMPARE(e.value, 20.0);
    QCOMPARE(eventsOf(simulation->log(), EventType::updateApplied).size(), std::size_t{2});
    QCOMPARE(simulation->state().job(JobId(0)).samplesUsed, 120.0);
    const double seconds = eventsOf(simulation->log(), EventType::jobFinished)[0].time.toSeconds();
    QVERIFY2(seconds > 0.04 && seconds < 0.041, qPrintable(QString::number(seconds)));
}

void tst_Simulation::graphJobTakesItsPartitionedTime() {
    Scenario scenario = starScenario(3);
    Job job{.key = "g"};
    job.workerDemand = ResourceVector::of({1});
    job.workers = {1, 4};
    job.servers = {0, 0};
    GraphWork work;
    work.graph.operations = {{.name = "x", .forwardSeconds = 0.2, .backwardSeconds = 0.3}};
    work.steps = 10;
    job.work = work;
    scenario.jobs = {job};
    auto simulation = simulate(scenario);
    QVERIFY(simulation);
    runToEnd(*simulation);
    // Partitioner none: degree 1, 10 × 0.5 s.
    const auto finished = eventsOf(simulation->log(), EventType::jobFinished);
    QCOMPARE(finished.size(), std::size_t{1});
    QCOMPARE(finished[0].time.ns, std::int64_t{5'000'000'000});
}

TRAINYARD_TEST(tst_Simulation)
#include "tst_Simulation.moc"
