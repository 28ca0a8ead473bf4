// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Lanes with more than pixels can show: shares instead of stripes, a map instead of a row per machine, and whose workers
// the straggler strip has room for.
#include "drawing/Legend.h"
#include "drawing/RowNames.h"
#include "lanes/GanttMap.h"
#include "lanes/GanttPainter.h"
#include "lanes/Lane.h"
#include "lanes/LaneRuns.h"
#include "lanes/StragglerPainter.h"
#include "session/ShownIndex.h"
#include "support/LaneFixture.h"
#include "support/LossLogs.h"
#include "support/SampleRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <QApplication>
#include <QBuffer>
#include <QPainter>
#include <QScrollBar>
#include <QSvgGenerator>

#include <cmath>
#include <random>

using namespace trainyard;

class tst_NarrowLanes : public QObject, test::LaneFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(openLanes(560)); }
    void cleanup() { closeLanes(); }
    void sharesInsteadOfStripes();
    void meansEndWithTheWork();
    void likeTheRest();
    void stripShowsWhatFits();
    void stripSaysWhyItIsEmpty();
    void lossSaysWhyItIsEmpty();
    void silenceIsNotIdleness();
    void fewMachinesAreSeenTogether();
    void whatIsNotKnownIsNotTold();
    void mapByHand();
    void sharesAreMeansOfColumns();
    void nothingIsNotPainted();
    void longNamesAreToldApart();
    void legendsKeepTheirNames();
    void legendsShowWhatIsSelected();
    void divergingLossLeavesTheAxis();
    void wholeRunsAreReadAtTheirOwnEnds();
    void namesOfARack();
    void rackIsNamedWhereItsMachinesCannotBe();

private:
    Lane* strip() const { return m_stack->lanes()[1]; }
    void showSample() {
        m_run->show({.label = QStringLiteral("sample"), .workload = test::sampleWorkload(), .log = test::sampleLog()});
    }
};

// Tasks of 3.7 pixels that compute half of the time: every column says a half, none more or less.
void tst_NarrowLanes::sharesInsteadOfStripes() {
    IntervalTrack track;
    const int tasks = 400;
    for (int n = 0; n < tasks; ++n) {
        const auto task = static_cast<std::uint32_t>(n + 1);
        track.enter(SimTime::seconds(n), WorkerPhase::pulling, task);
        track.enter(SimTime::seconds(n + 0.2), WorkerPhase::computing, task);
        track.enter(SimTime::seconds(n + 0.7), WorkerPhase::waiting, task);
    }
    const TimeScale scale{.from = 0, .to = tasks, .left = 0, .right = 3.7 * tasks};
    const auto runs = laneRuns(track, scale, 0, 3.7 * tasks, SimTime::seconds(tasks));
    QVERIFY(runs.size() <= 3.7 * tasks / 16 + 2);
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
        QVERIFY(runs[i].merged);
        QCOMPARE(runs[i].x1, runs[i + 1].x0);
        QVERIFY(std::abs(runs[i].shares[static_cast<std::size_t>(WorkerPhase::computing)] - 0.5f) < 1e-3f);
        QVERIFY(std::abs(runs[i].shares[static_cast<std::size_t>(WorkerPhase::waiting)] - 0.3f) < 1e-3f);
    }
    // From the beginning of a piece on the same, wherever the scan begins.
    const auto late = laneRuns(track, scale, lanePieceAt(700), 3.7 * tasks, SimTime::seconds(tasks));
    QCOMPARE(late.front().x0, lanePieceAt(700));
    for (std::size_t i = 1; i <= late.size(); ++i) {
        QCOMPARE(late[late.size() - i].x0, runs[runs.size() - i].x0);
        QCOMPARE(late[late.size() - i].shares, runs[runs.size() - i].shares);
    }
    // Ten times as wide, each interval is seen.
    const TimeScale wide{.from = 0, .to = tasks, .left = 0, .right = 37.0 * tasks};
    for (const LaneRun& run : laneRuns(track, wide, 0, 2000, SimTime::seconds(tasks))) QVERIFY(!run.merged);
}

