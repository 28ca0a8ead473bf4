// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Gradient-boosted trees: the same as by exhaustive search over rows, however rows are divided; what depth brings; messages that come late;
// every synchronization, in both modes.
#include "engine/Executor.h"
#include "learning/TrainingProblem.h"
#include "learning/data/StoredDataSet.h"
#include "support/DecidingScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace trainyard;
using namespace trainyard::test;

class tst_BoostedTrees : public QObject {
    Q_OBJECT
private slots:
    void stumpByHand();
    void sameAsExhaustiveSearch_data();
    void sameAsExhaustiveSearch();
    void severalWorkersGrowTheSameTree();
    void messagesThatDoNotFitArePassedOver();
    void depthTellsFeaturesTogether();
    void realData();
    void trains_data();
    void trains();
    void paceByItsMessages_data();
    void paceByItsMessages();
};

namespace {

Batch rowsOf(const DataSet& data, std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> rows(end - begin);
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(begin));
    Batch out;
    data.gather(rows, out);
    return out;
}

Batch wholeBatch(const DataSet& data) { return rowsOf(data, 0, data.rows()); }

/// Normal features, and targets that depend on two of them together.
Batch drawn(std::size_t rows, std::size_t features, bool classes, std::uint32_t seed) {
    RandomStream random(seed, Purpose::test);
    Batch out{.rows = rows, .features = features};
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < features; ++j) out.x.push_back(random.normal());
        const double* x = &out.x[i * features];
        const double score = x[0] * x[1] + 0.5 * x[features - 1] + 0.3 * random.normal();
        out.y.push_back(classes ? (score > 0 ? 1.0 : 0.0) : score);
    }
    return out;
}

struct Ensemble {
    Ensemble(const DataSet& data, ParamValues values, TreeGrowth growth)
        : model(makeModel({"boosted-trees", std::move(values)}, data).value()), rule(growth),
          w(model->parameterCount()), message(model->messageSize()) {
        RandomStream random(1, Purpose::test);
        model->initialise(w, random);
    }
    /// By one level; the loss before.
    double grow(const Batch& batch) {
        const double loss = model->gradient(w, batch, message);
        model->grow(w, message, rule);
        return loss;
    }
    /// F of a row, from its losses under two targets: log(1 + exp(F)) − log(1 + exp(−F)) = F, ½ F² − ½ (F − 1)² + ½ = F.
    double score(const Batch& batch, std::size_t row, bool classes) const {
        Batch one{.rows = 1, .features = batch.features};
        for (std::size_t j = 0; j < batch.features; ++j) one.x.push_back(batch.x[row * batch.features + j]);
        one.y = {0};
        const double other = model->loss(w, one);
        one.y = {1};
        return other - model->loss(w, one) + (classes ? 0 : 0.5);
    }

    std::shared_ptr<const Model> model;
    TreeGrowth rule;
    std::vector<double> w, message;
};

/// One tree after the other by recursion over sets of rows, cut at every midpoint of values next to each other.
struct Exhaustive {
    const Batch& batch;
    int depth;
    bool classes;
    TreeGrowth rule;
    std::vector<double> f = std::vector<double>(batch.rows, 0.0), g = f, h = f;

