// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is around the run in the window: the caption with its variants and its outcome in words, panels that come, go and rest, themes,
// projector mode, controls that say why they are off.
#include "canvas/CanvasView.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "shell/Caption.h"
#include "shell/FileActions.h"
#include "shell/FocusOrder.h"
#include "shell/MainWindow.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "shell/RunProgress.h"
#include "shell/ThemeChoice.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/ElidedLabel.h"
#include "theme/Theme.h"
#include "transport/SpeedSlider.h"
#include "transport/TransportBar.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QToolButton>

using namespace trainyard;

namespace {

const QString starterFile = test::starter();
using Window = test::WindowFixture;

} // namespace

class tst_WindowPanels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void captionTriesAVariantAndGoesAwayForGood();
    void captionOffersWhatIsNotRunning();
    void captionListsVariants();
    void captionYieldsToMessages();
    void outcomeIsStatedInWords();
    void projectorLeavesNoTrace();
    void themesSwitchLive();
    void layoutResets();
    void presetsShowTheTimelineBesideAView();
    void presetsStayWithinSmallScreens();
    void lowClustersLeaveRoomForTheTimeline();
    void exportGivesTheLanesTheirRoomBack();
    void panelsBehindOthersRest();
    void keysOfPanelsShowThem();
    void keyboardIsSeenOnTabsAndButtons();
    void disabledControlsSayWhy();
    void statusNamesWhatDecides();
    void longRunsCanBeCancelled();
    void speedsGoBothWays();

private:
    test::OwnSettings m_settings{"tst_WindowPanels"};
};

void tst_WindowPanels::captionTriesAVariantAndGoesAwayForGood() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    const Scenario& s = w.workspace.document().scenario();
    QVERIFY(!s.variants.empty());
    const Choice before = s.policies.of(s.variants[0].family);
    w.window.caption().variantButton()->click();
    QVERIFY(s.policies.of(s.variants[0].family) == s.variants[0].choice);
    w.window.caption().variantButton()->click(); // and back
    QVERIFY(s.policies.of(s.variants[0].family) == before);
    w.window.caption().setWanted(false);
    QVERIFY(!w.window.caption().isVisible());
    Window next;
    QVERIFY(next.window.files().open(starterFile));
    QVERIFY(!next.window.caption().isVisible());
}

/// A scenario whose first variant is what it runs anyway: the next one is offered.
void tst_WindowPanels::captionOffersWhatIsNotRunning() {
    Window w;
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/pdors/default.json")));
    const Scenario& s = w.workspace.document().scenario();
    const Choice before = s.policies.of(s.variants[0].family);
    QVERIFY(before == s.variants[0].choice);
    QVERIFY(w.window.caption().variantButton()->isEnabled());
    w.window.caption().variantButton()->click();
    QVERIFY(s.policies.of(s.variants[1].family) == s.variants[1].choice);
    w.window.caption().variantButton()->click(); // and back
    QVERIFY(s.policies.of(s.variants[0].family) == before);
}

/// Of several variants a menu has all; none that is what runs anyway, though it says so in other words.
void tst_WindowPanels::captionListsVariants() {
    Window w;
    const QString papers = QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/");
    QVERIFY(w.window.files().open(papers + QStringLiteral("nups/knowledge-graph.json")));
    const Scenario& s = w.workspace.document().scenario();
    const PolicySet before = s.policies;
    Caption& caption = w.window.caption();
    const auto actions = [&] {
        Q_EMIT caption.othersButton()->menu()->aboutToShow();
        return caption.othersButton()->menu()->actions();
    };
    QVERIFY(!caption.othersButton()->isHidden());
    QCOMPARE(actions().size(), 4); // of five, one is what runs
    actions().at(2)->trigger();
    QCOMPARE(s.policies.parameters.id, std::string("nups"));
    QVERIFY(!(s.policies == before));
    QVERIFY(actions().at(2)->isChecked() && !actions().at(0)->isChecked());
    QVERIFY(caption.variantButton()->text().startsWith(QStringLiteral("Back")));
    caption.variantButton()->click();
    QVERIFY(s.policies == before);

    QVERIFY(w.window.files().open(papers + QStringLiteral("pacml/corrected-busy.json")));
    QCOMPARE(s.policies.partitioner.id, s.variants[0].choice.id); // with the same k, which the scenario leaves out
    QVERIFY(!(s.policies.partitioner == s.variants[0].choice));
    caption.variantButton()->click();
    QCOMPARE(s.policies.partitioner.parameters, s.variants[1].choice.parameters);
}

