// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// optimus: numbers by marginal gains, placement, intervals and predicted ends, by hand; random workloads with failures.
#include "policy/scheduler/elastic/EvenPlacing.h"
#include "policy/scheduler/elastic/OptimusGrowth.h"
#include "support/ElasticWorkload.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_Optimus : public QObject {
    Q_OBJECT
private slots:
    void numbersByHand();
    void serversUntilTheyGainNothing();
    void serversTiedToWorkers();
    void gainsPerDominantResource();
    void greedyIsOptimalForConvexTimes();
    void placementByHand();
    void placementIsEven();
    void intervalsByHand_data();
    void intervalsByHand();
    void arrivalsWaitWhereTold();
    void lossesPredictTheEnd();
    void lossesAreFittedOnce();
    void profiledCounts();
    void everyJobEndsAndNothingOversteps_data();
    void everyJobEndsAndNothingOversteps();
    void explainingChangesNoDecision();

private:
    static std::unique_ptr<Scheduler> scheduler(ParamValues parameters = {}) {
        return makeScheduler("optimus", std::move(parameters));
    }
    static Job withServers(Job job, Bounds servers, double demand = 1) {
        job.servers = servers;
        job.serverDemand = ResourceVector::of({demand});
        return job;
    }
    static bool near(double a, double b) { return std::abs(a - b) < 1e-6; }
    /// 12 seconds per update divided among the workers.
    static double divided(JobId, const Placement& p) { return 12.0 / static_cast<double>(p.workers.size()); }
};

// 6 processors, a worker takes one; T = 12/w. a has 10 updates to do, b 4. Seconds saved by the n-th worker: a 60, 20, 10; b 24, 8, 4.
// After one worker each, four more go to a (60), b (24), a (20), a (10): a has 4 and ends at 10·3 = 30 s, b 2 and ends at 4·6 = 24 s.
void tst_Optimus::numbersByHand() {
    SchedulerDriver d(scheduler(), onMachines({6}, {workerJob("a", 0, {1}, {1, 5}), workerJob("b", 0, {1}, {1, 5})}),
                      {10, 4});
    d.secondsPer = divided;
    d.step();
    QCOMPARE(d.workersOf(0), std::size_t{4});
    QCOMPARE(d.workersOf(1), std::size_t{2});
    // The explanation of a: 1 worker, the three steps, and the one that finds no room: 120, 60, 40, 30 s to go; 24 with a fifth.
    const Explanation& why = d.arena.all()[1];
    QCOMPARE(why.job, JobId(std::size_t{0}));
    QCOMPARE(why.candidates.size(), std::size_t{5});
    const double toGo[] = {120, 60, 40, 30, 24};
    for (std::size_t i = 0; i < 5; ++i) QVERIFY(near(why.candidates[i].numbers[3].value, toGo[i]));
    QVERIFY(near(why.candidates[1].checks[0].value, 60 * 6)); // per share of the cluster: a sixth
    QCOMPARE(why.chosen, std::vector<std::size_t>{3});
    d.run();
    QVERIFY(near(d.finished[0], 30) && near(d.finished[1], 24));
    QCOMPARE(firstBroken(d), "");
}

// One worker, T = 2 + 6/p + 0.6·p: 8.6, 6.2, 5.8, 5.9 s with 1 to 4 servers. The fourth would cost time: 3, though there is room.
void tst_Optimus::serversUntilTheyGainNothing() {
    SchedulerDriver d(scheduler(), onMachines({9}, {withServers(workerJob("a", 0, {1}, {1, 1}), {1, 4})}), {10});
    d.secondsPer = [](JobId, const Placement& p) {
        const auto servers = static_cast<double>(p.servers.size());
        return 2 + 6 / servers + 0.6 * servers;
    };
    d.step();
    QCOMPARE(d.state().jobs()[0].placement.servers.size(), std::size_t{3});
    const Explanation& why = d.arena.all()[0];
    QVERIFY(
        near(why.candidates.back().checks[0].value, -0.1 * 10 * 9)); // 0.1 s of each update, per ninth of the cluster
    QCOMPARE(firstBroken(d), "");
}

