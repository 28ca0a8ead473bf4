// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// asha: rungs and who goes on from them, by hand and against successive halving played once more by the second; random workloads with
// failures and odd losses.
#include "policy/scheduler/Rungs.h"
#include "support/ElasticWorkload.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_Asha : public QObject {
    Q_OBJECT
private slots:
    void rungsByHand();
    void halvingByHand();
    void equalLossesGoOn();
    void onlyComparableJobsAreCompared_data();
    void onlyComparableJobsAreCompared();
    void severalRungsAtOnceCountAsTheLast();
    void asPlayedOnceMore();
    void firstComeFirstServed();
    void everyJobEndsAndNothingOversteps();
    void explainingChangesNoDecision();
};

namespace {

std::unique_ptr<Scheduler> asha(ParamValues parameters = {}) { return makeScheduler("asha", std::move(parameters)); }

Job trial(std::string key, double arrival) {
    Job job = workerJob(std::move(key), arrival, {1});
    job.work = AnalyticWork{};
    return job;
}

const ParamValues halving{{"grace", 2.0}, {"eta", 2.0}, {"interval_s", 0.001}};

} // namespace

void tst_Asha::rungsByHand() {
    const Rungs four({.grace = 10, .eta = 4});
    QCOMPARE(four.updatesOf(0), 10.0);
    QCOMPARE(four.updatesOf(1), 40.0);
    QCOMPARE(four.updatesOf(2), 160.0);
    const std::size_t kept[] = {1, 1, 1, 1, 1, 1, 1, 2, 2};
    for (std::size_t n = 1; n <= 9; ++n) QCOMPARE(four.keptOf(n), kept[n - 1]);
    const Rungs half({.grace = 10, .eta = 1.5});
    QCOMPARE(half.updatesOf(2), 23.0); // 22.5
    QCOMPARE(half.updatesOf(3), 34.0); // 33.75
    QCOMPARE(half.keptOf(3), std::size_t{2});
    QCOMPARE(Rungs({.grace = 0.1, .eta = 2}).updatesOf(0), 1.0);
}

// A second per update, rungs at 2, 4, 8 and 16, the best half goes on. Losses stay: a 3, b 1, c 2, d 4; they come at 0, 1, 2 and 3 s.
// a at 2 s: {3}, one goes on. b at 3 s: {1, 3}, one: 1. At 4 s a is on rung 1, {3}; c has 2 of {1, 2, 3}, one goes on: c ends at 4 s.
// At 5 s b is on rung 1, {1, 3}; d has 4 of {1, 2, 3, 4}, two go on: d ends. a and b are compared no more: 20 updates until 20 and 21 s.
void tst_Asha::halvingByHand() {
    SchedulerDriver d(asha(halving), onMachines({4}, {trial("a", 0), trial("b", 1), trial("c", 2), trial("d", 3)}),
                      {20, 20, 20, 20});
    d.tellsUpdates = true;
    d.lossAt = [](JobId job, double) { return std::vector<double>{3, 1, 2, 4}[job.index()]; };
    std::vector<double> ends;
    while (d.step())
        while (ends.size() < d.stopped.size()) ends.push_back(d.now().toSeconds());
    QCOMPARE(firstBroken(d), "");
    QCOMPARE(d.stopped, (std::vector<std::size_t>{2, 3}));
    QVERIFY(std::abs(ends[0] - 4) < 1e-6 && std::abs(ends[1] - 5) < 1e-6);
    QVERIFY(std::abs(d.finished[0] - 20) < 1e-6 && std::abs(d.finished[1] - 21) < 1e-6);
    // The explanation of d's end: the four losses, of which two pass.
    const auto& all = d.arena.all();
    const auto why = std::find_if(all.begin(), all.end(), [](const Explanation& e) {
        return e.job == JobId(std::size_t{3}) && e.rule == Rule::everyFeasible;
    });
    QVERIFY(why != all.end());
    QCOMPARE(why->candidates.size(), std::size_t{4});
    QCOMPARE(why->chosen, (std::vector<std::size_t>{0, 1}));
    QCOMPARE(why->candidates[3].checks[0].limit, 2.0);
}

void tst_Asha::equalLossesGoOn() {
    SchedulerDriver d(asha(halving), onMachines({4}, {trial("a", 0), trial("b", 0), trial("c", 0), trial("d", 0)}),
                      {20, 20, 20, 20});
    d.tellsUpdates = true;
    d.lossAt = [](JobId, double) { return 0.0; };
    d.run();
    QCOMPARE(firstBroken(d), "");
    QVERIFY(d.stopped.empty());
}

