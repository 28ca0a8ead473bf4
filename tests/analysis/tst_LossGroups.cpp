// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Shares of the workers by loss group, and the view of them, on runs worked by hand.
#include "analysis/LossGroups.h"
#include "analysis/View.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::test;

class tst_LossGroups : public QObject {
    Q_OBJECT
private slots:
    void jobsAreGroupedByTheirLosses();
    void fewerThanFourJobsAreNoGroups();
    void jobsThatAreOverLeave();
    void theViewStacksTheShares();
};

namespace {

/// 8 cpu under fair. Jobs of exactly 1, 2, 1 and 4 workers, whose updates take a second each, from 0 to 3 s. Losses after 0, 1 and 2
/// updates, each on a scale of its own (offset j, factor j + 1); 0 after the third:
///   a 1, 0.2, 0.1   b 1, 0.9, 0.05   c 1, 0.5, 0.5   d 1, 0.1, 0.01
Scenario fourJobs(std::size_t jobs = 4, std::int64_t updatesOfD = 3) {
    static const int workers[] = {1, 2, 1, 4};
    static const std::vector<double> losses[] = {
        {1, 0.2, 0.1, 0}, {1, 0.9, 0.05, 0}, {1, 0.5, 0.5, 0}, {1, 0.1, 0.01, 0}};
    Scenario scenario = starScenario(1);
    scenario.network = NetworkModel::rate;
    scenario.policies.scheduler = {"fair", {}};
    for (std::size_t j = 0; j < jobs; ++j) {
        Job job{.key = std::string(1, static_cast<char>('a' + j))};
        job.workerDemand = ResourceVector::of({1});
        job.workers = {workers[j], workers[j]};
        job.servers = {0, 0};
        job.stop.iterations = j == 3 ? updatesOfD : 3;
        AnalyticWork work;
        work.parameterBytes = 0;
        work.batch = 8;
        work.batchOf = BatchOf::job;
        work.law = UpdateLaw{1, 0, 0};
        work.evaluation.everyIterations = 1;
        work.curve = {.family = LossCurve::Family::recorded, .name = job.key};
        job.work = work;
        std::vector<double> scaled;
        for (const double loss : losses[j])
            scaled.push_back(static_cast<double>(j) + static_cast<double>(j + 1) * loss);
        scenario.curves.push_back({.key = job.key, .updates = {0, 1, 2, 3}, .losses = std::move(scaled)});
        scenario.jobs.push_back(job);
    }
    return scenario;
}

std::unique_ptr<RunIndex> foldedRun(Scenario scenario) {
    auto run = std::make_unique<RunIndex>(sourceOfRun(std::move(scenario)));
    run->update();
    return run;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

} // namespace

// At 0.5 s all have 1: in order of ids a | b | c, d have 1, 2 and 1 + 4 of 8 workers. At 1.5 s: b | c | a, d: 2, 1, 5. At 2.5 s:
// c | a | b, d: 1, 1, 6.
void tst_LossGroups::jobsAreGroupedByTheirLosses() {
    const auto run = foldedRun(fourJobs());
    QVERIFY(near(run->head().toSeconds(), 3));
    const LossGroupShares shares = lossGroupShares(*run, 3);
    const double expected[3][3] = {{1, 2, 1}, {2, 1, 1}, {5, 5, 6}};
    for (std::size_t g = 0; g < 3; ++g)
        for (std::size_t i = 0; i < 3; ++i) QVERIFY(near(shares.share[g][i], expected[g][i] / 8));
    QVERIFY(near(shares.seconds[1], 1.5));
    QVERIFY(near(shares.mean(LossGroup::highestQuarter), 4.0 / 24));
    QVERIFY(near(shares.mean(LossGroup::between), 4.0 / 24));
    QVERIFY(near(shares.mean(LossGroup::lowestHalf), 16.0 / 24));
}

void tst_LossGroups::fewerThanFourJobsAreNoGroups() {
    const auto run = foldedRun(fourJobs(3));
    const LossGroupShares shares = lossGroupShares(*run, 3);
    QCOMPARE(shares.seconds.size(), std::size_t{3});
    for (const double share : shares.of(LossGroup::lowestHalf)) QVERIFY(std::isnan(share));
    QVERIFY(std::isnan(shares.mean(LossGroup::lowestHalf)));
    const View& view = *findView("loss-groups");
    QVERIFY(!view.concerns(*run, {}));
    QVERIFY(!emptyOf(wholePicture(view, {.run = *run, .job = {}, .at = run->head()})).english().empty());
}

// d ends at 2 s: the third second has no groups, the others are as before.
void tst_LossGroups::jobsThatAreOverLeave() {
    const auto run = foldedRun(fourJobs(4, 2));
    QVERIFY(near(run->head().toSeconds(), 3));
    const LossGroupShares shares = lossGroupShares(*run, 3);
    QVERIFY(near(shares.share[0][1], 2.0 / 8) && std::isnan(shares.share[0][2]));
    QVERIFY(near(shares.mean(LossGroup::highestQuarter), 3.0 / 16));
}

// From below: the lowest half, those between, the highest quarter; together 100 %.
void tst_LossGroups::theViewStacksTheShares() {
    const auto run = foldedRun(fourJobs());
    const auto chart = std::get<Chart>(
        wholePicture(*findView("loss-groups"), {.run = *run, .job = {}, .at = run->head(), .mostPoints = 6}));
    const auto& series = chart.plots.front().series;
    QCOMPARE(series.size(), std::size_t{6});
    const double tops[3][3] = {{5, 5, 6}, {7, 6, 7}, {8, 8, 8}};
    for (std::size_t g = 0; g < 3; ++g) {
        const Series &area = series[2 * g], &edge = series[2 * g + 1];
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(near(edge.y[i], 100 * tops[g][i] / 8) && near(area.y[2 * i], edge.y[i]));
            QVERIFY(near(area.base[2 * i + 1], g == 0 ? 0 : 100 * tops[g - 1][i] / 8));
        }
    }
    QVERIFY(near(chart.legend.front().value->value, 100 * 4.0 / 24)); // the highest quarter
}

TRAINYARD_TEST(tst_LossGroups)
#include "tst_LossGroups.moc"
