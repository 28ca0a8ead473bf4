// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every policy explains its decisions by what it compared, and explaining changes nothing.
#include "conformance/ConformanceRows.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_ExplanationConformance : public QObject {
    Q_OBJECT
private slots:
    void explanationsGiveTheirChoice_data() { policiesAndSeeds(8); }
    void explanationsGiveTheirChoice();
    void explainingChangesNothing_data() { policiesAndSeeds(2); }
    void explainingChangesNothing();
};

void tst_ExplanationConformance::explanationsGiveTheirChoice() {
    const Scenario scenario = scenarioOfRow();
    const auto simulation = simulationOf(scenario);
    QVERIFY(simulation && runOut(*simulation));
    const auto& all = simulation->explanations().all();
    std::vector<int> decisions(all.size(), 0);
    const EventLog& log = simulation->log();
    for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i].type == EventType::decision) ++decisions.at(log[i].a);
    std::size_t starts = 0, explained = 0;
    for (std::size_t i = 0; i < log.size(); ++i) starts += log[i].type == EventType::jobStarted;
    for (std::size_t e = 0; e < all.size(); ++e) {
        QVERIFY2(all[e].evaluate() == all[e].chosen,
                 qPrintable(described(scenario) + ": " + QString::fromStdString(all[e].summary.english())));
        QCOMPARE(decisions[e], 1);
        QVERIFY(!all[e].summary.empty() && !all[e].policy.empty());
        for (const auto& candidate : all[e].candidates) {
            for (const auto& check : candidate.checks)
                QVERIFY(std::isfinite(check.value) && std::isfinite(check.limit));
            for (const auto& number : candidate.numbers)
                QVERIFY2(std::isfinite(number.value),
                         qPrintable(described(scenario) + ": " + QString::fromStdString(number.name)));
        }
        explained += all[e].family == PolicyFamily::scheduler;
    }
    QVERIFY2(explained > 0 || starts == 0, qPrintable(described(scenario)));
}

void tst_ExplanationConformance::explainingChangesNothing() {
    // With explanations off, every event but the decision events is the same.
    Scenario scenario = scenarioOfRow();
    const auto full = simulationOf(scenario);
    scenario.explanations = WhyLevel::off;
    const auto off = simulationOf(scenario);
    QVERIFY(runOut(*full) && runOut(*off));
    std::size_t i = 0;
    for (std::size_t f = 0; f < full->log().size(); ++f) {
        if (full->log()[f].type == EventType::decision) continue;
        QVERIFY2(i < off->log().size() && off->log()[i] == full->log()[f], qPrintable(described(scenario)));
        ++i;
    }
    QCOMPARE(i, off->log().size());
}

TRAINYARD_TEST(tst_ExplanationConformance)
#include "tst_ExplanationConformance.moc"
