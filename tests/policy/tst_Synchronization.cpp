// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every built-in synchronization: one case by hand, closed forms, and random arrivals, losses and returns of
// workers.
#include "policy/Registry.h"
#include "support/SyncDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using test::SyncDriver;

class tst_Synchronization : public QObject {
    Q_OBJECT
private slots:
    void fullSyncWaitsForTheSlowest();
    void fastestKAveragesTheFirstAndCancelsTheRest();
    void fastestKTakesTheTimeOfTheOrderStatistic();
    void fastestKUsesAllWhenKIsTooLarge();
    void backupWorkersCountALostWorkerAsOut();
    void asyncAppliesAtOnceByHand();
    void asyncStalenessIsWorkersMinusOne();
    void sspBlocksByHand();
    void sspZeroIsFullSyncInTimeWithHalfTheStaleness();
    void sspNeverExceedsItsBounds_data();
    void sspNeverExceedsItsBounds();
    void sspWithoutBoundIsAsync();
    void newcomerToSspHoldsNobodyBack();
    void survivesAnyMembership_data();
    void survivesAnyMembership();
    void shapes();
};

static std::unique_ptr<Synchronization> makeSync(const std::string& id, ParamValues parameters = {}) {
    static const Registry registry = Registry::builtin();
    return registry.makeSynchronization({id, std::move(parameters)});
}

/// Exponential task times with mean 1, the same for a (worker, task) under every policy.
static auto exponential(std::uint64_t seed) {
    return [seed](std::uint32_t worker, std::uint32_t task, int) {
        return -std::log(RandomStream(seed, Purpose::test, worker, task).unit());
    };
}

void tst_Synchronization::fullSyncWaitsForTheSlowest() {
    // Tasks of 1, 2 and 3 s: every update comes 3 s after the one before, is the mean of three, and nothing
    // is stale.
    SyncDriver driver(makeSync("full-sync"), 3);
    driver.seconds = [](auto worker, auto, auto) { return 1.0 + worker; };
    driver.start();
    driver.run(2);
    QCOMPARE(driver.updates[0].time, 3.0);
    QCOMPARE(driver.updates[1].time, 6.0);
    QCOMPARE(driver.updates[1].gradients.size(), std::size_t{3});
    for (std::uint32_t w = 0; w < 3; ++w) {
        QCOMPARE(driver.updates[1].gradients[w].worker, w); // in order of worker, whatever the arrivals
        QCOMPARE(driver.updates[1].gradients[w].weight, 1.0 / 3);
        QCOMPARE(driver.updates[1].gradients[w].staleness, std::uint64_t{0});
    }
    QCOMPARE(driver.cancelled, std::uint64_t{0});
    QCOMPARE(firstBroken(driver), "");
}

void tst_Synchronization::fastestKAveragesTheFirstAndCancelsTheRest() {
    // k = 2 of tasks of 1, 2 and 3 s: updates at 2, 4, 6 s with workers 0 and 1, weight 1/2; worker 2 never
    // gets through.
    SyncDriver driver(makeSync("fastest-k", {{"k", std::int64_t{2}}}), 3);
    driver.seconds = [](auto worker, auto, auto) { return 1.0 + worker; };
    driver.start();
    driver.run(3);
    QCOMPARE(driver.updates[2].time, 6.0);
    for (const auto& update : driver.updates) {
        QCOMPARE(update.gradients.size(), std::size_t{2});
        for (std::uint32_t w = 0; w < 2; ++w) {
            QCOMPARE(update.gradients[w].worker, w);
            QCOMPARE(update.gradients[w].weight, 0.5);
        }
    }
    QCOMPARE(driver.cancelled, std::uint64_t{3});
    QCOMPARE(firstBroken(driver), "");
}

void tst_Synchronization::fastestKTakesTheTimeOfTheOrderStatistic() {
    // Exp(1), n = 10, k = 4: E = H₁₀ − H₆ = 2.9289683 − 2.45 = 0.4789683, Var = Σ_{i=7}^{10} 1/i². The mean
    // of 20,000 iterations lies within 4.5 standard errors except with probability 7e-6.
    const int n = 10, k = 4, iterations = 20000;
    double mean = 0, variance = 0;
    for (int i = n - k + 1; i <= n; ++i) {
        mean += 1.0 / i;
        variance += 1.0 / (i * i);
    }
    SyncDriver driver(makeSync("fastest-k", {{"k", std::int64_t{k}}}), n);
    driver.seconds = exponential(11);
    driver.start();
    driver.run(iterations);
    const double measured = driver.updates.back().time / iterations;
    QVERIFY2(std::abs(measured - mean) < 4.5 * std::sqrt(variance / iterations), qPrintable(QString::number(measured)));
    QCOMPARE(driver.cancelled, std::uint64_t{(n - k) * std::uint64_t{iterations}});
    QCOMPARE(firstBroken(driver), "");
}

