// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is followed over time (losses, utilization, queue, workers, machines, links, metrics), against the log and the state that is
// folded from it; and what is seen of a part of the time.
#include "analysis/EntityHistory.h"
#include "analysis/View.h"
#include "analysis/views/ViewParts.h"
#include "base/Random.h"
#include "record/ClusterState.h"
#include "record/Metrics.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>
#include <set>

using namespace trainyard;

class tst_CourseViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void lossesAreThoseOfTheLog();
    void curvesAreThoseOfTheState();
    void readingsAreThoseOfTheLegend();
    void metricIsThatOfTheRunCutOff();
    void partsAreSeenClosely();
    void shortBurstsAreNotDrawnAsLoad();
    void curvesOfStepsKeepTheirMeans();
    void unknownNamesAreSaid();
    void resourcesLookUnlike();
    void longLogsAreFoldedInPieces();
};

namespace {

/// Four machines, for which four jobs wait.
RunIndex indexed() {
    Scenario scenario = test::starScenario(4);
    scenario.cluster.machines[2].straggler.persistentFactor = 3;
    for (const char* key : {"t", "a", "u", "b"}) {
        scenario.jobs.push_back(scenario.jobs.size() % 2 == 0 ? test::trainedJob() : test::analyticJob());
        scenario.jobs.back().key = key;
        scenario.jobs.back().arrival = SimTime::seconds(0.1 * static_cast<double>(scenario.jobs.size()));
    }
    return RunIndex(test::sourceOfRun(std::move(scenario)));
}

Chart chartOf(const RunIndex& run, const char* view, ViewRequest request) {
    (void)run;
    request.mostPoints = request.mostPoints == 4000 ? static_cast<std::size_t>(-1) : request.mostPoints;
    return std::get<Chart>(wholePicture(*findView(view), request));
}

/// What a series of steps holds at an instant; 0 before the first.
double stepAt(const Series& series, double seconds) {
    double value = 0;
    for (std::size_t i = 0; i < series.y.size() && series.x[i] <= seconds; ++i) value = series.y[i];
    return value;
}

const Series& seriesOf(const Chart& chart, const std::string& key) {
    for (const Plot& plot : chart.plots)
        for (const Series& series : plot.series)
            if (series.key == key) return series;
    static const Series none;
    return none;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

} // namespace

void tst_CourseViews::lossesAreThoseOfTheLog() {
    RunIndex run = indexed();
    run.update();
    const Chart chart = chartOf(run, "loss", {.run = run, .job = {}, .at = run.head()});
    std::size_t points = 0;
    for (std::size_t j = 0; j < run.jobs().size(); ++j) {
        std::vector<double> times, losses;
        for (std::size_t i = 0; i < run.source().log->size(); ++i)
            if (const Event& e = (*run.source().log)[i]; e.type == EventType::lossEvaluated && e.job == j) {
                times.push_back(e.time.toSeconds());
                losses.push_back(e.value);
            }
        if (losses.empty()) continue;
        const Series& series = seriesOf(chart, run.workload().jobs[j].key);
        QCOMPARE(series.x, times);
        QCOMPARE(series.y, losses);
        points += losses.size();
    }
    QVERIFY(points > 20);
    const Chart updates = chartOf(
        run, "loss",
        {.run = run, .job = {}, .at = run.head(), .options = {{"against", "updates"}, {"scale", "logarithmic"}}});
    QVERIFY(updates.plots[0].x.key == "update" && updates.plots[0].y.kind == Axis::Kind::logarithmic);
}

void tst_CourseViews::curvesAreThoseOfTheState() {
    RunIndex run = indexed();
    run.update();
    const Workload& workload = run.workload();
    const JobId job = run.jobWithWorkers({});
    const ViewRequest request{.run = run, .job = job, .at = run.head()};
    const Chart utilization = chartOf(run, "utilization", request), queue = chartOf(run, "queue", request),
                workers = chartOf(run, "workers", request), machine = chartOf(run, "machine", request),
                link = chartOf(run, "link", request);
    const ResourceVector total = workload.cluster.totalCapacity();
    const std::string cpu = workload.cluster.resourceNames[0];
    const Link& first = workload.cluster.links.at(0);
    ClusterState state(run.source().workload);
    std::size_t looked = 0, loaded = 0;
    const EventLog& log = *run.source().log;
    for (std::size_t i = 0; i < log.size(); ++i) {
        state.apply(log[i]);
        if (i + 1 < log.size() && log[i + 1].time == log[i].time) continue;
        const double at = state.now().toSeconds();
        double free = 0;
        for (const MachineState& m : state.machines()) free += m.free.amount(0);
        QVERIFY(near(stepAt(seriesOf(utilization, cpu + " allocated"), at), 100 * (1 - free / total.amount(0))));
        QCOMPARE(stepAt(seriesOf(queue, "waiting"), at), static_cast<double>(state.jobsIn(JobPhase::waiting).size()));
        QCOMPARE(stepAt(seriesOf(queue, "running"), at), static_cast<double>(state.jobsIn(JobPhase::running).size()));
        double computing = 0;
        for (std::size_t w = 0; w < state.job(job).workers.size(); ++w)
            computing += state.job(job).placement.workers[w].valid() &&
                         state.job(job).workers[w].phase == WorkerPhase::computing;
        QCOMPARE(stepAt(seriesOf(workers, "placed workers"), at), static_cast<double>(state.job(job).placedWorkers));
        QCOMPARE(stepAt(seriesOf(workers, "computing workers"), at), computing);
        const double capacity = workload.cluster.machines[0].capacity.amount(0);
        QVERIFY(near(stepAt(seriesOf(machine, cpu), at), 100 * (1 - state.machines()[0].free.amount(0) / capacity)));
        const double load = 100 * state.linkLoads()[0] / first.bandwidth;
        QVERIFY(near(stepAt(seriesOf(link, "to " + first.to), at), load));
        loaded += load > 0;
        ++looked;
    }
    QVERIFY(looked > 50 && loaded > 0);
}

/// In every view, and in both views alike.
void tst_CourseViews::resourcesLookUnlike() {
    for (std::size_t k = 0; k < 6; ++k)
        for (std::size_t other = 0; other < k; ++other) QVERIFY(!(resourceRole(k) == resourceRole(other)));
    Scenario scenario = test::starScenario(4);
    Cluster& cluster = scenario.cluster;
    while (cluster.resourceNames.size() < 3)
        cluster.resourceNames.push_back("extra-" + std::to_string(cluster.resourceNames.size()));
    scenario.jobs = {test::trainedJob()};
    for (std::size_t r = 1; r < 3; ++r) {
        for (Machine& machine : cluster.machines) machine.capacity.set(r, 8);
        scenario.jobs.front().workerDemand.set(r, 1);
    }
    RunIndex run(test::sourceOfRun(std::move(scenario)));
    run.update();
    const Chart machine = chartOf(run, "machine", {.run = run, .job = run.jobWithWorkers({}), .at = run.head()});
    const auto& series = machine.plots.at(0).series;
    QVERIFY(series.size() >= 3);
    QVERIFY(!(series[0].role == series[1].role) && !(series[1].role == series[2].role));
    QVERIFY2(!(series[0].role == series[2].role), "the third resource looks like the first");
}

/// A legend that is asked for on its own, as folded lanes do with every frame.
void tst_CourseViews::readingsAreThoseOfTheLegend() {
    RunIndex run = indexed();
    run.update();
    const auto inWords = [](const std::vector<LegendItem>& legend) {
        std::string words;
        for (const LegendItem& item : legend)
            words += item.label.english() + (item.value ? " " + std::to_string(item.value->value) : "") + "; ";
        return words;
    };
    std::set<std::string> different;
    int shown = 0;
    for (const View& view : views()) {
        if (!view.readings) continue;
        ++shown;
        for (int i = 0; i <= 20; ++i)
            for (const bool wholeRun : {false, true}) {
                ViewRequest request{.run = run,
                                    .at = SimTime::seconds(run.head().toSeconds() * i / 20),
                                    .options = view.options.complete({}),
                                    .wholeRun = wholeRun};
                const std::string legend = inWords(std::get<Chart>(wholePicture(view, request)).legend);
                QCOMPARE(inWords(view.readings(request)), legend);
                different.insert(legend);
            }
    }
    QVERIFY(shown >= 3 && different.size() > 20);
}

void tst_CourseViews::metricIsThatOfTheRunCutOff() {
    RunIndex run = indexed();
    run.update();
    const EventLog& log = *run.source().log;
    const JobId job = run.jobWithWorkers({});
    for (const bool ofJob : {false, true}) {
        const Chart chart = chartOf(
            run, "metric",
            {.run = run, .job = job, .at = run.head(), .options = {{"metric", "straggler_wait_s"}, {"of_job", ofJob}}});
        const Series& series = chart.plots.at(0).series.at(0);
        QVERIFY(series.x.size() > 10);
        for (const double share : {0.2, 0.5, 1.0}) {
            const std::size_t i = static_cast<std::size_t>(share * static_cast<double>(series.x.size() - 1));
            const SimTime at = SimTime::seconds(series.x[i]);
            EventLog before, part; // without and with what happens at that instant
            for (std::size_t k = 0; k < log.size() && log[k].time <= at; ++k) {
                if (log[k].time < at) before.append(log[k]);
                part.append(log[k]);
            }
            const auto valueOf = [&](const EventLog& of) {
                const Metrics metrics = computeMetrics(run.workload(), of, at);
                return (ofJob ? metrics.jobs[job.index()] : metrics.values).at("straggler_wait_s");
            };
            QVERIFY(near(series.y[i], valueOf(part)) || near(series.y[i], valueOf(before)));
        }
    }
}

// Of a hundredth of the time as many points are shown as of the whole; too many steps become their means.
void tst_CourseViews::partsAreSeenClosely() {
    RunIndex run = indexed();
    run.update();
    const double end = run.head().toSeconds();
    const std::string cpu = run.workload().cluster.resourceNames[0] + " busy";
    const Chart whole = chartOf(run, "utilization", {.run = run, .job = {}, .at = run.head()});
    const Series& all = seriesOf(whole, cpu);
    const double from = 0.5 * end, to = 0.51 * end;
    const Chart part = chartOf(run, "utilization",
                               {.run = run, .job = {}, .at = run.head(), .mostPoints = 40, .from = from, .to = to});
    const Series& seen = seriesOf(part, cpu);
    QVERIFY(seen.y.size() <= 40 && !seen.y.empty());
    const double closer = from + 1e-4 * (to - from);
    const Chart spot = chartOf(run, "utilization",
                               {.run = run, .job = {}, .at = run.head(), .mostPoints = 40, .from = from, .to = closer});
    for (double at = from; at < closer; at += (closer - from) / 17)
        QCOMPARE(stepAt(seriesOf(spot, cpu), at), stepAt(all, at));
    const Chart few = chartOf(run, "utilization", {.run = run, .job = {}, .at = run.head(), .mostPoints = 40});
    const Series& means = seriesOf(few, cpu);
    QVERIFY(all.y.size() > 200);
    QVERIFY(means.y.size() <= 40);
    const auto integral = [&](const Series& series) {
        double sum = 0;
        for (std::size_t i = 0; i < series.y.size(); ++i) sum += series.y[i] * (series.x[i + 1] - series.x[i]);
        return sum;
    };
    QVERIFY(std::abs(integral(means) - integral(all)) <= 1e-9 * integral(all));
}

// A link that is busy for a moment in each of many short spans is drawn as busy as it is, though there are points enough for all.
void tst_CourseViews::shortBurstsAreNotDrawnAsLoad() {
    const auto log = std::make_shared<EventLog>();
    const auto workload = expandWorkload(test::starScenario(4), 1);
    constexpr int bursts = 1500; // a millisecond apart, of a thousandth of it
    for (int i = 0; i < bursts; ++i)
        for (const double load : {workload->cluster.links[1].bandwidth, 0.0}) {
            Event e{.time = SimTime::seconds(1e-3 * i + (load > 0 ? 0 : 1e-6)), .type = EventType::linkLoad};
            e.a = 2;
            e.value = load;
            log->append(e);
        }
    RunIndex run({.scenario = nullptr, .seed = 1, .workload = workload, .log = log});
    run.update();
    const ViewRequest request{.run = run,
                              .job = {},
                              .at = run.head(),
                              .options = {{"link", workload->cluster.links[1].key}},
                              .mostPoints = 3999};
    const Series& load = std::get<Chart>(wholePicture(*findView("link"), request)).plot().series.front();
    QVERIFY(!load.y.empty());
    const double highest = *std::max_element(load.y.begin(), load.y.end());
    QVERIFY2(highest > 0 && highest < 1, qPrintable(QString::number(highest)));
}

/// Of random steps, close together and far apart, in any part: in order, not too many, none higher or lower than what they stand for,
/// the same area; what was drawn of a shorter run stays but for the last span. In files each change is kept.
void tst_CourseViews::curvesOfStepsKeepTheirMeans() {
    const RunIndex run = indexed();
    RandomStream random(3, Purpose::test);
    for (int round = 0; round < 400; ++round) {
        StepSeries steps, shorter;
        const std::size_t count = 1 + random.below(3000);
        const double closest = -6 * random.unit();
        double at = random.unit(), half = 0, least = 0, greatest = 0;
        for (std::size_t i = 0; i < count; ++i, at += std::pow(10, closest * random.unit())) {
            const auto value = static_cast<double>(random.below(5));
            steps.set(at, value);
            if (2 * i <= count) shorter.set(half = at, value);
            least = std::min(least, value), greatest = std::max(greatest, value);
        }
        ViewRequest request{.run = run, .job = {}, .at = run.head(), .mostPoints = 60 + random.below(2000)};
        request.from = random.below(3) == 0 ? 0 : at * random.unit();
        request.to = request.from + (at - request.from) * (random.below(3) == 0 ? 2 : random.unit());
        const auto curve = [&](const StepSeries& of, double end) {
            return stepCurve(request, of, end, "k", {}, Role::accent());
        };
        const Series drawn = curve(steps, at);
        if (request.to <= steps.time(0)) continue;
        QCOMPARE(drawn.x.size(), drawn.y.size() + 1);
        QVERIFY(std::ranges::is_sorted(drawn.x) && drawn.y.size() <= request.mostPoints);
        double area = 0;
        for (std::size_t i = 0; i < drawn.y.size(); ++i) {
            QVERIFY(drawn.y[i] >= least - 1e-9 && drawn.y[i] <= greatest + 1e-9);
            area += drawn.y[i] * (drawn.x[i + 1] - drawn.x[i]);
        }
        const double to = std::min(request.to, at), wanted = steps.integral(to) - steps.integral(drawn.x.front());
        QVERIFY2(std::abs(area - wanted) <= 1e-9 * (1 + wanted), qPrintable(QString::number(round)));
        const double span = 6 * (request.to - request.from) / static_cast<double>(request.mostPoints);
        if (half > request.from && half < request.to) {
            const Series before = curve(shorter, half);
            for (int i = 0; i < 20; ++i) {
                const double when = request.from + (half - 2 * span - request.from) * random.unit();
                if (when > request.from) QCOMPARE(stepAt(before, when), stepAt(drawn, when));
            }
        }
        request.isFile = true;
        request.mostPoints = count;
        const Series each = curve(steps, at);
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps.time(i) >= request.from && steps.time(i) < to)
                QCOMPARE(stepAt(each, steps.time(i)), steps.value(i));
    }
}

