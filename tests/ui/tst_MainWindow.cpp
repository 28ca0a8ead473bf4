// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window as a person uses it: opens and plays, goes back in time, changes a policy and keeps the old run
// as a ghost. Its panels, themes and caption: tst_WindowPanels. What it does with files: tst_WindowFiles.
#include "analysis/RunIndex.h"
#include "canvas/CanvasView.h"
#include "forms/ParamForm.h"
#include "forms/PolicyPanel.h"
#include "session/RecentFiles.h"
#include "shell/Caption.h"
#include "shell/FileActions.h"
#include "shell/InspectorText.h"
#include "shell/MainWindow.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "transport/TransportBar.h"

#include <QApplication>
#include <QHelpEvent>
#include <QSettings>
#include <QTemporaryDir>
#include <QToolTip>

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
    void limitsAreNamed();
    void restartMakesNoGhost();
    void waitingJobIsToldWhyNot();
    void tipsFollowTheRun();
    void allocatedIsNotBusy();

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
    // A machine that is selected beside a job which never came there hides no decision about the job.
    for (std::size_t j = 0; j < state->jobs().size(); ++j)
        for (const Machine& machine : run.workload->cluster.machines) {
            const QString both = inspectorWhy(run.explanations.get(), run.workload.get(), nullptr,
                                              SimTime::seconds(1e6), {JobId(j), {QString::fromStdString(machine.key)}});
            QVERIFY2(!both.contains(QStringLiteral("No decision")), qPrintable(QString::number(j)));
        }
}

/// A tip that stays on screen says what is, not what was when the pointer came.
void tst_MainWindow::tipsFollowTheRun() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    w.workspace.axis().setCursor(SimTime::seconds(1));
    auto* canvas = w.window.findChild<CanvasView*>();
    const QPoint at = canvas->mapFromScene(canvas->content().layout.machines[0].center());
    QHelpEvent help(QEvent::ToolTip, at, canvas->viewport()->mapToGlobal(at));
    QApplication::sendEvent(canvas->viewport(), &help);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("worker 1")), qPrintable(QToolTip::text()));
    w.workspace.axis().setCursor(std::nullopt);
    QTRY_VERIFY2(QToolTip::text().contains(QStringLiteral("No tasks here now")), qPrintable(QToolTip::text()));
    QToolTip::hideText();
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

TRAINYARD_TEST(tst_MainWindow)
#include "tst_MainWindow.moc"
