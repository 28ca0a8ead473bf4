// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is printed and written of runs that did not come to their end, or in which no job got anywhere, says so, and which they are.
#include "base/WholeFile.h"
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/compare/ResultStore.h"
#include "run/files/AtomicFile.h"
#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QFile>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include <csignal>

#include <unistd.h>

using namespace trainyard;
using namespace trainyard::test;
using Json = nlohmann::json;

class tst_IncompleteWork : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void comparisonsNameRunsThatMetALimit();
    void manyFailuresAreCounted();
    void sweepsNameRowsThatMetALimit();
    void signalsCloseTogetherAreOne();
    void rowsThatNobodyTakesAreNotComputed();
    void stoppedTuningSaysSo();
    void tuningGoesOn();
    void onlyRunsThatWereMadeAreCounted();
    void filesOfAStoppedRunSaySo();
    void stoppedRunsAreNotCompared();
    void chartsOfStoppedRunsSaySo();
    void interruptedCharts();
    void divergedRunsAreNamed();
    void runsWithoutAnyJobDoneFail();

private:
    QString file(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)); }
    std::string text(const QString& path) const {
        const auto read = readWholeFile(path.toStdString(), 1 << 24);
        return read ? *read : std::string();
    }
    QString written(const char* name, const Scenario& scenario) const {
        return writeFileAtomically(file(name).toStdString(), writeScenario(scenario)).empty() ? file(name) : QString();
    }
    QTemporaryDir m_dir;
    QString m_scenario, m_limited;
};

namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Least squares at a rate at which the loss grows without bound.
Scenario diverging() {
    Scenario scenario = tinyScenario(60);
    scenario.jobs.resize(1);
    TrainedWork work;
    work.model = {"linear-regression", {}};
    work.dataset = {"gaussian-stream", {{"features", std::int64_t{5}}, {"gradients", std::string("law")}}};
    work.optimizer = {"sgd", {{"learning_rate", 1.9}}};
    work.batch = 10;
    work.secondsPerSample = 0.01;
    scenario.jobs[0].work = work;
    return scenario;
}

} // namespace

void tst_IncompleteWork::initTestCase() {
    m_scenario = written("tiny.json", tinyScenario());
    Scenario limited = tinyScenario();
    limited.limits.events = 100;
    m_limited = written("limited.json", limited);
    QVERIFY(!m_scenario.isEmpty() && !m_limited.isEmpty());
}

void tst_IncompleteWork::comparisonsNameRunsThatMetALimit() {
    const QString out = file("comparison");
    const QStringList compare{"compare", m_scenario, "--vary", "scheduler=fifo,srtf", "--seeds", "3-4", "--max-events",
                              "100",     "--out",    out};
    const CliAnswer answer = cli(compare + QStringList{"--json"});
    QCOMPARE(answer.status, 1);
    const Json json = answer.json();
    QCOMPARE(json.at("complete"), Json(false));
    QCOMPARE(json.at("policies")[1].at("runs"), Json(2));
    QCOMPARE(json.at("policies")[1].at("failed"), Json(2));
    QCOMPARE(json.at("problems").size(), std::size_t{4});
    const Json& second = json.at("problems")[1]; // by seed, then policy
    QCOMPARE(second.at("policy"), Json("srtf"));
    QCOMPARE(second.at("seed"), Json(3));
    QCOMPARE(second.at("failed"), Json(true));
    QCOMPARE(second.at("code"), Json("limit"));
    QVERIFY(has(second.at("text").get<std::string>(), "limit of 100 events"));
    const std::string csv = text(out + "/comparison.csv");
    QVERIFY2(has(csv, "# runs that failed or met a limit are missing\n") && has(csv, "# srtf, seed 4: stopped: "),
             csv.c_str());
    QVERIFY(has(cli(compare).out, "NOT COMPLETE: runs that failed or met a limit are missing\n"));
    const std::string rows = cli(compare + QStringList{"--rows"}).out;
    QCOMPARE(std::count(rows.begin(), rows.end(), '\n'), std::ptrdiff_t{4});
    QCOMPARE(Json::parse(rows.substr(0, rows.find('\n'))).at("problems")[0].at("code"), Json("limit"));
    QCOMPARE(cli({"compare", m_scenario, "--vary", "scheduler=fifo", "--seeds", "3", "--json"}).json().at("problems"),
             Json::array());
}

