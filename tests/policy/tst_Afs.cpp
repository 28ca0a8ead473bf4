// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// afs: workers one by one by the rule of AFS-L, by hand and against the rule written down once more; who waits; random workloads with
// failures.
#include "support/ElasticWorkload.h"
#include "support/TestMain.h"

#include <numeric>

using namespace trainyard;
using namespace trainyard::test;

class tst_Afs : public QObject {
    Q_OBJECT
private slots:
    void numbersByHand_data();
    void numbersByHand();
    void whoGainsNothingGetsNothing();
    void fixedJobsKeepTheirNumber();
    void serversComeWithWorkers();
    void shorterJobsComeFirst();
    void largeJobsDoNotBlock();
    void asTheRuleSays();
    void everyJobEndsAndNothingOversteps();
    void explainingChangesNoDecision();
};

namespace {

std::unique_ptr<Scheduler> afs(double interval = 1000) { return makeScheduler("afs", {{"interval_s", interval}}); }

/// Jobs of the same work are taken to go equally fast: these are not.
std::vector<Job> unlike(std::vector<Job> jobs) {
    for (std::size_t j = 0; j < jobs.size(); ++j) jobs[j].work = AnalyticWork{.samples = 1000 + double(j)};
    return jobs;
}

/// 14, 8, 6, 5, 4.4 seconds per update.
double someFixed(JobId, const Placement& p) { return 2 + 12.0 / static_cast<double>(p.workers.size()); }

} // namespace

void tst_Afs::numbersByHand_data() {
    QTest::addColumn<double>("cpus");
    QTest::addColumn<int>("a");
    QTest::addColumn<int>("b");
    const int rows[][3] = {{2, 1, 1}, {3, 1, 2}, {4, 2, 2}, {5, 2, 3}, {6, 3, 3}, {7, 3, 4}, {8, 4, 4}};
    for (const auto& [cpus, a, b] : rows) QTest::addRow("%d cpus", cpus) << double(cpus) << a << b;
}

// a has 10 updates to do, b 4; an update takes 2 + 12/w seconds. b is the shorter one throughout: with 1 worker it has 56 s to go, a with 4
// has 50, but b has 2 by then (32). What the next worker brings to b, relative to its speed before: 14/8 − 1 = 0.75, 8/6 − 1 = 0.333,
// 6/5 − 1 = 0.2, 5/4.4 − 1 = 0.136; to a, relative to its speed with it: 1 − 8/14 = 0.429, 1 − 6/8 = 0.25, 1 − 5/6 = 0.167.
// After one each: b (0.75 > 0.429), a (0.429 > 0.333), b (0.333 > 0.25), a (0.25 > 0.2), b (0.2 > 0.167), a (0.167 > 0.136).
void tst_Afs::numbersByHand() {
    QFETCH(double, cpus);
    QFETCH(int, a);
    QFETCH(int, b);
    SchedulerDriver d(afs(), onMachines({cpus}, {workerJob("a", 0, {1}, {1, 5}), workerJob("b", 0, {1}, {1, 5})}),
                      {10, 4});
    d.secondsPer = someFixed;
    d.step();
    QCOMPARE(firstBroken(d), "");
    QCOMPARE(d.workersOf(0), std::size_t(a));
    QCOMPARE(d.workersOf(1), std::size_t(b));
    if (cpus != 6) return;
    const Explanation& why = d.arena.all()[0];
    QCOMPARE(why.candidates.size(), std::size_t{2});
    QCOMPARE(why.chosen.size(), std::size_t{2});
    QVERIFY(std::abs(why.candidates[0].numbers[1].value - 0.2) < 1e-6);    // of three workers, if shorter
    QVERIFY(std::abs(why.candidates[0].numbers[2].value - 1. / 6) < 1e-6); // if longer
}

// b is shorter, but workers bring it nothing. a takes 13.5, 8, 6.5, 6, 5.9 and 6 s per update: the fifth worker still gains, the sixth does not.
void tst_Afs::whoGainsNothingGetsNothing() {
    SchedulerDriver d(afs(), onMachines({12}, unlike({workerJob("a", 0, {1}, {1, 8}), workerJob("b", 0, {1}, {1, 8})})),
                      {100, 4});
    d.secondsPer = [](JobId job, const Placement& p) {
        const auto w = static_cast<double>(p.workers.size());
        return job.index() == 0 ? 1 + 12 / w + w / 2 : 2.0;
    };
    d.step();
    QCOMPARE(d.workersOf(0), std::size_t{5});
    QCOMPARE(d.workersOf(1), std::size_t{1});
    QCOMPARE(firstBroken(d), "");
}

void tst_Afs::fixedJobsKeepTheirNumber() {
    SchedulerDriver d(afs(), onMachines({8}, {workerJob("a", 0, {1}, {3, 3}), workerJob("b", 0, {1}, {1, 9})}),
                      {10, 10});
    d.secondsPer = someFixed;
    d.step();
    QCOMPARE(d.workersOf(0), std::size_t{3});
    QCOMPARE(d.workersOf(1), std::size_t{5});
    QCOMPARE(firstBroken(d), "");
}

// Two workers to a server: with 7 processors 4 workers and 2 servers; a fifth worker would need a third server.
void tst_Afs::serversComeWithWorkers() {
    Job job = workerJob("a", 0, {1}, {1, 6});
    job.servers = {1, 3};
    job.serverDemand = ResourceVector::of({1});
    job.workersPerServer = 2;
    SchedulerDriver d(afs(), onMachines({7}, {job}), {10});
    d.secondsPer = someFixed;
    d.step();
    QCOMPARE(d.workersOf(0), std::size_t{4});
    QCOMPARE(d.state().jobs()[0].placement.servers.size(), std::size_t{2});
    QCOMPARE(firstBroken(d), "");
}

