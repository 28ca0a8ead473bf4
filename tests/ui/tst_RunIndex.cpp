// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The log of a run as intervals: exact on hand-made logs, gapless on a busy one; sums, means and thinning
// agree with the definitions they stand for.
#include "lanes/StragglerPainter.h"
#include "record/ClusterState.h"
#include "session/ShownIndex.h"
#include "support/BusyRun.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"

#include <QBuffer>
#include <QLineF>

#include <cmath>

using namespace trainyard;

class tst_RunIndex : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void foldsOneIterationExactly();
    void discardsDroppedAndCancelledWork();
    void showsAFailedMachineUntilTheWorkerIsPlacedAgain();
    void foldsIncrementallyToTheSame();
    void workersHaveNeitherGapsNorOverlaps();
    void busyRunIsAValidLog();
    void sumsEqualTheSlowSum();
    void utilizationIsAllocatedOverCapacity();
    void slotsAreReused();
    void stepMeansAreExact();
    void decimationKeepsExtremes();
    void thinnedLinesGrow();
    void lostUpdatesLeaveTheCurve();
    void interruptionBreaksTheCurve();
    void brokenCurveIsDecimatedInParts();
    void simplifiedLinesStayWithinTheTolerance();
    void linePiecesCoverTheLine();
    void survivesADamagedLog();
};
#include <random>

namespace {

RunData foldSample(const std::shared_ptr<EventLog>& log) {
    return {.id = 1, .workload = test::sampleWorkload(), .log = log};
}

RunData busy() {
    const auto run = test::busyRun();
    return {.id = 1, .scenario = run.scenario, .seed = 11, .workload = run.workload, .log = run.log};
}

struct Expected {
    double start, end;
    WorkerPhase phase;
};

void compareTrack(const IntervalTrack& track, SimTime head, const std::vector<Expected>& expected) {
    QCOMPARE(track.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(track.start(i).ns, SimTime::seconds(expected[i].start).ns);
        QCOMPARE(track.end(i, head).ns, SimTime::seconds(expected[i].end).ns);
        QCOMPARE(static_cast<int>(track.phase(i)), static_cast<int>(expected[i].phase));
    }
}

constexpr std::uint16_t asWorker = 0;

} // namespace

void tst_RunIndex::foldsOneIterationExactly() {
    // One iteration of the sample: pull 0 … 0.05; compute until 0.25 (worker 2: 0.85); push until 0.3 (0.9);
    // then waiting for worker 2 until 0.9 and for the servers until the job ends at 2 s, when the workers go; the log ends at
    // 2.5 s. Placed and started at 0, so "idle" has no length.
    ShownIndex index(foldSample(test::sampleLog(1)));
    QVERIFY(index.update());
    QCOMPARE(index.head().ns, SimTime::seconds(2.5).ns);
    const auto& workers = index.jobs()[0].workers;
    QCOMPARE(workers.size(), std::size_t{3});
    compareTrack(workers[0].track, index.head(),
                 {{0, 0.05, WorkerPhase::pulling},
                  {0.05, 0.25, WorkerPhase::computing},
                  {0.25, 0.3, WorkerPhase::pushing},
                  {0.3, 0.9, WorkerPhase::waiting},
                  {0.9, 2, WorkerPhase::updating},
                  {2, 2.5, WorkerPhase::absent}});
    compareTrack(workers[2].track, index.head(),
                 {{0, 0.05, WorkerPhase::pulling},
                  {0.05, 0.85, WorkerPhase::computing},
                  {0.85, 0.9, WorkerPhase::pushing},
                  {0.9, 2, WorkerPhase::updating},
                  {2, 2.5, WorkerPhase::absent}});
    QCOMPARE(index.jobs()[0].losses.size(), std::size_t{1});
    QCOMPARE(index.jobs()[0].losses.loss[0], 2.3 / 1.3);
}