// Two workers to a server: with 7 processors, 4 workers and 2 servers; a fifth worker would need a third server.
void tst_Optimus::serversTiedToWorkers() {
    Job job = withServers(workerJob("a", 0, {1}, {1, 6}), {1, 3});
    job.workersPerServer = 2;
    SchedulerDriver d(scheduler(), onMachines({7}, {job}), {10});
    d.secondsPer = divided;
    d.step();
    QCOMPARE(d.workersOf(0), std::size_t{4});
    QCOMPARE(d.state().jobs()[0].placement.servers.size(), std::size_t{2});
    QCOMPARE(firstBroken(d), "");
}

// 8 processors, workers of a take 2, of b 1; T = 12/w, 10 updates each. With one each, 5 are left. Saved per eighth of the cluster: a
// 60/2 = 30, 20/2 = 10, 5; b 60, 20, 10, 6. b (60), a (30, 2 left), b (20, 1 left), then a's third (10) has no room and b gets it: 2, 4.
void tst_Optimus::gainsPerDominantResource() {
    SchedulerDriver d(scheduler(), onMachines({8}, {workerJob("a", 0, {2}, {1, 5}), workerJob("b", 0, {1}, {1, 5})}),
                      {10, 10});
    d.secondsPer = divided;
    d.step();
    QCOMPARE(d.workersOf(0), std::size_t{2});
    QCOMPARE(d.workersOf(1), std::size_t{4});
    QCOMPARE(firstBroken(d), "");
}

// Where times fall convexly with the workers and all workers take the same, steps by greatest gain give the least sum of times to go:
// against every division of the workers, on random jobs.
void tst_Optimus::greedyIsOptimalForConvexTimes() {
    RandomStream random(5, Purpose::test, 90);
    for (int round = 0; round < 200; ++round) {
        const int room = 4 + static_cast<int>(random.below(5));
        Workload workload = onMachines({double(room)}, {});
        std::vector<SpeedFit> speeds(3);
        std::vector<GrowingJob> jobs;
        for (std::size_t j = 0; j < 3; ++j) {
            workload.jobs.push_back(workerJob("j", 0, {1}, {1, 6}));
            speeds[j].coefficients = {0.1 + random.unit(), 0.2 * random.unit(), 0, 0.05 * random.unit(), 0};
            JobOutlook outlook{.speed = &speeds[j], .updates = 1 + 20 * random.unit(), .limitSeconds = INFINITY};
            jobs.push_back(leastOf(workload.jobs[j], JobId(j), {1, 6}, outlook));
        }
        ResourceVector left = ResourceVector::of({double(room - 3)});
        growByGains(workload, jobs, left, ResourceVector::of({double(room)}));
        const auto sum = [&](int a, int b, int c) {
            return jobs[0].outlook.secondsToGo(a, 0) + jobs[1].outlook.secondsToGo(b, 0) +
                   jobs[2].outlook.secondsToGo(c, 0);
        };
        double best = INFINITY;
        for (int a = 1; a <= 6; ++a)
            for (int b = 1; b <= 6; ++b)
                for (int c = 1; c <= 6 && a + b + c <= room; ++c) best = std::min(best, sum(a, b, c));
        const double found = sum(jobs[0].workers, jobs[1].workers, jobs[2].workers);
        QVERIFY2(found <= best * (1 + 1e-12), qPrintable(QStringLiteral("%1: %2, %3").arg(round).arg(found).arg(best)));
    }
}

