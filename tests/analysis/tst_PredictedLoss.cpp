// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The view of predicted losses: its dots are the scheduler's notes, its errors those of an independent count.
#include "analysis/LossForecast.h"
#include "analysis/PredictionErrors.h"
#include "analysis/View.h"
#include "base/Random.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>
#include <memory>

using namespace trainyard;
using namespace trainyard::test;

class tst_PredictedLoss : public QObject {
    Q_OBJECT
private slots:
    void dotsAreTheNotes();
    void errorsAreThoseOfTheCurve();
    void errorsByHand();
    void forecastsOfACurveOfTheFamily();
    void forecastsFollowAllLosses();
    void bandsHoldWhatComes();
    void longRunsAreThinned();
    void workersOverUpdates();
    void othersPredictNothing();
};

namespace {

/// Two jobs on 8 cpu whose losses are 1/(1 + 0.2 k), evaluated with every update of 4 core-seconds; slaq divides anew each second.
Scenario twoJobs(const char* scheduler) {
    Scenario scenario = starScenario(1);
    scenario.network = NetworkModel::rate;
    scenario.policies.scheduler = {scheduler, {}};
    if (std::string(scheduler) == "slaq") scenario.policies.scheduler.parameters = {{"epoch_s", 1.0}};
    for (const char* key : {"a", "b"}) {
        Job job{.key = key};
        job.workerDemand = ResourceVector::of({1});
        job.workers = {1, 8};
        job.servers = {0, 0};
        job.stop.iterations = 40;
        AnalyticWork work;
        work.parameterBytes = 0;
        work.batch = 8;
        work.batchOf = BatchOf::job;
        work.law = UpdateLaw{0, 4, 0};
        work.evaluation.everyIterations = 1;
        work.curve = {.a = 1, .b = 0.2, .c = 0, .p = 1};
        job.work = work;
        scenario.jobs.push_back(job);
    }
    return scenario;
}

/// Losses that fall with noise; none is known at update 70, and from 150 the job returns to 120.
LossSeries returning() {
    RandomStream random(4, Purpose::policy, 0, 0);
    LossSeries out;
    for (int i = 0; i < 400; ++i) {
        const int k = i < 150 ? i : i - 30;
        const double loss = 1 / (1 + 0.02 * k) + 0.01 * random.unit();
        out.time.push_back(i);
        out.update.push_back(k);
        out.loss.push_back(k == 70 ? std::nan("") : loss);
    }
    out.breaks = {150};
    return out;
}

std::unique_ptr<RunIndex> indexed(Scenario scenario) {
    auto run = std::make_unique<RunIndex>(sourceOfRun(std::move(scenario)));
    run->update();
    return run;
}

void add(LossSeries& to, double seconds, double update, double loss) {
    to.time.push_back(seconds);
    to.update.push_back(update);
    to.loss.push_back(loss);
}

double lossAfter(double updates) { return 1 / (1 + 0.2 * updates); }

Chart chartOf(const RunIndex& run, double at) {
    return std::get<Chart>(
        wholePicture(*findView("predicted-loss"), {.run = run, .job = JobId(0), .at = SimTime::seconds(at)}));
}

const Series& seriesOf(const Chart& chart, const char* key) {
    for (const Series& series : chart.plots.front().series)
        if (series.key == key) return series;
    throw std::runtime_error(key);
}

} // namespace

// Of the first job alone, and none noted after the cursor.
void tst_PredictedLoss::dotsAreTheNotes() {
    const auto run = indexed(twoJobs("slaq"));
    for (const double at : {5.5, 12.5, 1000.0}) {
        const Chart chart = chartOf(*run, at);
        const Series& dots = seriesOf(chart, "predicted");
        QVERIFY(!dots.x.empty());
        for (const ElementRef& ref : dots.refs) QVERIFY(ref.at.toSeconds() <= at);
        const Series& line = seriesOf(chart, "loss");
        for (std::size_t i = 0; i < line.x.size(); ++i) QVERIFY(std::abs(line.y[i] - lossAfter(line.x[i])) < 1e-9);
    }
    QVERIFY(seriesOf(chartOf(*run, 12.5), "predicted").x.size() > seriesOf(chartOf(*run, 5.5), "predicted").x.size());
}