void tst_RunIndex::discardsDroppedAndCancelledWork() {
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    w.at(0, EventType::taskPlaced, 0, 0, 0, 0, asWorker);
    w.at(1, EventType::pullStarted, 0, 0, 1);
    w.at(2, EventType::computeStarted, 0, 0, 1);
    w.at(4, EventType::pushStarted, 0, 0, 1);
    w.at(5, EventType::gradientArrived, 0, 0, 1);
    w.at(5, EventType::gradientDropped, 0, 0, 1, 32); // too late: what was computed in 2 … 4 is discarded
    w.at(6, EventType::pullStarted, 0, 0, 2);
    w.at(7, EventType::computeStarted, 0, 0, 2);
    w.at(9, EventType::taskCancelled, 0, 0, 2, 0.5); // so is 7 … 9
    w.at(9, EventType::workerBlocked, 0, 0);
    w.at(11, EventType::pullStarted, 0, 0, 3);
    w.at(12, EventType::runFinished);
    ShownIndex index(foldSample(log));
    index.update();
    compareTrack(index.jobs()[0].workers[0].track, index.head(),
                 {{0, 1, WorkerPhase::idle},
                  {1, 2, WorkerPhase::pulling},
                  {2, 4, WorkerPhase::discarded},
                  {4, 5, WorkerPhase::pushing},
                  {5, 6, WorkerPhase::waiting},
                  {6, 7, WorkerPhase::pulling},
                  {7, 9, WorkerPhase::discarded},
                  {9, 11, WorkerPhase::blocked},
                  {11, 12, WorkerPhase::pulling}});
}

void tst_RunIndex::showsAFailedMachineUntilTheWorkerIsPlacedAgain() {
    for (const bool removedFirst : {false, true}) { // both orders occur: the machine fails, its tasks are removed
        auto log = std::make_shared<EventLog>();
        test::LogWriter w(*log);
        w.at(0, EventType::taskPlaced, 0, 0, 0, 0, asWorker);
        w.at(1, EventType::computeStarted, 0, 0, 1);
        if (removedFirst) w.at(3, EventType::taskRemoved, 0, 0, 0, 0, asWorker);
        w.at(3, EventType::machineFailed, JobId::none, 0);
        if (!removedFirst) w.at(3, EventType::taskRemoved, 0, 0, 0, 0, asWorker);
        w.at(5, EventType::taskPlaced, 0, 0, 1, 0, asWorker);
        w.at(6, EventType::machineRepaired, JobId::none, 0);
        w.at(7, EventType::runFinished);
        ShownIndex index(foldSample(log));
        index.update();
        compareTrack(index.jobs()[0].workers[0].track, index.head(),
                     {{0, 1, WorkerPhase::idle},
                      {1, 3, WorkerPhase::computing},
                      {3, 5, WorkerPhase::failed},
                      {5, 7, WorkerPhase::idle}});
        QCOMPARE(index.machines()[0].outages.size(), std::size_t{1});
        QCOMPARE(index.machines()[0].outages[0].end.ns, SimTime::seconds(6).ns);
    }
}

void tst_RunIndex::foldsIncrementallyToTheSame() {
    ShownIndex whole(busy()), pieces(busy());
    whole.update();
    while (pieces.behind()) pieces.update(7);
    QVERIFY(!pieces.update(7));
    for (std::size_t j = 0; j < whole.jobs().size(); ++j)
        for (std::size_t w = 0; w < whole.jobs()[j].workers.size(); ++w) {
            const auto &a = whole.jobs()[j].workers[w].track, &b = pieces.jobs()[j].workers[w].track;
            QCOMPARE(a.size(), b.size());
            for (std::size_t i = 0; i < a.size(); ++i) {
                QCOMPARE(a.start(i).ns, b.start(i).ns);
                QCOMPARE(static_cast<int>(a.phase(i)), static_cast<int>(b.phase(i)));
            }
        }
}

void tst_RunIndex::workersHaveNeitherGapsNorOverlaps() {
    ShownIndex index(busy());
    index.update();
    int intervals = 0;
    for (const auto& job : index.jobs())
        for (const auto& worker : job.workers) {
            const IntervalTrack& t = worker.track;
            for (std::size_t i = 0; i < t.size(); ++i, ++intervals) {
                QVERIFY(t.end(i, index.head()) > t.start(i) || i + 1 == t.size());
                if (i > 0) QCOMPARE(t.start(i).ns, t.end(i - 1, index.head()).ns);
            }
            // The parts add up to the whole span, to the nanosecond.
            std::int64_t sum = 0;
            for (const auto part : t.sumsUntil(index.head(), t.size() - 1)) sum += part;
            QCOMPARE(sum, (index.head() - t.start(0)).ns);
        }
    QVERIFY(intervals > 500);
    int discarded = 0;
    const IntervalTrack& slow = index.jobs()[0].workers[3].track;
    for (std::size_t i = 0; i < slow.size(); ++i) discarded += slow.phase(i) == WorkerPhase::discarded;
    QVERIFY(discarded > 5); // the slow worker's work is in vain
}

