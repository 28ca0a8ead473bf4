// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Trainings that are watched and kept in a directory: what is counted, against other loops; that watching changes nothing; and directories
// that another training, or another file, has.
#include "base/WholeFile.h"
#include "run/files/AtomicFile.h"
#include "support/TestMain.h"
#include "support/TinyTraining.h"
#include "training/KeptTraining.h"
#include "training/TrainingCharts.h"

#include <QDir>
#include <QTemporaryDir>

using namespace trainyard;
using namespace trainyard::test;
namespace fs = std::filesystem;

class tst_WatchedTraining : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(QDir::setCurrent(m_dir.path())); }
    void degreesAreCounted();
    void rulesAreTheBestOnValidation();
    void watchingChangesNothing();
    void stoppedMeasuresAreLeftOut();
    void directoriesAreOnesOwn();
    void begunTrainingsSayWhatTheyAre();

private:
    QTemporaryDir m_dir;
};

namespace {

void watchAll(AgentTraining& training, TrainingWatch& watch) {
    const Parallel parallel(1);
    while (!training.done()) {
        training.step(parallel);
        watch.update(training);
        watch.measure(training, parallel, {});
    }
    while (watch.measure(training, parallel, {})) {}
}

} // namespace

/// A constant of 2 serves by 2 only, as much as it does not block; by hand over the same arrivals.
void tst_WatchedTraining::degreesAreCounted() {
    const AgentPlan plan = tinyPlan();
    const TrainingInputs inputs = inputsOf(plan);
    const AgentTraining training(plan, inputs);
    const TrainingWorld world(training.source(0));
    const GraphWorkload workload = world.workload(inputs.laws[0].second, world.meanSequentialSeconds() / 4, false);
    const DegreeRule rule{DegreeRule::Kind::constant, 2};
    const DegreeShares shares = degreeSharesOf(rule, world.pricer(), workload, 50, {1001, 2}, Parallel(2));
    GraphPricer pricer = world.pricer();
    pricer.forget();
    int served = 0;
    for (std::uint64_t seed : {1001, 1002}) {
        LossSystem system;
        RandomStream unused(1, Purpose::test);
        for (const GraphArrival& job : drawArrivals(workload, 50, seed)) {
            system.advance(job.seconds);
            const auto chosen = chosenOption(rule, pricer, system, job.graph, job.beta, unused);
            if (!chosen || chosen->state != OptionState::inTime) continue;
            system.place(chosen->servers, job.seconds + chosen->seconds);
            ++served;
        }
    }
    QVERIFY(served > 0 && served < 100);
    QCOMPARE(shares.blocked, 1 - served / 100.0);
    for (std::size_t d = 0; d < shares.degrees.size(); ++d)
        QCOMPARE(shares.served[d], shares.degrees[d] == 2 ? served / 100.0 : 0.0);
    QCOMPARE(degreeSharesOf(rule, world.pricer(), workload, 50, {1001, 2}, Parallel(1)), shares);
}

/// No constant and no floor blocks less on the validation seeds than those found.
void tst_WatchedTraining::rulesAreTheBestOnValidation() {
    const AgentPlan plan = tinyPlan();
    AgentTraining training(plan, inputsOf(plan));
    TrainingWatch watch(training);
    watchAll(training, watch);
    const TrainingWorld world(training.source(0));
    const double gap = world.meanSequentialSeconds() / (0.5 * 8);
    for (const std::size_t s : {1, 2}) {
        const WatchedStage& stage = watch.now().stages[s];
        const auto measured = [&](const DegreeRule& rule) {
            const auto each =
                blockingOf(rule, world.pricer(), world.workload(training.inputs().laws[s - 1].second, gap, false), 60,
                           plan.validation, Parallel(1));
            return (each[0] + each[1]) / 2;
        };
        for (const auto& best : {stage.constant, stage.floor}) {
            QVERIFY(best);
            QCOMPARE(best->blocking, measured(best->rule));
            for (const int degree : world.pricer().degrees())
                QVERIFY(best->blocking <= measured({best->rule.kind, degree}));
        }
    }
}

