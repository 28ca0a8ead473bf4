// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Forms made from the fields of the scenario: typed, picked and dragged values reach the document as single
// steps; what is out of range stays and is marked, and the scenario does not run until it is mended.
#include "forms/ChoiceEditor.h"
#include "forms/EntityForm.h"
#include "forms/FieldRow.h"
#include "forms/FormGroup.h"
#include "forms/ParamForm.h"
#include "forms/ValueField.h"
#include "session/EntityNames.h"
#include "session/NewElements.h"
#include "shell/Inspector.h"
#include "shell/ProblemsPanel.h"
#include "shell/PropertiesPage.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"
#include "tables/ProblemsModel.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QToolButton>

using namespace trainyard;

namespace {

using Kind = EntityRef::Kind;
const QString starterFile = QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/one-slow-worker.json");

struct Form {
    Workspace workspace{std::make_shared<const Registry>(Registry::builtin()),
                        ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString())};
    QScrollArea area;
    EntityForm& form{*new EntityForm(workspace.document(), workspace.resources())};

    Form() {
        if (!workspace.open(starterFile)) qFatal("no starter scenario");
        area.setWidgetResizable(true);
        area.setWidget(&form);
        area.resize(300, 600);
        area.show();
    }
    void show(std::vector<EntityRef> entities) { form.show(entities); }
    QLineEdit* line(const char* path) { return qobject_cast<QLineEdit*>(form.control(path)); }
    void type(const char* path, const char* text) {
        QLineEdit* edit = line(path);
        QVERIFY2(edit, path);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
        QTest::keyClick(edit, Qt::Key_Return);
    }
    const Scenario& scenario() { return workspace.document().scenario(); }
    int steps() { return workspace.document().undoStack().index(); }
    void undo() { workspace.document().undoStack().undo(); }
    void redo() { workspace.document().undoStack().redo(); }
};

} // namespace

class tst_EntityForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFieldHasAnEditorThatIsNamed();
    void typedValuesAreStepsThatCanBeUndone();
    void outOfRangeIsKeptMarkedAndStopsTheRun();
    void whatIsNoNumberStaysInTheField();
    void severalAreEditedAtOnce();
    void arrowKeysInARowAreOneStep();
    void dragOnALabelIsOneStep();
    void choiceAndItsParameters();
    void groupsAreAddedChangedAndRemoved();
    void resetGoesBackToTheDefault();
    void titlesAreNames();
    void renamedStaysSelected();
    void problemLeadsToItsField();
};

