// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The lanes in the window: alignment, cursor, zoom, selection, and that what is drawn stays bounded however
// much there is.
#include "canvas/CanvasContent.h"
#include "drawing/JobColours.h"
#include "drawing/Legend.h"
#include "drawing/StepLine.h"
#include "lanes/GanttPainter.h"
#include "lanes/Lane.h"
#include "lanes/LaneRuns.h"
#include "lanes/Overview.h"
#include "lanes/StragglerPainter.h"
#include "lanes/TimeRuler.h"
#include "session/InteractionMonitor.h"
#include "session/ShownIndex.h"
#include "support/BusyRecord.h"
#include "support/BusyRun.h"
#include "support/LaneFixture.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"
#include "theme/TimeText.h"

#include <QAbstractButton>
#include <QApplication>
#include <QBuffer>
#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QWheelEvent>

#include <cmath>

using namespace trainyard;

class tst_LaneStack : public QObject, test::LaneFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(openLanes(420)); }
    void cleanup() { closeLanes(); }
    void columnsAreTheSameInAllLanes();
    void legendsAreWhole();
    void legendInLittleRoomKeepsValues();
    void legendTellsLongNamesApart();
    void foldedLegendTellsLinesApart();
    void rowsOfALegendEndBeforeWhatTheyLeaveOut();
    void rowNamesGiveWay();
    void emptyRunHasASecond();
    void endOfARunIsReadOut();
    void manyFailuresAreNoScribble();
    void fitsTheWholeRun();
    void clickSetsTheCursor();
    void hoverIsSharedAndReadOut();
    void zoomKeepsTheInstantUnderThePointer();
    void panKeepsTheLengthShown();
    void doubleClickOnTheRulerFollowsAgain();
    void clickOnABarSelectsItsJob();
    void selectionDimsTheOthers();
    void foldedLanesGiveTheirRoom();
    void layoutIsRestored();
    void emptyLanesTeach();
    void ofManyJobsTheLargestHaveColours();
    void keysMoveTheCursor();
    void lossAgainstUpdatesTellsTheTime();
    void drawingIsBounded();
    void picturesGrowWithTheRun();
    void manyCurvesArePaintedOverSeveralFrames();
    void givesWayToAHand();
    void clockTexts();

private:
    void showBusyRun();
};

namespace {

RunData laneRun(const test::BusyRun& run) {
    return {.label = QStringLiteral("fastest-k, seed 11"),
            .scenario = run.scenario,
            .seed = 11,
            .workload = run.workload,
            .log = run.log};
}

void wheelAt(QWidget* widget, QPointF at, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at, widget->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(widget, &event);
}

QPoint middleOf(const Lane* lane, double seconds) {
    return QPoint(static_cast<int>(std::lround(lane->timeScale().x(seconds))), lane->height() / 2);
}

} // namespace

void tst_LaneStack::showBusyRun() { m_run->show(laneRun(test::busyRun())); }

void tst_LaneStack::columnsAreTheSameInAllLanes() {
    showBusyRun();
    for (const int width : {1280, 1024, 700, 2560}) {
        m_stack->resize(width, 420);
        QCoreApplication::processEvents();
        const QRectF first = m_stack->ruler()->plotRect();
        QVERIFY(first.width() > 0.4 * width);
        for (const Lane* lane : m_stack->lanes()) {
            QCOMPARE(lane->mapTo(m_stack.get(), QPoint(0, 0)).x(), 0);
            QCOMPARE(lane->plotRect().left(), first.left());
            QCOMPARE(lane->plotRect().right(), first.right());
            QCOMPARE(lane->timeScale().x(7.5), m_stack->ruler()->timeScale().x(7.5));
        }
        QCOMPARE(m_stack->overview()->plotRect().left(), first.left());
        QCOMPARE(m_stack->overview()->plotRect().right(), first.right());
    }
}

/// A long name widens the column of all lanes alike, and it stays as wide while the same jobs run again.
void tst_LaneStack::legendsAreWhole() {
    RunData run = laneRun(test::busyRun());
    auto workload = std::make_shared<Workload>(*run.workload);
    workload->jobs.front().name = "Five ways to wait, the fourth";
    run.workload = workload;
    m_run->show(run);
    const auto widest = [&] {
        double wanted = 0;
        for (const Lane* lane : m_stack->lanes()) wanted = std::max(wanted, lane->legendWanted());
        return wanted;
    };
    const Lane* gantt = m_stack->lanes()[0];
    QTRY_VERIFY(widest() > 0 && gantt->legendRect().width() >= widest());
    const double wide = gantt->legendRect().width();
    for (const Lane* lane : m_stack->lanes()) QCOMPARE(lane->legendRect().width(), wide);
    QCOMPARE(m_stack->ruler()->plotRect(), QRectF(gantt->plotRect().topLeft(), m_stack->ruler()->plotRect().size()));
    QCOMPARE(m_stack->overview()->plotRect().right(), gantt->plotRect().right());
    m_run->show(run);
    QCOMPARE(gantt->legendRect().width(), wide);
    showBusyRun(); // other names: as narrow as before
    QTRY_VERIFY(gantt->legendRect().width() < wide);
}

