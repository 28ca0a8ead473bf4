// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What belongs to one document and not to the next: its speed, the keyboard, refused values; and what of it saving is asked for.
#include "canvas/CanvasView.h"
#include "compare/ComparePage.h"
#include "compare/ComparisonForm.h"
#include "forms/EntityForm.h"
#include "forms/PolicyPanel.h"
#include "shell/ActionList.h"
#include "shell/FileActions.h"
#include "shell/Inspector.h"
#include "shell/Places.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>

using namespace trainyard;

class tst_DocumentChanges : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void shortRunsAreSeen();
    void speedIsNotCarriedOver();
    void newDocumentHasTheKeyboard();
    void refusedValueIsUndone();
    void triedPoliciesAreNoChanges();
    void explanationsAreTurnedOn();
    void scenarioIsNotComparedWithItself();
    void firstWindowFitsTheScreen();

private:
    using Window = test::WindowFixture;
    static QAction* action(Window& w, const char* id) {
        return w.window.findChild<ActionList*>()->find(QLatin1String(id));
    }
    test::OwnSettings m_settings{"tst_DocumentChanges"};
};

/// Of less than a tenth of a second: at the speed that others begin with it would be over before it is seen.
void tst_DocumentChanges::shortRunsAreSeen() {
    Window w;
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/nups/zipf.json")));
    QTRY_VERIFY(w.workspace.runs().latestFrame() && w.workspace.runs().latestFrame()->progress > 0);
    QTest::qWait(500);
    QVERIFY(w.workspace.runs().current().running);
    QVERIFY(w.workspace.playback().speed() <= 0.02);
}

void tst_DocumentChanges::speedIsNotCarriedOver() {
    Window w;
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().setSpeed(500);
    w.workspace.restart(); // of the same document: it is what the user chose
    QCOMPARE(w.workspace.playback().speed(), 500.0);
    QVERIFY(w.window.files().open(test::starter("two-racks")));
    QCOMPARE(w.workspace.playback().speed(), 1.0); // and fits itself to the run from there
    QVERIFY(w.workspace.runs().session());
    QCOMPARE(w.workspace.runs().session()->request().speed, 1.0);
    Scenario stated = w.workspace.document().scenario();
    stated.playbackSpeed = 0.25;
    w.workspace.create(stated);
    QCOMPARE(w.workspace.runs().session()->request().speed, 0.25);
    QTRY_VERIFY(w.workspace.runs().latestFrame() && w.workspace.runs().latestFrame()->progress > 0.002);
    QCOMPARE(w.workspace.playback().speed(), 0.25); // not fitted to the length of the run
    w.workspace.playback().setSpeed(50);
    w.workspace.document().setField({EntityRef{}}, "/playback_speed", "8");
    QCOMPARE(w.workspace.playback().speed(), 8.0);
    w.workspace.document().undoStack().undo();
    QCOMPARE(w.workspace.playback().speed(), 0.25);
}

void tst_DocumentChanges::newDocumentHasTheKeyboard() {
    Window w;
    QVERIFY(w.window.files().open(test::starter()));
    QComboBox* scheduler = w.window.policies().picker(PolicyFamily::scheduler);
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    scheduler->setFocus();
    QVERIFY(scheduler->hasFocus());
    action(w, "file.new")->trigger();
    QVERIFY(!scheduler->hasFocus());
    QVERIFY(w.window.canvas().hasFocus());
}

void tst_DocumentChanges::refusedValueIsUndone() {
    Window w;
    QVERIFY(w.window.files().open(test::starter()));
    auto& document = w.workspace.document();
    w.workspace.selection().selectEntities({QString::fromStdString(document.scenario().cluster.machines[0].key)});
    auto* form = w.window.findChild<EntityForm*>();
    QVERIFY(form);
    const Scenario before = document.scenario();
    QLineEdit* cpu = nullptr;
    QTRY_VERIFY((cpu = qobject_cast<QLineEdit*>(form->control("/capacity/cpu"))));
    const QString shown = cpu->text();
    QAction* undo = action(w, "edit.undo");
    QVERIFY(!undo->isEnabled());
    cpu->setFocus();
    cpu->selectAll();
    QTest::keyClicks(cpu, QStringLiteral("-5"));
    QTest::keyClick(cpu, Qt::Key_Return);
    QVERIFY(undo->isEnabled());
    undo->trigger();
    QCOMPARE(cpu->text(), shown);
    QVERIFY(document.scenario() == before);
    QCOMPARE(document.refused(), 0);
    QVERIFY(!undo->isEnabled());
}

