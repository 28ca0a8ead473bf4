// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What moving, resizing, preempting and restoring a job cost: the same under the rate model as under the flow model, in time
// and in bytes.
#include "engine/Executor.h"
#include "support/ScriptedScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <map>

using namespace trainyard;
using namespace trainyard::test;

namespace {

constexpr double parameterBytes = 2.5e7; ///< 0.2 s over a link

/// One worker and one server; an update takes 0.2 s each to pull, to compute and to push. The storage is behind a link over
/// which a checkpoint takes 1 s. At 1.22 s, 0.02 s after the second of five updates, something is done to the job.
Scenario interrupted(const std::string& action, NetworkModel network, std::int64_t checkpointEvery = 0,
                     double restart = 0) {
    Scenario s = starScenario(5);
    s.network = network;
    s.policies.scheduler = {"test-scripted", {{"action", action}, {"at", 1.22}}};
    s.cluster.links[4].bandwidth = 2.5e7;
    s.cluster.storage = "m5";
    Job job{.key = "j"};
    job.workerDemand = job.serverDemand = ResourceVector::of({8});
    job.workers = {1, 2};
    job.servers = {1, 2};
    job.stop.iterations = 5;
    job.checkpoint.everyIterations = checkpointEvery;
    job.restartSeconds = restart;
    job.work = AnalyticWork{.samples = 1e6, .parameterBytes = parameterBytes, .batch = 200, .secondsPerSample = 1e-3};
    s.jobs = {job};
    return s;
}

SimulationOptions scripted(const Scenario& scenario) {
    auto options = optionsFor(scenario);
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(ScriptedScheduler::entry());
    options.registry = std::make_shared<const Registry>(std::move(registry));
    return options;
}

std::shared_ptr<const EventLog> logOf(const Scenario& scenario) {
    auto simulation = Simulation::create(scripted(scenario));
    while (simulation.value()->step()) {}
    return simulation.value()->sharedLog();
}

double endOf(const EventLog& log) {
    const auto ends = eventsOf(log, EventType::jobFinished);
    return ends.empty() ? 0 : ends[0].time.toSeconds();
}

double linkBytes(const EventLog& log) {
    double sum = 0;
    std::map<std::uint32_t, std::pair<double, SimTime>> loads;
    for (const Event& e : eventsOf(log, EventType::linkLoad)) {
        auto& [load, since] = loads[e.a];
        sum += load * (e.time - since).toSeconds();
        loads[e.a] = {e.value, e.time};
    }
    for (const Event& e : eventsOf(log, EventType::linkCarried)) sum += e.value;
    return sum;
}

} // namespace

class tst_Interruptions : public QObject {
    Q_OBJECT
private slots:
    void costTheSameTimeInBothModels_data();
    void costTheSameTimeInBothModels();
    void restartsTakeTheirTime_data();
    void restartsTakeTheirTime();
    void startingElsewhereIsNotFree();
    void checkpointsCrossLinks();
    void restoredBytesAreTold_data();
    void restoredBytesAreTold();
};

void tst_Interruptions::costTheSameTimeInBothModels_data() {
    QTest::addColumn<double>("delay"); // that is expected, and that the comparison would miss
    QTest::newRow("stay") << 0.0;
    QTest::newRow("move") << 0.2;
    QTest::newRow("preempt") << 1.0;
    QTest::newRow("grow") << 0.1; // half of the parameters go to the second server
}

// The flow model loses the 0.02 s of the task under way. Growing also makes the three updates that are left shorter: two
// workers exchange halves with two servers, which takes as long as one worker and one server.
void tst_Interruptions::costTheSameTimeInBothModels() {
    QFETCH(double, delay);
    const std::string action = QTest::currentDataTag();
    const auto flow = logOf(interrupted(action, NetworkModel::flow)),
               rate = logOf(interrupted(action, NetworkModel::rate));
    const double expected = 3 + delay;
    QVERIFY2(std::abs(endOf(*flow) / expected - 1) < 0.02, qPrintable(QString::number(endOf(*flow))));
    QVERIFY2(std::abs(endOf(*rate) / endOf(*flow) - 1) < 0.02, qPrintable(QString::number(endOf(*rate))));
    QVERIFY2(std::abs(linkBytes(*rate) / linkBytes(*flow) - 1) < 0.05,
             qPrintable(QStringLiteral("%1 and %2").arg(linkBytes(*rate)).arg(linkBytes(*flow))));
}

void tst_Interruptions::restartsTakeTheirTime_data() { costTheSameTimeInBothModels_data(); }

// Half a second more than without, in both network models and executed; nothing where the job is left alone.
void tst_Interruptions::restartsTakeTheirTime() {
    QFETCH(double, delay);
    const std::string action = QTest::currentDataTag();
    const double expected = 3 + delay + (action == "stay" ? 0 : 0.5);
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        const auto log = logOf(interrupted(action, network, 0, 0.5));
        QVERIFY2(std::abs(endOf(*log) / expected - 1) < 0.02, qPrintable(QString::number(endOf(*log))));
    }
    auto executor = Executor::create(scripted(interrupted(action, NetworkModel::flow, 0, 0.5)));
    executor.value()->run({}, [] {});
    QVERIFY(endOf(executor.value()->log()) >= expected - 0.03);
}

// Without a storage the parameters of a preempted job are with the machines that it left: started elsewhere, it waits for
// them as if it had been moved; started where it was, it does not.
void tst_Interruptions::startingElsewhereIsNotFree() {
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        std::map<std::string, double> ends;
        for (const char* action : {"stay", "move", "preempt", "leave"}) {
            Scenario scenario = interrupted(action, network);
            scenario.cluster.storage.clear();
            ends[action] = endOf(*logOf(scenario));
        }
        QVERIFY(std::abs(ends["leave"] - ends["move"]) < 0.02);
        QVERIFY(ends["leave"] - ends["preempt"] > 0.15);
        QVERIFY(std::abs(ends["preempt"] - ends["stay"]) < 0.1);
    }
}

// Under the rate model they did not before. One checkpoint, of update 3 at 1.8 s, over two links.
void tst_Interruptions::checkpointsCrossLinks() {
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        const double plain = linkBytes(*logOf(interrupted("stay", network)));
        const double with = linkBytes(*logOf(interrupted("stay", network, 3)));
        QVERIFY2(std::abs(with - plain - 2 * parameterBytes) < 0.01 * parameterBytes,
                 qPrintable(QString::number((with - plain) / parameterBytes)));
    }
}

void tst_Interruptions::restoredBytesAreTold_data() {
    QTest::addColumn<double>("bytes");
    QTest::newRow("move") << parameterBytes;
    QTest::newRow("preempt") << parameterBytes;
    QTest::newRow("grow") << parameterBytes / 2;
}

// Before, they were 0. In both network models, and executed.
void tst_Interruptions::restoredBytesAreTold() {
    QFETCH(double, bytes);
    const std::string action = QTest::currentDataTag();
    auto executor = Executor::create(scripted(interrupted(action, NetworkModel::flow)));
    executor.value()->run({}, [] {});
    for (const auto& log : {logOf(interrupted(action, NetworkModel::flow)),
                            logOf(interrupted(action, NetworkModel::rate)), executor.value()->sharedLog()}) {
        const auto restored = eventsOf(*log, EventType::jobRestored);
        QCOMPARE(restored.size(), std::size_t{1});
        QCOMPARE(restored[0].value, bytes);
        QVERIFY(restored[0].count() > 0);
    }
}

TRAINYARD_TEST(tst_Interruptions)
#include "tst_Interruptions.moc"