// The curve is of a family that is fitted: predictions come true, and no change is predicted far worse.
void tst_PredictedLoss::errorsAreThoseOfTheCurve() {
    const auto run = indexed(twoJobs("slaq"));
    const Chart chart = chartOf(*run, 1000);
    const Series &dots = seriesOf(chart, "predicted"), &line = seriesOf(chart, "loss");
    double sum = 0;
    std::size_t due = 0;
    for (std::size_t i = 0; i < dots.x.size(); ++i)
        if (dots.x[i] <= line.x.back()) {
            sum += std::abs(dots.y[i] - lossAfter(dots.x[i]));
            ++due;
        }
    QVERIFY(due > 10);
    std::optional<double> predicted, held, count;
    for (const LegendItem& item : chart.legend) {
        const std::string label = item.label.english();
        if (label == "their mean error") predicted = item.value->value;
        if (label == "error if the loss stayed") held = item.value->value;
        if (label == "predictions that came due") count = item.value->value;
    }
    QVERIFY(predicted && held && count);
    QCOMPARE(*count, static_cast<double>(due));
    QVERIFY2(std::abs(*predicted - sum / static_cast<double>(due)) < 1e-9, qPrintable(QString::number(*predicted)));
    QVERIFY2(*predicted < 0.5 * *held, qPrintable(QStringLiteral("%1, %2").arg(*predicted).arg(*held)));
}

// Losses 8, 6, 5 and 2 after 0, 2, 4 and 8 updates, at as many seconds. Predicted at 4.5 s (loss 5, falling by 0.5 an update): 4 for
// update 6, when it is (5 + 2)/2 = 3.5: errors 0.5, 1.5 of no change, |5 − 1 − 3.5| = 0.5 of the last change. Predicted at 1 s, with one
// loss known: 7 for update 2, when it is 6: 1, 2, and 2 (there is no last change). For update 9: it has not come.
void tst_PredictedLoss::errorsByHand() {
    LossSeries losses;
    losses.time = {0, 2, 4, 8};
    losses.update = {0, 2, 4, 8};
    losses.loss = {8, 6, 5, 2};
    const std::vector<NotedValue> noted{{.at = SimTime::seconds(1), .first = 2, .value = 7},
                                        {.at = SimTime::seconds(4.5), .first = 6, .value = 4},
                                        {.at = SimTime::seconds(8), .first = 9, .value = 1}};
    const PredictionErrors errors = predictionErrors(noted, losses, 4);
    QCOMPARE(errors.due, std::size_t{2});
    QVERIFY(std::abs(errors.predicted - 1.5) < 1e-12);
    QVERIFY(std::abs(errors.held - 3.5) < 1e-12);
    QVERIFY(std::abs(errors.lastChange - 2.5) < 1e-12);
    QCOMPARE(predictionErrors(noted, losses, 3).due, std::size_t{1}); // the loss after 8 updates is not known
}

