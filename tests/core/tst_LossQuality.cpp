// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Normalised losses of active jobs and times to shares of the drop, by hand: one minimum for all policies where the curve
// has a limit; where nobody knows one the least of the run, or of several.
#include "base/Random.h"
#include "record/LossQuality.h"
#include "record/Metrics.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_LossQuality : public QObject {
    Q_OBJECT
private slots:
    void limitsAreThoseOfTheCurves();
    void handWorkedMean();
    void handWorkedTimes();
    void trainedJobsTakeTheLeastOfTheRun();
    void keyedJobsTakeTheLeastOfTheRun();
    void lowerMinimaAreThoseOfACurve();
    void nothingIsDividedByZero();
};

namespace {

Job analytic(LossCurve curve) {
    Job job{.key = "a"};
    AnalyticWork work;
    work.curve = curve;
    job.work = work;
    return job;
}

LossCurve recordedCurve(std::vector<double> losses) {
    auto recorded = std::make_shared<RecordedCurve>();
    recorded->key = "c";
    for (std::size_t i = 0; i < losses.size(); ++i) recorded->updates.push_back(static_cast<double>(i));
    recorded->losses = std::move(losses);
    return {.family = LossCurve::Family::recorded, .name = "c", .recorded = recorded};
}

struct Writer {
    EventLog log;
    void at(double seconds, EventType type, std::uint32_t job, double value = 0) {
        log.append({.time = SimTime::seconds(seconds), .type = type, .job = job, .value = value});
    }
};

using T = EventType;

Metrics metricsOf(std::vector<Job> jobs, const Writer& w, double end) {
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.jobs = std::move(jobs);
    return computeMetrics(workload, w.log, SimTime::seconds(end));
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

/// Job 0 falls 10, 4, 1 to a recorded least of 0, job 1 by a formula from 3 to its limit 1, of which it sees 2.
Metrics twoJobs(double end) {
    Writer w;
    w.at(0, T::jobArrived, 0);
    w.at(2, T::lossEvaluated, 0, 10);
    w.at(4, T::lossEvaluated, 0, 4);
    w.at(5, T::jobArrived, 1);
    w.at(6, T::lossEvaluated, 1, 3);
    w.at(8, T::lossEvaluated, 0, 1);
    w.at(10, T::jobFinished, 0, 1);
    w.at(11, T::lossEvaluated, 1, 2);
    w.at(13, T::jobFinished, 1, 2);
    return metricsOf({analytic(recordedCurve({10, 4, 1, 0, 0.5})), analytic({.a = 2, .b = 1, .c = 1, .p = 1})}, w, end);
}

} // namespace

void tst_LossQuality::limitsAreThoseOfTheCurves() {
    QCOMPARE(lossLimit(analytic({.a = 2, .b = 1, .c = 0.5, .p = 1})), std::optional(0.5));
    QCOMPARE(lossLimit(analytic({.family = LossCurve::Family::geometric, .a = 2, .b = 0.9, .c = -3})),
             std::optional(-3.0));
    QCOMPARE(lossLimit(analytic(recordedCurve({3, 1, 2}))), std::optional(1.0));
    QCOMPARE(lossLimit(analytic({.a = 2, .b = 0, .c = 0.5, .p = 1})), std::nullopt); // constant
    QCOMPARE(lossLimit(analytic({.family = LossCurve::Family::geometric, .a = 2, .b = 1, .c = 0})), std::nullopt);
    Job trained;
    trained.work = TrainedWork{};
    QCOMPARE(lossLimit(trained), std::nullopt);
}

// Seconds 0–4: job 0 alone at 1 → 4. 4–5: 0.4. 5–8: (0.4 + 1)/2 = 0.7 a second (job 1 counts 1 before its first loss as after
// it) → 2.1. 8–10: (0.1 + 1)/2 → 1.1. 10–11: job 1 alone, 1. 11–13: (2 − 1)/(3 − 1) = 0.5 → 1. Σ = 4 + 0.4 + 2.1 + 1.1 + 1 + 1 =
// 9.6 of 13 s. At 9 s: 4 + 0.4 + 2.1 + 0.55 = 7.05 of 9. Nobody is there after 13 s.
void tst_LossQuality::handWorkedMean() {
    QVERIFY(near(twoJobs(13).values.at("mean_active_loss"), 9.6 / 13));
    QVERIFY(near(twoJobs(20).values.at("mean_active_loss"), 9.6 / 13));
}

// Job 0 needs 1 for 90 %, which it sees at 8 s, 0.5 for 95 %, which it never does. Job 1 sees half of its drop alone.
void tst_LossQuality::handWorkedTimes() {
    const Metrics metrics = twoJobs(13);
    QCOMPARE(metrics.jobs[0].at("time_to_90_s"), 8.0);
    QVERIFY(!metrics.jobs[0].contains("time_to_95_s") && !metrics.jobs[1].contains("time_to_90_s"));
    QCOMPARE(metrics.values.at("time_to_90_s"), 8.0);
    QVERIFY(!metrics.values.contains("time_to_95_s"));
}

/// A keyed job's losses are those of the model it trains, also beside a curve that its kind of work has by default.
void tst_LossQuality::keyedJobsTakeTheLeastOfTheRun() {
    Job keyed{.key = "k"};
    AnalyticWork work;
    work.access = AccessKind::keyed;
    work.keyed = KeyedAccess{};
    work.keyed->task.emplace();
    keyed.work = work;
    QCOMPARE(lossLimit(keyed), std::nullopt);
    Job trained{.key = "t"};
    trained.work = TrainedWork{};
    Writer w;
    w.at(0, T::jobArrived, 0);
    for (const auto& [at, loss] : {std::pair(1.0, 4.0), {3.0, 3.5}, {6.0, 3.0}}) w.at(at, T::lossEvaluated, 0, loss);
    w.at(7, T::jobFinished, 0, 3);
    const Metrics own = metricsOf({keyed}, w, 7), same = metricsOf({trained}, w, 7);
    QCOMPARE(own.values.at("jobs_to_99"), 1.0);
    // 1 s before the first loss and 2 s after it at 1, 3 s at 1/2, 1 s at 0.
    QVERIFY(near(own.values.at("mean_active_loss"), (1 + 2 + 1.5) / 7));
    for (const char* each : {"time_to_90_s", "time_to_99_s", "mean_active_loss", "jobs_to_90"})
        QCOMPARE(own.values.at(each), same.values.at(each));
}

// From 5, arrived at 1 s: the run's least is 1, so 90 % are at 1.4, 95 % at 1.2, 99 % at 1.04. A rise between does not count.
// Mean: 1 for 1 s (before its first loss), 1 for 1 s, (1.3 − 1)/4 for 1 s, (3 − 1)/4 for 1 s, 0 for 2 s.
void tst_LossQuality::trainedJobsTakeTheLeastOfTheRun() {
    Job trained;
    trained.work = TrainedWork{};
    Writer w;
    w.at(1, T::jobArrived, 0);
    w.at(2, T::lossEvaluated, 0, 5);
    w.at(3, T::lossEvaluated, 0, 1.3);
    w.at(4, T::lossEvaluated, 0, 3);
    w.at(5, T::lossEvaluated, 0, 1);
    w.at(7, T::jobFinished, 0, 1);
    const Metrics metrics = metricsOf({trained}, w, 7);
    QCOMPARE(metrics.values.at("time_to_90_s"), 2.0);
    QCOMPARE(metrics.values.at("time_to_95_s"), 4.0);
    QCOMPARE(metrics.values.at("time_to_99_s"), 4.0);
    QVERIFY(near(metrics.values.at("mean_active_loss"), (2 + 0.075 + 0.5) / 6));
}

// Of drawn logs: trained jobs measured by a lower minimum are as analytic ones whose recorded curve comes down to it, and by their own
// least as they are.
void tst_LossQuality::lowerMinimaAreThoseOfACurve() {
    RandomStream random(5, Purpose::test);
    int differing = 0;
    for (int round = 0; round < 500; ++round) {
        const auto count = 1 + random.below(4);
        std::vector<Job> trained(count), curves;
        LeastLosses least;
        std::vector<double> lowest(count, 0);
        Writer w;
        double now = 0;
        for (std::uint32_t j = 0; j < count; ++j) {
            trained[j].work = TrainedWork{};
            w.at(now += random.unit(), T::jobArrived, j);
        }
        for (int i = 0; i < 60; ++i) {
            const auto j = static_cast<std::uint32_t>(random.below(count));
            w.at(now += random.unit(), T::lossEvaluated, j, 0.5 + 5 * random.unit() / (1 + 0.1 * i));
        }
        for (std::uint32_t j = 0; j < count; ++j)
            if (random.below(2) > 0) w.at(now += random.unit(), T::jobFinished, j);
        const Metrics own = metricsOf(trained, w, now + 1);
        QVERIFY(own.losses);
        auto again = own.values;
        measureBy({}, *own.losses, again);
        for (const auto& [name, value] : own.values) QVERIFY(near(again.at(name), value));
        LeastLosses ownLeast;
        lower(ownLeast, *own.losses);
        for (std::size_t j = 0; j < count; ++j)
            curves.push_back(
                analytic(recordedCurve({9, least[j] = ownLeast.contains(j) ? ownLeast[j] * random.unit() : 0})));
        auto measured = own.values;
        measureBy(least, *own.losses, measured);
        const Metrics wanted = metricsOf(curves, w, now + 1);
        QVERIFY(!wanted.losses);
        for (const char* name : {"mean_active_loss", "mean_normalised_loss", "time_to_90_s", "time_to_95_s",
                                 "time_to_99_s", "jobs_to_90", "jobs_to_95", "jobs_to_99"}) {
            QCOMPARE(measured.contains(name), wanted.values.contains(name));
            if (measured.contains(name)) QVERIFY(near(measured.at(name), wanted.values.at(name)));
            differing += measured.contains(name) != own.values.contains(name) ||
                         (measured.contains(name) && !near(measured.at(name), own.values.at(name)));
        }
    }
    QVERIFY(differing > 500);
}

// A constant loss counts as 1, a job that is refused until it is; a graph job not at all, and alone it has no value.
void tst_LossQuality::nothingIsDividedByZero() {
    Job trained, graph;
    trained.work = TrainedWork{};
    graph.work = GraphWork{};
    Writer w;
    w.at(0, T::jobArrived, 0);
    w.at(0, T::jobArrived, 1);
    w.at(1, T::lossEvaluated, 0, 2);
    w.at(2, T::lossEvaluated, 0, 2);
    w.at(3, T::jobRejected, 0);
    const Metrics metrics = metricsOf({trained, graph}, w, 9);
    QCOMPARE(metrics.values.at("mean_active_loss"), 1.0);
    QVERIFY(!metrics.values.contains("time_to_90_s"));
    Writer alone;
    alone.at(0, T::jobArrived, 0);
    QVERIFY(!metricsOf({graph}, alone, 5).values.contains("mean_active_loss"));
}

TRAINYARD_TEST(tst_LossQuality)
#include "tst_LossQuality.moc"