/// Five activities beside a strip of three lines: smaller type, or two columns, but each with its number.
void tst_LaneStack::legendInLittleRoomKeepsValues() {
    const Theme theme = Theme::light();
    std::vector<LegendEntry> entries;
    for (const Activity a :
         {Activity::compute, Activity::transfer, Activity::waiting, Activity::discarded, Activity::failed})
        entries.push_back({.label = activityName(a), .value = QStringLiteral("12"), .activity = a});
    QFont font = QApplication::font();
    font.setPixelSize(12);
    const double line = std::floor(QFontMetricsF(font).height()) - 1;
    QImage image(400, 100, QImage::Format_RGB32);
    QPainter painter(&image);
    LaneCanvas canvas(painter, theme, font);
    for (const QSizeF room : {QSizeF(160, 4.2 * line), QSizeF(320, 3 * line)}) {
        const auto places = paintLegendColumn(canvas, QRectF({0, 0}, room), entries).places;
        QCOMPARE(places.size(), entries.size());
        for (const LegendPlace& place : places) QVERIFY(place.valued);
        QVERIFY(places.back().rect.bottom() <= room.height() + 1);
        QVERIFY(mostLegendLines(canvas, QRectF({0, 0}, room)) >= (room.width() < 200 ? entries.size() : 3));
    }
    canvas.font.setPixelSize(18); // of a projector: two columns, and these of smaller type
    const QRectF low(0, 0, 250, 46);
    const auto places = paintLegendColumn(canvas, low, entries).places;
    QCOMPARE(places.size(), entries.size());
    QVERIFY(places.back().rect.bottom() <= low.height() + 1);
}

/// Of names that begin alike and do not fit, what they have in common is left out, not what tells them apart.
void tst_LaneStack::legendTellsLongNamesApart() {
    const Theme theme = Theme::light();
    std::vector<LegendEntry> entries;
    for (int n = 0; n < 3; ++n)
        entries.push_back({.label = QStringLiteral("experiment imagenet sweep number %1 with a long name").arg(n),
                           .value = QStringLiteral("0.1"),
                           .job = JobId(static_cast<std::size_t>(n))});
    entries.push_back({.label = {}, .job = JobId(std::size_t{3})}); // of those that there is no room to name
    QBuffer svg;
    QSvgGenerator picture;
    picture.setOutputDevice(&svg);
    picture.setSize({400, 100});
    {
        QPainter painter(&picture);
        LaneCanvas canvas(painter, theme, QApplication::font());
        const auto places = paintLegendColumn(canvas, QRectF(0, 0, 240, 100), entries).places;
        QCOMPARE(places.front().text, QStringLiteral("experiment imagenet sweep number 0 with a long name: 0.1"));
    }
    for (const char* shown : {"…0 with a long name", "…1 with a long name", "…2 with a long name"})
        QVERIFY2(QString::fromUtf8(svg.data()).contains(QString::fromUtf8(shown)), shown);
}

/// "cpu allocated" is dashed in the lane and in its line when it is folded; "cpu busy", of the same colour, is not.
/// In figures: "and 8 more" does not stand in the name before it.
void tst_LaneStack::rowsOfALegendEndBeforeWhatTheyLeaveOut() {
    QFont font = QApplication::font();
    font.setPixelSize(12);
    const QFontMetricsF metrics(font);
    const Theme theme = Theme::light();
    for (int width = 380; width < 480; width += 7) {
        std::vector<LegendEntry> entries;
        for (int i = 0; i < 20; ++i)
            entries.push_back(
                {.label = QStringLiteral("Long plateau %1").arg(i + 1), .swatch = LegendEntry::Swatch::box});
        QBuffer file;
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        svg.setSize({500, 100});
        QPainter painter(&svg);
        LaneCanvas canvas(painter, theme, font);
        paintLegendRow(canvas, QRectF(0, 0, width, 100), entries);
        painter.end();
        static const QRegularExpression text(
            QStringLiteral("x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"[^>]*>\\s*([^<]+?)\\s*</text>"));
        double end = 0, last = -1, rest = -1;
        for (const auto& match : text.globalMatch(QString::fromUtf8(file.data()))) {
            const double x = match.captured(1).toDouble();
            if (match.captured(3).startsWith(QLatin1String("and ")))
                rest = x, last = match.captured(2).toDouble() - last;
            else
                end = x + metrics.horizontalAdvance(match.captured(3)), last = match.captured(2).toDouble();
        }
        QVERIFY2(rest > 0 && std::abs(last) < 2 && end < rest, qPrintable(QString::number(end - rest)));
    }
}

void tst_LaneStack::foldedLegendTellsLinesApart() {
    const Theme theme = Theme::current();
    const auto swatch = [&](LegendEntry::Swatch kind) {
        QImage image(20, 20, QImage::Format_RGB32);
        image.fill(theme.surface);
        QPainter painter(&image);
        LaneCanvas canvas(painter, theme, QApplication::font());
        paintSwatch(canvas, QRectF(0, 0, 20, 20), {.swatch = kind, .colour = theme.accent});
        return image;
    };
    const QImage dashes = swatch(LegendEntry::Swatch::dashes), line = swatch(LegendEntry::Swatch::line);
    QVERIFY(dashes != line);
    showBusyRun();
    Lane* lane = m_stack->lanes()[3];
    lane->setCollapsed(true);
    QTRY_VERIFY(lane->input().run && !lane->input().run->behind());
    const auto entries = lane->painter().legend(theme, lane->input());
    const auto named = [&](const QString& word) {
        return std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.label.endsWith(word); });
    };
    const auto allocated = named(QStringLiteral("allocated")), busy = named(QStringLiteral("busy"));
    QVERIFY(allocated != entries.end() && busy != entries.end());
    QCOMPARE(allocated->colour, busy->colour);
    QVERIFY(allocated->swatch != busy->swatch);
    // The first mark of the folded lane: colour, nothing, colour.
    QTest::qWait(20);
    const QImage folded = lane->grab().toImage();
    const int y = folded.height() / 2, from = static_cast<int>(lane->plotRect().left()) + 8;
    int changes = 0;
    for (int x = from; x < from + 13; ++x)
        changes += (folded.pixelColor(x, y) == theme.surface) != (folded.pixelColor(x + 1, y) == theme.surface);
    QVERIFY2(changes >= 2, qPrintable(QString::number(changes)));
}

