// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window as it first opens: what is in sight at 1280×800 and at 1024×600, on a projector, and what comes to the front.
#include "canvas/CanvasView.h"
#include "canvas/EmptyCanvas.h"
#include "canvas/ToolStrip.h"
#include "forms/PolicyPanel.h"
#include "forms/TextAreaEditor.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "lanes/Overview.h"
#include "shell/ActionList.h"
#include "shell/EditorActions.h"
#include "shell/FileActions.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/ProblemsPanel.h"
#include "shell/RunProgress.h"
#include "shell/ScenarioOutline.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "tables/JobsModel.h"
#include "tables/JobsTable.h"
#include "theme/ElidedLabel.h"
#include "theme/Reading.h"
#include "transport/TransportBar.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSpinBox>
#include <QStatusBar>
#include <QToolButton>

using namespace trainyard;

namespace {

using LayoutWindow = test::WindowFixture;

/// Wholly within the window, and not behind another tab.
bool isInSight(const QWidget* widget) {
    const QWidget* window = widget->window();
    return widget->isVisible() && !widget->visibleRegion().isEmpty() &&
           window->rect().contains(QRect(widget->mapTo(window, QPoint(0, 0)), widget->size()));
}

} // namespace

class tst_WindowLayout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void firstSight_data();
    void firstSight();
    void emptyCanvasHasItsButtons();
    void smallScreenShowsTheWholeCluster();
    void projectorKeepsModeAndSeed();
    void startPageDoesNotChangeTheLab();
    void goingRoundKeepsTheWindowsSize();
    void projectorHasAllMenus();
    void projectorGivesTheClusterRoom();
    void projectorLeavesOutEmptyLanes();
    void projectorKeepsTheWindowsSize();
    void statusLineIsAsHighAsBefore();
    void projectorFillsTheScreen();
    void projectorHoldsEveryPanel();
    void projectorTableIsWhole();
    void projectorFormsAreWhole();
    void projectorHasThreeLanes();
    void statusCountsAsLanes();
    void statusNamesThePolicies();
    void statusSaysHowFastTheRestWas();
    void statusCountsEveryEnd();
    void statusSaysStopped_data();
    void statusSaysStopped();
    void messagesStandAlone();
    void noLaneIsHalfInSight();
    void panelsComeToTheFront();
    void jobsCanBeInserted();
    void emptyProblemsSaySo();

private:
    test::OwnSettings m_settings{"tst_WindowLayout"};
};

void tst_WindowLayout::firstSight_data() {
    QTest::addColumn<QString>("scenario");
    for (const char* name : {"one-slow-worker", "first-steps", "two-racks", "bottleneck", "five-ways-to-wait"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

/// Policies with the synchronization, notes folded, and every row of Gantt and strip without scrolling.
void tst_WindowLayout::firstSight() {
    QFETCH(QString, scenario);
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter(scenario.toLatin1().constData())));
    w.workspace.runs().session()->runToEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    QTRY_VERIFY(isInSight(w.window.policies().picker(PolicyFamily::synchronization)));
    QVERIFY(isInSight(w.window.policies().picker(PolicyFamily::scheduler)));
    auto* stack = w.window.findChild<LaneStack*>();
    QTRY_VERIFY(stack->lanes()[0]->input().run && !stack->lanes()[0]->input().run->behind());
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        const Lane* lane = stack->lanes()[i];
        QTRY_VERIFY2(lane->findChild<QScrollBar*>()->maximum() == 0,
                     qPrintable(QStringLiteral("%1: %2 pixels").arg(lane->accessibleName()).arg(lane->height())));
    }
    for (const auto* notes : w.window.findChildren<TextAreaEditor*>())
        if (const auto* text = notes->findChild<QPlainTextEdit*>(); text->isVisible())
            QVERIFY(text->height() <= 4 * text->fontMetrics().lineSpacing() + 16);
}

