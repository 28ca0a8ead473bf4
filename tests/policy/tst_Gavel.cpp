// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// gavel: rounds on kinds of machines, by hand and against the shares that are due. What holds for all that share time in rounds: who stays,
// fills and fits, and random workloads with failures.
#include "policy/scheduler/timesharing/MachineKinds.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

/// Schedulers made of TimeSharing.
static constexpr const char* sharingTime[] = {"gavel", "themis"};

class tst_Gavel : public QObject {
    Q_OBJECT
private slots:
    void kindsOfMachines();
    void turnsByHand();
    void sharesAreReceived();
    void weights();
    void jobsTooLargeForAKind();
    void fillOrWait_data();
    void fillOrWait();
    void machinesAreKept();
    void everyJobEndsAndNothingOversteps_data();
    void everyJobEndsAndNothingOversteps();
    void explainingChangesNoDecision_data() { ids(); }
    void explainingChangesNoDecision();

private:
    static void ids() {
        QTest::addColumn<QByteArray>("id");
        for (const char* id : sharingTime) QTest::newRow(id) << QByteArray(id);
    }
    static bool near(double a, double b) { return std::abs(a - b) < 1e-6; }
};

void tst_Gavel::kindsOfMachines() {
    Workload w = onMachines({4, 8, 4, 4, 8}, {});
    w.cluster.devices = {{"fast", 3}, {"other", 1}};
    w.cluster.machines[2].device = "fast";
    w.cluster.machines[3].device = "other"; // of speed 1, as no device
    const auto kinds = machineKinds(w.cluster);
    const auto of = [&](std::size_t k) {
        std::vector<std::size_t> out;
        for (const MachineId m : kinds[k].machines) out.push_back(m.index());
        return out;
    };
    QCOMPARE(kinds.size(), std::size_t{3});
    QCOMPARE(of(0), (std::vector<std::size_t>{0, 3}));
    QCOMPARE(of(1), (std::vector<std::size_t>{1, 4}));
    QCOMPARE(of(2), (std::vector<std::size_t>{2}));
    QCOMPARE(kinds[2].label, std::string("fast"));
    KindRooms rooms(w.cluster, kinds, FreeCapacity(w.cluster));
    QVERIFY(near(rooms.total(0).amount(0), 8) && near(rooms.total(1).amount(0), 16) &&
            near(rooms.total(2).amount(0), 4));
    QVERIFY(near(rooms.total(3).amount(0), 28));
}

// One machine that holds one job, rounds of 10 s, two jobs of 20 updates of a second each, from 0 s on: half of the time each. Nobody has
// run: the first in line does, a. At 10 s b has had nothing: b. At 20 s both have had half of what passed, and are behind by 0: a, until
// 30 s, then b until 40 s.
void tst_Gavel::turnsByHand() {
    SchedulerDriver d(makeScheduler("gavel", {{"round_s", 10.0}}),
                      onMachines({1}, {workerJob("a", 0, {1}), workerJob("b", 0, {1})}), {20, 20});
    d.run();
    QCOMPARE(firstBroken(d), "");
    QVERIFY2(near(d.finished[0], 30) && near(d.finished[1], 40),
             qPrintable(QStringLiteral("%1 %2").arg(d.finished[0]).arg(d.finished[1])));
    std::vector<std::size_t> started;
    for (const auto& decision : d.decisions)
        if (decision.kind == SchedulingDecision::Kind::start) started.push_back(decision.job.index());
    QCOMPARE(started, (std::vector<std::size_t>{0, 1, 0, 1}));
}