    double at(std::size_t i, std::size_t j) const { return batch.x[i * batch.features + j]; }
    double loss() const {
        double sum = 0;
        for (std::size_t i = 0; i < batch.rows; ++i)
            sum += classes ? std::log(1 + std::exp(batch.y[i] == 1 ? -f[i] : f[i]))
                           : 0.5 * (f[i] - batch.y[i]) * (f[i] - batch.y[i]);
        return sum / static_cast<double>(batch.rows);
    }
    double sum(const std::vector<double>& of, const std::vector<std::size_t>& rows) const {
        double out = 0;
        for (const std::size_t i : rows) out += of[i];
        return out / static_cast<double>(batch.rows);
    }
    double gain(const std::vector<std::size_t>& rows) const {
        return sum(g, rows) * sum(g, rows) / (sum(h, rows) + rule.penalty);
    }
    void split(const std::vector<std::size_t>& rows, int levels, double value) {
        std::vector<std::size_t> left, right;
        double most = rows.empty() ? 0 : gain(rows);
        for (std::size_t j = 0; levels > 0 && !rows.empty() && j < batch.features; ++j) {
            std::vector<double> values;
            for (std::size_t i = 0; i < batch.rows; ++i) values.push_back(at(i, j));
            std::sort(values.begin(), values.end());
            for (std::size_t k = 0; k + 1 < values.size(); ++k) {
                std::vector<std::size_t> below, above;
                for (const std::size_t i : rows)
                    (at(i, j) <= 0.5 * (values[k] + values[k + 1]) ? below : above).push_back(i);
                if (sum(h, below) <= rule.leastWeight || sum(h, above) <= rule.leastWeight) continue;
                const double here = gain(below) + gain(above);
                if (here <= most * (1 + 1e-9)) continue;
                most = here;
                left = below, right = above;
            }
        }
        if (left.empty()) {
            for (const std::size_t i : rows) f[i] += value;
            return;
        }
        for (const auto* side : {&left, &right})
            split(*side, levels - 1, -rule.rate * sum(g, *side) / (sum(h, *side) + rule.penalty));
    }
    void addTree() {
        std::vector<std::size_t> rows(batch.rows);
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        for (const std::size_t i : rows) {
            const double p = 1 / (1 + std::exp(-f[i]));
            g[i] = classes ? p - batch.y[i] : f[i] - batch.y[i];
            h[i] = classes ? p * (1 - p) : 1;
        }
        split(rows, depth, -rule.rate * sum(g, rows) / (sum(h, rows) + rule.penalty));
    }
};

ParamValues shape(int depth, int trees, int bins) {
    return {{"depth", std::int64_t{depth}}, {"trees", std::int64_t{trees}}, {"bins", std::int64_t{bins}}};
}

/// The loss before each tree, and at the end.
std::vector<double> lossesOf(const DataSet& data, int depth, int trees, double rate) {
    Ensemble ensemble(data, shape(depth, trees, 16), {.rate = rate, .leastWeight = 1e-3});
    const Batch all = wholeBatch(data);
    std::vector<double> out{ensemble.model->loss(ensemble.w, all)};
    for (double done = 0; ensemble.w[0] < trees * depth;) {
        ensemble.grow(all);
        if (ensemble.w[0] < done + depth) continue;
        done += depth;
        out.push_back(ensemble.model->loss(ensemble.w, all));
    }
    return out;
}

} // namespace

// Rows 1, 2, 3, 4 with targets 0, 0, 1, 1, quartiles: cuts 1.5, 2.5, 3.5. At zero, gradients of the bins are 0, 0, −¼ and −¼, curvatures ¼
// each: the stump at 2.5 gains 0 + 0.5²/0.5 = 0.5, those beside it 1/3. Its right leaf becomes 1: no loss is left.
void tst_BoostedTrees::stumpByHand() {
    const StoredDataSet data({4, 1, {1, 2, 3, 4}, {0, 0, 1, 1}}, 0);
    Ensemble one(data, shape(1, 1, 4), {});
    const Batch all = wholeBatch(data);
    QCOMPARE(one.grow(all), 0.25);
    QCOMPARE(one.message, (std::vector<double>{0, 0, -0.25, -0.25, 0.25, 0.25, 0.25, 0.25, 1, 0, 0}));
    QCOMPARE(one.w, (std::vector<double>{1, 1, 1, 0, 1})); // a level, a split, at the second cut, leaves
    QCOMPARE(one.model->loss(one.w, all), 0.0);
    one.grow(all); // there are no more trees
    QCOMPARE(one.w, (std::vector<double>{1, 1, 1, 0, 1}));
}

