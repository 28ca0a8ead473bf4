// Executing: the same node code on threads gives the same training, real waits, and stops when asked.
#include "engine/Executor.h"
#include "record/GradientNorm.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

namespace {

std::unique_ptr<Executor> executor(const Scenario& scenario, std::uint64_t seed = 1) {
    auto made = Executor::create(optionsFor(scenario, seed));
    for (const auto& p : made.problems()) qWarning("%s", p.text().c_str());
    return made ? std::move(made).value() : nullptr;
}

double lastLossOf(const EventLog& log) {
    return eventsOf(log, EventType::lossEvaluated).back().value;
}

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
};

// Same batches, same sums in the same order: the parameters agree to the last bit whatever the threads do.
void tst_Executor::fullSyncLossEqualsTheSimulatedOne() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    auto execution = executor(scenario, 5);
    QVERIFY(execution);
    execution->run({}, [] {});
    auto simulation = Simulation::create(optionsFor(scenario, 5));
    while ((*simulation)->step()) {
    }
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
    for (const Event& e : losses) QCOMPARE(gradientNormOf(e.aux) > 0, e.count() > 0); // not known before the first update
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

TRAINYARD_TEST(tst_Executor)
#include "tst_Executor.moc"