/// What an empty canvas offers is whole, and has room.
void tst_WindowLayout::emptyCanvasHasItsButtons() {
    LayoutWindow w;
    w.window.resize(1366, 768);
    w.workspace.create(Scenario{});
    w.window.places().go("lab");
    auto* words = w.window.findChild<EmptyCanvas*>();
    QTRY_VERIFY(words && words->isVisible());
    QTest::qWait(200); // the panels share the space
    for (const QPushButton* button : words->findChildren<QPushButton*>())
        QVERIFY2(isInSight(button) && button->height() >= button->sizeHint().height(), qPrintable(button->text()));
}

void tst_WindowLayout::smallScreenShowsTheWholeCluster() {
    LayoutWindow w;
    w.window.resize(1024, 600);
    QVERIFY(w.window.files().open(test::starter("two-racks")));
    QTest::qWait(200); // the panels share the space
    const CanvasView& canvas = w.window.canvas();
    const QRectF seen = canvas.mapToScene(canvas.viewport()->rect()).boundingRect();
    QTRY_VERIFY(canvas.mapToScene(canvas.viewport()->rect()).boundingRect().contains(canvas.content().layout.bounds));
    QVERIFY(seen.isValid());
    QCOMPARE(w.window.size(), QSize(1024, 600));
}

void tst_WindowLayout::projectorKeepsModeAndSeed() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    const auto actions = w.window.transport().actions();
    w.theme.setProjector(true, false);
    QTRY_VERIFY(isInSight(w.window.transport().findChild<QSpinBox*>()));
    QTRY_VERIFY(isInSight(w.window.transport().findChild<QComboBox*>()));
    QVERIFY(w.window.transport().actions().contains(w.window.transport().playAction()));
    w.theme.setProjector(false, false);
    QTRY_COMPARE(w.window.transport().actions(), actions);
}

/// The window opens on the start page, as it does without a file: the Lab is then as large as with one.
void tst_WindowLayout::startPageDoesNotChangeTheLab() {
    const auto sizes = [](LayoutWindow& w) {
        QString all;
        for (const char* id : {"policies", "inspector", "lanes"}) {
            const QSize size = w.window.panels().find(QLatin1String(id))->size();
            all += QStringLiteral("%1: %2x%3 ").arg(QLatin1String(id)).arg(size.width()).arg(size.height());
        }
        return all;
    };
    const QString file = QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/two-racks.json");
    LayoutWindow direct, started;
    started.window.places().go("start");
    QVERIFY(direct.window.files().open(file));
    QTest::qWait(100);
    QVERIFY(started.window.files().open(file));
    QTRY_COMPARE(sizes(started), sizes(direct));
}

/// Each place and back: a page that is high beside panels that come back made the window higher than the screen.
void tst_WindowLayout::goingRoundKeepsTheWindowsSize() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    w.window.resize(1280, 700);
    QTest::qWait(100);
    auto* places = w.window.findChild<Places*>();
    for (const char* place : {"compare", "training", "start"}) {
        places->go(place);
        QTest::qWait(100);
        places->go("lab");
        QTest::qWait(100);
        QVERIFY2(w.window.size() == QSize(1280, 700), place);
    }
}

/// Help is the last of them.
void tst_WindowLayout::projectorHasAllMenus() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    w.window.resize(1024, 600);
    w.theme.setProjector(true, false);
    QTRY_VERIFY(!w.window.panels().find(QStringLiteral("inspector"))->isVisible());
    const QMenuBar& bar = *w.window.menuBar();
    const auto last = [&] { return bar.actionGeometry(bar.actions().last()); };
    QTRY_VERIFY2(last().isValid() && last().right() <= bar.width(), qPrintable(QString::number(last().right())));
}