/// Means end where the worker leaves, and begin where it is back: neither is drawn as the other.
void tst_NarrowLanes::meansEndWithTheWork() {
    for (const double away : {96.2, 100.3, 107.7, 111.1}) { // pixels, within an average of 16
        IntervalTrack track;
        double at = 0;
        const auto work = [&](double until) {
            for (std::uint32_t task = 1; at < until; ++task, at += 0.4) {
                track.enter(SimTime::seconds(at), WorkerPhase::computing, task);
                track.enter(SimTime::seconds(at + 0.3), WorkerPhase::waiting, task);
            }
        };
        work(away);
        track.enter(SimTime::seconds(away), WorkerPhase::failed, 0);
        at = away + 50;
        work(400);
        const TimeScale scale{.from = 0, .to = 400, .left = 0, .right = 400};
        for (const LaneRun& run : laneRuns(track, scale, 0, 400, SimTime::seconds(400))) {
            const auto failed = run.merged ? static_cast<double>(run.shares[std::size_t(WorkerPhase::failed)])
                                           : double(run.phase == WorkerPhase::failed);
            const double middle = (run.x0 + run.x1) / 2;
            if (run.x1 - run.x0 <= 1) continue; // a pixel may hold both
            QCOMPARE(failed > 0.5, middle > away && middle < away + 50);
            QVERIFY2(failed < 0.02 || failed > 0.98, qPrintable(QString::number(run.x0)));
        }
    }
}

// Intervals of about two pixels, some pieces a little below, some above: all are drawn in one way, and so is the last,
// of which there is only a part. A piece that differs clearly is drawn in its own.
void tst_NarrowLanes::likeTheRest() {
    for (const double scale : {0.9, 1.1}) {
        IntervalTrack track;
        double at = 0;
        std::uint32_t task = 0;
        const auto add = [&](double width, int count) { // in pixels at scale 1
            for (int i = 0; i < count; ++i) {
                track.enter(SimTime::seconds(at), i % 2 == 0 ? WorkerPhase::computing : WorkerPhase::waiting,
                            ++task / 2);
                at += width;
            }
        };
        for (int piece = 0; piece < 60; ++piece) add(piece % 2 == 0 ? 1.8 : 2.2, 32);
        const double whole = at;
        add(20, 10);
        add(1, 3);
        const TimeScale time{.from = 0, .to = 10'000, .left = 0, .right = 10'000 * scale};
        int merged = 0, single = 0, wide = 0;
        for (const LaneRun& run : laneRuns(track, time, 0, at * scale, SimTime::seconds(at))) {
            if (run.x1 > whole * scale - lanePiece)
                wide += !run.merged && run.x0 > whole * scale + lanePiece;
            else
                ++(run.merged ? merged : single);
        }
        QVERIFY2(scale < 1 ? single <= 2 : merged <= 2,
                 qPrintable(QStringLiteral("%1 merged, %2 single").arg(merged).arg(single)));
        QVERIFY(wide >= 5);
    }
}

void tst_NarrowLanes::stripShowsWhatFits() {
    showSample(); // three workers of Digits, two of Batch
    QTRY_VERIFY(strip()->input().run && !strip()->input().run->behind());
    QCOMPARE(strip()->painter().rows(strip()->input()), std::size_t{5});
    QVERIFY(strip()
                ->hitAt(QPointF(strip()->plotRect().center().x(), strip()->plotRect().bottom() - 8))
                .row.startsWith(QStringLiteral("Batch")));
    m_selection->selectJob(JobId(1));
    QCOMPARE(strip()->painter().rows(strip()->input()), std::size_t{2});
    QCOMPARE(strip()->painter().axisTitle(strip()->input()), QStringLiteral("workers of Batch"));
    m_selection->selectJob(JobId(0));
    QCOMPARE(strip()->painter().rows(strip()->input()), std::size_t{3});
    // More than have a label: the first job's alone, on screen; all of them in a figure.
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    for (std::uint32_t j = 0; j < 2; ++j)
        for (std::uint32_t i = 0; i < 20; ++i) w.at(0, EventType::taskPlaced, j, i, 0, 0, 0);
    w.at(1, EventType::runFinished);
    m_run->show({.label = QStringLiteral("many"), .workload = workload, .log = log});
    m_selection->selectJob({});
    QTRY_COMPARE(strip()->painter().rows(strip()->input()), std::size_t{20});
    LaneInput all = strip()->input();
    all.everyJob = true;
    QCOMPARE(strip()->painter().rows(all), std::size_t{40});
}

