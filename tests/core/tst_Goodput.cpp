// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What updates with another batch are worth: the law of the noise scale, the batch with the greatest goodput, loss curves that are walked at
// another pace in every mode, the noise scale that trained jobs measure, and steps that grow with the batch.
#include "engine/Executor.h"
#include "learning/NoiseScale.h"
#include "learning/TrainingProblem.h"
#include "policy/scheduler/elastic/Goodput.h"
#include "support/DecidingScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TaskAccounts.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::test;

class tst_Goodput : public QObject {
    Q_OBJECT
private slots:
    void gainsByHand();
    void bestBatchAgainstAll();
    void recordedCurvesOnACourse();
    void lossesFollowTheBatch_data();
    void lossesFollowTheBatch();
    void aPreemptedJobGoesOnWhereItWas_data();
    void aPreemptedJobGoesOnWhereItWas();
    void noiseOfNormalGradients();
    void noiseScaleAtItsBounds();
    void trainedJobsMeasureTheirNoise_data();
    void trainedJobsMeasureTheirNoise();
    void stepsGrowWithTheBatch();
    void badInputIsNamed();
};

namespace {

constexpr int declared = 240, other = 960;
constexpr double phi = 500;

/// One server beside four workers; with the batch of the file an update takes 0.18 s, with four times as much 0.54.
Scenario noisyJob(NetworkModel network) {
    Scenario s = starScenario(5);
    s.network = network;
    Job job = analyticJob();
    job.workers = {4, 4};
    job.stop = {.loss = 0.02};
    auto& work = std::get<AnalyticWork>(job.work);
    work.parameterBytes = 1e-3;
    work.batch = declared;
    work.batchOf = BatchOf::job;
    work.law = UpdateLaw{0.02, 0.48, 0.01};
    work.noiseScale = phi;
    work.curve = {.a = 1, .b = 1, .c = 0, .p = 1};
    s.jobs = {job};
    s.policies.scheduler = {"deciding", {}};
    return s;
}

SimulationOptions decidedBy(const Scenario& scenario, DecidingScheduler::Decide decide, bool byNoise = false) {
    auto options = optionsFor(scenario);
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(DecidingScheduler::entry(std::move(decide)));
    registry.schedulers.back().goesByLosses = true;
    registry.schedulers.back().goesByNoise = byNoise;
    options.registry = std::make_shared<const Registry>(std::move(registry));
    options.resources.root = TRAINYARD_SOURCE_DIR "/resources";
    return options;
}

std::shared_ptr<const EventLog> logOf(const SimulationOptions& options, bool execute = false) {
    if (execute) {
        auto executor = Executor::create(options);
        executor.value()->run({}, [] {});
        return executor.value()->sharedLog();
    }
    auto simulation = Simulation::create(options);
    if (!simulation.ok())
        for (const auto& p : simulation.problems()) qCritical("%s", p.text().c_str());
    while (simulation.value()->step()) {}
    return simulation.value()->sharedLog();
}

/// Updates of the declared batch that m samples are worth, by McCandlish's law: φ + m samples do what needs 1 + φ/m steps.
double worth(double m) { return (1 + phi / declared) / (1 + phi / m); }

} // namespace

void tst_Goodput::gainsByHand() {
    QCOMPARE(batchGain(320, 32, 0), 1.0);
    QCOMPARE(batchGain(32, 32, 1000), 1.0);
    QVERIFY(std::abs(batchGain(64, 32, 32) - 4.0 / 3) < 1e-15);
    QVERIFY(std::abs(batchGain(320, 32, 1e12) - 10) < 1e-7); // all noise: a sample is a sample
    // Pollux's efficiency: ((var + sqr)/(var/s + sqr))/s with s = M/M0 and the variance of a declared batch.
    const double sqr = 2, var = sqr * 700 / 32, s = 5;
    QVERIFY(std::abs(batchGain(32 * s, 32, 700) - (var + sqr) / (var / s + sqr)) < 1e-12);
}

void tst_Goodput::bestBatchAgainstAll() {
    RandomStream random(3, Purpose::test, 31);
    int inside = 0;
    for (int round = 0; round < 300; ++round) {
        Goodput g{.other = {random.unit(), random.unit(), 0.1 * random.unit()},
                  .batched = {0, random.unit(), 0},
                  .declared = 50 + static_cast<int>(random.below(200)),
                  .noiseScale = std::pow(10, 5 * random.unit())};
        g.most = g.declared * (1 + static_cast<int>(random.below(40)));
        const int workers = 1 + static_cast<int>(random.below(8)), chosen = g.bestBatch(workers);
        QVERIFY(chosen >= g.declared && chosen <= g.most);
        double best = 0;
        for (int m = g.declared; m <= g.most; ++m) best = std::max(best, g.at(workers, m));
        QVERIFY2(g.best(workers) > best * (1 - 1e-4), qPrintable(QStringLiteral("round %1").arg(round)));
        inside += chosen > g.declared && chosen < g.most;
    }
    QVERIFY2(inside > 60, qPrintable(QString::number(inside)));
}

