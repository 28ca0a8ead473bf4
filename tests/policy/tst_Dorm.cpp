// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Utilization within limits of unfairness and change: the program against trying all counts, and the scheduler by hand.
#include "policy/scheduler/fair/UtilizationProgram.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

#include <random>

using namespace trainyard;
using namespace trainyard::test;

class tst_Dorm : public QObject {
    Q_OBJECT
private slots:
    void fairCountsAreThePapersExample();
    void programEqualsEnumeration();
    void limitsOfNodes();
    void plansByHand();
    void keepsWhatItHasWithoutAPlan();
    void serversComeWithWorkers();
    void explainsAndNotes();
};

namespace {

std::unique_ptr<Scheduler> dorm(ParamValues parameters = {}) { return makeScheduler("dorm", std::move(parameters)); }

UtilizationJob jobOf(std::vector<double> worker, Bounds workers) {
    UtilizationJob job;
    job.server.assign(worker.size(), 0.0);
    job.worker = std::move(worker);
    job.workers = workers;
    return job;
}

struct Best {
    bool found = false;
    double utilization = 0;
};

/// Tries all counts.
Best enumerated(const std::vector<UtilizationJob>& jobs, const std::vector<int>& fair,
                const UtilizationLimits& limits) {
    Best best;
    std::vector<int> counts;
    for (const UtilizationJob& job : jobs) counts.push_back(job.workers.minimum);
    for (;;) {
        double utilization = 0, unfairness = 0;
        int changed = 0;
        bool fits = true;
        for (std::size_t r = 0; r < jobs[0].worker.size(); ++r) {
            double used = 0;
            for (std::size_t j = 0; j < jobs.size(); ++j) used += jobs[j].share(counts[j], r);
            fits = fits && used <= 1 + 1e-9;
            utilization += used;
        }
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            unfairness += std::abs(jobs[j].dominantShare(counts[j]) - jobs[j].dominantShare(fair[j]));
            changed += jobs[j].before && *jobs[j].before != counts[j];
        }
        if (fits && unfairness <= limits.unfairness + 1e-9 && changed <= limits.changes)
            best = {true, std::max(best.utilization, utilization)};
        std::size_t j = 0;
        for (; j < jobs.size() && counts[j] == jobs[j].workers.maximum; ++j) counts[j] = jobs[j].workers.minimum;
        if (j == jobs.size()) return best;
        ++counts[j];
    }
}

} // namespace

void tst_Dorm::fairCountsAreThePapersExample() {
    // Ghodsi et al., NSDI 2011: 9 CPUs, 18 GB; A takes <1, 4>, B <3, 1>: 3 and 2. With minima of 0 workers there, of 1 here.
    const std::vector<UtilizationJob> jobs{jobOf({1.0 / 9, 4.0 / 18}, {1, 100}), jobOf({3.0 / 9, 1.0 / 18}, {1, 100})};
    QCOMPARE(dominantFairCounts(jobs), (std::vector<int>{3, 2}));
}

void tst_Dorm::programEqualsEnumeration() {
    int feasible = 0, infeasible = 0, bound = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        std::mt19937 random(seed);
        const auto whole = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
        std::vector<UtilizationJob> jobs;
        for (int j = 0; j < 3; ++j) {
            UtilizationJob job = jobOf({whole(1, 5) / 40.0, whole(0, 6) / 40.0}, {1, 0});
            job.workers.maximum = whole(2, 8);
            job.server = {whole(0, 4) / 40.0, whole(0, 8) / 40.0};
            if (whole(0, 1) == 0)
                job.workersPerServer = whole(1, 4);
            else
                job.servers = whole(0, 1);
            if (whole(0, 2) > 0) job.before = whole(1, job.workers.maximum);
            jobs.push_back(job);
        }
        double least = 0;
        for (std::size_t r = 0; r < 2; ++r) {
            double used = 0;
            for (const auto& job : jobs) used += job.share(1, r);
            least = std::max(least, used);
        }
        if (least > 1) continue; // the minima do not fit: nobody asks
        const std::vector<int> fair = dominantFairCounts(jobs);
        const UtilizationLimits limits{whole(0, 4) / 10.0, whole(0, 2)};
        const Best best = enumerated(jobs, fair, limits);
        const UtilizationPlan plan = bestUtilization(jobs, fair, limits);
        QVERIFY2((plan.status == LpSolution::Status::optimal) == best.found, qPrintable(QString::number(seed)));
        (best.found ? feasible : infeasible)++;
        if (!best.found) continue;
        QVERIFY2(
            std::abs(plan.utilization - best.utilization) < 1e-7,
            qPrintable(QStringLiteral("seed %1: %2, not %3").arg(seed).arg(plan.utilization).arg(best.utilization)));
        QVERIFY(plan.bound >= plan.utilization - 1e-7);
        QVERIFY(plan.unfairness <= limits.unfairness + 1e-6 && plan.changed <= limits.changes);
        const Best without = enumerated(jobs, fair, {1e9, 1000});
        bound += without.utilization > best.utilization + 1e-9;
    }
    QVERIFY2(feasible > 100 && infeasible > 10 && bound > 50,
             qPrintable(QStringLiteral("%1 %2 %3").arg(feasible).arg(infeasible).arg(bound)));
}

