// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The document as tables: what is typed or pasted into cells is an edit of the document, one step each; the
// selected rows are the selection.
#include "session/EntityNames.h"
#include "session/NewElements.h"
#include "support/TestMain.h"
#include "tables/EntityTable.h"
#include "tables/TablesPanel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>

using namespace trainyard;

namespace {

using Kind = EntityRef::Kind;
const QString starterFile = QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/one-slow-worker.json");

struct Tables {
    Workspace workspace{std::make_shared<const Registry>(Registry::builtin()), ResourcePaths{}};
    TablesPanel panel{workspace};
    EntityTable* table = nullptr;

    explicit Tables(Kind kind) {
        if (!workspace.document().open(starterFile)) qFatal("no starter scenario");
        panel.resize(900, 400);
        panel.show();
        table = panel.show(kind);
    }
    const Scenario& scenario() { return workspace.document().scenario(); }
    QUndoStack& stack() { return workspace.document().undoStack(); }
    QModelIndex cell(int row, const char* path) { return table->model()->index(row, table->entities().columnOf(path)); }
    QString text(int row, const char* path) { return cell(row, path).data().toString(); }
};

} // namespace

class tst_EntityTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void modelsKeepTheRules();
    void columnsAreTheFieldsInUse();
    void typedCellsAreSteps();
    void outOfRangeIsKeptAndMarked();
    void refusedCellsSayWhy();
    void pasteFillsRowsAndAddsMore();
    void oneValueFillsTheSelection();
    void rowsAreAddedDuplicatedAndDeleted();
    void selectionIsShared();
    void sortedAndFilteredRowsEditTheRightOnes();
    void onlyChangedRowsAreListedAgain();
};

// Every table of every kind, through edits, undo and another document.
void tst_EntityTable::modelsKeepTheRules() {
    ScenarioModel document(std::make_shared<const Registry>(Registry::builtin()));
    QVERIFY(document.open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/tests/every-kind.json")));
    std::vector<std::unique_ptr<EntityTableModel>> models;
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    for (const Kind kind : {Kind::machine, Kind::link, Kind::switchNode, Kind::rack, Kind::device, Kind::job,
                            Kind::generator, Kind::fault}) {
        models.push_back(std::make_unique<EntityTableModel>(document, kind));
        testers.push_back(std::make_unique<QAbstractItemModelTester>(
            models.back().get(), QAbstractItemModelTester::FailureReportingMode::QtTest));
        models.back()->setActive(true);
        QCOMPARE(static_cast<std::size_t>(models.back()->rowCount()), entityCount(document.scenario(), kind));
    }
    for (const Kind kind : {Kind::machine, Kind::link, Kind::rack, Kind::job, Kind::fault}) addElement(document, kind);
    document.setField({{Kind::cluster, 0}}, "/resources", R"(["cpu", "gpu", "memory_gb"])");
    for (auto& model : models) {
        model->setAllColumns(true);
        QCOMPARE(static_cast<std::size_t>(model->rowCount()), entityCount(document.scenario(), model->kind()));
        for (int r = 0; r < model->rowCount(); ++r)
            for (int c = 0; c < model->columnCount(); ++c) {
                const auto field = model->fieldAt(model->index(r, c));
                QCOMPARE(field.has_value(), model->index(r, c).flags().testFlag(Qt::ItemIsEditable));
            }
    }
    while (document.undoStack().canUndo()) document.undoStack().undo();
    for (auto& model : models)
        QCOMPARE(static_cast<std::size_t>(model->rowCount()), entityCount(document.scenario(), model->kind()));
    document.replace({}, {}, false);
    for (auto& model : models) QCOMPARE(model->rowCount(), 0);
}

void tst_EntityTable::columnsAreTheFieldsInUse() {
    Tables t(Kind::job);
    EntityTableModel& model = t.table->entities();
    QVERIFY(model.columnOf("/id") >= 0);
    QVERIFY(model.columnOf("/stop/iterations") >= 0);
    QVERIFY(model.columnOf("/worker_demand/cpu") >= 0);
    QCOMPARE(model.columnOf("/stop/loss"), -1); // no job sets it
    model.setAllColumns(true);
    QVERIFY(model.columnOf("/stop/loss") >= 0);
    QCOMPARE(model.headerData(model.columnOf("/seconds_per_sample"), Qt::Horizontal).toString(),
             QStringLiteral("Seconds per sample (s)"));
    QCOMPARE(t.text(0, "/model"), QStringLiteral("softmax"));
}

void tst_EntityTable::typedCellsAreSteps() {
    Tables t(Kind::link);
    const Scenario before = t.scenario();
    const QModelIndex at = t.cell(1, "/bandwidth_gbps");
    t.table->setCurrentIndex(at);
    t.table->setFocus();
    t.table->edit(at);
    auto* line = t.table->findChild<QLineEdit*>();
    QVERIFY(line);
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("2.5"));
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_COMPARE(t.scenario().cluster.links[1].bandwidth, 2.5e9 / 8);
    QCOMPARE(t.stack().index(), 1);
    QVERIFY(t.table->model()->setData(t.cell(0, "/latency_us"), QStringLiteral("75 µs")));
    QCOMPARE(t.scenario().cluster.links[0].latency.ns, std::int64_t{75000});
    const Scenario after = t.scenario();
    t.stack().undo();
    t.stack().undo();
    QVERIFY(t.scenario() == before);
    t.stack().redo();
    t.stack().redo();
    QVERIFY(t.scenario() == after);
    QCOMPARE(t.text(1, "/bandwidth_gbps"), QStringLiteral("2.5"));
    t.stack().undo();
    t.stack().undo();
    QVERIFY(t.scenario() == before);
}

