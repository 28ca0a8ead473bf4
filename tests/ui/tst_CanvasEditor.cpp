// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Drawing a cluster by mouse and keyboard in the real window: everything is one step, and undoing and redoing
// everything gives the same scenarios, byte for byte.
#include "canvas/CanvasFurniture.h"
#include "canvas/CanvasTools.h"
#include "canvas/TemplatePanel.h"
#include "scenario/Fragment.h"
#include "shell/ActionList.h"
#include "shell/EditorActions.h"
#include "shell/MainWindow.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "shell/ThemeChoice.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>

using namespace trainyard;

namespace {

struct Drawing {
    ThemeChoice theme;
    Workspace workspace{std::make_shared<const Registry>(Registry::builtin()), ResourcePaths{}};
    MainWindow window{workspace, theme};
    CanvasView& canvas = window.canvas();
    EditorActions& editing = window.editing();
    ScenarioModel& document = workspace.document();

    explicit Drawing(const Scenario& scenario = test::sampleScenario()) {
        window.resize(1280, 800);
        window.show();
        document.replace(scenario, {}, false);
        QTest::qWait(1); // docks take their sizes
        canvas.setFocus();
        canvas.fit();
    }
    const Cluster& cluster() { return workspace.document().scenario().cluster; }
    int steps() { return document.undoStack().count(); }
    std::string text() { return writeScenario(document.scenario()); }
    void select(const QStringList& keys) { workspace.selection().selectEntities(keys); }
    QStringList selected() { return workspace.selection().entities(); }
    QPoint at(const char* key) { return canvas.screenPositionOf(QString::fromLatin1(key)); }
    void press(QPoint p, Qt::KeyboardModifiers m = {}) { QTest::mousePress(canvas.viewport(), Qt::LeftButton, m, p); }
    void move(QPoint p) {
        QMouseEvent event(QEvent::MouseMove, p, canvas.viewport()->mapToGlobal(p), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(canvas.viewport(), &event);
    }
    void release(QPoint p, Qt::KeyboardModifiers m = {}) {
        QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, m, p);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers m = {}) {
        press(from, m);
        for (int i = 1; i <= 8; ++i) move(from + (to - from) * i / 8);
        release(to, m);
    }
    void click(QPoint p, Qt::KeyboardModifiers m = {}) { QTest::mouseClick(canvas.viewport(), Qt::LeftButton, m, p); }
    void hover(QPoint p) {
        QMouseEvent event(QEvent::MouseMove, p, canvas.viewport()->mapToGlobal(p), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(canvas.viewport(), &event);
    }
    QAction* action(const char* id) { return window.commands().find(QLatin1String(id)); }
    /// The port at the right side of a machine.
    QPoint port(std::size_t machine) {
        const QRectF card = canvas.content().layout.machines[machine];
        return canvas.mapFromScene(QPointF(card.right(), card.center().y()));
    }
    std::size_t indexOf(const char* key) { return cluster().machine(key).index(); }
};

} // namespace

class tst_CanvasEditor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void drawsFromNothingByMouse();
    void drawsFromNothingByKeyboard();
    void everyCommandUndoesAndRedoes_data();
    void everyCommandUndoesAndRedoes();
    void toolIsDraggedFromTheStrip();
    void addedIntoARackIsInIt();
    void editingDoesNotMoveTheView();
    void portDragLinks();
    void portDragSaysWhyNot();
    void portDragToNowhereDoesNothing();
    void dropIntoARackIsOneStep();
    void shiftKeepsTheRack();
    void escapeGivesADragUp();
    void rubberBandSelectsAndShiftExtends();
    void pastesJsonAsItIs();
    void malformedClipboardChangesNothing_data();
    void malformedClipboardChangesNothing();
    void namesAreEditedInPlace();
    void shiftAndArrowsExtendFromWhereTheyAre();
    void searchSelectsAndCounts();
    void minimapShowsAndMovesTheView();
    void spacePansAndPlays();
    void templateReplacesAndAdds();
    void emptyCanvasTeaches();
    void contextMenusFollowWhatIsThere();
    void disabledCommandsSayWhy();
    void unlinkedMachineIsAProblemAndNoDialog();

private:
    QTemporaryDir m_settings;
};