void tst_RunIndex::busyRunIsAValidLog() {
    const auto run = test::busyRun();
    ClusterState state(run.workload);
    for (std::size_t i = 0; i < run.log->size(); ++i) state.apply((*run.log)[i]); // throws if it overcommits
    for (const auto& machine : state.machines()) QVERIFY(machine.free == run.workload->cluster.machines[0].capacity);
}

void tst_RunIndex::sumsEqualTheSlowSum() {
    // Property: the block sums give what adding interval by interval gives, also after marks in the past.
    IntervalTrack track;
    RandomStream random(5, Purpose::test);
    std::int64_t t = 0;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        t += 1 + static_cast<std::int64_t>(random.below(50));
        track.enter(SimTime{t},
                    i % 3 == 0   ? WorkerPhase::pulling
                    : i % 3 == 1 ? WorkerPhase::computing
                                 : WorkerPhase::waiting,
                    i / 3 + 1);
        if (i % 3 == 2 && random.below(4) == 0) QVERIFY(track.discard(i / 3 + 1));
        if (i % 30 == 29) track.discard(i / 3 - 8);
    }
    const SimTime head{t + 100};
    for (int n = 0; n < 200; ++n) {
        const SimTime at{track.start(0).ns + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(t)))};
        const std::size_t i = track.indexAt(at);
        QVERIFY(track.start(i) <= at && at < track.end(i, SimTime::never()));
        QCOMPARE(track.indexAt(at, i / 2), i);
        IntervalTrack::Sums slow{};
        for (std::size_t k = 0; k <= i; ++k)
            slow[static_cast<std::size_t>(track.phase(k))] += std::min(track.end(k, head), at).ns - track.start(k).ns;
        QCOMPARE(track.sumsUntil(at, i), slow);
    }
    QCOMPARE(track.indexAt(SimTime{0}), IntervalTrack::none);
}

void tst_RunIndex::utilizationIsAllocatedOverCapacity() {
    ShownIndex index(foldSample(test::sampleLog(20)));
    index.update();
    // 4 machines × 4 cpu. Digits: 3 workers × 2 + 1 server × 1 = 7 of 16; from 2 s on 2 workers × 1 of Batch:
    // 9 of 16.
    QCOMPARE(index.utilization()[0].at(1.0), 7.0 / 16);
    QCOMPARE(index.utilization()[0].at(2.0), 9.0 / 16);
    QCOMPARE(index.utilization()[0].at(20.0), 0.0);
    // Busiest link: 0.9e8 bytes/s; slowest link that carries it (m3): 1.25e8 bytes/s.
    QCOMPARE(index.busiestLink().at(0.01), 0.9e8 / 1.25e8);
    QCOMPARE(index.busiestLink().at(0.5), 0.0);
}

void tst_RunIndex::slotsAreReused() {
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    w.at(0, EventType::taskPlaced, 0, 0, 0, 0, asWorker); // first slot
    w.at(1, EventType::taskPlaced, 1, 0, 0, 0, asWorker); // second
    w.at(2, EventType::taskRemoved, 0, 0, 0, 0, asWorker);
    w.at(3, EventType::taskPlaced, 1, 1, 0, 0, asWorker); // the first is free again
    w.at(4, EventType::runFinished);
    ShownIndex index(foldSample(log));
    index.update();
    const auto& lanes = index.machines()[0].slotLanes;
    QCOMPARE(lanes.size(), std::size_t{2});
    QCOMPARE(lanes[0].stays.size(), std::size_t{2});
    QCOMPARE(lanes[0].stays[1].job, 1u);
    QCOMPARE(lanes[0].firstEndingAfter(SimTime::seconds(2)), std::size_t{1}); // ends at 2: not after 2
    QCOMPARE(lanes[0].firstEndingAfter(SimTime::seconds(1.9)), std::size_t{0});
}

