// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Built-in schedulers: one case by hand each, exact solvers where there are some, and random workloads with
// failures.
#include "base/Format.h"
#include "policy/Registry.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_Schedulers : public QObject {
    Q_OBJECT
private slots:
    void fifoBlocksTheLineByHand();
    void fifoSkipsWhenTold();
    void fifoSizes();
    void srtfByHand();
    void srtfPreemptsOnlyWhoItNeeds();
    void srtfMakesRoomForAsMuchAsItPlaces();
    void srtfIsOptimalOnOneMachine_data();
    void srtfIsOptimalOnOneMachine();
    void srtfDoesNotFlapWithElasticJobs();
    void drfIsThePapersExample();
    void drfStopsOrSkips();
    void drfWithWeights();
    void drfIsMaxMinFair_data();
    void drfIsMaxMinFair();
    void fairGrowsAndShrinks();
    void fairIsWaterFilling_data();
    void fairIsWaterFilling();
    void fairFillsGapsAfterLosses();
    void attainedServiceIsWorkersTimesTime();
    void wakingAfterLessThanANanosecond();
    void explainingChangesNoDecision_data();
    void explainingChangesNoDecision();
    void everyJobEndsAndNothingOversteps_data();
    void everyJobEndsAndNothingOversteps();
};

/// Equal up to a microsecond: ends are rounded to nanoseconds at every event.
static bool near(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return std::abs(x - y) < 1e-6; });
}

static Workload oneMachine(std::initializer_list<double> capacity, std::vector<Job> jobs) {
    Workload out;
    out.cluster.resourceNames = {"cpu", "memory_gb"};
    out.cluster.machines = {machineWith("m", capacity)};
    out.jobs = std::move(jobs);
    return out;
}

// --- fifo
// --------------------------------------------------------------------------------------------------------------

/// 4 processors. a needs 3 for 10 s from 0; b needs 2 for 4 s from 1; c needs 1 for 2 s from 2.
static Workload threeInLine() {
    Workload w = oneMachine({4}, {workerJob("a", 0, {3}), workerJob("b", 1, {2}), workerJob("c", 2, {1})});
    return w;
}

void tst_Schedulers::fifoBlocksTheLineByHand() {
    // b does not fit beside a (1 left) and keeps c waiting though c would fit: both start at 10; b ends at
    // 14, c at 12.
    SchedulerDriver driver(makeScheduler("fifo"), threeInLine(), {10, 4, 2});
    driver.run();
    QVERIFY(near(driver.finished, std::vector<double>{10, 14, 12}));
    QCOMPARE(firstBroken(driver), "");
}

void tst_Schedulers::fifoSkipsWhenTold() {
    // c passes b at 2 and ends at 4; b starts at 10 as before.
    SchedulerDriver driver(makeScheduler("fifo", {{"skip", true}}), threeInLine(), {10, 4, 2});
    driver.run();
    QVERIFY(near(driver.finished, std::vector<double>{10, 14, 4}));
    const auto& passing = driver.arena.all()[1];
    QCOMPARE(passing.candidates.size(), std::size_t{2});
    QCOMPARE(passing.candidates[0].label, std::string("b"));
    QVERIFY(!passing.candidates[0].feasible());
    QCOMPARE(passing.chosen, std::vector<std::size_t>{1});
    QCOMPARE(firstBroken(driver), "");
}

void tst_Schedulers::fifoSizes() {
    for (const auto& [size, workers] : {std::pair{"as-many-as-fit", 5u}, {"minimum", 2u}, {"maximum", 0u}}) {
        SchedulerDriver driver(makeScheduler("fifo", {{"size", std::string(size)}}),
                               oneMachine({5}, {workerJob("a", 0, {1}, {2, 8})}), {10});
        driver.step();
        QCOMPARE(driver.workersOf(0), std::size_t{workers});
    }
}

// --- srtf
// --------------------------------------------------------------------------------------------------------------

void tst_Schedulers::srtfByHand() {
    // One processor. a: 10 s from 0, b: 3 s from 2, c: 1 s from 3. Preemptive: a runs 0–2, b 2–3 (2 left, c
    // has 1), c 3–4, b 4–6, a 6–14. Not preemptive: a 0–10, then c (1) before b (3): 11, 14.
    const auto workload = [] {
        return oneMachine({1}, {workerJob("a", 0, {1}), workerJob("b", 2, {1}), workerJob("c", 3, {1})});
    };
    SchedulerDriver driver(makeScheduler("srtf"), workload(), {10, 3, 1});
    driver.run();
    QVERIFY(near(driver.finished, std::vector<double>{14, 6, 4}));
    SchedulerDriver patient(makeScheduler("srtf", {{"preemptive", false}}), workload(), {10, 3, 1});
    patient.run();
    QVERIFY(near(patient.finished, std::vector<double>{10, 14, 11}));
    QCOMPARE(firstBroken(driver), "");
    QCOMPARE(firstBroken(patient), "");
}