void tst_BoostedTrees::sameAsExhaustiveSearch_data() {
    QTest::addColumn<int>("depth");
    QTest::addColumn<bool>("classes");
    QTest::addColumn<double>("penalty");
    for (const int depth : {1, 2, 3, 4})
        for (const bool classes : {false, true})
            for (const double penalty : {0.0, 0.05})
                QTest::addRow("depth %d, %s, penalty %g", depth, classes ? "classes" : "numbers", penalty)
                    << depth << classes << penalty;
}

// Scores of all rows and losses after each of ten trees. As many quantiles as rows: every midpoint is a cut.
void tst_BoostedTrees::sameAsExhaustiveSearch() {
    QFETCH(int, depth);
    QFETCH(bool, classes);
    QFETCH(double, penalty);
    const Batch rows = drawn(40, 3, classes, static_cast<std::uint32_t>(depth));
    const StoredDataSet data(rows, classes ? 2 : 0);
    const TreeGrowth rule{.rate = 0.3, .leastWeight = 1e-3, .penalty = penalty};
    Ensemble ensemble(data, shape(depth, 10, 40), rule);
    Exhaustive search{rows, depth, classes, rule};
    for (int tree = 1; tree <= 10; ++tree) {
        search.addTree();
        while (ensemble.w[0] < tree * depth) ensemble.grow(rows);
        QVERIFY(std::abs(ensemble.model->loss(ensemble.w, rows) - search.loss()) < 1e-9);
        for (std::size_t i = 0; i < rows.rows; ++i)
            QVERIFY2(std::abs(ensemble.score(rows, i, classes) - search.f[i]) < 1e-9,
                     qPrintable(QStringLiteral("tree %1, row %2: %3, by search %4")
                                    .arg(tree)
                                    .arg(i)
                                    .arg(ensemble.score(rows, i, classes))
                                    .arg(search.f[i])));
    }
}

// Three workers with 100, 60 and 40 rows, weighted by them: the same splits, and values but for rounding. Twice the weight changes nothing.
void tst_BoostedTrees::severalWorkersGrowTheSameTree() {
    const StoredDataSet data(drawn(200, 4, true, 9), 2);
    const TreeGrowth rule{.rate = 0.3, .leastWeight = 1e-3, .penalty = 0.01};
    Ensemble alone(data, shape(3, 8, 16), rule), together(data, shape(3, 8, 16), rule);
    std::vector<Batch> shares{rowsOf(data, 0, 100), rowsOf(data, 100, 160), rowsOf(data, 160, 200)};
    for (int level = 0; level < 24; ++level) {
        alone.grow(wholeBatch(data));
        std::vector<double> mean(together.message.size());
        for (const Batch& share : shares) {
            together.model->gradient(together.w, share, together.message);
            for (std::size_t i = 0; i < mean.size(); ++i)
                mean[i] += 2 * static_cast<double>(share.rows) / 200 * together.message[i];
        }
        together.model->grow(together.w, mean, rule);
        for (std::size_t i = 0; i < alone.w.size(); ++i) QVERIFY(std::abs(alone.w[i] - together.w[i]) < 1e-12);
    }
    QVERIFY(alone.w[0] >= 24);
}

void tst_BoostedTrees::messagesThatDoNotFitArePassedOver() {
    const StoredDataSet data(drawn(200, 4, false, 2), 0);
    const Batch all = wholeBatch(data);
    Ensemble ensemble(data, shape(3, 4, 16), {.rate = 0.3});
    ensemble.grow(all);
    const std::vector<double> late = ensemble.message, before = ensemble.w;
    const auto unchangedBy = [&](const std::vector<double>& message) {
        const std::vector<double> w = ensemble.w;
        ensemble.model->grow(ensemble.w, message, ensemble.rule);
        return ensemble.w == w;
    };
    QVERIFY(unchangedBy(late)); // of the level before
    std::vector<double> now(late.size()), mixed(late.size());
    ensemble.model->gradient(ensemble.w, all, now);
    for (const double share : {1e-5, 0.01, 0.5, 0.99}) { // of the late one, in a mean
        for (std::size_t i = 0; i < late.size(); ++i) mixed[i] = share * late[i] + (1 - share) * now[i];
        QVERIFY(unchangedBy(mixed));
    }
    QVERIFY(unchangedBy(std::vector<double>(late.size()))); // of nobody
    // Half read before the level grew: the split at the root is missing.
    std::vector<double> torn = ensemble.w, message(late.size());
    torn[2] = -1;
    ensemble.model->gradient(torn, all, message);
    QVERIFY(unchangedBy(message));
    QVERIFY(!unchangedBy(now));
    QCOMPARE(ensemble.w[0], before[0] + 1);
}