void tst_NarrowLanes::stripSaysWhyItIsEmpty() {
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    w.at(0, EventType::jobArrived, 0);
    w.at(1, EventType::linkLoad, JobId::none, 0, 0, 0);
    m_run->show({.label = QStringLiteral("waits"), .workload = test::sampleWorkload(), .log = log});
    const auto said = [&] { return strip()->painter().emptyText(strip()->input()); };
    QTRY_VERIFY(!strip()->input().run->behind());
    QCOMPARE(said(), QStringLiteral("No job has workers yet."));
    m_selection->selectJob(JobId(0));
    QCOMPARE(said(), QStringLiteral("Digits waits in the queue: it has no workers yet."));
    m_selection->selectJob(JobId(1));
    QCOMPARE(said(), QStringLiteral("Batch has not arrived yet: it has no workers."));
}

/// "Yet" is not said where no loss will ever come.
void tst_NarrowLanes::lossSaysWhyItIsEmpty() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    auto log = std::make_shared<EventLog>();
    test::LogWriter(*log).at(0, EventType::jobArrived, 0);
    const auto loss = makeChartLane({QStringLiteral("loss")});
    m_run->show({.label = QStringLiteral("trains"), .workload = workload, .log = log});
    QTRY_VERIFY(strip()->input().run && !strip()->input().run->behind());
    QVERIFY(loss->emptyText(strip()->input()).contains(QStringLiteral("yet")));
    QVERIFY(!strip()->collapsed() && !m_stack->lanes()[2]->collapsed());
    workload = std::make_shared<Workload>(*workload);
    for (Job& job : workload->jobs) job.work = GraphWork{};
    m_run->show({.label = QStringLiteral("graphs"), .workload = workload, .log = log});
    QTRY_VERIFY(strip()->input().run && !strip()->input().run->behind());
    QVERIFY(loss->emptyText(strip()->input()).contains(QStringLiteral("graph jobs")));
    // Lanes that can never show anything are folded, and come back with jobs that fill them.
    QVERIFY(strip()->collapsed() && m_stack->lanes()[2]->collapsed());
    showSample();
    QVERIFY(!strip()->collapsed() && !m_stack->lanes()[2]->collapsed());
}

/// The rate model simulates no single iteration of analytic jobs: that is said instead of drawing workers that seem idle.
void tst_NarrowLanes::silenceIsNotIdleness() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    for (Job& job : workload->jobs) job.work = AnalyticWork{};
    workload->hasExpectedTimes = true;
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    for (std::uint32_t i = 0; i < 3; ++i) w.at(0, EventType::taskPlaced, 0, i, 0, 0, 0);
    w.at(1, EventType::runFinished);
    Lane* gantt = m_stack->lanes()[0];
    const auto namesIdleness = [&] {
        return std::ranges::any_of(
            gantt->painter().legend(Theme::current(), gantt->input()),
            [](const LegendEntry& entry) { return entry.swatch == LegendEntry::Swatch::outlined; });
    };
    // Away from the names at the left of the bars.
    const auto colour = [&] {
        return gantt->grab().toImage().pixelColor((gantt->plotRect().topRight() + QPointF(-20, 12)).toPoint());
    };
    RunData run{.label = QStringLiteral("rates"), .workload = workload, .log = log};
    m_run->show(run);
    QTRY_VERIFY(strip()->input().run && !strip()->input().run->behind());
    QVERIFY(strip()->painter().emptyText(strip()->input()).contains(QStringLiteral("rate model")));
    QVERIFY(!namesIdleness());
    const QColor working = colour();
    workload = std::make_shared<Workload>(*workload);
    workload->hasExpectedTimes = false;
    run.workload = workload;
    m_run->show(run);
    QTRY_VERIFY(strip()->input().run && !strip()->input().run->behind());
    QVERIFY(strip()->painter().emptyText(strip()->input()).isEmpty());
    QVERIFY(namesIdleness());
    QVERIFY(std::abs(colour().lightness() - working.lightness()) >= 20); // idle ones are pale
}

