// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command line as scripts use it: exit statuses, where problems go and how they read, the JSON shapes
// that are promised, digests that do not depend on threads, signals.
#include "base/WholeFile.h"
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"
#include "support/Patience.h"
#include "support/TestMain.h"

#include <QProcess>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <set>

using namespace trainyard;
using namespace trainyard::test;
using Json = nlohmann::json;

class tst_Cli : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void runPrintsOneObject();
    void digestFollowsTheSeedAlone();
    void unlikeSharesAreWarnedOf();
    void badUsageIsTwo_data();
    void badUsageIsTwo();
    void everyProblemHasItsPlace();
    void setChangesTheScenario();
    void recordsReproduce();
    void unwritableOutputIsFoundFirst();
    void fileSizeLimitLosesNothing();
    void signalsLeaveWholeFiles();
    void missingExportsAreAFailure();
    void directoriesAreVerified();
    void pipesAreReadOnce();
    void onlyWhatIsAskedFor();
    void outcomeComesFirst();
    void fullOutputIsAFailure();
    void expectationsDecideTheStatus();
    void unknownCommands();
    void problemsAreListedToAHundred();
    void listsTellRangesAndChoices();
    void namesThatAreNoUtf8();
    void fitsMeasuredTimes();
    void importsTraces();
    void explainPrintsCandidates();
    void explainSaysWhyAKeyIsThere();
    void explainFindsWhereRunsPart();
    void chartsAreTheSameFromScenarioAndRecord();
    void listsAreJson_data();
    void listsAreJson();
    void localeChangesNoNumber();

private:
    using Answer = CliAnswer;
    QString file(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)); }
    QTemporaryDir m_dir;
    QString m_scenario, m_long;
};