/// Of a name that is a little too long no part is left out; a label that would be cut in half is not drawn.
void tst_LaneStack::rowNamesGiveWay() {
    const Theme theme = Theme::current();
    QFont font = QApplication::font();
    font.setPixelSize(12);
    const QString name = QStringLiteral("Worker 4 (slow) · w4");
    const double wide = QFontMetricsF(font).horizontalAdvance(name);
    const auto painted = [&](double width, double y) {
        QBuffer svg;
        QSvgGenerator picture;
        picture.setOutputDevice(&svg);
        QPainter painter(&picture);
        LaneCanvas canvas(painter, theme, font);
        canvas.gutter = QRectF(0, 0, width + 8, 60);
        canvas.rowLabel(y, 14, name, false, false);
        painter.end();
        return QString::fromUtf8(svg.data());
    };
    QVERIFY(painted(wide + 1, 10).contains(name));
    QVERIFY(painted(0.85 * wide, 10).contains(name));
    const QString shortened = painted(0.4 * wide, 10);
    QVERIFY2(!shortened.contains(u'…') && !shortened.contains(QStringLiteral("Worker")), qPrintable(shortened));
    QVERIFY(shortened.contains(QStringLiteral("w4"))); // rather than "Wor… · w4"
    QVERIFY(!painted(wide + 1, 54).contains(QStringLiteral("<text")));
}

/// Nothing has happened: the axis is a second long, not a few nanoseconds.
void tst_LaneStack::emptyRunHasASecond() {
    RunData run = laneRun(test::busyRun());
    run.log = std::make_shared<EventLog>();
    m_run->show(run);
    QCOMPARE(m_axis->visibleTo(), 1.0);
}

/// At the end of a run the columns say means, not what is left of it at its last instant; at the pointer, that instant.
void tst_LaneStack::endOfARunIsReadOut() {
    showBusyRun();
    const Theme theme = Theme::current();
    Lane* lane = m_stack->lanes()[3];
    QTRY_VERIFY(lane->input().run && !lane->input().run->behind() && lane->input().wholeRun);
    const ShownIndex& run = *lane->input().run;
    const auto percent = [](double share) { return QString::fromStdString(quantityText(100 * share, "%")); };
    const auto first = [&] { return lane->painter().legend(theme, lane->input()).front(); };
    const StepSeries& allocated = run.meanUtilization().size() > 0 ? run.meanUtilization() : run.utilization().front();
    double arrival = 1e9; // of the first: nothing can be used before, and metrics count from there
    for (const JobHistory& job : run.jobs()) arrival = std::min(arrival, job.arrived().toSeconds());
    QCOMPARE(first().value, percent(allocated.mean(arrival, lane->input().end.toSeconds())));
    m_axis->setHover(SimTime::seconds(1));
    QTRY_VERIFY(!lane->input().wholeRun);
    QCOMPARE(first().value, percent(allocated.at(1)));
    m_axis->setHover(std::nullopt);
}

/// Hundreds of blocked jobs: the bar of the whole run has as many flags as have room, and what is beneath stays visible.
void tst_LaneStack::manyFailuresAreNoScribble() {
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    w.at(0, EventType::jobArrived, 0);
    for (int i = 1; i < 500; ++i) w.at(i, EventType::machineFailed, JobId::none, 0);
    w.at(500, EventType::runFinished);
    m_run->show({.label = QStringLiteral("fails"), .workload = test::sampleWorkload(), .log = log});
    QTRY_VERIFY(m_stack->lanes()[0]->input().run && !m_stack->lanes()[0]->input().run->behind());
    const QImage bar = m_stack->overview()->grab().toImage();
    int reddish = 0; // columns: a line may share two
    for (int x = 0; x < bar.width(); ++x) {
        const QColor colour = bar.pixelColor(x, bar.height() - 8);
        reddish += colour.red() - colour.green() > 15;
    }
    QVERIFY2(reddish > 20 && reddish < bar.width() / 3, qPrintable(QString::number(reddish)));
}