// The cluster of tst_TimeShares::maxMinByHand: one fast machine and one slow, shares (0.5, 0.1), (0.5, 0.1) and (0, 0.8). Over 400 rounds
// of 10 s every job gets its shares but for a few rounds, and both machines are always in use.
void tst_Gavel::sharesAreReceived() {
    Workload w = onMachines({1, 1}, {workerJob("a", 0, {1}), workerJob("b", 0, {1}), workerJob("c", 0, {1})});
    w.cluster.devices = {{"fast", 3}};
    w.cluster.machines[0].device = "fast";
    SchedulerDriver d(makeScheduler("gavel", {{"round_s", 10.0}}), std::move(w), {1e6, 1e6, 1e6});
    d.secondsPer = [](JobId job, const Placement& p) {
        return job.index() < 2 && p.workers[0].index() == 0 ? 1.0 / 3 : 1.0;
    };
    double seconds[3][2] = {};
    SimTime last;
    d.step();
    for (int round = 0; round < 400; ++round) {
        int used = 0;
        std::size_t on[3];
        for (std::size_t j = 0; j < 3; ++j) {
            const auto& placed = d.state().jobs()[j].placement.workers;
            on[j] = placed.empty() ? 2 : placed[0].index();
            used += !placed.empty();
        }
        QCOMPARE(used, 2);
        last = d.now();
        QVERIFY(d.step());
        for (std::size_t j = 0; j < 3; ++j)
            if (on[j] < 2) seconds[j][on[j]] += (d.now() - last).toSeconds();
    }
    const double expected[3][2] = {{0.5, 0.1}, {0.5, 0.1}, {0, 0.8}};
    for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 2; ++k)
            QVERIFY2(std::abs(seconds[j][k] / 4000 - expected[j][k]) < 0.02,
                     qPrintable(QStringLiteral("%1 %2: %3").arg(j).arg(k).arg(seconds[j][k] / 4000)));
    QCOMPARE(firstBroken(d), "");
}

// One machine, one job of weight 3 and one of weight 1: 3/4 and 1/4 of the time; half each without weights.
void tst_Gavel::weights() {
    for (const bool weighted : {true, false}) {
        Job a = workerJob("a", 0, {1}), b = workerJob("b", 0, {1});
        a.weight = 3;
        SchedulerDriver d(makeScheduler("gavel", {{"round_s", 10.0}, {"weighted", weighted}}), onMachines({1}, {a, b}),
                          {1e6, 1e6});
        int ran = 0;
        for (int round = 0; round < 400; ++round) {
            d.step();
            ran += static_cast<int>(d.workersOf(0));
        }
        QVERIFY2(std::abs(ran / 400.0 - (weighted ? 0.75 : 0.5)) < 0.02, qPrintable(QString::number(ran)));
    }
}

// Machines of 4 and of 2: a job of six workers fits on no kind alone, but on both; one of four only on the larger.
void tst_Gavel::jobsTooLargeForAKind() {
    for (const char* id : sharingTime) {
        SchedulerDriver d(makeScheduler(id, {{"round_s", 10.0}}),
                          onMachines({4, 2}, {workerJob("a", 0, {1}, {6, 6}), workerJob("b", 0, {1}, {4, 4}),
                                              workerJob("c", 0, {1})}),
                          {60, 60, 20});
        d.run();
        QCOMPARE(firstBroken(d), "");
        for (const double end : d.finished) QVERIFY(end > 0);
    }
}

void tst_Gavel::fillOrWait_data() {
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<bool>("fill");
    QTest::addColumn<double>("end");
    for (const char* id : sharingTime) {
        QTest::addRow("%s fill", id) << QByteArray(id) << true << 15.0;
        QTest::addRow("%s wait", id) << QByteArray(id) << false << 22.0;
    }
}

// Beside a, which has one of two places, b arrives at 3 s and takes 12 s: it starts at once, or in the round at 10 s.
void tst_Gavel::fillOrWait() {
    QFETCH(QByteArray, id);
    QFETCH(bool, fill);
    QFETCH(double, end);
    SchedulerDriver d(makeScheduler(id.toStdString(), {{"round_s", 10.0}, {"fill", fill}}),
                      onMachines({2}, {workerJob("a", 0, {1}), workerJob("b", 3, {1})}), {100, 12});
    d.run();
    QCOMPARE(firstBroken(d), "");
    QVERIFY2(near(d.finished[0], 100) && near(d.finished[1], end), qPrintable(QString::number(d.finished[1])));
}

// Three places on three machines and three jobs, in rounds of 1 s: nobody ever moves.
void tst_Gavel::machinesAreKept() {
    for (const char* id : sharingTime) {
        std::vector<Job> jobs;
        for (int j = 0; j < 3; ++j) jobs.push_back(workerJob("j" + std::to_string(j), 0.25 * j, {1}));
        SchedulerDriver d(makeScheduler(id, {{"round_s", 1.0}}), onMachines({1, 1, 1}, jobs), {20, 30, 40});
        d.run();
        QCOMPARE(firstBroken(d), "");
        QCOMPARE(d.decisions.size(), std::size_t{3});
        QVERIFY(near(d.finished[2], 40.5));
    }
}