// Whatever the format describes can be reached by Tab, has a name, and shows what is there without changing
// it.
void tst_EntityForm::everyFieldHasAnEditorThatIsNamed() {
    Form f;
    QVERIFY(f.workspace.open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/tests/every-kind.json")));
    const int before = f.steps();
    for (const Kind kind : {Kind::settings, Kind::cluster, Kind::device, Kind::rack, Kind::switchNode, Kind::machine,
                            Kind::link, Kind::job, Kind::generator, Kind::fault})
        for (std::size_t i = 0; i < entityCount(f.scenario(), kind); ++i) {
            f.show({{kind, i}});
            for (const FieldInfo& field : fieldsOf(f.scenario(), {kind, i})) {
                if (field.kind == FieldInfo::Kind::group) {
                    QVERIFY2(f.form.group(field.path), field.path.c_str());
                    continue;
                }
                const QWidget* control = f.form.control(field.path);
                QVERIFY2(control, field.path.c_str());
                if (field.kind == FieldInfo::Kind::amounts && field.words.empty()) continue;
                if (field.type == "dependencies") continue; // a column of the operations' table
                QVERIFY2(control->focusPolicy() & Qt::TabFocus, field.path.c_str());
                QVERIFY2(!control->accessibleName().isEmpty(), field.path.c_str());
                QVERIFY2(f.form.row(field.path)->toolTip().contains(QString::fromStdString(field.help).toHtmlEscaped()),
                         field.path.c_str());
            }
        }
    QCOMPARE(f.steps(), before);
}

void tst_EntityForm::typedValuesAreStepsThatCanBeUndone() {
    Form f;
    const Scenario before = f.scenario();
    f.show({{Kind::machine, 0}});
    f.type("/name", "First");
    f.type("/capacity/cpu", "6");
    f.type("/straggler/slowdown", "1.5");
    f.show({{Kind::job, 0}});
    f.type("/workers", "1-3");
    f.type("/stop/iterations", "60");
    QCOMPARE(f.steps(), 5);
    QCOMPARE(f.scenario().cluster.machines[0].name, std::string("First"));
    QCOMPARE(f.scenario().cluster.machines[0].capacity.amount(0), 6.0);
    QVERIFY((f.scenario().jobs[0].workers == Bounds{1, 3}));
    const Scenario after = f.scenario();
    while (f.steps() > 0) f.undo();
    QVERIFY(f.scenario() == before);
    while (f.workspace.document().undoStack().canRedo()) f.redo();
    QVERIFY(f.scenario() == after);
    while (f.steps() > 0) f.undo();
    QVERIFY(f.scenario() == before);
    QCOMPARE(f.line("/workers")->text(), QStringLiteral("4"));
}

void tst_EntityForm::outOfRangeIsKeptMarkedAndStopsTheRun() {
    Form f;
    QTRY_VERIFY(f.workspace.runs().latestFrame() != nullptr);
    const auto run = f.workspace.runs().current().id;
    f.show({{Kind::link, 0}});
    f.type("/bandwidth_gbps", "-1");
    QCOMPARE(f.line("/bandwidth_gbps")->text(), QStringLiteral("-1"));
    QVERIFY(f.scenario().cluster.links[0].bandwidth < 0); // kept
    QVERIFY(f.line("/bandwidth_gbps")->property("problem").toBool());
    QVERIFY(f.form.row("/bandwidth_gbps")->problem().text.contains(QStringLiteral("0")));
    QTRY_VERIFY(!f.workspace.whyNotRun().isEmpty());
    QVERIFY(f.workspace.whyNotRun().contains(QStringLiteral("bandwidth")));
    QCOMPARE(f.workspace.runs().current().id, run); // nothing new was run
    QCOMPARE(f.workspace.playback().whyNotPlay(), f.workspace.whyNotRun());
    QTRY_VERIFY(!f.workspace.playback().isPlaying());
    QVERIFY(f.workspace.playback().whyNotBack() != f.workspace.whyNotRun()); // looking back is still possible

    f.type("/bandwidth_gbps", "2");
    QTRY_VERIFY(f.workspace.whyNotRun().isEmpty());
    QTRY_VERIFY(f.workspace.runs().current().id > run);
    QTRY_VERIFY(f.workspace.playback().whyNotPlay().isEmpty());
    QTRY_VERIFY(f.form.row("/bandwidth_gbps")->problem().text.isEmpty());
    QVERIFY(!f.line("/bandwidth_gbps")->property("problem").toBool());
}

void tst_EntityForm::whatIsNoNumberStaysInTheField() {
    Form f;
    f.show({{Kind::job, 0}});
    const int before = f.steps();
    f.type("/weight", "heavy");
    QCOMPARE(f.steps(), before);
    QCOMPARE(f.line("/weight")->text(), QStringLiteral("heavy"));
    QVERIFY(f.line("/weight")->property("problem").toBool());
    f.type("/batch", "16"); // another edit does not take it away
    QCOMPARE(f.line("/weight")->text(), QStringLiteral("heavy"));
    f.line("/weight")->setFocus();
    QTest::keyClick(f.line("/weight"), Qt::Key_Escape);
    QCOMPARE(f.line("/weight")->text(), QStringLiteral("1"));
    QVERIFY(!f.line("/weight")->property("problem").toBool());
    // A wrong id of a policy's own parameter and the like: JSON with its error.
    f.show({{Kind::settings, 0}});
    auto* text = qobject_cast<QPlainTextEdit*>(f.form.control("/expect"));
    QVERIFY(text);
    text->setFocus();
    text->setPlainText(QStringLiteral("{\"makespan\": [1, "));
    QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(f.form.row("/expect")->problem().text.contains(QStringLiteral("JSON")));
    QCOMPARE(f.workspace.document().refused(), 1); // which the status line tells
}

void tst_EntityForm::severalAreEditedAtOnce() {
    Form f;
    const Scenario before = f.scenario();
    const std::vector<EntityRef> all{{Kind::machine, 0}, {Kind::machine, 1}, {Kind::machine, 2}};
    f.show(all);
    QCOMPARE(f.line("/id")->text(), QString());
    QCOMPARE(f.line("/id")->placeholderText(), QStringLiteral("several"));
    QCOMPARE(f.line("/capacity/cpu")->text(),
             QString::fromStdString(amountOf(fieldsOf(f.scenario(), all[0])[2].value, "cpu")));
    const int steps = f.steps();
    f.line("/id")->setFocus(); // looking at it changes nothing
    QTest::keyClick(f.line("/id"), Qt::Key_Return);
    QCOMPARE(f.steps(), steps);
    f.type("/capacity/cpu", "7");
    QCOMPARE(f.steps(), steps + 1);
    for (std::size_t i = 0; i < 3; ++i) QCOMPARE(f.scenario().cluster.machines[i].capacity.amount(0), 7.0);
    // A group that only some have can be given to all.
    f.form.group("/straggler/burst")->addButton()->click();
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(f.scenario().cluster.machines[i].straggler.burst.has_value());
    QCOMPARE(f.steps(), steps + 2);
    f.undo();
    f.undo();
    QVERIFY(f.scenario() == before);
}

void tst_EntityForm::arrowKeysInARowAreOneStep() {
    Form f;
    f.show({{Kind::job, 0}});
    const int before = f.steps();
    const int batch = std::get<TrainedWork>(f.scenario().jobs[0].work).batch;
    QLineEdit* line = f.line("/batch");
    line->setFocus();
    for (int i = 0; i < 3; ++i) QTest::keyClick(line, Qt::Key_Up);
    QCOMPARE(std::get<TrainedWork>(f.scenario().jobs[0].work).batch, batch + 3);
    QCOMPARE(f.steps(), before + 1);
    f.undo();
    QCOMPARE(std::get<TrainedWork>(f.scenario().jobs[0].work).batch, batch);
    // Steps keep within the range and to the second digit.
    const FieldInfo field{.kind = FieldInfo::Kind::number, .maximum = 1e9};
    QCOMPARE(ValueField::stepOf(field, 0.032), 0.001);
    QCOMPARE(ValueField::stepOf(field, 1), 0.1);
    QCOMPARE(ValueField::stepOf({.kind = FieldInfo::Kind::integer}, 150), 10.0);
}

void tst_EntityForm::dragOnALabelIsOneStep() {
    Form f;
    f.show({{Kind::job, 0}});
    const int before = f.steps();
    QLabel* label = f.form.row("/weight")->findChild<QLabel*>();
    QVERIFY(label);
    const QPoint from = label->rect().center();
    QTest::mousePress(label, Qt::LeftButton, {}, from);
    for (int x = 10; x <= 40; x += 10) QTest::mouseMove(label, from + QPoint(x, 0));
    QTest::mouseRelease(label, Qt::LeftButton, {}, from + QPoint(40, 0));
    QVERIFY(f.scenario().jobs[0].weight > 1);
    QCOMPARE(f.steps(), before + 1);
    f.undo();
    QCOMPARE(f.scenario().jobs[0].weight, 1.0);
}

void tst_EntityForm::choiceAndItsParameters() {
    Form f;
    f.show({{Kind::job, 0}});
    const auto work = [&]() -> const TrainedWork& { return std::get<TrainedWork>(f.scenario().jobs[0].work); };
    auto* picker = qobject_cast<QComboBox*>(f.form.control("/optimizer"));
    QVERIFY(picker);
    QCOMPARE(picker->currentData().toString().toStdString(), work().optimizer.id);
    const int other = picker->currentIndex() == 0 ? 1 : 0;
    picker->setCurrentIndex(other);
    Q_EMIT picker->activated(other);
    QCOMPARE(work().optimizer.id, picker->itemData(other).toString().toStdString());
    QVERIFY(work().optimizer.parameters.empty());
    f.undo();
    QCOMPARE(work().optimizer.id, std::string("sgd"));
    auto* rate = qobject_cast<QLineEdit*>(f.form.control("/optimizer/parameters/learning_rate"));
    QVERIFY(rate);
    rate->setFocus();
    rate->selectAll();
    QTest::keyClicks(rate, QStringLiteral("0.25"));
    QTest::keyClick(rate, Qt::Key_Return);
    QVERIFY(work().optimizer.parameters.at("learning_rate") == ParamValue(0.25));
    // Of its own policies a job has none until one is picked.
    auto* own = qobject_cast<QComboBox*>(f.form.control("/synchronization"));
    QVERIFY(own);
    QCOMPARE(own->currentIndex(), 0);
    const int async = own->findData(QStringLiteral("async"));
    Q_EMIT own->activated(async);
    QCOMPARE(f.scenario().jobs[0].synchronization.id, std::string("async"));
    Q_EMIT own->activated(0);
    QVERIFY(f.scenario().jobs[0].synchronization.id.empty());
}

void tst_EntityForm::groupsAreAddedChangedAndRemoved() {
    Form f;
    f.show({{Kind::machine, 0}});
    const Scenario before = f.scenario();
    const auto law = [&] { return f.scenario().cluster.machines[0].straggler.factor.law; };
    FormGroup* group = f.form.group("/straggler/factor");
    QVERIFY(group);
    QVERIFY(!f.form.row("/straggler/factor/law") ||
            f.form.row("/straggler/factor/law")->field().path != "/straggler/factor/law");
    group->addButton()->click();
    QCOMPARE(law(), Law::exponential);
    auto* words = qobject_cast<QComboBox*>(f.form.control("/straggler/factor/law"));
    QVERIFY(words);
    const int pareto = words->findText(QStringLiteral("pareto"));
    words->setCurrentIndex(pareto);
    Q_EMIT words->activated(pareto);
    QCOMPARE(law(), Law::pareto);
    f.type("/straggler/factor/shape", "3");
    QCOMPARE(f.scenario().cluster.machines[0].straggler.factor.shape, 3.0);
    f.form.group("/straggler/factor")->addButton()->click();
    QCOMPARE(law(), Law::constant);
    while (f.steps() > 0) f.undo();
    QVERIFY(f.scenario() == before);
}

void tst_EntityForm::resetGoesBackToTheDefault() {
    Form f;
    f.show({{Kind::job, 0}});
    f.type("/weight", "5");
    auto* reset = f.form.row("/weight")->findChild<QToolButton*>();
    QVERIFY(reset && reset->isVisible());
    reset->click();
    QCOMPARE(f.scenario().jobs[0].weight, 1.0);
    QVERIFY(!f.form.row("/weight")->findChild<QToolButton*>()->isVisible());
}

/// As the canvas calls it; an id only where there is no name.
void tst_EntityForm::titlesAreNames() {
    Scenario s = test::sampleScenario();
    s.cluster.machines[1].name = "Rack 1, machine 2";
    s.faults.push_back({.key = s.cluster.machines[1].key});
    QCOMPARE(entityTitle(s, {{EntityRef::Kind::machine, 1}}), QStringLiteral("Rack 1, machine 2"));
    QCOMPARE(entityTitle(s, {{EntityRef::Kind::fault, s.faults.size() - 1}}),
             QStringLiteral("Fault of Rack 1, machine 2"));
    s.cluster.machines[1].name.clear();
    QCOMPARE(entityTitle(s, {{EntityRef::Kind::machine, 1}}),
             QStringLiteral("Machine ") + QString::fromStdString(s.cluster.machines[1].key));
}

void tst_EntityForm::renamedStaysSelected() {
    Form f;
    PropertiesPage page(f.workspace);
    page.resize(300, 800);
    page.show();
    QVERIFY(page.title().contains(QStringLiteral("Scenario")));
    const QString key = QString::fromStdString(f.scenario().cluster.machines[1].key);
    const QString name = QString::fromStdString(f.scenario().cluster.machines[1].name);
    f.workspace.selection().selectEntities({key});
    QCOMPARE(page.title(), name);
    auto* id = qobject_cast<QLineEdit*>(page.form().control("/id"));
    QVERIFY(id);
    id->setFocus();
    id->selectAll();
    QTest::keyClicks(id, QStringLiteral("renamed"));
    QTest::keyClick(id, Qt::Key_Return);
    QCOMPARE(f.workspace.selection().entities(), QStringList{QStringLiteral("renamed")});
    QCOMPARE(page.title(), name);
    f.undo();
    QCOMPARE(f.workspace.selection().entities(), QStringList{key});
    // Space is for the button that has the focus, not for the window's Play.
    QKeyEvent space(QEvent::ShortcutOverride, Qt::Key_Space, Qt::NoModifier);
    space.ignore();
    QCoreApplication::sendEvent(page.findChild<QToolButton*>(), &space);
    QVERIFY(space.isAccepted());
    // Several kinds at once: a picker, and the job that was selected last comes first.
    const QString link = QString::fromStdString(f.scenario().cluster.links[0].key);
    f.workspace.selection().selectEntities({key, link});
    QCOMPARE(page.findChild<QComboBox*>()->count(), 2);
    // Deleted: the scenario's own settings are left.
    f.workspace.document().removeElements({{EntityRef::Kind::machine, 1}, {EntityRef::Kind::link, 0}});
    QVERIFY(page.title().contains(QStringLiteral("Scenario")));
}

void tst_EntityForm::problemLeadsToItsField() {
    Form f;
    Inspector inspector(f.workspace);
    inspector.resize(300, 600);
    inspector.show();
    ProblemsPanel panel(f.workspace);
    connect(&panel, &ProblemsPanel::entityRequested, &inspector, &Inspector::jumpTo);
    f.workspace.document().setField({{Kind::machine, 2}}, "/straggler/slowdown", "-4");
    QTRY_VERIFY(hasErrors(f.workspace.problems()));
    const Problem problem = f.workspace.problems().front();
    panel.jumpTo(problem);
    const EntityForm& form = inspector.properties().form();
    QVERIFY((form.entities() == std::vector<EntityRef>{{Kind::machine, 2}}));
    QCOMPARE(inspector.focusWidget(), form.control("/straggler/slowdown"));
    QCOMPARE(f.workspace.selection().entities(),
             QStringList{QString::fromStdString(f.scenario().cluster.machines[2].key)});
    // Of a generator, which no picture shows.
    addElement(f.workspace.document(), Kind::generator);
    f.workspace.document().setField({{Kind::generator, 0}}, "/count", "-1");
    f.workspace.document().validate();
    panel.jumpTo({.pointer = "/generators/0/count"});
    QVERIFY((form.entities() == std::vector<EntityRef>{{Kind::generator, 0}}));
    QCOMPARE(inspector.focusWidget(), form.control("/count"));
}

TRAINYARD_TEST(tst_EntityForm)
#include "tst_EntityForm.moc"