void tst_EntityTable::outOfRangeIsKeptAndMarked() {
    Tables t(Kind::link);
    const QModelIndex at = t.cell(0, "/bandwidth_gbps");
    QVERIFY(t.table->model()->setData(at, QStringLiteral("-3")));
    QCOMPARE(at.data().toString(), QStringLiteral("-3"));
    QVERIFY(t.scenario().cluster.links[0].bandwidth < 0);
    QVERIFY(!at.data(Qt::ToolTipRole).toString().isEmpty());
    QVERIFY(!at.data(Qt::DecorationRole).isNull());
    QTRY_VERIFY(!t.workspace.whyNotRun().isEmpty());
    QVERIFY(t.table->model()->setData(at, QStringLiteral("3")));
    QTRY_VERIFY(at.data(Qt::DecorationRole).isNull());
    QTRY_VERIFY(t.workspace.whyNotRun().isEmpty());
}

void tst_EntityTable::refusedCellsSayWhy() {
    Tables t(Kind::machine);
    const Scenario before = t.scenario();
    QVERIFY(!t.table->model()->setData(t.cell(1, "/capacity/cpu"), QStringLiteral("many")));
    QVERIFY2(t.panel.message().contains(QStringLiteral("Row 2")) && t.panel.message().contains(QStringLiteral("many")),
             qPrintable(t.panel.message()));
    QVERIFY(t.scenario() == before);
    QCOMPARE(t.stack().count(), 0);
    QVERIFY(t.table->model()->setData(t.cell(1, "/capacity/cpu"), QStringLiteral("2")));
    QVERIFY(t.panel.message().isEmpty());
}

void tst_EntityTable::pasteFillsRowsAndAddsMore() {
    Tables t(Kind::device);
    const Scenario before = t.scenario();
    t.table->addRow();
    const auto devices = t.scenario().cluster.devices.size();
    t.table->setCurrentIndex(t.cell(static_cast<int>(devices) - 1, "/id"));
    QApplication::clipboard()->setText(QStringLiteral("slow\t0.5\r\nfast\t4\r\nfaster\t8\r\n"));
    const int steps = t.stack().index();
    t.table->setFocus();
    QTest::keyClick(t.table, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(t.stack().index(), steps + 1);
    QCOMPARE(t.scenario().cluster.devices.size(), devices + 2);
    QCOMPARE(t.scenario().cluster.devices.back().key, std::string("faster"));
    QCOMPARE(t.scenario().cluster.devices.back().speed, 8.0);
    QCOMPARE(t.text(static_cast<int>(devices), "/id"), QStringLiteral("fast"));
    // One bad cell: nothing is pasted.
    const Scenario pasted = t.scenario();
    QApplication::clipboard()->setText(QStringLiteral("x\t1\ny\tquick"));
    t.table->setCurrentIndex(t.cell(0, "/id"));
    t.table->paste();
    QVERIFY(t.scenario() == pasted);
    QVERIFY(t.panel.message().contains(QStringLiteral("quick")));
    t.stack().undo();
    t.stack().undo();
    QVERIFY(t.scenario() == before);
}

void tst_EntityTable::oneValueFillsTheSelection() {
    Tables t(Kind::machine);
    t.table->selectionModel()->clear();
    for (int row : {0, 1, 2})
        t.table->selectionModel()->select(t.cell(row, "/capacity/cpu"), QItemSelectionModel::Select);
    QApplication::clipboard()->setText(QStringLiteral("9"));
    t.table->paste();
    for (std::size_t i = 0; i < 3; ++i) QCOMPARE(t.scenario().cluster.machines[i].capacity.amount(0), 9.0);
    QVERIFY(t.scenario().cluster.machines[3].capacity.amount(0) != 9.0);
    QCOMPARE(t.stack().index(), 1);
    t.table->copy();
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("9\n9\n9"));
}