// Against every multiple of `every` in turn.
void tst_Goodput::recordedCurvesOnACourse() {
    RandomStream random(3, Purpose::test, 32);
    int found = 0;
    for (int round = 0; round < 300; ++round) {
        RecordedCurve curve{.key = "c", .updates = {0}, .losses = {1}};
        for (int i = 0; i < 12; ++i) {
            curve.updates.push_back(curve.updates.back() + 1 + double(random.below(30)));
            curve.losses.push_back(random.unit());
        }
        const CurveCourse course{double(random.below(50)), 40 * random.unit() - 10, 0.3 + 3 * random.unit()};
        const double from = course.from + double(random.below(40)), every = 1 + double(random.below(5));
        const double target = 0.1 + 0.6 * random.unit();
        double expected = INFINITY;
        for (double u = std::ceil(from / every) * every; u < 2000 && !std::isfinite(expected); u += every)
            if (curve.at(course.at(u)) <= target) expected = u;
        QCOMPARE(curve.firstAtMost(target, from, every, course), expected);
        found += std::isfinite(expected);
    }
    QVERIFY(found > 200);
}

void tst_Goodput::lossesFollowTheBatch_data() {
    QTest::addColumn<QString>("mode");
    for (const char* mode : {"flow", "rate", "execute"}) QTest::newRow(mode) << mode;
}

// At 1 s the batch becomes four times as large. What the log says of samples tells where on its curve the job is after each update.
void tst_Goodput::lossesFollowTheBatch() {
    QFETCH(QString, mode);
    const auto options =
        decidedBy(noisyJob(mode == "rate" ? NetworkModel::rate : NetworkModel::flow),
                  [](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
                      for (const JobId job : view.jobsIn(JobPhase::waiting)) {
                          decisions.start(job, placed({0, 1, 2, 3}, {4}));
                          decisions.wakeAt(SimTime::seconds(1));
                      }
                      if (context.now < SimTime::seconds(1) || view.state().job(JobId(0u)).batch > 0) return;
                      decisions.resize(JobId(0u), placed({0, 1, 2, 3}, {4}), other);
                  });
    const auto log = logOf(options, mode == "execute");
    for (const auto& error : accountErrors(*log)) QFAIL(error.c_str());
    // By rate the sixth update is begun with one batch and done with the other; its samples are counted as of the other.
    const double begun = 1 / 0.18 - 5, sixth = mode == "rate" ? begun + (1 - begun) * worth(other) : 0;
    double position = 0;
    std::uint64_t updates = 0;
    std::map<std::uint64_t, double> positions{{0, 0}};
    for (const Event& e : eventsOf(*log, EventType::updateApplied)) {
        const auto count = static_cast<double>(e.count() - updates);
        position += count * worth(e.value / count);
        if (mode == "rate" && updates == 5) position += sixth - worth(other);
        positions[updates = e.count()] = position;
    }
    const auto losses = eventsOf(*log, EventType::lossEvaluated);
    QVERIFY(losses.size() > 15);
    for (const Event& e : losses)
        QVERIFY2(std::abs(e.value - 1 / (positions.at(e.count()) + 1)) < 1e-9,
                 qPrintable(
                     QStringLiteral("update %1: %2, at %3").arg(e.count()).arg(e.value).arg(positions.at(e.count()))));
    // It ends at the first update at which the curve, 1/(x + 1), is at 0.02: x = 49.
    const auto last = static_cast<double>(updates);
    QVERIFY(positions.at(updates) >= 49 - 1e-9);
    QVERIFY(position - worth(other) < 49);
    QVERIFY(last < 30); // with the batch of the file it would take 49
}

void tst_Goodput::aPreemptedJobGoesOnWhereItWas_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<bool>("fails");
    for (const char* network : {"flow", "rate"})
        for (const bool fails : {false, true})
            QTest::addRow("%s, %s", network, fails ? "fails" : "preempted") << network << fails;
}