void tst_Schedulers::srtfPreemptsOnlyWhoItNeeds() {
    // 4 processors: a (3 of them, 20 s) and b (1, 30 s) run when c (2, 5 s) comes at 1. The longest, b, is
    // released first but its one processor is not enough; with a gone too c fits, and then b need not go:
    // only a is preempted.
    SchedulerDriver driver(makeScheduler("srtf"),
                           oneMachine({4}, {workerJob("a", 0, {3}), workerJob("b", 0, {1}), workerJob("c", 1, {2})}),
                           {20, 30, 5});
    driver.run();
    QVERIFY(near(driver.finished, std::vector<double>{25, 30, 6}));
    const auto preempted = std::count_if(driver.decisions.begin(), driver.decisions.end(),
                                         [](const auto& d) { return d.kind == SchedulingDecision::Kind::preempt; });
    QCOMPARE(preempted, 1);
    QCOMPARE(firstBroken(driver), "");
}

void tst_Schedulers::srtfMakesRoomForAsMuchAsItPlaces() {
    // 4 processors: a (1, 20 s) and c (3, 2 s) run when b comes, which takes 4 of 1…4 workers and 3 s. Room for its minimum
    // is no help: a would give way, b would not start, a would start again, and no time would pass. c ends at 2 s and b is
    // started in a's place.
    SchedulerDriver driver(
        makeScheduler("srtf", {{"size", std::string("maximum")}}),
        oneMachine({4}, {workerJob("a", 0, {1}), workerJob("c", 0, {3}), workerJob("b", 1, {1}, {1, 4})}), {20, 2, 12});
    driver.run();
    QCOMPARE(firstBroken(driver), "");
    QVERIFY(near(driver.finished, std::vector<double>{23, 2, 5}));
}

void tst_Schedulers::srtfIsOptimalOnOneMachine_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 30; ++seed) QTest::addRow("seed %d", seed) << seed;
}

/// Least possible sum of completion times on one processor with preemption at whole seconds, by trying every
/// schedule.
static int bestSum(std::vector<int> left, const std::vector<int>& arrival, int now, int soFar, int best) {
    if (soFar >= best) return best;
    bool any = false, future = false;
    for (std::size_t j = 0; j < left.size(); ++j) {
        if (left[j] == 0) continue;
        if (arrival[j] > now) {
            future = true;
            continue;
        }
        any = true;
        auto after = left;
        --after[j];
        best = std::min(best, bestSum(after, arrival, now + 1, soFar + (after[j] == 0 ? now + 1 : 0), best));
    }
    if (!any) return future ? bestSum(left, arrival, now + 1, soFar, best) : std::min(best, soFar);
    return best;
}

void tst_Schedulers::srtfIsOptimalOnOneMachine() {
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test);
    std::vector<Job> jobs;
    std::vector<int> arrival, length;
    for (int j = 0; j < 4; ++j) {
        arrival.push_back(j == 0 ? 0 : arrival.back() + int(random.below(3)));
        length.push_back(1 + int(random.below(4)));
        jobs.push_back(workerJob("j" + std::to_string(j), arrival.back(), {1}));
    }
    SchedulerDriver driver(makeScheduler("srtf"), oneMachine({1}, jobs), {length.begin(), length.end()});
    driver.run();
    double sum = 0;
    for (double t : driver.finished) sum += t;
    QCOMPARE(sum, double(bestSum(length, arrival, 0, 0, 1 << 20)));
    QCOMPARE(firstBroken(driver), "");
}

void tst_Schedulers::srtfDoesNotFlapWithElasticJobs() {
    // a runs on 1 of 1…8 workers since b holds 7; on the idle cluster a would take 24/8 = 3 s, b 70/7 = 10 s.
    // Neither may throw out the other at every event: at most one preemption each.
    SchedulerDriver driver(makeScheduler("srtf"),
                           oneMachine({8}, {workerJob("b", 0, {1}, {7, 7}), workerJob("a", 1, {1}, {1, 8}),
                                            workerJob("c", 2, {1}, {1, 1}), workerJob("d", 3, {1}, {1, 1})}),
                           {70, 24, 100, 100});
    driver.run();
    const auto preempted = std::count_if(driver.decisions.begin(), driver.decisions.end(),
                                         [](const auto& d) { return d.kind == SchedulingDecision::Kind::preempt; });
    QVERIFY(preempted <= 2);
    for (double t : driver.finished) QVERIFY(t > 0);
    QCOMPARE(firstBroken(driver), "");
}