void tst_Cli::initTestCase() {
    QVERIFY2(!qEnvironmentVariable("TRAINYARD_CLI").isEmpty(), "TRAINYARD_CLI must name the program");
    m_scenario = file("tiny.json");
    m_long = file("long.json");
    QVERIFY(writeFileAtomically(m_scenario.toStdString(), writeScenario(tinyScenario())).empty());
    QVERIFY(writeFileAtomically(m_long.toStdString(), writeScenario(tinyScenario(1'000'000'000))).empty());
}

void tst_Cli::runPrintsOneObject() {
    const Answer answer = cli({"run", m_scenario, "--json"});
    QCOMPARE(answer.status, 0);
    const Json json = answer.json();
    QCOMPARE(json.at("scenario"), Json("tiny.json"));
    QCOMPARE(json.at("seed"), Json(5));
    QCOMPARE(json.at("mode"), Json("simulate"));
    QCOMPARE(json.at("version"), Json(TRAINYARD_VERSION));
    QCOMPARE(json.at("digest").get<std::string>().size(), std::size_t{16});
    QCOMPARE(json.at("metrics").at("finished_jobs"), Json(2.0));
    QCOMPARE(json.at("jobs")[1].at("id"), Json("b"));
    QVERIFY(json.at("jobs")[0].at("jct_s").is_number());
    QVERIFY(answer.err.empty());
}

void tst_Cli::digestFollowsTheSeedAlone() {
    std::set<std::string> digests;
    for (const char* threads : {"1", "2", "8"})
        digests.insert(cli({"run", m_scenario, "--json", "--threads", threads}).json().at("digest").get<std::string>());
    QCOMPARE(digests.size(), std::size_t{1});
    const Json other = cli({"run", m_scenario, "--json", "--seed", "6"}).json();
    digests.insert(other.at("digest").get<std::string>());
    QCOMPARE(digests.size(), std::size_t{2});
    // --set changes what a record says, its seed and mode too.
    const QString record = file("reseeded");
    QCOMPARE(cli({"run", m_scenario, "--seed", "5", "--quiet", "--no-charts", "--out", record}).status, 0);
    const Json reseeded = cli({"run", record, "--set", "/seed=6", "--json"}).json();
    QCOMPARE(reseeded.at("seed"), Json(6));
    QCOMPARE(reseeded.at("digest"), other.at("digest"));
    QCOMPARE(cli({"run", record, "--set", "/mode=execute", "--json"}).json().at("mode"), Json("execute"));
}

void tst_Cli::unlikeSharesAreWarnedOf() {
    const QStringList lesson{"run", TRAINYARD_SOURCE_DIR "/scenarios/papers/stragglers/unlike-shards.json", "--set",
                             "/jobs/digits/stop/seconds=60"};
    const auto warnings = [](const Answer& answer) {
        return QString::fromStdString(answer.err).count(QLatin1String("warning: "));
    };
    const Answer biased = cli(lesson + QStringList{"--json"});
    QCOMPARE(warnings(biased), 1); // with the line of the file, and not again for --set
    QVERIFY(biased.err.find("unlike-shards.json:") != std::string::npos);
    const Json job = biased.json().at("jobs")[0];
    const Json& bias = job.at("shard_bias");
    const auto used = bias.at("gradients_used").get<std::vector<double>>();
    QCOMPARE(used.size(), std::size_t{10});
    double sum = 0;
    for (const double count : used) sum += count;
    QCOMPARE(sum, 4 * job.at("updates").get<double>()); // fastest-4
    QCOMPARE(bias.at("beyond_chance"), Json(true));
    QVERIFY(bias.at("excess_risk").get<double>() > 0.05 * bias.at("least_loss").get<double>());
    QVERIFY(job.at("final_loss").get<double>() > bias.at("least_loss").get<double>());
    QVERIFY(cli(lesson).out.find("biased towards the data of fast workers") != std::string::npos);

    for (const char* remedy :
         {"/jobs/digits/shards=shared", "/policies/synchronization={\"id\":\"dsag\",\"parameters\":{\"k\":4}}"}) {
        const Answer even = cli(lesson + QStringList{"--json", "--set", QString::fromLatin1(remedy)});
        QCOMPARE(warnings(even), 0);
        QVERIFY(!even.json().at("jobs")[0].contains("shard_bias"));
    }
}

void tst_Cli::badUsageIsTwo_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("unknown command") << QStringList{"fly"};
    QTest::newRow("no file") << QStringList{"run"};
    QTest::newRow("missing file") << QStringList{"run", "/no/such/file.json"};
    QTest::newRow("unknown option") << QStringList{"run", "SCENARIO", "--fast"};
    QTest::newRow("set without value") << QStringList{"run", "SCENARIO", "--set", "/seed"};
    QTest::newRow("set of an unknown key") << QStringList{"run", "SCENARIO", "--set", "/sed=3"};
    QTest::newRow("set of a wrong type") << QStringList{"run", "SCENARIO", "--set", "/seed=\"x\""};
    QTest::newRow("mode") << QStringList{"run", "SCENARIO", "--mode", "dream"};
    QTest::newRow("threads") << QStringList{"run", "SCENARIO", "--threads", "-1"};
    QTest::newRow("seed") << QStringList{"run", "SCENARIO", "--seed", "1.5"};
    QTest::newRow("vary") << QStringList{"compare", "SCENARIO", "--vary", "colour=red"};
    QTest::newRow("vary nothing") << QStringList{"compare", "SCENARIO", "--vary", "scheduler="};
    QTest::newRow("unknown policy") << QStringList{"compare", "SCENARIO", "--vary", "scheduler=fifo,nope"};
    QTest::newRow("seeds") << QStringList{"compare", "SCENARIO", "--vary", "scheduler=fifo", "--seeds", "5-1"};
    QTest::newRow("baseline") << QStringList{"compare", "SCENARIO", "--vary", "scheduler=fifo", "--baseline", "drf"};
    QTest::newRow("grid") << QStringList{"sweep", "SCENARIO", "--grid", "/seed"};
    QTest::newRow("a mode as an axis") << QStringList{"sweep", "SCENARIO", "--grid", "/mode=simulate,execute"};
    QTest::newRow("seeds as an axis") << QStringList{"sweep", "SCENARIO", "--grid", "/seed=1,2"};
    QTest::newRow("an axis twice") << QStringList{
        "sweep", "SCENARIO", "--grid", "/jobs/0/stop/iterations=8", "--grid", "/jobs/0/stop/iterations=4"};
    QTest::newRow("an axis by two names") << QStringList{
        "sweep", "SCENARIO", "--grid", "/jobs/0/stop/iterations=4,8", "--grid", "/jobs/a/stop/iterations=4,6"};
    QTest::newRow("an axis within another") << QStringList{
        "sweep", "SCENARIO", "--grid", "/policies/scheduler/id=fifo,drf", "--grid", "/policies/scheduler=srtf"};
    QTest::newRow("seed and seeds") << QStringList{"sweep",  "SCENARIO", "--grid",  "/jobs/0/stop/iterations=8",
                                                   "--seed", "1",        "--seeds", "1-2"};
    QTest::newRow("one seed") << QStringList{"compare", "SCENARIO", "--vary", "scheduler=fifo", "--seed", "3"};
    QTest::newRow("no directory") << QStringList{"run", "SCENARIO", "--out", ""};
    for (const char* option : {"--seeds", "--baseline", "--tune-rate", "--shard", "--arm"})
        QTest::newRow(qPrintable(QStringLiteral("no value of %1").arg(QLatin1String(option))))
            << QStringList{"compare", "SCENARIO", "--vary", "scheduler=fifo", QLatin1String(option), ""};
    QTest::newRow("no job") << QStringList{"chart", "SCENARIO", "iteration", "--job", ""};
    QTest::newRow("no part") << QStringList{"reproduce", "engine", "--part", ""};
    QTest::newRow("no record's instant") << QStringList{"explain", "SCENARIO", "--job", "a", "--at", ""};
    QTest::newRow("resume from nowhere") << QStringList{"compare", "SCENARIO", "--vary", "scheduler=fifo", "--resume"};
    QTest::newRow("shard of comparisons")
        << QStringList{"compare", "SCENARIO", "--vary", "scheduler=fifo", "--shard", "0/2"};
    QTest::newRow("shard") << QStringList{"sweep",   "SCENARIO", "--grid", "/jobs/0/stop/iterations=4,8",
                                          "--shard", "3/2"};
    QTest::newRow("wall time") << QStringList{"run", "SCENARIO", "--max-wall", "nan"};
    QTest::newRow("memory") << QStringList{"run", "SCENARIO", "--max-memory", "inf"};
    QTest::newRow("instant") << QStringList{"chart", "SCENARIO", "iteration", "--at", "-5"};
    QTest::newRow("no instant") << QStringList{"explain", "SCENARIO", "--job", "a", "--at", "nan"};
    QTest::newRow("tail") << QStringList{"fit", "SCENARIO", "--tail", "-1"};
    QTest::newRow("jobs of a trace") << QStringList{"import", "tiresias", "SCENARIO", "--machines", "1", "--gpus",
                                                    "1",      "-o",       "-",        "--jobs",     "-1"};
    QTest::newRow("threads of a study") << QStringList{"reproduce", "engine", "--threads", "-5"};
    QTest::newRow("merged into itself") << QStringList{"merge", m_dir.path(), "--out", m_dir.path() + "/."};
    QTest::newRow("list") << QStringList{"list", "colours"};
    QTest::newRow("no record") << QStringList{"explain", "SCENARIO", "--job", "a"};
    QTest::newRow("no such view") << QStringList{"chart", "SCENARIO", "nonesuch"};
    QTest::newRow("no such job") << QStringList{"chart", "SCENARIO", "iteration", "--job", "c"};
    QTest::newRow("no such option") << QStringList{"chart", "SCENARIO", "iteration", "--set", "k=3"};
    QTest::newRow("no such format") << QStringList{"chart", "SCENARIO", "iteration", "-o", "chart.doc"};
}

void tst_Cli::badUsageIsTwo() {
    QFETCH(QStringList, arguments);
    arguments.replaceInStrings(QStringLiteral("SCENARIO"), m_scenario);
    const Answer answer = cli(arguments);
    QCOMPARE(answer.status, 2);
    QVERIFY(answer.out.empty());
    // Who says it: the program, or the place that is wrong.
    QVERIFY2(answer.err.starts_with("trainyard-cli: ") || answer.err.starts_with(m_scenario.toStdString()) ||
                 answer.err.starts_with("/no/such/file.json: ") || answer.err.starts_with("chart.doc: "),
             answer.err.c_str());
}

void tst_Cli::everyProblemHasItsPlace() {
    QString text = QString::fromStdString(writeScenario(tinyScenario()));
    text.replace(QStringLiteral("\"from\": \"m1\""), QStringLiteral("\"from\": \"m9\""));
    text.replace(QStringLiteral("\"title\""), QStringLiteral("\"titel\""));
    const QString bad = file("bad.json");
    QVERIFY(writeFileAtomically(bad.toStdString(), text.toStdString()).empty());
    const Answer answer = cli({"validate", bad, m_scenario});
    QCOMPARE(answer.status, 2);
    const QString errors = QString::fromStdString(answer.err);
    static const QRegularExpression place(QStringLiteral("^[^\\n:]*bad\\.json:\\d+: /[^ ]*: \\S"),
                                          QRegularExpression::MultilineOption);
    int places = 0;
    for (auto it = place.globalMatch(errors); it.hasNext(); it.next()) ++places;
    QVERIFY2(places >= 2, qPrintable(errors)); // both, not the first only
    QCOMPARE(errors.count(QLatin1Char('\n')), places);
    QVERIFY(answer.out.find("tiny.json: valid") != std::string::npos);
    QCOMPARE(cli({"validate", m_scenario}).status, 0);
}

void tst_Cli::setChangesTheScenario() {
    const Json json = cli({"run", m_scenario, "--json", "--set", "/jobs/0/stop/iterations=7"}).json();
    QCOMPARE(json.at("jobs")[0].at("updates"), Json(7.0));
    QCOMPARE(json.at("jobs")[1].at("updates"), Json(20.0));
}

void tst_Cli::recordsReproduce() {
    const QString out = file("out");
    const Answer first =
        cli({"run", m_scenario, "--seed", "9", "--json", "--out", out, "--set", "/jobs/0/stop/iterations=7"});
    QCOMPARE(first.status, 0);
    for (const char* name : {"", "/record.json", "/metrics.json", "/metrics.csv", "/losses.csv", "/events.csv",
                             "/events.ndjson", "/trace.json"}) {
        const Answer again = cli({"run", out + QLatin1String(name), "--json"});
        QVERIFY2(again.status == 0, name);
        QCOMPARE(again.json().at("digest"), first.json().at("digest"));
        QCOMPARE(again.json().at("reproduced"), Json(true));
    }
    const Answer other = cli({"run", out, "--seed", "10", "--json"});
    QCOMPARE(other.status, 0);
    QVERIFY(!other.json().contains("reproduced"));
    // A recorded digest that this program does not reach is a failure, and said.
    QFile metrics(out + QStringLiteral("/metrics.csv"));
    QVERIFY(metrics.open(QIODevice::ReadWrite));
    QByteArray text = metrics.readAll();
    text.replace(QByteArray::fromStdString(first.json().at("digest").get<std::string>()), "0123456789abcdef");
    metrics.seek(0);
    metrics.write(text);
    metrics.close();
    const Answer wrong = cli({"run", metrics.fileName(), "--json"});
    QCOMPARE(wrong.status, 1);
    QCOMPARE(wrong.json().at("reproduced"), Json(false));
    QVERIFY(wrong.err.find("not reproduced") != std::string::npos);
}

void tst_Cli::unwritableOutputIsFoundFirst() {
    // The endless scenario would not come back if it were run before the directory was tried.
    const Answer answer = cli({"run", m_long, "--out", m_scenario + QStringLiteral("/out")});
    QCOMPARE(answer.status, 1);
    QVERIFY(answer.err.find("directory") != std::string::npos);
}

void tst_Cli::fileSizeLimitLosesNothing() {
    // The limit lets the probe pass and the log not: as if the disk became full during the run. The temporary
    // directory is under the same limit here, so the run is lost to the disk but its numbers are still
    // printed.
    const QString out = file("limited");
    QProcess shell;
    shell.start(QStringLiteral("/bin/bash"),
                {"-c", QStringLiteral("ulimit -f 8; exec \"$0\" run \"$1\" --json --out \"$2\""),
                 qEnvironmentVariable("TRAINYARD_CLI"), m_scenario, out});
    QVERIFY(shell.waitForFinished(test::patience));
    QCOMPARE(shell.exitCode(), 1);
    const Json json = Json::parse(shell.readAllStandardOutput().toStdString());
    QCOMPARE(json.at("metrics").at("finished_jobs"), Json(2.0));
    for (const auto& name : QDir(out).entryList(QDir::Files | QDir::Hidden))
        QVERIFY2(!name.contains(QStringLiteral(".part")), qPrintable(name)); // no half files
    QVERIFY(!QFile::exists(out + QStringLiteral("/record.json")));
}

void tst_Cli::signalsLeaveWholeFiles() {
    const QString out = file("stopped");
    QProcess process;
    process.start(qEnvironmentVariable("TRAINYARD_CLI"), {"run", m_long, "--json", "--out", out});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY(QDir(out).exists()); // the probe is past: the signals are taken care of
    QVERIFY(::kill(static_cast<pid_t>(process.processId()), SIGINT) == 0);
    QVERIFY(process.waitForFinished(test::patience));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 128 + SIGINT);
    QVERIFY(process.readAllStandardError().contains("stopped"));
    const Json json = Json::parse(process.readAllStandardOutput().toStdString());
    QCOMPARE(json.at("complete"), Json(false));
    const auto record = readRecord(out.toStdString());
    QVERIFY2(record.ok(), record.ok() ? "" : record.problems().front().text().c_str());
    QVERIFY(!record->complete);
    QCOMPARE(record->failure, std::string("stopped"));
}

// Where a file of the run should be lies somebody's directory: the whole run is elsewhere.
void tst_Cli::missingExportsAreAFailure() {
    const QString out = file("partly");
    QVERIFY(QDir().mkpath(out + QStringLiteral("/losses.csv/in-the-way")));
    QVERIFY(QDir().mkpath(file("elsewhere")));
    const Answer answer = cli({"run", m_scenario, "--json", "--out", out}, {"TMPDIR=" + file("elsewhere")});
    QCOMPARE(answer.status, 1);
    QVERIFY2(answer.err.find("losses.csv") != std::string::npos, answer.err.c_str());
    QCOMPARE(answer.json().at("complete"), Json(true));
    QCOMPARE(QDir(out).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{"losses.csv"});
    const QString elsewhere = QString::fromStdString(answer.json().at("out").get<std::string>());
    QVERIFY(elsewhere.startsWith(file("elsewhere")));
    QCOMPARE(cli({"verify", elsewhere}).status, 0);
}

// Runs in one directory one after the other leave the files of the last; damage is found by verify, and not passed over by run.
void tst_Cli::directoriesAreVerified() {
    const QString out = file("verified");
    QCOMPARE(cli({"run", m_scenario, "--out", out}).status, 0);
    QCOMPARE(cli({"run", m_scenario, "--seed", "9", "--out", out}).status, 0);
    const Answer whole = cli({"verify", out});
    QCOMPARE(whole.status, 0);
    QCOMPARE(whole.out, (out + ": whole\n").toStdString());
    QVERIFY(QFile::remove(out + QStringLiteral("/losses.csv")));
    const Answer missing = cli({"verify", out});
    QCOMPARE(missing.status, 1);
    QVERIFY2(missing.err.find("losses.csv") != std::string::npos, missing.err.c_str());
    QFile events(out + QStringLiteral("/events.bin"));
    QVERIFY(events.resize(events.size() - 32));
    QCOMPARE(cli({"verify", out}).status, 1);
    const Answer again = cli({"run", out});
    QCOMPARE(again.status, 2);
    QVERIFY2(again.err.find("events.bin") != std::string::npos, again.err.c_str());
    QCOMPARE(cli({"run", out + QStringLiteral("/record.json")}).status, 0);
}

// "-" and pipes are scenarios like files, and problems name them.
void tst_Cli::pipesAreReadOnce() {
    const auto shell = [&](const char* words) { return bash(QString::fromLatin1(words), {m_scenario}); };
    const Json wanted = cli({"run", m_scenario, "--json"}).json().at("digest");
    for (const char* words : {"cat \"$1\" | \"$0\" run - --json", "\"$0\" run /dev/stdin --json < \"$1\"",
                              "\"$0\" run <(cat \"$1\") --json"})
        QVERIFY2(shell(words).json().at("digest") == wanted, words);
    QCOMPARE(shell("\"$0\" validate - < \"$1\"").out, std::string("-: valid\n"));
    const Answer bad = shell("head -c 100 \"$1\" | \"$0\" run -");
    QCOMPARE(bad.status, 2);
    QVERIFY2(bad.err.starts_with("standard input:"), bad.err.c_str());
    const Answer none = shell("\"$0\" run - < /dev/null");
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.find("empty") != std::string::npos, none.err.c_str());
    const Answer endless = shell("\"$0\" validate - < /dev/zero");
    QCOMPARE(endless.status, 2);
    QVERIFY2(endless.err.find("has more than the 67108864 bytes") != std::string::npos, endless.err.c_str());
}

/// First the outcome in words, then what matters with names and units; all metrics on request.
void tst_Cli::outcomeComesFirst() {
    const Answer usual = cli({"run", m_scenario});
    const auto lines = QString::fromStdString(usual.out).split(u'\n');
    QVERIFY2(lines.value(2).contains(QStringLiteral(" within ")), usual.out.c_str());
    QVERIFY(usual.out.find("\nTime\n  Makespan ") != std::string::npos);
    QVERIFY(usual.out.find(" s  ") != std::string::npos && usual.out.find(" % ") != std::string::npos);
    QVERIFY(usual.out.find("utility_total") == std::string::npos); // it is zero
    QVERIFY(lines.size() < 35);
    // What rounds to zero is left out, too, and resources are named as in the window.
    const Answer priced = cli({"run", QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/pdors/default.json")});
    QVERIFY2(priced.out.find("\n  Allocated share of memory GB ") != std::string::npos, priced.out.c_str());
    QVERIFY2(priced.out.find("e-") == std::string::npos && priced.out.find("bytes_sent") == std::string::npos,
             priced.out.c_str());
    const Answer all = cli({"run", m_scenario, "--all"});
    const Json json = cli({"run", m_scenario, "--json"}).json();
    for (const auto& [name, value] : json.at("metrics").items())
        QVERIFY2(all.out.find("\n" + name + " ") != std::string::npos, name.c_str());
    for (const Json& job : json.at("jobs"))
        QVERIFY(all.out.find("job " + job.at("id").get<std::string>() + ":") != std::string::npos);
    // A comparison has them under the same headings, by name and with units; shares are percents.
    const QStringList compare{"compare", m_scenario, "--vary", "scheduler=fifo,srtf", "--seeds", "1-2"};
    const Answer compared = cli(compare), every = cli(compare + QStringList{"--all"});
    QVERIFY2(compared.out.find("\nTime\n  Makespan, s (makespan_s)\n    fifo ") != std::string::npos,
             compared.out.c_str());
    QVERIFY(compared.out.find("utility_total") == std::string::npos);
    const Json runs = cli(compare + QStringList{"--json"}).json();
    for (const Json& arm : runs.at("policies"))
        for (const auto& [name, value] : arm.at("metrics").items())
            QVERIFY2(every.out.find("(" + name + ")\n") != std::string::npos, name.c_str());
    const double share = runs.at("policies")[0].at("metrics").at("utilization_cpu").at("mean").get<double>();
    const auto at = compared.out.find("Allocated share of cpu, % (utilization_cpu)\n    fifo");
    QVERIFY2(at != std::string::npos, compared.out.c_str());
    const auto number = compared.out.find_first_of("0123456789", compared.out.find("fifo", at));
    QVERIFY(std::abs(std::stod(compared.out.substr(number)) - 100 * share) < 0.01);
}

void tst_Cli::onlyWhatIsAskedFor() {
    const Json run = cli({"run", m_scenario, "--json", "--metrics", "makespan_s,jct_s,utilization_cpu"}).json();
    QCOMPARE(run.at("metrics").size(), std::size_t{2});
    QVERIFY(run.at("metrics").contains("makespan_s") && run.at("metrics").contains("utilization_cpu"));
    for (const Json& job : run.at("jobs")) QCOMPARE(job.size(), std::size_t{3}); // id, phase, jct_s
    const Answer wrong = cli({"run", m_scenario, "--metrics", "makespan"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.find("no metric makespan;") != std::string::npos, wrong.err.c_str());
    const QString out = file("plain");
    const Answer quiet = cli({"run", m_scenario, "--quiet", "--no-charts", "--out", out});
    QCOMPARE(quiet.status, 0);
    QVERIFY(quiet.out.empty() && quiet.err.empty());
    QVERIFY(QFile::exists(out + QStringLiteral("/losses.csv")) && !QFile::exists(out + QStringLiteral("/pictures")));
    QCOMPARE(cli({"verify", out}).status, 0);
}

void tst_Cli::fullOutputIsAFailure() {
    for (const char* words : {"list metrics", "run \"$1\" --json", "compare \"$1\" --vary scheduler=fifo --seeds 1",
                              "sweep \"$1\" --grid /jobs/0/stop/iterations=4", "validate \"$1\""}) {
        const Answer answer =
            bash(QStringLiteral("\"$0\" %1 > /dev/full").arg(QString::fromLatin1(words)), {m_scenario});
        QCOMPARE(answer.status, 1);
        QVERIFY2(answer.err.find("standard output") != std::string::npos, words);
    }
}

// The scenario says what is to come out: a run of it as it is written fails if that does not; another run is not held to it.
void tst_Cli::expectationsDecideTheStatus() {
    Scenario scenario = tinyScenario();
    const QString path = file("expecting.json");
    for (const bool holds : {true, false}) {
        scenario.expect = {{"updates", holds ? 40.0 : 41.0, 100}};
        QVERIFY(writeFileAtomically(path.toStdString(), writeScenario(scenario)).empty());
        const Answer answer = cli({"run", path, "--quiet"});
        QCOMPARE(answer.status, holds ? 0 : 1);
        QCOMPARE(answer.err.find("updates is 40, expected were 41 to 100") != std::string::npos, !holds);
        QCOMPARE(cli({"run", path, "--quiet", "--seed", "77"}).status, 0);
        QCOMPARE(cli({"run", path, "--quiet", "--set", "/jobs/0/stop/iterations=7"}).status, 0);
    }
}

void tst_Cli::unknownCommands() {
    const Answer near = cli({"comapre", "x"}), far = cli({"xyzzy"});
    QCOMPARE(near.status, 2);
    QVERIFY(near.err.find("did you mean compare?") != std::string::npos);
    QCOMPARE(far.status, 2);
    QVERIFY(far.err.find("commands are run, compare") != std::string::npos);
}

// A million wrong elements are told by the first hundred, without a million jobs being made of them.
void tst_Cli::problemsAreListedToAHundred() {
    for (const char* element : {"1,", "{},"}) {
        std::string text = "{\"format\": \"trainyard-scenario\", \"version\": 1, \"jobs\": [";
        for (int i = 0; i < 300'000; ++i) text += element;
        text.back() = ']';
        QVERIFY(writeFileAtomically(file("wrong.json").toStdString(), text + "}").empty());
        const Answer answer = cli({"validate", file("wrong.json")});
        QCOMPARE(answer.status, 2);
        const std::string all = answer.out + answer.err;
        const auto lines = std::count(all.begin(), all.end(), '\n');
        QVERIFY2(lines >= 100 && lines < 110, qPrintable(QString::number(lines)));
        QVERIFY(all.find("\"jobs\" is read no further: too much in it is wrong") != std::string::npos);
        QVERIFY(all.find("/jobs/0") != std::string::npos && all.find("/jobs/299") == std::string::npos);
    }
}

void tst_Cli::listsTellRangesAndChoices() {
    const std::string all = cli({"list", "scheduler"}).out;
    QVERIFY(cli({"list", "synchronization"}).out.find("timeout = 0.0 s of 0 to 1e+09\t") != std::string::npos);
    QVERIFY(all.find("rule = \"safeguarded\" of \"faithful\", \"safeguarded\"") != std::string::npos);
    QVERIFY(all.find("min_share = 0.25 of 0 to 1") != std::string::npos);
}

void tst_Cli::namesThatAreNoUtf8() {
    QProcess shell;
    shell.start(QStringLiteral("/bin/bash"),
                {"-c",
                 QStringLiteral("name=$2/$(printf 'b\\377\\303\\244.json'); cp \"$1\" \"$name\" && "
                                "exec \"$0\" run \"$name\" --json --out \"$name.out\""),
                 qEnvironmentVariable("TRAINYARD_CLI"), m_scenario, m_dir.path()});
    QVERIFY(shell.waitForFinished(test::patience));
    QCOMPARE(shell.exitStatus(), QProcess::NormalExit);
    const QByteArray errors = shell.readAllStandardError();
    QVERIFY2(shell.exitCode() == 0, errors);
    const Json json = Json::parse(shell.readAllStandardOutput().toStdString());
    QCOMPARE(json.at("scenario"), Json("b\\xff\xc3\xa4.json"));

    const Answer times = bash(QStringLiteral("name=$1/$(printf 't\\377.csv'); seq 1 50 > \"$name\" && "
                                             "exec \"$0\" fit \"$name\" --json"),
                              {m_dir.path()});
    QCOMPARE(times.status, 0);
    QVERIFY(times.json().at("file").get<std::string>().ends_with("t\\xff.csv"));
}

void tst_Cli::fitsMeasuredTimes() {
    // 1/200, 3/200, … of an exponential of mean 2, by its quantiles: its law is next to exact.
    std::string csv = "worker,seconds\n";
    for (int i = 0; i < 100; ++i) csv += "w," + std::to_string(-2 * std::log1p(-(i + 0.5) / 100)) + "\n";
    const QString path = file("times.csv"), broken = file("broken.csv");
    QVERIFY(writeFileAtomically(path.toStdString(), csv).empty());
    QVERIFY(writeFileAtomically(broken.toStdString(), csv + "w,slow\n").empty());
    const Json json = cli({"fit", path, "--column", "seconds", "--json"}).json();
    QCOMPARE(json.at("n"), Json(100));
    for (const auto& family : json.at("families"))
        if (family.at("law").at("law") == "exponential") {
            QVERIFY(std::abs(family.at("law").at("mean").get<double>() - 2) < 0.02);
            QVERIFY(family.at("ks_distance").get<double>() < 0.01);
        }
    // The law can be set where a scenario has one.
    const auto law = QString::fromStdString(json.at("empirical").dump());
    QCOMPARE(cli({"run", m_scenario, "--set", "/cluster/machines/0/straggler/delay_s=" + law}).status, 0);
    const Json normalized = cli({"fit", path, "--column", "2", "--normalize", "--tail", "5", "--json"}).json();
    QVERIFY(std::abs(normalized.at("mean").get<double>() - 1) < 1e-12);
    QCOMPARE(normalized.at("tail").at("k"), Json(5));
    const Answer wrong = cli({"fit", broken, "--column", "seconds"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.find("broken.csv:102: \"slow\" is not a time") != std::string::npos, wrong.err.c_str());
}

void tst_Cli::importsTraces() {
    // 2 GPUs: a runs 0–12 on both, b 12–16, c 12–21: 12 + 13 + 18.
    const QString trace = file("trace.csv"), scenario = file("trace.json");
    QVERIFY(
        writeFileAtomically(trace.toStdString(), "job_id,num_gpu,submit_time,duration\na,2,0,12\nb,1,3,4\nc,1,3,9\n")
            .empty());
    const QStringList import{"import", "tiresias", trace, "--machines", "2", "--gpus", "1"};
    QCOMPARE(cli(import + QStringList{"-o", scenario}).status, 0);
    QCOMPARE(cli({"validate", scenario}).out, (scenario + ": valid\n").toStdString());
    const Json metrics = cli({"run", scenario, "--json"}).json()["metrics"];
    QCOMPARE(metrics["total_jct_s"].get<double>(), 43.0);
    QCOMPARE(metrics["preemptions"].get<double>(), 0.0);
    QCOMPARE(metrics["makespan_s"].get<double>(), 21.0);
    QCOMPARE(cli(import + QStringList{"-o", "-"}).out.substr(0, 1), std::string("{"));
    QVERIFY(
        writeFileAtomically(trace.toStdString(), "job_id,num_gpu,submit_time,duration\na,3,0,12\nb,1,x,4\n").empty());
    const Answer wrong = cli(import + QStringList{"-o", scenario});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.find("trace.csv:2: the job asks for 3 GPUs; the cluster has 2\n") != std::string::npos &&
                 wrong.err.find("trace.csv:3: \"x\" is not a time") != std::string::npos,
             wrong.err.c_str());
    QCOMPARE(cli({"import", "borg", trace, "--machines", "2", "--gpus", "1", "-o", scenario}).status, 2);
}

void tst_Cli::explainPrintsCandidates() {
    const QString out = file("explained");
    QCOMPARE(cli({"run", m_scenario, "--out", out}).status, 0);
    const Answer answer = cli({"explain", out, "--job", "a"});
    QCOMPARE(answer.status, 0);
    QVERIFY(answer.out.find("fifo") != std::string::npos);
    QVERIFY(answer.out.find("passed") != std::string::npos);
    QVERIFY(answer.out.find("does not give the recorded choice") == std::string::npos);
    const Json json = cli({"explain", out, "--job", "b", "--at", "0.4", "--json"}).json();
    QVERIFY(json.is_array() && json.empty()); // b arrives at 0.5 s
    QCOMPARE(cli({"explain", out, "--job", "c"}).status, 2);
    // With workers of 3 of 4 cpu, b waits for a under drf, and it is said why.
    const QString waited = file("waited");
    QCOMPARE(cli({"run", m_scenario, "--set", "/policies/scheduler/id=drf", "--set", "/jobs/1/worker_demand/cpu=3",
                  "--out", waited})
                 .status,
             0);
    const Json refused = cli({"explain", waited, "--job", "b", "--json"}).json();
    QVERIFY(!refused.empty() && refused.front().value("refused", false));
    QVERIFY(refused.front().at("text").get<std::string>().find("does not fit") != std::string::npos);
    QVERIFY(!refused.back().contains("refused")); // it started in the end
    // What failed is told as it is, and what a job got before why.
    const QString parts = file("parts");
    QCOMPARE(cli({"run", QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/pacml/further-is-not-faster.json"),
                  "--out", parts})
                 .status,
             0);
    const Answer eight = cli({"explain", parts, "--job", "parts-8"});
    QVERIFY2(eight.out.starts_with("240 s  partitioner constant: gets 8 parts on m1, "), eight.out.c_str());
    QVERIFY2(eight.out.find("failed  parts: 1 ≠ 8") != std::string::npos, eight.out.c_str());
}

// Of four machines and 1,000 keys drawn by a power law: the most frequent have replicas, others move, of whom rank 50 is followed.
void tst_Cli::explainSaysWhyAKeyIsThere() {
    const QString out = file("keyed");
    QCOMPARE(cli({"run", QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/nups/zipf.json"), "--set",
                  "/jobs/0/keyed/keys=1000", "--set", "/jobs/0/stop/iterations=4000", "--set",
                  "/policies/parameters/parameters/replicate=20", "--out", out})
                 .status,
             0);
    const Json first = cli({"explain", out, "--job", "zipf", "--rank", "1", "--json"}).json();
    QCOMPARE(first.at("technique").get<std::string>(), std::string("has replicas"));
    QVERIFY(first.at("times_mean").get<double>() > 100 && !first.contains("owner"));
    const Json moved = cli({"explain", out, "--job", "zipf", "--rank", "50", "--json"}).json();
    QCOMPARE(moved.at("technique").get<std::string>(), std::string("moves"));
    QVERIFY(moved.at("owner").get<int>() >= 1 && moved.at("owner").get<int>() <= 4 && !moved.at("text").empty());
    const Answer text = cli({"explain", out, "--job", "zipf", "--rank", "50", "--at", "0.001"});
    QVERIFY(text.out.find("rank 50 is key") != std::string::npos && text.out.find("relocates") != std::string::npos);
    const Answer none = cli({"explain", out, "--job", "zipf", "--rank", "1001"});
    QVERIFY(none.status == 2 && none.err.find("1000 keys") != std::string::npos);
    const QString other = file("without-keys");
    QCOMPARE(cli({"run", m_scenario, "--out", other}).status, 0);
    QCOMPARE(cli({"explain", other, "--job", "a", "--rank", "1"}).status, 2);
}

void tst_Cli::explainFindsWhereRunsPart() {
    const QString everyone = file("everyone"), again = file("again"), async = file("async");
    QCOMPARE(cli({"run", m_scenario, "--out", everyone}).status, 0);
    QCOMPARE(cli({"run", m_scenario, "--out", again}).status, 0);
    QCOMPARE(cli({"run", m_scenario, "--set", "/policies/synchronization/id=async", "--out", async}).status, 0);
    QCOMPARE(cli({"explain", everyone, "--against", again, "--json"}).json(), (Json{{"same", true}}));
    const Json parted = cli({"explain", everyone, "--against", async, "--json"}).json();
    QVERIFY(!parted.at("same") && parted.at("alike") > 0 && parted.at("time_s") > 0);
    for (const char* side : {"first", "second"}) QCOMPARE(parted.at(side).at("family"), Json("synchronization"));
    const Json mirrored = cli({"explain", async, "--against", everyone, "--json"}).json();
    QCOMPARE(mirrored.at("second"), parted.at("first"));
    QVERIFY(cli({"explain", everyone, "--against", async}).out.find("the runs part at ") != std::string::npos);
    QCOMPARE(cli({"explain", everyone, "--against", file("nowhere")}).status, 2);
    QCOMPARE(cli({"explain", everyone}).status, 2);
    QCOMPARE(cli({"explain", everyone, "--job", "a", "--against", async}).status, 2);
}

void tst_Cli::chartsAreTheSameFromScenarioAndRecord() {
    const QString out = file("charted"), csv = file("iteration.csv"), json = file("iteration.json");
    QCOMPARE(cli({"run", m_scenario, "--out", out}).status, 0);
    for (const char* view : {"iteration", "k-and-load", "staleness", "participation", "response-times", "best-k"})
        for (const QStringList& more : {QStringList{}, {"--job", "b", "--at", "1.5"}}) {
            const Answer fromRecord = cli(QStringList{"chart", out, view, "--json"} + more);
            QCOMPARE(fromRecord.status, 0);
            QCOMPARE(cli(QStringList{"chart", m_scenario, view, "--json"} + more).out, fromRecord.out);
            QCOMPARE(fromRecord.json().at("view"), Json(view));
            QCOMPARE(fromRecord.json().at("job"), Json(more.isEmpty() ? "a" : "b"));
            QVERIFY(!fromRecord.json().at("plots").empty());
        }
    // As files: the same object, and a row per span.
    QCOMPARE(cli({"chart", out, "iteration", "-o", json}).status, 0);
    QCOMPARE(cli({"chart", out, "iteration", "-o", csv}).status, 0);
    const std::string object = readWholeFile(json.toStdString(), 1 << 20).value();
    QCOMPARE(object, cli({"chart", out, "iteration", "--json"}).out);
    const std::string table = readWholeFile(csv.toStdString(), 1 << 20).value();
    QVERIFY(table.starts_with("plot,series,kind,x,x_to,y,y_to,value,what\n"));
    QCOMPARE(std::count(table.begin(), table.end(), '\n'),
             static_cast<std::ptrdiff_t>(Json::parse(object).at("plots")[0].at("series")[0].at("spans").size() + 1));
    // What is not there is said, and is no failure; options change what is drawn.
    const Answer none = cli({"chart", out, "rates", "--json"});
    QCOMPARE(none.status, 0);
    QVERIFY(none.json().at("empty").get<std::string>().find("does not choose by rates") != std::string::npos);
    QVERIFY(cli({"chart", out, "iteration"}).out.find("k-th response: 2") != std::string::npos);
    const Json byWorker = cli({"chart", out, "iteration", "--set", "by_worker=true", "--json"}).json();
    QVERIFY(byWorker.at("plots")[0].at("y").at("categories")[0].get<std::string>().ends_with("w1"));
}

void tst_Cli::listsAreJson_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"scheduler", "synchronization", "parameters", "partitioner", "models", "datasets",
                             "optimizers", "metrics", "views", "laws", "scenarios"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void tst_Cli::listsAreJson() {
    QFETCH(QString, what);
    const Answer answer = cli({"list", what, "--json"});
    QCOMPARE(answer.status, 0);
    const Json list = answer.json();
    QVERIFY(list.is_array() && !list.empty());
    for (const auto& item : list)
        QVERIFY(item.at("id").is_string() && item.at("label").is_string() && item.at("summary").is_string());
    QVERIFY(!cli({"list", what}).out.empty());
}

void tst_Cli::localeChangesNoNumber() {
    const QStringList run{"run", m_scenario, "--json"};
    const std::string plain = cli(run, {"LC_ALL=C"}).out;
    for (const char* locale : {"LC_ALL=de_DE.UTF-8", "LC_ALL=zh_CN.UTF-8"}) QCOMPARE(cli(run, {locale}).out, plain);
}

TRAINYARD_TEST(tst_Cli)
#include "tst_Cli.moc"