// Preempted, it keeps its place on the curve; failed, it is back at its last checkpoint, after eight updates.
void tst_Goodput::aPreemptedJobGoesOnWhereItWas() {
    QFETCH(QString, network);
    QFETCH(bool, fails);
    Scenario scenario = noisyJob(network == "rate" ? NetworkModel::rate : NetworkModel::flow);
    scenario.jobs[0].checkpoint.everyIterations = 4;
    if (fails)
        scenario.faults.push_back({.key = "m1", .atSeconds = 6, .repairAfterSeconds = 1, .meanSecondsBetween = {}});
    bool preempted = false;
    const auto log = logOf(decidedBy(
        scenario, [&](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
            if (!view.state().machines()[0].up) return;
            for (const JobId job : view.jobsIn(JobPhase::waiting)) {
                decisions.replan({{job, placed({0, 1, 2, 3}, {4}), other}});
                if (context.now < SimTime::seconds(6)) decisions.wakeAt(SimTime::seconds(6));
            }
            if (!fails && context.now == SimTime::seconds(6) && !view.jobsIn(JobPhase::running).empty() &&
                view.state().job(JobId(0u)).waitedSeconds == 0 && !preempted) {
                preempted = true;
                decisions.preempt(JobId(0u));
            }
        }));
    const auto stopped = eventsOf(*log, EventType::jobPreempted);
    QCOMPARE(stopped.size(), std::size_t{1});
    const double kept = stopped[0].a; // whole updates
    for (const Event& e : eventsOf(*log, EventType::lossEvaluated)) {
        // By rate, what was begun of an update goes on: every update has the same batch here.
        QVERIFY2(std::abs(e.value - 1 / (1 + static_cast<double>(e.count()) * worth(other))) < 1e-9,
                 qPrintable(QStringLiteral("update %1: %2").arg(e.count()).arg(e.value)));
    }
    QCOMPARE(kept, fails ? 8.0 : 11.0); // 6 s / 0.54 s
}

// Gradients N(G, Σ/b) in 40 dimensions with Σ diagonal; whatever the batch and the workers, φ = tr Σ/|G|².
void tst_Goodput::noiseOfNormalGradients() {
    RandomStream random(11, Purpose::test, 33);
    constexpr int dimensions = 40;
    std::vector<double> mean(dimensions), variance(dimensions);
    double squared = 0, trace = 0;
    for (int i = 0; i < dimensions; ++i) {
        mean[std::size_t(i)] = random.normal();
        variance[std::size_t(i)] = 200 * random.unit();
        squared += mean[std::size_t(i)] * mean[std::size_t(i)];
        trace += variance[std::size_t(i)];
    }
    const double truth = trace / squared;
    for (const auto& [workers, batch] : {std::pair{2, 4}, {4, 64}, {8, 1000}}) {
        std::vector<double> values;
        for (int repetition = 0; repetition < 60; ++repetition) {
            NoiseScale noise;
            for (int update = 0; update < 150; ++update) {
                std::vector<double> sum(dimensions);
                double norms = 0, norm = 0;
                for (int w = 0; w < workers; ++w)
                    for (std::size_t i = 0; i < dimensions; ++i) {
                        const double g = mean[i] + random.normal() * std::sqrt(variance[i] / batch);
                        sum[i] += g / workers;
                        norms += g * g / workers;
                    }
                for (const double g : sum) norm += g * g;
                noise.add(std::size_t(workers), batch, norms, norm);
            }
            values.push_back(*noise.value());
        }
        std::sort(values.begin(), values.end());
        const double median = 0.5 * (values[29] + values[30]);
        QVERIFY2(
            std::abs(median / truth - 1) < 0.12,
            qPrintable(
                QStringLiteral("%1 workers, batch %2: %3, not %4").arg(workers).arg(batch).arg(median).arg(truth)));
    }
}

void tst_Goodput::noiseScaleAtItsBounds() {
    NoiseScale none, all, early;
    for (int i = 0; i < 4; ++i) early.add(2, 8, 3, 2);
    QVERIFY(!early.value());
    early.add(2, 8, 3, 2);
    QVERIFY(early.value());
    for (int i = 0; i < 10; ++i) none.add(2, 8, 2, 2), all.add(2, 8, 2, 1); // equal gradients; orthogonal ones
    QCOMPARE(*none.value(), 0.0);
    QCOMPARE(*all.value(), NoiseScale::most);
}

void tst_Goodput::trainedJobsMeasureTheirNoise_data() {
    QTest::addColumn<bool>("executed");
    QTest::newRow("simulated") << false;
    QTest::newRow("executed") << true;
}

