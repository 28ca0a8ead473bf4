// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Qualities of keyed models over time: the view, the fold behind it and the metric, against the events of runs and a log written by
// hand; and what else is shown of a job that trains a model.
#include "analysis/KeyReason.h"
#include "analysis/QualityCourse.h"
#include "analysis/View.h"
#include "learning/KeyRanks.h"
#include "record/Events.h"
#include "record/Metrics.h"
#include "support/IndexedRun.h"
#include "support/KeyedTasks.h"
#include "support/TestMain.h"

#include <cmath>
#include <numeric>

using namespace trainyard;
using namespace trainyard::test;

class tst_ModelQuality : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void curvesAreTheEvents();
    void aPlotForEachQuality();
    void whereThereIsNothing();
    void interruptionsPartTheLine();
    void timeToAQuality();
    void lossesAreShown();
    void ranksAreThoseOfTheModel();
    void replicasAndMoves();
};

namespace {

RunIndex indexOf(Scenario scenario) {
    RunIndex run(sourceOfRun(std::move(scenario)));
    run.update();
    return run;
}

Chart chartOf(const RunIndex& run, const char* view, ParamValues options = {}) {
    return std::get<Chart>(
        wholePicture(*findView(view), {.run = run, .job = JobId(0), .at = run.head(), .options = std::move(options)}));
}

std::vector<double> valuesOf(const std::vector<Event>& events) {
    std::vector<double> out;
    for (const Event& event : events) out.push_back(event.value);
    return out;
}

/// A job of factorization, whose rmse is 5, 3 after one and two epochs, and 4, 2 after two and three once more.
RunSource interruptedRun() {
    const Scenario scenario = taskScenario(smallMatrixTask(), 1, 4);
    const auto workload = withKeyedModels(scenario, expandWorkload(scenario, 1), 1).value();
    const auto examples = workload->jobs[0].keyedAccess()->model->examples();
    EventLog log;
    const auto at = [&](double seconds, Event event) {
        event.time = SimTime::seconds(seconds);
        log.append(event);
    };
    const JobId job(0);
    at(1, events::jobArrived(job));
    at(3, events::qualityEvaluated(job, 0, examples, 5));
    at(4, events::qualityEvaluated(job, 0, 2 * examples, 3));
    at(5, {.type = EventType::jobPreempted, .job = 0, .a = examples, .b = examples});
    at(6, events::qualityEvaluated(job, 0, 2 * examples, 4));
    at(8, events::qualityEvaluated(job, 0, 3 * examples, 2));
    return {.scenario = std::make_shared<const Scenario>(scenario),
            .seed = 1,
            .workload = workload,
            .log = std::make_shared<const EventLog>(std::move(log)),
            .explanations = std::make_shared<const ExplanationLog>()};
}

} // namespace

void tst_ModelQuality::curvesAreTheEvents() {
    const RunIndex run = indexOf(taskScenario(smallMatrixTask(), 2, 4));
    const auto events = eventsOf(*run.source().log, EventType::qualityEvaluated);
    QCOMPARE(events.size(), std::size_t{4});
    const Chart chart = chartOf(run, "model-quality");
    QCOMPARE(chart.plots.size(), std::size_t{1});
    QVERIFY(chart.plots[0].x.kind == Axis::Kind::time); // it can be a lane
    const Series& line = chart.plots[0].series.at(0);
    QCOMPARE(line.y, valuesOf(events));
    for (std::size_t n = 0; n < events.size(); ++n) QCOMPARE(line.x[n], events[n].time.toSeconds());
    QCOMPARE(chart.legend.at(0).value->value, events.back().value);
    const auto metrics = computeMetrics(run.workload(), *run.source().log, run.head());
    QCOMPARE(metrics.values.at("final_rmse"), events.back().value);
    QCOMPARE(metrics.jobs[0].at("final_rmse"), events.back().value);
    QVERIFY(events.back().value < 0.9 * events.front().value); // it learns
    const Chart byEpoch = chartOf(run, "model-quality", {{"against", std::string("epochs")}});
    QCOMPARE(byEpoch.plots[0].series.at(0).x, (std::vector<double>{1, 2, 3, 4}));
    QCOMPARE(byEpoch.plots[0].series.at(0).y, valuesOf(events));
}

