// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A whole piece of work in the real window, once with the mouse and once with the keyboard alone: a cluster
// drawn from nothing, a job, a run, a look back, a policy tuned with the earlier run as a ghost, every view
// exported; then everything undone and done again, to the same bytes.
#include "canvas/CanvasFurniture.h"
#include "canvas/CanvasTools.h"
#include "canvas/CanvasView.h"
#include "export/ExportPanel.h"
#include "export/Recover.h"
#include "forms/ParamForm.h"
#include "forms/PolicyPanel.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "lanes/TimeRuler.h"
#include "scenario/ScenarioFile.h"
#include "session/ShownIndex.h"
#include "shell/EditorActions.h"
#include "shell/ExportActions.h"
#include "shell/FileActions.h"
#include "shell/Inspector.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/PropertiesPage.h"
#include "support/Hands.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "tables/EntityTable.h"
#include "tables/TablesPanel.h"
#include "transport/TransportBar.h"

#include <QCheckBox>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

using namespace trainyard;

namespace {

struct Workday : test::WindowFixture {
    CanvasView& canvas = window.canvas();
    ScenarioModel& document = workspace.document();
    LaneStack& lanes = *window.findChild<LaneStack*>();

    Workday() {
        window.activateWindow();
        QTest::qWait(1); // docks take their sizes
    }
    /// A menu that has closed leaves the keyboard to the window, as window managers see to; where there is
    /// none (offscreen), the menu would keep it.
    void menuIsClosed() {
        QCoreApplication::processEvents();
        window.activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), &window);
    }
    const Scenario& scenario() { return document.scenario(); }
    std::string text() { return writeScenario(document.scenario()); }
    QUndoStack& stack() { return document.undoStack(); }
    std::uint64_t updatesShown() {
        const auto state = workspace.shownState();
        return state && !state->jobs().empty() ? state->job(JobId(0)).updates : 0;
    }
    std::string digest() { return workspace.runs().current().log->digest(); }
};

/// Every state of the document from nothing to now by undoing, then forwards by redoing: the same bytes in
/// both directions, and nothing at the beginning.
void undoAndRedoEverything(Workday& w, const Scenario& atFirst, qsizetype leastSteps) {
    const std::string last = w.text();
    QStringList undone, names;
    while (w.stack().canUndo()) {
        QVERIFY(!w.stack().undoText().isEmpty()); // each step says what it is
        names.prepend(w.stack().undoText());
        w.stack().undo();
        undone.prepend(QString::fromStdString(w.text()));
    }
    QVERIFY(undone.size() >= leastSteps);
    QVERIFY(w.scenario() == atFirst);
    for (qsizetype i = 0; w.stack().canRedo(); ++i) {
        QCOMPARE(QString::fromStdString(w.text()), undone[i]);
        QCOMPARE(w.stack().redoText(), names[i]);
        w.stack().redo();
    }
    QCOMPARE(w.text(), last);
    const auto again = parseScenario(last, "workday.json");
    QVERIFY(again.ok());
    QCOMPARE(writeScenario(again.value().scenario), last);
}

/// The panel proposes some views in two formats.
void choosesEverything(ExportPanel& panel) {
    for (int i = 0; i < panel.views().count(); ++i) panel.views().item(i)->setCheckState(Qt::Checked);
    for (QCheckBox* box : panel.findChildren<QCheckBox*>())
        if (exportFormats().contains(box->text().toLower())) box->setChecked(true);
}

/// Every view lies there in every format, and each file brings back the run on show.
void everyViewIsIn(const QString& folder, Workday& w) {
    const QDir directory(folder);
    const auto views = w.window.exports().controller().views();
    QVERIFY(views.size() >= 12);
    for (const ExportView& view : views)
        for (const QString& format : exportFormats()) {
            const QString file = directory.filePath(view.id + QLatin1Char('.') + format);
            const auto recovered = scenarioFromFigure(file);
            QVERIFY2(recovered.ok(), qPrintable(file));
            QCOMPARE(writeScenario(recovered->scenario), w.text());
            QCOMPARE(recovered->provenance.digest, w.digest());
        }
    QCOMPARE(directory.entryList(QDir::Files).size(), views.size() * exportFormats().size());
}

} // namespace

class tst_Workday : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void byMouse();
    void byKeyboard();

private:
    test::OwnSettings m_settings{"tst_Workday"};
};