// One processor, a second per update. a, 10 updates, has 7 to go when b comes at 3 s with 2: b runs until 5 s, a again until 12 s. c, with
// 8 updates, comes at 4 s, when a has 7 to go: it waits until 12 s and ends at 20 s.
void tst_Afs::shorterJobsComeFirst() {
    SchedulerDriver d(afs(), onMachines({1}, {workerJob("a", 0, {1}), workerJob("b", 3, {1}), workerJob("c", 4, {1})}),
                      {10, 2, 8});
    d.run();
    QCOMPARE(firstBroken(d), "");
    QVERIFY(std::abs(d.finished[0] - 12) < 1e-6);
    QVERIFY(std::abs(d.finished[1] - 5) < 1e-6);
    QVERIFY(std::abs(d.finished[2] - 20) < 1e-6);
    QVERIFY(d.arena.all().refusals() > 0);
}

// The shortest job's worker needs 3 processors at once: there are 4 in all, but 2 on each machine. The others get them.
void tst_Afs::largeJobsDoNotBlock() {
    SchedulerDriver d(
        afs(), onMachines({2, 2}, {workerJob("a", 0, {3}), workerJob("b", 0, {1}, {1, 4}), workerJob("c", 0, {1})}),
        {1, 10, 10});
    d.secondsPer = someFixed;
    d.step();
    QCOMPARE(d.workersOf(0), std::size_t{0});
    QCOMPARE(d.workersOf(1) + d.workersOf(2), std::size_t{4});
    QCOMPARE(firstBroken(d), "");
}

// The rule as it stands in the brief, with throughputs p, on random jobs on one machine: least numbers by length, then a fold over the jobs
// for every processor. A job is left out once one more worker makes it no faster.
void tst_Afs::asTheRuleSays() {
    RandomStream random(11, Purpose::test, 93);
    int unequal = 0;
    for (int round = 0; round < 300; ++round) {
        const std::size_t n = 1 + random.below(5);
        int room = 2 + static_cast<int>(random.below(16));
        struct Law {
            double fixed, divided, each, updates;
            int least, most;
            double p(int w) const { return w == 0 ? 0 : 1 / (fixed + divided / w + each * w); }
            double length(int w) const { return updates / p(w); }
        };
        std::vector<Law> laws;
        std::vector<Job> jobs;
        std::vector<double> updates;
        for (std::size_t j = 0; j < n; ++j) {
            const int least = 1 + static_cast<int>(random.below(3));
            laws.push_back({0.1 + random.unit(), 0.5 + 5 * random.unit(), 0.1 * random.unit(), 1 + 50 * random.unit(),
                            least, least + static_cast<int>(random.below(6))});
            jobs.push_back(workerJob("j" + std::to_string(j), 0, {1}, {laws[j].least, laws[j].most}));
            updates.push_back(laws[j].updates);
        }
        SchedulerDriver d(afs(), onMachines({double(room)}, unlike(jobs)), updates);
        d.secondsPer = [&](JobId job, const Placement& p) {
            return 1 / laws[job.index()].p(static_cast<int>(p.workers.size()));
        };
        d.step();
        QCOMPARE(firstBroken(d), "");
        std::vector<int> share(n, 0);
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return laws[a].length(laws[a].least) < laws[b].length(laws[b].least);
        });
        for (const std::size_t j : order)
            if (laws[j].least <= room) room -= share[j] = laws[j].least;
        for (; room > 0; --room) {
            std::optional<std::size_t> winner;
            for (std::size_t j = 0; j < n; ++j) {
                if (share[j] == 0 || share[j] == laws[j].most || laws[j].p(share[j] + 1) <= laws[j].p(share[j]))
                    continue;
                if (!winner) {
                    winner = j;
                    continue;
                }
                const bool shorter = laws[j].length(share[j]) < laws[*winner].length(share[*winner]);
                const std::size_t a = shorter ? j : *winner, b = shorter ? *winner : j;
                const auto more = [&](std::size_t i) { return laws[i].p(share[i] + 1) - laws[i].p(share[i]); };
                winner = more(b) / laws[b].p(share[b] + 1) > more(a) / laws[a].p(share[a]) ? b : a;
            }
            if (!winner) break;
            ++share[*winner];
        }
        for (std::size_t j = 0; j < n; ++j)
            QVERIFY2(d.workersOf(j) == std::size_t(share[j]), qPrintable(QStringLiteral("round %1, job %2: %3, not %4")
                                                                             .arg(round)
                                                                             .arg(j)
                                                                             .arg(d.workersOf(j))
                                                                             .arg(share[j])));
        unequal += n > 1 && share[0] != share[1];
    }
    QVERIFY(unequal > 100);
}

void tst_Afs::everyJobEndsAndNothingOversteps() {
    std::ptrdiff_t grown = 0;
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        RandomStream random(seed, Purpose::test, 94);
        ElasticWorkload w = elasticWorkload(random);
        SchedulerDriver d(afs(3), std::move(w.workload), w.updates);
        runWithFailure(d, random);
        QCOMPARE(firstBroken(d), "");
        for (const double end : d.finished) QVERIFY2(end >= 0, qPrintable(QString::number(seed)));
        grown += std::count_if(d.decisions.begin(), d.decisions.end(),
                               [](const auto& x) { return x.kind == SchedulingDecision::Kind::resize; });
    }
    QVERIFY(grown > 50);
}

void tst_Afs::explainingChangesNoDecision() {
    QVERIFY(!explainingChangesEnds(94, [] { return afs(3); }));
}

TRAINYARD_TEST(tst_Afs)
#include "tst_Afs.moc"
