// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// slaq on jobs that really train, in both modes: workers move by predicted losses, every update is made once, and the losses are those
// of gradients.
#include "support/TestMain.h"
#include "support/TrainedRun.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_SlaqTrained : public QObject {
    Q_OBJECT
private slots:
    void workersFollowTheLosses_data();
    void workersFollowTheLosses();
};

void tst_SlaqTrained::workersFollowTheLosses_data() {
    QTest::addColumn<bool>("executed");
    QTest::newRow("simulated") << false;
    QTest::newRow("executed") << true;
}

// The shipped scenario, with a third of the updates, by the rule that charges changes with nothing.
void tst_SlaqTrained::workersFollowTheLosses() {
    QFETCH(bool, executed);
    Scenario scenario = TrainedRun::scenario("papers/slaq/trained.json");
    for (Job& job : scenario.jobs) job.stop.iterations = *job.stop.iterations / 3;
    scenario.policies.scheduler.parameters["rule"] = std::string("faithful");
    const TrainedRun run(scenario, executed);
    const EventLog& log = run.log();
    for (const std::string& error : accountErrors(log)) QFAIL(error.c_str());
    QCOMPARE(eventsOf(log, EventType::jobFinished).size(), scenario.jobs.size());
    std::vector<std::int64_t> updates(scenario.jobs.size());
    std::vector<std::vector<double>> losses(scenario.jobs.size());
    for (const Event& e : eventsOf(log, EventType::updateApplied)) ++updates[e.job];
    for (const Event& e : eventsOf(log, EventType::lossEvaluated)) losses[e.job].push_back(e.value);
    for (std::size_t j = 0; j < updates.size(); ++j) {
        QCOMPARE(updates[j], *scenario.jobs[j].stop.iterations);
        QVERIFY2(losses[j].back() < losses[j].front(), scenario.jobs[j].key.c_str());
    }
    // Workers are moved many times, and what they were computing is counted as lost, not applied.
    QVERIFY(eventsOf(log, EventType::jobResized).size() >= 15);
    QVERIFY(!eventsOf(log, EventType::taskCancelled).empty());
}

TRAINYARD_TEST(tst_SlaqTrained)
#include "tst_SlaqTrained.moc"