void tst_WatchedTraining::watchingChangesNothing() {
    const AgentPlan plan = tinyPlan();
    AgentTraining training(plan, inputsOf(plan));
    TrainingWatch watch(training);
    watchAll(training, watch);
    QCOMPARE(writeAgent(training.agent()), trained(plan));
    QVERIFY(watch.now().done);
    QCOMPARE(watch.now().stages.back().from + watch.now().stages.back().all, training.progress().steps);
    // Made from the end alone, as after a resumption: the same.
    TrainingWatch late(training);
    watchAll(training, late);
    QVERIFY(watch.now().stages[0].rewards.size() > 1); // a distillation, of which nothing is compared
    QCOMPARE(rewardChart(late.now()), rewardChart(watch.now()));
    for (std::size_t s = 1; s < 3; ++s) {
        QVERIFY(late.now().stages[s].netShares == watch.now().stages[s].netShares);
        QVERIFY(late.now().stages[s].constant == watch.now().stages[s].constant);
        QCOMPARE(validationChart(late.now(), 0), validationChart(watch.now(), 0));
    }
}

void tst_WatchedTraining::stoppedMeasuresAreLeftOut() {
    const AgentPlan plan = tinyPlan();
    AgentTraining training(plan, inputsOf(plan));
    TrainingWatch watch(training);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!watch.measure(training, Parallel(1), stop.get_token()));
    QVERIFY(!watch.now().stages[0].constant && !watch.now().stages[0].netShares);
    QVERIFY(!rewardChart(watch.now()).empty.empty());
    QVERIFY(!validationChart(watch.now(), 0).empty.empty());
    QVERIFY(!degreeChart(watch.now(), 1).empty.empty());
}

void tst_WatchedTraining::directoriesAreOnesOwn() {
    const AgentPlan plan = tinyPlan();
    const auto code = [&](const char* directory, KeptTraining::Begin begin) {
        const auto kept = KeptTraining::open(plan, inputsOf(plan), directory, begin);
        return kept ? std::string() : kept.problems().front().code;
    };
    {
        const auto kept = KeptTraining::open(plan, inputsOf(plan), "own", KeptTraining::Begin::anew);
        QVERIFY(kept.ok());
        QCOMPARE(code("own", KeptTraining::Begin::anew), std::string("in-use"));
        QVERIFY((*kept)->train(Parallel(1), {}, [] {}).empty());
    }
    QCOMPARE(readWholeFile("own/agent.json", 1 << 28).value(), trained(plan));
    QCOMPARE(code("own", KeptTraining::Begin::anew), std::string("training-there"));
    QCOMPARE(code("own", KeptTraining::Begin::fromCheckpoint), std::string());
    fs::create_directories("theirs");
    QVERIFY(writeFileAtomically("theirs/agent.json", "theirs").empty());
    QCOMPARE(code("theirs", KeptTraining::Begin::anew), std::string("agent-there"));
    QCOMPARE(readWholeFile("theirs/agent.json", 100).value(), std::string("theirs"));
    QCOMPARE(code("nothing", KeptTraining::Begin::fromCheckpoint), std::string("no-checkpoint"));
}

void tst_WatchedTraining::begunTrainingsSayWhatTheyAre() {
    AgentPlan plan = tinyPlan();
    plan.seed = 18446744073709551615ULL;
    AgentTraining training(plan, inputsOf(plan));
    training.step(Parallel(1));
    fs::create_directories("begun");
    QVERIFY(saveCheckpoint("begun", training).empty());
    auto begun = begunTraining("begun");
    QVERIFY(begun.ok());
    QVERIFY(begun->plan == plan);
    QVERIFY(!begun->done);
    while (!training.done()) training.step(Parallel(1));
    QVERIFY(saveCheckpoint("begun", training).empty());
    QVERIFY(begunTraining("begun")->done);
    QCOMPARE(begunTraining("absent").problems().front().code, std::string("no-checkpoint"));
    QVERIFY(writeFileAtomically("begun/checkpoint.json", "{").empty());
    QVERIFY(!begunTraining("begun").ok());
}

TRAINYARD_TEST(tst_WatchedTraining)
#include "tst_WatchedTraining.moc"
