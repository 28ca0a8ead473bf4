// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Trainings of a few iterations: the same for any number of threads and with interruptions, by the library and by the program; and what is
// wrong with configurations and checkpoints.
#include "base/WholeFile.h"
#include "learning/DataSet.h"
#include "run/CliProcess.h"
#include "run/files/AtomicFile.h"
#include "scenario/agents/AgentFile.h"
#include "support/TestMain.h"
#include "support/TinyTraining.h"
#include "training/TrainingFiles.h"

#include <QDir>
#include <QTemporaryDir>

#include <csignal>
#include <fstream>

using namespace trainyard;
using namespace trainyard::test;
namespace fs = std::filesystem;

class tst_AgentTraining : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void episodesArePureFunctions();
    void validationIsThatOfTheStudy();
    void learningHelps();
    void threadsDoNotMatter();
    void interruptionsDoNotMatter();
    void stoppedIsNotBegun();
    void plansComeBack();
    void schemaIsPublished();
    void brokenPlansAreNamed_data();
    void brokenPlansAreNamed();
    void brokenCheckpointsAreNamed_data();
    void brokenCheckpointsAreNamed();
    void shippedPlansAreValid();
    void killedProgramsResume();
    void wrongUsesAreNamed();
    void agentsOfScenariosAreChecked();

private:
    QTemporaryDir m_dir;
};