void tst_RunIndex::stepMeansAreExact() {
    StepSeries s;
    s.set(1, 2);
    s.set(3, 4);
    s.set(3, 5); // the same instant: replaces
    s.set(6, 0);
    QCOMPARE(s.size(), std::size_t{3});
    QCOMPARE(s.at(0.5), 0.0);
    QCOMPARE(s.integral(8), 2.0 * 2 + 5.0 * 3); // 2 s at 2, 3 s at 5, then 0
    QCOMPARE(s.mean(2, 4), (2.0 * 1 + 5.0 * 1) / 2);
}

void tst_RunIndex::decimationKeepsExtremes() {
    std::vector<double> x, y;
    for (int i = 0; i < 100000; ++i) {
        x.push_back(i);
        y.push_back(std::sin(i * 0.37) + (i == 77777 ? 50 : 0));
    }
    const LinePoints points = decimated(x, y, 0, 99999, 500);
    QVERIFY(points.x.size() <= 4 * 501);
    QVERIFY(std::is_sorted(points.x.begin(), points.x.end()));
    QCOMPARE(*std::max_element(points.y.begin(), points.y.end()), y[77777]);
    QCOMPARE(points.x.back(), 99999.0);
    QCOMPARE(decimated(x, y, 10, 20, 500).x.front(),
             9.0); // the neighbour outside, so that the line leaves the picture
    // With the extremes of blocks the same points, of whatever values.
    std::mt19937 random(11);
    for (int round = 0; round < 100; ++round) {
        std::vector<double> when, value;
        Extremes extremes;
        for (std::size_t i = 0, n = 1 + random() % 20'000; i < n; ++i) {
            when.push_back(when.empty() ? 0 : when.back() + static_cast<double>(random() % 3));
            value.push_back(random() % 50 == 0 ? std::nan("") : static_cast<double>(random() % 40));
            extremes.append(value);
        }
        const double from = when.back() * 0.3 * (round % 3), to = when.back() * (1 - 0.2 * (round % 4));
        const int buckets = 1 + static_cast<int>(random() % 60);
        const LinePoints all = decimated(when, value, from, to, buckets);
        const LinePoints fast = decimated(when, value, from, to, buckets, {}, &extremes);
        QCOMPARE(fast.x, all.x);
        QVERIFY(std::ranges::equal(fast.y, all.y, [](double a, double b) { return a == b || (a != a && b != b); }));
        // And the same first value that is low enough.
        for (double most = -1; most < 42; most += 3) {
            const std::size_t start = random() % (value.size() + 1);
            const auto low = std::find_if(value.begin() + static_cast<std::ptrdiff_t>(start), value.end(),
                                          [&](double each) { return each <= most; });
            QCOMPARE(extremes.firstAtMost(value, start, most), static_cast<std::size_t>(low - value.begin()));
        }
    }
}

/// However it has grown, and whatever was seen before: the same points, all of the line, with the extremes of what is seen.
void tst_RunIndex::thinnedLinesGrow() {
    std::mt19937 random(12);
    for (int round = 0; round < 60; ++round) {
        std::vector<double> when, value;
        std::vector<std::size_t> breaks;
        Extremes extremes;
        ThinnedLine grown;
        const std::size_t n = 1 + random() % 4000;
        for (std::size_t added = 0; added < n; ++added) {
            when.push_back(when.empty() ? 0.25 * (round % 3) : when.back() + static_cast<double>(random() % 3));
            value.push_back(random() % 50 == 0 ? std::nan("") : static_cast<double>(random() % 1000));
            extremes.append(value);
            if (random() % 500 == 0) breaks.push_back(added + 1);
            if (random() % 40 != 0 && added + 1 < n) continue;
            const int buckets = 8 << random() % 3;
            const double length = when.back() - when.front();
            const double from = when.front() + 0.1 * static_cast<double>(random() % 5) * length;
            const double to = std::max(from + 1e-9, when.back() - 0.1 * static_cast<double>(random() % 4) * length);
            const LinePoints line = grown.of(when, value, from, to, buckets, breaks, &extremes);
            const LinePoints anew = ThinnedLine().of(when, value, from, to, buckets, breaks, nullptr);
            QCOMPARE(line.x, anew.x);
            QVERIFY(
                std::ranges::equal(line.y, anew.y, [](double a, double b) { return a == b || (a != a && b != b); }));
            QVERIFY(line.x.size() <= 4 * static_cast<std::size_t>(buckets + 3) + 5 * breaks.size());
            // Every point is one of the line, and where it is interrupted the thinned one is.
            std::size_t at = 0, parted = 0;
            for (std::size_t k = 0; k < line.x.size(); ++k) {
                while (at < when.size() && when[at] < line.x[k]) ++at;
                const auto isHere = [&, k](std::size_t i) {
                    return when[i] == line.x[k] && (value[i] == line.y[k] || std::isnan(line.y[k]));
                };
                bool found = false;
                for (std::size_t i = at; i < when.size() && when[i] <= line.x[k] && !found; ++i) found = isHere(i);
                QVERIFY(found);
                parted += std::isnan(line.y[k]);
            }
            const auto inside = [&](double x) { return x > from && x < to; };
            for (const std::size_t i : breaks)
                if (i < when.size() && inside(when[i])) QVERIFY(parted > 0);
            // Extremes of what is seen, but for one bucket at each end.
            const double width = std::sqrt(2) * (to - from) / buckets;
            double least = 1e9, greatest = -1e9, low = 1e9, high = -1e9;
            for (std::size_t i = 0; i < when.size(); ++i)
                if (when[i] > from + width && when[i] < to - width && !std::isnan(value[i]))
                    least = std::min(least, value[i]), greatest = std::max(greatest, value[i]);
            for (const double y : line.y)
                if (!std::isnan(y)) low = std::min(low, y), high = std::max(high, y);
            QVERIFY(low <= least && high >= greatest);
        }
    }
}