void tst_Synchronization::fastestKUsesAllWhenKIsTooLarge() {
    SyncDriver driver(makeSync("fastest-k", {{"k", std::int64_t{5}}}), 3);
    driver.start();
    driver.run(1);
    QCOMPARE(driver.updates[0].gradients.size(), std::size_t{3});
    QCOMPARE(driver.updates[0].gradients[0].weight, 1.0 / 3);
    const auto& why = driver.arena.all().front(); // said at the start
    QCOMPARE(why.candidates[why.chosen.front()].label, std::string("can arrive"));
    QVERIFY(why.summary.english().find("5 gradients are required but only 3") != std::string::npos);
}

void tst_Synchronization::backupWorkersCountALostWorkerAsOut() {
    // 4 workers, 1 backup, tasks of 1, 2, 3 and 4 s: the update waits for 3. Worker 1 vanishes at 1 s, so
    // that three can still come (0, 2, 3) and all are waited for: 4 s. The next round launches 3 and waits
    // for 2: workers 0 and 2, 7 s.
    SyncDriver driver(makeSync("backup-workers", {{"backups", std::int64_t{1}}}), 4);
    driver.seconds = [](auto worker, auto, auto) { return 1.0 + worker; };
    driver.start();
    QVERIFY(driver.step());
    driver.membership({1}, {});
    driver.run(2);
    QCOMPARE(driver.updates[0].time, 4.0);
    QCOMPARE(driver.updates[0].gradients.size(), std::size_t{3});
    QCOMPARE(driver.updates[1].time, 7.0);
    QCOMPARE(driver.updates[1].gradients.size(), std::size_t{2});
    QCOMPARE(driver.updates[1].gradients[1].worker, 2u);
    QCOMPARE(firstBroken(driver), "");
}

void tst_Synchronization::asyncAppliesAtOnceByHand() {
    // Two workers, 2 s and 3 s. Arrivals: w0 at 2, 4, 6, 8; w1 at 3, 6, 9 (at 6 s w1 first: it was assigned
    // earlier). w0's first gradient is fresh; w1's was read at version 0 and applied at 1: staleness 1. w0's
    // second was read at version 1, applied at 2: 1. At 6 s w1 (read at version 2, at 3 s) is applied at
    // version 3: 1.
    SyncDriver driver(makeSync("async"), 2);
    driver.seconds = [](auto worker, auto, auto) { return 2.0 + worker; };
    driver.start();
    driver.run(5);
    const std::vector<double> times{2, 3, 4, 6, 6};
    const std::vector<std::uint32_t> workers{0, 1, 0, 1, 0};
    const std::vector<std::uint64_t> staleness{0, 1, 1, 1, 1};
    for (std::size_t u = 0; u < 5; ++u) {
        QCOMPARE(driver.updates[u].time, times[u]);
        QCOMPARE(driver.updates[u].gradients.size(), std::size_t{1});
        QCOMPARE(driver.updates[u].gradients[0].worker, workers[u]);
        QCOMPARE(driver.updates[u].gradients[0].staleness, staleness[u]);
        QCOMPARE(driver.updates[u].gradients[0].weight, 1.0);
    }
    SyncDriver scaled(makeSync("async", {{"scale", std::string("one-over-n")}}), 4);
    scaled.start();
    scaled.run(1);
    QCOMPARE(scaled.updates[0].gradients[0].weight, 0.25);
}

void tst_Synchronization::asyncStalenessIsWorkersMinusOne() {
    // Each of the n − 1 other workers completes once, on average, while one task runs (renewal theory, any
    // law): n − 1 in the long run. Over a window with whole cycles the mean is within n/updates·n of it; the
    // tolerance 0.05 is ample.
    const int n = 8;
    SyncDriver driver(makeSync("async"), n);
    driver.seconds = exponential(12);
    driver.start();
    driver.run(40000);
    QVERIFY2(std::abs(driver.meanStaleness(2000) - (n - 1)) < 0.05,
             qPrintable(QString::number(driver.meanStaleness(2000))));
    QCOMPARE(firstBroken(driver), "");
}