// Exact losses: the forecast goes on as they do, and its errors are next to nothing.
void tst_PredictedLoss::forecastsOfACurveOfTheFamily() {
    LossSeries losses;
    for (int k = 0; k <= 40; ++k) add(losses, k, k, lossAfter(k));
    const LossForecast forecast = forecastLosses(losses, losses.size(), {}, {}, 20);
    QCOMPARE(forecast.ahead.front(), 0.0);
    QVERIFY(std::abs(forecast.ahead.back() - 20) < 1e-9);
    QCOMPARE(forecast.loss.size(), forecast.ahead.size());
    for (std::size_t i = 0; i < forecast.ahead.size(); ++i)
        QVERIFY(std::abs(forecast.loss[i] - lossAfter(40 + forecast.ahead[i])) < 1e-4);
    QVERIFY(forecast.error.size() == forecast.ahead.size());
    for (const double e : forecast.error) QVERIFY(e >= 0 && e < 1e-3);
    // After a return to update 20 what lay beyond is forgotten.
    LossSeries returned = losses;
    for (int k = 20; k <= 40; ++k) add(returned, 50 + k, k, lossAfter(k));
    QCOMPARE(forecastLosses(returned, returned.size(), {}, {}, 20).loss, forecast.loss);
    QVERIFY(forecastLosses(losses, 3, {}, {}, 20).ahead.empty());
    QVERIFY(forecastLosses(losses, 4, {}, {}, 20).error.empty()); // no prediction has come due
}

// The same numbers as those of whoever is told every loss from the first on, one prediction after the other.
void tst_PredictedLoss::forecastsFollowAllLosses() {
    const LossSeries losses = returning();
    for (const std::size_t known : {40u, 140u, 151u, 160u, 400u}) {
        std::vector<LossPoint> valid;
        for (std::size_t i = 0; i < known; ++i) {
            const auto update = static_cast<std::uint64_t>(losses.update[i]);
            while (!valid.empty() && valid.back().update >= update) valid.pop_back();
            if (std::isfinite(losses.loss[i]))
                valid.push_back({SimTime::seconds(losses.time[i]), update, losses.loss[i]});
        }
        RecordedCurve course;
        for (const LossPoint& p : valid) {
            course.updates.push_back(static_cast<double>(p.update));
            course.losses.push_back(p.loss);
        }
        const PredictedGains::Rules rules;
        const LossForecast forecast = forecastLosses(losses, known, rules, {}, 15);
        const std::size_t first = std::max(PredictedGains::fewestLosses, valid.size() / 3),
                          step = (valid.size() - first + 15) / 16;
        PredictedGains gains;
        std::vector<double> squares(forecast.ahead.size());
        std::vector<int> due(squares.size());
        for (std::size_t n = first; n < valid.size(); n += step) {
            gains.follow(std::span(valid).first(n), rules, {});
            for (std::size_t i = 0; i < squares.size(); ++i) {
                const double update = static_cast<double>(gains.last().update) + forecast.ahead[i];
                if (update > course.updates.back()) break;
                squares[i] += std::pow(gains.lossAfter(forecast.ahead[i]) - course.at(update), 2);
                ++due[i];
            }
        }
        gains.follow(valid, rules, {});
        double error = 0;
        for (std::size_t i = 0; i < squares.size(); ++i) {
            QCOMPARE(forecast.loss[i], gains.lossAfter(forecast.ahead[i]));
            QCOMPARE(i < forecast.error.size(), due[i] >= 3);
            if (i == 0 || i >= forecast.error.size()) continue;
            error = std::max(error, std::sqrt(squares[i] / due[i]));
            QVERIFY(std::abs(forecast.error[i] - error) < 1e-12);
        }
    }
}

// Noisy curves of the kinds that are fitted, seen to update 60: what comes lies within the band in at least three of four cases. (Twice
// the error of independent normal predictions would hold 95 %; those of one course are not independent.)
void tst_PredictedLoss::bandsHoldWhatComes() {
    RandomStream random(3, Purpose::policy, 0, 0);
    std::size_t within = 0, all = 0;
    for (int i = 0; i < 100; ++i) {
        const double pace = 0.05 + 0.3 * random.unit(), noise = 0.002 + 0.01 * random.unit();
        LossSeries losses;
        for (int k = 0; k <= 80; ++k) {
            const double x = k, clean = i % 2 ? 1 / (1 + pace * x) : std::pow(0.99 - 0.1 * pace, x);
            add(losses, x, x, clean + noise * (2 * random.unit() - 1));
        }
        const LossForecast forecast = forecastLosses(losses, 61, {}, {}, 20);
        for (std::size_t n = 0; n < forecast.error.size(); ++n) {
            const double update = 60 + forecast.ahead[n];
            if (update != std::floor(update) || forecast.ahead[n] < 1) continue;
            const double off = std::abs(losses.loss[static_cast<std::size_t>(update)] - forecast.loss[n]);
            within += off <= 2 * forecast.error[n];
            ++all;
        }
    }
    QVERIFY2(all >= 100 && 4 * within >= 3 * all, qPrintable(QStringLiteral("%1 of %2").arg(within).arg(all)));
}

