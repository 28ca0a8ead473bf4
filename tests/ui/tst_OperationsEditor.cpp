// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The operations of a graph job as a table: what is typed, added and taken out reaches the document as single
// steps, and the dependencies go along.
#include "forms/EntityForm.h"
#include "forms/FieldRow.h"
#include "forms/OperationsEditor.h"
#include "forms/OperationsModel.h"
#include "scenario/ScenarioFile.h"
#include "session/NewElements.h"
#include "session/Workspace.h"
#include "support/TestMain.h"

#include <QLineEdit>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>

using namespace trainyard;

namespace {

/// A form of a graph job whose operations are a → b, a → c, b → d, c → d.
struct GraphForm {
    Workspace workspace{std::make_shared<const Registry>(Registry::builtin()),
                        ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString())};
    QScrollArea area;
    EntityForm& form{*new EntityForm(workspace.document(), workspace.resources())};
    EntityRef job;

    GraphForm() {
        job = addJob(workspace.document(), JobKind::graph);
        graphIs({"a", "b", "c", "d"});
        area.setWidgetResizable(true);
        area.setWidget(&form);
        area.resize(700, 900);
        area.show();
        form.show({job});
    }
    const ComputationGraph& graph() {
        return std::get<GraphWork>(workspace.document().scenario().jobs[job.index].work).graph;
    }
    void graphIs(const std::vector<std::string>& names) {
        ComputationGraph graph;
        for (const std::string& name : names) graph.operations.push_back({name, 0.01, 0.02, 1000, 4000});
        graph.dependencies = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
        workspace.document().setField({job}, "/graph", OperationsModel::jsonOf(graph));
    }
    OperationsEditor& editor() { return dynamic_cast<OperationsEditor&>(form.row("/graph/operations")->editor()); }
    QTableView& table() { return editor().table(); }
    QString shown(int row, int column) { return table().model()->index(row, column).data().toString(); }
    /// As a person: the cell gets the keyboard, F2 opens it, Return closes it.
    void type(int row, int column, const char* text) {
        table().setFocus();
        table().setCurrentIndex(table().model()->index(row, column));
        QTest::keyClick(&table(), Qt::Key_F2);
        auto* line = table().findChild<QLineEdit*>();
        QVERIFY(line);
        line->selectAll();
        QTest::keyClicks(line, QLatin1String(text));
        QTest::keyClick(line, Qt::Key_Return);
        QCoreApplication::processEvents(); // it is taken over in a moment
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    int steps() { return workspace.document().undoStack().index(); }
    std::string text() { return writeScenario(workspace.document().scenario()); }
};

std::vector<Dependency> sorted(std::vector<Dependency> list) {
    std::sort(list.begin(), list.end(), [](const Dependency& a, const Dependency& b) {
        return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    });
    return list;
}

} // namespace

class tst_OperationsEditor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsTheGraph();
    void typedCellsAreSteps();
    void renamedKeepsItsDependencies();
    void whatMeansNothingStaysOut();
    void addedComesAfterTheLast();
    void takenOutWithItsDependencies();
    void jsonThereAndBack();
};

void tst_OperationsEditor::showsTheGraph() {
    GraphForm f;
    QCOMPARE(f.table().model()->rowCount(), 4);
    QCOMPARE(f.shown(3, OperationsModel::name), QStringLiteral("d"));
    QCOMPARE(f.shown(3, OperationsModel::after), QStringLiteral("b, c"));
    QCOMPARE(f.shown(0, OperationsModel::after), QString());
    QCOMPARE(f.shown(2, OperationsModel::backward), QStringLiteral("0.02"));
    f.graphIs({"same", "same", "", "last"}); // those without a name of their own go by their position
    QCOMPARE(f.shown(3, OperationsModel::after), QStringLiteral("#2, #3"));
    QCOMPARE(f.shown(1, OperationsModel::after), QStringLiteral("#1"));
}

