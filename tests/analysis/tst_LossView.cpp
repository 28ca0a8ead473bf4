// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The view of losses: smoothing by its formula, what waiting costs by hand, axes, what is drawn above what; and another run beneath.
#include "analysis/LossValues.h"
#include "analysis/RunIndex.h"
#include "analysis/View.h"
#include "record/EventMeanings.h"
#include "record/Metrics.h"
#include "support/BusyRun.h"
#include "support/LossLogs.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_LossView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void smoothingIsTheFormula();
    void waitingCostByHand();
    void waitingCostIsTheMetric();
    void lostToWaitingIsDrawn();
    void norms();
    void logarithmicAxes();
    void logarithmicWhereTheLossFallsFar();
    void logarithmicWhereLossesBeginFarApart();
    void instantsOfUpdates();
    void colouredJobsLieAbove();
    void ofManyEachGetsFewerPoints();
    void partsMakeTheWhole();
    void divergingLossLeavesTheAxis();
    void saysWhyItIsEmpty();
    void ghostLiesBeneath();
};

namespace loss_view_test {

RunIndex indexOf(std::shared_ptr<const Workload> workload, std::shared_ptr<const EventLog> log) {
    RunIndex run(
        {.scenario = {}, .workload = std::move(workload), .log = std::move(log), .explanations = {}, .resources = {}});
    run.update();
    return run;
}

RunIndex sample() { return indexOf(test::sampleWorkload(), test::sampleLog()); }

RunIndex busy() {
    const auto made = test::busyRun();
    return indexOf(made.workload, made.log);
}

Chart chartOf(const RunIndex& run, ParamValues options = {}, JobId job = {}) {
    return std::get<Chart>(
        wholePicture(*findView("loss"), {.run = run, .job = job, .at = run.head(), .options = std::move(options)}));
}

/// A loss of the first job per second.
RunIndex withLosses(const std::vector<double>& losses) {
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    for (std::uint32_t i = 0; i < losses.size(); ++i) w.at(i + 1.0, EventType::lossEvaluated, 0, i, 0, losses[i]);
    return indexOf(test::sampleWorkload(), log);
}

const Series& named(const Chart& chart, const std::string& key) {
    for (const Series& series : chart.plots.at(0).series)
        if (series.key == key) return series;
    static const Series none;
    return none;
}

} // namespace loss_view_test

using namespace loss_view_test;

void tst_LossView::smoothingIsTheFormula() {
    const RunIndex run = busy();
    const Chart chart = chartOf(run, {{"smoothing", 0.8}});
    std::size_t shown = 0;
    for (const Series& series : chart.plots.at(0).series) {
        const LossSeries& losses = run.jobs()[series.refs.at(0).job.index()].losses;
        double s = 0;
        std::vector<double> expected;
        for (std::size_t i = 0; i < losses.size(); ++i) {
            const bool begins = i == 0 || std::count(losses.breaks.begin(), losses.breaks.end(), i) > 0;
            s = begins ? losses.loss[i] : 0.8 * s + (1 - 0.8) * losses.loss[i];
            expected.push_back(series.strength < 1 ? losses.loss[i] : s);
        }
        std::vector<double> drawn = series.y;
        std::erase_if(drawn, [](double y) { return std::isnan(y); }); // interruptions
        QCOMPARE(drawn, expected);
        ++shown;
    }
    QVERIFY(shown >= 4 && !run.jobs()[1].losses.breaks.empty()); // two jobs, and the pale curves behind them
    QCOMPARE(chart.plots[0].series.front().strength, 0.3);
    QCOMPARE(chart.plots[0].series.back().strength, 1.0);
    // The readout is what is drawn, and the note says what was evaluated.
    QCOMPARE(chart.legend.at(0).value->value, named(chart, run.workload().jobs[0].key).y.back());
    const ViewRequest request{
        .run = run, .job = {}, .at = run.head(), .options = findView("loss")->options.complete({{"smoothing", 0.8}})};
    const auto notes = findView("loss")->notes(request, {.job = JobId(0)});
    QVERIFY(notes.size() == 2 && notes[1].english().starts_with("smoothed"));
}

void tst_LossView::waitingCostByHand() {
    // Each second of the sample two of three workers wait for the third from 0.3 to 0.9, and all for the server from then
    // to 1: (2·0.6) / 3 = 0.4 s are lost.
    const RunIndex run = sample();
    const LossSeries& losses = run.jobs()[0].losses;
    QCOMPARE(losses.waited.size(), std::size_t{20});
    for (std::size_t n = 0; n < 20; ++n) QVERIFY(std::abs(losses.waited[n] - 0.4 * static_cast<double>(n + 1)) < 1e-9);
    // Without waiting the evaluations come at 0.5 + 0.6 n: at 4.2 s that of n = 6 would have come, and that
    // of n = 3 has.
    const auto cost = waitingCost(losses, losses.loss, 4.2);
    QVERIFY(cost);
    QCOMPARE(cost->loss, losses.loss[3] - losses.loss[6]);
    QVERIFY(std::abs(cost->seconds - 0.4 * 4) < 1e-9);
    QVERIFY(!waitingCost(losses, losses.loss, 0.5)); // nothing is known yet
}