static Workload randomWorkload(RandomStream& random, std::vector<double>& updates) {
    Workload out;
    out.cluster.resourceNames = {"cpu", "memory_gb"};
    out.cluster.devices = {{"fast", 4}};
    for (int m = 0; m < 5; ++m) {
        out.cluster.machines.push_back(
            machineWith("m" + std::to_string(m), {4 + 2 * double(random.below(2)), 8 + double(random.below(2))}));
        if (random.below(2) == 0) out.cluster.machines.back().device = "fast";
    }
    for (int j = 0; j < 14; ++j) {
        Job job = workerJob("j" + std::to_string(j), double(random.below(40)),
                            {1 + double(random.below(2)), double(random.below(3))});
        const int least = 1 + static_cast<int>(random.below(3));
        job.workers = {least, least + static_cast<int>(random.below(4))};
        job.serverDemand = ResourceVector::of({1, 1});
        job.servers = {static_cast<int>(random.below(2)), 1 + static_cast<int>(random.below(2))};
        if (random.below(3) == 0) {
            job.workersPerServer = 2;
            job.servers = {job.serversFor(job.workers.minimum, job.workers),
                           job.serversFor(job.workers.maximum, job.workers)};
        }
        job.weight = 1 + double(random.below(3));
        out.jobs.push_back(job);
        updates.push_back(5 + double(random.below(40)));
    }
    std::stable_sort(out.jobs.begin(), out.jobs.end(),
                     [](const Job& a, const Job& b) { return a.arrival < b.arrival; });
    return out;
}

/// Twice as fast on machines of even number.
static double pace(JobId job, const Placement& p) {
    const auto w = static_cast<double>(p.workers.size());
    if (w == 0) return INFINITY;
    return (p.workers[0].index() % 2 == 0 ? 1 : 2) * (2 / w + 0.1 * double(job.index() % 3));
}

void tst_Gavel::everyJobEndsAndNothingOversteps_data() {
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QByteArray>("size");
    QTest::addColumn<bool>("fill");
    for (const char* id : sharingTime)
        for (const char* size : {"as-many-as-fit", "minimum"})
            for (const bool fill : {false, true})
                QTest::addRow("%s %s %s", id, size, fill ? "fill" : "wait")
                    << QByteArray(id) << QByteArray(size) << fill;
}

void tst_Gavel::everyJobEndsAndNothingOversteps() {
    QFETCH(QByteArray, id);
    QFETCH(QByteArray, size);
    QFETCH(bool, fill);
    std::ptrdiff_t preempted = 0;
    for (std::uint32_t seed = 1; seed <= 15; ++seed) {
        RandomStream random(seed, Purpose::test, 94);
        std::vector<double> updates;
        Workload w = randomWorkload(random, updates);
        SchedulerDriver d(
            makeScheduler(id.toStdString(), {{"round_s", 3.0}, {"size", size.toStdString()}, {"fill", fill}}),
            std::move(w), updates);
        d.secondsPer = pace;
        d.run(10);
        d.failMachine(random.below(5));
        d.run(10);
        for (std::size_t m = 0; m < 5; ++m)
            if (!d.state().machines()[m].up) d.repairMachine(m);
        d.run();
        QCOMPARE(firstBroken(d), "");
        for (const double end : d.finished) QVERIFY2(end >= 0, qPrintable(QString::number(seed)));
        preempted += std::count_if(d.decisions.begin(), d.decisions.end(),
                                   [](const auto& x) { return x.kind == SchedulingDecision::Kind::preempt; });
    }
    QVERIFY(preempted > 20);
}

void tst_Gavel::explainingChangesNoDecision() {
    QFETCH(QByteArray, id);
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        std::vector<double> ends[2];
        for (const bool explained : {false, true}) {
            RandomStream random(seed, Purpose::test, 94);
            std::vector<double> updates;
            Workload w = randomWorkload(random, updates);
            SchedulerDriver d(makeScheduler(id.toStdString(), {{"round_s", 3.0}}), std::move(w), updates);
            if (!explained) d.arena = ExplanationArena(WhyLevel::off);
            d.secondsPer = pace;
            d.run();
            ends[explained] = d.finished;
        }
        QVERIFY(ends[0] == ends[1]);
    }
}

TRAINYARD_TEST(tst_Gavel)
#include "tst_Gavel.moc"
