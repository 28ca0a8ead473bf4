// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window as a person uses it: opens and plays, goes back in time, changes a policy and keeps the old run
// as a ghost. What it does with files: tst_WindowFiles.
#include "analysis/RunIndex.h"
#include "canvas/CanvasView.h"
#include "forms/ParamForm.h"
#include "forms/PolicyPanel.h"
#include "session/RecentFiles.h"
#include "shell/Caption.h"
#include "shell/FileActions.h"
#include "shell/InspectorText.h"
#include "shell/MainWindow.h"
#include "shell/Panels.h"
#include "shell/ThemeChoice.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/Theme.h"
#include "transport/SpeedSlider.h"
#include "transport/TransportBar.h"

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>

using namespace trainyard;

namespace {

const QString starterFile = test::starter();
using Window = test::WindowFixture;

} // namespace

class tst_MainWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void opensAndPlays();
    void pausesStepsAndRunsToTheEnd();
    void scrubsBackAndReplays();
    void changedPolicyRunsAgainAndKeepsAGhost();
    void oneDragOfASliderLeavesOneGhost();
    void captionTriesAVariantAndGoesAwayForGood();
    void captionOffersWhatIsNotRunning();
    void outcomeIsStatedInWords();
    void limitsAreNamed();
    void restartMakesNoGhost();
    void projectorLeavesNoTrace();
    void waitingJobIsToldWhyNot();
    void allocatedIsNotBusy();
    void themesSwitchLive();
    void layoutResets();
    void panelsBehindOthersRest();
    void disabledControlsSayWhy();
    void speedsGoBothWays();

private:
    QTemporaryDir m_settings;
};

void tst_MainWindow::initTestCase() {
    QCoreApplication::setOrganizationName(QStringLiteral("TrainyardTests"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_MainWindow"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
}

void tst_MainWindow::init() { QSettings().clear(); }

void tst_MainWindow::opensAndPlays() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    QVERIFY(w.window.windowTitle().startsWith(QStringLiteral("One slow worker")));
    QVERIFY(w.workspace.playback().isPlaying());
    QTRY_VERIFY(w.head() > 0);
    QTRY_VERIFY(w.workspace.shownState() != nullptr);
    QTRY_VERIFY(w.window.transport().clock() != QStringLiteral("00:00.000"));
    QCOMPARE(recentFiles().value(0), starterFile);
    QVERIFY(w.window.caption().isVisible());
}

void tst_MainWindow::pausesStepsAndRunsToTheEnd() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    QTRY_VERIFY(w.head() > 0);
    w.workspace.playback().pause();
    QTRY_COMPARE(w.workspace.runs().latestFrame()->status, RunStatus::paused);
    const auto updates = [&] { return w.workspace.runs().latestFrame()->state->job(JobId(0)).updates; };
    const auto before = updates();
    w.workspace.playback().step(StepKind::iteration);
    QTRY_COMPARE(updates(), before + 1);
    const auto size = w.workspace.runs().latestFrame()->logSize;
    w.workspace.playback().step(StepKind::event);
    QTRY_VERIFY(w.workspace.runs().latestFrame()->logSize > size);
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    QCOMPARE(w.workspace.runs().latestFrame()->status, RunStatus::finished);
    QVERIFY(!w.workspace.playback().whyNotStep().isEmpty());
}

void tst_MainWindow::scrubsBackAndReplays() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    const auto endUpdates = w.workspace.shownState()->job(JobId(0)).updates;
    w.workspace.axis().setCursor(SimTime::seconds(w.head() / 2));
    const auto middle = w.workspace.shownState()->job(JobId(0)).updates;
    QVERIFY(middle > 0 && middle < endUpdates);
    w.workspace.playback().stepBack(StepKind::iteration);
    QVERIFY(w.workspace.shownState()->job(JobId(0)).updates <= middle);
    const SimTime from = w.workspace.shownTime();
    w.workspace.playback().setSpeed(w.head() * 4);
    w.workspace.playback().play();
    QVERIFY(w.workspace.playback().isReplaying());
    QTRY_VERIFY(w.workspace.shownTime() > from);
    QTRY_VERIFY(!w.workspace.playback().isPlaying()); // at the end again
    QCOMPARE(w.workspace.shownState()->job(JobId(0)).updates, endUpdates);
    w.workspace.playback().toStart();
    QCOMPARE(w.workspace.shownTime(), SimTime{});
}