void tst_DocumentChanges::triedPoliciesAreNoChanges() {
    Window w;
    QVERIFY(w.window.files().open(test::starter()));
    auto& document = w.workspace.document();
    QVERIFY(document.changesToSave().isEmpty());
    document.choosePolicy(PolicyFamily::synchronization, {"async", {}});
    document.setSeed(7);
    QVERIFY(document.isModified());
    QVERIFY(document.changesToSave().isEmpty());
    QTest::qWait(100);
    QVERIFY(w.window.files().mayClose() && !w.window.isWindowModified()); // nobody is asked
    document.setTitle(QStringLiteral("Another"));
    QTRY_VERIFY(w.window.isWindowModified());
    QCOMPARE(document.changesToSave(), QStringList{QStringLiteral("settings and texts")});
    document.undoStack().undo();
    QTRY_VERIFY(!w.window.isWindowModified());
    document.change(QStringLiteral("more"), [](Scenario& s) { s.cluster.machines[0].capacity.set(0, 2); });
    QCOMPARE(document.changesToSave(), QStringList{QStringLiteral("machines and links")});
    // Back in one key, also of a shipped one, which is opened as a copy.
    QAction* revert = action(w, "file.revert");
    QCOMPARE(revert->shortcut(), QKeySequence(Qt::Key_F5));
    QVERIFY(revert->isEnabled());
    revert->trigger();
    QVERIFY(!document.isModified());
    QCOMPARE(document.scenario().policies.synchronization.id, std::string("full-sync"));
    document.replace(document.scenario(), {}, true); // recovered: it was never saved
    QVERIFY(!document.changesToSave().isEmpty());
}

void tst_DocumentChanges::explanationsAreTurnedOn() {
    Window w;
    QVERIFY(w.window.files().open(test::starter()));
    auto& document = w.workspace.document();
    document.change(QStringLiteral("off"), [](Scenario& s) { s.explanations = WhyLevel::off; });
    w.workspace.restart();
    auto* inspector = w.window.findChild<Inspector*>();
    inspector->setCurrentIndex(2);
    const auto why = [&] { return inspector->currentWidget()->findChild<QLabel*>(); };
    QTRY_VERIFY(why()->text().contains(QStringLiteral("records no explanations")));
    Q_EMIT why()->linkActivated(QStringLiteral("on"));
    QCOMPARE(document.scenario().explanations, WhyLevel::decisions);
    QTRY_VERIFY(!why()->text().contains(QStringLiteral("records no explanations")));
}

void tst_DocumentChanges::scenarioIsNotComparedWithItself() {
    Window w;
    QVERIFY(w.window.files().open(test::starter()));
    auto& document = w.workspace.document();
    const Choice own = document.scenario().policies.synchronization;
    document.change(QStringLiteral("variants"), [&](Scenario& s) {
        s.variants = {{.name = "own", .family = PolicyFamily::synchronization, .choice = own},
                      {.name = "other", .family = PolicyFamily::synchronization, .choice = {"async", {}}}};
    });
    Q_EMIT document.documentReplaced();
    auto* arms = w.window.findChild<ComparePage*>()->findChild<QListWidget*>(QStringLiteral("arms"));
    QVERIFY(arms);
    QStringList names;
    for (int i = 0; i < arms->count(); ++i) names << arms->item(i)->text();
    QCOMPARE(names, (QStringList{QStringLiteral("As in the scenario"), QStringLiteral("Asynchronous")}));
}

void tst_DocumentChanges::firstWindowFitsTheScreen() {
    Window w;
    w.window.restoreLayout(); // nothing is remembered
    const QSize room = w.window.screen()->availableSize();
    QTRY_VERIFY(w.window.width() <= room.width() && w.window.height() <= room.height());
}

TRAINYARD_TEST(tst_DocumentChanges)
#include "tst_DocumentChanges.moc"
