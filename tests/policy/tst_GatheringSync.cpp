// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The synchronizations that gather K gradients from whichever workers (k-batch-sync, k-async, k-batch-async),
// the load of fastest-k and the timeout of rounds: cases by hand, and the exact laws of times and staleness.
#include "policy/Registry.h"
#include "support/SyncDriver.h"
#include "support/TestMain.h"

#include <boost/math/special_functions/gamma.hpp>

using namespace trainyard;
using test::SyncDriver;

class tst_GatheringSync : public QObject {
    Q_OBJECT
private slots:
    void kBatchSyncByHand();
    void kBatchSyncTimesAreErlang();
    void kBatchSyncTakesNewcomersAtOnce();
    void kAsyncByHand();
    void kAsyncOfAllIsFullSync();
    void kBatchAsyncByHand();
    void oneOfEachIsAsync_data();
    void oneOfEachIsAsync();
    void stalenessLaws_data();
    void stalenessLaws();
    void kBatchAsyncKeepsTheLongRunRate();
    void loadSetsSamplesAndTimes();
    void timeoutTakesWhatHasCome();
    void timeoutWithNothingTakesTheFirst();
    void timeoutOfAnEndedRoundIsIgnored();
    void shapes();
};

namespace gathering {

std::unique_ptr<Synchronization> make(const std::string& id, ParamValues parameters = {}) {
    static const Registry registry = Registry::builtin();
    return registry.makeSynchronization({id, std::move(parameters)});
}

ParamValues kOf(int k) { return {{"k", std::int64_t{k}}}; }

/// Task times of mean 1, the same for a (worker, task) under every policy: exponential, or with a tail
/// t^-2.5.
auto taskTimes(std::uint64_t seed, bool heavy = false) {
    return [seed, heavy](std::uint32_t worker, std::uint32_t task, int) {
        const double u = RandomStream(seed, Purpose::test, worker, task).unit();
        return heavy ? 0.6 * std::pow(u, -1 / 2.5) : -std::log(u);
    };
}

/// Task times of first, first + step, … s.
auto ladder(double first, double step) {
    return [first, step](std::uint32_t worker, std::uint32_t, int) { return first + step * worker; };
}

} // namespace gathering

using namespace gathering;

void tst_GatheringSync::kBatchSyncByHand() {
    // K = 3, tasks of 1 s and 2.5 s. Worker 0 pushes at 1 and at 2, worker 1 at 2.5: the update comes at 2.5
    // s, worker 0's third task (begun at 2) is cancelled, all three gradients are fresh. The next round is
    // the same: 5 s.
    SyncDriver driver(make("k-batch-sync", kOf(3)), 2);
    driver.seconds = ladder(1, 1.5);
    driver.start();
    driver.run(2);
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> first{{0, 1}, {0, 2}, {1, 1}},
        second{{0, 4}, {0, 5}, {1, 2}};
    for (std::size_t u = 0; u < 2; ++u) {
        QCOMPARE(driver.updates[u].time, 2.5 * double(u + 1));
        QCOMPARE(driver.updates[u].gradients.size(), std::size_t{3});
        for (std::size_t g = 0; g < 3; ++g) {
            const auto& used = driver.updates[u].gradients[g];
            QCOMPARE(std::pair(used.worker, used.task), (u == 0 ? first : second)[g]);
            QCOMPARE(used.weight, 1.0 / 3);
            QCOMPARE(used.staleness, std::uint64_t{0});
        }
    }
    QCOMPARE(driver.cancelled, std::uint64_t{2});
    QCOMPARE(driver.pulls, std::uint64_t{2 + 2 + 2}); // both at the start and after each update, not in between
    QCOMPARE(firstBroken(driver), "");
}

