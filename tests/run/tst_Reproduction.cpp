// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reproductions: claims are judged by what was measured, a run's state at the instant it reaches a loss is
// that of its log, and what cannot be run is said.
#include "studies/StudyRuns.h"
#include "studies/stragglers/Stragglers.h"
#include "support/Patience.h"
#include "support/TestMain.h"

#include <QProcess>

#include <algorithm>
#include <cmath>

using namespace trainyard;

namespace {

StudyRequest request() {
    return {.registry = std::make_shared<const Registry>(Registry::builtin()),
            .scenarios = TRAINYARD_SOURCE_DIR "/scenarios",
            .quick = true,
            .threads = 1};
}

} // namespace

class tst_Reproduction : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void formulasHold();
    void hitsAreThoseOfTheLog();
    void laterStalenessIsMeasured();
    void whatIsMissingIsSaid();
    void unknownStudyIsRefused();
    void aPartRunsAlone();
    void gapsAreJudgedByTheirIntervals();
};

void tst_Reproduction::formulasHold() {
    StudyReport report;
    study::stragglerFormulas(request(), report);
    QCOMPARE(report.claims.size(), std::size_t{9});
    for (const Claim& claim : report.claims) {
        QVERIFY2(claim.holds, claim.id.c_str());
        QVERIFY(claim.measured && claim.expected && !claim.source.empty() && !claim.finding.empty());
    }
    QCOMPARE(report.tables.size(), std::size_t{1});
    QCOMPARE(report.tables[0].rows.size(), report.claims[0].n);
}

// Rounds of C1 under fastest-10: at a hit, ten gradients and their samples per update have been used.
void tst_Reproduction::hitsAreThoseOfTheLog() {
    const StudyRequest asked = request();
    auto c1 = study::loadScenario(asked, "papers/stragglers/c1.json");
    QVERIFY(c1.ok());
    auto scenario = study::withVariant(c1.value(), PolicyFamily::synchronization, "fastest-10", *asked.registry);
    QVERIFY(scenario.ok());
    StudyReport report;
    const auto outcomes =
        study::simulateAll(asked, {{scenario.value(), 1}, {scenario.value(), 2}}, {100.5, 0.6, -1}, report);
    QVERIFY(report.problems.empty() && !report.stopped);
    QCOMPARE(outcomes.size(), std::size_t{2});
    for (const auto& outcome : outcomes) {
        QVERIFY(outcome.done && outcome.hits[0] && outcome.hits[1]);
        QVERIFY(!outcome.hits[2]); // never so low
        const study::Hit &first = *outcome.hits[0], &second = *outcome.hits[1];
        QVERIFY(0 < first.seconds && first.seconds < second.seconds);
        QCOMPARE(first.usedSamples, 400 * first.updates);
        QCOMPARE(first.uplinks, 10 * first.updates);
        QVERIFY(first.usedSamples < first.executedSamples && first.executedSamples <= first.assignedSamples);
    }
    QVERIFY(outcomes[0].hits[0]->seconds != outcomes[1].hits[0]->seconds); // another seed
}

// K-batch-async keeps all n workers at work: (n − 1)/K updates between read and use, on average.
void tst_Reproduction::laterStalenessIsMeasured() {
    const StudyRequest asked = request();
    auto c1 = study::loadScenario(asked, "papers/stragglers/c1.json");
    QVERIFY(c1.ok());
    auto timed = study::withValues(c1.value(), {{"/jobs/0/stop", "{\"seconds\": 40}"}});
    QVERIFY(timed.ok());
    auto scenario =
        study::withVariant(timed.value(), PolicyFamily::synchronization, "k-batch-async-10", *asked.registry);
    QVERIFY(scenario.ok());
    StudyReport report;
    const auto outcomes = study::simulateAll(asked, {{scenario.value(), 1}}, {}, report);
    QVERIFY2(std::abs(outcomes[0].lateStaleness - 4.9) < 0.2, qPrintable(QString::number(outcomes[0].lateStaleness)));
}

void tst_Reproduction::whatIsMissingIsSaid() {
    StudyRequest asked = request();
    QVERIFY(!study::loadScenario(asked, "papers/no-such.json").ok());
    auto c1 = study::loadScenario(asked, "papers/stragglers/c1.json");
    QVERIFY(c1.ok());
    QVERIFY(!study::withVariant(c1.value(), PolicyFamily::synchronization, "nonsense", *asked.registry).ok());
    QVERIFY(!study::withValues(c1.value(), {{"/jobs/0/nonsense", "1"}}).ok());
    asked.scenarios = "/nowhere";
    const StudyReport report = studies().front().run(asked);
    QVERIFY(!report.problems.empty());
    std::stop_source stop;
    stop.request_stop();
    StudyRequest stopped = request();
    stopped.stop = stop.get_token();
    StudyReport ended;
    study::simulateAll(stopped, {{c1.value(), 1}}, {}, ended);
    QVERIFY(ended.stopped && ended.problems.empty());
}

void tst_Reproduction::unknownStudyIsRefused() {
    QProcess program;
    program.start(qEnvironmentVariable("TRAINYARD_CLI"), {QStringLiteral("reproduce"), QStringLiteral("nonsense")});
    QVERIFY(program.waitForFinished(test::patience));
    QCOMPARE(program.exitCode(), 2);
    QVERIFY(program.readAllStandardError().contains("stragglers"));
    program.start(qEnvironmentVariable("TRAINYARD_CLI"), {QStringLiteral("reproduce"), QStringLiteral("stragglers"),
                                                          QStringLiteral("--part"), QStringLiteral("nonsense")});
    QVERIFY(program.waitForFinished(test::patience));
    QCOMPARE(program.exitCode(), 2);
    QVERIFY(program.readAllStandardError().contains("formulas, hitting-times, laws, tradeoff"));
}

void tst_Reproduction::aPartRunsAlone() {
    const Study& stragglers = studies().front();
    const StudyReport report = stragglers.run(request(), "formulas");
    QVERIFY(report.problems.empty());
    QCOMPARE(report.claims.front().id, std::string("order-statistics"));
    for (const Claim& claim : report.claims) QVERIFY(!claim.id.starts_with("c1/"));
}

// Within 5 %, beyond, and what cannot be told.
void tst_Reproduction::gapsAreJudgedByTheirIntervals() {
    const auto judged = [](double mean, double half) {
        return study::executedGap("id", "sentence", {.n = 5, .mean = mean, .halfWidth = half}, "found");
    };
    const Claim near = judged(-0.045, 0.03), far = judged(0.08, 0.02), wide = judged(0.0, 0.06);
    QVERIFY(near.holds && !far.holds && !wide.holds);
    QVERIFY(wide.undecided && !near.undecided && !far.undecided);
    QCOMPARE(near.finding, "found");
    QCOMPARE(far.finding, "found; the whole interval is beyond 5 %");
    QCOMPARE(wide.finding, "found; the interval is too wide to tell");
    QVERIFY(std::abs(near.interval->first + 0.075) < 1e-12);
    QVERIFY(!study::executedGap("id", "sentence", {.n = 1, .mean = 0}, "found").holds);
}

TRAINYARD_TEST(tst_Reproduction)
#include "tst_Reproduction.moc"