// y = sign(x₀ x₁): no stump says anything of it beyond chance; trees of two levels, though chosen greedily, say four fifths.
void tst_BoostedTrees::depthTellsFeaturesTogether() {
    Batch rows = drawn(1000, 2, false, 5);
    for (std::size_t i = 0; i < rows.rows; ++i) rows.y[i] = rows.x[2 * i] * rows.x[2 * i + 1] > 0 ? 1 : -1;
    const StoredDataSet data(rows, 0);
    const auto stumps = lossesOf(data, 1, 40, 0.3), trees = lossesOf(data, 2, 40, 0.3);
    QVERIFY(std::abs(stumps.front() - 0.5) < 1e-12);
    QVERIFY2(stumps.back() > 0.44, qPrintable(QString::number(stumps.back())));
    QVERIFY2(trees.back() < 0.125, qPrintable(QString::number(trees.back())));
}

// Breast cancer, η = 0.3: each tree lowers the loss, from ln 2; the loss of 40 trees of depth 3 is less than a third of that of 40 stumps.
void tst_BoostedTrees::realData() {
    const auto data = loadDataSet({"breast-cancer", {}}, 3, {TRAINYARD_SOURCE_DIR "/resources"}).value();
    const auto stumps = lossesOf(*data, 1, 40, 0.3), trees = lossesOf(*data, 3, 40, 0.3);
    for (const auto& losses : {stumps, trees}) {
        QVERIFY(std::abs(losses.front() - std::log(2.0)) < 1e-12);
        for (std::size_t i = 1; i < losses.size(); ++i)
            QVERIFY2(losses[i] < losses[i - 1], qPrintable(QString::number(i)));
    }
    QVERIFY2(stumps.back() < 0.12, qPrintable(QString::number(stumps.back())));
    QVERIFY2(3 * trees.back() < stumps.back(),
             qPrintable(QStringLiteral("%1, %2").arg(trees.back()).arg(stumps.back())));
}

namespace {

/// 120 updates of trees of depth 2, three workers and two servers.
Scenario treesOnAStar(const std::string& synchronization) {
    Scenario scenario = starScenario(5);
    Job job = trainedJob();
    job.servers = {2, 2};
    job.stop.iterations = 120;
    auto& work = std::get<TrainedWork>(job.work);
    work.model = {"boosted-trees", shape(2, 60, 16)};
    work.optimizer = {"boosting", {{"learning_rate", 0.3}}};
    work.batch = 200;
    work.secondsPerSample = 2e-5;
    work.evaluation.everyIterations = 1;
    scenario.jobs.push_back(job);
    scenario.policies.synchronization = {synchronization, {}};
    return scenario;
}

const double messageNumbers = 2 * 2 * 10 * 16 + 3; // two nodes, ten features of sixteen bins

} // namespace

void tst_BoostedTrees::trains_data() {
    QTest::addColumn<QString>("synchronization");
    QTest::addColumn<bool>("executed");
    const Registry registry = Registry::builtin();
    int rows = 0;
    for (const auto& entry : registry.synchronizations) {
        const Scenario scenario = treesOnAStar(entry.id);
        if (registry.incompatible(scenario.jobs[0], scenario.policies.synchronization, scenario.policies.parameters))
            continue;
        QTest::addRow("%s", entry.id.c_str()) << QString::fromStdString(entry.id) << false;
        ++rows;
    }
    QVERIFY(rows >= 8);
    for (const char* id : {"full-sync", "async", "k-async"}) QTest::addRow("%s, executed", id) << id << true;
}