void tst_LossView::waitingCostIsTheMetric() {
    // Six workers all along: the mean waiting time per worker, which is the metric over six.
    const auto made = test::busyRun();
    const RunIndex run = busy();
    const LossSeries& losses = run.jobs()[0].losses;
    const Metrics metrics = computeMetrics(*made.workload, *made.log, SimTime::seconds(losses.time.back()));
    QVERIFY(losses.waited.back() > 1);
    QVERIFY(std::abs(6 * losses.waited.back() - metrics.jobs[0].at("straggler_wait_s")) < 1e-6);
}

/// Two evaluations, at seconds 2 and 4, that had come at 1 and 2 without waiting; 8 and 4. From 2 to 4 the loss falls from 8 to 4, and
/// would have been 4.
void tst_LossView::lostToWaitingIsDrawn() {
    const LossSeries losses{
        .time = {2, 4}, .update = {1, 2}, .loss = {8, 4}, .norm = {}, .waited = {1, 2}, .breaks = {}};
    const LinePair area = lostToWaiting(losses, losses.loss, 0, 10);
    QCOMPARE(area.x, (std::vector<double>{2, 4}));
    QCOMPARE(area.high, (std::vector<double>{8, 4}));
    QCOMPARE(area.low, (std::vector<double>{4, 4}));
    QCOMPARE(withoutWaiting(losses, losses.loss).x, (std::vector<double>{1, 2}));
    const RunIndex run = sample();
    const Chart chart = chartOf(run, {{"lost_to_waiting", true}});
    const Series &curve = named(chart, run.workload().jobs[0].key),
                 &unwaited = named(chart, run.workload().jobs[0].key + " without waiting"),
                 &band = named(chart, "lost to waiting");
    QCOMPARE(unwaited.y, curve.y);
    for (std::size_t i = 0; i < curve.x.size(); ++i)
        QCOMPARE(unwaited.x[i], curve.x[i] - run.jobs()[0].losses.waited[i]);
    QVERIFY(band.kind == Series::Kind::band && band.x == run.jobs()[0].losses.time);
    for (std::size_t i = 0; i < band.size(); ++i) QVERIFY(band.y[i] >= band.base[i] - 1e-12);
    QCOMPARE(chart.legend.back().label.english(), std::string("lost to waiting"));
    // It is of the selected job, or of the first with workers; another that has no losses has none of it.
    QVERIFY(named(chartOf(run, {{"lost_to_waiting", true}}, JobId(1)), "lost to waiting").size() == 0);
    // Against updates both curves are one, which is said.
    QVERIFY(named(chartOf(run, {{"lost_to_waiting", true}, {"against", std::string("updates")}}), "lost to waiting")
                .size() == 0);
    const auto& whyIdle = findView("loss")->whyIdle;
    QVERIFY(whyIdle({{"against", std::string("updates")}}, "lost_to_waiting").english().find("updates") !=
            std::string::npos);
    QVERIFY(whyIdle({{"values", std::string("gradient-norm")}}, "lost_to_waiting").english().find("norm") !=
            std::string::npos);
    QVERIFY(whyIdle({}, "lost_to_waiting").empty() && whyIdle({}, "scale").empty());
}

void tst_LossView::norms() {
    const RunIndex run = indexOf(test::sampleWorkload(), test::logOfNorms());
    const ParamValues norm{{"values", std::string("gradient-norm")}};
    const auto legendAt = [&](double seconds) {
        return findView("loss")->readings({.run = run,
                                           .job = {},
                                           .at = SimTime::seconds(seconds),
                                           .options = findView("loss")->options.complete(norm)});
    };
    QCOMPARE(legendAt(4).at(0).value->value, 2.0);
    QVERIFY(!legendAt(0).at(0).value); // not known before the first update
    QCOMPARE(chartOf(run, norm).plots.at(0).y.key, std::string("gradient_norm"));
    // Made by hand: it has losses, and no norms.
    QVERIFY(chartOf(sample(), norm).empty.english().find("gradient") != std::string::npos);
}