void tst_Asha::onlyComparableJobsAreCompared_data() {
    QTest::addColumn<QByteArray>("compare");
    QTest::addColumn<int>("stopped");
    QTest::newRow("work") << QByteArray("work") << 2; // b and d of 2,000 samples; a and c of 1,000
    QTest::newRow("name") << QByteArray("name") << 1; // trial-1, trial-2; x; y
    QTest::newRow("all") << QByteArray("all") << 3;
}

// Losses rise from job to job, so that in each group all but the first end at the first rung where one goes on: of 4 the kept are 1 (η 4).
void tst_Asha::onlyComparableJobsAreCompared() {
    QFETCH(QByteArray, compare);
    QFETCH(int, stopped);
    std::vector<Job> jobs{trial("trial-1", 0), trial("x", 0), trial("trial-2", 0), trial("y", 0)};
    for (std::size_t j = 0; j < 4; ++j) jobs[j].work = AnalyticWork{.samples = j % 2 == 0 ? 1000. : 2000.};
    SchedulerDriver d(asha({{"grace", 2.0}, {"compare", compare.toStdString()}}), onMachines({4}, jobs), {5, 5, 5, 5});
    d.tellsUpdates = true;
    d.lossAt = [](JobId job, double) { return double(job.index()); };
    d.run();
    QCOMPARE(firstBroken(d), "");
    QCOMPARE(d.stopped.size(), std::size_t(stopped));
}

// Rungs at 2, 4, 8. a's losses are known every update, b's from 7 updates on: b is recorded at rung 1 (4 updates) alone.
void tst_Asha::severalRungsAtOnceCountAsTheLast() {
    const Workload w = onMachines({4}, {trial("a", 0), trial("b", 0)});
    const auto shared = std::make_shared<const Workload>(w);
    const ClusterState state(shared);
    FreeCapacity free(w.cluster);
    struct NoSpeed final : SpeedModel {
        double secondsPerUpdate(JobId, const Placement&) const override { return 1; }
        double secondsPerUpdate(JobId, const Placement&, int) const override { return 1; }
        double updatesDone(JobId) const override { return 0; }
        bool keepsFractions(JobId) const override { return true; }
        double remainingUpdates(JobId) const override { return 1; }
    } speed;
    const std::vector<std::vector<LossPoint>> none(2);
    const SchedulerView view(state, speed, none, free);
    Rungs rungs({.grace = 2, .eta = 2});
    const auto at = [&](std::size_t job, std::uint64_t update, double loss) {
        return rungs.follow(view, std::vector<Event>{events::lossEvaluated(JobId(job), update, loss)});
    };
    QVERIFY(at(0, 1, 5).empty());
    QCOMPARE(rungs.nextUpdate(view, JobId(std::size_t{0})), std::uint64_t{2});
    QCOMPARE(at(0, 2, 5).size(), std::size_t{1});
    QVERIFY(at(0, 3, 5).empty());
    QCOMPARE(at(0, 4, 5)[0].rung, 1);
    const auto verdicts = at(1, 7, 6);
    QCOMPARE(verdicts.size(), std::size_t{1});
    QCOMPARE(verdicts[0].rung, 1);
    QCOMPARE(verdicts[0].count, std::size_t{2});
    QVERIFY(!verdicts[0].goesOn());
    QCOMPARE(rungs.nextUpdate(view, JobId(std::size_t{1})), std::uint64_t{8});
    // Numbers that are none come last, and do not disturb the order.
    QVERIFY(!at(1, 8, NAN)[0].goesOn() || at(0, 8, 1)[0].goesOn());
    QVERIFY(at(0, 16, -INFINITY)[0].goesOn());
}

