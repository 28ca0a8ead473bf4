// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Records: written and read back, damage noticed, unusable directories reported, provenances found in exported
// text.
#include "base/WholeFile.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "run/files/RunFiles.h"
#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <sys/stat.h>

using namespace trainyard;
using namespace trainyard::test;

class tst_RunRecord : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void roundTrip();
    void damageIsNoticed_data();
    void damageIsNoticed();
    void unusableDirectoryIsAProblem();
    void provenanceSurvivesContainers();
    void nestingIsLimited_data();
    void nestingIsLimited();
    void scenarioIsNoProvenance();
    void pipesAreNotWaitedFor();
    void nothingIsLeftOfAFailedFile();

private:
    std::filesystem::path folder(const char* name) const {
        return std::filesystem::path(m_dir.path().toStdString()) / name;
    }
    QTemporaryDir m_dir;
    RunRecord m_record;
};

void tst_RunRecord::initTestCase() {
    RunRequest request = requestFor(tinyScenario());
    request.commands = {{SimTime::seconds(1.5), CommandKind::killJob, 1, 0, 0}};
    RunSession session(request);
    session.wait();
    QVERIFY(session.frame()->status == RunStatus::finished);
    m_record = recordOf(session, "tiny ä.json");
    QVERIFY(m_record.explanations->size() > 0);
    QVERIFY(writeRecord(m_record, folder("record")).empty());
}