/// 20 machines of 30 tasks each: none is scrolled out of the lowest lane.
void tst_NarrowLanes::fewMachinesAreSeenTogether() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->cluster.machines.clear();
    for (int i = 1; i <= 20; ++i)
        workload->cluster.machines.push_back(
            {.key = "m" + std::to_string(i), .capacity = ResourceVector::of({400, 1000})});
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    for (std::uint32_t i = 0; i < 600; ++i) w.at(0, EventType::taskPlaced, 0, i, i % 20, 0, 0);
    w.at(20, EventType::runFinished);
    m_run->show({.label = QStringLiteral("many tasks"), .workload = workload, .log = log});
    Lane* gantt = m_stack->lanes()[0];
    QTRY_VERIFY(gantt->input().run && !gantt->input().run->behind());
    QTRY_COMPARE(gantt->painter().rows(gantt->input()), std::size_t{600});
    QTRY_COMPARE(gantt->findChild<QScrollBar*>()->maximum(), 0);
    const QRectF plot = gantt->plotRect();
    QCOMPARE(gantt->hitAt(QPointF(plot.center().x(), plot.bottom() - 5)).machine, QStringLiteral("m20"));
}

/// Of a job whose tasks are not logged it is only known where they are, not that they have not started.
void tst_NarrowLanes::whatIsNotKnownIsNotTold() {
    for (const bool logged : {true, false}) {
        auto workload = std::make_shared<Workload>(*test::sampleWorkload());
        Job job = test::analyticJob();
        job.key = job.name = "a";
        workload->jobs = {job};
        workload->hasExpectedTimes = !logged;
        auto log = std::make_shared<EventLog>();
        test::LogWriter w(*log);
        w.at(0, EventType::taskPlaced, 0, 0, 0, 0, 0);
        w.at(20, EventType::runFinished);
        m_run->show(
            {.label = logged ? QStringLiteral("flow") : QStringLiteral("rate"), .workload = workload, .log = log});
        Lane* gantt = m_stack->lanes()[0];
        QTRY_VERIFY(gantt->input().run && !gantt->input().run->behind() &&
                    gantt->input().run->source().workload == workload);
        const double x = gantt->timeScale().x(10), y = gantt->plotRect().top() + 4;
        const QString told = gantt->hitAt(QPointF(x, y)).text;
        QVERIFY2(told.contains(QLatin1String("a worker 1")), qPrintable(told));
        QVERIFY2(told.contains(QLatin1String("not started")) == logged, qPrintable(told));
    }
}

// 40 machines of 4 cpu; a task of 2 cpu on the first from second 0 to 10 of 20: with two machines to a row, 2 of 8.
void tst_NarrowLanes::mapByHand() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->cluster.machines.clear();
    for (int i = 1; i <= 40; ++i)
        workload->cluster.machines.push_back(
            {.key = "m" + std::to_string(i), .capacity = ResourceVector::of({4, 1000})});
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    w.at(0, EventType::taskPlaced, 0, 0, 0, 0, 0);
    w.at(10, EventType::taskRemoved, 0, 0, 0, 0, 0);
    w.at(20, EventType::runFinished);
    m_run->show({.label = QStringLiteral("many"), .workload = workload, .log = log});
    Lane* gantt = m_stack->lanes()[0];
    QTRY_VERIFY(gantt->input().run && !gantt->input().run->behind());
    QVERIFY(GanttMap::isFor(gantt->input()));
    const std::size_t cpu = GanttMap::scarcestResource(*workload);
    QCOMPARE(workload->cluster.resourceNames[cpu], std::string("cpu"));
    const auto rows = GanttMap::rowsOf(*gantt->input().run);
    QCOMPARE(rows.size(), std::size_t{20});
    QCOMPARE(rows[1].name, QStringLiteral("m3 – m4"));
    QCOMPARE(gantt->painter().rows(gantt->input()), std::size_t{20});
    const TimeScale scale{.from = 0, .to = 20, .left = 0, .right = 80};
    const auto shares = GanttMap::shares(gantt->input(), rows[0], cpu, scale, 0, 80);
    QCOMPARE(shares.size(), std::size_t{20});
    for (std::size_t i = 0; i < 20; ++i) QCOMPARE(shares[i], i < 10 ? 0.25 : 0.0);
    QCOMPARE(GanttMap::shares(gantt->input(), rows[1], cpu, scale, 0, 80)[0], 0.0);
    LaneInput other = gantt->input();
    other.job = JobId(1);
    QCOMPARE(GanttMap::shares(other, rows[0], cpu, scale, 0, 80)[0], 0.0);
    const LaneHit hit = gantt->hitAt(QPointF(gantt->timeScale().x(5), gantt->plotRect().top() + 4));
    QCOMPARE(hit.text, QStringLiteral("m1 – m2 · 25 % allocated"));
    // It does not ask for more room than a lane gets: nothing scrolls.
    const double tall = gantt->painter().leastRow(gantt->input(), 15) * static_cast<double>(rows.size());
    QVERIFY(tall <= 72);
}