// With steps next to none the gradient stays, and so does φ, which the gradients of all rows, one by one, tell exactly.
void tst_Goodput::trainedJobsMeasureTheirNoise() {
    QFETCH(bool, executed);
    Scenario scenario = starScenario(5);
    scenario.policies.scheduler = {"deciding", {}};
    Job job = trainedJob();
    job.workers = {4, 4};
    job.stop.iterations = 400;
    auto& work = std::get<TrainedWork>(job.work);
    work.dataset.parameters = {{"rows", std::int64_t{8000}}, {"features", std::int64_t{10}}};
    work.optimizer.parameters = {{"learning_rate", 1e-9}};
    work.batch = 32;
    work.batchOf = BatchOf::job;
    work.secondsPerSample = 1e-5;
    work.evaluation.everyIterations = 400;
    scenario.jobs = {job};
    const auto options = decidedBy(
        scenario,
        [](const PolicyContext&, const SchedulerView& view, SchedulingDecisions& decisions) {
            for (const JobId waiting : view.jobsIn(JobPhase::waiting))
                decisions.start(waiting, placed({0, 1, 2, 3}, {4}));
        },
        true);
    const auto log = logOf(options, executed);
    const auto measured = eventsOf(*log, EventType::noiseMeasured);
    QCOMPARE(measured.size(), std::size_t{1});
    const auto problem = trainyard::TrainingProblem::make(work, options.seed, JobId(0u), options.resources).value();
    const std::vector<double> at = problem->initialParameters();
    const auto rows = static_cast<int>(problem->data().rows());
    std::vector<double> whole(problem->messageSize()), one(problem->messageSize());
    problem->gradient(at, {.samples = rows}, whole);
    double signal = 0, second = 0;
    for (const double g : whole) signal += g * g;
    for (int row = 0; row < rows; ++row) { // the row's own share is that row
        problem->gradient(at, {.partition = std::uint32_t(row), .partitions = std::uint32_t(rows), .samples = 1}, one);
        for (const double g : one) second += g * g / rows;
    }
    const double truth = (second - signal) / signal;
    QVERIFY2(std::abs(measured[0].value / truth - 1) < 0.25,
             qPrintable(QStringLiteral("%1, not %2").arg(measured[0].value).arg(truth)));
}

// Four times the batch with steps in proportion is what a job does that declares both.
void tst_Goodput::stepsGrowWithTheBatch() {
    const auto lossesOf = [](int batch, double rate, StepWithBatch rule, int given) {
        Scenario scenario = starScenario(4);
        scenario.policies.scheduler = {"deciding", {}};
        Job job = trainedJob();
        auto& work = std::get<TrainedWork>(job.work);
        work.batch = batch;
        work.batchOf = BatchOf::job;
        work.stepWithBatch = rule;
        work.optimizer.parameters = {{"learning_rate", rate}};
        scenario.jobs = {job};
        const auto log = logOf(
            decidedBy(scenario, [&](const PolicyContext&, const SchedulerView& view, SchedulingDecisions& decisions) {
                for (const JobId waiting : view.jobsIn(JobPhase::waiting))
                    decisions.replan({{waiting, placed({0, 1, 2}, {3}), given}});
            }));
        std::vector<double> out;
        for (const Event& e : eventsOf(*log, EventType::lossEvaluated)) out.push_back(e.value);
        return out;
    };
    const auto expected = lossesOf(48, 0.08, StepWithBatch::same, 0);
    const auto linear = lossesOf(12, 0.02, StepWithBatch::linear, 48);
    const auto same = lossesOf(12, 0.02, StepWithBatch::same, 48);
    const auto gain = lossesOf(12, 0.02, StepWithBatch::gain, 48);
    QCOMPARE(linear.size(), std::size_t{41});
    for (std::size_t i = 0; i < linear.size(); ++i) QVERIFY(std::abs(linear[i] - expected[i]) < 1e-9 * expected[i]);
    QVERIFY(gain.back() < same.back());          // some noise is measured
    QVERIFY(gain.back() > linear.back() * 1.05); // but there is a gradient, too
}

void tst_Goodput::badInputIsNamed() {
    Scenario scenario = noisyJob(NetworkModel::flow);
    scenario.policies.scheduler = {"fifo", {}};
    const auto problemsOf = [](const Scenario& s) {
        QStringList out;
        for (const Problem& p : validateScenario(s, Registry::builtin()))
            out << QString::fromStdString(p.pointer + ": " + p.text());
        return out.join('\n');
    };
    QCOMPARE(problemsOf(scenario), QString());
    std::get<AnalyticWork>(scenario.jobs[0].work).batchOf = BatchOf::worker;
    std::get<AnalyticWork>(scenario.jobs[0].work).law = {};
    QVERIFY2(problemsOf(scenario).contains("/jobs/0/noise_scale: "), qPrintable(problemsOf(scenario)));
    Job job = trainedJob();
    std::get<TrainedWork>(job.work).stepWithBatch = StepWithBatch::gain;
    scenario.jobs = {job};
    QVERIFY2(problemsOf(scenario).contains("/jobs/0/step_with_batch: "), qPrintable(problemsOf(scenario)));
}

TRAINYARD_TEST(tst_Goodput)
#include "tst_Goodput.moc"
