// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// asha and hypersched on trials that really train, in both modes: bad ones end early, the best does not, and what was computed adds up.
#include "support/TestMain.h"
#include "support/TrainedRun.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_TrialsTrained : public QObject {
    Q_OBJECT
private slots:
    void badTrialsEndEarly_data();
    void badTrialsEndEarly();
};

void tst_TrialsTrained::badTrialsEndEarly_data() {
    QTest::addColumn<QString>("scheduler");
    QTest::addColumn<bool>("executed");
    for (const char* scheduler : {"asha", "hypersched"})
        for (const bool executed : {false, true})
            QTest::addRow("%s %s", scheduler, executed ? "executed" : "simulated") << QString(scheduler) << executed;
}

// The shipped scenario with a quarter of the updates: rungs at 10 and 40, where trials end. The least learning rates, 0.0003 and 0.0007
// (trials 2 and 10), have learned next to nothing by the first rung.
void tst_TrialsTrained::badTrialsEndEarly() {
    QFETCH(QString, scheduler);
    QFETCH(bool, executed);
    Scenario scenario = TrainedRun::scenario("papers/slaq/trials.json");
    QCOMPARE(scenario.jobs.size(), std::size_t{16});
    for (Job& job : scenario.jobs) job.stop.iterations = 40;
    scenario.policies.scheduler = {scheduler.toStdString(), {}};
    if (scheduler == "hypersched") scenario.policies.scheduler.parameters = {{"deadline_s", 30.0}, {"interval_s", 0.5}};
    const TrainedRun run(scenario, executed);
    const EventLog& log = run.log();
    for (const std::string& error : accountErrors(log)) QFAIL(error.c_str());
    const auto finished = eventsOf(log, EventType::jobFinished);
    QCOMPARE(finished.size(), scenario.jobs.size());
    std::size_t stopped = 0, best = 0;
    for (std::size_t i = 0; i < finished.size(); ++i) {
        stopped += finished[i].aux == static_cast<std::uint16_t>(FinishReason::stopped);
        if (finished[i].value < finished[best].value) best = i;
        if (finished[i].job == 1 || finished[i].job == 9) QVERIFY(finished[i].count() < 40);
    }
    QVERIFY2(stopped >= 8 && stopped < 16, std::to_string(stopped).c_str());
    QCOMPARE(finished[best].count(), std::uint64_t{40});
    QVERIFY(!eventsOf(log, EventType::note).empty());
}

TRAINYARD_TEST(tst_TrialsTrained)
#include "tst_TrialsTrained.moc"
