// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Both trainers on a cluster of four servers, where dynamic programming knows the best that can be done; and that trainings of graph networks are
// the same for any number of threads and with interruptions.
#include "support/TestMain.h"
#include "support/TinyTraining.h"
#include "support/ToyLossProblem.h"
#include "training/KeptTraining.h"
#include "training/WatchedTraining.h"

#include <QTemporaryDir>

#include <numeric>

using namespace trainyard;
using namespace trainyard::test;

class tst_QLearning : public QObject {
    Q_OBJECT
private slots:
    void weightsAreDrawnInProportion();
    void theToyIsSolvedExactly();
    void bothTrainersReachTheOptimum_data();
    void bothTrainersReachTheOptimum();
    void threadsDoNotMatter();
    void interruptionsDoNotMatter();
    void damagedReplaysAreNamed();
    void agentsComeBack();
    void mixedPlansAreWatched();
};

void tst_QLearning::weightsAreDrawnInProportion() {
    SumTree tree(5);
    const double weights[] = {1, 0, 3, 2, 4};
    for (std::size_t i = 0; i < 5; ++i) tree.set(i, 9);
    for (std::size_t i = 5; i-- > 0;) tree.set(i, weights[i]);
    QCOMPARE(tree.total(), 10.0);
    std::vector<int> found(5);
    for (int i = 0; i < 1000; ++i) ++found[tree.find(i / 100.0)];
    QCOMPARE(found, (std::vector<int>{100, 0, 300, 200, 400}));
}

namespace {

/// Splitting a graph costs it something: what the parts exchange.
ComputationGraph toyGraph(double seconds, double parameters) {
    return {{{"a", seconds / 2, seconds / 2, 0, parameters}, {"b", seconds / 2, seconds / 2, 0, parameters}}, {{0, 1}}};
}

/// Of arrivals every 1.56 s, under which the best simple rule blocks 0.296, and the best that can be done 0.256.
TrainingSource toySource() {
    TrainingSource out{.network = {.groups = 2, .racks = 2, .servers = 1},
                       .setting = GraphSetting::of(GraphRules::corrected),
                       .graphs = {std::make_shared<const ComputationGraph>(toyGraph(2, 0)),
                                  std::make_shared<const ComputationGraph>(toyGraph(3, 2e10))},
                       .steps = 1,
                       .laws = {{{0.3, 0.6, 1}, {0.4, 0.4, 0.2}}}};
    out.copies.clear();
    out.poissonShare = 0;
    out.leastLoad = out.mostLoad = 0.8;
    return out;
}

/// Jobs of 2 s and of 6 s on two servers at a load of 1.5: who refuses some of the long ones blocks 0.4186, else 0.4419 at best.
TrainingSource longJobsSource() {
    TrainingSource out = toySource();
    out.graphs.back() = std::make_shared<const ComputationGraph>(toyGraph(6, 2e10));
    out.laws = {{{1}, {1}}};
    out.network = {.groups = 1, .racks = 1, .servers = 2};
    out.leastLoad = out.mostLoad = 1.5;
    return out;
}

struct Toy {
    explicit Toy(const TrainingSource& source) : world(std::make_shared<const TrainingWorld>(source)) {}
    std::shared_ptr<const TrainingWorld> world;
    GraphWorkload workload = world->workload(
        world->source().laws[0],
        world->meanSequentialSeconds() / (world->source().leastLoad * world->pricer().blocks().network().serverCount()),
        false);
    ToyLossProblem problem{world->pricer(), workload};

    double blockingOf(const DegreeNet& net) const {
        GraphPricer pricer = world->pricer();
        const auto scorer = makeScorer(world->states(), std::make_shared<const DegreeNet>(net), pricer, workload);
        return problem.blockingOf(
            [&](const LossSystem& system, const GraphArrival& job, std::span<const GraphOption> options) {
                return scorer->choose({system, job.seconds, job.graph, job.beta, options});
            });
    }
    double blockingOf(const DegreeRule& rule) const {
        return problem.blockingOf(
            [&](const LossSystem&, const GraphArrival& job, std::span<const GraphOption> options) {
                RandomStream unused(1, Purpose::test);
                return chosenOption(rule, options, job.beta, unused);
            });
    }
};

} // namespace