void tst_Dorm::limitsOfNodes() {
    // A knapsack whose relaxation is far off: one node is not enough, and the same plan comes out every time.
    std::mt19937 random(7);
    std::vector<UtilizationJob> jobs;
    for (int j = 0; j < 25; ++j)
        jobs.push_back(jobOf({std::uniform_int_distribution(101, 199)(random) / 12345.0,
                              std::uniform_int_distribution(101, 199)(random) / 12345.0},
                             {1, 40}));
    const std::vector<int> fair = dominantFairCounts(jobs);
    const UtilizationPlan one = bestUtilization(jobs, fair, {10, 0}, {.nodes = 5});
    const UtilizationPlan again = bestUtilization(jobs, fair, {10, 0}, {.nodes = 5});
    const UtilizationPlan more = bestUtilization(jobs, fair, {10, 0}, {.gap = 1e-4, .nodes = 20'000});
    QCOMPARE(one.workers, again.workers);
    QVERIFY(one.status == LpSolution::Status::stopped);
    QVERIFY(!more.workers.empty() && more.utilization <= more.bound + 1e-7);
    if (!one.workers.empty()) QVERIFY(one.utilization <= more.bound + 1e-7);
}

void tst_Dorm::plansByHand() {
    // 10 CPUs, 10 GB on one machine. A takes <1, 1>, B <1, 0>, up to 10 workers each. Dominant fair shares: 5 and 5, A 0.5 of both, B 0.5
    // of the CPUs: utilization 1 + 0.5. θ1 = 0.25: ⌈0.25 · 2 · 2⌉ = 1, so distances of 1 are allowed: A 9 and B 1 (0.4 + 0.4) use
    // 1.8 + 0.1.
    Workload workload;
    workload.cluster.resourceNames = {"cpu", "memory_gb"};
    workload.cluster.machines = {machineWith("m", {10, 10})};
    workload.jobs = {workerJob("A", 0, {1, 1}, {1, 10}), workerJob("B", 0, {1, 0}, {1, 10})};
    SchedulerDriver driver(dorm({{"theta1", 0.25}}), workload, {1e6, 1e6});
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{9});
    QCOMPARE(driver.workersOf(1), std::size_t{1});
    // θ1 = 0: no distance is allowed.
    SchedulerDriver fair(dorm({{"theta1", 0.0}}), workload, {1e6, 1e6});
    fair.step();
    QCOMPARE(fair.workersOf(0), std::size_t{5});
    QCOMPARE(fair.workersOf(1), std::size_t{5});
    QVERIFY(driver.broken.empty() && fair.broken.empty());
}

void tst_Dorm::keepsWhatItHasWithoutAPlan() {
    // 10 CPUs. A and B come at 0, at most 5 workers each: 5 and 5. C comes at 1 and needs 4. θ2 = 0.1: ⌈0.1 · 2⌉ = 1 of the two may change:
    // A or B to 1, and C 4. With θ2 = 0 none may change: there is no plan, C waits until A ends at 20, when A's 5 are free.
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {10})};
    workload.jobs = {workerJob("A", 0, {1}, {1, 5}), workerJob("B", 0, {1}, {1, 5}), workerJob("C", 1, {1}, {4, 4})};
    SchedulerDriver one(dorm({{"theta1", 1.0}}), workload, {100, 1000, 40});
    one.step();
    QCOMPARE(one.workersOf(0) + one.workersOf(1), std::size_t{10});
    one.step();
    QCOMPARE(one.workersOf(2), std::size_t{4});
    QCOMPARE(std::max(one.workersOf(0), one.workersOf(1)), std::size_t{5});
    QCOMPARE(std::min(one.workersOf(0), one.workersOf(1)), std::size_t{1});
    SchedulerDriver none(dorm({{"theta1", 1.0}, {"theta2", 0.0}}), workload, {100, 1000, 40});
    none.step();
    none.step();
    QCOMPARE(none.workersOf(2), std::size_t{0});
    QCOMPARE(none.workersOf(0), std::size_t{5});
    QCOMPARE(none.arena.all().refusals(), std::size_t{1});
    none.run();
    QVERIFY(std::abs(none.finished[0] - 20) < 1e-6 && std::abs(none.finished[2] - 30) < 1e-6);
    QVERIFY(one.broken.empty() && none.broken.empty());
}

void tst_Dorm::serversComeWithWorkers() {
    // 12 processors, γ = 4, one each: 9 workers and 3 servers take all.
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {12})};
    Job job = workerJob("a", 0, {1}, {1, 100});
    job.servers = {1, 25};
    job.workersPerServer = 4;
    job.serverDemand = ResourceVector::of({1});
    workload.jobs = {job};
    SchedulerDriver driver(dorm(), workload, {1e6});
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{9});
    QCOMPARE(driver.state().jobs()[0].placement.servers.size(), std::size_t{3});
    QVERIFY(driver.broken.empty());
}

void tst_Dorm::explainsAndNotes() {
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {4}), machineWith("n", {4})};
    workload.jobs = {workerJob("A", 0, {1}, {2, 8}), workerJob("B", 1, {1}, {2, 8}), workerJob("D", 1, {5})};
    SchedulerDriver driver(dorm({{"theta1", 0.5}}), workload, {80, 80, 1});
    driver.step();
    driver.step();
    QVERIFY(driver.broken.empty()); // each explanation gives its choice
    QVERIFY(driver.arena.all().size() >= 3);
    QCOMPARE(driver.arena.all()[0].summary.english().c_str(), "A starts with 8 workers in the plan for 1 job, on m, n");
    QCOMPARE(driver.workersOf(0) + driver.workersOf(1), std::size_t{8});
    QCOMPARE(driver.arena.all().refusals(), std::size_t{1}); // D fits on no machine
}

TRAINYARD_TEST(tst_Dorm)
#include "tst_Dorm.moc"