// What was said of runs is all in the files, and on standard error as far as anybody reads.
void tst_IncompleteWork::manyFailuresAreCounted() {
    const CliAnswer answer = cli({"compare", m_limited, "--vary", "scheduler=fifo", "--seeds", "1-150", "--json"});
    QCOMPARE(answer.status, 1);
    QCOMPARE(answer.json().at("problems").size(), std::size_t{150});
    QCOMPARE(std::count(answer.err.begin(), answer.err.end(), '\n'), std::ptrdiff_t{101});
    QVERIFY2(answer.err.ends_with("trainyard-cli: and 50 more problems\n"), answer.err.c_str());
}

void tst_IncompleteWork::sweepsNameRowsThatMetALimit() {
    const QString out = file("sweep");
    const QStringList sweep{"sweep", m_scenario, "--grid", "/limits/events=100,100000", "--out", out};
    const CliAnswer answer = cli(sweep + QStringList{"--json"});
    QCOMPARE(answer.status, 1);
    const Json json = answer.json();
    QCOMPARE(json.at("complete"), Json(false));
    QCOMPARE(json.at("rows").size(), std::size_t{2});
    QCOMPARE(json.at("rows")[0].at("problems")[0].at("code"), Json("limit"));
    QVERIFY(!json.at("rows")[1].contains("problems"));
    const std::string csv = text(out + "/sweep.csv");
    QVERIFY2(has(csv, "# rows of runs that failed or met a limit have no metrics\n") &&
                 has(csv, "# row 0: stopped: the run reached its limit of 100 events\n"),
             csv.c_str());
    const std::string rows = cli(sweep + QStringList{"--rows"}).out;
    QCOMPARE(std::count(rows.begin(), rows.end(), '\n'), std::ptrdiff_t{2});
}