namespace {

std::string contents(const std::string& file) { return readWholeFile(file, 1 << 28).value(); }

bool hasProblem(const Problems& problems, const QString& code, const QString& pointer) {
    return std::ranges::any_of(
        problems, [&](const Problem& p) { return p.code == code.toStdString() && p.pointer == pointer.toStdString(); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto found = text.find(from);
    if (found == std::string::npos) return {};
    return text.replace(found, from.size(), to);
}

} // namespace

void tst_AgentTraining::initTestCase() {
    QVERIFY(QDir::setCurrent(m_dir.path()));
    QVERIFY(writeFileAtomically("tiny.json", writeAgentPlan(tinyPlan())).empty());
}

void tst_AgentTraining::episodesArePureFunctions() {
    const AgentPlan plan = tinyPlan();
    const TrainingInputs inputs = inputsOf(plan);
    TrainingSource source{
        .network = plan.network, .setting = {}, .graphs = inputs.graphs, .laws = {inputs.laws[0].second}};
    source.leastLoad = source.mostLoad = 0.5;
    const TrainingWorld world(source);
    GraphPricer one = world.pricer(), two = world.pricer();
    bool mixed = false, plain = false, poisson = false;
    for (std::uint32_t i = 0; i < 40; ++i) {
        const Episode a = drawEpisode(world, one, 1, 3, i, 50), b = drawEpisode(world, two, 1, 3, i, 50);
        QCOMPARE(a.arrivals.size(), std::size_t{50});
        QVERIFY(std::ranges::equal(a.arrivals, b.arrivals, [](const GraphArrival& x, const GraphArrival& y) {
            return x.graph == y.graph && x.seconds == y.seconds && x.beta == y.beta;
        }));
        QVERIFY(a.load.numbers == b.load.numbers);
        (a.workload.numbers.empty() ? plain : mixed) = true;
        poisson = poisson || a.workload.poisson;
        // Half of the servers' time is asked for.
        double sum = 0;
        for (std::size_t g = 0; g < a.workload.graphs; ++g) sum += one.sequentialSeconds(a.workload.number(g));
        QVERIFY(qFuzzyCompare(sum / static_cast<double>(a.workload.graphs) / a.workload.gapSeconds / 8, 0.5));
    }
    QVERIFY(mixed && plain && poisson);
}

void tst_AgentTraining::validationIsThatOfTheStudy() {
    // A cluster of 8 servers, floor 2, by another loop.
    const AgentPlan plan = tinyPlan();
    const TrainingInputs inputs = inputsOf(plan);
    GraphPricer pricer(plan.network, {});
    for (const auto& graph : inputs.graphs) pricer.add(graph, 50);
    const GraphWorkload workload{.graphs = 2, .replication = 201, .beta = inputs.laws[0].second, .gapSeconds = 1};
    const DegreeRule rule{DegreeRule::Kind::floor, 2};
    const auto measured = blockingOf(rule, pricer, workload, 200, {5, 2}, Parallel(1));
    for (std::uint64_t s = 0; s < 2; ++s) {
        const auto arrivals = drawArrivals(workload, 200, 5 + s);
        LossSystem system;
        RandomStream unused(1, Purpose::test);
        int served = 0;
        for (const GraphArrival& job : arrivals) {
            system.advance(job.seconds);
            const auto chosen = chosenOption(rule, pricer, system, job.graph, job.beta, unused);
            if (!chosen || chosen->state != OptionState::inTime) continue;
            system.place(chosen->servers, job.seconds + chosen->seconds);
            served += job.seconds + chosen->seconds <= 199 ? 1 : 0;
        }
        QVERIFY(served > 0 && served < 200);
        QCOMPARE(measured[s], 1 - served / 200.0);
    }
}

/// Of two nets of the same start, the one that was trained blocks less on seeds that it has not seen.
void tst_AgentTraining::learningHelps() {
    AgentPlan plan = tinyPlan();
    AgentTask& task = plan.tasks[0];
    task.leastLoad = task.mostLoad = 0.7;
    task.settings.hidden = {16};
    task.settings.distillIterations = 25;
    task.settings.distillEpisodes = 64;
    task.settings.futures = 4;
    task.settings.futureArrivals = 20;
    const TrainingInputs inputs = inputsOf(plan);
    TrainingSource source{.network = plan.network,
                          .setting = {},
                          .graphs = inputs.graphs,
                          .laws = {inputs.laws[1].second},
                          .leastLoad = 0.7,
                          .mostLoad = 0.7};
    const auto world = std::make_shared<const TrainingWorld>(source);
    TrainingSettings settings = task.settings;
    settings.valueIterations = settings.policyIterations = 0;
    AgentTrainer trainer(world, settings, 1);
    const auto blocking = [&] {
        const auto net = std::make_shared<const DegreeNet>(trainer.net());
        const double gap = world->meanSequentialSeconds() / (0.7 * 8);
        const auto each = blockingOf(world->states(), net, world->pricer(),
                                     world->workload(inputs.laws[1].second, gap, false), 500, {1, 6}, Parallel(2));
        double sum = 0;
        for (const double b : each) sum += b / 6;
        return sum;
    };
    const double before = blocking();
    while (trainer.phase() != AgentTrainer::Phase::done) trainer.step(Parallel(2));
    const double after = blocking();
    QVERIFY2(after < before - 0.02, qPrintable(QStringLiteral("%1 to %2").arg(before).arg(after)));
}

void tst_AgentTraining::threadsDoNotMatter() {
    QCOMPARE(trained(tinyPlan(), 1), trained(tinyPlan(), 2));
    const std::string refusing = trained(tinyRefusingPlan(), 1);
    QCOMPARE(refusing, trained(tinyRefusingPlan(), 2));
    QVERIFY(refusing != trained(tinyPlan()) && parseAgent(refusing, "a.json").value()->members[0].net->mayRefuse);
}

void tst_AgentTraining::interruptionsDoNotMatter() {
    const AgentPlan plan = tinyRefusingPlan();
    const Parallel parallel(1);
    int steps = 0;
    auto training = std::make_unique<AgentTraining>(plan, inputsOf(plan));
    for (; !training->done(); ++steps) { // interrupted after each iteration
        training->step(parallel);
        QVERIFY(saveCheckpoint(".", *training).empty());
        training = std::make_unique<AgentTraining>(plan, inputsOf(plan));
        const Problems problems = resumeFrom(".", *training);
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().text().c_str());
    }
    QCOMPARE(steps, 2 + 2 * 3);
    QCOMPARE(training->progress().iterationsDone, training->progress().iterationsAll);
    QCOMPARE(writeAgent(training->agent()), trained(plan, 1));
}

void tst_AgentTraining::stoppedIsNotBegun() {
    const AgentPlan plan = tinyPlan();
    AgentTraining training(plan, inputsOf(plan));
    training.step(Parallel(1));
    const std::string before = writeCheckpoint(plan, training.checkpoint());
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!training.step(Parallel(1), stop.get_token()));
    QCOMPARE(writeCheckpoint(plan, training.checkpoint()), before);
}

void tst_AgentTraining::plansComeBack() {
    const std::string text = writeAgentPlan(tinyRefusingPlan());
    const auto read = parseAgentPlan(text, "p.json");
    QVERIFY2(read.ok(), read.ok() ? "" : read.problems().front().text().c_str());
    QVERIFY(*read == tinyRefusingPlan());
    QCOMPARE(writeAgentPlan(*read), text);
}