void tst_GatheringSync::kBatchSyncTimesAreErlang() {
    // Exp(1) tasks, n = 8: pushes from a common start come as a Poisson process of rate 8, so the K-th comes
    // at a time of law Erlang(K, 8). Kolmogorov and Smirnov: P(√N·D > 2.47) = 1e-5 for the N independent
    // rounds.
    const int n = 8, rounds = 6000;
    for (const int k : {1, 5, 20}) {
        SyncDriver driver(make("k-batch-sync", kOf(k)), n);
        driver.seconds = taskTimes(21);
        driver.start();
        driver.run(rounds);
        std::vector<double> gaps;
        for (std::size_t u = 0; u < rounds; ++u)
            gaps.push_back(driver.updates[u].time - (u == 0 ? 0 : driver.updates[u - 1].time));
        std::sort(gaps.begin(), gaps.end());
        double distance = 0;
        for (std::size_t i = 0; i < gaps.size(); ++i) {
            const double f = boost::math::gamma_p(double(k), n * gaps[i]);
            distance = std::max({distance, f - double(i) / rounds, double(i + 1) / rounds - f});
        }
        QVERIFY2(std::sqrt(double(rounds)) * distance < 2.47, qPrintable(QString::number(distance)));
        QCOMPARE(firstBroken(driver), "");
    }
}

void tst_GatheringSync::kBatchSyncTakesNewcomersAtOnce() {
    // K = 2, one worker of 10 s; at 0 s another of 1 s joins: it reads the parameters and pushes at 1 and 2
    // s.
    SyncDriver driver(make("k-batch-sync", kOf(2)), 1);
    driver.seconds = [](std::uint32_t worker, auto, auto) { return worker == 0 ? 10.0 : 1.0; };
    driver.start();
    driver.membership({}, {1});
    driver.run(1);
    QCOMPARE(driver.updates[0].time, 2.0);
    QCOMPARE(driver.updates[0].gradients[0].worker, 1u);
    QCOMPARE(driver.updates[0].gradients[1].worker, 1u);
    QCOMPARE(firstBroken(driver), "");
}

void tst_GatheringSync::kAsyncByHand() {
    // K = 2, tasks of 1, 2 and 4 s. Worker 0 waits from 1 s, worker 1 comes at 2: update 1, both begin anew.
    // Worker 0 waits from 3; at 4 s worker 2 comes (its task was begun before worker 1's): update 2, in which
    // its gradient is one update old. Worker 1 comes at 4, too, and waits; worker 0, begun at 4, comes at 5:
    // update 3, worker 1 one update old.
    SyncDriver driver(make("k-async", kOf(2)), 3);
    driver.seconds = [](std::uint32_t worker, auto, auto) { return std::pow(2.0, worker); };
    driver.start();
    driver.run(3);
    const std::vector<double> times{2, 4, 5};
    const std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> who{
        {{0, 0}, {1, 0}}, {{0, 0}, {2, 1}}, {{0, 0}, {1, 1}}};
    for (std::size_t u = 0; u < 3; ++u) {
        QCOMPARE(driver.updates[u].time, times[u]);
        QCOMPARE(driver.updates[u].gradients.size(), std::size_t{2});
        for (std::size_t g = 0; g < 2; ++g) {
            const auto& used = driver.updates[u].gradients[g];
            QCOMPARE(std::pair(used.worker, used.staleness), who[u][g]);
            QCOMPARE(used.weight, 0.5);
        }
    }
    QCOMPARE(driver.cancelled, std::uint64_t{0});
    QCOMPARE(firstBroken(driver), "");
}

void tst_GatheringSync::kAsyncOfAllIsFullSync() {
    // With K = n nobody is left to be late: time and gradients are those of full-sync. More than n is n.
    for (const int k : {6, 60}) {
        SyncDriver gathering(make("k-async", kOf(k)), 6), full(make("full-sync"), 6);
        gathering.seconds = full.seconds = taskTimes(22);
        gathering.start();
        full.start();
        gathering.run(200);
        full.run(200);
        QCOMPARE(gathering.updates.back().time, full.updates.back().time);
        QCOMPARE(gathering.meanStaleness(), 0.0);
        QCOMPARE(firstBroken(gathering), "");
    }
}