void tst_ModelQuality::aPlotForEachQuality() {
    Scenario scenario = taskScenario(smallGraphTask(), 2, 2);
    scenario.jobs.push_back(scenario.jobs[0]);
    scenario.jobs[1].key = "l";
    accessOf(scenario, 1).task = smallMatrixTask();
    for (auto& machine : scenario.cluster.machines) machine.capacity = ResourceVector::of({2});
    const RunIndex run = indexOf(std::move(scenario));
    const Chart all = chartOf(run, "model-quality");
    QCOMPARE(all.plots.size(), std::size_t{3});
    std::vector<std::string> keys;
    for (const Plot& plot : all.plots) keys.push_back(plot.y.key);
    QCOMPARE(keys, (std::vector<std::string>{"mrr", "hits_at_10", "rmse"}));
    QCOMPARE(all.plots[2].series.at(0).role, Role::of(JobId(1)));
    const Chart one = chartOf(run, "model-quality", {{"quality", std::string("hits_at_10")}});
    QCOMPARE(one.plots.size(), std::size_t{1});
    QCOMPARE(one.plots[0].series.at(0).y, all.plots[1].series.at(0).y);
    const auto metrics = computeMetrics(run.workload(), *run.source().log, run.head());
    QCOMPARE(metrics.values.at("final_mrr"), all.plots[0].series.at(0).y.back());
    QVERIFY(!metrics.jobs[0].contains("final_rmse"));
    const auto definitions = metricDefinitionsFor(run.workload());
    for (const char* id : {"final_mrr", "final_hits_at_10", "final_rmse"})
        QCOMPARE(std::ranges::count(definitions, id, &MetricDefinition::id), 1);
    QCOMPARE(std::ranges::count(definitions, "final_QUALITY", &MetricDefinition::id), 0);
}

void tst_ModelQuality::whereThereIsNothing() {
    const RunIndex drawn = indexOf(keyedScenario(2, 1, 500, {"static", {}}));
    QVERIFY(!chartOf(drawn, "model-quality").empty.pattern.empty());
    const View& view = *findView("model-quality");
    QVERIFY(!view.concerns(drawn, {}) && !view.concerns(drawn, JobId(0)));
    Scenario scenario = taskScenario(smallMatrixTask(), 2, 4);
    scenario.horizonSeconds = 1e-3; // before the first evaluation
    const RunIndex early = indexOf(std::move(scenario));
    QVERIFY(view.concerns(early, JobId(0)));
    QVERIFY(!chartOf(early, "model-quality").empty.pattern.empty());
}

void tst_ModelQuality::interruptionsPartTheLine() {
    RunIndex run(interruptedRun());
    run.update();
    const Series line = chartOf(run, "model-quality").plots[0].series.at(0);
    QCOMPARE(line.x, (std::vector<double>{3, 4, 6, 6, 8}));
    QVERIFY(std::isnan(line.y[2]));
    QCOMPARE(line.y[3], 4.0);
    const Series kept = chartOf(run, "model-quality", {{"against", std::string("epochs")}}).plots[0].series.at(0);
    QCOMPARE(kept.x, (std::vector<double>{1, 2, 3}));
    QCOMPARE(kept.y, (std::vector<double>{5, 4, 2})); // the 3 was lost
}

void tst_ModelQuality::timeToAQuality() {
    RunIndex run(interruptedRun());
    run.update();
    const QualityCourse& course = run.fold<QualityCourse>();
    QCOMPARE(course.secondsTo(JobId(0), "rmse", 3.5),
             std::optional(3.75 - 1)); // from 5 at 3 s to 3 at 4 s; since arrival
    QCOMPARE(course.secondsTo(JobId(0), "rmse", 2), std::optional(8.0 - 1));
    QCOMPARE(course.secondsTo(JobId(0), "rmse", 1.9), std::optional<double>());
    QCOMPARE(course.secondsTo(JobId(0), "mrr", 0), std::optional<double>());
    const RunIndex graph = indexOf(taskScenario(smallGraphTask(), 2, 3));
    const auto& points = *graph.fold<QualityCourse>().of(JobId(0), 0);
    QVERIFY(points.values[2] > points.values[0]);
    QCOMPARE(graph.fold<QualityCourse>().secondsTo(JobId(0), "mrr", points.values[2]),
             std::optional(points.seconds[2]));
}

void tst_ModelQuality::lossesAreShown() {
    const RunIndex run = indexOf(taskScenario(smallGraphTask(), 2, 3));
    const auto losses = valuesOf(eventsOf(*run.source().log, EventType::lossEvaluated));
    QCOMPARE(losses.size(), std::size_t{3});
    QCOMPARE(chartOf(run, "loss").plots[0].series.at(0).y, losses);
}