// --- drf
// ---------------------------------------------------------------------------------------------------------------

/// Section 4.1 of the paper: 9 CPUs and 18 GB; A's tasks take <1 CPU, 4 GB>, B's <3 CPU, 1 GB>.
static Workload papersExample(Bounds bounds = {1, 100}) {
    return oneMachine({9, 18}, {workerJob("A", 0, {1, 4}, bounds), workerJob("B", 0, {3, 1}, bounds)});
}

void tst_Schedulers::drfIsThePapersExample() {
    // Shares: A 4/18 = 2/9 per task, B 3/9 = 1/3. A1 (2/9), B1 (1/3), A2 (4/9), B2 (2/3), A3 (2/3): all 9
    // CPUs are used.
    SchedulerDriver driver(makeScheduler("drf"), papersExample(), {1e6, 1e6});
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{3});
    QCOMPARE(driver.workersOf(1), std::size_t{2});
    QCOMPARE(firstBroken(driver), "");
    const auto& why = driver.arena.all().front();
    QCOMPARE(why.summary.english(), std::string("A starts with 3 workers: its share is 0.667"));
}

void tst_Schedulers::drfStopsOrSkips() {
    // 10 CPUs, 100 GB: A <1, 1>, B <4, 1>. A1 (.1), B1 (.4), A2, A3, A4 (.4): a tie goes to A: A5 (.5), then
    // B (.4): 5 + 4 = 9, B's next 4 do not fit. Stop ends here with A 5, B 1; skip gives A the last CPU: A 6,
    // B 1.
    for (const auto& [rule, expected] : {std::pair{"stop", 5u}, {"skip", 6u}}) {
        SchedulerDriver driver(
            makeScheduler("drf", {{"on_misfit", std::string(rule)}}),
            oneMachine({10, 100}, {workerJob("A", 0, {1, 1}, {1, 100}), workerJob("B", 0, {4, 1}, {1, 100})}),
            {1e6, 1e6});
        driver.step();
        QCOMPARE(driver.workersOf(0), std::size_t{expected});
        QCOMPARE(driver.workersOf(1), std::size_t{1});
    }
}

void tst_Schedulers::drfWithWeights() {
    // 12 equal CPUs, weights 2 and 1: 8 and 4.
    auto workload = oneMachine({12}, {workerJob("A", 0, {1}, {1, 100}), workerJob("B", 0, {1}, {1, 100})});
    workload.jobs[0].weight = 2;
    SchedulerDriver driver(makeScheduler("drf"), workload, {1e6, 1e6});
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{8});
    QCOMPARE(driver.workersOf(1), std::size_t{4});
}

void tst_Schedulers::drfIsMaxMinFair_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 100; ++seed) QTest::addRow("seed %d", seed) << seed;
}

void tst_Schedulers::drfIsMaxMinFair() {
    // On one machine the allocation of integers must be max-min fair up to one task: no job can get one
    // worker more by taking one from a job whose share would stay greater than the first's is after it.
    // (Exact: progressive filling gives a worker only to a job of least share, so if i was passed over for
    // lack of room, every other's share before its last worker was at most i's then, or its worker would
    // still have fitted.) And nothing is left in which anyone fits.
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test, 1);
    std::vector<Job> jobs;
    std::vector<std::array<double, 2>> demands;
    for (int j = 0; j < 4; ++j) {
        demands.push_back({1 + double(random.below(5)), 1 + double(random.below(5))});
        jobs.push_back(
            workerJob("j" + std::to_string(j), 0, {demands[std::size_t(j)][0], demands[std::size_t(j)][1]}, {1, 1000}));
    }
    const double capacity[2] = {40 + double(random.below(60)), 40 + double(random.below(60))};
    SchedulerDriver driver(makeScheduler("drf"), oneMachine({capacity[0], capacity[1]}, jobs), {1e6, 1e6, 1e6, 1e6});
    driver.step();
    double used[2] = {0, 0}, shares[4], steps[4];
    for (std::size_t j = 0; j < 4; ++j) {
        steps[j] = std::max(demands[j][0] / capacity[0], demands[j][1] / capacity[1]);
        shares[j] = steps[j] * double(driver.workersOf(j));
        for (int r = 0; r < 2; ++r) used[r] += demands[j][std::size_t(r)] * double(driver.workersOf(j));
    }
    for (std::size_t j = 0; j < 4; ++j) {
        QVERIFY(used[0] + demands[j][0] > capacity[0] || used[1] + demands[j][1] > capacity[1]); // nobody fits
        for (std::size_t other = 0; other < 4; ++other) {
            const bool swapFits = used[0] - demands[other][0] + demands[j][0] <= capacity[0] &&
                                  used[1] - demands[other][1] + demands[j][1] <= capacity[1];
            if (swapFits && other != j) QVERIFY(shares[other] - steps[other] <= shares[j] + 1e-12);
        }
    }
    QCOMPARE(firstBroken(driver), "");
}

