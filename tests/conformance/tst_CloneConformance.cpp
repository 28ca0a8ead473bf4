// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs do not disturb each other: with every policy, equal seeds give equal events, and a clone goes on as its original.
#include "conformance/ConformanceRows.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_CloneConformance : public QObject {
    Q_OBJECT
private slots:
    void sameSeedSameDigest_data() { policiesAndSeeds(6); }
    void sameSeedSameDigest();
    void cloneContinuesWithAnEqualSuffix_data() { policiesAndSeeds(12); }
    void cloneContinuesWithAnEqualSuffix();
};

void tst_CloneConformance::sameSeedSameDigest() {
    // Once alone, once step by step in turns with another run: runs share nothing but update times, and these change nothing.
    const Scenario scenario = scenarioOfRow();
    const auto alone = simulationOf(scenario, nullptr);
    QVERIFY(alone && runOut(*alone));
    Scenario other = scenario;
    other.seed += 1000;
    const auto again = simulationOf(scenario), beside = simulationOf(other);
    for (int i = 0; i < mostEvents && again->step(); ++i) beside->step();
    QVERIFY2(again->log().digest() == alone->log().digest(), qPrintable(described(scenario)));
}

void tst_CloneConformance::cloneContinuesWithAnEqualSuffix() {
    const Scenario scenario = scenarioOfRow();
    const auto whole = simulationOf(scenario);
    QVERIFY(whole && runOut(*whole));
    RandomStream random(scenario.seed, Purpose::test, 79);
    const auto original = simulationOf(scenario);
    const std::size_t at = random.below(whole->eventsProcessed());
    while (original->eventsProcessed() < at && original->step()) {}
    const auto clone = original->clone();
    const std::size_t prefix = original->log().size();
    for (int i = 0; i < 20; ++i) clone->step(); // in turns, so that anything shared would show
    QVERIFY(runOut(*original));
    QVERIFY(runOut(*clone));
    QVERIFY2(original->log().digest() == whole->log().digest(), qPrintable(described(scenario)));
    QCOMPARE(clone->log().size(), whole->log().size());
    for (std::size_t i = prefix; i < whole->log().size(); ++i)
        QVERIFY2(clone->log()[i] == whole->log()[i],
                 qPrintable(described(scenario) +
                            QStringLiteral(": cloned before event %1, differs at %2").arg(prefix).arg(i)));
    QCOMPARE(clone->explanations().all().size(), whole->explanations().all().size());
}

TRAINYARD_TEST(tst_CloneConformance)
#include "tst_CloneConformance.moc"