void tst_LossView::logarithmicAxes() {
    const RunIndex run = sample(); // evaluated at 0.9, 1.9 … 19.9; 20.5 s long
    const Axis time = chartOf(run, {{"logarithmic_across", true}}).plots.at(0).x;
    QVERIFY(time.kind == Axis::Kind::logarithmic);
    QCOMPARE(*time.from, run.jobs()[0].losses.time.front());
    QCOMPARE(*time.to, run.head().toSeconds());
    QCOMPARE(instantAt(time, 4)->toSeconds(), 4.0);
    const Chart updates = chartOf(run, {{"logarithmic_across", true}, {"against", std::string("updates")}});
    QVERIFY(updates.plots.at(0).x.kind == Axis::Kind::logarithmic && *updates.plots[0].x.from > 0);
    // What is not positive has no place on a logarithmic axis; all else has.
    const Chart zero = chartOf(withLosses({4, 2, 0, 1}), {{"scale", std::string("logarithmic")}});
    QVERIFY(zero.plots.at(0).y.kind == Axis::Kind::logarithmic);
    QVERIFY(*zero.plots[0].y.from > 0 && *zero.plots[0].y.from < 1);
    QVERIFY(std::isnan(zero.plots[0].series.at(0).y.at(2)));
}

/// It stays so when a loss rises again: an axis must not jump while the run goes on.
void tst_LossView::logarithmicWhereTheLossFallsFar() {
    const auto kindOf = [](const std::vector<double>& losses) {
        return chartOf(withLosses(losses)).plots.at(0).y.kind;
    };
    QVERIFY(kindOf({5, 0.6}) == Axis::Kind::linear);
    QVERIFY(kindOf({5, 0.4}) == Axis::Kind::logarithmic);
    QVERIFY(kindOf({5, 0.4, 3}) == Axis::Kind::logarithmic);
    QVERIFY(chartOf(withLosses({5, 0.4}), {{"scale", std::string("linear")}}).plots.at(0).y.kind == Axis::Kind::linear);
}

/// On a linear axis the lesser would lie on its foot, from the beginning on.
void tst_LossView::logarithmicWhereLossesBeginFarApart() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->jobs.push_back(workload->jobs[0]);
    workload->jobs.back().key = "other";
    const auto kindOf = [&](double one, double other) {
        auto log = std::make_shared<EventLog>();
        test::LogWriter w(*log);
        const auto last = static_cast<std::uint32_t>(workload->jobs.size() - 1);
        for (const double share : {1.0, 0.8}) {
            w.at(2 - share, EventType::lossEvaluated, 0, 0, 0, share * one);
            w.at(2 - share, EventType::lossEvaluated, last, 0, 0, share * other);
        }
        return chartOf(indexOf(workload, log)).plots.at(0).y.kind;
    };
    QVERIFY(kindOf(1, 25) == Axis::Kind::linear);
    QVERIFY(kindOf(1, 40) == Axis::Kind::logarithmic);
    QVERIFY(kindOf(40, 1) == Axis::Kind::logarithmic);
    QVERIFY(kindOf(-1, 40) == Axis::Kind::linear);
}

void tst_LossView::instantsOfUpdates() {
    const RunIndex run = sample();
    const LossSeries& losses = run.jobs()[0].losses;
    const Axis axis = chartOf(run, {{"against", std::string("updates")}}).plots.at(0).x;
    for (std::size_t i = 0; i < losses.size(); ++i)
        QVERIFY(std::abs(instantAt(axis, losses.update[i])->toSeconds() - losses.time[i]) < 1e-9);
}

/// 40 jobs: the twelve that ask for most work have colours; the selected one, which has none of its own, lies on top in its colour.
void tst_LossView::colouredJobsLieAbove() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    const Job one = workload->jobs[0];
    workload->jobs.clear();
    auto log = std::make_shared<EventLog>();
    for (std::uint32_t j = 0; j < 40; ++j) {
        workload->jobs.push_back(one);
        workload->jobs.back().key = "job-" + std::to_string(j);
        workload->jobs.back().stop.iterations = j < 12 ? 1000 : 10;
        for (int i = 1; i < 4; ++i)
            log->append({.time = SimTime::seconds(i), .type = EventType::lossEvaluated, .job = j, .value = 1.0 / i});
    }
    const RunIndex run = indexOf(workload, log);
    const auto series = chartOf(run, {}, JobId(20)).plots.at(0).series;
    QCOMPARE(series.size(), std::size_t{40});
    QVERIFY(series.front().role.kind == Role::Kind::ghost);
    QVERIFY(series[39].key == "job-20" && series[39].role == Role::of(JobId(20)));
    QVERIFY(series[38].key == "job-11" && series[38].role == Role::of(JobId(11)));
    // The legend names the coloured ones first; what it has no room for is counted.
    ViewRequest request{.run = run, .job = {}, .at = run.head(), .options = findView("loss")->options.complete({})};
    request.mostEntries = 3;
    const auto legend = findView("loss")->readings(request);
    QCOMPARE(legend.size(), std::size_t{40});
    QVERIFY(!legend[2].label.empty() && legend[3].label.empty());
    QCOMPARE(legend[0].ref.job, JobId(0));
    request.job = JobId(20); // it is read wherever it stands
    for (const LegendItem& item : findView("loss")->readings(request))
        if (item.ref.job == request.job) QVERIFY(!item.label.empty());
}

