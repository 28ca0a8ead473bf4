// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The document: every edit can be undone and redone, one drag is one step, files are written whole, a bad
// file changes nothing, and what was not saved survives a killed program.
#include "base/Random.h"
#include "scenario/Fragment.h"
#include "session/Journal.h"
#include "session/ScenarioModel.h"
#include "support/HandMadeCopy.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <functional>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace trainyard;

namespace {

std::shared_ptr<const Registry> registry() { return std::make_shared<const Registry>(Registry::builtin()); }

const QString starter = QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/one-slow-worker.json");

} // namespace

class tst_ScenarioModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyEditUndoesAndRedoes_data();
    void everyEditUndoesAndRedoes();
    void oneDragIsOneStep();
    void dragBackToTheStartLeavesNoStep();
    void dragOfAFieldIsOneStep();
    void refusedFieldChangesNothing();
    void journalKeepsNumbersOutOfRange();
    void defaultsAreNotKept();
    void editsSayWhetherTheyChangeTheRun();
    void opensAndSavesCanonically();
    void badFileChangesNothing();
    void failedSaveKeepsTheOldFile();
    void journalKeepsTheLastIntactDocument();
    void spoiledJournalsAreAnswered();
    void journalOfALivingProgramIsLeftAlone();
    void journalSurvivesKill();
    void cleanExitLeavesNothing();
};

using Edit = std::function<void(ScenarioModel&)>;
Q_DECLARE_METATYPE(Edit)

void tst_ScenarioModel::everyEditUndoesAndRedoes_data() {
    QTest::addColumn<Edit>("edit");
    QTest::newRow("policy") << Edit([](auto& m) { m.choosePolicy(PolicyFamily::synchronization, {"async", {}}); });
    QTest::newRow("parameter") << Edit(
        [](auto& m) { m.setPolicyParameter(PolicyFamily::scheduler, "x", std::int64_t{3}); });
    QTest::newRow("seed") << Edit([](auto& m) { m.setSeed(99); });
    QTest::newRow("mode") << Edit([](auto& m) { m.setMode(RunMode::execute); });
    QTest::newRow("field") << Edit([](auto& m) {
        QVERIFY(m.setField({{EntityRef::Kind::machine, 0}, {EntityRef::Kind::machine, 1}}, "/name", "\"x\"").empty());
    });
    QTest::newRow("field out of range") << Edit([](auto& m) {
        QVERIFY(m.setField({{EntityRef::Kind::link, 0}}, "/bandwidth_gbps", "-1").empty());
    });
    QTest::newRow("new id") << Edit([](auto& m) {
        QVERIFY(m.setField({{EntityRef::Kind::machine, 0}}, "/id", "\"renamed\"").empty());
    });
    QTest::newRow("curves") << Edit([](auto& m) {
        QVERIFY(m.setField({{EntityRef::Kind::settings, 0}}, "/curves",
                           R"([{"id": "other", "updates": [0, 5], "losses": [3, 2]}])")
                    .empty());
    });
    QTest::newRow("graphs") << Edit([](auto& m) {
        QVERIFY(
            m.setField({{EntityRef::Kind::settings, 0}}, "/graphs", R"([{"id": "other", "shipped": "gnmt"}])").empty());
    });
    QTest::newRow("insert") << Edit([](auto& m) {
        const Scenario all = excerptOf(m.scenario(), nodeKeysOf(m.scenario().cluster), {0});
        QVERIFY(!m.insert(QStringLiteral("Paste"), all, {16, 16}).isEmpty());
    });
    QTest::newRow("remove elements") << Edit([](auto& m) {
        m.removeElements({{EntityRef::Kind::machine, 1}, {EntityRef::Kind::link, 0}, {EntityRef::Kind::job, 0}});
    });
    QTest::newRow("change") << Edit([](auto& m) {
        m.change(QStringLiteral("Add fault"), [](Scenario& s) { s.faults.push_back({.key = "m1", .atSeconds = 3}); });
    });
    QTest::newRow("title") << Edit([](auto& m) { m.setTitle(QStringLiteral("Other")); });
    QTest::newRow("move machine") << Edit([](auto& m) { m.moveEntities({{QStringLiteral("m1"), {40, 80}}}); });
    QTest::newRow("move several") << Edit([](auto& m) {
        m.moveEntities({{QStringLiteral("m1"), {40, 80}}, {QStringLiteral("sw"), {8, 8}}});
    });
    QTest::newRow("rename machine") << Edit(
        [](auto& m) { m.renameEntity(QStringLiteral("m2"), QStringLiteral("Big one")); });
    QTest::newRow("rename rack") << Edit([](auto& m) { m.renameEntity(QStringLiteral("r1"), QStringLiteral("Left")); });
}

