// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Views of keyed jobs: their numbers against the events and the metrics of the run.
#include "analysis/KeyedCourse.h"
#include "analysis/View.h"
#include "record/Metrics.h"
#include "support/IndexedRun.h"
#include "support/KeyedLoop.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace trainyard;
using namespace trainyard::test;

class tst_KeyViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void messagesAddUp();
    void sharesOfReads();
    void shortIntervalsAreNoSpikes();
    void finishedWorkersDivideNoInterval();
    void busiestIsTheMetric();
    void gradientsAreOfOtherJobs();
    void everyRoundIsNoted();
    void aRelocationHasThreeMessages();
    void oneMoveAtATime();
    void whatTheAxisCannotHoldIsSaid();
    void loadsHaveAScale();
    void roundsAreOneSeries();
};

namespace {

RunIndex indexOf(Choice policy, int machines, std::vector<double> watched = {}) {
    Scenario scenario = keyedScenario(machines, 1, 2000, std::move(policy));
    accessOf(scenario).keys = 2000;
    accessOf(scenario).valuesPerKey = 4;
    accessOf(scenario).watchedRanks = std::move(watched);
    RunIndex run(sourceOfRun(std::move(scenario)));
    run.update();
    return run;
}

Picture pictureOf(const RunIndex& run, const char* view) {
    return wholePicture(*findView(view), {.run = run, .job = JobId(0), .at = run.head()});
}

} // namespace

void tst_KeyViews::messagesAddUp() {
    const RunIndex run = indexOf({"static", {}}, 4);
    const auto metrics = computeMetrics(run.workload(), *run.source().log, run.head()).values;
    double iterations = 0, messages = 0;
    for (const auto& interval : run.fold<KeyedCourse>().intervals(JobId(0))) {
        iterations += interval.iterations;
        messages += std::accumulate(interval.messages.begin(), interval.messages.end(), 0.0);
        QVERIFY(interval.from <= interval.to);
    }
    QCOMPARE(iterations, metrics.at("updates"));
    QCOMPARE(messages, metrics.at("messages"));
    const Chart chart = std::get<Chart>(pictureOf(run, "key-messages"));
    QCOMPARE(chart.plots.at(0).series.size(), std::size_t{4}); // requests, answers, pushes, their answers
    double sum = 0;
    for (const LegendItem& item : chart.legend) sum += item.value->value;
    QVERIFY(std::abs(sum - 2 * messages / iterations) < 1e-9); // all of them, and each kind
    QVERIFY(std::abs(chart.legend.at(0).value->value - messages / iterations) < 1e-9);
}

void tst_KeyViews::sharesOfReads() {
    const RunIndex run = indexOf({"static", {}}, 4);
    const auto metrics = computeMetrics(run.workload(), *run.source().log, run.head()).values;
    const Chart chart = std::get<Chart>(pictureOf(run, "key-accesses"));
    const auto& series = chart.plots.at(0).series;
    for (std::size_t i = 0; i < series[0].y.size(); ++i) {
        const double all = series[0].y[i] + series[1].y[i] + series[2].y[i];
        QVERIFY(std::isnan(all) || std::abs(all - 100) < 1e-9);
    }
    QVERIFY(std::abs(chart.legend.at(1).value->value - 100 * metrics.at("remote_pulls") / metrics.at("updates")) <
            1e-9);
    const Chart other = std::get<Chart>(pictureOf(indexOf({"nups", {{"times_mean", 1e-3}}}, 3), "key-accesses"));
    QCOMPARE(other.legend.at(0).value->value, 100.0); // all keys have replicas
}

/// Curves are of intervals of some length, which count what the logged ones count.
void tst_KeyViews::shortIntervalsAreNoSpikes() {
    const RunIndex run = indexOf({"relocating", {}}, 4);
    const auto& course = run.fold<KeyedCourse>();
    const auto& all = course.intervals(JobId(0));
    const auto merged = course.merged(JobId(0));
    const double least = (all.back().to - all.front().from) / 128;
    QVERIFY(std::ranges::any_of(all,
                                [&](const auto& i) { return i.to - i.from < 0.99 * least; })); // else nothing is tested
    QVERIFY(merged.size() > 2 && merged.size() < all.size());
    QCOMPARE(merged.front().from, all.front().from);
    QCOMPARE(merged.back().to, all.back().to);
    const auto sums = [](const std::vector<KeyedCourse::Interval>& intervals) {
        std::array<double, 5> sum{};
        for (const auto& i : intervals) {
            sum[0] += i.iterations;
            sum[1] += i.relocated;
            sum[2] += std::accumulate(i.pulls.begin(), i.pulls.end(), 0.0);
            sum[3] += std::accumulate(i.messages.begin(), i.messages.end(), 0.0);
            sum[4] += i.server.empty() ? 0 : i.server[0] * (i.to - i.from);
        }
        return sum;
    };
    const auto is = sums(merged), wanted = sums(all);
    for (std::size_t k = 0; k < is.size(); ++k) QVERIFY(std::abs(is[k] - wanted[k]) < 1e-9 * (1 + wanted[k]));
    for (std::size_t i = 0; i < merged.size(); ++i) {
        QVERIFY(merged[i].to - merged[i].from > 0.99 * least);
        QVERIFY(i == 0 || merged[i].from == merged[i - 1].to);
    }
}