void tst_LaneStack::fitsTheWholeRun() {
    const auto run = test::busyRun();
    m_run->show(laneRun(run));
    QCOMPARE(m_axis->visibleFrom(), 0.0);
    QCOMPARE(m_axis->visibleTo(), (*run.log)[run.log->size() - 1].time.toSeconds());
}

void tst_LaneStack::clickSetsTheCursor() {
    showBusyRun();
    for (Lane* lane : m_stack->lanes()) {
        m_axis->setCursor(std::nullopt);
        QTest::mouseClick(lane, Qt::LeftButton, {}, middleOf(lane, 10));
        QVERIFY(m_axis->cursor());
        // A pixel is the precision of a hand.
        QVERIFY(std::abs(m_axis->cursor()->toSeconds() - 10) <= 1 / lane->timeScale().pixelsPerSecond());
    }
    Lane* lane = m_stack->lanes()[1];
    QTest::mousePress(lane, Qt::LeftButton, {}, middleOf(lane, 5));
    QTest::mouseMove(lane, middleOf(lane, 8));
    QVERIFY(std::abs(m_axis->cursor()->toSeconds() - 8) <= 1 / lane->timeScale().pixelsPerSecond());
    QTest::mouseMove(lane, QPoint(lane->width() - 1, 5)); // past the end: the end
    QVERIFY(m_axis->cursor()->toSeconds() <= m_axis->visibleTo());
    QTest::mouseRelease(lane, Qt::LeftButton, {}, middleOf(lane, 8));
    const auto before = m_axis->cursor();
    QTest::mouseClick(lane, Qt::LeftButton, {}, QPoint(30, lane->height() - 4)); // the gutter is no time
    QCOMPARE(m_axis->cursor(), before);
}

void tst_LaneStack::hoverIsSharedAndReadOut() {
    showBusyRun();
    Lane* gantt = m_stack->lanes()[0];
    QTest::mouseMove(gantt, middleOf(gantt, 6));
    QVERIFY(m_axis->hover());
    for (Lane* lane : m_stack->lanes()) QCOMPARE(lane->input().at, *m_axis->hover());
    // At 6 s both jobs run: 6 workers and a server of Digits, 3 workers of Ranking.
    const auto entries = gantt->painter().legend(Theme::light(), gantt->input());
    QCOMPARE(entries.size(), std::size_t{3}); // and what is held and idle
    QVERIFY(entries[0].value.startsWith(QLatin1Char('7')));
    QVERIFY(entries[1].value.startsWith(QLatin1Char('3')));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(gantt, &leave);
    QVERIFY(!m_axis->hover());
}

void tst_LaneStack::zoomKeepsTheInstantUnderThePointer() {
    showBusyRun();
    Lane* lane = m_stack->lanes()[2];
    for (const double seconds : {3.0, 11.0, 17.0}) {
        m_stack->showWholeRun();
        const double x = lane->timeScale().x(seconds);
        const double before = lane->timeScale().seconds(x);
        for (int i = 0; i < 12; ++i) wheelAt(lane, QPointF(x, 10), 120);
        QVERIFY(m_axis->visibleTo() - m_axis->visibleFrom() < 3);
        QVERIFY(std::abs(lane->timeScale().seconds(x) - before) < 1e-6);
        for (int i = 0; i < 14; ++i) wheelAt(lane, QPointF(x, 10), -120);
        QVERIFY(m_axis->fitting()); // zoomed out all the way is the whole run again
        QCOMPARE(m_axis->visibleFrom(), 0.0);
    }
}

void tst_LaneStack::panKeepsTheLengthShown() {
    showBusyRun();
    m_axis->setVisible(5, 9);
    Lane* lane = m_stack->lanes()[0];
    wheelAt(lane, middleOf(lane, 7), -120, Qt::ShiftModifier);
    QVERIFY(m_axis->visibleFrom() > 5);
    QVERIFY(std::abs(m_axis->visibleTo() - m_axis->visibleFrom() - 4) < 1e-9);
    for (int i = 0; i < 50; ++i) wheelAt(lane, middleOf(lane, 7), 120, Qt::ShiftModifier);
    QCOMPARE(m_axis->visibleFrom(), 0.0);
    QTest::mousePress(lane, Qt::MiddleButton, {}, QPoint(700, 20));
    QTest::mouseMove(lane, QPoint(600, 20)); // 100 pixels to the left: later times come
    QTest::mouseRelease(lane, Qt::MiddleButton, {}, QPoint(600, 20));
    QVERIFY(std::abs(m_axis->visibleFrom() - 100 / lane->timeScale().pixelsPerSecond()) < 1e-9);
}

void tst_LaneStack::doubleClickOnTheRulerFollowsAgain() {
    showBusyRun();
    m_axis->setCursor(SimTime::seconds(4));
    QTest::mouseDClick(m_stack->ruler(), Qt::LeftButton, {}, QPoint(500, 8));
    QVERIFY(!m_axis->cursor());
}