void tst_IncompleteWork::onlyRunsThatWereMadeAreCounted() {
    const QString endless = written("long.json", tinyScenario(1'000'000'000)), out = file("interrupted");
    QProcess process;
    process.start(qEnvironmentVariable("TRAINYARD_CLI"),
                  {"compare", endless, "--vary", "scheduler=fifo,srtf", "--seeds", "1-1000", "--json", "--out", out});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY(QDir(out).exists());
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const CliAnswer answer = answerOf(process);
    QCOMPARE(answer.status, 130);
    const Json json = answer.json();
    QCOMPARE(json.at("complete"), Json(false));
    QCOMPARE(json.at("policies")[0].at("runs"), Json(0));

    // Rows that were stopped are none.
    process.start(qEnvironmentVariable("TRAINYARD_CLI"),
                  {"sweep", endless, "--grid", "/jobs/1/batch=10,20", "--json", "--out", file("interrupted sweep")});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY(QDir(file("interrupted sweep")).exists());
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QCOMPARE(answerOf(process).json().at("rows"), Json::array());
}

// timeout(1) signals the process, then its group.
void tst_IncompleteWork::signalsCloseTogetherAreOne() {
    const QString endless = written("endless.json", tinyScenario(1'000'000'000));
    for (int i = 0; i < 8; ++i) {
        const QString out = file("twice") + QString::number(i);
        QProcess process;
        process.start(qEnvironmentVariable("TRAINYARD_CLI"), {"compare", endless, "--vary", "scheduler=fifo,srtf",
                                                              "--seeds", "1-4000", "--json", "--out", out});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY(QDir(out).exists());
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        ::usleep(static_cast<useconds_t>(i) * 500);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        const CliAnswer answer = answerOf(process);
        QCOMPARE(answer.status, 143);
        QVERIFY(!answer.out.empty());
        QCOMPARE(answer.json().at("complete"), Json(false));
        QVERIFY(QFile::exists(out + "/comparison.json"));
    }
}

void tst_IncompleteWork::rowsThatNobodyTakesAreNotComputed() {
    for (const char* words : {"sweep $1 --grid /jobs/1/batch=10,20 --seeds 1-200 --rows --out $2 > /dev/full",
                              "compare $1 --vary scheduler=fifo,srtf --seeds 1-200 --rows --out $2 > /dev/full",
                              "compare $1 --vary scheduler=fifo,srtf --seeds 1-200 --rows --out $2 | head -n 1"}) {
        static int run = 0;
        const QString out = file("untaken") + QString::number(++run);
        const CliAnswer answer =
            bash(QStringLiteral("set -o pipefail; \"$0\" ") + QString::fromLatin1(words), {m_scenario, out});
        QCOMPARE(answer.status, 1);
        QVERIFY2(has(answer.err, "standard output could not be written"), answer.err.c_str());
        const auto store = ResultStore::open((out + "/results.db").toStdString());
        QVERIFY2((*store)->size() < 200, words); // of 400
    }
}

void tst_IncompleteWork::stoppedTuningSaysSo() {
    Scenario scenario = diverging();
    scenario.jobs[0].stop.iterations = 1'000'000'000;
    const QString endless = written("tuned-long.json", scenario), out = file("tuning");
    QProcess process;
    process.start(qEnvironmentVariable("TRAINYARD_CLI"), {"compare", endless, "--vary", "synchronization=async,ssp",
                                                          "--tune-rate", "0.01,0.1", "--json", "--out", out});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY(QFile::exists(out + "/results.db"));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const CliAnswer answer = answerOf(process);
    QCOMPARE(answer.status, 130);
    const Json json = answer.json();
    QCOMPARE(json.at("complete"), Json(false));
    QCOMPARE(json.at("tuning").at("complete"), Json(false));
    QCOMPARE(json.at("policies")[1].at("runs"), Json(0));
    QVERIFY2(has(answer.err, "stopped while learning rates were tuned"), answer.err.c_str());
    QVERIFY(!QFile::exists(out + "/comparison.csv")); // its provenance would compare untuned rates
}

// Runs made to tune are kept like others: with --resume none is made again.
void tst_IncompleteWork::tuningGoesOn() {
    Scenario scenario = diverging();
    const QString tuned = written("tuned.json", scenario), out = file("tuned");
    const QStringList compare{"compare",     tuned,      "--vary",  "synchronization=async,full-sync",
                              "--tune-rate", "0.01,0.1", "--seeds", "1-3",
                              "--json",      "--out",    out};
    const CliAnswer first = cli(compare);
    QCOMPARE(first.status, 0);
    const auto store = ResultStore::open((out + "/results.db").toStdString());
    QCOMPARE((*store)->size(), std::size_t(2 * 2 * 3 + 2 * 3)); // tuned on three seeds, compared on three others
    const CliAnswer again = cli(compare + QStringList{"--resume", "--max-events", "1"}); // a run would meet the limit
    QCOMPARE(again.status, 0);
    QCOMPARE(again.out, first.out);
}

void tst_IncompleteWork::filesOfAStoppedRunSaySo() {
    const QString out = file("stopped"), whole = file("whole");
    QCOMPARE(cli({"run", m_limited, "--quiet", "--no-charts", "--out", out}).status, 1);
    QCOMPARE(cli({"run", m_scenario, "--quiet", "--no-charts", "--out", whole}).status, 0);
    for (const char* name : {"/metrics.csv", "/losses.csv", "/events.csv"}) {
        const std::string table = text(out + QLatin1String(name));
        QVERIFY2(has(table.substr(0, table.find('\n')), " complete=false"), name);
        QVERIFY2(has(table, "\n# not complete: stopped: the run reached its limit of 100 events\n"), name);
        QVERIFY2(!has(text(whole + QLatin1String(name)), "complete"), name);
    }
    for (const char* name : {"/metrics.json", "/events.ndjson", "/trace.json"}) {
        std::string json = text(out + QLatin1String(name));
        if (name == std::string_view("/events.ndjson")) json = json.substr(0, json.find('\n'));
        QCOMPARE(Json::parse(json).at("provenance").at("complete"), Json(false));
        QVERIFY(has(Json::parse(json).at("provenance").at("failure").get<std::string>(), "limit of 100 events"));
        QVERIFY2(!has(text(whole + QLatin1String(name)).substr(0, 2000), "\"complete\":false"), name);
    }
}

// A run that was stopped has another digest than the whole one: that is no failure to reproduce it.
void tst_IncompleteWork::stoppedRunsAreNotCompared() {
    RunRequest request = requestFor(tinyScenario());
    request.paused = true;
    RunSession session(std::move(request));
    session.step(StepKind::event);
    QTRY_VERIFY(session.log() && session.log()->size() > 0);
    session.stop();
    session.wait();
    const RunRecord record = recordOf(session, "tiny.json");
    QVERIFY(!record.complete);
    const QString out = file("by hand");
    QVERIFY(writeRecord(record, out.toStdString()).empty());
    const auto back = readRecord(out.toStdString());
    QVERIFY(back && !back->complete && back->failure == record.failure);
    const CliAnswer again = cli({"run", out, "--json"});
    QVERIFY2(again.status == 0, again.err.c_str());
    QVERIFY2(has(again.err, "the recorded run did not come to its end"), again.err.c_str());
    QVERIFY(!again.json().contains("reproduced"));
}

void tst_IncompleteWork::chartsOfStoppedRunsSaySo() {
    const QString record = file("stopped record"), csv = file("chart.csv");
    QCOMPARE(cli({"run", m_limited, "--quiet", "--no-charts", "--out", record}).status, 1);
    const CliAnswer made = cli({"chart", m_limited, "iteration", "--json"});
    QCOMPARE(made.status, 1); // as run
    QCOMPARE(made.json().at("complete"), Json(false));
    const CliAnswer shown = cli({"chart", record, "iteration", "--json"});
    QCOMPARE(shown.status, 0);
    QCOMPARE(shown.json().at("complete"), Json(false));
    QVERIFY(has(shown.err, "not complete"));
    QVERIFY(has(cli({"chart", record, "iteration"}).out, "\nnot complete: stopped"));
    QCOMPARE(cli({"chart", record, "iteration", "-o", csv}).status, 0);
    QVERIFY(text(csv).starts_with("# not complete: stopped"));
    const CliAnswer whole = cli({"chart", m_scenario, "iteration", "--json"});
    QCOMPARE(whole.status, 0);
    QCOMPARE(whole.json().at("complete"), Json(true));
}

// Beside a copy of the program lies one that never finishes drawing.
void tst_IncompleteWork::interruptedCharts() {
    const QString program = file("trainyard-cli"), drawing = file("drawing");
    QVERIFY(QFile::copy(qEnvironmentVariable("TRAINYARD_CLI"), program));
    QFile painter(file("trainyard"));
    QVERIFY(painter.open(QIODevice::WriteOnly));
    painter.write("#!/bin/sh\ntouch '" + drawing.toLocal8Bit() + "'\nexec sleep 600\n");
    painter.close();
    QVERIFY(painter.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    QProcess process;
    process.start(program, {"run", m_scenario, "--json", "--out", file("drawn")});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY(QFile::exists(drawing));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const CliAnswer answer = answerOf(process);
    QCOMPARE(answer.status, 130);
    QCOMPARE(answer.json().at("complete"), Json(true)); // the run, whose record is whole
    QVERIFY(QFile::exists(file("drawn/record.json")));
}

void tst_IncompleteWork::divergedRunsAreNamed() {
    const QString scenario = written("diverging.json", diverging()), out = file("diverged");
    const QStringList compare{"compare", scenario, "--vary", "scheduler=fifo", "--seeds", "7", "--out", out};
    const CliAnswer compared = cli(compare + QStringList{"--json"});
    QCOMPARE(compared.status, 0); // a warning, as for run
    QVERIFY2(has(compared.err, "warning: fifo, seed 7: job a diverged"), compared.err.c_str());
    QCOMPARE(compared.json().at("problems")[0].at("code"), Json("diverged"));
    QCOMPARE(compared.json().at("problems")[0].at("severity"), Json("warning"));
    QCOMPARE(compared.json().at("problems")[0].at("failed"), Json(false));
    QVERIFY(has(text(out + "/comparison.csv"), "# warning: fifo, seed 7: job a diverged"));
    QVERIFY(has(cli(compare + QStringList{"--resume"}).err, "warning: fifo, seed 7: job a diverged"));

    const CliAnswer swept =
        cli({"sweep", scenario, "--grid", "/jobs/0/optimizer/parameters/learning_rate=0.1,1.9", "--json"});
    QCOMPARE(swept.status, 0);
    QVERIFY2(has(swept.err, "warning: row 1: job a diverged"), swept.err.c_str());
    QVERIFY(!swept.json().at("rows")[0].contains("problems"));
    QCOMPARE(swept.json().at("rows")[1].at("problems")[0].at("code"), Json("diverged"));
}

void tst_IncompleteWork::runsWithoutAnyJobDoneFail() {
    Scenario scenario = tinyScenario();
    for (const char* machine : {"m1", "m2"}) scenario.faults.push_back({.key = machine, .atSeconds = 0.05}); // for ever
    const QString path = written("failing.json", scenario);
    QCOMPARE(cli({"run", path, "--quiet"}).status, 1);
    const CliAnswer compared = cli({"compare", path, "--vary", "scheduler=fifo", "--seeds", "5", "--json"});
    QCOMPARE(compared.status, 1);
    QVERIFY2(has(compared.err, "fifo, seed 5: all 2 jobs failed or were rejected"), compared.err.c_str());
    QCOMPARE(compared.json().at("problems")[0].at("severity"), Json("error"));
    QCOMPARE(cli({"sweep", path, "--grid", "/jobs/0/batch=10"}).status, 1);
}

TRAINYARD_TEST(tst_IncompleteWork)
#include "tst_IncompleteWork.moc"