/// On a projector tools and overview give their place to the cluster, and no lane is cut; they come back afterwards.
void tst_WindowLayout::projectorGivesTheClusterRoom() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().pause();
    auto* stack = w.window.findChild<LaneStack*>();
    auto* strip = w.window.canvas().findChild<ToolStrip*>();
    QTRY_VERIFY(strip->isVisible() && stack->overview()->isVisible());
    w.theme.setProjector(true, false);
    QTRY_VERIFY(!strip->isVisible() && !stack->overview()->isVisible());
    for (const std::size_t lane : {std::size_t{0}, std::size_t{1}, std::size_t{2}})
        QTRY_COMPARE(stack->lanes()[lane]->visibleRegion().boundingRect(), stack->lanes()[lane]->rect());
    QTRY_VERIFY(w.window.canvas().height() > 0.25 * w.window.height());
    // Drawing goes on by the menu; a tool asked for again waits for the usual size.
    w.window.commands().find(QStringLiteral("view.tools"))->trigger();
    w.window.commands().find(QStringLiteral("view.tools"))->trigger();
    QVERIFY(!strip->isVisible());
    w.theme.setProjector(false, false);
    QTRY_VERIFY(strip->isVisible() && stack->overview()->isVisible());
}

/// Under the rate model nobody is seen to wait: the other lanes have the room. A larger screen is the lanes' and the cluster's.
void tst_WindowLayout::projectorLeavesOutEmptyLanes() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/pdors/default.json")));
    w.workspace.playback().pause();
    auto* stack = w.window.findChild<LaneStack*>();
    Lane *gantt = stack->lanes()[0], *stragglers = stack->lanes()[1];
    QTRY_VERIFY(stragglers->isVisible() && stragglers->collapsed());
    w.window.resize(1366, 748);
    w.theme.setProjector(true, false);
    QTRY_VERIFY(!stragglers->isVisible());
    QTRY_VERIFY2(gantt->height() >= 56, qPrintable(QString::number(gantt->height())));
    w.window.resize(1920, 1060);
    QTRY_VERIFY2(gantt->height() >= 100, qPrintable(QString::number(gantt->height())));
    w.theme.setProjector(false, false);
    QTRY_VERIFY(stragglers->isVisible() && stragglers->height() > 20);
    // What has been folded by hand stays as it is, and the lane without content is left out all the same.
    gantt->setCollapsed(true);
    w.theme.setProjector(true, false);
    QTRY_VERIFY(!stragglers->isVisible() && gantt->collapsed());
    QVERIFY(w.window.files().open(test::starter()));
    QTRY_VERIFY(stragglers->isVisible());
}

/// On the lowest projector Gantt, strip and losses are whole; what is folded comes back with room.
void tst_WindowLayout::projectorHasThreeLanes() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter("two-racks")));
    w.workspace.playback().pause();
    auto* stack = w.window.findChild<LaneStack*>();
    Lane* queue = stack->lanes()[4];
    QTRY_VERIFY(queue->isVisible() && queue->collapsed());
    w.window.resize(1024, 600);
    w.theme.setProjector(true, false);
    QTRY_VERIFY(!queue->isVisible());
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
        const Lane* lane = stack->lanes()[i];
        QVERIFY(!lane->collapsed());
        QTRY_VERIFY2(lane->visibleRegion().boundingRect().height() == lane->height() && lane->height() >= 40,
                     qPrintable(QStringLiteral("%1: %2 of %3")
                                    .arg(i)
                                    .arg(lane->visibleRegion().boundingRect().height())
                                    .arg(lane->height())));
    }
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/nups/skew.json")));
    QTRY_VERIFY(!stack->lanes()[1]->isVisible() && !stack->lanes()[2]->isVisible());
    QTRY_VERIFY2(stack->lanes()[0]->height() > 100, qPrintable(QString::number(stack->lanes()[0]->height())));
    w.theme.setProjector(false, false);
    QTRY_VERIFY(queue->isVisible() && queue->height() > 20);
    LayoutWindow large;
    QVERIFY(large.window.files().open(test::starter("two-racks")));
    large.window.resize(1920, 1060);
    large.theme.setProjector(true, false);
    QTest::qWait(200);
    QVERIFY(large.window.findChild<LaneStack*>()->lanes()[4]->isVisible());
}