/// Tasks that come and go at random, seen through random windows: of each column the mean over the parts of it.
void tst_NarrowLanes::sharesAreMeansOfColumns() {
    std::mt19937_64 random(20261129);
    const auto between = [&](double a, double b) { return std::uniform_real_distribution(a, b)(random); };
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    const double capacity = workload->cluster.machines[0].capacity.amount(0),
                 demand = workload->jobs[0].workerDemand.amount(0);
    for (int round = 0; round < 40; ++round) {
        auto log = std::make_shared<EventLog>();
        test::LogWriter w(*log);
        std::vector<std::pair<double, double>> stays;
        double at = 0;
        while (at < 100) {
            const double from = at + (round % 2 ? std::floor(between(0, 3)) : between(0, 20)),
                         to = from + (round % 2 ? 1 + std::floor(between(0, 9)) : between(0.01, 40));
            w.at(from, EventType::taskPlaced, 0, 0, 0, 0, 0);
            w.at(to, EventType::taskRemoved, 0, 0, 0, 0, 0);
            stays.emplace_back(from, to);
            at = to;
        }
        w.at(at, EventType::runFinished);
        ShownIndex index({.label = QStringLiteral("random"), .workload = workload, .log = log});
        while (index.behind()) index.update(1000);
        LaneInput input;
        input.run = &index;
        input.end = SimTime::seconds(at);
        const double from = round % 3 ? between(0, 50) : 0, width = between(8, 400);
        const TimeScale time{.from = from, .to = from + between(1, 120), .left = 0, .right = width};
        const auto shares = GanttMap::shares(input, {0, 1, {}, {}}, 0, time, 0, width);
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const double begin = time.seconds(4.0 * static_cast<double>(i)),
                         end = time.seconds(std::min(width, 4.0 * static_cast<double>(i + 1)));
            double held = 0;
            for (const auto& [start, stop] : stays) held += std::max(0.0, std::min(stop, end) - std::max(start, begin));
            QVERIFY(std::abs(shares[i] - demand / capacity * held / (end - begin)) < 1e-6);
        }
    }
}

/// An interval that ends at the edge of a column leaves 1e-16 of it: that is nothing, and so is what follows.
void tst_NarrowLanes::nothingIsNotPainted() {
    QCOMPARE(GanttMap::stepOf(1e-15), GanttMap::stepOf(0));
    QVERIFY(GanttMap::stepOf(0) < 0);
    QCOMPARE(GanttMap::stepOf(0.001), 0);
    QCOMPARE(GanttMap::stepOf(1), GanttMap::steps);
}

void tst_NarrowLanes::longNamesAreToldApart() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->cluster.machines.clear();
    for (int i = 0; i < 64; ++i)
        workload->cluster.machines.push_back({.key = "m" + std::to_string(i),
                                              .name = "rack-0" + std::to_string(1 + i / 16) + "-node-gpu-" +
                                                      std::to_string(100 + i) + ".cluster.example",
                                              .capacity = ResourceVector::of({4, 1000})});
    const ShownIndex index(
        {.label = QStringLiteral("long"), .workload = workload, .log = std::make_shared<EventLog>()});
    const auto rows = GanttMap::rowsOf(index);
    QCOMPARE(rows.front().label, QStringLiteral("01-node-gpu-100 – 102"));
    QCOMPARE(rows.front().name, QStringLiteral("rack-01-node-gpu-100.cluster.example – 102.cluster.example"));
    QCOMPARE(rows.back().label, QStringLiteral("04-node-gpu-163")); // one machine alone
    QCOMPARE(rows[5].label, QStringLiteral("01…115 – 02…117"));     // of two racks
    RowNames names(index);
    QCOMPARE(names.next(MachineId(17)), QStringLiteral("02-node-gpu-117"));
    QCOMPARE(ClusterLayout::machineLabels(workload->cluster)[17], QStringLiteral("02-node-gpu-117"));
    // Of short names, and of one that all others begin with, nothing is left out.
    QCOMPARE(SharedParts::of({"machine 1", "machine 2"}).front, std::size_t{0});
    QCOMPARE(SharedParts::of({"the machine with a long name", "the machine with a long name 2"}).front,
             std::size_t{24});
}