void tst_MainWindow::changedPolicyRunsAgainAndKeepsAGhost() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    QVERIFY(w.workspace.runs().earlier().empty());
    const RunId first = w.workspace.runs().current().id;
    const std::string digest = w.workspace.runs().current().log->digest();
    w.workspace.document().setSeed(w.workspace.document().scenario().seed + 1);
    QTRY_VERIFY(w.workspace.runs().current().id != first);
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    QCOMPARE(w.workspace.runs().earlier().size(), std::size_t{1});
    QCOMPARE(w.workspace.runs().earlier().back().id, first);
    QCOMPARE(w.workspace.runs().earlier().back().log->digest(), digest);
    QVERIFY(w.workspace.runs().current().log->digest() != digest);
    w.workspace.document().undoStack().undo(); // undo runs again too, to the same result
    QTRY_VERIFY(w.workspace.runs().earlier().size() == 2 && w.ended());
    QCOMPARE(w.workspace.runs().current().log->digest(), digest);
}

void tst_MainWindow::oneDragOfASliderLeavesOneGhost() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    const RunId first = w.workspace.runs().current().id;
    const auto gesture = w.workspace.document().beginGesture();
    for (std::uint64_t seed = 100; seed < 104; ++seed) {
        const RunId before = w.workspace.runs().current().id;
        w.workspace.document().setSeed(seed, gesture);
        QTRY_VERIFY(w.workspace.runs().current().id != before && w.ended());
    }
    QCOMPARE(w.workspace.runs().earlier().size(), std::size_t{1});
    QCOMPARE(w.workspace.runs().earlier().back().id, first);
    QCOMPARE(w.workspace.document().undoStack().count(), 1);
}

void tst_MainWindow::captionTriesAVariantAndGoesAwayForGood() {
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
void tst_MainWindow::captionOffersWhatIsNotRunning() {
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

/// One slow worker takes 12.1 s; without waiting for it 3.1 s. The caption says so, no longer speaks of orange, and the
/// axis shows both runs.
void tst_MainWindow::outcomeIsStatedInWords() {
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

/// A run that a limit ended says so, in the status line and as a problem, and is not compared with one that came to its end.
void tst_MainWindow::limitsAreNamed() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    const Problems refused = w.workspace.document().setField({{EntityRef::Kind::settings}}, "/limits/events", "150");
    QVERIFY2(refused.empty(), refused.empty() ? "" : refused.front().text().c_str());
    QTRY_COMPARE(w.workspace.runs().current().scenario->limits.events, std::optional<std::int64_t>(150));
    w.workspace.playback().toEnd();
    QTRY_COMPARE_WITH_TIMEOUT(w.workspace.runs().latestFrame() ? w.workspace.runs().latestFrame()->status
                                                               : RunStatus::preparing,
                              RunStatus::stopped, test::patience);
    QTRY_VERIFY(w.workspace.outcome().text().contains(QStringLiteral("limit of 150 events")));
    QVERIFY(w.workspace.problems().back().message.english().find("limit of 150 events") != std::string::npos);
    QVERIFY(w.workspace.runs().current().log->size() >= 150); // what was done is there to be looked at
    w.workspace.document().undoStack().undo();
    QTRY_VERIFY(!w.workspace.runs().current().scenario->limits.events);
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    QVERIFY2(!w.workspace.outcome().text().contains(QStringLiteral("instead")),
             qPrintable(w.workspace.outcome().text()));
}

void tst_MainWindow::restartMakesNoGhost() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    const RunId before = w.workspace.runs().current().id;
    w.workspace.restart();
    QVERIFY(w.workspace.runs().current().id != before);
    QVERIFY(!w.workspace.runs().ghost());
}

/// In and out: the same panels, as large as before.
void tst_MainWindow::projectorLeavesNoTrace() {
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
    QVERIFY(w.window.panels().find(QStringLiteral("policies"))->isVisible());
    QCOMPARE(w.window.size(), size);
    w.theme.setProjector(false, false);
    QTRY_COMPARE(places(), before);
    QCOMPARE(w.window.size(), size);
}

/// Two racks under first in, first out: the second job waits while the first holds what it needs.
void tst_MainWindow::waitingJobIsToldWhyNot() {
    Window w;
    QVERIFY(w.window.files().open(test::starter("two-racks")));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    const auto& run = w.workspace.runs().current();
    const SimTime at = SimTime::seconds(12);
    const auto state = w.workspace.runs().stateAt(at);
    JobId waiting;
    for (std::size_t j = 0; j < state->jobs().size() && !waiting.valid(); ++j)
        if (state->jobs()[j].phase == JobPhase::waiting) waiting = JobId(j);
    QVERIFY(waiting.valid());
    const QString why = inspectorWhy(run.explanations.get(), run.workload.get(), state.get(), at, {waiting, {}});
    QVERIFY2(why.contains(QStringLiteral("has waited for")), qPrintable(why));
    QVERIFY2(why.contains(QStringLiteral("free")) && why.contains(QStringLiteral("Rack 1, machine 1")),
             qPrintable(why));
    const QString key = QString::fromStdString(run.workload->cluster.machines.front().key);
    const QString ofMachine = inspectorWhy(run.explanations.get(), run.workload.get(), state.get(), at, {{}, {key}});
    QVERIFY2(ofMachine.contains(QStringLiteral("Rack 1, machine 1")), qPrintable(ofMachine));
}

/// One slow worker: all four computers are allocated for the whole run, and three wait for three quarters of it. Busy:
/// (1 + 3/4) of 4 workers, about 44 %, less what transfers take, and less the server's machine.
void tst_MainWindow::allocatedIsNotBusy() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    RunIndex index(sourceOf(w.workspace.runs().current()));
    index.update();
    const double end = index.head().toSeconds();
    const double allocated = index.utilization()[0].mean(0, end), busy = index.busy()[0].mean(0, end);
    QVERIFY2(allocated > 0.95, qPrintable(QString::number(allocated)));
    QVERIFY2(busy > 0.2 && busy < 0.5, qPrintable(QString::number(busy)));
}