/// In large type a panel of forms asks for more room than there is, before it is hidden.
void tst_WindowLayout::projectorKeepsTheWindowsSize() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    w.window.panels().show(QStringLiteral("export"));
    QTest::qWait(300);
    const QSize size = w.window.size();
    QMap<const Reading*, int> widths;
    for (const auto* reading : w.window.findChildren<Reading*>())
        if (reading->isVisible()) widths[reading] = reading->width();
    QVERIFY(widths.size() > 1);
    w.theme.setProjector(true, false);
    QTRY_VERIFY(!w.window.panels().find(QStringLiteral("export"))->isVisible());
    QTest::qWait(300);
    QCOMPARE(w.window.size(), size);
    for (const auto* reading : w.window.findChildren<Reading*>()) // what was said before is as large as the type
        if (reading->isVisible())
            QVERIFY2(reading->width() >= reading->sizeHint().width(), qPrintable(reading->text()));
    w.theme.setProjector(false, false);
    QTRY_VERIFY(w.window.panels().find(QStringLiteral("export"))->isVisible());
    for (auto it = widths.cbegin(); it != widths.cend(); ++it) // and then about as wide as before, not 1.5 times
        QTRY_VERIFY2(
            it.key()->width() <= 1.2 * it.value(),
            qPrintable(
                QStringLiteral("%1: %2 instead of %3").arg(it.key()->text()).arg(it.key()->width()).arg(it.value())));
}

/// On a low screen it is away meanwhile, and is not measured then.
void tst_WindowLayout::statusLineIsAsHighAsBefore() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().pause();
    QStatusBar* line = w.window.statusBar();
    QTest::qWait(300);
    const int height = line->height();
    w.theme.setProjector(true, false);
    QTRY_VERIFY(line->height() > height);
    line->hide();
    w.theme.setProjector(false, false);
    QTRY_VERIFY(line->isVisible());
    QTRY_COMPARE(line->height(), height);
}

/// One that fills the screen goes on to do so; a narrow bar keeps its steps, and titles of panels are as large as the type. The
/// panel that had the keyboard goes away: it is the canvas' then, not that of what comes next in the window.
void tst_WindowLayout::projectorFillsTheScreen() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    w.window.resize(1060, 600); // this font is wider than usual
    auto* inspector = w.window.panels().find(QStringLiteral("inspector"));
    w.window.panels().open(QStringLiteral("inspector"));
    QTRY_VERIFY(inspector->isAncestorOf(QApplication::focusWidget()));
    w.theme.setProjector(true, false);
    QTRY_VERIFY(!inspector->isVisible());
    QVERIFY(w.window.canvas().hasFocus());
    QTest::qWait(200);
    QStringList steps;
    for (QAction* action : w.window.transport().actions())
        if (action->text().contains(QLatin1String("Step One"))) steps << action->text();
    QCOMPARE(steps.size(), 3);
    w.window.panels().show(QStringLiteral("inspector"));
    QTRY_VERIFY(inspector->isVisible());
    QCOMPARE(inspector->font().pointSizeF(), QApplication::font().pointSizeF());
    w.window.panels().show(QStringLiteral("policies"));
    QVERIFY(!inspector->isVisible());
    w.theme.setProjector(false, false);
    QTest::qWait(200);
    w.window.setWindowState(Qt::WindowMaximized);
    QTest::qWait(100);
    w.theme.setProjector(true, false);
    w.window.setWindowState(Qt::WindowNoState); // as some window managers do
    QTRY_VERIFY(w.window.isMaximized());
}

/// Every panel brought back on a projector, and every two of them: no window is wider than its screen, then or afterwards.
void tst_WindowLayout::projectorHoldsEveryPanel() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    for (const QSize size : {QSize(1024, 600), QSize(1280, 800)}) {
        w.window.resize(size);
        w.theme.setProjector(true, false);
        QTest::qWait(150);
        for (QDockWidget* first : w.window.panels().all())
            for (QDockWidget* second : w.window.panels().all()) {
                if (first == second) continue;
                for (QDockWidget* dock : {first, second}) w.window.panels().show(dock->objectName());
                QTest::qWait(10);
                QVERIFY2(w.window.width() <= size.width() && w.window.height() <= size.height(),
                         qPrintable(QStringLiteral("%1 and %2: %3 × %4")
                                        .arg(first->objectName(), second->objectName())
                                        .arg(w.window.width())
                                        .arg(w.window.height())));
            }
        w.theme.setProjector(false, false);
        QTest::qWait(300);
        QCOMPARE(w.window.size(), size);
    }
}