// --- fair
// --------------------------------------------------------------------------------------------------------------

void tst_Schedulers::fairGrowsAndShrinks() {
    // 8 processors. a comes alone: 8 workers; b at 1 s: 4 and 4; c at 2 s with at most 1: 4, 3, 1 (a first by
    // arrival). a is then done with 8 + 4 + 4·t: it has 48 updates, so 36 more at 4 per s: ends at 11 s; b: 4
    // + 3·9 = 31 of 49 by then and gets 7: 18/7 s more; c needs 100 s.
    SchedulerDriver driver(makeScheduler("fair"),
                           oneMachine({8}, {workerJob("a", 0, {1}, {1, 8}), workerJob("b", 1, {1}, {1, 8}),
                                            workerJob("c", 2, {1}, {1, 1})}),
                           {48, 49, 100});
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{8});
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{4});
    QCOMPARE(driver.workersOf(1), std::size_t{4});
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{4});
    QCOMPARE(driver.workersOf(1), std::size_t{3});
    QCOMPARE(driver.workersOf(2), std::size_t{1});
    driver.run();
    QVERIFY(std::abs(driver.finished[0] - 11) < 1e-6);
    QVERIFY(std::abs(driver.finished[1] - (11 + 18.0 / 7)) < 1e-6);
    QVERIFY(std::abs(driver.finished[2] - 102) < 1e-6);
    QCOMPARE(firstBroken(driver), "");
}

void tst_Schedulers::fairIsWaterFilling_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 50; ++seed) QTest::addRow("seed %d", seed) << seed;
}

void tst_Schedulers::fairIsWaterFilling() {
    // Machines of one processor each, equal demands: the answer is integer water filling, clamp(level,
    // minimum, maximum) with the highest level that fits; what is left over goes to the first jobs, one each.
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test, 2);
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    const int machines = 20 + int(random.below(30));
    for (int m = 0; m < machines; ++m) workload.cluster.machines.push_back(machineWith("m" + std::to_string(m), {1}));
    std::vector<Bounds> bounds;
    for (int j = 0; j < 5; ++j) {
        const int least = 1 + int(random.below(3));
        bounds.push_back({least, least + int(random.below(20))});
        workload.jobs.push_back(workerJob("j" + std::to_string(j), 0, {1}, bounds.back()));
    }
    SchedulerDriver driver(makeScheduler("fair"), workload, std::vector<double>(5, 1e6));
    driver.step();
    const auto total = [&](int level) {
        int sum = 0;
        for (const auto& b : bounds) sum += std::clamp(level, b.minimum, b.maximum);
        return sum;
    };
    int level = 0;
    while (level < 100 && total(level + 1) <= machines) ++level;
    int left = machines - total(level);
    for (std::size_t j = 0; j < 5; ++j) {
        int expected = std::clamp(level, bounds[j].minimum, bounds[j].maximum);
        if (left > 0 && expected == level && level < bounds[j].maximum) {
            ++expected;
            --left;
        }
        QCOMPARE(int(driver.workersOf(j)), expected);
    }
    QCOMPARE(firstBroken(driver), "");
}

void tst_Schedulers::fairFillsGapsAfterLosses() {
    // Two machines of 4; a has 8 workers. When m1 fails the driver sends a back to waiting; it starts again
    // on m0 with 4, and grows onto m1 again after the repair without moving the four it has.
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m0", {4}), machineWith("m1", {4})};
    workload.jobs = {workerJob("a", 0, {1}, {1, 8})};
    SchedulerDriver driver(makeScheduler("fair"), workload, {1e6});
    driver.step();
    driver.failMachine(1);
    QCOMPARE(driver.workersOf(0), std::size_t{4});
    driver.repairMachine(1);
    QCOMPARE(driver.workersOf(0), std::size_t{8});
    const auto& workers = driver.state().jobs()[0].placement.workers;
    for (std::size_t w = 0; w < 8; ++w) QCOMPARE(workers[w].index(), std::size_t(w < 4 ? 0 : 1));
    QCOMPARE(firstBroken(driver), "");
}