void tst_CanvasEditor::initTestCase() {
    QCoreApplication::setOrganizationName(QStringLiteral("TrainyardTests"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_CanvasEditor"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
}

void tst_CanvasEditor::init() {
    QSettings().clear();
    QGuiApplication::clipboard()->clear();
}

void tst_CanvasEditor::drawsFromNothingByMouse() {
    Drawing d{Scenario{}};
    const QPoint middle = d.canvas.viewport()->rect().center();
    const auto place = [&](CanvasTools::Thing thing, QPoint p) {
        QTest::mouseClick(d.editing.furniture().strip().button(thing), Qt::LeftButton);
        d.hover(p);
        d.click(p);
    };
    place(CanvasTools::Thing::switchNode, middle - QPoint(0, 120));
    place(CanvasTools::Thing::machine, middle + QPoint(-140, 80));
    place(CanvasTools::Thing::machine, middle + QPoint(140, 80));
    QCOMPARE(d.steps(), 3);
    QVERIFY(!d.editing.tools().armed());
    // From the top port of each machine to the switch.
    for (std::size_t i = 0; i < 2; ++i) {
        const QRectF card = d.canvas.content().layout.machines[i];
        d.drag(d.canvas.mapFromScene(QPointF(card.center().x(), card.top())), d.at("s1"));
    }
    QCOMPARE(d.steps(), 5);
    QCOMPARE(d.cluster().links.size(), std::size_t{2});
    QCOMPARE(d.cluster().links[1].to, std::string("s1"));
    d.document.undoStack().setIndex(0);
    QVERIFY(d.document.scenario() == Scenario{});
}

void tst_CanvasEditor::drawsFromNothingByKeyboard() {
    Drawing d{Scenario{}};
    QTest::keyClick(&d.canvas, Qt::Key_S);
    QTest::keyClick(&d.canvas, Qt::Key_M);
    QTest::keyClick(&d.canvas, Qt::Key_M);
    QCOMPARE(d.cluster().machines.size(), std::size_t{2});
    const ClusterLayout& layout = d.canvas.content().layout;
    QVERIFY(!layout.machines[0].intersects(layout.machines[1]));
    QVERIFY(!layout.machines[0].intersects(layout.switches[0]));
    QTest::keyClick(&d.canvas, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(d.selected().size(), 3);
    QTest::keyClick(&d.canvas, Qt::Key_L);
    QCOMPARE(d.cluster().links.size(), std::size_t{2}); // a star around the only switch
    for (const Link& link : d.cluster().links) QCOMPARE(link.to, std::string("s1"));
    QCOMPARE(d.steps(), 4);
    const QPointF before = layout.switches[0].center();
    d.select({QStringLiteral("s1")});
    QTest::keyClick(&d.canvas, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(d.canvas.content().layout.switches[0].center(), before + QPointF(8, 0));
    QTest::keyClick(&d.canvas, Qt::Key_Delete);
    QVERIFY(d.cluster().switches.empty() && d.cluster().links.empty());
}

void tst_CanvasEditor::everyCommandUndoesAndRedoes_data() {
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QStringList>("selection");
    const QStringList one{QStringLiteral("m3")}, two{QStringLiteral("m1"), QStringLiteral("m3")},
        rack{QStringLiteral("r1")}, three{QStringLiteral("m1"), QStringLiteral("m2"), QStringLiteral("sw")},
        link{QStringLiteral("m1--sw")};
    for (const char* id : {"edit.cut", "edit.delete", "edit.duplicate", "insert.machine", "insert.switch",
                           "insert.rack", "arrange.move-left", "arrange.ungroup", "arrange.group"})
        QTest::newRow(id) << QByteArray(id) << one;
    for (const char* id : {"insert.link", "arrange.left", "arrange.top", "arrange.middle", "arrange.centre"})
        QTest::newRow(id) << QByteArray(id) << two;
    for (const char* id : {"arrange.across", "arrange.down", "arrange.right", "arrange.bottom"})
        QTest::newRow(id) << QByteArray(id) << three;
    QTest::newRow("delete a link") << QByteArray("edit.delete") << link;
    QTest::newRow("delete a rack") << QByteArray("edit.delete") << rack;
    QTest::newRow("duplicate a rack") << QByteArray("edit.duplicate") << rack;
    QTest::newRow("take out a whole rack") << QByteArray("arrange.ungroup") << rack;
    QTest::newRow("lay out") << QByteArray("arrange.lay-out") << one;
}

void tst_CanvasEditor::everyCommandUndoesAndRedoes() {
    QFETCH(QByteArray, id);
    QFETCH(QStringList, selection);
    Scenario scenario = test::sampleScenario();
    scenario.cluster.machines[2].position = Position{333, 444}; // off the grid and out of line
    scenario.faults.push_back({.target = Fault::Target::machine, .key = "m3", .atSeconds = 3});
    Drawing d{scenario};
    d.select(selection);
    const std::string before = d.text();
    QAction* action = d.action(id.constData());
    QVERIFY2(action && action->isEnabled(), id.constData());
    action->trigger();
    QCOMPARE(d.steps(), 1);
    QVERIFY(!d.document.undoStack().undoText().isEmpty());
    const std::string after = d.text();
    QVERIFY(after != before);
    d.document.undoStack().undo();
    QCOMPARE(d.text(), before);
    QVERIFY(d.document.scenario() == scenario);
    d.document.undoStack().redo();
    QCOMPARE(d.text(), after);
    d.document.undoStack().undo();
    QCOMPARE(d.text(), before);
    QVERIFY(parseScenario(after, {}).ok() || id == "edit.cut" || id == "edit.delete" || id == "insert.machine");
}

void tst_CanvasEditor::toolIsDraggedFromTheStrip() {
    Drawing d;
    QToolButton* button = d.editing.furniture().strip().button(CanvasTools::Thing::machine);
    const QPoint there(d.canvas.viewport()->width() / 2, d.canvas.viewport()->height() - 30);
    QTest::mousePress(button, Qt::LeftButton);
    const QPoint onButton = button->mapFromGlobal(d.canvas.viewport()->mapToGlobal(there));
    QMouseEvent move(QEvent::MouseMove, onButton, button->mapToGlobal(onButton), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(button, &move);
    QVERIFY(d.editing.tools().armed());
    QCOMPARE(d.steps(), 0);
    QTest::mouseRelease(button, Qt::LeftButton, {}, onButton);
    QCOMPARE(d.steps(), 1);
    QVERIFY(!d.editing.tools().armed());
    QVERIFY(!button->isChecked() && !button->isDown());
    QCOMPARE(d.selected(), QStringList{QStringLiteral("m5")});
    QVERIFY((QPointF(d.at("m5")) - there).manhattanLength() < 10);
}

void tst_CanvasEditor::addedIntoARackIsInIt() {
    Drawing d;
    const QRectF frame = d.canvas.content().layout.racks[1];
    d.editing.tools().arm(CanvasTools::Thing::machine);
    d.click(d.canvas.mapFromScene(frame.topLeft() + QPointF(20, 8)));
    QCOMPARE(d.cluster().machines.back().rack, std::string("r2"));
    QVERIFY(d.cluster().machines.back().capacity == ResourceVector::of({4, 16}));
}

void tst_CanvasEditor::editingDoesNotMoveTheView() {
    Drawing d;
    const auto view = [&] { return std::pair(d.canvas.zoom(), d.canvas.mapToScene(QPoint(50, 50))); };
    const auto before = view();
    const auto rects = d.canvas.content().layout.machines;
    QTest::keyClick(&d.canvas, Qt::Key_M);
    d.editing.editor().add(CanvasEditor::Thing::switchNode, {3000, 200});
    QCOMPARE(view(), before);
    for (std::size_t i = 0; i < rects.size(); ++i) QCOMPARE(d.canvas.content().layout.machines[i], rects[i]);
}

void tst_CanvasEditor::portDragLinks() {
    Drawing d;
    d.hover(d.port(0));
    QVERIFY(d.editing.tools().portDrag().isOnPort());
    d.press(d.port(0));
    d.move(d.at("m3"));
    QVERIFY(d.editing.tools().portDrag().mayEndHere());
    QCOMPARE(d.editing.tools().hint(), QStringLiteral("Link with m3"));
    d.release(d.at("m3"));
    QCOMPARE(d.steps(), 1);
    QCOMPARE(d.cluster().links.back().from, std::string("m1"));
    QCOMPARE(d.cluster().links.back().to, std::string("m3"));
    d.document.undoStack().undo();
    QVERIFY(d.document.scenario() == test::sampleScenario());
    d.document.undoStack().redo();
    QCOMPARE(d.cluster().links.size(), std::size_t{5});
}

void tst_CanvasEditor::portDragSaysWhyNot() {
    Drawing d;
    d.press(d.port(0));
    d.move(d.at("sw"));
    QVERIFY(!d.editing.tools().portDrag().mayEndHere());
    QCOMPARE(d.editing.tools().hint(), QStringLiteral("m1 and Switch are linked already"));
    d.move(d.at("m1"));
    QVERIFY(!d.editing.tools().portDrag().mayEndHere());
    QCOMPARE(d.editing.tools().hint(), QStringLiteral("A link leads to another machine or switch"));
    d.release(d.at("sw"));
    QCOMPARE(d.steps(), 0);
    QVERIFY(d.editing.tools().hint().isEmpty());
}

void tst_CanvasEditor::portDragToNowhereDoesNothing() {
    Drawing d;
    d.press(d.port(0));
    d.move(QPoint(60, d.canvas.viewport()->height() - 3));
    QVERIFY(d.editing.tools().hint().isEmpty());
    d.release(QPoint(60, d.canvas.viewport()->height() - 3));
    QCOMPARE(d.steps(), 0);
    d.press(d.port(0));
    d.move(d.at("m3"));
    QTest::keyClick(&d.canvas, Qt::Key_Escape);
    QVERIFY(!d.editing.tools().portDrag().isActive());
    d.release(d.at("m3"));
    QCOMPARE(d.steps(), 0);
}

void tst_CanvasEditor::dropIntoARackIsOneStep() {
    Drawing d;
    const QPoint target = d.canvas.mapFromScene(d.canvas.content().layout.racks[1].center());
    d.press(d.at("m1"));
    d.move(d.at("m1") + QPoint(20, 0));
    d.move(target);
    QCOMPARE(d.editing.tools().hint(), QStringLiteral("Put m1 into Rack 2"));
    d.release(target);
    QCOMPARE(d.steps(), 1);
    QCOMPARE(d.document.undoStack().undoText(), QStringLiteral("Put m1 into Rack 2"));
    QCOMPARE(d.cluster().machines[0].rack, std::string("r2"));
    const std::string after = d.text();
    d.document.undoStack().undo();
    QVERIFY(d.document.scenario() == test::sampleScenario());
    d.document.undoStack().redo();
    QCOMPARE(d.text(), after);
    d.document.undoStack().undo();
    // Clear of every rack: out.
    d.canvas.setZoom(0.5);
    d.drag(d.at("m1"), d.at("m1") + QPoint(0, -200));
    QCOMPARE(d.steps(), 1);
    QVERIFY(d.cluster().machines[0].rack.empty());
}

void tst_CanvasEditor::shiftKeepsTheRack() {
    Drawing d;
    // A rack that is held by its frame keeps its only machine too.
    Scenario lonely = test::sampleScenario();
    lonely.cluster.machines[1].rack.clear();
    Drawing e{lonely};
    const ClusterLayout& layout = e.canvas.content().layout;
    e.drag(e.canvas.mapFromScene(layout.racks[0].topLeft() + QPointF(30, 10)),
           e.canvas.mapFromScene(layout.racks[1].topLeft() + QPointF(60, 30)));
    QCOMPARE(e.steps(), 1);
    QCOMPARE(e.cluster().machines[0].rack, std::string("r1"));
    const QPoint target = d.canvas.mapFromScene(d.canvas.content().layout.racks[1].center());
    d.drag(d.at("m1"), target, Qt::ShiftModifier);
    QCOMPARE(d.steps(), 1);
    QCOMPARE(d.cluster().machines[0].rack, std::string("r1"));
}

void tst_CanvasEditor::escapeGivesADragUp() {
    Drawing d;
    d.press(d.at("m2"));
    d.move(d.at("m2") + QPoint(40, 40));
    d.move(d.at("m2") + QPoint(60, 60));
    QVERIFY(d.canvas.isDragging());
    QTest::keyClick(&d.canvas, Qt::Key_Escape);
    QVERIFY(!d.canvas.isDragging());
    QVERIFY(d.document.scenario() == test::sampleScenario());
    d.release(QPoint(10, 10));
    QVERIFY(d.document.scenario() == test::sampleScenario());
}

void tst_CanvasEditor::rubberBandSelectsAndShiftExtends() {
    Drawing d;
    const auto band = [&](QRectF scene, Qt::KeyboardModifiers m) {
        d.drag(d.canvas.mapFromScene(scene.topLeft()), d.canvas.mapFromScene(scene.bottomRight()), m);
    };
    const ClusterLayout& layout = d.canvas.content().layout;
    band(layout.switches[0].adjusted(-40, -20, 40, 12), {});
    QCOMPARE(d.selected(), QStringList{QStringLiteral("sw")});
    d.click(d.at("m1"), Qt::ShiftModifier);
    QCOMPARE(d.selected(), (QStringList{QStringLiteral("m1"), QStringLiteral("sw")}));
    QCOMPARE(d.steps(), 0);
}

void tst_CanvasEditor::pastesJsonAsItIs() {
    Drawing d;
    d.select({QStringLiteral("m3"), QStringLiteral("m4"), QStringLiteral("sw")});
    d.action("edit.copy")->trigger();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.contains(QStringLiteral("trainyard-fragment")));
    QCOMPARE(d.steps(), 0);
    Drawing other{Scenario{}};
    QTest::keyClick(&other.canvas, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(other.steps(), 1);
    QCOMPARE(other.cluster().machines.size(), std::size_t{2});
    QCOMPARE(other.cluster().links.size(), std::size_t{2});
    QCOMPARE(other.cluster().machines[0].straggler.persistentFactor, 4.0);
    QTest::keyClick(&other.canvas, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(other.cluster().machines.size(), std::size_t{4});
    QCOMPARE(other.selected().size(), 4); // with their rack, which they fill
    QCOMPARE(other.cluster().racks.size(), std::size_t{2});
    const std::string after = other.text();
    other.document.undoStack().setIndex(0);
    QVERIFY(other.document.scenario() == Scenario{});
    other.document.undoStack().setIndex(2);
    QCOMPARE(other.text(), after);
}

void tst_CanvasEditor::malformedClipboardChangesNothing_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("no JSON") << QStringLiteral("hello") << QStringLiteral("line 1");
    QTest::newRow("cut off") << QStringLiteral("{\n\"format\": \"trainyard-fragment\",\n") << QStringLiteral("line");
    QTest::newRow("something else") << QStringLiteral("{\"a\": 1}") << QStringLiteral("trainyard-fragment");
    QTest::newRow("wrong type")
        << QStringLiteral("{\"format\": \"trainyard-fragment\",\n\"cluster\": {\"resources\": [],\n\"machines\": 3}}")
        << QStringLiteral("line 3");
    QTest::newRow("empty piece") << QString::fromStdString(writeFragment({})) << QStringLiteral("no machines");
}

void tst_CanvasEditor::malformedClipboardChangesNothing() {
    QFETCH(QString, text);
    QFETCH(QString, said);
    Drawing d;
    QGuiApplication::clipboard()->setText(text);
    d.action("edit.paste")->setEnabled(true);
    QTest::keyClick(&d.canvas, Qt::Key_V, Qt::ControlModifier);
    QVERIFY2(d.window.messages().text().contains(said), qPrintable(d.window.messages().text()));
    QCOMPARE(d.steps(), 0);
    QVERIFY(d.document.scenario() == test::sampleScenario());
}

void tst_CanvasEditor::namesAreEditedInPlace() {
    Drawing d;
    QTest::mouseDClick(d.canvas.viewport(), Qt::LeftButton, {}, d.at("m2"));
    NameEditor& name = d.editing.tools().nameEditor();
    QVERIFY(name.isOpen());
    QCOMPARE(name.placeholderText(), QStringLiteral("m2"));
    QTest::keyClicks(&name, QStringLiteral("Big one"));
    QTest::keyClick(&name, Qt::Key_Return);
    QVERIFY(!name.isOpen());
    QCOMPARE(d.cluster().machines[1].name, std::string("Big one"));
    QCOMPARE(d.steps(), 1);
    d.select({QStringLiteral("m2")});
    QTest::keyClick(&d.canvas, Qt::Key_F2);
    QCOMPARE(name.text(), QStringLiteral("Big one"));
    QTest::keyClicks(&name, QStringLiteral("Other"));
    QTest::keyClick(&name, Qt::Key_Escape);
    QCOMPARE(d.cluster().machines[1].name, std::string("Big one"));
    QTest::keyClick(&d.canvas, Qt::Key_F2);
    name.clear();
    QTest::keyClick(&name, Qt::Key_Return);
    QVERIFY(d.cluster().machines[1].name.empty());
    QCOMPARE(d.canvas.content().nameOf({ClusterLayout::Kind::machine, 1}), QStringLiteral("m2"));
    QCOMPARE(d.steps(), 2);
}

void tst_CanvasEditor::shiftAndArrowsExtendFromWhereTheyAre() {
    Drawing d;
    d.select({QStringLiteral("m4")});
    // To the left: m3, m2, m1, each beside the one before, although the selection is kept sorted.
    for (int i = 0; i < 3; ++i) QTest::keyClick(&d.canvas, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(d.selected(),
             (QStringList{QStringLiteral("m1"), QStringLiteral("m2"), QStringLiteral("m3"), QStringLiteral("m4")}));
    QCOMPARE(d.steps(), 0);
    // Alt moves what is selected instead; a key that is held is one step.
    const QPointF before = d.canvas.content().layout.machines[0].center();
    for (int i = 0; i < 3; ++i) QTest::keyClick(&d.canvas, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(d.canvas.content().layout.machines[0].center(), before + QPointF(0, 24));
    QCOMPARE(d.selected().size(), 4);
}

void tst_CanvasEditor::searchSelectsAndCounts() {
    Drawing d;
    QTest::keyClick(&d.window, Qt::Key_F, Qt::ControlModifier);
    CanvasSearch& search = d.editing.furniture().search();
    QVERIFY(search.isVisible());
    auto* line = search.findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("rack 2"));
    QCOMPARE(search.status(), QStringLiteral("1 of 3")); // the rack, m3 and m4
    QCOMPARE(d.selected(), QStringList{QStringLiteral("r2")});
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(d.selected(), QStringList{QStringLiteral("m3")});
    const QPoint middle = d.canvas.viewport()->rect().center();
    QVERIFY((d.at("m3") - middle).manhattanLength() < 4);
    QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(d.selected(), QStringList{QStringLiteral("r2")});
    // What is called exactly so comes first.
    Cluster numbered;
    for (const char* key : {"m10", "m1", "n1"}) numbered.machines.push_back({.key = key});
    QCOMPARE(searchCluster(numbered, QStringLiteral("M1")), (QStringList{QStringLiteral("m1"), QStringLiteral("m10")}));
    line->setText(QStringLiteral("nothing like it"));
    QCOMPARE(search.status(), QStringLiteral("No match"));
    QTest::keyClick(line, Qt::Key_Escape);
    QVERIFY(!search.isVisible());
    QVERIFY(d.canvas.hasFocus() || !d.window.isActiveWindow());
}

void tst_CanvasEditor::minimapShowsAndMovesTheView() {
    Drawing d;
    Minimap& minimap = d.editing.furniture().minimap();
    QVERIFY(!minimap.isVisible()); // all is seen
    d.canvas.setZoom(3);
    QVERIFY(minimap.isVisible());
    minimap.grab(); // places its picture
    const QPointF before = d.canvas.mapToScene(d.canvas.viewport()->rect().center());
    QTest::mouseClick(&minimap, Qt::LeftButton, {}, QPoint(12, minimap.height() / 2));
    const QPointF after = d.canvas.mapToScene(d.canvas.viewport()->rect().center());
    QVERIFY(after.x() < before.x() - 50);
    d.action("view.minimap")->trigger();
    QVERIFY(!minimap.isVisible());
}

void tst_CanvasEditor::spacePansAndPlays() {
    Drawing d;
    const QPointF before = d.canvas.mapToScene(QPoint(100, 100));
    QTest::keyPress(&d.canvas, Qt::Key_Space);
    QVERIFY(d.canvas.isPanning());
    d.drag(d.at("m1"), d.at("m1") + QPoint(30, 20)); // on a machine: the view moves, not the machine
    QTest::keyRelease(&d.canvas, Qt::Key_Space);
    QVERIFY(!d.canvas.isPanning());
    QVERIFY((before - d.canvas.mapToScene(QPoint(100, 100))).manhattanLength() > 10);
    QCOMPARE(d.steps(), 0);
    int taps = 0;
    connect(&d.canvas, &CanvasView::spaceTapped, &d.canvas, [&] { ++taps; });
    QTest::keyClick(&d.canvas, Qt::Key_Space);
    QCOMPARE(taps, 1);
}

void tst_CanvasEditor::templateReplacesAndAdds() {
    Drawing d;
    d.action("insert.template")->trigger();
    auto* panel = qobject_cast<TemplatePanel*>(d.window.panels().find(QStringLiteral("template"))->widget());
    QVERIFY(panel && panel->isVisible());
    panel->choose(ClusterTemplate::Kind::tree);
    panel->number(0)->setValue(3);
    panel->number(1)->setValue(5);
    QCOMPARE(panel->sizeText(), QStringLiteral("Machines: 15 · switches: 4 · links: 18"));
    QTest::mouseClick(panel->addButton(), Qt::LeftButton);
    QCOMPARE(d.steps(), 1);
    QCOMPARE(d.cluster().machines.size(), std::size_t{4 + 15});
    QTest::mouseClick(panel->replaceButton(), Qt::LeftButton);
    QCOMPARE(d.steps(), 2);
    QCOMPARE(d.cluster().machines.size(), std::size_t{15});
    QCOMPARE(d.document.scenario().jobs.size(), std::size_t{2});
    const std::string after = d.text();
    d.document.undoStack().setIndex(0);
    QVERIFY(d.document.scenario() == test::sampleScenario());
    d.document.undoStack().setIndex(2);
    QCOMPARE(d.text(), after);
    panel->choose(ClusterTemplate::Kind::ramp);
    panel->number(0)->setValue(2);
    panel->number(1)->setValue(3);
    QVERIFY(!panel->replaceButton()->isEnabled());
    QVERIFY(panel->replaceButton()->toolTip().contains(QStringLiteral("at most as many")));
}

void tst_CanvasEditor::emptyCanvasTeaches() {
    Drawing d{Scenario{}};
    EmptyCanvas& empty = d.editing.furniture().empty();
    QVERIFY(empty.isVisible());
    QTest::mouseClick(empty.templateButton(), Qt::LeftButton);
    QVERIFY(d.window.panels().find(QStringLiteral("template"))->isVisible());
    QTest::mouseClick(empty.machineButton(), Qt::LeftButton);
    QVERIFY(!empty.isVisible());
    QCOMPARE(d.cluster().machines.size(), std::size_t{1});
    d.document.undoStack().undo();
    QVERIFY(empty.isVisible());
}

void tst_CanvasEditor::contextMenusFollowWhatIsThere() {
    Drawing d;
    const auto lines = [&](ClusterLayout::Hit hit) {
        QStringList ids;
        std::unique_ptr<QMenu> menu(d.editing.contextMenu(hit, d.canvas.viewport()->mapToGlobal(QPoint(9, 9))));
        for (const QAction* action : menu->actions()) ids << ActionList::idOf(action);
        return ids;
    };
    using Kind = ClusterLayout::Kind;
    QVERIFY(lines({Kind::nothing, 0}).contains(QStringLiteral("insert.template")));
    QVERIFY(lines({Kind::machine, 0}).contains(QStringLiteral("edit.duplicate")));
    QVERIFY(lines({Kind::switchNode, 0}).contains(QStringLiteral("insert.link")));
    QVERIFY(lines({Kind::rack, 0}).contains(QStringLiteral("arrange.ungroup")));
    QVERIFY(lines({Kind::link, 0}).contains(QStringLiteral("edit.delete")));
    QVERIFY(!lines({Kind::link, 0}).contains(QStringLiteral("edit.copy")));
    // A right click selects what it is for.
    QTest::mousePress(d.canvas.viewport(), Qt::RightButton, {}, d.at("m4"));
    QCOMPARE(d.selected(), QStringList{QStringLiteral("m4")});
}

void tst_CanvasEditor::disabledCommandsSayWhy() {
    Drawing d{Scenario{}};
    QTest::qWait(5);
    int disabled = 0;
    for (QAction* action : d.window.commands().all()) {
        const QString id = ActionList::idOf(action);
        if (action->isEnabled() ||
            !(id.startsWith(QStringLiteral("edit.")) || id.startsWith(QStringLiteral("insert.")) ||
              id.startsWith(QStringLiteral("arrange."))))
            continue;
        if (id == QStringLiteral("edit.undo") || id == QStringLiteral("edit.redo")) continue;
        ++disabled;
        QVERIFY2(action->toolTip().count(QStringLiteral("<br>")) == 2, qPrintable(id));
    }
    QVERIFY(disabled > 15);
    d.editing.editor().add(CanvasEditor::Thing::machine, {0, 0});
    QVERIFY(d.action("edit.delete")->isEnabled());
    QVERIFY(!d.action("insert.link")->isEnabled());
}

void tst_CanvasEditor::unlinkedMachineIsAProblemAndNoDialog() {
    Drawing d;
    d.document.change(QStringLiteral("Storage"), [](Scenario& s) { s.cluster.storage = "sw"; });
    d.editing.editor().add(CanvasEditor::Thing::machine, {0, 600});
    QTRY_VERIFY(hasErrors(d.workspace.problems()));
    QVERIFY(!QApplication::activeModalWidget());
    QVERIFY(d.window.panels().find(QStringLiteral("problems"))->visibleRegion().isEmpty()); // nothing jumps
    d.select({QStringLiteral("m5"), QStringLiteral("sw")});
    d.action("insert.link")->trigger();
    QTRY_VERIFY(!hasErrors(d.document.problems()));
}

TRAINYARD_TEST(tst_CanvasEditor)
#include "tst_CanvasEditor.moc"