void tst_WindowLayout::projectorTableIsWhole() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    w.window.resize(1024, 600);
    auto* jobs = w.window.findChild<JobsTable*>();
    QVERIFY(jobs);
    w.window.panels().show(QStringLiteral("jobs"));
    w.theme.setProjector(true, false);
    const auto cut = [&] {
        for (int c = 1; c < jobs->model()->columnCount(); ++c) {
            const QModelIndex cell = jobs->model()->index(0, c);
            if (jobs->columnWidth(c) < jobs->sizeHintForIndex(cell).width()) return cell.data().toString();
        }
        return QString();
    };
    QTRY_VERIFY(jobs->model()->rowCount() > 0);
    QTRY_COMPARE(cut(), QString());
    w.theme.setProjector(false, false);
    QTest::qWait(300);
}

/// A form that is a window of its own there is not narrower than its fields, and its title is as large as other words.
void tst_WindowLayout::projectorFormsAreWhole() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    w.window.resize(1024, 600);
    w.theme.setProjector(true, false);
    QTest::qWait(150);
    QDockWidget* inspector = w.window.panels().find(QStringLiteral("inspector"));
    w.window.panels().show(QStringLiteral("inspector"));
    QTRY_VERIFY(inspector->isFloating());
    QTRY_VERIFY2(inspector->width() >= 1.5 * 280, qPrintable(QString::number(inspector->width())));
    QTest::qWait(100);
    const QImage bar = inspector->grab(QRect(4, 4, inspector->width() / 2, inspector->widget()->y() - 8)).toImage();
    int first = bar.height(), last = 0; // rows of the title's letters
    for (int y = 0; y < bar.height(); ++y)
        for (int x = 0; x < bar.width(); ++x)
            if (Theme::contrast(bar.pixelColor(x, y), Theme::current().surface) > 4)
                first = std::min(first, y), last = y;
    const int letters = QFontMetrics(QApplication::font()).tightBoundingRect(inspector->windowTitle()).height();
    QVERIFY2(last - first + 1 >= letters - 2,
             qPrintable(QStringLiteral("%1 of %2").arg(last - first + 1).arg(letters)));
    w.theme.setProjector(false, false);
    QTest::qWait(300);
}

void tst_WindowLayout::statusSaysHowFastTheRestWas() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter("two-racks")));
    QTest::qWait(800); // played: a few events per second
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    const auto frame = w.workspace.runs().latestFrame();
    QVERIFY2(frame->eventsPerSecond > 0.1 * static_cast<double>(frame->logSize),
             qPrintable(QStringLiteral("%1 of %2").arg(frame->eventsPerSecond).arg(frame->logSize)));
}