void tst_Workday::byMouse() {
    Workday w;
    QMenuBar* bar = w.window.menuBar();
    QVERIFY(test::chooseFromMenu(bar, QStringLiteral("File"), QStringLiteral("New")));
    const Scenario atFirst = w.scenario();
    QVERIFY(atFirst.cluster.machines.empty() && atFirst.jobs.empty());

    // Three machines beneath a switch, linked by dragging from their upper ports.
    w.canvas.fit();
    const QPoint middle = w.canvas.viewport()->rect().center();
    const auto place = [&](CanvasTools::Thing thing, QPoint at) {
        QTest::mouseClick(w.window.editing().furniture().strip().button(thing), Qt::LeftButton);
        QTest::mouseClick(w.canvas.viewport(), Qt::LeftButton, {}, at);
    };
    place(CanvasTools::Thing::switchNode, middle - QPoint(0, 110));
    for (int i = -1; i <= 1; ++i) place(CanvasTools::Thing::machine, middle + QPoint(160 * i, 60));
    QCOMPARE(w.scenario().cluster.machines.size(), std::size_t{3});
    const QPoint hub = w.canvas.screenPositionOf(QStringLiteral("s1"));
    for (std::size_t i = 0; i < 3; ++i) {
        const QRectF card = w.canvas.content().layout.machines[i];
        test::dragOn(w.canvas.viewport(), w.canvas.mapFromScene(QPointF(card.center().x(), card.top())), hub);
    }
    QCOMPARE(w.scenario().cluster.links.size(), std::size_t{3});
    QCOMPARE(w.stack().count(), 7);

    // A job from the inspector; it begins to run at once.
    QTest::mouseClick(w.canvas.viewport(), Qt::LeftButton, {}, middle + QPoint(0, 150)); // nothing selected
    PropertiesPage& properties = *w.window.findChild<PropertiesPage*>();
    QToolButton* add = nullptr;
    for (QToolButton* button : properties.findChildren<QToolButton*>())
        if (button->menu() && button->isVisible()) add = button;
    QVERIFY(add);
    test::onceOpen(add->menu(), [menu = add->menu()] { QVERIFY(test::clickIn(menu, QStringLiteral("Trained job"))); });
    QTest::mouseClick(add, Qt::LeftButton);
    QTRY_COMPARE(w.scenario().jobs.size(), std::size_t{1});
    QTRY_VERIFY(w.head() > 0);

    // To the end, and back into the middle by dragging along the ruler.
    const auto button = [&](const QString& text) {
        QAction* action = test::actionOf(&w.window.transport(), text);
        return action ? w.window.transport().widgetForAction(action) : nullptr;
    };
    QVERIFY(button(QStringLiteral("Run to End")));
    QTest::mouseClick(button(QStringLiteral("Run to End")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    QCOMPARE(w.workspace.runs().latestFrame()->status, RunStatus::finished);
    const auto updates = w.updatesShown();
    QVERIFY(updates > 0);
    TimeRuler* ruler = w.lanes.ruler();
    const QRect plot = ruler->plotRect().toRect();
    test::dragOn(ruler, {plot.right() - 4, plot.center().y()}, {plot.left() + plot.width() / 3, plot.center().y()});
    QVERIFY(w.workspace.axis().cursor().has_value());
    QTRY_VERIFY(w.updatesShown() < updates);

    // Another synchronization, its slider dragged: one step, a ghost, another curve.
    const RunId first = w.workspace.runs().current().id;
    QVERIFY(test::pick(w.window.policies().picker(PolicyFamily::synchronization), QStringLiteral("Fastest k")));
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().id != first && w.ended(), test::patience);
    const int steps = w.stack().count();
    auto* slider =
        qobject_cast<QSlider*>(w.window.policies().form(PolicyFamily::synchronization)->slider(QStringLiteral("k")));
    QVERIFY(slider);
    w.window.policies().ensureWidgetVisible(slider);
    const RunId second = w.workspace.runs().current().id;
    const std::string atSecond = w.digest();
    const int wanted = slider->minimum() + (slider->maximum() - slider->minimum()) / 3;
    QVERIFY(slider->value() != wanted);
    test::dragOn(slider, test::handleOf(slider, slider->value()), test::handleOf(slider, wanted));
    QCOMPARE(w.stack().count(), steps + 1);
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().id != second && w.ended(), test::patience);
    QCOMPARE(w.workspace.runs().earlier().back().id, second);
    QVERIFY(w.digest() != atSecond);
    const auto shows = [&] { return w.lanes.lanes().front()->input(); };
    QTRY_VERIFY(shows().ghost && shows().ghost->run().id == second);
    QVERIFY(shows().run->run().id == w.workspace.runs().current().id);

    // Everything exported.
    const QTemporaryDir folder;
    QVERIFY(test::chooseFromMenu(bar, QStringLiteral("File"), QStringLiteral("Export")));
    ExportPanel& panel = *w.window.findChild<ExportPanel*>();
    QTRY_VERIFY(panel.isVisible());
    w.menuIsClosed();
    choosesEverything(panel);
    auto* where = panel.findChild<QLineEdit*>(QStringLiteral("export-folder"));
    QTest::mouseClick(where, Qt::LeftButton);
    test::typeOver(folder.path());
    QCOMPARE(where->text(), folder.path());
    QTRY_VERIFY(panel.exportButton().isEnabled());
    QSignalSpy exported(&panel.controller().job(), &ExportJob::finished);
    QTest::mouseClick(&panel.exportButton(), Qt::LeftButton);
    QVERIFY(!exported.isEmpty() || exported.wait(test::patience));
    everyViewIsIn(folder.path(), w);

    undoAndRedoEverything(w, atFirst, 10);
}

