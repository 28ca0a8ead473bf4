// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Data of keyed models that are read from files: the same run as of data that are made, refusals with their place, and kept results that
// are told apart by what files hold.
#include "learning/keyed/KeyedChoices.h"
#include "learning/keyed/KeyedData.h"
#include "scenario/agents/PolicyFileReading.h"
#include "support/KeyedTasks.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <QDir>
#include <QTemporaryDir>
#include <fstream>

using namespace trainyard;
using namespace trainyard::test;

namespace {

Choice fileOf(const char* id, const std::string& name) { return {id, {{"file", name}}}; }

void write(const std::string& name, const std::string& bytes) {
    std::ofstream(name, std::ios::binary | std::ios::trunc) << bytes;
}

std::vector<Event> evaluations(const Scenario& scenario) {
    auto options = optionsFor(scenario);
    options.seed = scenario.seed;
    auto simulation = Simulation::create(options);
    while (simulation.value()->step()) {}
    std::vector<Event> out = eventsOf(simulation.value()->log(), EventType::lossEvaluated);
    for (const Event& e : eventsOf(simulation.value()->log(), EventType::qualityEvaluated)) out.push_back(e);
    return out;
}

} // namespace

class tst_KeyedDataFiles : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void aFileTrainsAsWhatItWasMadeOf_data();
    void aFileTrainsAsWhatItWasMadeOf();
    void refusals_data();
    void refusals();
    void keptResultsKnowTheContents();

private:
    QString m_before;
    std::unique_ptr<QTemporaryDir> m_directory;
};

void tst_KeyedDataFiles::init() {
    m_before = QDir::currentPath();
    m_directory = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir::setCurrent(m_directory->path()));
}

void tst_KeyedDataFiles::cleanup() { QDir::setCurrent(m_before); }

void tst_KeyedDataFiles::aFileTrainsAsWhatItWasMadeOf_data() {
    QTest::addColumn<QString>("model");
    for (const KeyedModelInfo& model : keyedModels())
        QTest::newRow(model.id.c_str()) << QString::fromStdString(model.id);
}

void tst_KeyedDataFiles::aFileTrainsAsWhatItWasMadeOf() {
    QFETCH(QString, model);
    constexpr std::uint64_t seed = 9;
    const auto count = [](int n) { return ParamValue(std::int64_t{n}); };
    Choice planted, file;
    if (model == "complex") {
        planted = {"planted-graph", {{"entities", count(60)}, {"facts", count(300)}}};
        file = fileOf("triples-file", "data.keyed");
        write("data.keyed", keyedDataBytes(plantTriples({.entities = 60, .facts = 300}, seed)));
    } else if (model == "word-vectors") {
        planted = {"planted-text", {{"sentences", count(40)}}};
        file = fileOf("text-file", "data.keyed");
        write("data.keyed", keyedDataBytes(plantCorpus({.sentences = 40}, seed)));
    } else {
        planted = {"planted-matrix", {{"rows", count(30)}, {"columns", count(20)}, {"cells", count(200)}}};
        file = fileOf("cells-file", "data.keyed");
        write("data.keyed", keyedDataBytes(plantCells({.rows = 30, .columns = 20, .cells = 200}, seed)));
    }
    KeyedTask task{.model = {model.toStdString(), {}}, .data = planted};
    Scenario scenario = taskScenario(task, 2, 2);
    scenario.seed = seed;
    const auto made = evaluations(scenario);
    accessOf(scenario).task->data = file;
    const auto read = evaluations(scenario);
    QVERIFY(made.size() > 2);
    QCOMPARE(read.size(), made.size());
    for (std::size_t n = 0; n < made.size(); ++n) QCOMPARE(read[n].value, made[n].value);
}

void tst_KeyedDataFiles::refusals_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("said");
    QTest::newRow("none") << ""
                          << "\"file\" is empty; it must name a file";
    QTest::newRow("absolute") << "/etc/passwd"
                              << "no name of a file in this directory";
    QTest::newRow("above") << "../data.keyed"
                           << "no name of a file in this directory";
    QTest::newRow("not there") << "missing.keyed"
                               << "cannot be read";
    QTest::newRow("a directory") << "."
                                 << "cannot be read";
    QTest::newRow("another kind") << "cells.keyed"
                                  << "the data are of kind cells; kind triples is needed";
    QTest::newRow("something else") << "text.keyed"
                                    << "this is no file of data for keyed models";
    QTest::newRow("cut") << "cut.keyed"
                         << "the file ends after 200 bytes";
    QTest::newRow("damaged") << "damaged.keyed"
                             << "the checksum at the end is not that of the file";
}

void tst_KeyedDataFiles::refusals() {
    QFETCH(QString, file);
    QFETCH(QString, said);
    std::string bytes = keyedDataBytes(plantTriples({.entities = 60, .facts = 300}, 1));
    write("cut.keyed", bytes.substr(0, 200));
    bytes[100] = static_cast<char>(bytes[100] ^ 1);
    write("damaged.keyed", bytes);
    write("cells.keyed", keyedDataBytes(plantCells({.rows = 20, .columns = 5, .cells = 50}, 1)));
    write("text.keyed", "{\"title\": \"a scenario\"}");
    KeyedTask task = smallGraphTask();
    task.data = fileOf("triples-file", file.toStdString());
    const auto made = makeKeyedModel(task, 1);
    QVERIFY(!made);
    const Problem& problem = made.problems().front();
    QCOMPARE(problem.pointer, std::string("/keyed_data/parameters/file"));
    QVERIFY2(problem.message.english().find(said.toStdString()) != std::string::npos,
             problem.message.english().c_str());
}

void tst_KeyedDataFiles::keptResultsKnowTheContents() {
    Scenario scenario = taskScenario(smallGraphTask(), 2, 1);
    accessOf(scenario).task->data = fileOf("triples-file", "data.keyed");
    const auto digests = [&](std::uint64_t seed) {
        write("data.keyed", keyedDataBytes(plantTriples({.entities = 60, .facts = 300}, seed)));
        return withFileDigests(scenario, Registry::builtin(), {}).notes;
    };
    const std::string first = digests(1);
    QVERIFY(first != scenario.notes);
    QVERIFY(digests(2) != first);
    QCOMPARE(digests(1), first);
}

TRAINYARD_TEST(tst_KeyedDataFiles)
#include "tst_KeyedDataFiles.moc"