/// Half of a window wide, beside a view: names of jobs are whole, for which the plot gives some of its width.
void tst_NarrowLanes::legendsKeepTheirNames() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->jobs[0].name = "Frequent keys alone";
    m_stack->resize(684, 560);
    m_run->show({.label = QStringLiteral("sample"), .workload = workload, .log = test::sampleLog()});
    const Lane* loss = m_stack->lanes()[2];
    QFont font = Theme::current().tabular();
    font.setPixelSize(static_cast<int>(0.88 * QFontInfo(QApplication::font()).pixelSize()));
    const double wanted = QFontMetricsF(font).horizontalAdvance(QStringLiteral("Frequent keys alone 0.123"));
    QTRY_VERIFY2(loss->legendRect().width() > wanted + 40, qPrintable(QString::number(loss->legendRect().width())));
    QVERIFY(loss->plotRect().width() > 0.4 * loss->width());
}

/// Where not all fit the selected job is read, not only counted among those left out. As the lanes do it, only the first
/// entries and the selected job's have texts.
void tst_NarrowLanes::legendsShowWhatIsSelected() {
    QImage image(200, 60, QImage::Format_RGB32);
    QPainter painter(&image);
    QFont font;
    font.setPixelSize(12);
    const Theme theme = Theme::light();
    LaneCanvas canvas(painter, theme, font);
    const auto shown = [&](std::size_t selected) {
        std::vector<LegendEntry> entries(17);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            entries[i].job = JobId(i);
            if (i >= 6 && i != selected) continue;
            entries[i].label = QStringLiteral("Time-sensitive %1").arg(i + 1);
            entries[i].value = QStringLiteral("0.1234");
            entries[i].swatch = LegendEntry::Swatch::line;
            entries[i].dimmed = selected < entries.size() && i != selected;
        }
        std::vector<std::size_t> out;
        for (const LegendPlace& place : paintLegendColumn(canvas, {0, 0, 200, 60}, entries).places)
            out.push_back(place.job.index());
        return out;
    };
    const auto none = shown(99), first = shown(0), tenth = shown(9);
    QVERIFY(none.size() > 1 && none.size() < 6 && none.back() == none.size() - 1);
    QVERIFY(first == none);
    QCOMPARE(tenth.size(), none.size());
    QVERIFY(tenth.front() == 0 && tenth[tenth.size() - 2] == tenth.size() - 2 && tenth.back() == 9);
}

/// Three losses fall from 4 to 2; another job's rise to 1e300. The first keep the axis, the other leaves it at a mark.
void tst_NarrowLanes::divergingLossLeavesTheAxis() {
    const auto [workload, log] = test::DivergingRun();
    test::LogWriter(*log).at(3, EventType::runFinished);
    ShownIndex index({.label = QStringLiteral("diverges"), .workload = workload, .log = log});
    index.update();
    LaneInput input{.run = &index, .at = SimTime::seconds(3), .end = SimTime::seconds(3), .wholeRun = true};
    const auto plot = makeChartLane({QStringLiteral("loss")});
    const Theme theme = Theme::light();
    QImage image(400, 200, QImage::Format_RGB32);
    image.fill(theme.surface);
    QPainter painter(&image);
    LaneCanvas canvas(painter, theme, QFont());
    canvas.gutter = QRectF(0, 0, 80, 200);
    canvas.plot = QRectF(80, 0, 320, 200);
    canvas.time = {.from = 0, .to = 3, .left = 80, .right = 400};
    plot->paint(canvas, input);
    painter.end();
    const auto ends = plot->markers(canvas, input); // of an axis from 0 to 8, from pixel 4 to pixel 190
    QCOMPARE(ends.size(), std::size_t{2});
    QCOMPARE(std::round(ends[0].first.y()), std::round(190 - 186 * 2 / 8.0));
    QCOMPARE(std::round(ends[1].first.y()), 4.0);
    QVERIFY(plot->legend(theme, input)[1].value.startsWith(u'▲'));
    QVERIFY(!plot->legend(theme, input)[0].value.contains(u'▲'));
    const int second1 = 80 + 320 / 3; // the mark stands beside it
    int marked = 0;
    for (int x = second1 + 8; x < second1 + 30; ++x)
        for (int y = 0; y < 30; ++y) marked += image.pixelColor(x, y) == theme.job(JobId(1));
    QVERIFY(marked > 5);
    QVERIFY(canvas.widestLabel > 0); // exports make room for the labels
}