/// The number of replicas does not change, nor do workers that finish within an interval divide it.
void tst_KeyViews::finishedWorkersDivideNoInterval() {
    const RunIndex run = indexOf(
        {"nups", {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{30}}, {"syncs_per_second", 25.0}}},
        4);
    const auto& intervals = run.fold<KeyedCourse>().intervals(JobId(0));
    QVERIFY(intervals.size() > 3);
    for (const auto& interval : intervals) {
        QCOMPARE(interval.copiesAt.size(), std::size_t{4});
        for (const double copies : interval.copiesAt) QVERIFY(std::abs(copies - 30) < 1e-6);
    }
}

/// The view's number is the metric, though messages and replicas take longer than the workers.
void tst_KeyViews::busiestIsTheMetric() {
    for (const char* policy : {"static", "relocating", "nups"}) {
        const RunIndex run = indexOf({policy, {}}, 4);
        const auto metrics = computeMetrics(run.workload(), *run.source().log, run.head()).values;
        const double most =
            std::max({metrics.at("server_thread_use"), metrics.at("sending_use"), metrics.at("receiving_use")});
        const Chart chart = std::get<Chart>(pictureOf(run, "key-load"));
        const auto item = std::ranges::find_if(
            chart.legend, [](const LegendItem& i) { return i.label.english() == "busiest overall"; });
        QVERIFY(item != chart.legend.end());
        QCOMPARE(item->text.arguments.at(1), quantityText(100 * most, "%"));
    }
}

/// What is told of gradients that updates wait for, and of losses, is not offered where no job has any.
void tst_KeyViews::gradientsAreOfOtherJobs() {
    const RunIndex run = indexOf({"static", {}}, 4);
    for (const char* view : {"iteration", "k-and-load", "updates-per-second", "response-times", "best-k", "staleness",
                             "participation", "loss"})
        QVERIFY2(!findView(view)->concerns(run, JobId(0)), view);
    const Chart none = std::get<Chart>(pictureOf(run, "iteration"));
    QVERIFY(none.empty.english().find("keyed job") != std::string::npos && !none.stops);
    const Chart workers = std::get<Chart>(pictureOf(run, "workers"));
    QCOMPARE(workers.plots.at(0).series.size(), std::size_t{1}); // placed: when they compute is not logged
}

/// What is noted of more rounds than can be told apart is drawn all the same.
void tst_KeyViews::everyRoundIsNoted() {
    const RunIndex run = indexOf(
        {"nups",
         {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{100}}, {"syncs_per_second", 1000.0}}},
        4);
    const std::size_t notes = eventsOf(*run.source().log, EventType::note).size();
    QVERIFY2(notes > 8, std::to_string(notes).c_str());
    const Chart chart = std::get<Chart>(pictureOf(run, "noted"));
    std::size_t points = 0;
    for (const Series& series : chart.plots.at(0).series) points += series.x.size();
    QCOMPARE(chart.plots.size(), std::size_t{1});
    QCOMPARE(points, notes);
}

void tst_KeyViews::aRelocationHasThreeMessages() {
    const RunIndex run = indexOf({"relocating", {}}, 4, {30});
    const auto log = eventsOf(*run.source().log, EventType::keyMessage);
    QVERIFY(!log.empty());
    QVERIFY(std::ranges::all_of(log, [&](const Event& e) { return e.a == log[0].a && e.value >= 80e-6; }));
    const Diagram diagram = std::get<Diagram>(pictureOf(run, "key-relocation"));
    QVERIFY(diagram.edges.size() >= 2);
    QCOMPARE(diagram.edges.front().label.pattern, std::string("localize"));
    QCOMPARE(diagram.edges.back().label.pattern, std::string("transfer"));
    const Diagram none = std::get<Diagram>(pictureOf(indexOf({"static", {}}, 4, {30}), "key-relocation"));
    QVERIFY(!none.empty.pattern.empty() && none.nodes.empty());
}

