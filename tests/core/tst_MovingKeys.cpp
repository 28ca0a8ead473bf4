// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keys that move while a job trains, in both modes: no update is lost, optimizer state is kept, and messages
// between two nodes keep their order.
#include "engine/Executor.h"
#include "record/Metrics.h"
#include "support/OrderedProbe.h"
#include "support/RelocatingStore.h"
#include "support/RestlessScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_MovingKeys : public QObject {
    Q_OBJECT
private slots:
    void trainAsIfTheyStayed_data() { modes(); }
    void trainAsIfTheyStayed();
    void asynchronousUpdatesAreKept_data() { modes(); }
    void asynchronousUpdatesAreKept();
    void snapshotsAreWhole_data() { modes(); }
    void snapshotsAreWhole();
    void relocationsCountAsBytesSent_data() { modes(); }
    void relocationsCountAsBytesSent();
    void messagesKeepTheirOrder_data() { modes(); }
    void messagesKeepTheirOrder();

private:
    static void modes() {
        QTest::addColumn<bool>("execute");
        QTest::newRow("simulate") << false;
        QTest::newRow("execute") << true;
    }
};

namespace {

/// Momentum and a curvature-free model: lost optimizer state shows at once.
Scenario training(const char* parameters) {
    Scenario scenario = starScenario(6);
    Job job = trainedJob();
    job.servers = {2, 2};
    job.stop.iterations = 60;
    std::get<TrainedWork>(job.work).secondsPerSample = 2e-4;
    std::get<TrainedWork>(job.work).optimizer = {"adam", {{"learning_rate", 0.05}}};
    std::get<TrainedWork>(job.work).evaluation.everyIterations = 1;
    scenario.jobs = {job};
    scenario.policies.parameters.id = parameters;
    return scenario;
}

std::shared_ptr<const EventLog> logOf(const Scenario& scenario, bool execute) {
    auto options = optionsFor(scenario);
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(RestlessScheduler::entry());
    registry.parameters.push_back(RelocatingStore::entry());
    registry.parameters.push_back(OrderedProbe::entry());
    options.registry = std::make_shared<const Registry>(std::move(registry));
    if (execute) {
        auto executor = Executor::create(std::move(options));
        executor.value()->run({}, [] {});
        return executor.value()->sharedLog();
    }
    auto simulation = Simulation::create(std::move(options));
    while (simulation.value()->step()) {}
    return simulation.value()->sharedLog();
}

std::vector<double> lossesOf(const EventLog& log) {
    std::vector<double> out;
    for (const Event& e : eventsOf(log, EventType::lossEvaluated)) out.push_back(e.value);
    return out;
}

} // namespace

// With full synchronization all read the parameters of one update, wherever they are: every loss is that of
// the classic store, to the last bit.
void tst_MovingKeys::trainAsIfTheyStayed() {
    QFETCH(bool, execute);
    const auto moving = logOf(training("test-relocating"), execute);
    QVERIFY(eventsOf(*moving, EventType::keyLocated).size() > 60);
    QCOMPARE(lossesOf(*moving), lossesOf(*logOf(training("static"), false)));
}

// Workers tear the keys to and fro while others' gradients are applied: commits that went to an old owner, or
// missed a key on its way, would leave the loss where it was.
void tst_MovingKeys::asynchronousUpdatesAreKept() {
    QFETCH(bool, execute);
    Scenario scenario = training("test-relocating");
    scenario.policies.synchronization.id = "async";
    scenario.jobs[0].stop.iterations = 150;
    std::get<TrainedWork>(scenario.jobs[0].work).bytesPerParameter = 40000;
    const auto log = logOf(scenario, execute);
    QCOMPARE(eventsOf(*log, EventType::updateApplied).size(), std::size_t{150});
    // Every update is seen in the loss at once: parameters are never stale.
    const auto losses = lossesOf(*log);
    QCOMPARE(losses.size(), std::size_t{151});
    for (std::size_t i = 1; i < losses.size(); ++i) QVERIFY(losses[i] != losses[i - 1]);
    QVERIFY2(losses.back() < 0.05 * losses.front(),
             qPrintable(QStringLiteral("%1 of %2").arg(losses.back()).arg(losses.front())));
}

// Preempted again and again, mostly while keys are under way: where a loss was evaluated before and after a
// stop, the parameters were the same.
void tst_MovingKeys::snapshotsAreWhole() {
    QFETCH(bool, execute);
    Scenario scenario = training("test-relocating");
    for (auto& machine : scenario.cluster.machines) machine.capacity = ResourceVector::of({16});
    scenario.jobs[0].workerDemand = scenario.jobs[0].serverDemand = ResourceVector::of({6});
    scenario.jobs[0].stop.iterations = 100;
    scenario.policies.scheduler = {"test-restless", {{"period", 0.05}}};
    scenario.policies.synchronization.id = "async";
    std::get<TrainedWork>(scenario.jobs[0].work).bytesPerParameter = 20000;
    const auto log = logOf(scenario, execute);
    std::map<std::uint64_t, double> losses;
    std::size_t compared = 0;
    for (const Event& e : eventsOf(*log, EventType::lossEvaluated)) {
        const auto [it, first] = losses.try_emplace(e.count(), e.value);
        if (!first) QCOMPARE(e.value, it->second);
        compared += !first;
    }
    QVERIFY2(compared >= 3, qPrintable(QString::number(compared)));
    QCOMPARE(eventsOf(*log, EventType::updateApplied).size(), std::size_t{100});
}

// Every key that arrives has been sent, beside what workers pull and push and the requests for keys, of 64 bytes. Before, no
// message was logged.
void tst_MovingKeys::relocationsCountAsBytesSent() {
    QFETCH(bool, execute);
    const Scenario scenario = training("test-relocating");
    const auto log = logOf(scenario, execute);
    double sent = 0, tasks = 0;
    std::size_t moves = 0;
    for (const Event& e : eventsOf(*log, EventType::messageSent)) {
        sent += e.value;
        moves += e.value != 64;
    }
    for (const auto type : {EventType::pullStarted, EventType::pushStarted})
        for (const Event& e : eventsOf(*log, type)) tasks += e.value;
    QVERIFY(moves > 60 && moves >= eventsOf(*log, EventType::keyLocated).size());
    const Metrics metrics = computeMetrics(*expandWorkload(scenario, 1), *log, (*log)[log->size() - 1].time);
    QCOMPARE(metrics.values.at("bytes_sent"), tasks + sent);
}

// The probe throws where a message overtakes another.
void tst_MovingKeys::messagesKeepTheirOrder() {
    QFETCH(bool, execute);
    for (const double delay : {0.0, 0.002}) {
        Scenario scenario = training("test-ordered");
        scenario.jobs[0].stop.iterations = 15;
        if (delay > 0)
            scenario.cluster.machines[0].straggler.delay = Distribution{.law = Law::exponential, .mean = delay};
        scenario.policies.synchronization.id = delay > 0 ? "fastest-k" : "full-sync";
        const auto log = logOf(scenario, execute);
        QCOMPARE(eventsOf(*log, EventType::jobFinished).size(), std::size_t{1});
    }
}

TRAINYARD_TEST(tst_MovingKeys)
#include "tst_MovingKeys.moc"
