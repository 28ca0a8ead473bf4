// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How the study "slaq" measures and judges: changes by hand, claims that hold and do not, and what is measured of small workloads
// against runs of the same scenarios.
#include "studies/slaq/SlaqQuality.h"
#include "studies/slaq/SlaqStudy.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace trainyard;
using namespace trainyard::study;
using namespace trainyard::study::slaq_quality;

class tst_SlaqQuality : public QObject {
    Q_OBJECT
private slots:
    void changesByHand();
    void claimsAreJudgedByTheirInterval_data();
    void claimsAreJudgedByTheirInterval();
    void losingIsSaid();
    void measuredIsWhatRunsSay();
    void declaredEndsReachTheScheduler();
    void partsHaveClaimsOfTheirOwn();

private:
    StudyRequest m_request{
        .registry = std::make_shared<const Registry>(Registry::builtin()), .quick = true, .threads = 2};
};

namespace {

const Arm a{"a", "arm a", {"fair", {}}}, b{"b", "arm b", {"fair", {}}};
const SlaqWorkload small{.jobs = 10, .machines = 2, .coresPerMachine = 8, .load = 3};

Measured made(const std::vector<double>& ofA, const std::vector<double>& ofB) {
    Measured out;
    for (const auto& [metric, name] : measures()) {
        out["a"][metric] = ofA;
        out["b"][metric] = ofB;
    }
    return out;
}

Difference difference(Difference::Expected expected, double margin = 0.05) {
    return {.id = "x", .arm = a, .against = b, .measure = measures().front(), .expected = expected, .margin = margin};
}

} // namespace

// 2/1 − 1 = 1, 1/2 − 1 = −0.5, 3/4 − 1 = −0.25: mean 0.25/3. Seeds that one of them lacks do not count, and no division by zero.
void tst_SlaqQuality::changesByHand() {
    const double nan = std::nan("");
    const auto some = change(made({2, 1, 3, nan, 5, 7}, {1, 2, 4, 1, nan, 0}), "a", "time_to_90_s", "b");
    QVERIFY(some && some->n == 3 && std::abs(some->mean - 0.25 / 3) < 1e-15);
    QVERIFY(!change(made({nan}, {1}), "a", "time_to_90_s", "b"));
    QCOMPARE(meanOf({1, nan, 3}), 2.0);
}

void tst_SlaqQuality::claimsAreJudgedByTheirInterval_data() {
    QTest::addColumn<QList<double>>("changes");
    QTest::addColumn<int>("expected");
    QTest::addColumn<bool>("holds");
    QTest::addColumn<bool>("undecided");
    using E = Difference::Expected;
    const auto row = [](const char* name, QList<double> changes, E expected, bool holds, bool undecided = false) {
        QTest::newRow(name) << changes << static_cast<int>(expected) << holds << undecided;
    };
    row("less", {-0.2, -0.21, -0.22}, E::less, true);
    row("less, too few to tell", {-0.2, -0.01, -0.6}, E::less, false, true); // ±0.74
    row("not less", {0.2, 0.21, 0.22}, E::less, false);
    row("greater", {0.2, 0.21, 0.22}, E::greater, true);
    row("not greater", {-0.2, -0.21, -0.22}, E::greater, false);
    row("a little more", {0.03, 0.031, 0.032}, E::aboutNoMore, true);
    row("too much more", {0.06, 0.061, 0.062}, E::aboutNoMore, false);
    row("perhaps too much more", {0.0, 0.03, 0.06}, E::aboutNoMore, false, true); // ±0.0745
    row("one seed", {-0.5}, E::less, false, true);
    row("none", {}, E::less, false);
}

void tst_SlaqQuality::claimsAreJudgedByTheirInterval() {
    QFETCH(QList<double>, changes);
    QFETCH(int, expected);
    std::vector<double> ofA, ofB(static_cast<std::size_t>(changes.size()), 2);
    for (const double change : changes) ofA.push_back(2 * (1 + change));
    const Claim claim = judged(made(ofA, ofB), "Here", difference(static_cast<Difference::Expected>(expected)));
    QTEST(claim.holds, "holds");
    QTEST(claim.undecided, "undecided");
    QCOMPARE(claim.measured.has_value(), !changes.empty());
    QCOMPARE(claim.interval.has_value(), changes.size() > 1);
    QCOMPARE(claim.n, static_cast<std::size_t>(changes.size()));
    QVERIFY(!claim.finding.empty() && claim.claim.starts_with("Here the mean normalised loss"));
}