/// At whatever instant: one request, at most one hand over, one transfer, which is the last and to who asked; with the key's rank and
/// times from the request on.
void tst_KeyViews::oneMoveAtATime() {
    const RunIndex run = indexOf({"relocating", {}}, 4, {1, 30});
    std::size_t complete = 0;
    for (int i = 1; i <= 50; ++i) {
        const SimTime at = SimTime::seconds(run.head().toSeconds() * i / 50);
        const Diagram diagram =
            std::get<Diagram>(wholePicture(*findView("key-relocation"), {.run = run, .job = JobId(0), .at = at}));
        const auto times = [&](const char* name) {
            return std::ranges::count_if(diagram.edges, [&](const Edge& e) { return e.label.pattern == name; });
        };
        QCOMPARE(times("localize"), 1);
        QVERIFY(times("hand over") <= 1 && times("transfer") <= 1);
        QVERIFY(std::ranges::is_sorted(diagram.edges, {}, [](const Edge& e) { return e.ref.at; }));
        if (times("transfer") == 1) {
            ++complete;
            QCOMPARE(diagram.edges.back().label.pattern, std::string("transfer"));
            const double asked = diagram.nodes[diagram.edges.front().from].y,
                         got = diagram.nodes[diagram.edges.back().to].y;
            QCOMPARE(asked, got);
        }
        const std::string key = diagram.legend.at(0).text.english();
        QVERIFY2(key.ends_with(", rank 1") || key.ends_with(", rank 30"), key.c_str());
        QCOMPARE(diagram.legend.size(), 3 + diagram.edges.size());
        QVERIFY(diagram.legend.at(3).text.english().starts_with("0 s – "));
    }
    QVERIFY(complete > 40);
    const Diagram unwatched = std::get<Diagram>(pictureOf(indexOf({"relocating", {}}, 4), "key-relocation"));
    QVERIFY(unwatched.empty.english().starts_with("No key of this job is watched"));
    QVERIFY(unwatched.empty.english().find('_') == std::string::npos);
}

/// In the first interval keys come that are used later: what is too high for the axis is told where it leaves the plot.
void tst_KeyViews::whatTheAxisCannotHoldIsSaid() {
    const RunIndex run = indexOf({"relocating", {}}, 4);
    const Chart chart = std::get<Chart>(pictureOf(run, "key-messages"));
    const Plot& plot = chart.plots.at(0);
    std::size_t above = 0;
    for (const Series& line : plot.series)
        for (const double y : line.y) {
            if (!(y > *plot.y.to)) continue;
            ++above;
            QCOMPARE(plot.annotations.size(), std::size_t{1});
            QVERIFY(plot.annotations[0].text.english().find(line.label.english() + " " + quantityText(y)) !=
                    std::string::npos);
        }
    QVERIFY(above > 0); // else nothing is tested
}

void tst_KeyViews::loadsHaveAScale() {
    const Chart chart = std::get<Chart>(pictureOf(indexOf({"static", {}}, 4), "key-load"));
    std::vector<double> scale;
    for (const LegendItem& item : chart.legend)
        if (item.swatch == LegendItem::Swatch::cell) scale.push_back(item.scaled.value_or(-1));
    QCOMPARE(scale, (std::vector<double>{0, 50, 100}));
}

/// Each round is noted once: points of a few rounds have one colour.
void tst_KeyViews::roundsAreOneSeries() {
    const RunIndex run = indexOf(
        {"nups",
         {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{100}}, {"syncs_per_second", 100.0}}},
        4);
    const std::size_t notes = eventsOf(*run.source().log, EventType::note).size();
    QVERIFY2(notes > 1 && notes <= 8, std::to_string(notes).c_str());
    const Chart chart = std::get<Chart>(pictureOf(run, "noted"));
    QCOMPARE(chart.plots.at(0).series.size(), std::size_t{1});
    QCOMPARE(chart.plots[0].series[0].y.size(), notes);
    const Chart none = std::get<Chart>(pictureOf(indexOf({"static", {}}, 4), "noted"));
    QVERIFY(!none.empty.empty() && !none.meaning.empty());
}

TRAINYARD_TEST(tst_KeyViews)
#include "tst_KeyViews.moc"