void tst_EntityTable::rowsAreAddedDuplicatedAndDeleted() {
    Tables t(Kind::job);
    const Scenario before = t.scenario();
    t.table->setFocus();
    QTest::keyClick(t.table, Qt::Key_Insert);
    QCOMPARE(t.scenario().jobs.size(), before.jobs.size() + 1);
    QCOMPARE(t.table->selectedRows().size(), std::size_t{1});
    QTest::keyClick(t.table, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(t.scenario().jobs.size(), before.jobs.size() + 2);
    QVERIFY(t.scenario().jobs.back().key != t.scenario().jobs[t.scenario().jobs.size() - 2].key);
    QVERIFY(t.workspace.document().validate());
    QTest::keyClick(t.table, Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(t.scenario().jobs.size(), before.jobs.size() + 1);
    QCOMPARE(t.table->model()->rowCount(), static_cast<int>(before.jobs.size()) + 1);
    for (int i = 0; i < 3; ++i) t.stack().undo();
    QVERIFY(t.scenario() == before);
}

void tst_EntityTable::selectionIsShared() {
    Tables t(Kind::machine);
    const QString key = QString::fromStdString(t.scenario().cluster.machines[2].key);
    t.workspace.selection().selectEntities({key});
    QVERIFY((t.table->selectedRows() == std::vector<EntityRef>{{Kind::machine, 2}}));
    t.table->selectionModel()->select(t.cell(1, "/id"), QItemSelectionModel::ClearAndSelect);
    QCOMPARE(t.workspace.selection().entities(),
             QStringList{QString::fromStdString(t.scenario().cluster.machines[1].key)});
    QCOMPARE(t.table->selectionModel()->selectedIndexes().size(), 1); // the cell, not its row
    addElement(t.workspace.document(), Kind::generator);
    EntityTable* generators = t.panel.show(Kind::generator);
    generators->selectionModel()->select(generators->model()->index(0, 0), QItemSelectionModel::ClearAndSelect);
    QVERIFY((t.workspace.selection().parts() == std::vector<EntityRef>{{Kind::generator, 0}}));
    QVERIFY((selectedEntities(t.workspace) == std::vector<std::vector<EntityRef>>{{{Kind::generator, 0}}}));
}

void tst_EntityTable::sortedAndFilteredRowsEditTheRightOnes() {
    Tables t(Kind::machine);
    t.table->sortByColumn(t.table->entities().columnOf("/id"), Qt::DescendingOrder);
    const QString first = t.text(0, "/id");
    QVERIFY(first != QString::fromStdString(t.scenario().cluster.machines[0].key));
    QVERIFY(t.table->model()->setData(t.cell(0, "/capacity/cpu"), QStringLiteral("31")));
    for (const Machine& machine : t.scenario().cluster.machines)
        QCOMPARE(machine.capacity.amount(0) == 31, machine.key == first.toStdString());
    t.table->setFilter(first);
    QCOMPARE(t.table->model()->rowCount(), 1);
    QVERIFY(t.table->model()->setData(t.cell(0, "/name"), QStringLiteral("only one")));
    for (const Machine& machine : t.scenario().cluster.machines)
        QCOMPARE(machine.name == "only one", machine.key == first.toStdString());
}

void tst_EntityTable::onlyChangedRowsAreListedAgain() {
    Tables t(Kind::machine);
    EntityTableModel& model = t.table->entities();
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), reset(&model, &QAbstractItemModel::modelReset);
    t.workspace.document().setField({{Kind::machine, 3}}, "/name", "\"x\"");
    QVERIFY(changed.count() >= 1 || reset.count() == 1); // the first name adds a column
    changed.clear();
    reset.clear();
    t.workspace.document().setField({{Kind::machine, 3}}, "/name", "\"y\"");
    QCOMPARE(reset.count(), 0);
    QCOMPARE(changed.first().at(0).toModelIndex().row(), 3);
    QCOMPARE(changed.first().at(1).toModelIndex().row(), 3);
    changed.clear();
    t.workspace.document().setField({{Kind::job, 0}}, "/weight", "2"); // not of this table
    QCOMPARE(changed.count(), 0);
}

TRAINYARD_TEST(tst_EntityTable)
#include "tst_EntityTable.moc"
