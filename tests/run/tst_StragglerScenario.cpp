// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The canonical problem of straggler-tolerant SGD as it ships: what its meters must add up to, and hitting
// times where there is a prediction in closed form.
#include "run/compare/Comparison.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_StragglerScenario : public QObject {
    Q_OBJECT
private slots:
    void everyVariantRuns();
    void metersOfFastestTen();
    void hittingTimesFollowTheRecursion();
    void adaptingTheLoadSavesComputation();

private:
    ComparisonResult compared(const std::vector<std::string>& names, std::size_t seeds, double seconds = 600);
};

ComparisonResult tst_StragglerScenario::compared(const std::vector<std::string>& names, std::size_t seeds,
                                                 double seconds) {
    const Registry registry = Registry::builtin();
    auto read = readScenario(TRAINYARD_SOURCE_DIR "/scenarios/papers/stragglers/c1.json", registry);
    auto scenario = std::make_shared<Scenario>(read.value().scenario);
    scenario->jobs[0].stop.seconds = seconds;
    ComparisonRequest request{
        .scenario = scenario, .registry = std::make_shared<const Registry>(registry), .resources = {}, .threads = 1};
    for (const auto& name : names)
        request.arms.push_back(armNamed(*scenario, registry, PolicyFamily::synchronization, name).value());
    for (std::size_t s = 1; s <= seeds; ++s) request.seeds.push_back(s);
    return compare(request);
}

void tst_StragglerScenario::everyVariantRuns() {
    const auto read = readScenario(TRAINYARD_SOURCE_DIR "/scenarios/papers/stragglers/c1.json", Registry::builtin());
    QVERIFY(read.ok());
    std::vector<std::string> names;
    for (const auto& variant : read->scenario.variants) names.push_back(variant.name);
    QVERIFY(names.size() >= 20);
    const auto result = compared(names, 1, 5);
    QVERIFY2(result.problems.empty(), result.problems.empty() ? "" : result.problems[0].text().c_str());
    for (const auto& arm : result.arms)
        QVERIFY2(arm.runs[0].at("updates") > 0 || arm.name.rfind("coding", 0) == 0 || arm.name.rfind("local", 0) == 0 ||
                     arm.name.rfind("adacomm", 0) == 0,
                 arm.name.c_str());
}

void tst_StragglerScenario::metersOfFastestTen() {
    // 50 workers with 40 samples each; ten gradients make an update, the other forty tasks are cancelled.
    // What these have computed is Σ min(1, Z_(10)/P_i)·40, whatever of their upload was under way.
    const auto result = compared({"fastest-10", "fastest-5-load-0.2"}, 3);
    for (const auto& run : result.arms[0].runs) {
        const double updates = run.at("updates");
        QCOMPARE(run.at("assigned_samples"), 2000 * updates);
        QCOMPARE(run.at("used_samples"), 400 * updates);
        QCOMPARE(run.at("uplinks"), 10 * updates);
        QCOMPARE(run.at("downlinks"), 50 * updates);
        QVERIFY(run.at("cancelled_uplinks") > 0 && run.at("cancelled_uplinks") < 40 * updates);
        QVERIFY(run.at("executed_samples") > 400 * updates && run.at("executed_samples") < 2000 * updates);
        QCOMPARE(run.at("discarded_samples"), run.at("executed_samples") - run.at("used_samples"));
        QVERIFY(run.at("idle_s") > 0);
        QCOMPARE(run.at("max_staleness"), 0.0);
    }
    for (const auto& run : result.arms[1].runs) {
        QCOMPARE(run.at("assigned_samples"), 400 * run.at("updates")); // 8 samples each
        QCOMPARE(run.at("used_samples"), 40 * run.at("updates"));
    }
}

void tst_StragglerScenario::hittingTimesFollowTheRecursion() {
    // The mean error follows e ← ρ_B e + q_B; the updates until it is at .03 times the mean time of an
    // iteration are 48.65 s (k = 10) and 97.76 s (25). Far above the floor single paths hit at about the same
    // time; over six seeds the standard error is about 0.7 %. 4 %: more than five of them.
    const auto result = compared({"fastest-10", "fastest-25"}, 6);
    QVERIFY(std::abs(result.arms[0].metrics.at("time_to_target_s").mean / 48.65 - 1) < 0.04);
    QVERIFY(std::abs(result.arms[1].metrics.at("time_to_target_s").mean / 97.76 - 1) < 0.04);
}

void tst_StragglerScenario::adaptingTheLoadSavesComputation() {
    // With the constants given and eight seeds: less time, and less computation by more than a quarter.
    const auto result = compared({"adaptive-k-exact", "adaptive-load-exact"}, 8);
    const auto &k = result.arms[0].metrics, &load = result.arms[1].metrics;
    QVERIFY(load.at("time_to_target_s").mean < k.at("time_to_target_s").mean);
    QVERIFY(load.at("executed_samples").mean < 0.75 * k.at("executed_samples").mean);
}

TRAINYARD_TEST(tst_StragglerScenario)
#include "tst_StragglerScenario.moc"