// --- all
// ---------------------------------------------------------------------------------------------------------------

void tst_Schedulers::attainedServiceIsWorkersTimesTime() {
    // As in fairGrowsAndShrinks, whose workers each do one update per second: what a job has attained is what it has done.
    SchedulerDriver driver(makeScheduler("fair"),
                           oneMachine({8}, {workerJob("a", 0, {1}, {1, 8}), workerJob("b", 1, {1}, {1, 8}),
                                            workerJob("c", 2, {1}, {1, 1})}),
                           {48, 49, 100});
    for (int i = 0; i < 3; ++i) driver.step();
    const auto attained = [&](std::size_t job) { return driver.state().jobs()[job].attainedUntil(driver.now()); };
    QCOMPARE(attained(0), 8.0 + 4.0); // at 2 s
    QCOMPARE(attained(1), 4.0);
    QCOMPARE(attained(2), 0.0);
    driver.run();
    for (std::size_t job = 0; job < 3; ++job)
        QVERIFY2(std::abs(attained(job) - std::vector<double>{48, 49, 100}[job]) < 1e-6,
                 qPrintable(QString::number(attained(job))));
    QCOMPARE(firstBroken(driver), "");
}

/// Asks to be woken when the job it has started is done, and stops it then: as a policy does that plans in time.
class Waker final : public Scheduler {
public:
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Waker>(*this); }
    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        for (const JobId job : view.jobsIn(JobPhase::waiting)) {
            decisions.start(job, {{MachineId(std::size_t{0})}, {}});
            decisions.wakeAfter(context.now, 0.4e-9);
            decisions.wakeAfter(context.now, 1.2e-9);
        }
        m_calls.push_back(context.now.ns);
    }
    const std::vector<std::int64_t>& calls() const { return m_calls; }

private:
    std::vector<std::int64_t> m_calls;
};