// 4 workers and 2 servers of one processor. Machines with 4, 3 and 2: two of them hold 3 each (2 workers, 1 server). With 4, 2 and 2:
// not two (3 on the second), but three with 2 each: workers 2, 1, 1, then servers on the second and third.
void tst_Optimus::placementByHand() {
    const auto placed = [](std::vector<double> cpus) {
        const Workload w = onMachines(std::move(cpus), {withServers(workerJob("a", 0, {1}, {4, 4}), {2, 2})});
        FreeCapacity free(w.cluster);
        return placeEvenly(w, w.jobs[0], 4, 2, free, w.cluster.totalCapacity());
    };
    const auto ids = [](std::initializer_list<std::size_t> machines) {
        std::vector<MachineId> out;
        for (const std::size_t m : machines) out.emplace_back(m);
        return out;
    };
    QCOMPARE(placed({4, 3, 2})->workers, ids({0, 1, 0, 1}));
    QCOMPARE(placed({4, 3, 2})->servers, ids({0, 1}));
    QCOMPARE(placed({4, 2, 2})->workers, ids({0, 1, 2, 0}));
    QCOMPARE(placed({4, 2, 2})->servers, ids({1, 2}));
    QCOMPARE(placed({2, 3, 4})->workers, ids({2, 1, 2, 1}));     // the least loaded first
    QCOMPARE(placed({5, 1, 0})->workers.size(), std::size_t{4}); // no even division: packed
    QVERIFY(!placed({3, 2, 0}));
}

// Random machines and jobs: never more than is free, refused only where not even packing fits, and even where it can be on the fewest
// of the machines in order.
void tst_Optimus::placementIsEven() {
    RandomStream random(6, Purpose::test, 91);
    int even = 0;
    for (int round = 0; round < 500; ++round) {
        std::vector<double> cpus;
        for (std::size_t m = 0; m < 2 + random.below(5); ++m) cpus.push_back(double(1 + random.below(6)));
        const int w = 1 + static_cast<int>(random.below(5)), p = static_cast<int>(random.below(4));
        const Workload workload =
            onMachines(cpus, {withServers(workerJob("a", 0, {1 + double(random.below(2))}), {0, 9})});
        FreeCapacity free(workload.cluster), packing(workload.cluster);
        const auto placement = placeEvenly(workload, workload.jobs[0], w, p, free, workload.cluster.totalCapacity());
        const bool packs = placeTasks(workload, workload.jobs[0], w, p, packing, PlacingStrategy::pack).has_value();
        if (!placement) {
            QVERIFY(!packs);
            QVERIFY(free.total() == workload.cluster.totalCapacity());
            continue;
        }
        std::map<std::uint32_t, int> workers, servers;
        for (const MachineId m : placement->workers) ++workers[m.value];
        for (const MachineId m : placement->servers) ++servers[m.value];
        for (std::uint32_t m = 0; m < cpus.size(); ++m) {
            ResourceVector expected = workload.cluster.machines[m].capacity;
            expected -= demandOf(workload.jobs[0], workers[m], servers[m]);
            QVERIFY(!expected.anyNegative() && expected == free.of(MachineId(std::size_t{m})));
        }
        // The fewest machines: deal by hand over the first k in order, for every k.
        std::vector<std::uint32_t> order(cpus.size());
        for (std::uint32_t m = 0; m < order.size(); ++m) order[m] = m;
        const auto& job = workload.jobs[0];
        std::erase_if(order, [&](std::uint32_t m) {
            const ResourceVector& all = workload.cluster.machines[m].capacity;
            return !job.workerDemand.fitsIn(all) && !(p > 0 && job.serverDemand.fitsIn(all));
        });
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return cpus[a] > cpus[b]; });
        for (std::size_t k = 1; k <= std::min(order.size(), static_cast<std::size_t>(w + p)); ++k) {
            std::map<std::uint32_t, std::pair<int, int>> tasks;
            for (int i = 0; i < w; ++i) ++tasks[order[static_cast<std::size_t>(i) % k]].first;
            for (int i = w; i < w + p; ++i) ++tasks[order[static_cast<std::size_t>(i) % k]].second;
            const bool fits = std::all_of(tasks.begin(), tasks.end(), [&](const auto& t) {
                return demandOf(job, t.second.first, t.second.second)
                    .fitsIn(workload.cluster.machines[t.first].capacity);
            });
            if (!fits) continue;
            for (const auto& [m, count] : tasks) QVERIFY(workers[m] == count.first && servers[m] == count.second);
            ++even;
            break;
        }
    }
    QVERIFY(even > 100);
}