void tst_LaneStack::clickOnABarSelectsItsJob() {
    showBusyRun();
    Lane* gantt = m_stack->lanes()[0];
    // m1 hosts a Digits worker in its first slot and the server in its second: the first row is Digits from
    // 0.4 s on.
    QTest::mouseClick(gantt, Qt::LeftButton, {}, QPoint(static_cast<int>(gantt->timeScale().x(9)), 6));
    QCOMPARE(m_selection->job(), JobId(0));
    QTest::keyClick(m_stack.get(), Qt::Key_Escape);
    QVERIFY(!m_selection->job().valid());
    // The gutter selects the machine.
    QTest::mouseClick(gantt, Qt::LeftButton, {}, QPoint(static_cast<int>(gantt->plotRect().left()) - 12, 6));
    QCOMPARE(m_selection->entities(), QStringList{QStringLiteral("m1")});
}

void tst_LaneStack::selectionDimsTheOthers() {
    showBusyRun();
    Lane* gantt = m_stack->lanes()[0];
    const auto strength = [&](JobId job) { // pixels of exactly the job's colour
        const QImage image = gantt->grab().toImage();
        const QRgb wanted = Theme::current().job(job).rgb();
        int n = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = static_cast<int>(gantt->plotRect().left()); x < gantt->plotRect().right(); ++x)
                n += image.pixel(x, y) == wanted;
        return n;
    };
    const int before0 = strength(JobId(0)), before1 = strength(JobId(1));
    QVERIFY(before0 > 500);
    QVERIFY(before1 > 500);
    m_selection->selectJob(JobId(1));
    QCOMPARE(strength(JobId(0)), 0);
    QCOMPARE(strength(JobId(1)), before1);
    // The strip shows the selected job's workers.
    QCOMPARE(m_stack->lanes()[1]->painter().rows(m_stack->lanes()[1]->input()), std::size_t{3});
    m_selection->clear();
    QCOMPARE(strength(JobId(0)), before0);
}

void tst_LaneStack::foldedLanesGiveTheirRoom() {
    showBusyRun();
    const int before = m_stack->lanes()[2]->height();
    m_stack->lanes()[0]->setCollapsed(true);
    m_stack->lanes()[1]->setCollapsed(true);
    QCoreApplication::processEvents();
    QCOMPARE(m_stack->lanes()[0]->height(), m_stack->lanes()[0]->collapsedHeight());
    QVERIFY(m_stack->lanes()[2]->height() > before);
    m_stack->lanes()[0]->setCollapsed(false);
    QCoreApplication::processEvents();
    QVERIFY(m_stack->lanes()[0]->height() > 2 * m_stack->lanes()[0]->collapsedHeight());
}

void tst_LaneStack::layoutIsRestored() {
    m_stack->lanes()[3]->setCollapsed(true);
    const QByteArray saved = m_stack->saveLayout();
    m_stack->lanes()[3]->setCollapsed(false);
    m_stack->restoreLayout(saved);
    QVERIFY(m_stack->lanes()[3]->collapsed());
    QVERIFY(!m_stack->lanes()[0]->collapsed());
    m_stack->restoreLayout(QByteArrayLiteral("garbage")); // another version's, or none: nothing happens
    QVERIFY(m_stack->lanes()[3]->collapsed());
}

void tst_LaneStack::emptyLanesTeach() {
    for (Lane* lane : m_stack->lanes()) {
        QVERIFY(lane->painter().emptyText(lane->input()).contains(QStringLiteral("Press play")));
        QVERIFY(!lane->grab().isNull());
    }
    auto run = test::busyRun();
    run.log = std::make_shared<EventLog>(); // started, nothing has happened
    m_run->show(laneRun(run));
    for (Lane* lane : m_stack->lanes()) QVERIFY(!lane->painter().emptyText(lane->input()).isEmpty());
    QTest::mouseClick(m_stack->lanes()[2], Qt::LeftButton, {}, QPoint(600, 20));
    QVERIFY(!m_stack->grab().isNull());
}

/// Hundreds of colours would tell nothing apart.
void tst_LaneStack::ofManyJobsTheLargestHaveColours() {
    for (const std::size_t count : {36, 200}) {
        RunData run = test::busyRunData();
        auto workload = std::make_shared<Workload>(*run.workload);
        while (workload->jobs.size() < count) workload->jobs.push_back(workload->jobs.front());
        workload->jobs[100 % count].stop.iterations = 1'000'000;
        run.workload = workload;
        const ShownIndex index(run);
        std::size_t coloured = 0;
        for (std::size_t j = 0; j < count; ++j) coloured += index.isColoured(JobId(j));
        QCOMPARE(coloured, count > 36 ? std::size_t{12} : count);
        QVERIFY(index.isColoured(JobId(100 % count)));
        const Theme theme = Theme::light();
        const JobId last(count - 1);
        QCOMPARE(jobColour(theme, index, last, {}) == theme.job(last), count <= 36);
        QCOMPARE(jobColour(theme, index, last, last), theme.job(last));
        CanvasContent canvas; // has them in the same colours
        canvas.setCluster(workload->cluster);
        canvas.setState(std::make_shared<ClusterState>(workload));
        for (const JobId selected : {JobId(), last}) {
            canvas.selectedJob = selected;
            for (std::size_t j = 0; j < count; ++j)
                QCOMPARE(theme.job(JobId(j), canvas.isColoured(JobId(j))), jobColour(theme, index, JobId(j), selected));
        }
    }
}