void tst_ScenarioModel::everyEditUndoesAndRedoes() {
    QFETCH(Edit, edit);
    ScenarioModel model(registry());
    Scenario sample = test::sampleScenario();
    sample.curves = {{"measured", {0, 10}, {2, 1}}}; // which no edit of other things may lose
    sample.graphs = {{.key = "net", .graph = {}, .shipped = "alexnet"}};
    model.replace(sample, {}, false);
    QSignalSpy edited(&model, &ScenarioModel::edited);
    const Scenario before = model.scenario();
    edit(model);
    const Scenario after = model.scenario();
    QVERIFY(!(after == before));
    if (QLatin1String(QTest::currentDataTag()) != QLatin1String("curves")) QVERIFY(after.curves == sample.curves);
    if (QLatin1String(QTest::currentDataTag()) != QLatin1String("graphs")) QVERIFY(after.graphs == sample.graphs);
    QVERIFY(model.isModified());
    QCOMPARE(model.undoStack().count(), 1);
    QVERIFY(!model.undoStack().undoText().isEmpty());
    for (int i = 0; i < 2; ++i) {
        model.undoStack().undo();
        QVERIFY(model.scenario() == before);
        QVERIFY(!model.isModified());
        model.undoStack().redo();
        QVERIFY(model.scenario() == after);
    }
    QCOMPARE(edited.count(), 5);
    edit(model); // what changes nothing is no second step
    QCOMPARE(model.undoStack().count(), model.scenario() == after ? 1 : 2);
}

void tst_ScenarioModel::oneDragIsOneStep() {
    ScenarioModel model(registry());
    model.replace(test::sampleScenario(), {}, false);
    const Scenario before = model.scenario();
    const auto drag = [&](double from) {
        const auto gesture = model.beginGesture();
        for (int i = 1; i <= 10; ++i) model.moveEntities({{QStringLiteral("m1"), {from + i, 0}}}, gesture);
    };
    drag(0);
    drag(10);
    QCOMPARE(model.undoStack().count(), 2);
    model.undoStack().undo();
    QCOMPARE(model.scenario().cluster.machines[0].position->x, 10.0);
    model.undoStack().undo();
    QVERIFY(model.scenario() == before);
    // One drag over two targets is two steps: a slider is not another slider.
    const auto gesture = model.beginGesture();
    model.setPolicyParameter(PolicyFamily::scheduler, "x", 1.0, gesture);
    model.setPolicyParameter(PolicyFamily::scheduler, "y", 1.0, gesture);
    QCOMPARE(model.undoStack().count(), 2);
}

void tst_ScenarioModel::dragBackToTheStartLeavesNoStep() {
    ScenarioModel model(registry());
    model.replace(test::sampleScenario(), {}, false);
    const auto gesture = model.beginGesture();
    for (std::uint64_t seed : {8, 9, 8, 7}) model.setSeed(seed, gesture);
    QCOMPARE(model.undoStack().count(), 0);
    QCOMPARE(model.scenario().seed, std::uint64_t{7});
}

void tst_ScenarioModel::dragOfAFieldIsOneStep() {
    ScenarioModel model(registry());
    QVERIFY(model.open(starter));
    const Scenario before = model.scenario();
    const auto gesture = model.beginGesture();
    for (const char* value : {"2", "3", "4"})
        QVERIFY(model.setField({{EntityRef::Kind::machine, 0}}, "/straggler/slowdown", value, gesture).empty());
    QCOMPARE(model.undoStack().count(), 1);
    QCOMPARE(model.scenario().cluster.machines[0].straggler.persistentFactor, 4.0);
    model.undoStack().undo();
    QVERIFY(model.scenario() == before);
    model.undoStack().redo();
    QCOMPARE(model.scenario().cluster.machines[0].straggler.persistentFactor, 4.0);
}

void tst_ScenarioModel::refusedFieldChangesNothing() {
    ScenarioModel model(registry());
    QVERIFY(model.open(starter));
    const Scenario before = model.scenario();
    // The second of the two cannot take it: neither does.
    QVERIFY(!model.setField({{EntityRef::Kind::machine, 0}, {EntityRef::Kind::link, 0}}, "/capacity", "{}").empty());
    QVERIFY(!model.setField({{EntityRef::Kind::machine, 0}}, "/name", "12").empty());
    QVERIFY(model.scenario() == before);
    QCOMPARE(model.undoStack().count(), 0);
}