void tst_SlaqQuality::losingIsSaid() {
    const auto worse = made({1.2, 1.21, 1.22}, {1, 1, 1}), better = made({0.8, 0.81, 0.82}, {1, 1, 1});
    QVERIFY(judged(worse, "Here", difference(Difference::Expected::less)).finding.ends_with("arm a loses to arm b"));
    QVERIFY(judged(better, "Here", difference(Difference::Expected::less)).finding.find("loses") == std::string::npos);
    StudyTable table = changesTable("t");
    addChanges(worse, "3", {b, a}, table);
    addChanges(better, "3", {b, a}, table);
    addChanges(made({0.5, 1, 1.5}, {1, 1, 1}), "3", {b, a}, table);
    QCOMPARE(table.rows.size(), 3 * measures().size());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        QCOMPARE(table.rows[i].size(), table.columns.size());
        QCOMPARE(table.rows[i].back(), i < 4 ? "worse" : i < 8 ? "better" : "undecided");
    }
}

void tst_SlaqQuality::measuredIsWhatRunsSay() {
    StudyReport report;
    StudyTable table = measuredTable("t");
    const std::vector<Arm> arms{{"fair", "fair", {"fair", {}}}, {"slaq", "slaq", {"slaq", {}}}};
    QVERIFY(areUsable(arms, m_request, report));
    const Measured measured = measure(m_request, small, arms, 2, report, table);
    QVERIFY(report.problems.empty());
    QCOMPARE(table.rows.size(), std::size_t{4});
    for (const Arm& arm : arms)
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            Scenario scenario = slaqScenario(small, seed);
            scenario.policies.scheduler = arm.choice;
            const auto run = simulateOnce({.scenario = std::make_shared<const Scenario>(std::move(scenario)),
                                           .registry = m_request.registry,
                                           .resources = {},
                                           .seed = seed,
                                           .threads = 1},
                                          {})
                                 .value();
            const auto& of = measured.at(arm.name);
            for (const auto& [metric, name] : measures())
                QCOMPARE(of.at(metric)[seed - 1], run.metrics.values.at(metric));
            double sShaped = 0, count = 0;
            for (std::size_t j = 0; j < run.metrics.jobs.size(); ++j)
                if (shapeOf(j) == CurveShape::sShaped) sShaped += run.metrics.jobs[j].at("time_to_90_s"), ++count;
            QVERIFY(count > 0 && std::abs(of.at(sShapedTime)[seed - 1] - sShaped / count) < 1e-9);
            const double shares = of.at(highestShare)[seed - 1] + of.at(lowestShare)[seed - 1];
            QVERIFY(shares > 0 && shares <= 1);
            QCOMPARE(std::isfinite(of.at(predictionError)[seed - 1]), arm.name == "slaq"); // who notes predictions
        }
    StudyReport other;
    QVERIFY(!areUsable({{"x", "x", {"no-such-scheduler", {}}}}, m_request, other) && !other.problems.empty());
}

// It decides otherwise where it knows where losses end.
void tst_SlaqQuality::declaredEndsReachTheScheduler() {
    StudyReport report;
    StudyTable table = measuredTable("t");
    const Choice slaq{"slaq", {{"rule", std::string("faithful")}}};
    const Measured measured =
        measure(m_request, small, {{"untold", "", slaq}, {"told", "", slaq, true}}, 2, report, table);
    QVERIFY(measured.at("told").at("mean_active_loss") != measured.at("untold").at("mean_active_loss"));
}

// Ids name one claim each; how long it takes is not judged. A part that is stopped claims nothing.
void tst_SlaqQuality::partsHaveClaimsOfTheirOwn() {
    StudyReport report;
    slaqDecisionsOf(m_request, {6, 12}, 8, report);
    QCOMPARE(report.claims.size(), std::size_t{2}); // no 4,000 jobs
    QCOMPARE(report.tables.front().rows.size(), std::size_t{18});
    std::set<std::string> ids;
    for (const Claim& claim : report.claims) {
        QVERIFY2(ids.insert(claim.id).second, claim.id.c_str());
        QVERIFY(claim.measured && std::isfinite(*claim.measured) && claim.interval && claim.n == 3);
    }
    const Study study = study::slaq();
    std::stop_source stop;
    stop.request_stop();
    StudyRequest stopped = m_request;
    stopped.stop = stop.get_token();
    for (const StudyPart& part : study.parts) {
        const StudyReport ended = study.run(stopped, part.id);
        QVERIFY2(ended.claims.empty(), part.id.c_str());
        QVERIFY2(ended.stopped || !ended.problems.empty(), part.id.c_str()); // executed: no scenario file
    }
}

TRAINYARD_TEST(tst_SlaqQuality)
#include "tst_SlaqQuality.moc"