/// Of one server and one graph of one gap and a half: every second job is blocked, whatever is done. Of the toy, long plays agree with the
/// values of rules, and no rule is better than the best.
void tst_QLearning::theToyIsSolvedExactly() {
    GraphPricer single({.groups = 1, .racks = 1, .servers = 1}, {});
    single.add(std::make_shared<const ComputationGraph>(toyGraph(0.75, 0)), 1);
    const ToyLossProblem half(single, {.graphs = 1, .beta = {{1}, {1}}, .gapSeconds = 1});
    QVERIFY(std::abs(half.leastBlocking() - 0.5) < 1e-6);
    QCOMPARE(half.states(), std::size_t{2});

    const Toy toy(toySource());
    const double least = toy.problem.leastBlocking();
    QVERIFY(least <= toy.problem.leastBlocking(false) + 1e-9);
    for (const DegreeRule rule : {DegreeRule{DegreeRule::Kind::constant, 2}, DegreeRule{DegreeRule::Kind::floor, 1},
                                  DegreeRule{DegreeRule::Kind::floor, 2}, DegreeRule{DegreeRule::Kind::max, 0}}) {
        const double exact = toy.blockingOf(rule);
        QVERIFY(exact > least + 0.03);
        GraphPricer pricer = toy.world->pricer();
        LossSystem system;
        RandomStream unused(1, Purpose::test);
        const auto arrivals = drawFuture(toy.workload, 200'000, 0, 5, 1);
        int served = 0;
        for (const GraphArrival& job : arrivals) {
            system.advance(job.seconds);
            const auto chosen = chosenOption(rule, pricer, system, job.graph, job.beta, unused);
            if (!chosen || chosen->state != OptionState::inTime) continue;
            system.place(chosen->servers, job.seconds + chosen->seconds);
            ++served;
        }
        // Standard error at most 0.5/√200,000 = 0.0011 were they independent; neighbours depend on each other.
        QVERIFY2(std::abs(1 - served / 200'000.0 - exact) < 0.006,
                 qPrintable(QStringLiteral("%1, played %2").arg(exact).arg(1 - served / 200'000.0)));
    }
}

void tst_QLearning::bothTrainersReachTheOptimum_data() {
    QTest::addColumn<bool>("graphNetwork");
    QTest::addColumn<bool>("warm");
    QTest::addColumn<bool>("refuses");
    QTest::newRow("after-states, distilled first") << false << true << false;
    QTest::newRow("after-states, cold") << false << false << false;
    QTest::newRow("after-states, distilled first, refusing") << false << true << true;
    QTest::newRow("after-states, cold, refusing") << false << false << true;
    QTest::newRow("graph network, with demonstrations") << true << true << false;
    QTest::newRow("graph network, cold") << true << false << false;
}

void tst_QLearning::bothTrainersReachTheOptimum() {
    QFETCH(bool, graphNetwork);
    QFETCH(bool, warm);
    QFETCH(bool, refuses);
    const Toy toy(refuses ? longJobsSource() : toySource());
    std::unique_ptr<StageTrainer> trainer;
    if (graphNetwork)
        trainer = std::make_unique<QLearning>(
            toy.world,
            QLearningSettings{
                .hidden = {64, 64}, .iterations = 120, .demonstrations = warm ? 40 : 0, .warmUp = 30, .replay = 60},
            1);
    else
        trainer = std::make_unique<AgentTrainer>(toy.world,
                                                 TrainingSettings{.hidden = {32},
                                                                  .mayRefuse = refuses,
                                                                  .warmUp = 30,
                                                                  .distillIterations = warm ? 20 : 0,
                                                                  .distillEpisodes = 64,
                                                                  .futures = 8,
                                                                  .futureArrivals = 24,
                                                                  .valueIterations = 5,
                                                                  .policyIterations = refuses ? 200 : 60,
                                                                  .episodes = 64,
                                                                  .arrivals = 64,
                                                                  .discount = refuses ? 0.99 : 0.98},
                                                 1);
    const double least = toy.problem.leastBlocking(), before = toy.blockingOf(trainer->net());
    if (refuses) QVERIFY(least < toy.problem.leastBlocking(false) - 0.02);
    while (!trainer->done()) trainer->step(Parallel(2));
    const double after = toy.blockingOf(trainer->net());
    QVERIFY(before > least + 0.02);
    QVERIFY2(after < least + 1e-4, qPrintable(QStringLiteral("%1 of %2").arg(after).arg(least)));
}

void tst_QLearning::threadsDoNotMatter() { QCOMPARE(trained(tinyGraphPlan(), 1), trained(tinyGraphPlan(), 3)); }

void tst_QLearning::interruptionsDoNotMatter() {
    QTemporaryDir dir;
    const std::filesystem::path at = dir.path().toStdString();
    const AgentPlan plan = tinyGraphPlan();
    auto training = std::make_unique<AgentTraining>(plan, inputsOf(plan));
    int steps = 0;
    for (; !training->done(); ++steps) { // interrupted after each iteration, also when the replay has gone round
        training->step(Parallel(1));
        QVERIFY(saveCheckpoint(at, *training).empty());
        training = std::make_unique<AgentTraining>(plan, inputsOf(plan));
        const Problems problems = resumeFrom(at, *training);
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().text().c_str());
    }
    QCOMPARE(steps, 14);
    const auto begun = begunTraining(at);
    QVERIFY(begun.ok() && begun->done && begun->plan == plan);
    QCOMPARE(training->progress().steps, std::uint64_t{14 * 16 * 8});
    QCOMPARE(writeAgent(training->agent()), trained(plan, 1));
}

void tst_QLearning::damagedReplaysAreNamed() {
    const AgentPlan plan = tinyGraphPlan();
    AgentTraining training(plan, inputsOf(plan));
    training.step(Parallel(1));
    TrainingCheckpoint point = training.checkpoint();
    point.state.actions.pop_back();
    QVERIFY(!training.restore(point));
    point = training.checkpoint();
    point.state.priorities[5] = 0;
    QVERIFY(!training.restore(point));
    point = training.checkpoint();
    QVERIFY(training.restore(point));
}

void tst_QLearning::agentsComeBack() {
    const std::string text = trained(tinyGraphPlan(), 2);
    const auto read = parseAgent(text, "a.json");
    QVERIFY2(read.ok(), read.ok() ? "" : read.problems().front().text().c_str());
    QCOMPARE(writeAgent(**read), text);
    QVERIFY((*read)->members[0].net->shape == NetShape::graphNetwork);
    std::string other = text; // the same numbers do not fit a net of the other shape
    const std::string word = "\"shape\": \"graph-network\"";
    const auto found = other.find(word);
    QVERIFY(found != std::string::npos);
    other.replace(found, word.size(), "\"shape\": \"after-states\"");
    const auto refused = parseAgent(other, "a.json");
    QVERIFY(!refused.ok());
    QVERIFY(refused.problems().front().message.english().find("its layers need") != std::string::npos);
}

/// A task of after-states first, whose distillation is a stage of its own; the graph network's laws have none.
void tst_QLearning::mixedPlansAreWatched() {
    AgentPlan plan = tinyGraphPlan();
    AgentTask first = tinyPlan().tasks[0];
    first.laws = {"beta-d"};
    plan.tasks.insert(plan.tasks.begin(), first);
    AgentTraining training(plan, inputsOf(plan));
    TrainingWatch watch(training);
    const Parallel parallel(1);
    while (!training.done()) {
        training.step(parallel);
        watch.update(training);
    }
    while (watch.measure(training, parallel, {})) {}
    const auto& stages = watch.now().stages;
    QCOMPARE(stages.size(), std::size_t{4});
    QVERIFY(stages[0].law.empty() && stages[1].law == "beta-d" && stages[2].law == "beta-a");
    QCOMPARE(stages[2].from, std::uint64_t{5 * 16 * 8});
    QCOMPARE(stages[3].from + stages[3].all, training.progress().steps);
    QCOMPARE(stages[3].rewards.size(), std::size_t{7});
    for (std::size_t s = 1; s < 4; ++s) {
        QVERIFY(stages[s].netShares && stages[s].constant && stages[s].best);
        QVERIFY(std::abs(std::accumulate(stages[s].netShares->served.begin(), stages[s].netShares->served.end(),
                                         stages[s].netShares->blocked) -
                         1) < 1e-9);
    }
    const auto agent = parseAgent(writeAgent(training.agent()), "a.json");
    QVERIFY(agent.ok());
    QVERIFY((*agent)->members[0].net->shape == NetShape::afterStates);
    QVERIFY((*agent)->members[2].net->shape == NetShape::graphNetwork);
}

TRAINYARD_TEST(tst_QLearning)
#include "tst_QLearning.moc"