/// Fifteen jobs of thirty are rejected: those that are over do not all count as finished.
void tst_WindowLayout::statusCountsEveryEnd() {
    LayoutWindow w;
    const auto said = [&](const char* file) {
        if (!w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/") + QLatin1String(file)))
            return QString();
        w.workspace.playback().toEnd();
        [&] { QTRY_VERIFY_WITH_TIMEOUT(w.ended() && !w.workspace.shownRuns().behind(), test::patience); }();
        QTest::qWait(300);
        QStringList all;
        for (const auto* label : w.window.statusBar()->findChildren<QLabel*>()) all << label->text();
        return all.join(u'|');
    };
    const QString priced = said("pdors/default.json");
    QVERIFY2(priced.contains(QStringLiteral("15 finished, 15 rejected")), qPrintable(priced));
    const QString atOnce = said("pacml/corrected-busy.json");
    QVERIFY2(atOnce.contains(QRegularExpression(QStringLiteral("\\d+ finished, \\d+ blocked"))), qPrintable(atOnce));
    QVERIFY2(atOnce.contains(QStringLiteral("6 unfinished, 0 queued")), qPrintable(atOnce)); // it ends by its limit
}

void tst_WindowLayout::statusSaysStopped_data() {
    QTest::addColumn<RunMode>("mode");
    QTest::newRow("simulate") << RunMode::simulate;
    QTest::newRow("execute") << RunMode::execute;
}

/// What ran when a run was stopped runs no more, in no part of the window; before that instant it ran. What cannot be held says so,
/// and offers to end it.
void tst_WindowLayout::statusSaysStopped() {
    QFETCH(const RunMode, mode);
    LayoutWindow w;
    const auto said = [&] {
        QString all;
        for (const auto* label : w.window.statusBar()->findChildren<QLabel*>()) all += label->text() + u'|';
        return all;
    };
    QVERIFY(w.window.files().open(test::starter("two-racks")));
    if (mode == RunMode::execute) w.workspace.document().setMode(mode);
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().mode == mode && w.head() > 0.3, test::patience);
    const QAction* play = w.window.transport().playAction();
    QCOMPARE(play->isEnabled(), mode == RunMode::simulate);
    if (mode == RunMode::execute) {
        auto* progress = w.window.statusBar()->findChild<RunProgress*>();
        QTRY_VERIFY(progress->isVisible());
        Q_EMIT progress->cancelRequested();
    } else {
        w.workspace.runs().session()->stop();
    }
    QTRY_VERIFY_WITH_TIMEOUT(!w.workspace.runs().current().running, test::patience);
    QTRY_VERIFY2(said().contains(QStringLiteral("Stopped: 1 unfinished, ")), qPrintable(said()));
    JobsModel jobs(w.workspace);
    QCOMPARE(jobs.index(0, JobsModel::state).data().toString(), QStringLiteral("unfinished"));
    QVERIFY(w.workspace.playback().whyNotStep().contains(QStringLiteral("stopped here")));
    QVERIFY(play->isEnabled());
    w.workspace.axis().setCursor(SimTime::seconds(0.1));
    QTRY_VERIFY2(said().contains(QStringLiteral("1 running, ")), qPrintable(said()));
    QTRY_COMPARE(jobs.index(0, JobsModel::state).data().toString(), QStringLiteral("running"));
}

/// Laid out anew, the status line showed its parts behind the message.
void tst_WindowLayout::messagesStandAlone() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    QTest::qWait(100);
    w.window.statusBar()->showMessage(QStringLiteral("Pauses"));
    w.theme.setProjector(true, false);
    QTest::qWait(200);
    bool shown = false;
    for (const auto* label : w.window.statusBar()->findChildren<ElidedLabel*>())
        shown |= label->isVisible() && label->parent() == w.window.statusBar();
    QCOMPARE(shown, w.window.statusBar()->currentMessage().isEmpty());
}

/// On a low screen all five have a little less, instead of the last one being cut.
void tst_WindowLayout::noLaneIsHalfInSight() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter("two-racks")));
    auto* stack = w.window.findChild<LaneStack*>();
    for (const int height : {820, 780, 740, 720, 700, 690}) {
        w.window.resize(1280, height);
        QTest::qWait(100);
        const Lane* last = stack->lanes().back();
        const int seen = last->visibleRegion().boundingRect().height();
        QVERIFY2(seen == last->height(),
                 qPrintable(QStringLiteral("%1: %2 of %3").arg(height).arg(seen).arg(last->height())));
    }
}

/// While time moves on, too: what the status line says is of the instant at which lanes are read out.
void tst_WindowLayout::statusCountsAsLanes() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/slaq/default.json")));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended() && !w.workspace.shownRuns().behind(), test::patience);
    const RunIndex& run = *w.workspace.shownRuns().current();
    QSet<double> counts;
    for (int i = 0; i < 20; ++i) {
        const SimTime at = SimTime::seconds(run.head().toSeconds() * i / 20);
        w.workspace.axis().setCursor(at);
        QStringList said; // at once
        for (const auto* label : w.window.statusBar()->findChildren<QLabel*>()) said << label->text();
        counts << run.runningJobs().at(at.toSeconds());
        const QString expected = QStringLiteral("%1 running, %2 queued")
                                     .arg(run.runningJobs().at(at.toSeconds()))
                                     .arg(run.waitingJobs().at(at.toSeconds()));
        QVERIFY2(said.join(u'|').contains(expected), qPrintable(expected + u'|' + said.join(u'|')));
    }
    QVERIFY(counts.size() > 3);
}