void tst_Synchronization::sspBlocksByHand() {
    // s = 1, tasks of 1 s and 3.5 s. w0 pushes at 1 (clock 1, slowest 0: 1 ≤ 1, runs on) and at 2 (clock 2: 2
    // > 1, blocked). w1 pushes at 3.5 (clock 1): 2 − 1 ≤ 1, w0 runs again and pushes at 4.5 (clock 3: blocked
    // until 7).
    SyncDriver driver(makeSync("ssp", {{"staleness", std::int64_t{1}}}), 2);
    driver.seconds = [](auto worker, auto, auto) { return worker == 0 ? 1.0 : 3.5; };
    driver.start();
    driver.run(2);
    QCOMPARE(driver.blockedNow, std::vector<std::uint32_t>{0});
    driver.run(3);
    QCOMPARE(driver.updates[2].time, 3.5);
    QVERIFY(driver.blockedNow.empty());
    driver.run(4);
    QCOMPARE(driver.updates[3].time, 4.5);
    QCOMPARE(driver.updates[3].gradients[0].weight, 0.5);
    QCOMPARE(driver.blockedNow, std::vector<std::uint32_t>{0});
    driver.run(5);
    QCOMPARE(driver.updates[4].time, 7.0);
    QCOMPARE(firstBroken(driver), "");
}

void tst_Synchronization::sspZeroIsFullSyncInTimeWithHalfTheStaleness() {
    // s = 0: nobody begins before all have pushed, so n updates take one full-sync iteration, and the i-th of
    // a round to arrive is i updates old: exactly (n − 1)/2 on average.
    const int n = 6, rounds = 200;
    SyncDriver full(makeSync("full-sync"), n), ssp(makeSync("ssp", {{"staleness", std::int64_t{0}}}), n);
    full.seconds = ssp.seconds = exponential(13);
    full.start();
    ssp.start();
    full.run(rounds);
    ssp.run(rounds * n);
    QCOMPARE(ssp.updates.back().time, full.updates.back().time);
    QCOMPARE(ssp.meanStaleness(), (n - 1) / 2.0);
}

void tst_Synchronization::sspNeverExceedsItsBounds_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("s");
    for (int n : {1, 2, 5, 16})
        for (int s : {0, 1, 3, 10}) QTest::addRow("n=%d s=%d", n, s) << n << s;
}

void tst_Synchronization::sspNeverExceedsItsBounds() {
    QFETCH(int, workers);
    QFETCH(int, s);
    SyncDriver driver(makeSync("ssp", {{"staleness", std::int64_t{s}}}), workers);
    driver.seconds = [](std::uint32_t worker, std::uint32_t task,
                        int) { // heavy-tailed, so that some run far ahead
        const double u = RandomStream(14, Purpose::test, worker, task).unit();
        return 0.1 + std::pow(u, -1.5);
    };
    driver.start();
    const auto bound = driver.policy->stalenessBound();
    QVERIFY(bound.has_value());
    QCOMPARE(*bound, std::uint64_t(workers - 1) * std::uint64_t(2 * s + 1));
    std::vector<int> clocks(static_cast<std::size_t>(workers), 0);
    std::uint64_t worst = 0;
    while (driver.updates.size() < 4000 && driver.step()) {
        const auto& gradient = driver.updates.back().gradients.front();
        ++clocks[gradient.worker];
        worst = std::max(worst, gradient.staleness);
        const int slowest = *std::min_element(clocks.begin(), clocks.end());
        for (std::size_t w = 0; w < clocks.size(); ++w) // who computes is at most s ahead; who does not is blocked
            QVERIFY(driver.workers()[w].busy ? clocks[w] - slowest <= s : clocks[w] - slowest == s + 1);
    }
    QVERIFY2(worst <= *bound, qPrintable(QString::number(worst)));
    QCOMPARE(firstBroken(driver), "");
}

