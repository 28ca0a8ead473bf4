// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Run until, as a person asks for it: by menu and dialog, while a run goes on and when it is looked at again. Time is
// held exactly there, and what never came about is said.
#include "canvas/CanvasView.h"
#include "shell/ActionList.h"
#include "shell/FileActions.h"
#include "shell/MessageBar.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "transport/BreakpointText.h"
#include "transport/RunUntilDialog.h"
#include "transport/TransportBar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStatusBar>

using namespace trainyard;

class tst_RunUntilWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void holdsALiveRun_data();
    void holdsALiveRun();
    void holdsWhenLookedAtAgain();
    void againFindsTheNext();
    void saysThatItNeverCame();
    void asksByKeyboard();
    void saysWhyItCannot();
    void pauseGivesItUp();

private:
    /// A paused run of the file at its start.
    static void openPaused(test::WindowFixture& w, const QString& file);
    static void finish(test::WindowFixture& w);
    test::OwnSettings m_settings{"tst_RunUntilWindow"};
};

void tst_RunUntilWindow::openPaused(test::WindowFixture& w, const QString& file) {
    QVERIFY(w.window.files().open(file));
    w.workspace.playback().pause();
    QTRY_VERIFY(w.workspace.runs().latestFrame() && w.workspace.runs().latestFrame()->status == RunStatus::paused);
}

void tst_RunUntilWindow::finish(test::WindowFixture& w) {
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
}

void tst_RunUntilWindow::holdsALiveRun_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("type");
    QTest::newRow("failure") << int(Breakpoint::Kind::failure) << int(EventType::machineFailed);
    QTest::newRow("job ends") << int(Breakpoint::Kind::jobEnded) << int(EventType::jobFinished);
    QTest::newRow("job starts") << int(Breakpoint::Kind::jobStarted) << int(EventType::jobStarted);
}

void tst_RunUntilWindow::holdsALiveRun() {
    QFETCH(int, kind);
    QFETCH(int, type);
    test::WindowFixture w;
    openPaused(w, test::starter("failure-and-recovery"));
    Playback& playback = w.workspace.playback();
    QSignalSpy over(&playback, &Playback::untilOver);
    const Breakpoint until{.kind = static_cast<Breakpoint::Kind>(kind), .job = JobId(std::size_t{0})};
    const SimTime from = w.workspace.shownTime();
    playback.runUntil(until);
    QVERIFY(playback.waitingFor());
    QTRY_COMPARE_WITH_TIMEOUT(over.count(), 1, test::patience);
    QVERIFY(over[0][1].toBool());
    QVERIFY(!playback.isPlaying() && !playback.waitingFor());
    // The log says when it was.
    const EventLog& log = *w.workspace.runs().current().log;
    std::optional<SimTime> first;
    for (std::size_t i = log.positionAfter(from); i < log.size() && !first; ++i)
        if (int(log[i].type) == type) first = log[i].time;
    if (kind != int(Breakpoint::Kind::jobStarted) || first) {
        QVERIFY(first);
        QCOMPARE(w.workspace.shownTime(), *first);
        QCOMPARE(w.workspace.shownState()->now(), *first);
    }
    QVERIFY(w.window.statusBar()->currentMessage().contains(w.window.transport().clock()));
}

void tst_RunUntilWindow::holdsWhenLookedAtAgain() {
    test::WindowFixture w;
    openPaused(w, test::starter("failure-and-recovery"));
    finish(w);
    Playback& playback = w.workspace.playback();
    const EventLog& log = *w.workspace.runs().current().log;
    w.workspace.axis().setCursor(SimTime{});
    playback.runUntil({.kind = Breakpoint::Kind::failure});
    std::optional<SimTime> failure;
    for (std::size_t i = 0; i < log.size() && !failure; ++i)
        if (log[i].type == EventType::machineFailed) failure = log[i].time;
    QVERIFY(failure);
    QCOMPARE(w.workspace.axis().cursor(), failure);
    QVERIFY(!playback.isPlaying());
    // A time goes back as well as forward, between events too.
    const SimTime when = SimTime::seconds(failure->toSeconds() / 3);
    playback.runUntil({.kind = Breakpoint::Kind::time, .time = when});
    QCOMPARE(w.workspace.axis().cursor(), std::optional(when));
}