void tst_GatheringSync::kBatchAsyncByHand() {
    // K = 2, tasks of 1 s and 2.5 s. Worker 0 pushes at 1 and 2 (both read at version 0): update 1 at 2 s,
    // weights 1/2. Worker 1 pushes at 2.5 (version 0, one update old), worker 0 at 3 (read at 2, fresh):
    // update 2 at 3 s.
    SyncDriver driver(make("k-batch-async", kOf(2)), 2);
    driver.seconds = ladder(1, 1.5);
    driver.start();
    driver.run(2);
    QCOMPARE(driver.updates[0].time, 2.0);
    QCOMPARE(driver.updates[0].gradients[0].task, 1u);
    QCOMPARE(driver.updates[0].gradients[1].task, 2u);
    QCOMPARE(driver.updates[1].time, 3.0);
    QCOMPARE(driver.updates[1].gradients[0].staleness, std::uint64_t{0});
    QCOMPARE(driver.updates[1].gradients[1].staleness, std::uint64_t{1});
    QCOMPARE(driver.updates[1].gradients[1].weight, 0.5);
    QCOMPARE(driver.cancelled, std::uint64_t{0});
    QCOMPARE(firstBroken(driver), "");
}

void tst_GatheringSync::oneOfEachIsAsync_data() {
    QTest::addColumn<QString>("id");
    QTest::newRow("k-async") << "k-async";
    QTest::newRow("k-batch-async") << "k-batch-async";
}

void tst_GatheringSync::oneOfEachIsAsync() {
    QFETCH(QString, id);
    SyncDriver one(make(id.toStdString(), kOf(1)), 7), async(make("async"), 7);
    one.seconds = async.seconds = taskTimes(23);
    one.start();
    async.start();
    one.run(2000);
    async.run(2000);
    for (std::size_t u = 0; u < 2000; ++u) {
        QCOMPARE(one.updates[u].time, async.updates[u].time);
        QCOMPARE(one.updates[u].gradients[0].worker, async.updates[u].gradients[0].worker);
        QCOMPARE(one.updates[u].gradients[0].staleness, async.updates[u].gradients[0].staleness);
    }
}

void tst_GatheringSync::stalenessLaws_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("k");
    QTest::addColumn<bool>("heavy");
    QTest::addColumn<double>("law");
    const int n = 20;
    for (const int k : {1, 3, 5, 10, 20})
        for (const bool heavy : {false, true}) {
            QTest::addRow("k-async %d %d", k, heavy) << "k-async" << k << heavy << double(n - k) / k;
            QTest::addRow("k-batch-async %d %d", k, heavy) << "k-batch-async" << k << heavy << double(n - 1) / k;
        }
}

void tst_GatheringSync::stalenessLaws() {
    // Between two gradients of one worker lie its staleness + 1 updates (k-async), or staleness updates and
    // what the K slots of an update add (k-batch-async): the sum over a worker telescopes, so that the mean
    // is the law but for the ends: at most n times the greatest staleness over all gradients. That bound is
    // the tolerance; nothing is left to chance.
    QFETCH(QString, id);
    QFETCH(int, k);
    QFETCH(bool, heavy);
    QFETCH(double, law);
    const int n = 20;
    const std::size_t updates = 60000 / std::size_t(k);
    SyncDriver driver(make(id.toStdString(), kOf(k)), n);
    driver.seconds = taskTimes(24, heavy);
    driver.start();
    driver.run(updates);
    std::uint64_t greatest = 0;
    for (const auto& update : driver.updates)
        for (const auto& g : update.gradients) greatest = std::max(greatest, g.staleness);
    const double tolerance = n * double(greatest + 1) / double(updates * std::size_t(k));
    QVERIFY2(
        std::abs(driver.meanStaleness() - law) <= tolerance,
        qPrintable(QStringLiteral("%1 against %2, tolerance %3").arg(driver.meanStaleness()).arg(law).arg(tolerance)));
    QVERIFY(tolerance < 0.2 * law + 0.02);
    QCOMPARE(firstBroken(driver), "");
}

void tst_GatheringSync::kBatchAsyncKeepsTheLongRunRate() {
    // Exp(1), n = 8, K = 4: 10,000 updates are 40,000 points of a Poisson process of rate 8, mean 5000 s with
    // a standard deviation of 200/8 = 25 s. 4.5 of them: error rate 7e-6.
    SyncDriver driver(make("k-batch-async", kOf(4)), 8);
    driver.seconds = taskTimes(25);
    driver.start();
    driver.run(10000);
    QVERIFY2(std::abs(driver.updates.back().time - 5000) < 4.5 * 25,
             qPrintable(QString::number(driver.updates.back().time)));
}