/// One bar stands over the canvas at a time, so that names on cards keep their size; a button has words, never an id.
void tst_WindowPanels::captionYieldsToMessages() {
    Window w;
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/slaq/batches.json")));
    Scenario named = w.workspace.document().scenario();
    named.variants = {
        {"an-id-of-its-own", "Another way that has quite a long title", PolicyFamily::scheduler, {"fair", {}}}};
    const QString file = m_settings.directory.filePath(QStringLiteral("long.json"));
    QVERIFY(writeFileAtomically(file.toStdString(), writeScenario(named)).empty());
    QVERIFY(w.window.files().open(file));
    const Caption& caption = w.window.caption();
    QTRY_VERIFY(caption.isVisible());
    QCOMPARE(caption.variantButton()->text(), QStringLiteral("Another way that has quite…"));
    w.window.messages().say(QStringLiteral("A file has changed."));
    QVERIFY(w.window.messages().isVisible() && !caption.isVisible());
    w.window.messages().hide();
    QVERIFY(caption.isVisible());
}

/// One slow worker takes 12.1 s; without waiting for it 3.1 s. The caption says so, no longer speaks of orange, and the
/// axis shows both runs.
void tst_WindowPanels::outcomeIsStatedInWords() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    const double before = w.head();
    const auto said = [&] {
        QString all;
        for (const auto* label : w.window.caption().findChildren<QLabel*>()) all += label->accessibleName() + u' ';
        return all;
    };
    QVERIFY2(said().contains(QStringLiteral("Orange")), qPrintable(said()));
    const int height = w.window.caption().height();
    w.window.caption().variantButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!w.workspace.outcome().text().isEmpty(), test::patience);
    QVERIFY(w.head() < 0.5 * before);
    QVERIFY2(!said().contains(QStringLiteral("Orange")), qPrintable(said()));
    QVERIFY2(said().contains(QStringLiteral("3.09 s instead of 12.1 s; loss 0.110 instead of 0.102")),
             qPrintable(said()));
    QTRY_VERIFY(w.workspace.axis().visibleTo() >= 0.99 * before);
    QCOMPARE(w.window.caption().height(), height);
}

/// A panel's key shows it and gives it the keyboard, however often it is pressed; its line in the menu hides it, too.
void tst_WindowPanels::keysOfPanelsShowThem() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    QApplication::setActiveWindow(&w.window);
    const FocusFrame* frame = w.window.findChild<FocusFrame*>();
    for (QDockWidget* dock : w.window.panels().all()) {
        const QKeySequence key = dock->toggleViewAction()->shortcut();
        if (key.isEmpty()) continue;
        for (int times = 0; times < 2; ++times) {
            w.window.canvas().setFocus();
            QTest::keyClick(&w.window.canvas(), key[0].key(), key[0].keyboardModifiers());
            QTRY_VERIFY2(dock->widget()->isVisible(), qPrintable(dock->objectName()));
            QVERIFY2(dock->isAncestorOf(QApplication::focusWidget()), qPrintable(dock->objectName()));
        }
        if (dock->objectName() != QLatin1String("lanes")) continue;
        // It is seen that it is the lanes that have it, until the mouse is used.
        QCOMPARE(frame->framed(), QApplication::focusWidget());
        QVERIFY(frame->isVisible() && dock->geometry().contains(frame->geometry()));
        QTest::mouseClick(w.window.caption().window(), Qt::LeftButton, {}, {2, 2});
        QVERIFY(!frame->isVisible());
    }
    w.window.canvas().setFocus();
    w.window.panels().open(QStringLiteral("policies"));
    QVERIFY(focusPart(*w.window.centralWidget()));
    QCOMPARE(frame->framed(), static_cast<QWidget*>(&w.window.canvas()));
    QVERIFY(frame->isVisible() && frame->height() == w.window.canvas().height());
    QDockWidget* lanes = w.window.panels().find(QStringLiteral("lanes"));
    w.window.panels().show(QStringLiteral("lanes"));
    QTest::qWait(20);
    lanes->toggleViewAction()->trigger();
    QVERIFY(!lanes->isVisible());

    // Enter presses a button that has the keyboard, as Space does.
    w.workspace.playback().pause();
    const auto before = w.workspace.document().scenario().policies;
    QPushButton* button = w.window.caption().variantButton();
    button->setFocus(Qt::TabFocusReason);
    QTest::keyClick(button, Qt::Key_Return);
    QVERIFY(!(w.workspace.document().scenario().policies == before));
}