/// Display names and what is not as usual, no ids.
void tst_WindowLayout::statusNamesThePolicies() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    const auto said = [&] {
        QString all;
        for (const auto* label : w.window.statusBar()->findChildren<QLabel*>()) all += label->toolTip() + label->text();
        return all;
    };
    QTRY_VERIFY2(said().contains(QStringLiteral("First in, first out · Full synchronization · seed 1")),
                 qPrintable(said()));
    w.workspace.document().choosePolicy(PolicyFamily::synchronization, {"fastest-k", {{"k", std::int64_t{3}}}});
    QTRY_VERIFY2(said().contains(QStringLiteral(" 3) · seed 1")), qPrintable(said()));
    QVERIFY(!said().contains(QStringLiteral("fastest-k")));
    // Where no job follows the scenario's, that is not named.
    QVERIFY(w.window.files().open(test::starter("five-ways-to-wait")));
    QTRY_VERIFY2(said().contains(QStringLiteral("First in, first out · each job's own synchronization · seed 1")),
                 qPrintable(said()));
}

/// Asked for in the menu, a panel behind another comes to the front; asked for again, it goes.
void tst_WindowLayout::panelsComeToTheFront() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    for (const char* id : {"jobs", "tables", "history"}) {
        QDockWidget* dock = w.window.panels().find(QLatin1String(id));
        QVERIFY(dock->visibleRegion().isEmpty());
        dock->toggleViewAction()->trigger();
        QTRY_VERIFY2(!dock->visibleRegion().isEmpty(), id);
        QTest::qWait(20);
        dock->toggleViewAction()->trigger();
        QTRY_VERIFY2(dock->isHidden(), id);
    }
}

void tst_WindowLayout::jobsCanBeInserted() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    const auto jobs = [&] { return w.workspace.document().scenario().jobs; };
    const std::size_t before = jobs().size();
    QAction* insert = w.window.commands().find(QStringLiteral("insert.analytic-job"));
    QVERIFY(insert && insert->text().contains(QStringLiteral("formulas"))); // explained where it is chosen
    insert->trigger();
    QCOMPARE(jobs().size(), before + 1);
    QVERIFY(jobs().back().kind() == JobKind::analytic);
    w.workspace.document().undoStack().undo();
    QCOMPARE(jobs().size(), before);
    const auto choose = [](const QMenu* menu, const char* kind) {
        for (QAction* action : menu->actions())
            if (action->text().startsWith(QLatin1String(kind))) return action->trigger(), true;
        return false;
    };
    for (auto* button : w.window.canvas().findChild<ToolStrip*>()->findChildren<QToolButton*>())
        if (button->menu()) QVERIFY(choose(button->menu(), "Graph"));
    QCOMPARE(jobs().size(), before + 1);
    QVERIFY(jobs().back().kind() == JobKind::graph);
    auto* outline = w.window.findChild<ScenarioOutline*>();
    const std::unique_ptr<QMenu> menu(outline->contextMenu(nullptr));
    QVERIFY(choose(menu->findChild<QMenu*>(), "Trained"));
    QCOMPARE(jobs().size(), before + 2);
}

void tst_WindowLayout::emptyProblemsSaySo() {
    LayoutWindow w;
    QVERIFY(w.window.files().open(test::starter()));
    QVERIFY(w.window.problems().emptyText().contains(QStringLiteral("No problems")));
    w.window.panels().show(QStringLiteral("problems"));
    const QImage empty = w.window.problems().viewport()->grab().toImage();
    int inked = 0;
    for (int x = 0; x < empty.width(); ++x)
        for (int y = 0; y < empty.height(); ++y) inked += empty.pixelColor(x, y) != Theme::current().surface;
    QVERIFY(inked > 200);
}

TRAINYARD_TEST(tst_WindowLayout)
#include "tst_WindowLayout.moc"
