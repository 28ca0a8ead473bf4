// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How stale a gradient is, by the numbers that it was computed at: every gradient is computed once more at the parameters of earlier
// updates, of each server its own, until it is the same to the last bit.
#include "engine/Executor.h"
#include "record/Metrics.h"
#include "scenario/RunRequirements.h"
#include "support/ProbedSync.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <optional>

using namespace trainyard;
using namespace trainyard::test;

namespace {

struct Ran {
    std::shared_ptr<SyncProbe> probe = std::make_shared<SyncProbe>();
    std::shared_ptr<const EventLog> log;
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const TrainingProblem> problem;
};

Ran ran(Scenario scenario, const Choice& synchronization, bool executed) {
    Ran out;
    scenario.policies.synchronization = {"test-probed", {}};
    auto options = optionsFor(scenario, scenario.seed);
    Registry registry = Registry::builtin();
    registry.synchronizations.push_back(ProbedSync::entry(synchronization, out.probe));
    options.registry = std::make_shared<const Registry>(std::move(registry));
    if (executed) {
        auto executor = std::move(Executor::create(options)).value();
        executor->run({}, [] {});
        out.log = executor->sharedLog();
        out.workload = executor->workload();
    } else {
        auto simulation = std::move(Simulation::create(options)).value();
        while (simulation->step()) {}
        out.log = simulation->sharedLog();
        out.workload = simulation->workload();
    }
    out.problem = makeTrainingProblems(scenario, *out.workload, scenario.seed, {}).value()[0];
    return out;
}

/// The oldest of the versions of the keys that give this message; nothing if none within `window` updates do.
std::optional<std::uint64_t> oldestVersion(const Ran& run, const SyncProbe::Arrival& arrival, std::uint32_t workers,
                                           std::size_t keys, int samples, std::uint64_t window) {
    const std::size_t count = run.problem->parameterCount();
    std::vector<std::uint64_t> versions(keys, arrival.updates);
    const std::uint64_t first = arrival.updates > window ? arrival.updates - window : 0;
    std::vector<double> at(count), message(run.problem->messageSize());
    for (;;) {
        bool known = true;
        for (std::size_t k = 0; k < keys && known; ++k) {
            const auto it = run.probe->parameters.find(versions[k]);
            known = it != run.probe->parameters.end();
            for (std::size_t i = count * k / keys; known && i < count * (k + 1) / keys; ++i) at[i] = it->second[i];
        }
        if (known) {
            run.problem->gradient(at, {arrival.worker, arrival.task, arrival.worker, workers, samples}, message);
            if (message == arrival.message) return *std::min_element(versions.begin(), versions.end());
        }
        std::size_t k = 0;
        while (k < keys && versions[k] == first) versions[k++] = arrival.updates;
        if (k == keys) return std::nullopt;
        --versions[k];
    }
}

/// A job of `workers` workers whose messages take milliseconds, each way at each machine its own.
Scenario slowMessages(std::uint64_t seed, int workers, int servers, double scale = 1) {
    RandomStream random(seed, Purpose::test, 92);
    Scenario s = starScenario(workers + std::max(1, servers));
    s.seed = seed;
    for (Link& link : s.cluster.links) link.latency = Duration::seconds(0.01 * scale * random.unit());
    for (Machine& machine : s.cluster.machines) machine.straggler.factor = {.law = Law::exponential, .mean = 1};
    Job job = trainedJob();
    job.workers = {workers, workers};
    job.servers = {servers, servers};
    job.stop.iterations = 60;
    auto& work = std::get<TrainedWork>(job.work);
    work.optimizer = {"sgd", {{"learning_rate", 0.01}}};
    work.secondsPerSample = 1e-3 * scale * random.unit();
    work.secondsPerUpdate = random.below(2) == 0 ? 0 : 1e-3 * scale;
    work.evaluation.everyIterations = 1000;
    s.jobs = {job};
    return s;
}

} // namespace

class tst_ReadVersions : public QObject {
    Q_OBJECT
private slots:
    void areThoseOfTheNumbers_data();
    void areThoseOfTheNumbers();
    void meanOfAsync();
};