/// A frame of the accent all around the tab, the box and the filled button that have the keyboard.
void tst_WindowPanels::keyboardIsSeenOnTabsAndButtons() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().pause();
    QApplication::setActiveWindow(&w.window);
    const auto framed = [&](QWidget& widget, const QRect& part, const QColor& colour) {
        const QImage seen = w.window.grab(QRect(widget.mapTo(&w.window, part.topLeft()), part.size())).toImage();
        int sides = 0;
        for (const QPoint at : {QPoint(0, 1), QPoint(2, 1), QPoint(1, 0), QPoint(1, 2)}) { // left, right, top, bottom
            bool found = false;
            for (int depth = 0; depth < 4; ++depth) {
                const int x = at.x() == 1 ? seen.width() / 2 : at.x() == 0 ? depth : seen.width() - 1 - depth;
                const int y = at.y() == 1 ? seen.height() / 2 : at.y() == 0 ? depth : seen.height() - 1 - depth;
                found = found || seen.pixelColor(x, y) == colour;
            }
            sides += found ? 1 : 0;
        }
        return sides == 4;
    };
    const Theme theme = Theme::current();
    for (auto* tabs : w.window.findChildren<QTabBar*>()) {
        if (tabs->visibleRegion().isEmpty() || !(tabs->focusPolicy() & Qt::TabFocus)) continue;
        const QRect tab = tabs->tabRect(tabs->currentIndex());
        QVERIFY(!framed(*tabs, tab, theme.accent));
        QTest::keyClick(&w.window, Qt::Key_Shift);
        tabs->setFocus(Qt::TabFocusReason);
        QVERIFY2(framed(*tabs, tab, theme.accent), qPrintable(tabs->accessibleName()));
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tab.center());
        QVERIFY2(!framed(*tabs, tab, theme.accent), qPrintable(tabs->accessibleName()));
        tabs->clearFocus();
        tabs->setFocus(Qt::TabFocusReason); // as when the page that had it goes
        QVERIFY2(!framed(*tabs, tab, theme.accent), qPrintable(tabs->accessibleName()));
    }
    QPushButton* button = w.window.caption().variantButton();
    QVERIFY(!framed(*button, button->rect(), theme.text));
    button->setFocus(Qt::TabFocusReason);
    QVERIFY(framed(*button, button->rect(), theme.text));
}

/// No scheduler where all jobs are admitted or blocked when they arrive.
void tst_WindowPanels::statusNamesWhatDecides() {
    Window w;
    const auto said = [&] {
        QString all;
        for (const auto* label : w.window.statusBar()->findChildren<ElidedLabel*>()) all += label->wholeText();
        return all;
    };
    QVERIFY(w.window.files().open(starterFile));
    QTRY_VERIFY2(said().contains(QStringLiteral("First in, first out")), qPrintable(said()));
    QVERIFY(w.window.files().open(
        QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/pacml/further-is-not-faster.json")));
    QTRY_VERIFY2(!said().contains(QStringLiteral("First in, first out")) && said().contains(QStringLiteral("seed 1")),
                 qPrintable(said()));
}

/// On the way to its end a run shows how far it has come, whatever the speed that it is watched at; what is cancelled can be run anew.
void tst_WindowPanels::longRunsCanBeCancelled() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    Scenario longer = w.workspace.document().scenario();
    longer.jobs.front().stop.iterations = 4'000'000;
    const QString file = m_settings.directory.filePath(QStringLiteral("longer.json"));
    QVERIFY(writeFileAtomically(file.toStdString(), writeScenario(longer)).empty());
    QVERIFY(w.window.files().open(file));
    QTRY_VERIFY(w.head() > 0);
    w.workspace.playback().setSpeed(1e6); // faster than it can be computed
    w.workspace.playback().toEnd();
    const auto* strip = w.window.findChild<RunProgress*>();
    QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), 20'000);
    strip->findChild<QAbstractButton*>()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!w.workspace.runs().current().running && !strip->isVisible(), 20'000);
    QVERIFY(w.head() > 0);
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended() && w.workspace.runs().latestFrame()->status == RunStatus::finished,
                             test::patience);
}