void tst_Optimus::intervalsByHand_data() {
    QTest::addColumn<QByteArray>("between");
    QTest::addColumn<double>("a");
    QTest::addColumn<double>("b");
    QTest::newRow("start") << QByteArray("start") << 315.0 << 68.0;
    QTest::newRow("wait") << QByteArray("wait") << 315.0 << 68.0;
    QTest::newRow("replan") << QByteArray("replan") << 312.0 << 58.0;
}

// 4 processors, T = 12/w, at most 4 workers. a (100 updates) has all four, 3 s per update, when b (4 updates) arrives at 10 s.
// Planned every 20 s: at 20 s a has 100 − 20/3 = 93.33 to go; b gets one worker, and the two others save a 560 and 187 s, b 24. b
// runs 48 s, to 68 s; a has three, 4 s per update, until the interval at 80 s: 78.33 to go, 235 s with four: 315 s.
// Planned at every event: b runs from 10 to 58 s; a goes on with 96.67 − 12 = 84.67 to go, 254 s: 312 s.
void tst_Optimus::intervalsByHand() {
    QFETCH(QByteArray, between);
    QFETCH(double, a);
    QFETCH(double, b);
    SchedulerDriver d(scheduler({{"interval_s", 20.0}, {"between", between.toStdString()}}),
                      onMachines({4}, {workerJob("a", 0, {1}, {1, 4}), workerJob("b", 10, {1}, {1, 4})}), {100, 4});
    d.secondsPer = divided;
    d.run();
    QCOMPARE(firstBroken(d), "");
    QVERIFY2(near(d.finished[0], a) && near(d.finished[1], b),
             qPrintable(QStringLiteral("%1 %2").arg(d.finished[0]).arg(d.finished[1])));
    if (between != "start") return;
    // b was refused once; nobody was preempted; a shrank once and grew once
    QCOMPARE(d.arena.all().refusals(), std::size_t{1});
    const auto count = [&](SchedulingDecision::Kind kind) {
        return std::count_if(d.decisions.begin(), d.decisions.end(), [&](const auto& x) { return x.kind == kind; });
    };
    QCOMPARE(count(SchedulingDecision::Kind::preempt), 0);
    QCOMPARE(count(SchedulingDecision::Kind::resize), 2);
}

// Beside a, which takes 2 of 4 processors at most, b (1 worker, 12 s) starts on arrival at 10 s, or at the interval at 20 s.
void tst_Optimus::arrivalsWaitWhereTold() {
    for (const auto& [between, end] : {std::pair{"start", 22.0}, {"wait", 32.0}}) {
        SchedulerDriver d(scheduler({{"interval_s", 20.0}, {"between", std::string(between)}}),
                          onMachines({4}, {workerJob("a", 0, {1}, {1, 2}), workerJob("b", 10, {1}, {1, 1})}), {100, 1});
        d.secondsPer = divided;
        d.run();
        QCOMPARE(firstBroken(d), "");
        QVERIFY(near(d.finished[1], end));
    }
}

// Both have 1,000 updates to do in truth, which is not looked at: they end by their losses. a's, 1/(k + 1) + 0.1, comes to 0.35 at
// k = 3; b's, 1/(0.01·k + 1) + 0.1, comes to 0.2 at k = 900. Before there is a history, both are taken to have 20 evaluations to go:
// three workers each of six. Then b's fifth worker still saves 900·12·(1/4 − 1/5) = 540 s, a's second 3·12/2 = 18 s: 1 and 5.
void tst_Optimus::lossesPredictTheEnd() {
    Job a = workerJob("a", 0, {1}, {1, 5}), b = workerJob("b", 0, {1}, {1, 5});
    a.stop.loss = 0.35;
    b.stop.loss = 0.2;
    SchedulerDriver d(scheduler({{"interval_s", 12.0}, {"converged_evaluations", std::int64_t{0}}}),
                      onMachines({6}, {a, b}), {1000, 1000});
    d.secondsPer = divided;
    d.lossAt = [](JobId job, double k) { return job.index() == 0 ? 1 / (k + 1) + 0.1 : 1 / (0.01 * k + 1) + 0.1; };
    d.step();
    QCOMPARE(d.workersOf(0), std::size_t{3});
    QCOMPARE(d.workersOf(1), std::size_t{3});
    d.run(8);
    QCOMPARE(d.workersOf(0), std::size_t{1});
    QCOMPARE(d.workersOf(1), std::size_t{5});
    QCOMPARE(firstBroken(d), "");
}