void tst_ReadVersions::areThoseOfTheNumbers_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<int>("servers");
    QTest::addColumn<bool>("executed");
    for (const char* policy : {"async", "ssp", "k-async", "k-batch-async", "k-batch-sync", "dsag", "fastest-k"})
        for (const int servers : {0, 1, 2, 3})
            QTest::addRow("%s, %d servers", policy, servers) << QString(policy) << servers << false;
    for (const char* policy : {"async", "dsag"})
        for (const int servers : {1, 2})
            QTest::addRow("%s, %d servers, executed", policy, servers) << QString(policy) << servers << true;
}

// What the policy is told, what the log says of each arrival, and the metric.
void tst_ReadVersions::areThoseOfTheNumbers() {
    QFETCH(QString, policy);
    QFETCH(int, servers);
    QFETCH(bool, executed);
    std::size_t compared = 0, late = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const int workers = servers == 0 ? 3 : 4;
        const Ran run =
            ran(slowMessages(seed, workers, servers, executed ? 0.3 : 1), {policy.toStdString(), {}}, executed);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> truth;
        for (const auto& arrival : run.probe->arrivals) {
            const std::size_t keys = static_cast<std::size_t>(servers == 0 ? workers : servers);
            const auto version = oldestVersion(run, arrival, static_cast<std::uint32_t>(workers), keys, 16,
                                               keys < 2   ? 60
                                               : keys < 3 ? 30
                                                          : 16);
            QVERIFY2(
                version,
                qPrintable(
                    QStringLiteral("seed %1, worker %2, task %3").arg(seed).arg(arrival.worker).arg(arrival.task)));
            QCOMPARE(arrival.readVersion, *version);
            truth[{arrival.worker, arrival.task}] = *version;
            ++compared;
        }
        std::uint64_t updates = 0;
        double sum = 0, most = 0, used = 0;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> asked;
        for (std::size_t i = 0; i < run.log->size(); ++i) {
            const Event& e = (*run.log)[i];
            const auto it = truth.find({e.a, e.b});
            if (e.type == EventType::pullStarted) asked[{e.a, e.b}] = updates;
            if (e.type == EventType::updateApplied) updates = e.count();
            if (it == truth.end()) continue; // it came when the job was about to end
            if (e.type == EventType::gradientArrived) {
                QCOMPARE(e.value, static_cast<double>(updates - it->second));
                if (asked.contains({e.a, e.b})) late += asked[{e.a, e.b}] < it->second;
            }
            if (e.type != EventType::gradientUsed) continue;
            const auto staleness = static_cast<double>(updates - it->second);
            sum += staleness;
            most = std::max(most, staleness);
            ++used;
        }
        const Metrics metrics = computeMetrics(*run.workload, *run.log, (*run.log)[run.log->size() - 1].time);
        QVERIFY(used > 50);
        QVERIFY(std::abs(metrics.values.at("mean_staleness") - sum / used) < 1e-9);
        QCOMPARE(metrics.values.at("max_staleness"), most);
    }
    qInfo("%zu gradients, %zu of them asked for before an update that they were computed after", compared, late);
    if (policy == "async" && servers > 0) QVERIFY(late > 20);
}

// One server; a request takes 10 ms to it, the answer 10 ms, the computation 10 ms on average and the gradient 10 ms (their bytes
// nothing). Of the 40 ms of a task's cycle its numbers are on the way for 30, in which three others apply
// 3 · 30/40 = 2.25 updates on average. Counted from the request it would be 3.
void tst_ReadVersions::meanOfAsync() {
    Scenario s = starScenario(5);
    for (Link& link : s.cluster.links) {
        link.latency = Duration::seconds(0.005);
        link.bandwidth = 1e12;
    }
    for (Machine& machine : s.cluster.machines)
        machine.straggler.factor = {.law = Law::uniform, .low = 0.5, .high = 1.5};
    Job job = trainedJob();
    job.workers = {4, 4};
    job.stop.iterations = 4000;
    auto& work = std::get<TrainedWork>(job.work);
    work.batch = 10;
    work.optimizer = {"sgd", {{"learning_rate", 0.001}}};
    work.evaluation.everyIterations = 1000;
    s.jobs = {job};
    const Ran run = ran(s, {"async", {}}, false);
    const Metrics metrics = computeMetrics(*run.workload, *run.log, (*run.log)[run.log->size() - 1].time);
    const double mean = metrics.values.at("mean_staleness");
    QVERIFY2(std::abs(mean - 2.25) < 0.02, qPrintable(QString::number(mean)));
}

TRAINYARD_TEST(tst_ReadVersions)
#include "tst_ReadVersions.moc"
