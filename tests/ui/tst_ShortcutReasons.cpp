// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A command that cannot be used now says why, also to those who press its keys.
#include "canvas/CanvasView.h"
#include "session/ShownIndex.h"
#include "shell/ActionList.h"
#include "shell/Caption.h"
#include "shell/FileActions.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "support/Hands.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/ActionReason.h"

#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSlider>
#include <QStatusBar>
#include <QTabBar>
#include <QTreeWidget>

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
    void fieldsLeaveUndoToTheWindow();
    void spacePressesTheButtonReachedByTab();
    void listsSlidersAndTabsKeepTheirKeys();

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
/// Ctrl+Z after a value was typed and left by Tab takes it back, whatever has the keyboard by then; what is being typed comes first.
void tst_ShortcutReasons::fieldsLeaveUndoToTheWindow() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter("two-racks")));
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    QApplication::setActiveWindow(&w.window);
    const auto& machines = w.workspace.document().scenario().cluster.machines;
    const auto cpu = [&] { return machines.front().capacity.amount(0); };
    const double before = cpu();
    w.workspace.selection().selectEntities({QString::fromStdString(machines.front().key)});
    w.window.panels().open(QStringLiteral("inspector"));
    const auto fields = w.window.panels().find(QStringLiteral("inspector"))->findChildren<QLineEdit*>();
    const auto field = std::ranges::find_if(fields, [](const QLineEdit* f) {
        return f->isVisible() && f->accessibleName().endsWith(QStringLiteral("cpu"));
    });
    QVERIFY(field != fields.end());
    const auto press = [](Qt::Key key, Qt::KeyboardModifiers with = {}) {
        QTest::keyClick(QApplication::focusWidget(), key, with);
    };
    (*field)->setFocus();
    (*field)->selectAll();
    QTest::keyClicks(*field, QStringLiteral("4"));
    press(Qt::Key_Tab);
    QCOMPARE(cpu(), 4.0);
    QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("7"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(cpu(), 4.0);
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(cpu(), before);
    press(Qt::Key_Tab); // where nothing was typed
    const QKeyCombination redo = QKeySequence(QKeySequence::Redo)[0];
    press(redo.key(), redo.keyboardModifiers());
    QCOMPARE(cpu(), 4.0);
    QWidget* exports = w.window.panels().find(QStringLiteral("export"));
    QVERIFY(!exports->isVisible());
    press(Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(exports->isVisible());
}

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

// The keys that play and step: what is reached by Tab and knows them itself can be used without a mouse.
void tst_ShortcutReasons::listsSlidersAndTabsKeepTheirKeys() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    w.workspace.axis().setCursor(SimTime::seconds(1));
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QSlider slider(Qt::Horizontal, &w.window);
    QTabBar tabs(&w.window);
    QListWidget list(&w.window);
    QTreeWidget tree(&w.window);
    for (const char* text : {"a", "b", "c"}) {
        tabs.addTab(QString::fromUtf8(text));
        auto* item = new QListWidgetItem(QString::fromUtf8(text), &list);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Unchecked);
    }
    auto* branch = new QTreeWidgetItem(&tree, {QStringLiteral("branch")});
    new QTreeWidgetItem(branch, {QStringLiteral("leaf")});
    tree.setCurrentItem(branch);
    list.setCurrentRow(0);
    for (QWidget* each : std::initializer_list<QWidget*>{&slider, &tabs, &list, &tree}) each->show();
    const auto press = [&](QWidget& widget, Qt::Key key) {
        widget.setFocus();
        QTest::keyClick(&widget, key);
    };
    press(slider, Qt::Key_Right);
    QCOMPARE(slider.value(), 1);
    press(slider, Qt::Key_End);
    QCOMPARE(slider.value(), slider.maximum());
    press(tabs, Qt::Key_Right);
    QCOMPARE(tabs.currentIndex(), 1);
    press(list, Qt::Key_End);
    QCOMPARE(list.currentRow(), 2);
    press(list, Qt::Key_Space);
    QCOMPARE(list.item(2)->checkState(), Qt::Checked);
    press(tree, Qt::Key_Right);
    QVERIFY(branch->isExpanded());
    press(tree, Qt::Key_Left);
    QVERIFY(!branch->isExpanded());
    QCOMPARE(w.workspace.shownTime(), SimTime::seconds(1));
    QVERIFY(!w.workspace.playback().isPlaying());
    press(w.window.canvas(), Qt::Key_End);
    QCOMPARE(w.workspace.shownTime(), w.workspace.shownRuns().head());
}

TRAINYARD_TEST(tst_ShortcutReasons)
#include "tst_ShortcutReasons.moc"
