// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is there already goes only where something whole takes its place, and never where it is what the command reads.
#include "base/WholeFile.h"
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "run/files/RunFiles.h"
#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDir>
#include <QTemporaryDir>

using namespace trainyard;
using namespace trainyard::test;

class tst_EarlierFiles : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void runsStayUntilAnotherIsWhole();
    void stoppedRunsTakeNoPlaceHalfWritten();
    void firstRunsAreKeptAsFarAsTheyCould();
    void nothingIsLeftWhereNothingCouldBeWritten();
    void whatIsReadStays_data();
    void whatIsReadStays();
    void namesOfARunAreKnown();

private:
    /// `run` with no room for its longest export, as if the disk were full there.
    CliAnswer cramped(const QString& seed, const QString& out) const {
        return bash(
            QStringLiteral("ulimit -f %1; TMPDIR=tmp exec \"$0\" run s.json --no-charts --quiet --json --seed $1 "
                           "--out $2")
                .arg(m_blocks),
            {seed, out});
    }
    QTemporaryDir m_dir;
    std::uintmax_t m_blocks = 0;
};

namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::string contents(const std::filesystem::path& file) { return readWholeFile(file, 1 << 24).value(); }

const char* const trace = "num_gpu,submit_time,iterations,model_name,duration,interval\n1,0,10,vgg16,60,1\n";

} // namespace

void tst_EarlierFiles::initTestCase() {
    QVERIFY(QDir::setCurrent(m_dir.path()));
    QVERIFY(QDir().mkdir(QStringLiteral("tmp")));
    QVERIFY(writeFileAtomically("s.json", writeScenario(tinyScenario())).empty());
    QCOMPARE(cli({"run", "s.json", "--no-charts", "--quiet", "--out", "whole"}).status, 0);
    std::uintmax_t ofRecord = 0, longest = 0;
    const auto list = readRunFiles("whole");
    for (const RunFile& file : list->files) {
        const bool isExport = file.name == "events.ndjson" || file.name == "trace.json" || file.name == "events.csv";
        (isExport ? longest : ofRecord) = std::max(isExport ? longest : ofRecord, file.bytes);
    }
    m_blocks = (longest - 1) / 1024;
    QVERIFY(m_blocks * 1024 > ofRecord && m_blocks * 1024 > 4096); // the probe before a run
}

void tst_EarlierFiles::runsStayUntilAnotherIsWhole() {
    QCOMPARE(cli({"run", "s.json", "--seed", "1", "--no-charts", "--quiet", "--out", "kept"}).status, 0);
    const std::string before = contents("kept/record.json");
    const CliAnswer answer = cramped("2", "kept");
    QCOMPARE(answer.status, 1);
    QVERIFY2(has(answer.err, "kept keeps the run that was there"), answer.err.c_str());
    QCOMPARE(contents("kept/record.json"), before);
    QCOMPARE(cli({"verify", "kept"}).status, 0);
    // The new run is elsewhere, and says there, too, what it lacks.
    const QDir tmp(QStringLiteral("tmp"));
    const QStringList runs = tmp.entryList({QStringLiteral("trainyard-run-*")}, QDir::Dirs);
    QCOMPARE(runs.size(), 1);
    const std::string elsewhere = tmp.filePath(runs.front()).toStdString();
    QCOMPARE(answer.json().at("out").get<std::string>(), elsewhere);
    QCOMPARE(readRecord(elsewhere)->seed, std::uint64_t{2});
    const CliAnswer verified = cli({"verify", QString::fromStdString(elsewhere)});
    QCOMPARE(verified.status, 1);
    const nlohmann::json missing = answer.json().at("missing");
    for (const auto& name : missing)
        QVERIFY2(has(verified.err, (name.get<std::string>() + " could not be written").c_str()), verified.err.c_str());
    QVERIFY(!missing.empty());
    QVERIFY(QDir(tmp.filePath(runs.front())).removeRecursively());
}

// Stopped or not, what cannot be written whole goes elsewhere: here the record can be, and events.ndjson not.
void tst_EarlierFiles::stoppedRunsTakeNoPlaceHalfWritten() {
    QCOMPARE(cli({"run", "s.json", "--no-charts", "--quiet", "--out", "before"}).status, 0);
    const std::string record = contents("before/record.json");
    const CliAnswer answer = bash(
        QStringLiteral("ulimit -f 20; TMPDIR=tmp timeout --foreground -s INT 1.5 \"$0\" run $1 --mode execute --set "
                       "/jobs/0/stop/iterations=100000000 --set /jobs/0/seconds_per_sample=0.01 --quiet --no-charts "
                       "--out before"),
        {TRAINYARD_SOURCE_DIR "/scenarios/tests/sync-ssp.json"});
    QVERIFY2(has(answer.err, "stopped at ") && has(answer.err, "events.ndjson: cannot be written"), answer.err.c_str());
    QCOMPARE(contents("before/record.json"), record);
    QCOMPARE(cli({"verify", "before"}).status, 0);
    QVERIFY(QDir(QStringLiteral("tmp")).removeRecursively());
    QVERIFY(QDir().mkdir(QStringLiteral("tmp")));
}