// Shares are how often the model reads keys, not those of the power law that keys are drawn by elsewhere.
void tst_ModelQuality::ranksAreThoseOfTheModel() {
    const RunIndex run = indexOf(taskScenario(smallGraphTask(), 2, 1));
    const auto frequencies = run.workload().jobs[0].keyedAccess()->model->accesses();
    const double all = std::accumulate(frequencies.begin(), frequencies.end(), 0.0);
    double shares = 0, before = 1;
    for (std::uint64_t rank = 1; rank <= frequencies.size(); ++rank) {
        const auto why = keyReason(run, JobId(0), rank, run.head());
        QVERIFY(why && why->key);
        QVERIFY(std::abs(why->share - frequencies[*why->key] / all) < 1e-9);
        QVERIFY(why->share <= before + 1e-12);
        before = why->share;
        shares += why->share;
    }
    QVERIFY(std::abs(shares - 1) < 1e-9);
    QVERIFY(!keyReason(run, JobId(0), frequencies.size() + 1, run.head()));
    const auto map =
        std::get<Diagram>(wholePicture(*findView("key-map"), {.run = run, .job = JobId(0), .at = run.head()}));
    const auto frame = std::ranges::find(map.nodes, "frequent", &Node::id);
    double first = 0; // of 99 keys
    for (std::uint64_t rank = 1; rank <= 99; ++rank) first += keyReason(run, JobId(0), rank, run.head())->share;
    QVERIFY(std::abs(std::stod(frame->label.arguments.at(1)) - 100 * first) < 0.1);
}

void tst_ModelQuality::replicasAndMoves() {
    const Choice nups{"nups", {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{7}}}};
    const RunIndex run = indexOf(taskScenario(smallGraphTask(), 3, 1, nups));
    const Chart chart = chartOf(run, "key-techniques");
    const auto metrics = computeMetrics(run.workload(), *run.source().log, run.head()).values;
    for (const double replicas : chart.plots.at(0).series.at(0).y) QCOMPARE(replicas, 7.0);
    const auto& age = chart.plots.at(2).series.at(0).y;
    QVERIFY(std::ranges::any_of(age, [](double v) { return v > 0.04; })); // rounds are 40 ms apart
    // Where no copy was replaced, none has an age.
    QVERIFY(std::isnan(age.front()) && std::ranges::none_of(age, [](double v) { return v == 0; }));
    const Series& moves = chart.plots.at(1).series.at(0);
    double moved = 0;
    for (std::size_t n = 0; n < moves.y.size(); ++n) moved += moves.y[n] * (moves.x[n + 1] - moves.x[n]);
    QVERIFY(metrics.at("relocations") > 0);
    QVERIFY(std::abs(moved / metrics.at("relocations") - 1) < 1e-9);
    QCOMPARE(chart.legend.at(2).value->value, metrics.at("relocations"));
    // Ages: one refresh of each replica at each machine and round but the first; none younger than a round is apart.
    const Chart ages = chartOf(run, "copy-ages");
    const Series& shares = ages.plots.at(0).series.at(0);
    QVERIFY(std::abs(std::accumulate(shares.y.begin(), shares.y.end(), 0.0) - 1) < 1e-12);
    QVERIFY(std::abs(ages.legend.at(1).value->value - metrics.at("copy_age_s")) < 1e-12);
    // Steps from edge to edge of bars, so that the axis' numbers are ages, not names of bars.
    QVERIFY(ages.plots.at(0).x.kind == Axis::Kind::logarithmic);
    QCOMPARE(shares.x.size(), shares.y.size() + 1);
    QVERIFY(std::abs(shares.x.at(1) - std::pow(10, -1.5)) < 1e-12);
    // What was sampled: at the end what the metric says.
    const Chart sampled = chartOf(run, "sample-dispersion");
    QCOMPARE(sampled.plots.at(0).series.at(0).y.back(), metrics.at("sample_dispersion"));
    QVERIFY(metrics.at("sample_dispersion") > 0.5);
    const Chart still = chartOf(indexOf(taskScenario(smallGraphTask(), 3, 1, {"static", {}})), "key-techniques");
    QCOMPARE(std::ranges::max(still.plots.at(0).series.at(0).y), 0.0);
    QCOMPARE(std::ranges::max(still.plots.at(1).series.at(0).y), 0.0);
}

TRAINYARD_TEST(tst_ModelQuality)
#include "tst_ModelQuality.moc"