void tst_RunIndex::lostUpdatesLeaveTheCurve() {
    // Losses after updates 1, 2, 3, 4; restored to 2; then 3 again: the first 3 and the 4 were lost.
    const LossSeries kept =
        keptUpdates({.time = {1, 2, 3, 4, 6}, .update = {1, 2, 3, 4, 3}, .loss = {9, 8, 7, 6, 6.5}});
    QCOMPARE(kept.update, (std::vector<double>{1, 2, 3}));
    QCOMPARE(kept.loss, (std::vector<double>{9, 8, 6.5}));
}

void tst_RunIndex::interruptionBreaksTheCurve() {
    auto log = std::make_shared<EventLog>();
    const auto loss = [&](double at, std::uint32_t update, double value) {
        log->append(
            {.time = SimTime::seconds(at), .type = EventType::lossEvaluated, .job = 0, .a = update, .value = value});
    };
    const auto interrupted = [&](double at) {
        log->append({.time = SimTime::seconds(at), .type = EventType::jobPreempted, .job = 0});
    };
    interrupted(0.5); // before the first point there is nothing to break
    loss(1, 1, 9);
    loss(2, 2, 8);
    interrupted(3);
    interrupted(4); // again, before it has got anywhere
    ShownIndex index(foldSample(log));
    index.update();
    QCOMPARE(index.jobs()[0].losses.breaks, (std::vector<std::size_t>{2}));
    loss(10, 1, 9);
    loss(11, 2, 8);
    index.update();
    const LossSeries& s = index.jobs()[0].losses;
    QCOMPARE(s.breaks, (std::vector<std::size_t>{2}));
    // The points are the evaluations and nothing else: what is read out at an instant is the last of them.
    QCOMPARE(s.time, (std::vector<double>{1, 2, 10, 11}));
    QCOMPARE(s.indexAt(5), std::size_t{1});
    QCOMPARE(s.indexAt(10), std::size_t{2});
    // The line breaks between 2 s and 10 s, and only there.
    const LinePoints line = decimated(s.time, s.loss, 0, 20, 100, s.breaks);
    QCOMPARE(line.x.size(), std::size_t{5});
    for (std::size_t i = 0; i < line.x.size(); ++i) QCOMPARE(std::isnan(line.y[i]), i == 2);
    QVERIFY(line.x[2] >= 2 && line.x[2] <= 10);
}