// The steps under the losses are the job's workers, at the updates that it had reached.
void tst_PredictedLoss::workersOverUpdates() {
    const auto run = indexed(twoJobs("slaq"));
    const Chart chart = chartOf(*run, 12.5);
    QCOMPARE(chart.plots.size(), std::size_t{2});
    const Series& steps = chart.plots[1].series.front();
    QVERIFY(!steps.x.empty());
    const StepSeries& placed = run->jobs()[0].placed();
    for (std::size_t i = 0; i < steps.x.size(); ++i) {
        QVERIFY(i == 0 || steps.x[i] >= steps.x[i - 1]);
        if (i + 1 < steps.x.size()) QCOMPARE(steps.y[i], placed.at(steps.refs[i].at.toSeconds()));
    }
    QCOMPARE(steps.x.back(), seriesOf(chart, "loss").x.back());
}

// More losses than are asked for: the extremes, the ends and all numbers stay.
void tst_PredictedLoss::longRunsAreThinned() {
    Scenario scenario = twoJobs("slaq");
    scenario.jobs.pop_back();
    scenario.jobs[0].stop.iterations = 20000;
    scenario.policies.scheduler.parameters["epoch_s"] = 100.0;
    scenario.horizonSeconds = 1e6;
    const auto run = indexed(std::move(scenario));
    ViewRequest request{.run = *run, .job = JobId(0), .at = SimTime::seconds(9000)};
    const auto chartWith = [&](std::size_t most) {
        request.mostPoints = most;
        return std::get<Chart>(wholePicture(*findView("predicted-loss"), request));
    };
    const Chart all = chartWith(1000000), few = chartWith(400);
    const Series &every = seriesOf(all, "loss"), &some = seriesOf(few, "loss");
    QVERIFY(every.x.size() > 3500 && some.x.size() <= 400 && some.x.size() >= 190);
    QCOMPARE(few.legend, all.legend);
    QCOMPARE(few.plots.front().x.to, all.plots.front().x.to);
    QCOMPARE(some.x.front(), every.x.front());
    QCOMPARE(some.x.back(), every.x.back());
    QCOMPARE(*std::max_element(some.y.begin(), some.y.end()), *std::max_element(every.y.begin(), every.y.end()));
    QCOMPARE(*std::min_element(some.y.begin(), some.y.end()), *std::min_element(every.y.begin(), every.y.end()));
    QCOMPARE(seriesOf(few, "expected").y, seriesOf(all, "expected").y);
    QVERIFY(few.plots.front().x.knots.size() <= 400);
    for (const double second : {0.5, 1234.0, 8999.0}) // the cursor stands where it did, within a pixel
        QVERIFY(std::abs(*valueAt(few.plots.front().x, SimTime::seconds(second)) -
                         *valueAt(all.plots.front().x, SimTime::seconds(second))) < 20000.0 / 400);
}

void tst_PredictedLoss::othersPredictNothing() {
    const auto run = indexed(twoJobs("fair"));
    QVERIFY(!chartOf(*run, 1000).empty.english().empty());
    QVERIFY(!findView("predicted-loss")->concerns(*run, JobId(0)));
}

TRAINYARD_TEST(tst_PredictedLoss)
#include "tst_PredictedLoss.moc"