void tst_Schedulers::wakingAfterLessThanANanosecond() {
    auto policy = std::make_unique<Waker>();
    const Waker& waker = *policy;
    SchedulerDriver driver(std::move(policy), oneMachine({4}, {workerJob("a", 1e-9 * 5, {1})}), {1});
    driver.run();
    QCOMPARE(firstBroken(driver), ""); // seconds() rounds 0.4 ns to none at all
    QCOMPARE(waker.calls(), (std::vector<std::int64_t>{5, 6, 7, 1'000'000'005}));
    QCOMPARE(Duration::secondsUp(0).ns, 1);
    QCOMPARE(Duration::secondsUp(-1).ns, 1);
    QCOMPARE(Duration::secondsUp(2.5e-9).ns, 3);
    QCOMPARE(Duration::secondsUp(3).ns, 3'000'000'000);
    QCOMPARE(Duration::secondsUp(1e300).ns, Duration::max().ns);
    RandomStream random(1, Purpose::test, 6);
    for (int i = 0; i < 1000; ++i) {
        const double s = std::exp(40 * random.unit() - 25);
        QVERIFY(Duration::secondsUp(s).toSeconds() >= s);
        QVERIFY(Duration::secondsUp(s).ns - Duration::seconds(s).ns <= 1);
    }
}

/// Six machines in three racks; jobs with bounds, servers and weights.
static Workload mixedJobs(RandomStream& random, std::vector<double>& updates) {
    Workload workload;
    workload.cluster.resourceNames = {"cpu", "gpu", "memory_gb"};
    for (int m = 0; m < 6; ++m)
        workload.cluster.machines.push_back(machineWith("m" + std::to_string(m),
                                                        {4 + double(random.below(8)), double(random.below(3)) + 1, 32},
                                                        "r" + std::to_string(m / 2)));
    double arrival = 0;
    for (int j = 0; j < 20; ++j) {
        const int least = 1 + int(random.below(2));
        arrival += double(random.below(4));
        Job job = workerJob("j" + std::to_string(j), arrival, {1 + double(random.below(2)), double(random.below(2)), 4},
                            {least, least + int(random.below(5))});
        job.servers = {int(random.below(2)), 1};
        job.serverDemand = ResourceVector::of({1, 0, 2});
        job.weight = 1 + double(random.below(3));
        workload.jobs.push_back(job);
        updates.push_back(1 + double(random.below(40)));
    }
    return workload;
}

void tst_Schedulers::explainingChangesNoDecision_data() { everyJobEndsAndNothingOversteps_data(); }

void tst_Schedulers::explainingChangesNoDecision() {
    // Without explanations whole shapes of waiting jobs are passed over, and running jobs take back what they hold at once.
    QFETCH(QString, id);
    QFETCH(QString, placing);
    QFETCH(int, seed);
    const auto decisionsWith = [&](WhyLevel level) {
        RandomStream random(std::uint64_t(seed), Purpose::test, 5);
        std::vector<double> updates;
        Workload workload = mixedJobs(random, updates);
        for (Job& job : workload.jobs) job.arrival = SimTime::seconds(job.arrival.toSeconds() / 4);
        SchedulerDriver driver(makeScheduler(id.toStdString(), {{"placing", placing.toStdString()}}), workload,
                               updates);
        driver.arena = ExplanationArena(level);
        for (int i = 0; i < 120 && driver.broken.empty(); ++i) {
            if (i % 11 == 5) driver.failMachine(std::size_t(i % 5));
            if (i % 11 == 9) driver.repairMachine(std::size_t((i - 4) % 5));
            driver.step();
        }
        return std::pair(driver.decisions, driver.broken);
    };
    const auto [with, broken] = decisionsWith(WhyLevel::full);
    const auto [without, brokenWithout] = decisionsWith(WhyLevel::off);
    QVERIFY(broken.empty() && brokenWithout.empty());
    QVERIFY(with.size() > 20);
    QCOMPARE(with.size(), without.size());
    for (std::size_t i = 0; i < with.size(); ++i)
        QVERIFY(with[i].kind == without[i].kind && with[i].job == without[i].job &&
                with[i].placement == without[i].placement);
}

void tst_Schedulers::everyJobEndsAndNothingOversteps_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("placing");
    QTest::addColumn<int>("seed");
    static const Registry registry = Registry::builtin();
    for (const auto* info : registry.list(PolicyFamily::scheduler))
        for (const char* placing : {"pack", "spread", "rack"})
            for (int seed = 0; seed < 12; ++seed)
                QTest::addRow("%s %s seed %d", info->id.c_str(), placing, seed)
                    << QString::fromStdString(info->id) << placing << seed;
}

void tst_Schedulers::everyJobEndsAndNothingOversteps() {
    QFETCH(QString, id);
    QFETCH(QString, placing);
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test, 3);
    std::vector<double> updates;
    const Workload workload = mixedJobs(random, updates);
    SchedulerDriver driver(makeScheduler(id.toStdString(), {{"placing", placing.toStdString()}}), workload, updates);
    driver.lossAt = [](JobId, double u) { return std::exp(-u); };
    int down = -1;
    for (int i = 0; i < 3000 && driver.broken.empty(); ++i) {
        if (i % 9 == 5) {
            if (down >= 0) driver.repairMachine(std::size_t(down));
            down = down >= 0 ? -1 : int(random.below(6));
            if (down >= 0) driver.failMachine(std::size_t(down));
        }
        if (i % 17 == 0) driver.policy = driver.policy->clone();
        if (!driver.step()) {
            if (down < 0) break;
            driver.repairMachine(std::size_t(down));
            down = -1;
        }
    }
    QCOMPARE(firstBroken(driver), "");
    // Those that plan in slots may refuse a job; nobody else. Those that go by losses may end one early.
    const Registry registry = Registry::builtin();
    const bool mayRefuse = registry.find(PolicyFamily::scheduler, id.toStdString())->schema.find("slot_s") != nullptr;
    for (std::size_t j = 0; j < driver.finished.size(); ++j)
        QVERIFY2(driver.finished[j] >= 0 ||
                     std::find(driver.stopped.begin(), driver.stopped.end(), j) != driver.stopped.end() ||
                     (mayRefuse && driver.state().jobs()[j].phase == JobPhase::rejected),
                 qPrintable(QStringLiteral("job %1 never ended").arg(j)));
    for (std::size_t m = 0; m < workload.cluster.machines.size(); ++m)
        QVERIFY(driver.state().machines()[m].free == workload.cluster.machines[m].capacity);
}

TRAINYARD_TEST(tst_Schedulers)
#include "tst_Schedulers.moc"