void tst_LaneStack::keysMoveTheCursor() {
    showBusyRun();
    QTest::keyClick(m_stack.get(), Qt::Key_Home);
    QCOMPARE(m_axis->cursor(), std::optional(SimTime::zero()));
    QTest::keyClick(m_stack.get(), Qt::Key_Left);
    QCOMPARE(m_axis->cursor(), std::optional(SimTime::zero()));
    QTest::keyClick(m_stack.get(), Qt::Key_Right);
    QVERIFY(*m_axis->cursor() > SimTime::zero());
    QTest::keyClick(m_stack.get(), Qt::Key_End);
    QVERIFY(!m_axis->cursor());
}

void tst_LaneStack::lossAgainstUpdatesTellsTheTime() {
    showBusyRun();
    Lane* loss = m_stack->lanes()[2];
    const auto switches = loss->findChildren<QAbstractButton*>();
    for (auto* button : switches)
        if (button->text() == QStringLiteral("updates")) button->click();
    QCOMPARE(loss->painter().subject()->key, QStringLiteral("loss?against=updates"));
    loss->grab();
    // Digits makes 30 updates, Ranking more; the pointer at an update stands for the instant of that update.
    const auto& losses = loss->input().run->jobs()[0].losses;
    m_selection->selectJob(JobId(0));
    loss->grab();
    QCoreApplication::processEvents(); // the column of the legend has its width
    loss->grab();
    double most = 0;
    for (const auto& job : loss->input().run->jobs())
        for (const double u : job.losses.update) most = std::max(most, u);
    const QRectF plot = loss->plotRect();
    const double x = std::round(plot.left() + plot.width() * 9.7 / most); // between update 9 and 10
    QTest::mouseMove(loss, QPoint(static_cast<int>(x), 20));
    QVERIFY(m_axis->hover());
    const double share = (x - plot.left()) / plot.width() * most - 9;
    QVERIFY(std::abs(m_axis->hover()->toSeconds() - std::lerp(losses.time[8], losses.time[9], share)) < 1e-6);
}