/// In and out: the same panels, as large as before.
void tst_WindowPanels::projectorLeavesNoTrace() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    QTRY_VERIFY(w.window.panels().find(QStringLiteral("lanes"))->height() > 300);
    const auto places = [&] {
        QStringList all;
        for (const QDockWidget* dock : w.window.panels().all())
            if (!dock->visibleRegion().isEmpty()) // and not behind another
                all << QStringLiteral("%1 %2x%3").arg(dock->objectName()).arg(dock->width()).arg(dock->height());
        return all;
    };
    QStringList before;
    for (int same = 0; same < 5; QTest::qWait(100)) { // until space is shared out
        same = places() == before ? same + 1 : 0;
        before = places();
    }
    const QSize size = w.window.size();
    w.theme.setProjector(true, false);
    QTRY_VERIFY(!w.window.panels().find(QStringLiteral("scenario"))->isVisible());
    QVERIFY(!w.window.panels().find(QStringLiteral("inspector"))->isVisible());
    QVERIFY(!w.window.panels().find(QStringLiteral("policies"))->isVisible());
    QVERIFY(w.window.panels().find(QStringLiteral("lanes"))->isVisible());
    QCOMPARE(w.window.size(), size);
    w.theme.setProjector(false, false);
    QTRY_COMPARE(places(), before);
    QCOMPARE(w.window.size(), size);
}

void tst_WindowPanels::themesSwitchLive() {
    Window w;
    w.theme.choose(ThemeChoice::dark);
    QVERIFY(Theme::current().dark);
    QCOMPARE(w.window.palette().color(QPalette::Window), Theme::darkTheme().window);
    w.theme.choose(ThemeChoice::light);
    QVERIFY(!Theme::current().dark);
    ThemeChoice remembered;
    QCOMPARE(remembered.kind(), ThemeChoice::light);
}

void tst_WindowPanels::layoutResets() {
    Window w;
    auto* dock = w.window.findChild<QDockWidget*>(QStringLiteral("policies"));
    QVERIFY(dock && dock->isVisible());
    dock->setFloating(true);
    dock->hide();
    w.window.panels().reset();
    QVERIFY(dock->isVisible());
    QVERIFY(!dock->isFloating());
}

void tst_WindowPanels::presetsShowTheTimelineBesideAView() {
    Window w;
    w.window.resize(1280, 752);
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    const auto panel = [&](const char* id) { return w.window.panels().find(QLatin1String(id)); };
    for (const auto key : {Qt::Key_F2, Qt::Key_F3}) {
        QTest::keyClick(&w.window, key, Qt::ControlModifier);
        QTRY_VERIFY(panel("lanes")->widget()->isVisible() && panel("views")->widget()->isVisible());
        QTRY_VERIFY(panel("lanes")->geometry().right() < panel("views")->geometry().left());
        QVERIFY(w.window.panels().areViewsBeside());
        QCOMPARE(panel("policies")->widget()->isVisible(), key == Qt::Key_F3);
        QVERIFY(!panel("inspector")->isVisible());
        QCOMPARE(w.window.width(), 1280);
    }
    w.theme.setProjector(true); // too wide for two in large type
    QTRY_VERIFY(!w.window.panels().areViewsBeside());
    QCOMPARE(w.window.width(), 1280);
    w.theme.setProjector(false);
    QTest::qWait(50);
    QTRY_VERIFY(panel("lanes")->widget()->isVisible() && panel("views")->widget()->isVisible());
    w.window.panels().reset();
    QTRY_VERIFY(panel("inspector")->isVisible() && !panel("views")->widget()->isVisible());
    w.window.panels().setViewsBeside(true);
    QTRY_VERIFY(panel("lanes")->widget()->isVisible() && panel("views")->widget()->isVisible());
    w.window.panels().setViewsBeside(false);
    QTRY_VERIFY(panel("lanes")->widget()->isVisible() != panel("views")->widget()->isVisible());
}

