// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is computed is used or discarded, whatever stops a job; and the accounts that say so find what is missing.
#include "engine/Executor.h"
#include "support/SmallScenarios.h"
#include "support/TaskAccounts.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

namespace {

/// Two workers in rounds; the second is three times as slow: 10 ms and 30 ms, and an update takes 4 ms. At `stopsAt` seconds the
/// machine of the server fails for 10 ms.
Scenario unlike(double stopsAt) {
    Scenario s = starScenario(3);
    for (Link& link : s.cluster.links) link.bandwidth = 1e12;
    s.cluster.machines[1].straggler.persistentFactor = 3;
    Job job = trainedJob();
    job.workers = {2, 2};
    job.stop.iterations = 20;
    auto& work = std::get<TrainedWork>(job.work);
    work.batch = 10;
    work.secondsPerUpdate = 0.004;
    s.jobs = {job};
    s.faults.push_back({.target = Fault::Target::machine, .key = "m3"});
    s.faults.back().atSeconds = stopsAt;
    s.faults.back().repairAfterSeconds = 0.01;
    return s;
}

Metrics metricsOf(const Scenario& scenario) {
    auto simulation = std::move(Simulation::create(optionsFor(scenario))).value();
    while (simulation->step()) {}
    for (const auto& error : accountErrors(simulation->log(), *simulation->workload())) qWarning("%s", error.c_str());
    return computeMetrics(*simulation->workload(), simulation->log(), simulation->state().now());
}

} // namespace

class tst_TaskAccounts : public QObject {
    Q_OBJECT
private slots:
    void whatHadArrivedIsLost_data();
    void whatHadArrivedIsLost();
    void missingEventsAreFound();
};

void tst_TaskAccounts::whatHadArrivedIsLost_data() {
    QTest::addColumn<double>("at");
    QTest::addColumn<double>("discarded");
    QTest::newRow("both compute") << 0.006 << 10 * (0.6 + 0.2);
    QTest::newRow("one gradient waits") << 0.021 << 10 * (1 + 0.7);
    QTest::newRow("an update is under way") << 0.032 << 10.0 * 2;
}

// 20 updates of 20 samples are used; what had been computed before the failure comes on top, and is discarded.
void tst_TaskAccounts::whatHadArrivedIsLost() {
    QFETCH(double, at);
    QFETCH(double, discarded);
    const Metrics metrics = metricsOf(unlike(at));
    QCOMPARE(metrics.values.at("used_samples"), 400.0);
    const auto near = [](double a, double b) { return std::abs(a - b) < 1e-3; };
    QVERIFY2(near(metrics.values.at("discarded_samples"), discarded),
             qPrintable(QString::number(metrics.values.at("discarded_samples"))));
    QVERIFY2(near(metrics.values.at("executed_samples"), 400 + discarded),
             qPrintable(QString::number(metrics.values.at("executed_samples"))));
}

// Without any one event of its tasks' fates a log no longer adds up.
void tst_TaskAccounts::missingEventsAreFound() {
    auto simulation = std::move(Simulation::create(optionsFor(unlike(0.021)))).value();
    while (simulation->step()) {}
    const EventLog& log = simulation->log();
    QCOMPARE(accountErrors(log, *simulation->workload()), std::vector<std::string>{});
    std::map<EventType, int> left;
    for (std::size_t out = 0; out < log.size(); ++out) {
        const EventType type = log[out].type;
        const bool tells = type == EventType::pushStarted || type == EventType::gradientArrived ||
                           type == EventType::gradientUsed || type == EventType::gradientDropped ||
                           type == EventType::taskCancelled || type == EventType::updateApplied;
        if (!tells || left[type]++ > 2) continue;
        EventLog other;
        for (std::size_t i = 0; i < log.size(); ++i)
            if (i != out) other.append(log[i]);
        QVERIFY2(!accountErrors(other).empty(), std::string(eventName(type)).c_str());
    }
    QVERIFY(left[EventType::gradientDropped] > 0 && left[EventType::taskCancelled] > 0);
}

TRAINYARD_TEST(tst_TaskAccounts)
#include "tst_TaskAccounts.moc"