void tst_ScenarioModel::journalKeepsNumbersOutOfRange() {
    ScenarioModel model(registry());
    QVERIFY(model.open(starter));
    QVERIFY(model.setField({{EntityRef::Kind::link, 0}}, "/bandwidth_gbps", "-1").empty());
    QVERIFY(!model.validate());
    const std::string text = writeScenario(model.scenario());
    QVERIFY(!parseScenario(text, "x").ok());
    const auto recovered = parseDraft(text, "x");
    QVERIFY(recovered.ok());
    QVERIFY(recovered->scenario == model.scenario());
}

void tst_ScenarioModel::defaultsAreNotKept() {
    const auto all = registry();
    ScenarioModel model(all);
    model.replace(test::sampleScenario(), {}, false);
    for (const SchedulerEntry& entry : all->schedulers) {
        if (entry.schema.fields().empty()) continue;
        const ParamField& field = entry.schema.fields().front();
        model.choosePolicy(PolicyFamily::scheduler, {entry.id, {}});
        model.setPolicyParameter(PolicyFamily::scheduler, field.key, field.defaultValue);
        QVERIFY(model.scenario().policies.scheduler.parameters.empty());
    }
}

void tst_ScenarioModel::editsSayWhetherTheyChangeTheRun() {
    ScenarioModel model(registry());
    model.replace(test::sampleScenario(), {}, false);
    bool changesRun = false;
    connect(&model, &ScenarioModel::edited, this,
            [&](ScenarioModel::Changes changes) { changesRun = ScenarioModel::changesRun(changes); });
    model.setSeed(3);
    QVERIFY(changesRun);
    model.moveEntities({{QStringLiteral("m1"), {1, 2}}});
    QVERIFY(!changesRun);
    model.choosePolicy(PolicyFamily::synchronization, {"async", {}});
    QVERIFY(changesRun);
    model.setTitle(QStringLiteral("x"));
    QVERIFY(!changesRun);
}

void tst_ScenarioModel::opensAndSavesCanonically() {
    QTemporaryDir dir;
    ScenarioModel model(registry());
    QVERIFY(model.open(test::handMadeCopy(starter, dir.filePath(QStringLiteral("hand.json")))));
    QVERIFY(!model.isModified());
    QVERIFY(model.reformatsOnSave());
    model.setSeed(1234);
    const QString path = dir.filePath(QStringLiteral("copy.json"));
    QVERIFY(model.saveAs(path));
    QVERIFY(!model.isModified());
    QVERIFY(!model.reformatsOnSave());
    QCOMPARE(model.displayName(), QStringLiteral("copy.json"));
    ScenarioModel again(registry());
    QVERIFY(again.open(path));
    QVERIFY(!again.reformatsOnSave());
    QVERIFY(again.scenario() == model.scenario());
}

void tst_ScenarioModel::badFileChangesNothing() {
    QTemporaryDir dir;
    const QString bad = dir.filePath(QStringLiteral("bad.json"));
    QFile file(bad);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"format\": \"trainyard-scenario\", \"version\": 1, \"title\": 3");
    file.close();
    ScenarioModel model(registry());
    QVERIFY(model.open(starter));
    model.setSeed(5);
    const Scenario before = model.scenario();
    QVERIFY(!model.open(bad));
    QVERIFY(!model.problems().empty());
    QVERIFY(model.scenario() == before);
    QCOMPARE(model.filePath(), starter);
    QVERIFY(model.undoStack().canUndo());
    QVERIFY(!model.open(dir.filePath(QStringLiteral("none.json"))));
}

void tst_ScenarioModel::failedSaveKeepsTheOldFile() {
    ScenarioModel model(registry());
    model.replace(test::sampleScenario(), {}, false);
    model.setSeed(5);
    QVERIFY(!model.saveAs(QStringLiteral("/proc/cannot/be/written.json")));
    QVERIFY(model.isModified());
    QCOMPARE(model.problems().size(), std::size_t{1});
    QVERIFY(model.filePath().isEmpty());
}