void tst_RunIndex::brokenCurveIsDecimatedInParts() {
    std::vector<double> x, y;
    for (int i = 0; i < 100'000; ++i) {
        x.push_back(i < 50'000 ? i : i + 20'000);
        y.push_back(std::sin(i * 0.37));
    }
    const std::vector<std::size_t> breaks{50'000};
    const LinePoints points = decimated(x, y, 0, 119'999, 500, breaks);
    QVERIFY(points.x.size() <= 4 * 502 + 1);
    const auto gaps = std::count_if(points.y.begin(), points.y.end(), [](double v) { return std::isnan(v); });
    QCOMPARE(gaps, std::ptrdiff_t{1});
    for (std::size_t i = 1; i < points.x.size(); ++i) {
        const bool gap = std::isnan(points.y[i]) || std::isnan(points.y[i - 1]);
        QVERIFY(gap || points.x[i] - points.x[i - 1] < 20'000); // nothing is drawn across the pause
    }
    // Zoomed in to after the pause: the neighbour on the left lies before it, and is parted too.
    const LinePoints right = decimated(x, y, 70'000, 70'010, 500, breaks);
    QVERIFY(std::isnan(right.y[1]));
    // A break at the first point drawn, or past the last, parts nothing.
    const LinePoints left = decimated(x, y, 10, 20, 500, std::vector<std::size_t>{9, 100'000});
    QVERIFY(std::none_of(left.y.begin(), left.y.end(), [](double v) { return std::isnan(v); }));
}

void tst_RunIndex::simplifiedLinesStayWithinTheTolerance() {
    LinePoints line;
    for (int i = 0; i < 2000; ++i) {
        line.x.push_back(i);
        line.y.push_back(i == 1000 ? std::nan("") : 100 / (1 + 0.01 * i) + (i == 1500 ? 30 : 0));
    }
    const double tolerance = 0.3;
    const LinePoints few = simplified(line, tolerance);
    QVERIFY(few.x.size() < 60);
    QCOMPARE(few.x.front(), line.x.front());
    QCOMPARE(few.x.back(), line.x.back());
    QCOMPARE(std::count_if(few.y.begin(), few.y.end(), [](double v) { return std::isnan(v); }), std::ptrdiff_t{1});
    for (std::size_t i = 0, k = 0; i < line.x.size(); ++i) {
        while (k + 1 < few.x.size() && few.x[k + 1] < line.x[i]) ++k;
        if (std::isnan(line.y[i]) || std::isnan(few.y[k]) || std::isnan(few.y[k + 1])) continue;
        const double share = (line.x[i] - few.x[k]) / (few.x[k + 1] - few.x[k]);
        QVERIFY(std::abs(few.y[k] + share * (few.y[k + 1] - few.y[k]) - line.y[i]) <= tolerance + 1e-9);
    }
    QCOMPARE(simplified({}, 1).x.size(), std::size_t{0});
    QCOMPARE(simplified({.x = {3}, .y = {4}}, 1).x, (std::vector<double>{3}));
    QCOMPARE(simplified({.x = {1, 1, 1, 2}, .y = {0, 9, 1, 1}}, 0.1).y, (std::vector<double>{0, 9, 1, 1}));
}

void tst_RunIndex::linePiecesCoverTheLine() {
    const double nan = std::nan("");
    const QVector<QPointF> line{{0, 0}, {10, 5}, {130, 5}, {131, nan}, {140, 1}, {150, 2}, {160, nan}};
    double length = 0;
    for (const QPolygonF& piece : linePieces(line, 48)) {
        QVERIFY(piece.boundingRect().width() <= 48 + 1e-9);
        for (qsizetype i = 1; i < piece.size(); ++i) length += QLineF(piece[i - 1], piece[i]).length();
    }
    const double expected = QLineF(line[0], line[1]).length() + 120 + QLineF(line[4], line[5]).length();
    QVERIFY(std::abs(length - expected) < 1e-9);
}

void tst_RunIndex::survivesADamagedLog() {
    // A record on disk is data: unknown jobs, machines, workers and links must not be believed.
    auto log = std::make_shared<EventLog>();
    for (std::uint16_t type = 0; type < 40; ++type)
        for (const std::uint32_t n : {0u, 1u, 99u, 4000000000u}) {
            Event e{.time = SimTime::seconds(type), .type = static_cast<EventType>(type), .job = n, .a = n, .b = n};
            log->append(e);
            e.job = 0;
            log->append(e);
            e.job = JobId::none;
            log->append(e);
        }
    ShownIndex index(foldSample(log));
    index.update();
    QCOMPARE(index.position(), log->size());
}

TRAINYARD_TEST(tst_RunIndex)
#include "tst_RunIndex.moc"