// The fit is that of the losses, made when they are new: as many losses as before are not looked at, whatever they are.
void tst_Optimus::lossesAreFittedOnce() {
    std::vector<LossPoint> losses, others;
    std::vector<double> updates, values;
    FittedLosses fitted;
    fitted.follow(losses);
    QVERIFY(!fitted.fit());
    for (std::uint64_t k = 0; k < 30; ++k) {
        const double update = static_cast<double>(k);
        losses.push_back({SimTime::seconds(update), k, 1 / (0.2 * update + 1) + 0.1 + (k % 3) * 0.01});
        others.push_back({SimTime::seconds(update), k, 7 / (2 * update + 1)});
        updates.push_back(update);
        values.push_back(losses.back().loss);
        fitted.follow(losses);
        const auto expected = fitLossHyperbola(updates, values);
        fitted.follow(others); // as many: nothing is new
        QCOMPARE(fitted.fit().has_value(), expected.has_value());
        if (!expected) continue;
        QVERIFY(fitted.fit()->a == expected->a && fitted.fit()->b == expected->b && fitted.fit()->c == expected->c);
        QCOMPARE(fitted.greatest(), losses.front().loss);
    }
}

void tst_Optimus::profiledCounts() {
    using Counts = std::vector<std::pair<int, int>>;
    Job job = withServers(workerJob("a", 0, {1}, {1, 9}), {1, 3});
    QCOMPARE(JobOutlooks::profiledCounts(job, {1, 9}),
             (Counts{{1, 1}, {1, 2}, {1, 3}, {5, 1}, {5, 2}, {5, 3}, {9, 1}, {9, 2}, {9, 3}}));
    job.workersPerServer = 3;
    QCOMPARE(JobOutlooks::profiledCounts(job, {1, 9}), (Counts{{1, 1}, {3, 1}, {5, 2}, {7, 3}, {9, 3}}));
    job = workerJob("b", 0, {1}, {2, 2});
    QCOMPARE(JobOutlooks::profiledCounts(job, {2, 2}), (Counts{{2, 0}}));
}

void tst_Optimus::everyJobEndsAndNothingOversteps_data() {
    QTest::addColumn<QByteArray>("between");
    for (const char* between : {"start", "replan", "wait"}) QTest::newRow(between) << QByteArray(between);
}

void tst_Optimus::everyJobEndsAndNothingOversteps() {
    QFETCH(QByteArray, between);
    std::ptrdiff_t grown = 0;
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        RandomStream random(seed, Purpose::test, 92);
        ElasticWorkload w = elasticWorkload(random);
        SchedulerDriver d(scheduler({{"interval_s", 3.0}, {"between", between.toStdString()}}), std::move(w.workload),
                          w.updates);
        runWithFailure(d, random);
        QCOMPARE(firstBroken(d), "");
        for (const double end : d.finished) QVERIFY2(end >= 0, qPrintable(QString::number(seed)));
        grown += std::count_if(d.decisions.begin(), d.decisions.end(),
                               [](const auto& x) { return x.kind == SchedulingDecision::Kind::resize; });
    }
    QVERIFY(grown > 50);
}

void tst_Optimus::explainingChangesNoDecision() {
    QVERIFY(!explainingChangesEnds(92, [] { return scheduler({{"interval_s", 3.0}}); }));
}

TRAINYARD_TEST(tst_Optimus)
#include "tst_Optimus.moc"