void tst_Synchronization::sspWithoutBoundIsAsync() {
    SyncDriver ssp(makeSync("ssp", {{"staleness", std::int64_t{1000000}}, {"scale", std::string("full")}}), 7);
    SyncDriver async(makeSync("async"), 7);
    ssp.seconds = async.seconds = exponential(15);
    ssp.start();
    async.start();
    ssp.run(2000);
    async.run(2000);
    for (std::size_t u = 0; u < 2000; ++u) {
        QCOMPARE(ssp.updates[u].time, async.updates[u].time);
        QCOMPARE(ssp.updates[u].gradients[0].worker, async.updates[u].gradients[0].worker);
        QCOMPARE(ssp.updates[u].gradients[0].weight, async.updates[u].gradients[0].weight);
    }
}

void tst_Synchronization::newcomerToSspHoldsNobodyBack() {
    // Two workers have each pushed 10 times when a third comes: its clock starts at 10, so nobody is blocked,
    // and with s = 0 the next round is one of three.
    SyncDriver driver(makeSync("ssp", {{"staleness", std::int64_t{0}}}), 2);
    driver.start();
    driver.run(20);
    driver.membership({}, {2});
    QVERIFY(driver.blockedNow.empty());
    driver.run(23);
    QCOMPARE(driver.updates[22].time, 11.0);
    QCOMPARE(driver.updates[22].gradients[0].weight, 1.0 / 3);
    // The slowest vanishes while the others wait for it: they go on.
    driver.seconds = [](auto worker, auto, auto) { return worker == 0 ? 100.0 : 1.0; };
    driver.run(28);
    while (driver.blockedNow.size() < 2) QVERIFY(driver.step());
    driver.membership({0}, {});
    QVERIFY(driver.blockedNow.empty());
    QCOMPARE(firstBroken(driver), "");
}

void tst_Synchronization::survivesAnyMembership_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("seed");
    static const Registry registry = Registry::builtin();
    for (const auto* info : registry.list(PolicyFamily::synchronization))
        for (int seed = 0; seed < 20; ++seed)
            QTest::addRow("%s seed %d", info->id.c_str(), seed) << QString::fromStdString(info->id) << seed;
}

void tst_Synchronization::survivesAnyMembership() {
    QFETCH(QString, id);
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test, 99);
    SyncDriver driver(makeSync(id.toStdString()), 1 + int(random.below(6)));
    driver.seconds = exponential(std::uint64_t(seed));
    driver.start();
    for (int i = 0; i < 600; ++i) {
        if (random.below(5) == 0) {
            std::vector<std::uint32_t> gone, come;
            for (std::uint32_t w = 0; w < 8; ++w) {
                const bool here = w < driver.workers().size() && driver.workers()[w].present;
                if (here && random.below(4) == 0) gone.push_back(w);
                if (!here && random.below(4) == 0) come.push_back(w);
            }
            if (!gone.empty() || !come.empty()) driver.membership(gone, come);
        }
        if (random.below(50) == 0) { // clone in the middle: the copy must do for the original
            driver.policy = driver.policy->clone();
        }
        driver.step();
    }
    QVERIFY(driver.updates.size() > 20);
    for (const auto& update : driver.updates) {
        double sum = 0;
        for (const auto& g : update.gradients) sum += g.weight;
        if (id != QLatin1String("gradient-coding")) // whose weights decode; their sum means nothing
            QVERIFY(sum > 0 && sum <= 1 + 1e-12);
    }
    QCOMPARE(firstBroken(driver), "");
}

void tst_Synchronization::shapes() {
    const auto check = [](const char* id, ParamValues parameters, int launched, int waitFor, bool asynchronous) {
        const auto shape = makeSync(id, std::move(parameters))->shape(8);
        return shape.launched == launched && shape.waitFor == waitFor && shape.asynchronous == asynchronous &&
               shape.load == 1;
    };
    QVERIFY(check("full-sync", {}, 8, 8, false));
    QVERIFY(check("fastest-k", {{"k", std::int64_t{3}}}, 8, 3, false));
    QVERIFY(check("fastest-k", {{"k", std::int64_t{30}}}, 8, 8, false));
    QVERIFY(check("backup-workers", {{"backups", std::int64_t{2}}}, 8, 6, false));
    QVERIFY(check("backup-workers", {{"backups", std::int64_t{20}}}, 8, 1, false));
    QVERIFY(check("async", {}, 8, 1, true));
    QVERIFY(check("ssp", {}, 8, 1, true));
}

TRAINYARD_TEST(tst_Synchronization)
#include "tst_Synchronization.moc"