void tst_GatheringSync::loadSetsSamplesAndTimes() {
    // Batch 8, load 0.3: 2.4 → 2 samples. Times of (1 + worker) s per sample: the second of three comes after
    // 4 s.
    SyncDriver driver(make("fastest-k", {{"k", std::int64_t{2}}, {"load", 0.3}}), 3);
    driver.seconds = [](std::uint32_t worker, auto, int samples) { return (1.0 + worker) * samples; };
    driver.start();
    driver.run(3);
    QCOMPARE(driver.updates[2].time, 12.0);
    QCOMPARE(driver.updates[2].gradients[0].samples, 2);
    QCOMPARE(driver.assignedSamples, std::uint64_t{4 * 3 * 2});
    // Never less than one sample.
    SyncDriver tiny(make("fastest-k", {{"load", 1e-6}}), 2);
    tiny.start();
    tiny.run(1);
    QCOMPARE(tiny.updates[0].gradients[0].samples, 1);
}

void tst_GatheringSync::timeoutTakesWhatHasCome() {
    // Tasks of 1, 2 and 100 s, timeout 5 s: an update of two gradients, weight 1/2, at 5, 10, …; the third is
    // cancelled.
    SyncDriver driver(make("full-sync", {{"timeout", 5.0}}), 3);
    driver.seconds = [](std::uint32_t worker, auto, auto) { return worker == 2 ? 100.0 : 1.0 + worker; };
    driver.start();
    driver.run(2);
    for (std::size_t u = 0; u < 2; ++u) {
        QCOMPARE(driver.updates[u].time, 5.0 * double(u + 1));
        QCOMPARE(driver.updates[u].gradients.size(), std::size_t{2});
        QCOMPARE(driver.updates[u].gradients[1].weight, 0.5);
    }
    QCOMPARE(driver.cancelled, std::uint64_t{2});
    QCOMPARE(firstBroken(driver), "");
}

void tst_GatheringSync::timeoutWithNothingTakesTheFirst() {
    // Tasks of 2 and 3 s, timeout 0.5 s: nothing has come by then; the first that comes, at 2 s, is the
    // update.
    SyncDriver driver(make("backup-workers", {{"backups", std::int64_t{0}}, {"timeout", 0.5}}), 2);
    driver.seconds = ladder(2, 1);
    driver.start();
    driver.run(2);
    QCOMPARE(driver.updates[0].time, 2.0);
    QCOMPARE(driver.updates[0].gradients.size(), std::size_t{1});
    QCOMPARE(driver.updates[0].gradients[0].weight, 1.0);
    QCOMPARE(driver.updates[1].time, 4.0);
    QCOMPARE(firstBroken(driver), "");
}

void tst_GatheringSync::timeoutOfAnEndedRoundIsIgnored() {
    // Rounds of 1 s with a timeout of 1.5 s: the timer of round 1 rings at 1.5 s, in round 2, whose first
    // gradient has come (at 1.2 s) and whose second comes at 2 s. It must wait for that.
    SyncDriver driver(make("fastest-k", {{"k", std::int64_t{2}}, {"timeout", 1.5}}), 2);
    driver.seconds = [](std::uint32_t worker, auto, auto) { return worker == 0 ? 0.2 : 1.0; };
    driver.start();
    driver.run(3);
    for (std::size_t u = 0; u < 3; ++u) {
        QCOMPARE(driver.updates[u].time, double(u + 1));
        QCOMPARE(driver.updates[u].gradients.size(), std::size_t{2});
    }
}

void tst_GatheringSync::shapes() {
    const auto batch = make("k-batch-async", kOf(4))->shape(8);
    QVERIFY(batch.asynchronous && batch.gradients == 4 && batch.launched == 8);
    QVERIFY(make("k-batch-sync", kOf(4))->shape(8).asynchronous);
    const auto gathered = make("k-async", kOf(3))->shape(8);
    QVERIFY(!gathered.asynchronous && gathered.waitFor == 3);
    QCOMPARE(make("fastest-k", {{"load", 0.25}})->shape(8).load, 0.25);
    QCOMPARE(make("k-batch-sync")->stalenessBound().value(), std::uint64_t{0});
    QVERIFY(!make("k-async")->stalenessBound());
}

TRAINYARD_TEST(tst_GatheringSync)
#include "tst_GatheringSync.moc"
