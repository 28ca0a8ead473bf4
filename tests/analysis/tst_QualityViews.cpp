// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The views of losses and workers across jobs, on a run worked by hand and against the metrics of the same run.
#include "analysis/LossCourse.h"
#include "analysis/LossGroups.h"
#include "analysis/View.h"
#include "record/Metrics.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace trainyard;
using namespace trainyard::test;

class tst_QualityViews : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void workersAreStacked();
    void meanLossIsThatOfActiveJobs();
    void timesAreDistributedOverJobs();
    void numbersAreThoseOfTheMetrics();
    void courseInPartsEndsEachPartAlike();
    void groupsAreThoseOfSortedJobs();

private:
    Chart chartOf(const char* view, double at);
    std::optional<RunIndex> m_run;
};

namespace {

/// 8 cpu. Job a arrives at 0, job b at 4 s, each of 1 to 8 workers that divide updates of 8 core-seconds; the loss of a is 1, 0.05, 0
/// and that of b 2, 2, 0 after 0, 1 and 2 updates. Under fair a has 8 workers and ends at 2 s; b has them from 4 to 6 s; job c (2
/// updates of 8 core-seconds, as b) comes at 5 s, when b has done one update: then 4 workers each, an update in 2 s. b ends at 7 s; c has
/// done one update by then, and with 8 workers ends at 8 s.
Scenario threeJobs() {
    Scenario scenario = starScenario(1);
    scenario.network = NetworkModel::rate;
    scenario.policies.scheduler = {"fair", {}};
    const auto add = [&](const char* key, double arrival, std::vector<double> losses) {
        Job job{.key = key, .arrival = SimTime::seconds(arrival)};
        job.workerDemand = ResourceVector::of({1});
        job.workers = {1, 8};
        job.servers = {0, 0};
        job.stop.iterations = 2;
        AnalyticWork work;
        work.parameterBytes = 0;
        work.batch = 8;
        work.batchOf = BatchOf::job;
        work.law = UpdateLaw{0, 8, 0};
        work.curve = {.family = LossCurve::Family::recorded, .name = key};
        job.work = work;
        scenario.jobs.push_back(job);
        scenario.curves.push_back({.key = key, .updates = {0, 1, 2}, .losses = std::move(losses)});
    };
    add("a", 0, {1, 0.05, 0});
    add("b", 4, {2, 2, 0});
    add("c", 5, {3, 1, -1});
    return scenario;
}

bool close(double a, double b) { return std::abs(a - b) < 1e-6; }

const Series& seriesOf(const Chart& chart, const char* key) {
    for (const Plot& plot : chart.plots)
        for (const Series& series : plot.series)
            if (series.key == key) return series;
    throw std::runtime_error(key);
}

/// Of steps at an instant.
double valueAt(const Series& steps, double at) {
    double out = 0;
    for (std::size_t i = 0; i < steps.y.size() && steps.x[i] <= at; ++i) out = steps.y[i];
    return out;
}

} // namespace

void tst_QualityViews::initTestCase() {
    m_run.emplace(sourceOfRun(threeJobs()));
    m_run->update();
    QVERIFY(close(m_run->head().toSeconds(), 8));
}

Chart tst_QualityViews::chartOf(const char* view, double at) {
    return std::get<Chart>(wholePicture(*findView(view), {.run = *m_run, .job = {}, .at = SimTime::seconds(at)}));
}

// 8, 0, 8, 4 + 4, 8 workers: a layer's upper edge is that of the layer below and its own workers.
void tst_QualityViews::workersAreStacked() {
    const Chart chart = chartOf("workers-by-job", 6);
    const double tops[][4] = {{1, 8, 8, 8}, {3, 0, 0, 0}, {4.5, 0, 8, 8}, {6, 0, 4, 8}, {7.5, 0, 0, 8}};
    for (const auto& [at, a, b, c] : tops) {
        QCOMPARE(valueAt(seriesOf(chart, "job-1"), at), a);
        QCOMPARE(valueAt(seriesOf(chart, "job-2"), at), b);
        QCOMPARE(valueAt(seriesOf(chart, "job-3"), at), c);
    }
    // An outline only where the layer has a height.
    QCOMPARE(valueAt(seriesOf(chart, "job-1-edge"), 1), 8.0);
    QVERIFY(std::isnan(valueAt(seriesOf(chart, "job-2-edge"), 1)));
    const Series &below = seriesOf(chart, "job-1"), &above = seriesOf(chart, "job-2");
    QCOMPARE(above.base, below.y);
    QVERIFY(above.fill > 0.5);
    QCOMPARE(chart.legend.size(), std::size_t{3});
    QCOMPARE(chart.legend[1].value->value, 4.0);
}

// a: 1 until 1 s, 0.05 until 2 s. Nobody until 4 s. b: 1 until 7 s; c from 5 s: 1, from 7 s on 0.5 ((1 + 1)/4), alone.
void tst_QualityViews::meanLossIsThatOfActiveJobs() {
    const Chart chart = chartOf("mean-quality", 1.5);
    const Series& line = seriesOf(chart, "mean-normalised-loss");
    QVERIFY(close(valueAt(line, 0.5), 1) && close(valueAt(line, 1.5), 0.05) && std::isnan(valueAt(line, 3)));
    QVERIFY(close(valueAt(line, 4.5), 1) && close(valueAt(line, 6), 1) && close(valueAt(line, 7.5), 0.5));
    QVERIFY(close(chart.legend[0].value->value, 0.05));
    QCOMPARE(valueAt(seriesOf(chart, "active-jobs"), 6), 2.0);
}