void tst_LaneStack::drawingIsBounded() {
    // 4,000 iterations of the busy run: some 150,000 intervals. In the whole view everything is narrower than
    // a pixel; what is drawn is bounded by pixels: at most two boxes per column and row.
    const auto run = test::busyRun(4000);
    m_run->show(laneRun(run));
    QTRY_VERIFY(!m_stack->lanes()[0]->input().run->behind());
    const ShownIndex& index = *m_stack->lanes()[0]->input().run;
    QVERIFY(index.intervals() > 90'000);
    for (Lane* lane : m_stack->lanes()) {
        for (const double share : {1.0, 0.1, 0.01, 0.001}) {
            const double end = index.head().toSeconds();
            m_axis->setVisible(0.2 * end, (0.2 + 0.8 * share) * end);
            lane->grab();
            const double columns = lane->plotRect().width();
            const double rows = std::max<double>(1, static_cast<double>(lane->painter().rows(lane->input())));
            QVERIFY2(static_cast<double>(lane->itemsDrawn()) <= 2 * columns * rows + 4 * columns,
                     qPrintable(QStringLiteral("%1: %2 items").arg(lane->accessibleName()).arg(lane->itemsDrawn())));
        }
    }
    // Zoomed in to single intervals, the runs are the intervals.
    const IntervalTrack& track = index.jobs()[0].workers[0].track;
    TimeScale scale{.from = 100, .to = 104, .left = 0, .right = 1000};
    const auto runs = laneRuns(track, scale, 0, 1000, index.head());
    std::size_t expected = track.indexAt(SimTime::seconds(104)) - track.indexAt(SimTime::seconds(100)) + 1;
    QCOMPARE(runs.size(), expected);
    for (std::size_t i = 1; i < runs.size(); ++i) QCOMPARE(runs[i].x0, runs[i - 1].x1);
    // Merged columns keep the shares: in a whole view their mean is the share of the whole span.
    scale = {.from = 0, .to = index.head().toSeconds(), .left = 0, .right = 1000};
    double waiting = 0, width = 0;
    for (const LaneRun& r : laneRuns(track, scale, 0, 1000, index.head())) {
        waiting +=
            (r.x1 - r.x0) * (r.merged ? static_cast<double>(r.shares[static_cast<std::size_t>(WorkerPhase::waiting)])
                             : r.phase == WorkerPhase::waiting ? 1.0
                                                               : 0.0);
        width += r.x1 - r.x0;
    }
    const auto sums = track.sumsUntil(index.head(), track.size() - 1);
    const double span = (index.head() - track.start(0)).toSeconds();
    QVERIFY(std::abs(waiting / width -
                     static_cast<double>(sums[static_cast<std::size_t>(WorkerPhase::waiting)]) * 1e-9 / span) < 1e-3);
    // 100,000 failures of a machine are no more.
    auto failing = std::make_shared<EventLog>();
    test::LogWriter w(*failing);
    w.at(0, EventType::jobArrived, 0);
    for (int i = 1; i < 200'000; i += 2) {
        w.at(i, EventType::machineFailed, JobId::none, 0);
        w.at(i + 1, EventType::machineRepaired, JobId::none, 0);
    }
    m_run->show({.label = QStringLiteral("fails"), .workload = test::sampleWorkload(), .log = failing});
    Lane* gantt = m_stack->lanes()[0];
    QTRY_VERIFY(gantt->input().run && !gantt->input().run->behind());
    gantt->grab();
    QVERIFY2(gantt->itemsDrawn() > 100 && gantt->itemsDrawn() < 20'000,
             qPrintable(QString::number(gantt->itemsDrawn())));
}

/// While a run goes on, lanes are painted where it has: the same pixels as painted as a whole, whatever came; of curves but
/// for those where what is left out of a line differs by a part of a pixel.
void tst_LaneStack::picturesGrowWithTheRun() {
    const auto run = test::busyRun(60); // discarded gradients, a lost machine, a job that ends
    auto log = std::make_shared<EventLog>();
    RunData data = laneRun(run);
    data.log = log;
    data.running = true;
    std::size_t next = 0;
    const auto goOn = [&](double seconds) {
        for (; next < run.log->size() && (*run.log)[next].time <= SimTime::seconds(seconds); ++next)
            log->append((*run.log)[next]);
    };
    const auto anew = [](Lane* lane) {
        QEvent style(QEvent::PaletteChange);
        QCoreApplication::sendEvent(lane, &style);
        return lane->grab().toImage();
    };
    /// The share of pixels that are clearly not the same.
    const auto differing = [](const QImage& a, const QImage& b) {
        int count = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x) count += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y))) > 48;
        return count / std::max(1.0, 1.0 * a.width() * a.height());
    };
    goOn(0.5);
    m_run->show(data);
    double now = 0.5;
    struct View {
        double seconds, step, until;
    };
    for (const auto& [seconds, step, until] : {View{45, 0.37, 20}, {600, 1.3, 30}, {8, 0.023, 32}}) {
        m_axis->setVisible(seconds < 10 ? now - 1 : 0, seconds < 10 ? now - 1 + seconds : seconds);
        int grown = 0, frames = 0;
        for (; now < until; now += step, ++frames) {
            goOn(now);
            Q_EMIT m_run->frame();
            for (std::size_t i = 0; i < m_stack->lanes().size(); ++i) {
                Lane* lane = m_stack->lanes()[i];
                const QImage growing = lane->grab().toImage();
                const std::size_t drawn = lane->itemsDrawn();
                const QImage whole = anew(lane);
                QVERIFY2(i < 2 ? growing == whole : differing(growing, whole) < 0.0005,
                         qPrintable(QStringLiteral("lane %1, %2 s of %3: %4")
                                        .arg(i)
                                        .arg(now)
                                        .arg(seconds)
                                        .arg(differing(growing, whole))));
                if (i < 2) grown += 3 * drawn < 2 * lane->itemsDrawn();
            }
        }
        QVERIFY2(seconds > 100 || grown > frames, qPrintable(QString::number(grown)));
    }
    // What else changes is seen at once.
    Lane* gantt = m_stack->lanes()[0];
    const QImage before = gantt->grab().toImage();
    m_selection->selectJob(JobId(1));
    QVERIFY(gantt->grab().toImage() != before);
    // Another run begins anew.
    m_selection->clear();
    showBusyRun();
    const QImage other = gantt->grab().toImage();
    QCOMPARE(other, anew(gantt));
}