// The loss a quarter of what it was, never much above its least (adaptive-load: trees of few rows fit their noise), and all bytes of messages
// sent.
void tst_BoostedTrees::trains() {
    QFETCH(QString, synchronization);
    QFETCH(bool, executed);
    const SimulationOptions options = optionsFor(treesOnAStar(synchronization.toStdString()));
    std::unique_ptr<Simulation> simulation;
    std::unique_ptr<Executor> executor;
    if (executed) {
        executor = std::move(Executor::create(options)).value();
        executor->run({}, [] {});
    } else {
        simulation = std::move(Simulation::create(options)).value();
        while (simulation->step()) {}
    }
    const EventLog& log = executed ? executor->log() : simulation->log();
    QCOMPARE(eventsOf(log, EventType::updateApplied).size(), std::size_t{120});
    double first = 0, least = 0;
    for (const Event& e : eventsOf(log, EventType::lossEvaluated)) {
        if (first == 0) first = least = e.value;
        QVERIFY2(e.value <= least + 0.05 * first, qPrintable(QStringLiteral("%1, %2").arg(e.value).arg(least)));
        least = std::min(least, e.value);
    }
    QVERIFY2(least < 0.25 * first, qPrintable(QStringLiteral("%1, %2").arg(least).arg(first)));
    for (const Event& e : eventsOf(log, EventType::pushStarted)) QCOMPARE(e.value, 8 * messageNumbers);
}

void tst_BoostedTrees::paceByItsMessages_data() {
    QTest::addColumn<QString>("synchronization");
    QTest::addColumn<bool>("varies");
    for (const char* id : {"full-sync", "async"})
        for (const bool varies : {false, true}) QTest::addRow("%s%s", id, varies ? ", times vary" : "") << id << varies;
}

// Links so slow that messages, which are longer than the parameters, take most of the time: schedulers are told the pace of the run, to
// 2 % where workers share links as their times bring it about.
void tst_BoostedTrees::paceByItsMessages() {
    QFETCH(QString, synchronization);
    QFETCH(bool, varies);
    Scenario scenario = treesOnAStar(synchronization.toStdString());
    scenario.policies.scheduler = {"deciding", {}};
    for (Link& link : scenario.cluster.links) link.bandwidth = 1e5;
    if (varies)
        for (Machine& machine : scenario.cluster.machines)
            machine.straggler.factor = {.law = Law::exponential, .mean = 1};
    std::get<TrainedWork>(scenario.jobs[0].work).secondsPerSample = 1e-3;
    double told = 0;
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(
        DecidingScheduler::entry([&](const PolicyContext&, const SchedulerView& view, SchedulingDecisions& decisions) {
            for (const JobId job : view.jobsIn(JobPhase::waiting)) {
                const Placement placement{.workers = {MachineId(0u), MachineId(1u), MachineId(2u)},
                                          .servers = {MachineId(3u), MachineId(4u)}};
                told = view.speed().secondsPerUpdate(job, placement);
                decisions.replan({{job, placement}});
            }
        }));
    SimulationOptions options = optionsFor(scenario);
    options.registry = std::make_shared<const Registry>(std::move(registry));
    const auto simulation = std::move(Simulation::create(options)).value();
    while (simulation->step()) {}
    const auto updates = eventsOf(simulation->log(), EventType::updateApplied);
    const double pace =
        (updates.back().time - updates.front().time).toSeconds() / static_cast<double>(updates.size() - 1);
    const double off = varies ? 0.1 : 0.02;
    QVERIFY2(std::abs(told / pace - 1) < off, qPrintable(QStringLiteral("%1, %2").arg(told).arg(pace)));
}

TRAINYARD_TEST(tst_BoostedTrees)
#include "tst_BoostedTrees.moc"