void tst_MainWindow::themesSwitchLive() {
    Window w;
    w.theme.choose(ThemeChoice::dark);
    QVERIFY(Theme::current().dark);
    QCOMPARE(w.window.palette().color(QPalette::Window), Theme::darkTheme().window);
    w.theme.choose(ThemeChoice::light);
    QVERIFY(!Theme::current().dark);
    ThemeChoice remembered;
    QCOMPARE(remembered.kind(), ThemeChoice::light);
}

void tst_MainWindow::layoutResets() {
    Window w;
    auto* dock = w.window.findChild<QDockWidget*>(QStringLiteral("policies"));
    QVERIFY(dock && dock->isVisible());
    dock->setFloating(true);
    dock->hide();
    w.window.panels().reset();
    QVERIFY(dock->isVisible());
    QVERIFY(!dock->isFloating());
}

void tst_MainWindow::panelsBehindOthersRest() {
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

void tst_MainWindow::disabledControlsSayWhy() {
    Window w;
    for (const QAction* action : w.window.transport().runActions()) {
        if (action->isEnabled()) continue;
        QVERIFY2(action->toolTip().size() > action->text().size() + 20, qPrintable(action->text()));
    }
    QVERIFY(!w.window.transport().playAction()->isEnabled()); // nothing is open
}

void tst_MainWindow::speedsGoBothWays() {
    for (double speed : {0.01, 0.1, 1.0, 10.0, 1000.0, 1e5})
        QCOMPARE(SpeedSlider::speedAt(SpeedSlider::positionOf(speed)), speed);
    QCOMPARE(SpeedSlider::speedAt(SpeedSlider::positionOf(Playback::unlimited)), 0.0);
    QCOMPARE(SpeedSlider::labelOf(2000), QStringLiteral("2k×"));
    QCOMPARE(SpeedSlider::labelOf(130'000), QStringLiteral("130k×"));
    QCOMPARE(SpeedSlider::labelOf(130), QStringLiteral("130×"));
    QCOMPARE(SpeedSlider::labelOf(0.25), QStringLiteral("0.25×"));
}

TRAINYARD_TEST(tst_MainWindow)
#include "tst_MainWindow.moc"
