// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// compare and sweep as scripts use them: paired differences, shards, seeds, interruptions, repetitions, both modes.
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

class tst_CliStudies : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void interruptedStudiesSaySo();
    void seedsCountOnce();
    void compareIsPaired();
    void runRepeatsAComparison();
    void compareUntilNarrow();
    void compareExecutes();
    void compareTunesRates();
    void sweepShardsAreTheRows();
    void solvedInstancesAreWritten();

private:
    using Answer = CliAnswer;
    QString file(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)); }
    QTemporaryDir m_dir;
    QString m_scenario, m_long;
};

void tst_CliStudies::initTestCase() {
    QVERIFY2(!qEnvironmentVariable("TRAINYARD_CLI").isEmpty(), "TRAINYARD_CLI must name the program");
    m_scenario = file("tiny.json");
    m_long = file("long.json");
    QVERIFY(writeFileAtomically(m_scenario.toStdString(), writeScenario(tinyScenario())).empty());
    QVERIFY(writeFileAtomically(m_long.toStdString(), writeScenario(tinyScenario(1'000'000'000))).empty());
}

void tst_CliStudies::interruptedStudiesSaySo() {
    for (const QStringList& study : {QStringList{"sweep", m_long, "--grid", "/jobs/1/batch=10,20"},
                                     QStringList{"compare", m_long, "--vary", "scheduler=fifo,srtf", "--seeds", "1-3"}})
        for (const int signal : {SIGINT, SIGTERM}) {
            QProcess process;
            const QString out = file(signal == SIGINT ? "interrupted" : "terminated") + study.front();
            process.start(qEnvironmentVariable("TRAINYARD_CLI"), study + QStringList{"--json", "--out", out});
            QVERIFY(process.waitForStarted());
            QTRY_VERIFY(QDir(out).exists());
            QVERIFY(::kill(static_cast<pid_t>(process.processId()), signal) == 0);
            QVERIFY(process.waitForFinished(test::patience));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), 128 + signal);
            QCOMPARE(Json::parse(process.readAllStandardOutput().toStdString()).at("complete"), Json(false));
            const auto csv = readWholeFile(
                (out + (study.front() == QLatin1String("sweep") ? "/sweep.csv" : "/comparison.csv")).toStdString(),
                1 << 20);
            QVERIFY(csv && csv->find("# stopped before the end") != std::string::npos);
        }
}

void tst_CliStudies::seedsCountOnce() {
    const Json json = cli({"compare", m_scenario, "--vary", "scheduler=fifo", "--seeds", "2,1-3,2", "--json"}).json();
    QCOMPARE(json.at("seeds"), Json({2, 1, 3}));
    QCOMPARE(json.at("complete"), Json(true));
    QCOMPARE(json.at("policies")[0].at("metrics").at("mean_jct_s").at("n"), Json(3));
    for (const char* seed : {"-1", "", "18446744073709551616", "1e3"}) // 2^64
        for (const QStringList& command :
             {QStringList{"run", m_scenario}, QStringList{"chart", m_scenario, "iteration"}}) {
            const Answer answer = cli(command + QStringList{"--seed=" + QString::fromLatin1(seed)});
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.find("--seed") != std::string::npos, answer.err.c_str());
        }
    QCOMPARE(cli({"run", m_scenario, "--seed", "18446744073709551615", "--json"}).json().at("seed"),
             Json(std::uint64_t(-1)));
}

void tst_CliStudies::compareIsPaired() {
    const QString out = file("comparison");
    const Answer answer =
        cli({"compare", m_scenario, "--vary", "scheduler=fifo,srtf", "--seeds", "1-4", "--json", "--out", out});
    QCOMPARE(answer.status, 0);
    const Json json = answer.json();
    QCOMPARE(json.at("family"), Json("scheduler"));
    QCOMPARE(json.at("baseline"), Json("fifo"));
    QCOMPARE(json.at("seeds"), Json({1, 2, 3, 4}));
    QCOMPARE(json.at("policies").size(), std::size_t{2});
    const Json& jct = json.at("policies")[1].at("metrics").at("mean_jct_s");
    QCOMPARE(jct.at("n"), Json(4));
    QVERIFY(jct.at("interval")[0] < jct.at("mean") &&
            jct.at("mean") < jct.at("interval")[1]); // straggling differs by seed
    // Two policies that decide alike here, under common random numbers: no difference at all.
    QCOMPARE(jct.at("difference").at("mean"), Json(0.0));
    QCOMPARE(jct.at("difference").at("interval"), Json({0.0, 0.0}));
    QVERIFY(Json::parse(readWholeFile(out.toStdString() + "/comparison.json", 1 << 20).value()) == json);
    QVERIFY(QFile::exists(out + QStringLiteral("/comparison.csv")));
}

void tst_CliStudies::runRepeatsAComparison() {
    const QString out = file("again"), table = out + QStringLiteral("/comparison.csv");
    const Answer first = cli({"compare", m_scenario, "--arm", "scheduler=srtf,synchronization=async", "--arm",
                              "scenario", "--seeds", "3-5", "--baseline", "scenario", "--json", "--out", out});
    QCOMPARE(first.status, 0);
    QCOMPARE(first.json().at("family"), Json());
    QCOMPARE(first.json().at("policies")[0].at("choices").at("scheduler").at("id"), Json("srtf"));
    QCOMPARE(first.json().at("policies")[0].at("failed"), Json(0));
    const Answer again = cli({"run", table, "--json"});
    QVERIFY2(again.status == 0, again.err.c_str());
    QVERIFY(again.json() == first.json());
    QCOMPARE(cli({"compare", table, "--json"}).out, again.out);
    // More seeds of the same.
    QCOMPARE(cli({"compare", table, "--seeds", "1-2", "--json"}).json().at("seeds"), Json({1, 2}));
    QCOMPARE(cli({"compare", m_scenario}).status, 2);
    QCOMPARE(cli({"compare", m_scenario, "--arm", "scheduler=fifo,scheduler=srtf"}).status, 2);
    // The mark of a table from which runs are missing does not hide what it is a table of.
    const QString part = file("part");
    cli({"compare", table, "--out", part, "--shard", "1/2"});
    QVERIFY(readWholeFile(part.toStdString() + "/comparison.csv", 1 << 20).value().find("other shards are missing") !=
            std::string::npos);
    QCOMPARE(cli({"compare", part + QStringLiteral("/comparison.csv"), "--json"}).out, again.out);
}

void tst_CliStudies::compareUntilNarrow() {
    const QStringList compare{"compare", m_scenario, "--vary", "scheduler=fifo,srtf", "--json"};
    const Json wide = cli(compare + QStringList{"--until-half-width", "500%", "--until-metric", "mean_jct_s"}).json();
    QCOMPARE(wide.at("seeds").size(), std::size_t{10});
    QCOMPARE(wide.at("until").at("reached"), Json(true));
    QCOMPARE(wide.at("until").at("looks"), Json(8));
    QCOMPARE(wide.at("confidence"), Json(1 - 0.05 / 8));
    for (const QStringList& wrong : {QStringList{"--until-half-width", "2%"},
                                     {"--until-metric", "mean_jct_s"},
                                     {"--until-half-width", "2", "--until-metric", "mean_jct_s"},
                                     {"--until-half-width", "2%", "--until-metric", "jct"}})
        QVERIFY2(cli(compare + wrong).status == 2, qPrintable(wrong.join(QLatin1Char(' '))));
}

void tst_CliStudies::compareExecutes() {
    // 20 updates of tasks of some tens of milliseconds: nominally 20 ms of computation, 20 ms on the network.
    Scenario scenario = tinyScenario(20);
    scenario.jobs.resize(1);
    std::get<AnalyticWork>(scenario.jobs[0].work).secondsPerSample = 0.002;
    const QString path = file("executed.json"), out = file("executed");
    QVERIFY(writeFileAtomically(path.toStdString(), writeScenario(scenario)).empty());
    const QStringList vary{"compare", path, "--vary", "synchronization=full-sync,async"};
    const Answer answer = cli(vary + QStringList{"--seeds", "1-2", "--mode", "execute", "--json", "--out", out});
    QVERIFY2(answer.status == 0, answer.err.c_str());
    const Json json = answer.json();
    QCOMPARE(json.at("mode"), Json("execute"));
    const Json& execution = json.at("execution");
    QCOMPARE(execution.at("metric"), Json("mean_iteration_s"));
    QCOMPARE(execution.at("left_out").size(), std::size_t{0});
    QCOMPARE(execution.at("rank_correlation").at("n"), Json(2));
    for (const auto& policy : execution.at("policies")) {
        // Real time adds to the injected delays and never takes from them.
        QVERIFY(policy.at("executed").at("mean") > Json(0.01));
        QVERIFY(policy.at("gap").at("iteration_time").at("mean").is_number());
    }
    for (const auto& policy : json.at("policies"))
        QVERIFY(policy.at("simulated").at("mean_iteration_s").at("mean") > Json(0.0));
    const auto csv = readWholeFile(out.toStdString() + "/comparison.csv", 1 << 20).value();
    QVERIFY(csv.find(",execute\n") != std::string::npos && csv.find(",simulate\n") != std::string::npos);

    QCOMPARE(cli(vary + QStringList{"--mode", "execute", "--order-by", "speed"}).status, 2);
    QCOMPARE(cli(vary + QStringList{"--order-by", "mean_iteration_s"}).status, 2); // nothing is executed
}

void tst_CliStudies::compareTunesRates() {
    // Least squares in 5 dimensions with the exact law: with one gradient of 10 samples per update the
    // expected error falls fastest near η = 1/(1 + 6/B); 0.02 is much too slow, and 1.9 diverges for every
    // strategy.
    Scenario scenario = tinyScenario(60);
    scenario.jobs.resize(1);
    TrainedWork work;
    work.model = {"linear-regression", {}};
    work.dataset = {"gaussian-stream", {{"features", std::int64_t{5}}, {"gradients", std::string("law")}}};
    work.optimizer = {"sgd", {{"learning_rate", 0.02}}};
    work.batch = 10;
    work.secondsPerSample = 0.01;
    scenario.jobs[0].work = work;
    const QString path = file("tuned.json");
    QVERIFY(writeFileAtomically(path.toStdString(), writeScenario(scenario)).empty());
    const QStringList compare{"compare", path, "--vary", "synchronization=full-sync,async", "--seeds", "1-2", "--json"};
    const Answer same = cli(compare), tuned = cli(compare + QStringList{"--tune-rate", "1.9,0.02,0.3"});
    QVERIFY2(tuned.status == 0, tuned.err.c_str());
    QCOMPARE(same.json().at("learning_rate"), Json("same"));
    const Json json = tuned.json();
    QCOMPARE(json.at("learning_rate"), Json("tuned"));
    QCOMPARE(json.at("tuning").at("metric"), Json("final_loss")); // the job has no target
    for (const auto& policy : json.at("tuning").at("policies")) {
        QCOMPARE(policy.at("learning_rate"), Json(0.3));
        QCOMPARE(policy.at("at_edge"), Json(false));
    }
    for (std::size_t p = 0; p < 2; ++p) {
        const auto loss = [&](const Json& j) {
            return j.at("policies")[p].at("metrics").at("final_loss").at("mean").get<double>();
        };
        QVERIFY(loss(json) < loss(same.json()));
    }
    QCOMPARE(cli(compare + QStringList{"--tune-rate", "0.1,fast"}).status, 2);
    QCOMPARE(cli(compare + QStringList{"--tune-rate", "-1"}).status, 2);
    QCOMPARE(cli(compare + QStringList{"--tune-rate", "0.1", "--tune-seeds", "2-3"}).status,
             2); // 2 is compared
}

void tst_CliStudies::sweepShardsAreTheRows() {
    const QStringList base{
        "sweep",   m_scenario, "--grid", "/jobs/0/stop/iterations=5,10", "--grid", "/jobs/1/batch=10,20",
        "--seeds", "1-2"};
    const Json whole = cli(base + QStringList{"--json"}).json();
    QCOMPARE(whole.at("rows").size(), std::size_t{8});
    QCOMPARE(whole.at("complete"), Json(true));
    QCOMPARE(whole.at("rows")[5].at("values"), Json({{"/jobs/0/stop/iterations", 10}, {"/jobs/1/batch", 10}}));
    QCOMPARE(whole.at("rows")[5].at("seed"), Json(2));
    Json merged = Json::array();
    for (const char* shard : {"1/3", "2/3", "3/3"}) {
        const Json part = cli(base + QStringList{"--json", "--shard", shard}).json();
        QCOMPARE(part.at("complete"), Json(false)); // rows of other shards are missing
        for (const auto& row : part.at("rows")) merged.push_back(row);
    }
    std::sort(merged.begin(), merged.end(), [](const Json& a, const Json& b) { return a.at("row") < b.at("row"); });
    QCOMPARE(merged.size(), whole.at("rows").size());
    for (std::size_t i = 0; i < merged.size(); ++i) QCOMPARE(merged[i].dump(1), whole.at("rows")[i].dump(1));
    const std::string csv = cli(base).out;
    QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{9});
    QVERIFY(csv.rfind("row,/jobs/0/stop/iterations,/jobs/1/batch,seed,digest,", 0) == 0);
}

