// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// pollux: batches by the closed form, numbers of workers against all divisions, what a change costs; random workloads with failures.
#include "policy/scheduler/elastic/Goodput.h"
#include "support/ElasticWorkload.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_Pollux : public QObject {
    Q_OBJECT
private slots:
    void batchByHand();
    void whoEndsByUpdatesKeepsTheBatch();
    void numbersAsTheBestDivision_data();
    void numbersAsTheBestDivision();
    void aChangeMustBeWorthIt();
    void jobsWaitInOrderOfArrival();
    void everyJobEndsAndNothingOversteps();
    void explainingChangesNoDecision();
};

namespace {

std::unique_ptr<Scheduler> pollux(ParamValues parameters = {}) {
    return makeScheduler("pollux", std::move(parameters));
}

Job noisy(std::string key, double noiseScale, Bounds workers, int batch = 100) {
    Job job = workerJob(std::move(key), 0, {1}, workers);
    job.work = AnalyticWork{.batch = batch, .batchOf = BatchOf::job, .noiseScale = noiseScale};
    job.stop.loss = 0.01;
    return job;
}

/// α + κ·a + β·m/a with seconds that differ between jobs.
struct Pace {
    double fixed = 0.1, perWorker = 0, perSample = 0.001;
    double seconds(double workers, double batch) const {
        return fixed + perWorker * workers + perSample * batch / workers;
    }
};

void useLaws(SchedulerDriver& d, std::vector<Pace> laws) {
    d.secondsWithBatch = [laws](JobId job, const Placement& p, int batch) {
        return laws[job.index()].seconds(double(p.workers.size()), batch);
    };
    d.secondsPer = [laws](JobId job, const Placement& p) {
        return laws[job.index()].seconds(double(p.workers.size()), 100);
    };
}

} // namespace

// An update takes 0.4 s and a millisecond per sample and worker: with one worker √(2500 · 0.4/0.001) = 1000 samples are best, with four
// 2000; the greatest batch allowed is 16 times 100. Without noise it stays as it is.
void tst_Pollux::batchByHand() {
    struct Row {
        double noiseScale;
        int workers, batch;
    };
    for (const Row row : {Row{2500, 1, 1000}, Row{2500, 2, 1414}, Row{2500, 4, 1600}, Row{0, 2, 0}, Row{1e-3, 2, 0}}) {
        SchedulerDriver d(pollux({{"most_batch", 16.0}}),
                          onMachines({double(row.workers)}, {noisy("a", row.noiseScale, {row.workers, row.workers})}),
                          {10});
        useLaws(d, {{0.4, 0, 0.001}});
        d.step();
        QCOMPARE(firstBroken(d), "");
        QCOMPARE(d.state().jobs()[0].batch, row.batch);
        QCOMPARE(d.workersOf(0), std::size_t(row.workers));
    }
}

void tst_Pollux::whoEndsByUpdatesKeepsTheBatch() {
    Job job = noisy("a", 2500, {1, 4});
    job.stop = {.iterations = 10};
    SchedulerDriver d(pollux(), onMachines({4}, {job}), {10});
    useLaws(d, {{0.4, 0, 0.001}});
    d.step();
    QCOMPARE(d.state().jobs()[0].batch, 0);
    QCOMPARE(d.workersOf(0), std::size_t{4});
}

void tst_Pollux::numbersAsTheBestDivision_data() {
    QTest::addColumn<double>("p");
    for (const double p : {-4.0, -1.0, 0.0, 1.0}) QTest::addRow("p = %g", p) << p;
}

