// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// When losses of analytic jobs are evaluated under the rate model: measures of losses may not depend on who schedules.
#include "engine/Simulation.h"
#include "scenario/Scenario.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>
#include <set>

using namespace trainyard;
using namespace trainyard::test;

class tst_LossTimes : public QObject {
    Q_OBJECT
private slots:
    void everyUpdateUnderEveryScheduler_data();
    void everyUpdateUnderEveryScheduler();
    void lossesAreTheSameWhoeverAsksForThem();
    void longJobsStayCheap();
    void theirOwnRuleIsKept();
};

namespace {

/// Jobs of 1 to 6 workers on one machine of 6; updates take 6 s divided by the workers.
Scenario elastic(const Choice& scheduler, const std::vector<std::int64_t>& updates, std::int64_t every = 1) {
    Scenario s = starScenario(1);
    s.network = NetworkModel::rate;
    s.policies.scheduler = scheduler;
    s.cluster.resourceNames = {"cpu"};
    s.cluster.machines[0].capacity = ResourceVector::of({6});
    for (std::size_t j = 0; j < updates.size(); ++j) {
        Job job{.key = "j" + std::to_string(j), .arrival = SimTime::seconds(7.5 * static_cast<double>(j))};
        job.workerDemand = ResourceVector::of({1});
        job.workers = {1, 6};
        job.servers = {0, 0};
        job.stop.iterations = updates[j];
        AnalyticWork work{.samples = 6, .parameterBytes = 0, .batch = 6, .evaluation = {.everyIterations = every}};
        work.batchOf = BatchOf::job;
        work.law = UpdateLaw{.fixedSeconds = 0, .dividedSeconds = 6, .perWorkerSeconds = 0};
        job.work = work;
        s.jobs.push_back(job);
    }
    return s;
}

std::unique_ptr<Simulation> runOf(const Scenario& scenario, bool goesByLosses = false) {
    SimulationOptions options = optionsFor(scenario, 1);
    auto registry = std::make_shared<Registry>(*options.registry);
    if (goesByLosses)
        for (SchedulerEntry& entry : registry->schedulers) entry.goesByLosses = true;
    options.registry = registry;
    auto made = Simulation::create(options);
    if (!made) return nullptr;
    while (made.value()->step()) {}
    return std::move(made).value();
}

std::vector<std::uint64_t> evaluatedUpdates(const Simulation& run, std::uint32_t job = 0) {
    std::vector<std::uint64_t> out;
    for (const Event& e : eventsOf(run.log(), EventType::lossEvaluated))
        if (e.job == job) out.push_back(e.count());
    return out;
}

} // namespace

void tst_LossTimes::everyUpdateUnderEveryScheduler_data() {
    QTest::addColumn<QByteArray>("scheduler");
    const Registry registry = Registry::builtin();
    for (const char* id : {"fifo", "fair", "slaq", "quality-rate", "las", "srtf", "drf", "optimus", "afs", "pollux"})
        QTest::newRow(id) << QByteArray(id);
}

void tst_LossTimes::everyUpdateUnderEveryScheduler() {
    QFETCH(QByteArray, scheduler);
    const auto run = runOf(elastic({scheduler.toStdString(), {}}, {40, 30, 60}));
    QVERIFY(run);
    const std::uint64_t updates[] = {40, 30, 60};
    for (std::uint32_t j = 0; j < 3; ++j) {
        const auto seen = evaluatedUpdates(*run, j);
        const std::set<std::uint64_t> all(seen.begin(), seen.end());
        QCOMPARE(all.size(), updates[j] + 1);
        QCOMPARE(*all.rbegin(), updates[j]);
    }
}

void tst_LossTimes::lossesAreTheSameWhoeverAsksForThem() {
    const Scenario scenario = elastic({"fair", {}}, {40, 30, 3000});
    const auto asked = runOf(scenario, true), unasked = runOf(scenario, false);
    QVERIFY(asked && unasked);
    QCOMPARE(asked->log().digest(), unasked->log().digest());
}

// Up to 1,024 updates each is seen, later ones a thousandth apart, rounded up: at most 1,024 (1 + ln 100) of 102,400, and the changes of workers that
// slaq makes add none.
void tst_LossTimes::longJobsStayCheap() {
    std::vector<std::uint64_t> alone;
    for (const char* scheduler : {"fifo", "slaq"}) {
        const auto run = runOf(elastic({scheduler, {}}, {102'400, 300, 200, 100}));
        QVERIFY(run);
        const auto seen = evaluatedUpdates(*run);
        if (alone.empty()) alone = seen;
        QCOMPARE(seen, alone);
        const double most = 1024 * (1 + std::log(100.0)), count = static_cast<double>(seen.size());
        QVERIFY2(count <= most && count > 0.85 * most, qPrintable(QString::number(count)));
        for (std::size_t i = 1; i < seen.size(); ++i) QVERIFY(seen[i] - seen[i - 1] <= 1 + seen[i - 1] / 1024);
    }
}

void tst_LossTimes::theirOwnRuleIsKept() {
    const auto run = runOf(elastic({"slaq", {{"epoch_s", 0.7}}}, {100, 100, 100}, 7));
    QVERIFY(run);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t k = 0; k < 100; k += 7) expected.push_back(k);
    expected.push_back(100);
    for (std::uint32_t j = 0; j < 3; ++j) QCOMPARE(evaluatedUpdates(*run, j), expected);
}

TRAINYARD_TEST(tst_LossTimes)
#include "tst_LossTimes.moc"