void tst_AgentTraining::schemaIsPublished() {
    QCOMPARE(contents(TRAINYARD_SOURCE_DIR "/resources/agents/schema.json"), agentPlanSchema());
}

void tst_AgentTraining::brokenPlansAreNamed_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("pointer");
    const auto row = [](const char* name, const char* from, const char* to, const char* code, const char* pointer) {
        QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(code)
                            << QString::fromUtf8(pointer);
    };
    row("unknown key", "\"title\"", "\"titel\"", "unknown-key", "/titel");
    row("missing key", "\"title\": \"tiny\",", "", "missing-key", "");
    row("no graphs", "[\"alexnet\", \"gnmt\"]", "[]", "no-graphs", "/graphs");
    row("a graph that does not ship", "\"gnmt\"", "\"gmnt\"", "unknown-id", "/graphs/1");
    row("seeds that overlap", "\"count\": 2", "\"first\": 20", "seeds-overlap", "/validation_seeds");
    row("no laws", "[\"beta-a\", \"beta-d\"]", "[]", "no-laws", "/tasks/0/laws");
    row("out of range", "\"warm_up\": 10", "\"warm_up\": -1", "out-of-range", "/tasks/0/settings/warm_up");
    row("another version", "\"version\": 1", "\"version\": 9", "unknown-version", "/version");
    row("another format", "trainyard-training", "trainyard-agent", "not-a-training", "/format");
}

void tst_AgentTraining::brokenPlansAreNamed() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, code);
    QFETCH(QString, pointer);
    const std::string text = replaced(writeAgentPlan(tinyPlan()), from.toStdString(), to.toStdString());
    QVERIFY(!text.empty());
    const auto read = parseAgentPlan(text, "p.json");
    QVERIFY(!read.ok());
    QVERIFY2(hasProblem(read.problems(), code, pointer), read.problems().front().text().c_str());
    QVERIFY(read.problems().front().line > 0);
}

void tst_AgentTraining::brokenCheckpointsAreNamed_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const char* from, const char* to, const char* code) {
        QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(code);
    };
    row("another version", "\"version\": 1", "\"version\": 2", "unknown-version");
    row("no base64", "\"policy\": \"", "\"policy\": \"!", "damaged-checkpoint");
    row("not a number", "\"policy\": \"", "\"policy\": \"AADAfwAAwH8AAMB/", "damaged-checkpoint"); // NaN three times
    row("too many numbers", "\"policy\": \"", "\"policy\": \"AACAPwAAgD8AAIA/", "damaged-checkpoint");
    row("another configuration", "\\\"title\\\": \\\"tiny\\\"", "\\\"title\\\": \\\"other\\\"", "another-training");
    row("too far", "\"stage\": 0", "\"stage\": 99", "damaged-checkpoint");
}

void tst_AgentTraining::brokenCheckpointsAreNamed() {
    const AgentPlan plan = tinyPlan();
    AgentTraining training(plan, inputsOf(plan));
    training.step(Parallel(1));
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, code);
    const std::string text =
        replaced(writeCheckpoint(plan, training.checkpoint()), from.toStdString(), to.toStdString());
    QVERIFY(!text.empty());
    fs::create_directories("broken");
    QVERIFY(writeFileAtomically(fs::path("broken") / checkpointName, text).empty());
    const std::string before = writeCheckpoint(plan, training.checkpoint());
    const Problems problems = resumeFrom("broken", training);
    QVERIFY(!problems.empty());
    QCOMPARE(problems.front().code, code.toStdString());
    QVERIFY(problems.front().file.find("broken") != std::string::npos);
    QCOMPARE(writeCheckpoint(plan, training.checkpoint()), before);
    QCOMPARE(resumeFrom("nowhere", training).front().code, std::string("no-checkpoint"));
}

void tst_AgentTraining::shippedPlansAreValid() {
    int plans = 0;
    for (const auto& entry : fs::directory_iterator(TRAINYARD_SOURCE_DIR "/resources/agents")) {
        if (!entry.path().string().ends_with(".training.json")) continue;
        const auto plan = readAgentPlan(entry.path());
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.problems().front().text().c_str());
        const fs::path agentFile = entry.path().parent_path() / (entry.path().stem().stem().string() + ".json");
        const auto agent = readAgent(agentFile);
        QVERIFY2(agent.ok(), agent.ok() ? "" : agent.problems().front().text().c_str());
        QCOMPARE((*agent)->configuration, writeAgentPlan(*plan));
        ++plans;
    }
    QVERIFY(plans >= 1);
}

