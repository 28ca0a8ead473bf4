// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Constant times on shared links: where a jitter of 1e-4 changes a run, validation says so.
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

namespace {

/// `workers` alike workers that compute for 20 ms and send `bytes` each way over 1 Gbit/s to one server.
Scenario alike(const char* synchronization, int workers, double bytes) {
    Scenario s = starScenario(workers + 1);
    s.policies.synchronization.id = synchronization;
    Job job = analyticJob();
    job.workers = {workers, workers};
    job.stop.iterations = 400;
    job.work = AnalyticWork{.samples = 1e6, .parameterBytes = bytes, .batch = 20, .secondsPerSample = 1e-3};
    s.jobs = {job};
    return s;
}

double endOf(const Scenario& scenario, std::uint64_t seed) {
    auto simulation = std::move(Simulation::create(optionsFor(scenario, seed))).value();
    while (simulation->step()) {}
    return simulation->state().now().toSeconds();
}

QStringList warnings(const Scenario& scenario) {
    QStringList out;
    for (const Problem& problem : validateScenario(scenario, Registry::builtin()))
        if (problem.code == "constant-times") out << QString::fromStdString(problem.pointer);
    return out;
}

} // namespace

class tst_OrderOfWorkers : public QObject {
    Q_OBJECT
private slots:
    void warnsWhereJitterMatters_data();
    void warnsWhereJitterMatters();
    void namesTheJobsOwn();
};

void tst_OrderOfWorkers::warnsWhereJitterMatters_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<int>("workers");
    QTest::addColumn<double>("bytes");
    QTest::addColumn<bool>("warns");
    QTest::newRow("async") << "async" << 4 << 5e5 << true;
    QTest::newRow("a small share") << "async" << 4 << 3e4 << true;
    QTest::newRow("gathering") << "k-batch-async" << 4 << 5e5 << true;
    QTest::newRow("messages of no size") << "async" << 4 << 1e3 << false;
    QTest::newRow("rounds") << "full-sync" << 4 << 5e5 << false;
    QTest::newRow("two workers") << "async" << 2 << 5e5 << false;
}

// Whether the end of a run moves by more than 2 % when times vary by 1e-4.
void tst_OrderOfWorkers::warnsWhereJitterMatters() {
    QFETCH(QString, policy);
    QFETCH(int, workers);
    QFETCH(double, bytes);
    QFETCH(bool, warns);
    Scenario scenario = alike(qPrintable(policy), workers, bytes);
    QCOMPARE(warnings(scenario), warns ? QStringList{"/policies/synchronization"} : QStringList{});
    const double exact = endOf(scenario, 1);
    for (Machine& machine : scenario.cluster.machines)
        machine.straggler.factor = {.law = Law::uniform, .low = 1 - 1e-4, .high = 1 + 1e-4};
    QCOMPARE(warnings(scenario), QStringList{});
    const double moved = std::abs(endOf(scenario, 1) / exact - 1);
    QVERIFY2(warns ? moved > 0.02 : moved < 0.005, qPrintable(QString::number(moved)));
}

void tst_OrderOfWorkers::namesTheJobsOwn() {
    Scenario scenario = alike("full-sync", 4, 5e5);
    scenario.jobs[0].synchronization.id = "async";
    QCOMPARE(warnings(scenario), QStringList{"/jobs/0/synchronization"});
    scenario.network = NetworkModel::rate; // messages of a job do not hinder each other in any order
    QCOMPARE(warnings(scenario), QStringList{});
}

TRAINYARD_TEST(tst_OrderOfWorkers)
#include "tst_OrderOfWorkers.moc"