// One machine of 4 units; a worker takes 1, a server 1, each server serves two workers: two workers process 2 samples of 4 in each of 2
// slots, so that the job ends in slot 1; its utility is 8/(1 + e⁰) = 4 whenever it ends. What is printed is what is written.
void tst_CliStudies::solvedInstancesAreWritten() {
    const std::string instance =
        R"([{"seed": 7, "T": 2, "C": [[4]], "jobs": [{"a": 0, "E": 1, "K": 4, "F": 2, "gamma": 2, "tau": 1,
        "g": 0, "be": 1, "bi": 1, "alpha": [1], "beta": [1], "th1": 8, "th2": 0, "th3": 0}]}])";
    QVERIFY(writeFileAtomically(file("instances-in.json").toStdString(), instance).empty());
    const Answer answer =
        cli({"reproduce", "pdors", "--instances", file("instances-in.json"), "--json", "--out", file("solved")});
    QCOMPARE(answer.status, 0);
    const auto written = readWholeFile(file("solved/instances.json").toStdString(), 1 << 20);
    QVERIFY(written);
    QCOMPARE(*written, answer.out);
    const Json solved = Json::parse(*written);
    QCOMPARE(solved.size(), std::size_t{1});
    QCOMPARE(solved[0]["offline_opt"].get<double>(), 4.0);
    QCOMPARE(solved[0]["schedule"]["0"]["completion"].get<int>(), 1);
}

TRAINYARD_TEST(tst_CliStudies)
#include "tst_CliStudies.moc"