// 90 and 95 %: a 1 s, b 3 s, c 3 s; 99 %: a 2 s.
void tst_QualityViews::timesAreDistributedOverJobs() {
    const Chart chart = chartOf("time-to-quality", 8);
    for (const char* key : {"to-90", "to-95", "to-99"}) {
        const Series& line = seriesOf(chart, key);
        QCOMPARE(line.x.size(), std::size_t{4});
        QVERIFY(close(line.x[1], std::string(key) == "to-99" ? 2 : 1) && close(line.x[2], 3) && close(line.x[3], 3));
        QVERIFY(close(line.y[1], 1.0 / 3) && close(line.y[3], 1));
    }
}

void tst_QualityViews::numbersAreThoseOfTheMetrics() {
    const auto metrics = computeMetrics(m_run->workload(), *m_run->source().log, m_run->head());
    // 1 + 0.05 for the first two seconds, 1 for three, 0.5 for one, of six seconds with active jobs
    QVERIFY(close(metrics.values.at("mean_active_loss"), (1 + 0.05 + 3 + 0.5) / 6));
    QVERIFY(close(metrics.values.at("time_to_90_s"), (1 + 3 + 3) / 3.0));
    for (const JobId job : {JobId(0), JobId(1), JobId(2)})
        QCOMPARE(metrics.jobs[job.index()].at("time_to_99_s"), *secondsToShares(*m_run, job, std::array{0.99}).front());
}

namespace {

const RunIndex& manyJobs() {
    static const RunIndex run = [] {
        const Registry registry = Registry::builtin();
        Scenario scenario =
            readScenario(TRAINYARD_SOURCE_DIR "/scenarios/papers/slaq/default.json", registry).value().scenario;
        scenario.horizonSeconds = 120;
        RunIndex made(sourceOfRun(std::move(scenario)));
        made.update();
        return made;
    }();
    return run;
}

/// Of steps at an instant; nothing before the first.
double stepAt(const std::vector<double>& seconds, const std::vector<double>& values, double at) {
    const auto next = std::upper_bound(seconds.begin(), seconds.end(), at) - seconds.begin();
    return next == 0 ? 0 : values[static_cast<std::size_t>(next - 1)];
}

} // namespace

// What is drawn of very many changes: at the end of each part the mean is that of the whole course, and so is that of an instant.
void tst_QualityViews::courseInPartsEndsEachPartAlike() {
    const RunIndex& run = manyJobs();
    const MeanLossCourse whole = meanLossCourse(run);
    QVERIFY(whole.seconds.size() > 500);
    for (const std::size_t parts : {1u, 7u, 100u}) {
        const MeanLossCourse coarse = meanLossCourse(run, parts);
        QVERIFY(coarse.seconds.size() <= parts);
        const double length = run.head().toSeconds() / static_cast<double>(parts);
        for (std::size_t i = 0; i < parts; ++i) {
            const double end = length * static_cast<double>(i + 1) - 1e-9;
            const double is = stepAt(coarse.seconds, coarse.loss, end), was = stepAt(whole.seconds, whole.loss, end);
            QVERIFY2(std::abs(is - was) < 1e-9 || (std::isnan(is) && std::isnan(was)),
                     qPrintable(QString::number(end)));
            QCOMPARE(stepAt(coarse.seconds, coarse.jobs, end), stepAt(whole.seconds, whole.jobs, end));
        }
    }
    for (double at = 0.5; at < run.head().toSeconds(); at += 0.7) {
        const MeanLoss now = meanLossAt(run, at);
        QCOMPARE(now.jobs, stepAt(whole.seconds, whole.jobs, at));
        const double was = stepAt(whole.seconds, whole.loss, at);
        QVERIFY(now.jobs == 0 || std::abs(now.loss - was) < 1e-9);
    }
}

void tst_QualityViews::groupsAreThoseOfSortedJobs() {
    const RunIndex& run = manyJobs();
    const LossGroupShares shares = lossGroupShares(run, 50);
    int compared = 0;
    for (std::size_t i = 0; i < shares.seconds.size(); ++i) {
        const double at = shares.seconds[i];
        std::vector<std::tuple<double, std::size_t, double>> active; // −loss, job, workers
        double all = 0;
        for (std::size_t j = 0; j < run.jobs().size(); ++j) {
            const JobHistory& job = run.jobs()[j];
            if (job.arrived().toSeconds() > at || job.endedAt().toSeconds() <= at) continue;
            const auto limit = limitOf(run, JobId(j));
            const std::size_t known = job.losses.indexAt(at);
            const double loss = limit && known < job.losses.size()
                                    ? (job.losses.loss[known] - *limit) / (job.losses.loss[0] - *limit)
                                    : 1;
            active.emplace_back(-loss, j, job.placed().at(at));
            all += job.placed().at(at);
        }
        std::ranges::sort(active);
        if (active.size() < LossGroupShares::fewestJobs || all <= 0) {
            QVERIFY(std::isnan(shares.share[0][i]));
            continue;
        }
        ++compared;
        std::array<double, 3> expected{};
        for (std::size_t k = 0; k < active.size(); ++k) {
            const std::size_t group = k < (active.size() + 3) / 4 ? 0 : k < active.size() - active.size() / 2 ? 1 : 2;
            expected[group] += std::get<2>(active[k]) / all;
        }
        for (std::size_t g = 0; g < 3; ++g) QVERIFY(std::abs(shares.share[g][i] - expected[g]) < 1e-12);
    }
    QVERIFY(compared > 20);
}

TRAINYARD_TEST(tst_QualityViews)
#include "tst_QualityViews.moc"