void tst_RunUntilWindow::againFindsTheNext() {
    test::WindowFixture w;
    openPaused(w, test::starter("failure-and-recovery"));
    finish(w);
    w.workspace.axis().setCursor(SimTime{});
    w.workspace.playback().runUntil({.kind = Breakpoint::Kind::decision, .job = JobId(std::size_t{0})});
    const SimTime first = w.workspace.shownTime();
    QAction* again = w.window.commands().find(QStringLiteral("run.until-again"));
    QVERIFY(again->isEnabled());
    again->trigger();
    QVERIFY(w.workspace.shownTime() > first); // also after the failure
}

void tst_RunUntilWindow::saysThatItNeverCame() {
    test::WindowFixture w;
    openPaused(w, test::starter());
    Playback& playback = w.workspace.playback();
    QSignalSpy over(&playback, &Playback::untilOver);
    playback.runUntil({.kind = Breakpoint::Kind::lossAtMost, .job = JobId(std::size_t{0}), .loss = -1});
    QTRY_COMPARE_WITH_TIMEOUT(over.count(), 1, test::patience);
    QVERIFY(!over[0][1].toBool());
    QVERIFY(w.ended());
    QVERIFY2(w.window.messages().text().startsWith(QStringLiteral("Never reached")),
             qPrintable(w.window.messages().text()));
    // The same when the run has ended long since.
    playback.toStart();
    playback.runUntil({.kind = Breakpoint::Kind::jobsWaiting, .jobs = 50});
    QCOMPARE(over.count(), 2);
    QVERIFY(!over[1][1].toBool());
    QVERIFY(!w.workspace.axis().cursor());
    playback.toStart();
    playback.runUntil({.kind = Breakpoint::Kind::time, .time = SimTime::seconds(1e6)});
    QVERIFY(w.window.messages().text().contains(QStringLiteral("before")));
}

void tst_RunUntilWindow::asksByKeyboard() {
    test::WindowFixture w;
    openPaused(w, test::starter());
    QApplication::setActiveWindow(&w.window);
    w.window.canvas().setFocus();
    QTest::keyClick(&w.window.canvas(), Qt::Key_U, Qt::ControlModifier);
    auto* dialog = w.window.findChild<RunUntilDialog*>();
    QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
    QTRY_COMPARE(dialog->findChildren<QComboBox*>()[1]->count(), 1);
    auto* kind = dialog->findChildren<QComboBox*>()[0];
    QVERIFY(kind->hasFocus() || kind == dialog->focusWidget());
    kind->setCurrentIndex(kind->findData(static_cast<int>(Breakpoint::Kind::time)));
    auto* seconds = dialog->findChild<QDoubleSpinBox*>();
    seconds->setFocus();
    seconds->selectAll();
    QTest::keyClicks(seconds, QStringLiteral("2.5"));
    QTest::keyClick(seconds, Qt::Key_Return);
    QTRY_COMPARE(w.workspace.shownTime(), SimTime::seconds(2.5));
    QTRY_VERIFY(!w.workspace.playback().isPlaying());
}

void tst_RunUntilWindow::saysWhyItCannot() {
    test::WindowFixture w;
    QAction* again = w.window.commands().find(QStringLiteral("run.until-again"));
    QVERIFY(!again->isEnabled() && !again->toolTip().isEmpty());
    RunUntilDialog dialog(w.workspace);
    dialog.show();
    QVERIFY(!dialog.whyNot().isEmpty()); // there is no run
    QVERIFY(!dialog.findChild<QPushButton*>()->isEnabled());
    openPaused(w, test::starter());
    auto *kind = dialog.findChildren<QComboBox*>()[0], *job = dialog.findChildren<QComboBox*>()[1];
    QTRY_COMPARE(job->count(), 1);
    kind->setCurrentIndex(kind->findData(static_cast<int>(Breakpoint::Kind::jobEnded)));
    QVERIFY2(dialog.whyNot().isEmpty(), qPrintable(dialog.whyNot()));
    job->setEditText(QStringLiteral("nobody"));
    QVERIFY(dialog.whyNot().contains(QStringLiteral("nobody")));
}

void tst_RunUntilWindow::pauseGivesItUp() {
    test::WindowFixture w;
    openPaused(w, test::starter());
    Playback& playback = w.workspace.playback();
    QSignalSpy over(&playback, &Playback::untilOver);
    playback.runUntil({.kind = Breakpoint::Kind::jobsWaiting, .jobs = 99});
    playback.pause();
    QVERIFY(!playback.waitingFor());
    finish(w);
    QCOMPARE(over.count(), 0);
}

TRAINYARD_TEST(tst_RunUntilWindow)
#include "tst_RunUntilWindow.moc"