void tst_AgentTraining::killedProgramsResume() {
    QCOMPARE(cli({"train", "tiny.json", "--out", "whole", "--threads", "1"}).status, 0);
    // Killed at once after it has begun, again and again: at worst it begins anew.
    AgentPlan longer = tinyPlan();
    longer.tasks[0].settings.policyIterations = 2;
    QProcess process;
    process.start(qEnvironmentVariable("TRAINYARD_CLI"), {"train", "tiny.json", "--out", "killed", "--threads", "1"});
    QVERIFY(process.waitForStarted());
    QTest::qWait(30);
    process.kill();
    QVERIFY(process.waitForFinished());
    if (!fs::exists("killed/agent.json")) {
        const bool begun = fs::exists(fs::path("killed") / checkpointName);
        const auto again = begun ? cli({"train", "tiny.json", "--resume", "killed", "--threads", "2"})
                                 : cli({"train", "tiny.json", "--out", "killed", "--threads", "2"});
        QVERIFY2(again.status == 0, again.err.c_str());
    }
    QCOMPARE(contents("killed/agent.json"), contents("whole/agent.json"));
    // A checkpoint in mid-training, as a kill leaves it.
    const AgentPlan plan = tinyPlan();
    AgentTraining training(plan, inputsOf(plan));
    for (int i = 0; i < 3; ++i) training.step(Parallel(1));
    fs::create_directories("half");
    QVERIFY(saveCheckpoint("half", training).empty());
    const auto resumed = cli({"train", "tiny.json", "--resume", "half", "--json"});
    QVERIFY2(resumed.status == 0, resumed.err.c_str());
    QCOMPARE(resumed.json()["complete"].get<bool>(), true);
    QCOMPARE(resumed.json()["members"].size(), std::size_t{2});
    QCOMPARE(contents("half/agent.json"), contents("whole/agent.json"));
}

void tst_AgentTraining::wrongUsesAreNamed() {
    QCOMPARE(cli({"train", "tiny.json"}).status, 2);
    QCOMPARE(cli({"train", "missing.json", "--out", "x"}).status, 2);
    QCOMPARE(cli({"train", "tiny.json", "--resume", "nothing-there"}).status, 2);
    QVERIFY(cli({"train", "tiny.json", "--out", "whole"}).err.find("--resume") != std::string::npos);
    const auto seed = cli({"train", "tiny.json", "--resume", "half", "--seed", "2"});
    QCOMPARE(seed.status, 2);
    QVERIFY(seed.err.find("another configuration or seed") != std::string::npos);
    if (fs::exists("/dev/full")) QVERIFY(cli({"train", "tiny.json", "--out", "/dev/full"}).status != 0);
}

/// An agent beyond the directory, one that is no agent, and one that was trained above for a smaller network; then one that suits.
void tst_AgentTraining::agentsOfScenariosAreChecked() {
    const auto run = [](const QString& agent) {
        return cli(
            {"run", TRAINYARD_SOURCE_DIR "/scenarios/papers/pacml/corrected-light.json", "--set",
             QStringLiteral("/policies/partitioner={\"id\":\"learned\",\"parameters\":{\"agent\":\"%1\"}}").arg(agent),
             "--json"});
    };
    for (const auto& [agent, words] : {std::pair("/etc/passwd", "without \"..\""),
                                       {"../agent.json", "without \"..\""},
                                       {"tiny.json", "not a Trainyard trained agent"},
                                       {"whole/agent.json", "2 × 2 × 2"}}) {
        const auto refused = run(QString::fromUtf8(agent));
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.find(words) != std::string::npos, refused.err.c_str());
        QVERIFY2(refused.err.find("/policies/partitioner") != std::string::npos, refused.err.c_str());
    }
    // The digest is of what the file holds, whatever its name.
    const auto shipped = run(QStringLiteral("own-graphs"));
    QVERIFY2(shipped.status == 0, shipped.err.c_str());
    fs::copy_file((ResourcePaths::find({}).root / "agents" / "own-graphs.json"), "copy.json");
    QCOMPARE(run(QStringLiteral("copy.json")).json()["digest"], shipped.json()["digest"]);
    QVERIFY(run(QStringLiteral("paper-graphs")).json()["digest"] != shipped.json()["digest"]);
}

TRAINYARD_TEST(tst_AgentTraining)
#include "tst_AgentTraining.moc"
