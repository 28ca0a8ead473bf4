// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Training that leans towards the data of the fast, simulated: it ends where the closed form says, and with
// each remedy at the least loss. And the lesson that ships.
#include "analysis/ShardBias.h"
#include "learning/TrainingProblem.h"
#include "run/compare/Comparison.h"
#include "scenario/ScenarioFile.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_ShardBias : public QObject {
    Q_OBJECT
private slots:
    void trainingEndsAtThePredictedLoss();
    void remediesEndAtTheLeastLoss_data();
    void remediesEndAtTheLeastLoss();
    void codedPartsOfSharedRowsDecode();
    void weightsFollowThePolicy();
    void chanceIsNoBias();
    void whatCannotBeLoadedIsNotKnown();
    void lessonTeaches();
};

namespace shard_bias_test {

constexpr std::size_t updates = 6000, from = 2000;

/// Six workers of 100 rows each, whole shares as batches, so that the only noise is who comes first; three
/// machines are half as fast. Least squares with an intercept, sorted by the target; it is mostly noise, or
/// every share would have the same optimum.
Scenario unlike(const Choice& synchronization, Shards shards = Shards::sorted) {
    Scenario s = test::starScenario(6);
    for (auto& machine : s.cluster.machines) machine.straggler.factor = {.law = Law::exponential, .mean = 1};
    for (std::size_t m = 3; m < 6; ++m) s.cluster.machines[m].straggler.persistentFactor = 2;
    Job job = test::trainedJob();
    job.workers = {6, 6};
    job.servers = {0, 0};
    job.serverDemand = {};
    job.stop.iterations = static_cast<std::int64_t>(updates);
    auto& work = std::get<TrainedWork>(job.work);
    work.model.parameters["intercept"] = true;
    work.dataset.parameters = {
        {"rows", std::int64_t{600}}, {"features", std::int64_t{4}}, {"condition_number", 1.0}, {"noise", 3.0}};
    work.optimizer.parameters["learning_rate"] = 0.005;
    work.batch = 100;
    work.shards = shards;
    s.jobs = {job};
    s.policies.synchronization = synchronization;
    return s;
}

struct Run {
    double loss = 0;               ///< mean of the later evaluations
    std::vector<std::size_t> used; ///< by worker, in the later updates
    bool counted = false;          ///< gradientsUsed() says the same of all updates
};

Run trained(const Scenario& scenario) {
    Run out;
    auto made = Simulation::create(test::optionsFor(scenario, 3));
    for (const auto& p : made.problems()) qCritical("%s", p.text().c_str());
    while ((*made)->step()) {}
    const EventLog& log = (*made)->log();
    std::vector<std::size_t> all(6, 0);
    for (const Event& e : test::eventsOf(log, EventType::gradientUsed)) ++all[e.a];
    out.counted = gradientsUsed(log, JobId(0u)) == all;
    const auto losses = test::eventsOf(log, EventType::lossEvaluated);
    for (std::size_t i = from; i < losses.size(); ++i)
        out.loss += losses[i].value / static_cast<double>(losses.size() - from);
    out.used.assign(6, 0);
    for (const Event& e : test::eventsOf(log, EventType::gradientUsed))
        if (e.time > losses[from].time) ++out.used[e.a];
    return out;
}

ShardRisk riskOf(const Scenario& scenario, const std::vector<std::size_t>& used) {
    return ShardBias(std::get<TrainedWork>(scenario.jobs[0].work), 3, JobId(0u), {}).of(used).value();
}

const Choice fastestTwo{"fastest-k", {{"k", std::int64_t{2}}}};

} // namespace shard_bias_test

using namespace shard_bias_test;

// By the shares that the later updates had. What is left is the noise of single updates, of the order of the
// learning rate: 10 % of the excess.
void tst_ShardBias::trainingEndsAtThePredictedLoss() {
    const Scenario scenario = unlike(fastestTwo);
    const Run run = trained(scenario);
    QVERIFY(run.counted);
    QVERIFY(differBeyondChance(run.used));
    const ShardRisk risk = riskOf(scenario, run.used);
    QVERIFY(risk.exact && risk.excess > 0.02);
    const double excess = run.loss - risk.least;
    QVERIFY2(std::abs(excess / risk.excess - 1) < 0.1,
             qPrintable(QStringLiteral("%1, not %2").arg(excess).arg(risk.excess)));
}