void tst_EarlierFiles::firstRunsAreKeptAsFarAsTheyCould() {
    const CliAnswer answer = cramped("1", "first");
    QCOMPARE(answer.status, 1);
    QCOMPARE(answer.json().at("out"), nlohmann::json("first"));
    QVERIFY(readRecord("first").ok());
    const CliAnswer verified = cli({"verify", "first"});
    QCOMPARE(verified.status, 1);
    QVERIFY2(has(verified.err, "could not be written when the run ended"), verified.err.c_str());
    // A whole one takes its place.
    QCOMPARE(cli({"run", "s.json", "--no-charts", "--quiet", "--out", "first"}).status, 0);
    QCOMPARE(cli({"verify", "first"}).status, 0);
}

void tst_EarlierFiles::nothingIsLeftWhereNothingCouldBeWritten() {
    const CliAnswer answer =
        bash(QStringLiteral("ulimit -f 4; TMPDIR=tmp exec \"$0\" run s.json --no-charts --quiet --json --out nowhere"));
    QCOMPARE(answer.status, 1);
    QVERIFY(answer.json().at("out").is_null());
    QVERIFY2(has(answer.err, "could not be written anywhere"), answer.err.c_str());
    QCOMPARE(QDir(QStringLiteral("tmp")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
}

void tst_EarlierFiles::whatIsReadStays_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* words) {
        QTest::newRow(words) << QString::fromLatin1(name) << QString::fromLatin1(words);
    };
    row("scenario.json", "run scenario.json --no-charts --out .");
    row("trace.json", "run ../read/trace.json --no-charts --out ../read");
    row("scenario.json", "run - --no-charts --out .");
    row("sweep.json", "sweep sweep.json --grid /jobs/0/batch=5 --out .");
    row("comparison.json", "compare comparison.json --vary scheduler=fifo --seeds 1 --out .");
    row("chart.json", "chart chart.json iteration -o chart.json");
    row("chart.svg", "chart chart.svg iteration -o ./chart.svg");
    row("trace.csv", "import tiresias trace.csv --machines 1 --gpus 1 -o trace.csv");
    row("curve.csv", "import tiresias ../trace.csv --machines 1 --gpus 1 --curve curve.csv -o curve.csv");
}

void tst_EarlierFiles::whatIsReadStays() {
    QFETCH(QString, name);
    QFETCH(QString, words);
    const bool isTrace = name.endsWith(QLatin1String(".csv"));
    const std::string text = isTrace ? trace : writeScenario(tinyScenario()) + " ";
    QVERIFY(QDir().mkpath(QStringLiteral("read")));
    QVERIFY(writeFileAtomically("trace.csv", trace).empty());
    QVERIFY(writeFileAtomically(std::filesystem::path("read") / name.toStdString(), text).empty());
    const CliAnswer answer = bash(QStringLiteral("cd read; \"$0\" %1 < \"$1\"").arg(words), {name});
    QCOMPARE(answer.status, 2);
    QVERIFY2(has(answer.err, "this file is read, and would be replaced"), answer.err.c_str());
    QCOMPARE(contents(std::filesystem::path("read") / name.toStdString()), text);
    QVERIFY(QDir(QStringLiteral("read")).removeRecursively());
}

// What the program itself has written is replaced, as ever: a run by its repetition.
void tst_EarlierFiles::namesOfARunAreKnown() {
    std::vector<std::string> names = runFileNames(), written{runFilesName};
    const auto list = readRunFiles("whole");
    for (const RunFile& file : list->files) written.push_back(file.name);
    std::sort(names.begin(), names.end());
    std::sort(written.begin(), written.end());
    QCOMPARE(names, written);
    QCOMPARE(cli({"run", "whole/scenario.json", "--no-charts", "--quiet", "--out", "again"}).status, 0);
    QCOMPARE(cli({"run", "again/record.json", "--seed", "9", "--no-charts", "--quiet", "--out", "again"}).status, 0);
    QCOMPARE(readRecord("again")->seed, std::uint64_t{9});
}

TRAINYARD_TEST(tst_EarlierFiles)
#include "tst_EarlierFiles.moc"