void tst_WindowPanels::presetsStayWithinSmallScreens() {
    Window w;
    QVERIFY(w.workspace.open(test::starter("one-slow-worker")));
    w.window.resize(1024, 552);
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    for (const auto key : {Qt::Key_F2, Qt::Key_F3}) {
        QTest::keyClick(&w.window, key, Qt::ControlModifier);
        QTest::qWait(50);
        QCOMPARE(w.window.size(), QSize(1024, 552));
        QVERIFY(w.window.panels().find(QStringLiteral("lanes"))->widget()->isVisible());
    }
}

/// A row of machines does not need half of a high window.
void tst_WindowPanels::lowClustersLeaveRoomForTheTimeline() {
    Window w;
    QVERIFY(w.workspace.open(test::starter("first-steps")));
    w.window.resize(1280, 1000);
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    w.window.panels().reset();
    QTRY_VERIFY2(w.window.panels().find(QStringLiteral("lanes"))->height() > 480,
                 qPrintable(QString::number(w.window.panels().find(QStringLiteral("lanes"))->height())));
}

void tst_WindowPanels::exportGivesTheLanesTheirRoomBack() {
    Window w;
    QVERIFY(w.workspace.open(test::starter("first-steps")));
    w.window.resize(1280, 720);
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    QTest::qWait(50);
    QDockWidget *lanes = w.window.panels().find(QStringLiteral("lanes")),
                *panel = w.window.panels().find(QStringLiteral("export"));
    const int before = lanes->height();
    QTest::keyClick(&w.window, Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(panel->isVisible());
    QTRY_VERIFY2(lanes->height() < before - 20, qPrintable(QString::number(lanes->height())));
    panel->close();
    constexpr int tabs = 30; // a row of them, which Qt may keep the room of
    QTRY_VERIFY2(lanes->height() >= before - tabs,
                 qPrintable(QStringLiteral("%1 instead of %2").arg(lanes->height()).arg(before)));
}

void tst_WindowPanels::panelsBehindOthersRest() {
    Window w;
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    const QStringList group{QStringLiteral("lanes"), QStringLiteral("jobs"), QStringLiteral("events"),
                            QStringLiteral("metrics")};
    for (const QString& front : group) {
        w.window.panels().find(front)->raise();
        for (const QString& each : group)
            QTRY_COMPARE(w.window.panels().find(each)->widget()->isVisible(), each == front);
    }
}

void tst_WindowPanels::disabledControlsSayWhy() {
    Window w;
    for (const QAction* action : w.window.transport().runActions()) {
        if (action->isEnabled()) continue;
        QVERIFY2(action->toolTip().size() > action->text().size() + 20, qPrintable(action->text()));
    }
    QVERIFY(!w.window.transport().playAction()->isEnabled()); // nothing is open
}

void tst_WindowPanels::speedsGoBothWays() {
    for (double speed : {0.01, 0.1, 1.0, 10.0, 1000.0, 1e5})
        QCOMPARE(SpeedSlider::speedAt(SpeedSlider::positionOf(speed)), speed);
    QCOMPARE(SpeedSlider::speedAt(SpeedSlider::positionOf(Playback::unlimited)), 0.0);
    QCOMPARE(SpeedSlider::labelOf(2000), QStringLiteral("2k×"));
    QCOMPARE(SpeedSlider::labelOf(130'000), QStringLiteral("130k×"));
    QCOMPARE(SpeedSlider::labelOf(130), QStringLiteral("130×"));
    QCOMPARE(SpeedSlider::labelOf(0.25), QStringLiteral("0.25×"));
}

TRAINYARD_TEST(tst_WindowPanels)
#include "tst_WindowPanels.moc"