void tst_ShardBias::remediesEndAtTheLeastLoss_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("reweight");
    QTest::addColumn<int>("shards");
    QTest::newRow("reweight") << "fastest-k" << true << static_cast<int>(Shards::sorted);
    QTest::newRow("shared rows") << "fastest-k" << false << static_cast<int>(Shards::shared);
    QTest::newRow("dsag") << "dsag" << false << static_cast<int>(Shards::sorted);
    QTest::newRow("full-sync") << "full-sync" << false << static_cast<int>(Shards::sorted);
}

// An eighth of the excess without remedy is left at most.
void tst_ShardBias::remediesEndAtTheLeastLoss() {
    QFETCH(QString, id);
    QFETCH(bool, reweight);
    QFETCH(int, shards);
    Choice choice{id.toStdString(), {}};
    if (id != QLatin1String("full-sync")) choice.parameters["k"] = std::int64_t{2};
    if (reweight) choice.parameters["reweight"] = true;
    const Run run = trained(unlike(choice, static_cast<Shards>(shards)));
    const Scenario leaning = unlike(fastestTwo);
    const ShardRisk without = riskOf(leaning, {350, 350, 350, 180, 180, 180});
    const double excess = run.loss - without.least;
    QVERIFY2(excess < without.excess / 8 && excess > -1e-9,
             qPrintable(QStringLiteral("%1 of %2").arg(excess).arg(without.excess)));
}

// A coded part of shared rows is the same batch wherever it is computed, so that decoding works whoever was
// slow.
void tst_ShardBias::codedPartsOfSharedRowsDecode() {
    const auto course = [](double slow) {
        Scenario s = unlike({"gradient-coding", {}}, Shards::shared);
        for (auto& machine : s.cluster.machines) machine.straggler = {};
        s.cluster.machines[0].straggler.persistentFactor = slow;
        s.cluster.machines[5].straggler.persistentFactor = 1.5;
        std::get<TrainedWork>(s.jobs[0].work).batch = 7;
        s.jobs[0].stop.iterations = 30;
        auto made = Simulation::create(test::optionsFor(s, 3));
        while ((*made)->step()) {}
        return test::eventsOf((*made)->log(), EventType::lossEvaluated);
    };
    const auto slow = course(50), fast = course(1);
    QCOMPARE(slow.size(), std::size_t{31});
    QCOMPARE(fast.size(), slow.size());
    for (std::size_t i = 0; i < slow.size(); ++i)
        QVERIFY2(std::abs(slow[i].value - fast[i].value) < 1e-9,
                 qPrintable(QString::number(slow[i].value - fast[i].value)));
    QVERIFY(slow.back().value < slow.front().value);
}

void tst_ShardBias::weightsFollowThePolicy() {
    Scenario s = unlike(fastestTwo);
    const auto of = [&](const Choice& choice) {
        s.policies.synchronization = choice;
        return shardWeights(s, s.jobs[0], 6);
    };
    QVERIFY(of(fastestTwo) == ShardWeights::asCounted);
    QVERIFY(of({"async", {}}) == ShardWeights::asCounted);
    QVERIFY(of({"full-sync", {{"timeout", 0.1}}}) == ShardWeights::asCounted); // rounds may go without the slow
    QVERIFY(of({"fastest-k", {{"reweight", true}}}) == ShardWeights::evenedOut);
    QVERIFY(of({"dsag", {}}) == ShardWeights::evenedOut);
    QVERIFY(of({"gradient-coding", {}}) == ShardWeights::evenedOut);
    QVERIFY(shardWeights(s, s.jobs[0], 1) == ShardWeights::alike);
    s.jobs[0].synchronization = {"async", {}};
    QVERIFY(shardWeights(s, s.jobs[0], 6) == ShardWeights::asCounted); // its own comes first
    std::get<TrainedWork>(s.jobs[0].work).shards = Shards::shuffled;
    QVERIFY(shardWeights(s, s.jobs[0], 6) == ShardWeights::alike);
    QVERIFY(shardWeights(s, test::analyticJob(), 6) == ShardWeights::alike);
}