void tst_ScenarioModel::journalKeepsTheLastIntactDocument() {
    QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("old.journal"));
    {
        Journal journal(dir.path());
        QFile old(path); // earlier versions wrote one document after the other
        QVERIFY(old.open(QIODevice::WriteOnly));
        for (const char* text : {"first", "second"}) {
            QVERIFY(journal.write(QStringLiteral("/a.json"), text).empty());
            QFile own(dir.filePath(QDir(dir.path()).entryList({QStringLiteral("*-*.journal")}).value(0)));
            QVERIFY(own.open(QIODevice::ReadOnly) && old.write(own.readAll()) > 0);
        }
    }
    auto left = Journal::leftBehind(dir.path());
    QCOMPARE(left.size(), 1);
    QCOMPARE(left[0].text, QByteArray("second"));
    QCOMPARE(left[0].documentPath, QStringLiteral("/a.json"));
    // A torn write at the end: the entry before it counts.
    QFile torn(path);
    QVERIFY(torn.open(QIODevice::ReadWrite));
    QVERIFY(torn.resize(torn.size() - 5));
    torn.close();
    left = Journal::leftBehind(dir.path());
    QCOMPARE(left.size(), 1);
    QCOMPARE(left[0].text, QByteArray("first"));
    Journal::discard(left[0].journal);
    QVERIFY(Journal::leftBehind(dir.path()).isEmpty());
    // What cannot be read at all is not offered, and stays.
    QFile unreadable(path);
    QVERIFY(unreadable.open(QIODevice::WriteOnly) && unreadable.write("TyJ1 and no more") > 0);
    unreadable.close();
    QVERIFY(Journal::leftBehind(dir.path()).isEmpty());
    QVERIFY(QFile::exists(path + QStringLiteral(".unreadable")) && !QFile::exists(path));
}

// Whatever lies there: it is offered as it was written, or kept aside.
void tst_ScenarioModel::spoiledJournalsAreAnswered() {
    QTemporaryDir dir;
    QByteArray whole;
    {
        Journal journal(dir.path());
        QVERIFY(journal.write(QStringLiteral("/a.json"), QByteArray(300, 'x')).empty());
        QFile own(dir.filePath(QDir(dir.path()).entryList({QStringLiteral("*.journal")}).value(0)));
        QVERIFY(own.open(QIODevice::ReadOnly));
        whole = own.readAll();
    }
    RandomStream random(11, Purpose::test);
    const QString path = dir.filePath(QStringLiteral("a.journal"));
    for (int round = 0; round < 500; ++round) {
        QByteArray bytes = whole;
        for (auto n = 1 + random.below(3); n > 0; --n) {
            const auto at = static_cast<qsizetype>(random.below(static_cast<std::uint64_t>(bytes.size())));
            if (random.below(3) == 0)
                bytes = bytes.left(at + 1);
            else
                bytes[at] = static_cast<char>(random.below(256));
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        QFile::remove(path + QStringLiteral(".unreadable"));
        const auto left = Journal::leftBehind(dir.path());
        QVERIFY(left.isEmpty() || left[0].text == QByteArray(300, 'x'));
        QVERIFY(QFile::exists(left.isEmpty() ? path + QStringLiteral(".unreadable") : path));
    }
}

void tst_ScenarioModel::journalOfALivingProgramIsLeftAlone() {
    QTemporaryDir dir;
    Journal journal(dir.path());
    journal.write({}, "work");
    QVERIFY(Journal::leftBehind(dir.path()).isEmpty());
    QCOMPARE(QDir(dir.path()).entryList({QStringLiteral("*.journal")}).size(), 1);
}

void tst_ScenarioModel::journalSurvivesKill() {
    QTemporaryDir dir;
    const pid_t child = fork();
    if (child == 0) {
        Journal journal(dir.path());
        journal.write(QStringLiteral("/b.json"), "unsaved");
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    const auto left = Journal::leftBehind(dir.path());
    QCOMPARE(left.size(), 1);
    QCOMPARE(left[0].text, QByteArray("unsaved"));
}

void tst_ScenarioModel::cleanExitLeavesNothing() {
    QTemporaryDir dir;
    {
        Journal journal(dir.path());
        journal.write({}, "work");
        journal.clear();
        journal.write({}, "more");
    }
    QVERIFY(Journal::leftBehind(dir.path()).isEmpty());
    QVERIFY(QDir(dir.path()).entryList({QStringLiteral("*.journal")}).isEmpty());
}

TRAINYARD_TEST(tst_ScenarioModel)
#include "tst_ScenarioModel.moc"