// Successive halving by the second: a processor each, an update a second, losses that wander, jobs that come at whole seconds and start in
// order. Everything that happens at a second: updates, verdicts by job, ends, then starts.
void tst_Asha::asPlayedOnceMore() {
    RandomStream random(12, Purpose::test, 95);
    std::size_t ended = 0, finished = 0;
    for (int round = 0; round < 250; ++round) {
        const std::size_t n = 2 + random.below(12);
        const int processors = 1 + static_cast<int>(random.below(4)), grace = 1 + static_cast<int>(random.below(4));
        const double eta = round % 3 == 0 ? 3 : round % 3 == 1 ? 2 : 1.5;
        struct Played {
            int arrival, total, done = 0, end = -1, rung = 0;
            bool running = false, stopped = false;
            std::vector<double> losses{0};
        };
        std::vector<Played> jobs(n);
        std::vector<Job> specs;
        std::vector<double> updates;
        for (Played& job : jobs) job.arrival = static_cast<int>(random.below(20));
        std::sort(jobs.begin(), jobs.end(), [](const Played& a, const Played& b) { return a.arrival < b.arrival; });
        for (std::size_t j = 0; j < n; ++j) {
            jobs[j].total = 1 + static_cast<int>(random.below(40));
            for (int k = 1; k <= jobs[j].total; ++k) jobs[j].losses.push_back(double(random.below(30)) - 10);
            specs.push_back(trial("j" + std::to_string(j), jobs[j].arrival));
            updates.push_back(jobs[j].total);
        }
        SchedulerDriver d(asha({{"grace", double(grace)}, {"eta", eta}, {"interval_s", 0.001}}),
                          onMachines({double(processors)}, specs), updates);
        d.tellsUpdates = true;
        d.lossAt = [&](JobId job, double done) { return jobs[job.index()].losses[std::size_t(done + 1e-6)]; };
        d.run();
        QCOMPARE(firstBroken(d), "");
        std::vector<std::vector<double>> recorded(12);
        std::vector<std::size_t> stopped;
        int free = processors;
        for (int t = 0; t < 2000; ++t) {
            for (std::size_t j = 0; j < n; ++j) {
                Played& job = jobs[j];
                if (!job.running) continue;
                ++job.done;
                double at = grace;
                for (int r = 0; r < job.rung; ++r) at *= eta;
                if (job.done < at || job.rung >= 10) continue;
                const double loss = job.losses[std::size_t(job.done)];
                while (job.done >= at && job.rung < 10) {
                    ++job.rung;
                    at *= eta;
                }
                auto& there = recorded[std::size_t(job.rung) - 1];
                there.push_back(loss);
                const auto better = std::count_if(there.begin(), there.end(), [&](double l) { return l < loss; });
                const auto kept = std::max(1, static_cast<int>(std::floor(double(there.size()) / eta + 1e-9)));
                job.stopped = better >= kept;
            }
            for (std::size_t j = 0; j < n; ++j) {
                Played& job = jobs[j];
                const bool over = job.running && (job.done == job.total || job.stopped);
                if (!over) continue;
                if (job.done < job.total) stopped.push_back(j);
                job.running = false;
                job.end = t;
                ++free;
            }
            for (Played& job : jobs)
                if (job.arrival <= t && !job.running && job.end < 0 && free > 0) {
                    job.running = true;
                    --free;
                }
        }
        QVERIFY2(d.stopped == stopped, qPrintable(QString::number(round)));
        for (std::size_t j = 0; j < n; ++j) {
            const bool wasStopped = std::find(stopped.begin(), stopped.end(), j) != stopped.end();
            if (wasStopped)
                QCOMPARE(d.finished[j], -1.0);
            else
                QVERIFY2(std::abs(d.finished[j] - jobs[j].end) < 1e-3, qPrintable(QString::number(round)));
        }
        ended += stopped.size();
        finished += n - stopped.size();
    }
    QVERIFY(ended > 300 && finished > 300);
}

// Two processors: b needs both and waits for a; c does not pass it. d needs three, which there are not: it is passed.
void tst_Asha::firstComeFirstServed() {
    std::vector<Job> jobs{trial("a", 0), trial("d", 0), trial("b", 1), trial("c", 1)};
    jobs[1].workers = {3, 3};
    jobs[2].workers = {2, 2};
    SchedulerDriver d(asha({{"rungs", std::int64_t{0}}}), onMachines({2}, jobs), {10, 10, 10, 10});
    d.secondsPer = [](JobId, const Placement&) { return 1.0; };
    d.run();
    QCOMPARE(firstBroken(d), "");
    const double ends[] = {10, -1, 20, 30};
    for (std::size_t j = 0; j < 4; ++j) QVERIFY(std::abs(d.finished[j] - ends[j]) < 1e-6);
}

void tst_Asha::everyJobEndsAndNothingOversteps() {
    std::size_t stopped = 0;
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        RandomStream random(seed, Purpose::test, 96);
        ElasticWorkload w = elasticWorkload(random);
        SchedulerDriver d(asha({{"grace", 4.0}, {"eta", 2.0}, {"size", std::string("as-many-as-fit")}}),
                          std::move(w.workload), w.updates);
        d.tellsUpdates = true;
        runWithFailure(d, random);
        QCOMPARE(firstBroken(d), "");
        for (std::size_t j = 0; j < d.finished.size(); ++j) {
            const auto times = std::count(d.stopped.begin(), d.stopped.end(), j);
            QVERIFY2(d.finished[j] >= 0 ? times == 0 : times == 1, qPrintable(QString::number(seed)));
        }
        stopped += d.stopped.size();
    }
    QVERIFY(stopped > 100);
}

void tst_Asha::explainingChangesNoDecision() {
    QVERIFY(!explainingChangesEnds(96, [] { return asha({{"grace", 4.0}}); }));
}

TRAINYARD_TEST(tst_Asha)
#include "tst_Asha.moc"