void tst_Workday::byKeyboard() {
    Workday w;
    QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
    const Scenario atFirst = w.scenario();
    QVERIFY(atFirst.cluster.machines.empty() && atFirst.jobs.empty());
    QVERIFY(test::tabTo(&w.window, &w.canvas));
    for (const Qt::Key key : {Qt::Key_S, Qt::Key_M, Qt::Key_M, Qt::Key_M}) QTest::keyClick(&w.canvas, key);
    QTest::keyClick(&w.canvas, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&w.canvas, Qt::Key_L);
    QCOMPARE(w.scenario().cluster.links.size(), std::size_t{3});
    QTest::keyClick(&w.canvas, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);

    // A job: the inspector's button opens its menu by Space, the letter chooses.
    PropertiesPage& properties = *w.window.findChild<PropertiesPage*>();
    QToolButton* add = nullptr;
    for (QToolButton* button : properties.findChildren<QToolButton*>())
        if (button->menu() && button->isVisible()) add = button;
    QVERIFY(add && test::tabTo(&w.window, add));
    test::onceOpen(add->menu(), [menu = add->menu()] { QTest::keyClick(menu, Qt::Key_T); });
    QTest::keyClick(add, Qt::Key_Space);
    QTRY_COMPARE(w.scenario().jobs.size(), std::size_t{1});
    w.menuIsClosed();
    QVERIFY(properties.isAncestorOf(QApplication::focusWidget())); // the button is gone: its form has the keyboard
    QTRY_VERIFY(w.head() > 0);

    QAction* end = test::actionOf(&w.window.transport(), QStringLiteral("Run to End"));
    QVERIFY(end && !end->shortcut().isEmpty());
    QTest::keySequence(&w.window, end->shortcut());
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    const auto updates = w.updatesShown();
    QVERIFY(updates > 0);
    QVERIFY(test::tabTo(&w.window, &w.lanes));
    for (int i = 0; i < 5; ++i) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(w.workspace.axis().cursor().has_value());
    QTRY_VERIFY(w.updatesShown() < updates);

    QComboBox* picker = w.window.policies().picker(PolicyFamily::synchronization);
    QVERIFY(test::tabTo(&w.window, picker));
    const RunId first = w.workspace.runs().current().id;
    QTest::keyClicks(picker, QStringLiteral("Fastest"));
    QCOMPARE(w.scenario().policies.of(PolicyFamily::synchronization).id, std::string("fastest-k"));
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().id != first && w.ended(), test::patience);
    QWidget* slider = w.window.policies().form(PolicyFamily::synchronization)->slider(QStringLiteral("k"));
    QVERIFY(slider && test::tabTo(&w.window, slider));
    const RunId second = w.workspace.runs().current().id;
    QTest::keyClick(slider, Qt::Key_PageDown);
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().id != second && w.ended(), test::patience);
    QCOMPARE(w.workspace.runs().earlier().back().id, second);

    const QTemporaryDir folder;
    QTest::keyClick(&w.window, Qt::Key_E, Qt::ControlModifier);
    ExportPanel& panel = *w.window.findChild<ExportPanel*>();
    QTRY_VERIFY(panel.isVisible());
    choosesEverything(panel);
    QVERIFY(test::tabTo(&w.window, panel.findChild<QLineEdit*>(QStringLiteral("export-folder"))));
    test::typeOver(folder.path());
    QVERIFY(test::tabTo(&w.window, &panel.exportButton()));
    QSignalSpy exported(&panel.controller().job(), &ExportJob::finished);
    QTest::keyClick(&panel.exportButton(), Qt::Key_Space);
    QVERIFY(!exported.isEmpty() || exported.wait(test::patience));
    everyViewIsIn(folder.path(), w);

    // All by the keys of Undo, to nothing, and back.
    const std::string last = w.text();
    const int steps = w.stack().index();
    for (int i = 0; i < steps; ++i) QTest::keyClick(&w.window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.scenario() == atFirst);
    for (int i = 0; i < steps; ++i) QTest::keySequence(&w.window, QKeySequence::Redo);
    QCOMPARE(w.text(), last);
    undoAndRedoEverything(w, atFirst, 7);
}

TRAINYARD_TEST(tst_Workday)
#include "tst_Workday.moc"