// Equal workers: χ² of 5 degrees of freedom above 17.6 in 0.35 % of multinomial draws; of 2000 at most 20
// (mean 7, more than four standard deviations). Shares of 2:1 are told apart from a few hundred gradients on.
void tst_ShardBias::chanceIsNoBias() {
    int alarms = 0;
    for (std::uint32_t draw = 0; draw < 2000; ++draw) {
        RandomStream random(11, Purpose::test, draw);
        std::vector<std::size_t> counts(6, 0);
        for (int i = 0; i < 300; ++i) ++counts[random.below(6)];
        alarms += differBeyondChance(counts);
    }
    QVERIFY2(alarms <= 20, qPrintable(QString::number(alarms)));
    QVERIFY(differBeyondChance(std::vector<std::size_t>{70, 70, 70, 35, 35, 35}));
    QVERIFY(!differBeyondChance(std::vector<std::size_t>{4, 4, 4, 2, 2, 2}));
    QVERIFY(!differBeyondChance(std::vector<std::size_t>{0, 0}));
    QVERIFY(!differBeyondChance(std::vector<std::size_t>{7}));
}

void tst_ShardBias::whatCannotBeLoadedIsNotKnown() {
    TrainedWork work = std::get<TrainedWork>(unlike(fastestTwo).jobs[0].work);
    const std::vector<std::size_t> used{3, 2, 1}, none{0, 0};
    QVERIFY(!ShardBias(work, 1, JobId(0u), {}).of(none));
    work.dataset.id = "no-such-data";
    QVERIFY(!ShardBias(work, 1, JobId(0u), {}).of(used));
    work.dataset = {"gaussian-stream", {}};
    work.shards = Shards::shuffled;
    QVERIFY(!ShardBias(work, 1, JobId(0u), {}).of(used));
}

// As it ships, and with the alarm: fastest-4 is left well above the others at the end, also above full-sync,
// which has not come to its end by then.
void tst_ShardBias::lessonTeaches() {
    const Registry registry = Registry::builtin();
    const auto read = readScenario(TRAINYARD_SOURCE_DIR "/scenarios/papers/stragglers/unlike-shards.json", registry);
    QVERIFY2(read.ok(), read.problems().empty() ? "" : read.problems()[0].text().c_str());
    QVERIFY(read->isCanonical());
    QCOMPARE(read.problems().size(), std::size_t{1});
    QCOMPARE(read.problems()[0].code, std::string("biased"));
    ComparisonRequest request{.scenario = std::make_shared<const Scenario>(read->scenario),
                              .registry = std::make_shared<const Registry>(registry),
                              .resources = {TRAINYARD_SOURCE_DIR "/resources"},
                              .seeds = {1, 2},
                              .threads = 1};
    for (const char* name : {"fastest-4", "fastest-4-reweighted", "dsag-4", "full-sync"})
        request.arms.push_back(armNamed(*request.scenario, registry, PolicyFamily::synchronization, name).value());
    const auto result = compare(request);
    QVERIFY(result.problems.empty());
    const auto loss = [&](std::size_t arm) { return result.arms[arm].metrics.at("final_loss").mean; };
    const double most[] = {0.9, 0.9, 0.97}; // of that of fastest-4
    for (std::size_t i = 0; i < 3; ++i)
        QVERIFY2(loss(i + 1) < most[i] * loss(0),
                 qPrintable(QStringLiteral("%1: %2 of %3").arg(i).arg(loss(i + 1)).arg(loss(0))));
}

TRAINYARD_TEST(tst_ShardBias)
#include "tst_ShardBias.moc"
