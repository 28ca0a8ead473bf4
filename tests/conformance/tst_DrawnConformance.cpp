// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every policy with parameters from anywhere in their ranges.
#include "conformance/ConformanceRows.h"
#include "support/TaskAccounts.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_DrawnConformance : public QObject {
    Q_OBJECT
private slots:
    void drawnParameters_data() { policiesAndSeeds(6); }
    void drawnParameters();
};

// With parameters from anywhere in their ranges a run may take for ever, or nothing of it may succeed; but whatever happens adds
// up, is declared, explained by what was compared, and goes on alike in a clone.
void tst_DrawnConformance::drawnParameters() {
    QFETCH(int, family);
    QFETCH(QString, id);
    QFETCH(int, seed);
    const Scenario scenario =
        drawnScenario(static_cast<PolicyFamily>(family), id.toStdString(), static_cast<std::uint64_t>(seed));
    qInfo("%s", qPrintable(described(scenario)));
    const auto simulation = simulationOf(scenario);
    QVERIFY(simulation);
    RandomStream random(scenario.seed, Purpose::test, 82);
    const std::uint64_t at = random.below(4000);
    std::unique_ptr<Simulation> clone;
    try {
        for (std::uint64_t i = 0; i < 20'000; ++i) {
            if (i == at) clone = simulation->clone();
            if (!simulation->step()) break;
        }
        const auto behind = [&] {
            return simulation->finished() ? !clone->finished()
                                          : clone->eventsProcessed() < simulation->eventsProcessed();
        };
        while (clone && behind()) clone->step();
    } catch (const InvariantError& error) { QVERIFY2(false, qPrintable(described(scenario) + ": " + error.what())); }
    const EventLog& log = simulation->log();
    ClusterState fold(simulation->workload());
    for (std::size_t i = 0; i < log.size(); ++i) {
        fold.apply(log[i]);
        if (log[i].type == EventType::taskPlaced)
            QVERIFY2(!fold.machines()[log[i].b].free.anyNegative(), qPrintable(described(scenario)));
        if (clone) QVERIFY2(i < clone->log().size() && clone->log()[i] == log[i], qPrintable(described(scenario)));
    }
    QVERIFY2(fold == simulation->state(), qPrintable(described(scenario)));
    for (const auto& error : accountErrors(log, *simulation->workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (const auto& error : undeclaredNotes(scenario, log, *simulation->workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (const Explanation& why : simulation->explanations().all())
        QVERIFY2(why.evaluate() == why.chosen,
                 qPrintable(described(scenario) + ": " + QString::fromStdString(why.summary.english())));
}

TRAINYARD_TEST(tst_DrawnConformance)
#include "tst_DrawnConformance.moc"