void tst_LossView::ofManyEachGetsFewerPoints() {
    std::vector<double> falling(5000);
    for (std::size_t i = 0; i < falling.size(); ++i) falling[i] = 1 + 1.0 / (1.0 + static_cast<double>(i));
    const RunIndex run = withLosses(falling);
    ViewRequest request{.run = run, .job = {}, .at = run.head(), .mostPoints = 4000, .mostPointsOfAll = 400};
    const auto points = [&] {
        return std::get<Chart>(wholePicture(*findView("loss"), request)).plots.at(0).series.at(0).size();
    };
    QVERIFY2(points() <= 404, qPrintable(QString::number(points())));
    request.mostPoints = request.mostPointsOfAll = static_cast<std::size_t>(-1);
    QCOMPARE(points(), falling.size());
}

/// Three losses fall from 4 to 2; another job's rise to 1e300. The first keep the axis, the other leaves it at a mark.
/// 700 losses, in parts and in one go.
void tst_LossView::partsMakeTheWhole() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->jobs.resize(700, workload->jobs.front());
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    for (std::uint32_t i = 0; i < 300; ++i)
        for (std::uint32_t j = 0; j < 700; ++j) w.at(i + 1.0, EventType::lossEvaluated, j, i, 0, 1.0 / (1 + i + j));
    const RunIndex run = indexOf(workload, log);
    ViewRequest request{.run = run, .job = {}, .at = run.head(), .mostPointsOfAll = 100'000};
    const Chart whole = std::get<Chart>(pictureNow(*findView("loss"), request).picture);
    request.inParts = true;
    Computation parts = pictureNow(*findView("loss"), request);
    int calls = 1;
    QVERIFY(parts.more && !parts.finish);
    while (!parts.more(parts.picture)) ++calls;
    QCOMPARE(calls, 3); // of 256
    QVERIFY(std::get<Chart>(parts.picture) == whole);
    QCOMPARE(whole.plots.at(0).series.size(), std::size_t{700});
}

void tst_LossView::divergingLossLeavesTheAxis() {
    const auto [workload, log] = test::DivergingRun();
    const RunIndex run = indexOf(workload, log);
    const Chart chart = chartOf(run);
    QCOMPARE(*chart.plots.at(0).y.to, 8.0);
    QVERIFY(chart.plots[0].annotations.size() == 1 && chart.plots[0].annotations[0].x == 1);
    QVERIFY(chart.legend.at(1).isAbove && !chart.legend.at(0).isAbove);
}

/// "Yet" is not said where no loss will ever come.
void tst_LossView::saysWhyItIsEmpty() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    const auto log = std::make_shared<EventLog>();
    QVERIFY(chartOf(indexOf(workload, log)).empty.english().find("yet") != std::string::npos);
    workload = std::make_shared<Workload>(*workload);
    for (Job& job : workload->jobs) job.work = GraphWork{};
    QVERIFY(chartOf(indexOf(workload, log)).empty.english().find("graph jobs") != std::string::npos);
}

void tst_LossView::ghostLiesBeneath() {
    const RunIndex now = withLosses({4, 3}), before = withLosses({9, 0.5});
    const Chart own = chartOf(now), other = chartOf(before);
    QVERIFY(own.plots.at(0).y.kind == Axis::Kind::linear && other.plots.at(0).y.kind == Axis::Kind::logarithmic);
    const Chart both = withGhost(own, other);
    const Plot& plot = both.plots.at(0);
    QCOMPARE(plot.series.size(), std::size_t{2});
    QVERIFY(plot.series[0].ghost && plot.series[0].dash == Dash::dashed &&
            plot.series[0].y == other.plots[0].series[0].y);
    QVERIFY(!plot.series[1].ghost && plot.series[1].y == own.plots[0].series[0].y);
    QVERIFY(plot.y.kind == Axis::Kind::logarithmic); // where one is, both are
    QCOMPARE(both.legend.size(), std::size_t{2});
    QVERIFY(!both.legend[0].ghost && both.legend[1].ghost && both.legend[0].label == both.legend[1].label);
    // Of one kind, the axis holds both.
    const Chart linear = withGhost(own, chartOf(withLosses({6, 5})));
    QVERIFY(*linear.plots[0].y.from <= 3 && *linear.plots[0].y.to >= 6);
    // What is drawn otherwise is left out.
    Chart bars = other;
    bars.plots[0].series[0].kind = Series::Kind::bars;
    QCOMPARE(withGhost(own, bars).plots[0].series.size(), std::size_t{1});
}

TRAINYARD_TEST(tst_LossView)
#include "tst_LossView.moc"
