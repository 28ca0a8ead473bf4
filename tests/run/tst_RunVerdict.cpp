// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is said of a run that ended: by hand-made metrics and logs.
#include "run/RunVerdict.h"
#include "run/TinyScenario.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::test;

class tst_RunVerdict : public QObject {
    Q_OBJECT
private slots:
    void expectations();
    void divergence_data();
    void divergence();
    void nothingDone();
};

void tst_RunVerdict::expectations() {
    Scenario scenario = tinyScenario();
    scenario.expect = {{"makespan_s", 1, 2}, {"updates", 40, 40}, {"final_loss", 0, 1}};
    const auto said = [&](const std::map<std::string, double>& values) {
        std::string all;
        for (const Problem& problem : brokenExpectations(scenario, {.values = values, .jobs = {}}))
            all += problem.message.english() + (problem.severity == Severity::error ? "\n" : " (no error)\n");
        return all;
    };
    QCOMPARE(said({{"makespan_s", 1}, {"updates", 40}, {"final_loss", 0.5}}), std::string());
    QCOMPARE(said({{"makespan_s", 2.5}, {"updates", 40}}),
             std::string("makespan_s is 2.5, expected were 1 to 2\nfinal_loss is absent, expected were 0 to 1\n"));
    QVERIFY(!said({{"makespan_s", std::nan("")}, {"updates", 40}, {"final_loss", 0.5}}).empty());
}

void tst_RunVerdict::divergence_data() {
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("last");
    QTest::addColumn<bool>("diverged");
    QTest::newRow("falls") << 2.3 << 0.1 << false;
    QTest::newRow("rises a little") << 2.3 << 5.0 << false;
    QTest::newRow("rises") << 2.3 << 2e19 << true;
    QTest::newRow("eleven times") << 1.0 << 11.0 << true;
    QTest::newRow("negative, falls") << -1.0 << -5.0 << false;
    QTest::newRow("negative, rises") << -1.0 << 9.5 << true;
    QTest::newRow("from zero") << 0.0 << 1.0 << true;
    QTest::newRow("zero") << 0.0 << 0.0 << false;
    QTest::newRow("none") << std::nan("") << std::nan("") << false;
}

void tst_RunVerdict::divergence() {
    QFETCH(double, first);
    QFETCH(double, last);
    const Scenario scenario = tinyScenario();
    Workload workload{.cluster = scenario.cluster, .jobs = scenario.jobs};
    EventLog log;
    const auto logged = [&](EventType type, std::uint32_t job, double value) {
        if (!std::isnan(value)) log.append({.type = type, .job = job, .value = value});
    };
    for (const std::uint32_t job : {0u, 1u}) logged(EventType::jobArrived, job, 0);
    for (const double loss : {1.0, 0.5}) logged(EventType::lossEvaluated, 0, loss);
    for (const double loss : {first, last}) logged(EventType::lossEvaluated, 1, loss);
    const Problems problems = jobWarnings(workload, computeMetrics(workload, log, SimTime::seconds(1)));
    QTEST(!problems.empty(), "diverged");
    QVERIFY(!hasErrors(problems)); // a warning
    QCOMPARE(divergedJobs(workload, log), problems);
    if (!problems.empty()) QVERIFY(problems.front().message.english().starts_with("job b diverged"));
}

void tst_RunVerdict::nothingDone() {
    const Scenario scenario = tinyScenario();
    Workload workload{.cluster = scenario.cluster, .jobs = scenario.jobs};
    const auto said = [&](double arrived, double failed, double rejected) {
        return jobWarnings(
            workload,
            {.values = {{"arrived_jobs", arrived}, {"failed_jobs", failed}, {"rejected_jobs", rejected}}, .jobs = {}});
    };
    QVERIFY(said(0, 0, 0).empty()); // none came: nothing failed
    QVERIFY(said(2, 1, 0).empty());
    QVERIFY(hasErrors(said(2, 2, 0)));
    QCOMPARE(said(2, 1, 1).front().message.english(), std::string("all 2 jobs failed or were rejected"));
}

TRAINYARD_TEST(tst_RunVerdict)
#include "tst_RunVerdict.moc"