void tst_RunRecord::roundTrip() {
    const auto read = readRecord(folder("record"));
    QVERIFY2(read.ok(), read.ok() ? "" : read.problems().front().text().c_str());
    QCOMPARE(read->scenarioText, m_record.scenarioText);
    QCOMPARE(read->scenarioName, m_record.scenarioName);
    QCOMPARE(read->seed, std::uint64_t{5});
    QCOMPARE(read->digest, m_record.digest);
    QCOMPARE(read->log->digest(), m_record.digest);
    QVERIFY(read->complete);
    QVERIFY(*read->state == *m_record.state);
    QVERIFY(read->metrics.values == m_record.metrics.values);
    QVERIFY(read->metrics.jobs == m_record.metrics.jobs);
    QCOMPARE(read->commands.size(), std::size_t{1});
    QCOMPARE(read->commands[0].at.ns, std::int64_t{1'500'000'000});
    QVERIFY(read->commands[0].kind == CommandKind::killJob);
    QCOMPARE(read->explanations->size(), m_record.explanations->size());
    for (std::size_t i = 0; i < read->explanations->size(); ++i) {
        QVERIFY((*read->explanations)[i].time == (*m_record.explanations)[i].time);
        QVERIFY((*read->explanations)[i].summary == (*m_record.explanations)[i].summary);
        QVERIFY((*read->explanations)[i].evaluate() == (*m_record.explanations)[i].evaluate());
        QVERIFY((*read->explanations)[i].chosen == (*m_record.explanations)[i].chosen);
    }
}

void tst_RunRecord::damageIsNoticed_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("position"); // of the byte that is changed; −1: the file is cut there; −2: it is missing
    QTest::newRow("event changed") << "events.bin" << 24 + 32 * 7 + 30;
    QTest::newRow("type changed") << "events.bin" << 24 + 32 * 3 + 8;
    QTest::newRow("magic changed") << "events.bin" << 1;
    QTest::newRow("version changed") << "events.bin" << 8;
    QTest::newRow("count changed") << "events.bin" << 16;
    QTest::newRow("events cut") << "events.bin" << -1;
    QTest::newRow("record cut") << "record.json" << -1;
    QTest::newRow("scenario cut") << "scenario.json" << -1;
    QTest::newRow("explanations cut") << "explanations.json" << -1;
    QTest::newRow("record missing") << "record.json" << -2;
    QTest::newRow("events missing") << "events.bin" << -2;
}

void tst_RunRecord::damageIsNoticed() {
    QFETCH(QString, file);
    QFETCH(int, position);
    const auto damaged = folder("damaged");
    std::filesystem::remove_all(damaged);
    std::filesystem::copy(folder("record"), damaged);
    QFile target(QString::fromStdString((damaged / file.toStdString()).string()));
    if (position == -2) {
        QVERIFY(target.remove());
    } else {
        QVERIFY(target.open(QIODevice::ReadWrite));
        if (position == -1) {
            QVERIFY(target.resize(target.size() / 2));
        } else {
            QVERIFY(target.seek(position));
            char byte = 0;
            QVERIFY(target.getChar(&byte));
            QVERIFY(target.seek(position));
            QVERIFY(target.putChar(static_cast<char>(byte ^ 0x55)));
        }
        target.close();
    }
    const auto read = readRecord(damaged);
    QVERIFY(!read.ok());
    const auto text = QString::fromStdString(read.problems().front().text());
    QVERIFY2(text.contains(file), qPrintable(text));
}

void tst_RunRecord::unusableDirectoryIsAProblem() {
    QVERIFY(writeFileAtomically(folder("plain-file"), "x").empty());
    const auto beneath = folder("plain-file") / "out";
    QCOMPARE(probeDirectory(beneath).size(), std::size_t{1});
    QVERIFY(!writeRecord(m_record, beneath).empty());
    QVERIFY(probeDirectory(folder("new") / "nested").empty());
    QVERIFY(std::filesystem::is_directory(folder("new") / "nested"));
    QVERIFY(std::filesystem::is_empty(folder("new") / "nested")); // the probe leaves nothing
}

void tst_RunRecord::provenanceSurvivesContainers() {
    const std::string line = provenanceText(m_record);
    QVERIFY(line.find('\n') == std::string::npos);
    QVERIFY(line.rfind("trainyard scenario=tiny_", 0) == 0);
    QVERIFY(line.find("seed=5 mode=simulate version=" TRAINYARD_VERSION " digest=" + m_record.digest) !=
            std::string::npos);
    for (const QString& comment :
         QString::fromStdString(provenanceAbove(m_record) + provenanceBelow(m_record)).split(u'\n'))
        QVERIFY2(comment.size() <= 130 && (comment.isEmpty() || comment.startsWith(u'#')), qPrintable(comment));
    const QString escaped = QString::fromStdString(line).toHtmlEscaped();
    const std::vector<std::pair<const char*, std::string>> files{
        {"a.csv", "# " + line + "\njob,metric\n"},
        {"b.csv", provenanceAbove(m_record) + "job,metric\n" + provenanceBelow(m_record)},
        {"c.csv", provenanceAbove(m_record) + provenanceBelow(m_record) + "job,metric\n"}, // earlier versions
        {"a.json", "{\"provenance\":" + provenanceJsonText(m_record) + ",\n\"x\": {}}"},
        {"a.svg", "<?xml version=\"1.0\"?><svg><desc>" + escaped.toStdString() + "</desc></svg>"},
        {"b.svg", "<svg><metadata><![CDATA[" + line + "]]></metadata></svg>"},
        {"a.pdf", "%PDF-1.4\n\xff\xfe binary {\n%" + line + "\n"},
        {"a.png", std::string("\x89PNG\r\n\x1a\n\0\0 tEXt", 15) + line + std::string("\0IEND", 5)},
    };
    for (const auto& [name, text] : files) {
        QVERIFY(writeFileAtomically(folder(name), text).empty());
        const auto provenance = readProvenance(folder(name));
        QVERIFY2(provenance.ok() && provenance->has_value(), name);
        QCOMPARE((*provenance)->digest, m_record.digest);
        QCOMPARE((*provenance)->scenarioName, m_record.scenarioName);
        QCOMPARE((*provenance)->commands.size(), std::size_t{1});
        const auto scenario = parseScenario((*provenance)->scenarioText, name);
        const auto original = parseScenario(m_record.scenarioText, name);
        QVERIFY(scenario.ok() && original.ok());
        QVERIFY(scenario->scenario == original->scenario);
    }
    QVERIFY(writeFileAtomically(folder("cut.csv"), "# " + line.substr(0, line.size() - 10)).empty());
    QVERIFY(!readProvenance(folder("cut.csv")).ok());
    QVERIFY(writeFileAtomically(folder("cut.csv"), provenanceAbove(m_record) + "job,metric\n").empty());
    QVERIFY(!readProvenance(folder("cut.csv")).ok());
    for (const auto& record : {folder("record"), folder("record") / "record.json"}) {
        const auto provenance = readProvenance(record);
        QVERIFY(provenance.ok() && provenance->has_value());
        QCOMPARE((*provenance)->digest, m_record.digest);
    }
}

void tst_RunRecord::nestingIsLimited_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("levels");
    for (const char* file :
         {"record.json", "files.json", "explanations.json", "scenario.json", "export.json", "export.csv", "export.svg"})
        for (const int levels : {200, 100'000}) QTest::addRow("%s, %d", file, levels) << file << levels;
}

// Deeper than the stack: what works on such a tree calls itself for each level. Nothing reads it, and nothing takes gigabytes.
void tst_RunRecord::nestingIsLimited() {
    QFETCH(QString, file);
    QFETCH(int, levels);
    const auto nested = [&](char open, char close) {
        return std::string(static_cast<std::size_t>(levels), open) +
               std::string(static_cast<std::size_t>(levels), close);
    };
    const std::string name = file.toStdString(), lists = nested('[', ']');
    const auto directory = folder("deep");
    std::filesystem::remove_all(directory);
    std::filesystem::copy(folder("record"), directory);
    QVERIFY(writeRunFiles(directory, m_record.digest).empty());
    const std::string provenance =
        "{\"scenario_name\": \"a\", \"seed\": 1, \"mode\": \"simulate\", \"version\": \"0\", "
        "\"digest\": \"0\", \"commands\": [], \"scenario\": " +
        lists + "}";
    std::string text = "{\"x\": " + lists + "}";
    if (name == "explanations.json") text = lists;
    if (name == "export.json") text = "{\"provenance\":" + provenance + "}";
    if (name == "export.csv") text = "# trainyard x run=" + provenance + "\n";
    if (name == "export.svg") text = "<svg><desc>trainyard run=" + provenance + "</desc></svg>";
    if (name == "record.json" || name == "files.json") {
        const std::string whole = readWholeFile(directory / name, 1 << 20).value();
        text = "{\"x\": " + lists + ", " + whole.substr(whole.find('"'));
    }
    QVERIFY(writeFileAtomically(directory / name, text).empty());
    const Problems problems =
        name.starts_with("export") ? readProvenance(directory / name).problems() : verifyRunDirectory(directory);
    QVERIFY(hasErrors(problems));
    const std::string said = problems.front().text();
    QVERIFY2(name == "files.json" || said.find("nested more than 100 levels deep") != std::string::npos, said.c_str());
}

void tst_RunRecord::scenarioIsNoProvenance() {
    // Whatever its notes say.
    Scenario scenario = tinyScenario();
    scenario.notes = provenanceText(m_record);
    QVERIFY(writeFileAtomically(folder("scenario.json"), writeScenario(scenario)).empty());
    const auto provenance = readProvenance(folder("scenario.json"));
    QVERIFY(provenance.ok() && !provenance->has_value());
}

// One into which nobody writes stopped the window before.
void tst_RunRecord::pipesAreNotWaitedFor() {
    const std::filesystem::path pipe = folder("pipe");
    QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
    const auto provenance = readProvenance(pipe);
    QVERIFY(provenance.ok() && !provenance->has_value());
    const auto scenario = readScenario(pipe, Registry::builtin());
    QVERIFY(!scenario);
    QVERIFY(scenario.problems().front().text().find("a pipe or a device") != std::string::npos);
    QVERIFY(!readWholeFile(pipe, 1000));
    std::filesystem::remove(pipe);
}

void tst_RunRecord::nothingIsLeftOfAFailedFile() {
    const auto place = folder("half");
    std::filesystem::create_directories(place);
    {
        AtomicFile file(place / "x");
        file.write("half of it");
    }
    QVERIFY(std::filesystem::is_empty(place));
    // The target is a directory: renaming over it fails, and the temporary goes.
    std::filesystem::create_directories(place / "taken" / "inside");
    QVERIFY(!writeFileAtomically(place / "taken", "text").empty());
    QCOMPARE(std::distance(std::filesystem::directory_iterator(place), {}), std::ptrdiff_t{1});
}

TRAINYARD_TEST(tst_RunRecord)
#include "tst_RunRecord.moc"