void tst_CourseViews::unknownNamesAreSaid() {
    RunIndex run = indexed();
    run.update();
    const Chart chart = chartOf(
        run, "machine", {.run = run, .job = {}, .at = run.head(), .options = {{"machine", std::string("no-such")}}});
    QVERIFY(chart.empty.english().find("no-such") != std::string::npos);
}

// What is asked for late comes along as long as somebody asks, and what files show is whole at once.
void tst_CourseViews::longLogsAreFoldedInPieces() {
    const auto log = std::make_shared<EventLog>();
    constexpr int events = 500'000; // of the second link; every tenth is a time of its own
    for (int i = 0; i < events; ++i) {
        Event e{.time = SimTime{1000 * (i / 10)}, .type = EventType::linkLoad};
        e.a = 2;
        e.value = static_cast<double>(i % 7);
        log->append(e);
    }
    const auto workload = expandWorkload(test::starScenario(4), 1);
    RunIndex run({.scenario = nullptr, .seed = 1, .workload = workload, .log = log});
    run.update();
    QVERIFY(!run.behind());
    const std::string key = workload->cluster.links[1].key;
    const auto fold = [&]() -> const EntityHistory& {
        return run.foldSoFar<EntityHistory>(EntityHistory::Kind::link, key);
    };
    const std::size_t first = fold().curves()[0].series.size();
    QVERIFY(first > 0 && first < events / 10); // not all at once
    QVERIFY(run.behind());
    int rounds = 0;
    for (; run.behind(); ++rounds) {
        QVERIFY(run.update(100'000));
        fold();
    }
    QVERIFY(rounds >= 1 && rounds <= 3);
    QCOMPARE(fold().curves()[0].series.size(), std::size_t{events / 10});
    QCOMPARE(fold().curves()[0].series.at(1), static_cast<double>((events - 1) % 7));
    QVERIFY(!run.update());
    // Another one of which nobody asks again holds up nothing.
    run.foldSoFar<EntityHistory>(EntityHistory::Kind::link, workload->cluster.links[2].key);
    QVERIFY(run.behind());
    for (int i = 0; i < 2; ++i) run.update(1);
    QVERIFY(!run.behind());
    const Chart whole =
        std::get<Chart>(wholePicture(*findView("link"), {.run = run,
                                                         .job = {},
                                                         .at = run.head(),
                                                         .options = {{"link", workload->cluster.links[3].key}},
                                                         .mostPoints = static_cast<std::size_t>(-1)}));
    QVERIFY(!whole.empty.english().empty()); // that link carried nothing
    QVERIFY(!run.areFoldsBehind());
}

TRAINYARD_TEST(tst_CourseViews)
#include "tst_CourseViews.moc"
