// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A command that cannot be used now says why, also to those who press its keys.
#include "canvas/CanvasView.h"
#include "shell/ActionList.h"
#include "shell/Caption.h"
#include "shell/FileActions.h"
#include "shell/Places.h"
#include "support/Hands.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/ActionReason.h"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QStatusBar>

using namespace trainyard;

class tst_ShortcutReasons : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void everyDisabledCommandHasAReason_data();
    void everyDisabledCommandHasAReason();
    void keysOfDisabledCommandsSayIt();
    void everyCommandWouldSayIt();
    void typingIsLeftAlone();
    void spacePressesTheButtonReachedByTab();

private:
    static void press(test::WindowFixture& w, const QAction* action);
    test::OwnSettings m_settings{"tst_ShortcutReasons"};
};

void tst_ShortcutReasons::press(test::WindowFixture& w, const QAction* action) {
    const QKeyCombination keys = action->shortcut()[0];
    // The canvas has keys of its own, arrows for instance: they mean something there, whatever the commands can do.
    QWidget* focus = &w.window;
    if (action->shortcutContext() == Qt::WidgetShortcut) focus = &w.window.canvas();
    QTest::keyClick(focus, keys.key(), keys.keyboardModifiers());
}

void tst_ShortcutReasons::everyDisabledCommandHasAReason_data() {
    QTest::addColumn<QString>("scenario");
    QTest::newRow("nothing open") << QString();
    QTest::newRow("at the start of a run") << test::starter();
    QTest::newRow("jobs and faults") << test::starter("failure-and-recovery");
}

void tst_ShortcutReasons::everyDisabledCommandHasAReason() {
    QFETCH(QString, scenario);
    test::WindowFixture w;
    if (!scenario.isEmpty()) {
        QVERIFY(w.window.files().open(scenario));
        w.workspace.playback().toStart();
    }
    QTest::qWait(200); // commands look again a moment after a change
    int disabled = 0;
    for (const QAction* action : w.window.commands().all()) {
        if (action->isEnabled()) continue;
        ++disabled;
        const QString why = actionWhyNot(action);
        QVERIFY2(!why.isEmpty(), qPrintable(ActionList::idOf(action)));
        QVERIFY2(action->toolTip().contains(why.toHtmlEscaped()), qPrintable(ActionList::idOf(action)));
        QCOMPARE(action->statusTip(), why);
    }
    QVERIFY(disabled > 3);
}

void tst_ShortcutReasons::keysOfDisabledCommandsSayIt() {
    test::WindowFixture w;
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    QApplication::setActiveWindow(&w.window);
    w.window.canvas().setFocus();
    int pressed = 0;
    for (const QAction* action : w.window.commands().all()) {
        if (action->isEnabled() || action->shortcut().isEmpty()) continue;
        w.window.statusBar()->clearMessage();
        press(w, action);
        QVERIFY2(w.window.statusBar()->currentMessage().contains(actionWhyNot(action)),
                 qPrintable(ActionList::idOf(action) + QStringLiteral(": ") + w.window.statusBar()->currentMessage()));
        ++pressed;
    }
    QVERIFY(pressed > 3);
}

// Whatever it is that is not possible one day: none of the keys is silent.
void tst_ShortcutReasons::everyCommandWouldSayIt() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().pause();
    QTest::qWait(300); // what is coalesced has happened, and will not enable anything again
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    QApplication::setActiveWindow(&w.window);
    w.window.canvas().setFocus();
    const QString why = QStringLiteral("a reason that nobody else gives");
    int pressed = 0;
    for (QAction* action : w.window.commands().all()) {
        if (action->shortcut().isEmpty()) continue;
        setActionAvailable(action, why);
        w.window.statusBar()->clearMessage();
        press(w, action);
        QVERIFY2(w.window.statusBar()->currentMessage().contains(why), qPrintable(ActionList::idOf(action)));
        setActionAvailable(action, {});
        ++pressed;
    }
    QVERIFY(pressed > 30);
}

void tst_ShortcutReasons::typingIsLeftAlone() {
    test::WindowFixture w;
    QApplication::setActiveWindow(&w.window);
    QLineEdit field(&w.window);
    field.setText(QStringLiteral("abc"));
    field.show();
    field.setFocus();
    for (QAction* action : w.window.commands().all())
        if (action->shortcut() == QKeySequence(Qt::Key_Left)) setActionAvailable(action, QStringLiteral("no"));
    QTest::keyClick(&field, Qt::Key_Left);
    QCOMPARE(field.cursorPosition(), 2);
    QVERIFY(w.window.statusBar()->currentMessage().isEmpty());
}

// Space plays and pauses, except where it has a button to press; a click on a button leaves the keyboard alone.
void tst_ShortcutReasons::spacePressesTheButtonReachedByTab() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter()));
    const Choice before = w.workspace.document().scenario().policies.of(PolicyFamily::synchronization);
    QPushButton* button = w.window.caption().variantButton();
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QVERIFY(test::tabTo(&w.window, button));
    const bool playing = w.workspace.playback().isPlaying();
    QTest::keyClick(button, Qt::Key_Space);
    QVERIFY(!(w.workspace.document().scenario().policies.of(PolicyFamily::synchronization) == before));
    QCOMPARE(w.workspace.playback().isPlaying(), playing);
    w.window.canvas().setFocus();
    QTest::mouseClick(button, Qt::LeftButton); // and back
    QVERIFY(w.workspace.document().scenario().policies.of(PolicyFamily::synchronization) == before);
    QVERIFY(w.window.canvas().hasFocus());
    QTest::keyClick(&w.window.canvas(), Qt::Key_Space);
    QTRY_COMPARE(w.workspace.playback().isPlaying(), !playing);
}

TRAINYARD_TEST(tst_ShortcutReasons)
#include "tst_ShortcutReasons.moc"