void tst_OperationsEditor::typedCellsAreSteps() {
    GraphForm f;
    const std::string before = f.text();
    const int steps = f.steps();
    f.type(1, OperationsModel::forward, "0.25");
    QCOMPARE(f.graph().operations[1].forwardSeconds, 0.25);
    f.type(2, OperationsModel::parameters, "8e6");
    QCOMPARE(f.graph().operations[2].parameterBytes, 8e6);
    f.type(3, OperationsModel::after, "#1, c");
    QCOMPARE(sorted(f.graph().dependencies), (std::vector<Dependency>{{0, 1}, {0, 2}, {0, 3}, {2, 3}}));
    QCOMPARE(f.steps(), steps + 3);
    QVERIFY(f.workspace.document().undoStack().undoText().contains(QStringLiteral("graph")));
    const std::string after = f.text();
    for (int i = 0; i < 3; ++i) f.workspace.document().undoStack().undo();
    QCOMPARE(f.text(), before);
    QCOMPARE(f.shown(1, OperationsModel::forward), QStringLiteral("0.01")); // the table follows
    for (int i = 0; i < 3; ++i) f.workspace.document().undoStack().redo();
    QCOMPARE(f.text(), after);
    f.type(0, OperationsModel::forward, "0.01"); // what is there already is no edit
    QCOMPARE(f.steps(), steps + 3);
}

void tst_OperationsEditor::renamedKeepsItsDependencies() {
    GraphForm f;
    f.type(0, OperationsModel::name, "embed \"words\"");
    QCOMPARE(f.graph().operations[0].name, std::string("embed \"words\""));
    QCOMPARE(f.graph().dependencies.size(), std::size_t{4});
    QCOMPARE(f.shown(1, OperationsModel::after), QStringLiteral("embed \"words\""));
}

void tst_OperationsEditor::whatMeansNothingStaysOut() {
    GraphForm f;
    const std::string before = f.text();
    f.type(1, OperationsModel::after, "nobody");
    QVERIFY(f.form.row("/graph/operations")->problem().text.contains(QStringLiteral("nobody")));
    f.type(1, OperationsModel::forward, "soon");
    QVERIFY(f.form.row("/graph/operations")->problem().text.contains(QStringLiteral("soon")));
    QCOMPARE(f.text(), before);
    f.type(1, OperationsModel::forward, "-1"); // kept, and said to be wrong
    QCOMPARE(f.graph().operations[1].forwardSeconds, -1.0);
    QTRY_VERIFY(!f.form.row("/graph/operations")->problem().text.isEmpty());
}

void tst_OperationsEditor::addedComesAfterTheLast() {
    GraphForm f;
    auto* add = f.editor().findChildren<QToolButton*>().first();
    QTest::mouseClick(add, Qt::LeftButton);
    QCOMPARE(f.graph().operations.size(), std::size_t{5});
    QCOMPARE(f.graph().dependencies.back(), (Dependency{3, 4}));
    QCOMPARE(f.table().currentIndex().row(), 4);
    f.workspace.document().undoStack().undo();
    QCOMPARE(f.graph().operations.size(), std::size_t{4});
    QCOMPARE(f.table().model()->rowCount(), 4);
}

void tst_OperationsEditor::takenOutWithItsDependencies() {
    GraphForm f;
    const std::string before = f.text();
    f.table().setFocus();
    f.table().setCurrentIndex(f.table().model()->index(1, 0));
    QTest::keyClick(&f.table(), Qt::Key_Delete);
    QCOMPARE(f.graph().operations.size(), std::size_t{3}); // a, c, d
    QCOMPARE(sorted(f.graph().dependencies), (std::vector<Dependency>{{0, 1}, {1, 2}}));
    f.workspace.document().undoStack().undo();
    QCOMPARE(f.text(), before);
}

void tst_OperationsEditor::jsonThereAndBack() {
    ComputationGraph graph;
    graph.operations = {{"a", 0.1, 0.2, 1, 2}, {"", 1e-9, 0, 1e12, 0}, {"ä \\ \"x\"", 3, 4, 5, 6}};
    graph.dependencies = {{0, 2}, {1, 2}};
    QVERIFY(OperationsModel::graphFrom(OperationsModel::jsonOf(graph)) == graph);
    QVERIFY(OperationsModel::graphFrom("{") == ComputationGraph{});
    // By name, as files have it.
    const auto named = OperationsModel::graphFrom(
        R"({"operations": [{"name": "in"}, {"name": "out", "forward_s": 2}], "dependencies": [["in", "out"]]})");
    QCOMPARE(named.dependencies, (std::vector<Dependency>{{0, 1}}));
    QCOMPARE(named.operations[1].forwardSeconds, 2.0);
}

TRAINYARD_TEST(tst_OperationsEditor)
#include "tst_OperationsEditor.moc"