// Against all divisions of the workers among three jobs, by the sum of (s^p − 1)/p; speed-ups are by the best of all batches, tried one
// by one.
void tst_Pollux::numbersAsTheBestDivision() {
    QFETCH(double, p);
    RandomStream random(5, Purpose::test, 97, static_cast<std::uint32_t>(p + 10));
    int unequal = 0;
    for (int round = 0; round < 40; ++round) {
        const int cpus = 5 + static_cast<int>(random.below(8));
        std::vector<Pace> laws;
        std::vector<Job> jobs;
        for (int j = 0; j < 3; ++j) {
            laws.push_back({0.02 + random.unit(), 0.02 * random.unit(), 0.02 * random.unit() + 1e-4});
            jobs.push_back(noisy(std::string(1, static_cast<char>('a' + j)), 2000 * random.unit(), {1, 10}));
        }
        const auto speedups = [&](int j) {
            const double phi = std::get<AnalyticWork>(jobs[std::size_t(j)].work).noiseScale;
            std::vector<double> out{0};
            for (int a = 1; a <= 10; ++a) {
                double best = 0;
                for (int m = 100; m <= 3200; ++m)
                    best = std::max(best, m / 100. * (phi + 100) / (phi + m) / laws[std::size_t(j)].seconds(a, m));
                out.push_back(best);
            }
            for (int a = 10; a >= 1; --a) out[std::size_t(a)] /= out[1];
            return out;
        };
        const std::vector<double> s[3] = {speedups(0), speedups(1), speedups(2)};
        const auto value = [&](double speedup) { return p == 0 ? std::log(speedup) : (std::pow(speedup, p) - 1) / p; };
        const auto sum = [&](int a, int b, int c) {
            return value(s[0][std::size_t(a)]) + value(s[1][std::size_t(b)]) + value(s[2][std::size_t(c)]);
        };
        double best = -INFINITY;
        for (int a = 1; a <= 10; ++a)
            for (int b = 1; b <= 10; ++b)
                for (int c = 1; c <= std::min(10, cpus - a - b); ++c) best = std::max(best, sum(a, b, c));
        SchedulerDriver d(pollux({{"fairness", p}}), onMachines({double(cpus)}, jobs), {10, 10, 10});
        useLaws(d, laws);
        d.step();
        QCOMPARE(firstBroken(d), "");
        const double reached = sum(int(d.workersOf(0)), int(d.workersOf(1)), int(d.workersOf(2)));
        QVERIFY2(reached > best - 1e-3 * std::abs(best),
                 qPrintable(QStringLiteral("round %1: %2 instead of %3").arg(round).arg(reached).arg(best)));
        unequal += d.workersOf(0) != d.workersOf(1);
    }
    QVERIFY2(unequal > 5, qPrintable(QString::number(unequal)));
}

// a has four workers when b comes; at a factor of 1 both have three then, at 0.3 a keeps its four.
void tst_Pollux::aChangeMustBeWorthIt() {
    for (const double factor : {1.0, 0.3}) {
        Job b = noisy("b", 0, {1, 8});
        b.arrival = SimTime::seconds(5);
        SchedulerDriver d(pollux({{"restart_factor", factor}}), onMachines({6}, {noisy("a", 0, {1, 4}), b}),
                          {1000, 1000});
        useLaws(d, {{0, 0, 0.01}, {0, 0, 0.01}});
        d.step();
        QCOMPARE(d.workersOf(0), std::size_t{4});
        d.step();
        QCOMPARE(firstBroken(d), "");
        QCOMPARE(d.workersOf(0), factor == 1 ? std::size_t{3} : std::size_t{4});
        QCOMPARE(d.workersOf(0) + d.workersOf(1), std::size_t{6});
    }
}

// c has room beside a at once, b not before a has ended: then b is earlier, and c goes on where there is room beside b.
void tst_Pollux::jobsWaitInOrderOfArrival() {
    Job a = noisy("a", 0, {2, 2}), b = noisy("b", 0, {3, 3}), c = noisy("c", 0, {1, 2});
    b.arrival = SimTime::seconds(1);
    c.arrival = SimTime::seconds(2);
    SchedulerDriver d(pollux(), onMachines({4}, {a, b, c}), {10, 100, 100});
    useLaws(d, {{0, 0, 0.02}, {0, 0, 0.03}, {0, 0, 0.01}});
    for (int i = 0; i < 3; ++i) d.step();
    QCOMPARE(firstBroken(d), "");
    QCOMPARE(d.workersOf(0), std::size_t{2});
    QCOMPARE(d.workersOf(1), std::size_t{0});
    QCOMPARE(d.workersOf(2), std::size_t{2});
    while (d.finished[0] < 0 && d.step()) {}
    QCOMPARE(d.workersOf(1), std::size_t{3});
    QCOMPARE(d.workersOf(2), std::size_t{1});
    QVERIFY(!d.arena.all().refusals() == 0);
}

void tst_Pollux::everyJobEndsAndNothingOversteps() {
    std::ptrdiff_t resized = 0;
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        RandomStream random(seed, Purpose::test, 98);
        ElasticWorkload w = elasticWorkload(random);
        for (Job& job : w.workload.jobs) {
            auto& work = std::get<AnalyticWork>(job.work);
            work.batchOf = BatchOf::job;
            if (random.below(2) == 0) work.noiseScale = double(random.below(1000));
        }
        SchedulerDriver d(pollux({{"interval_s", 3.0}}), std::move(w.workload), w.updates);
        runWithFailure(d, random);
        QCOMPARE(firstBroken(d), "");
        for (const double end : d.finished) QVERIFY2(end >= 0, qPrintable(QString::number(seed)));
        resized += std::count_if(d.decisions.begin(), d.decisions.end(),
                                 [](const auto& x) { return x.kind == SchedulingDecision::Kind::resize; });
    }
    QVERIFY(resized > 50);
}

void tst_Pollux::explainingChangesNoDecision() {
    QVERIFY(!explainingChangesEnds(98, [] { return pollux({{"interval_s", 3.0}}); }));
}

TRAINYARD_TEST(tst_Pollux)
#include "tst_Pollux.moc"