void tst_LaneStack::manyCurvesArePaintedOverSeveralFrames() {
    // 300 jobs with a loss curve each: more than are painted at once.
    auto workload = std::make_shared<Workload>(*test::busyRun().workload);
    const Job one = workload->jobs[0];
    workload->jobs.clear();
    auto log = std::make_shared<EventLog>();
    constexpr std::uint32_t jobs = 300;
    for (std::uint32_t j = 0; j < jobs; ++j) {
        workload->jobs.push_back(one);
        workload->jobs.back().key = "job-" + std::to_string(j);
    }
    const auto evaluate = [&](int i) {
        for (std::uint32_t j = 0; j < jobs; ++j)
            log->append({.time = SimTime::seconds(i),
                         .type = EventType::lossEvaluated,
                         .job = j,
                         .a = static_cast<std::uint32_t>(i),
                         .value = 1 + j + 100.0 / i});
    };
    for (int i = 1; i <= 40; ++i) evaluate(i);
    m_run->show({.scenario = test::busyRun().scenario, .workload = workload, .log = log});
    Lane* loss = m_stack->lanes()[2];
    QTRY_VERIFY(loss->input().run && !loss->input().run->behind());
    QImage finished; // however many frames it takes
    QTRY_VERIFY((finished = loss->grab().toImage(), !loss->painter().unfinished()));
    QCOMPARE(loss->grab().toImage(), finished); // it rests
    const auto coloured = [&](const QImage& image, double from, double to) {
        int n = 0;
        for (int x = static_cast<int>(loss->timeScale().x(from)); x < loss->timeScale().x(to); ++x)
            for (int y = 4; y < image.height() - 4; ++y) n += QColor(image.pixel(x, y)).saturation() > 120;
        return n;
    };
    QVERIFY(coloured(finished, 5, 39) > 1000);
    // Zoomed, the finished picture stands in until the new one is there, which comes by itself.
    m_axis->setVisible(10, 20);
    QVERIFY(coloured(loss->grab().toImage(), 11, 19) > 1000);
    QTRY_VERIFY(!loss->painter().unfinished());
    // The title follows the picture, which comes after the input: losses that fall tenfold have a logarithmic axis.
    QString told;
    connect(loss, &Lane::inputTaken, loss, [&] { told = loss->painter().axisTitle(loss->input()); });
    for (int i = 41; i <= 80; ++i)
        for (std::uint32_t j = 0; j < jobs; ++j)
            log->append({.time = SimTime::seconds(i),
                         .type = EventType::lossEvaluated,
                         .job = j,
                         .a = static_cast<std::uint32_t>(i),
                         .value = (1.0 + j) / i});
    m_axis->setVisible(0, 80);
    Q_EMIT m_run->frame();
    QTRY_VERIFY2(told.contains(QStringLiteral("log scale")), qPrintable(told));
    // Every label of a legend that has room for few is counted.
    LaneInput few = loss->input();
    few.mostEntries = 3;
    const auto entries = loss->painter().legend(Theme::light(), few);
    QCOMPARE(entries.size(), std::size_t{jobs});
    QVERIFY(!entries[2].label.isEmpty());
    QVERIFY(entries[3].label.isEmpty());
    few.job = JobId(20); // the selected one is named wherever it stands
    for (const LegendEntry& entry : loss->painter().legend(Theme::light(), few))
        if (entry.job == few.job) QVERIFY(!entry.label.isEmpty() && !entry.dimmed);
    // An export is not left half done.
    const Theme theme = Theme::light(); // the canvas only refers to it
    QImage page(900, 300, QImage::Format_RGB32), again = page;
    for (QImage* image : {&page, &again}) {
        image->fill(Qt::white);
        QPainter painter(image);
        LaneCanvas canvas(painter, theme, QFont());
        canvas.gutter = QRectF(0, 0, 100, 300);
        canvas.plot = QRectF(100, 0, 800, 300);
        canvas.time = {.from = 0, .to = 40, .left = 100, .right = 900};
        const auto plot = makeChartLane({QStringLiteral("loss")});
        plot->paint(canvas, loss->input());
        QVERIFY(!plot->unfinished());
    }
    QCOMPARE(page, again);
}

// Every third frame while somebody drags, all when nobody does, and the last one in any case.
void tst_LaneStack::givesWayToAHand() {
    showBusyRun();
    QSignalSpy refreshed(m_shown.get(), &ShownRuns::changed);
    const auto frames = [&](int count) {
        refreshed.clear();
        for (int i = 0; i < count; ++i) Q_EMIT m_run->frame();
        return refreshed.size();
    };
    QCOMPARE(frames(4), 4);
    m_hand.moved();
    QCOMPARE(frames(6), 2);
    m_hand.moved();
    QCOMPARE(frames(1), 0);
    QTRY_COMPARE(refreshed.size(), 1);
    QTRY_VERIFY(!m_hand.isBusy());
    QCOMPARE(frames(2), 2);
}

void tst_LaneStack::clockTexts() {
    QCOMPARE(clockText(192.45, 1e-3), QStringLiteral("03:12.450"));
    QCOMPARE(clockText(192.45, 1), QStringLiteral("03:12"));
    QCOMPARE(clockText(3 * 3600 + 5, 60), QStringLiteral("3:00:05"));
    QCOMPARE(clockText(59.9996, 1e-3), QStringLiteral("01:00.000")); // rounded as a whole
    QCOMPARE(clockText(2 * 86400 + 192, 1), QStringLiteral("2 d 00:03:12"));
    QCOMPARE(durationText(0.42e-3), QStringLiteral("420 µs"));
    QCOMPARE(durationText(0.9996), QStringLiteral("1 s"));
    QCOMPARE(numberText(2.345e-5, 3), QStringLiteral("2.35×10⁻⁵"));
    QCOMPARE(numberText(80000, 4), QStringLiteral("80,000"));
    QCOMPARE(numberText(-3141.6, 3), QStringLiteral("−3,142"));
    QCOMPARE(numberText(1234.5, 5), QStringLiteral("1,234.5"));
    QCOMPARE(numberText(2.5e7, 3), QStringLiteral("2.5×10⁷"));
    QCOMPARE(countText(1234567), QStringLiteral("1,234,567"));
    const TimeScale scale{.from = 0, .to = 60, .left = 0, .right = 1000};
    QCOMPARE(scale.tickStep(80), 5.0); // 80 px are 4.8 s
    QCOMPARE(scale.ticks(15), (std::vector<double>{0, 15, 30, 45, 60}));
}

TRAINYARD_TEST(tst_LaneStack)
#include "tst_LaneStack.moc"