/// The earlier run took twice as long: at the end its last loss is told, not that at the end of the present one.
void tst_NarrowLanes::wholeRunsAreReadAtTheirOwnEnds() {
    const auto runOf = [](double last, double seconds) {
        auto log = std::make_shared<EventLog>();
        test::LogWriter w(*log);
        w.at(0, EventType::jobArrived, 0);
        w.at(1, EventType::lossEvaluated, 0, 1, 0, 1);
        w.at(seconds, EventType::lossEvaluated, 0, 2, 0, last);
        w.at(seconds, EventType::runFinished);
        return RunData{.label = QStringLiteral("run"), .workload = test::sampleWorkload(), .log = log};
    };
    ShownIndex now(runOf(0.5, 2)), before(runOf(0.25, 4));
    for (ShownIndex* index : {&now, &before}) index->update();
    const auto plot = makeChartLane({QStringLiteral("loss")});
    LaneInput input{.run = &now, .ghost = &before, .at = SimTime::seconds(2), .end = SimTime::seconds(2)};
    QCOMPARE(plot->legend(Theme::light(), input)[1].value, QStringLiteral("1"));
    input.wholeRun = true;
    QCOMPARE(plot->legend(Theme::light(), input)[0].value, QStringLiteral("0.500"));
    QCOMPARE(plot->legend(Theme::light(), input)[1].value, QStringLiteral("0.250"));
}

void tst_NarrowLanes::namesOfARack() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    for (Machine& machine : workload->cluster.machines)
        machine.name = (machine.rack == "r1" ? "Rack 1, machine " : "Rack 2, machine ") + machine.key.substr(1);
    const ShownIndex index({.label = QStringLiteral("named"), .workload = workload, .log = test::sampleLog()});
    RowNames names(index);
    QCOMPARE(names.next(MachineId(0)), QStringLiteral("Rack 1, machine 1"));
    QCOMPARE(names.next(MachineId(1)), QStringLiteral("Machine 2"));
    QCOMPARE(names.next(MachineId(2)), QStringLiteral("Rack 2, machine 3"));
}

/// Machine 1 of the rack has four tasks, the others none: its rows are high enough for a name, theirs are not.
void tst_NarrowLanes::rackIsNamedWhereItsMachinesCannotBe() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    for (Machine& machine : workload->cluster.machines) machine.name = "Machine " + machine.key;
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    const auto asWorker = static_cast<std::uint16_t>(TaskRole::worker);
    for (std::uint32_t i = 0; i < 4; ++i) w.at(0, EventType::taskPlaced, 0, i, 0, 0, asWorker);
    w.at(10, EventType::runFinished);
    ShownIndex index({.label = QStringLiteral("uneven"), .workload = workload, .log = log});
    index.update();
    QBuffer svg;
    QSvgGenerator picture;
    picture.setOutputDevice(&svg);
    QPainter painter(&picture);
    const Theme theme = Theme::light();
    QFont font;
    font.setPixelSize(12);
    LaneCanvas canvas(painter, theme, font);
    const double tall = 4.0 * 7; // of seven rows, each lower than a name
    canvas.gutter = QRectF(0, 0, 150, tall);
    canvas.plot = QRectF(150, 0, 400, tall);
    canvas.time = {.from = 0, .to = 10, .left = 150, .right = 550};
    GanttPainter gantt;
    const LaneInput input{.run = &index, .at = SimTime::seconds(10), .end = SimTime::seconds(10)};
    QCOMPARE(gantt.rows(input), std::size_t{7});
    gantt.paint(canvas, input);
    painter.end();
    const QString texts = QString::fromUtf8(svg.data());
    QVERIFY2(!texts.contains(QStringLiteral("Machine m1")), qPrintable(texts));
    QVERIFY(texts.contains(QStringLiteral("Rack 1")));
}

TRAINYARD_TEST(tst_NarrowLanes)
#include "tst_NarrowLanes.moc"
