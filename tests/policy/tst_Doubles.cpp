// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The test doubles themselves: they must really do what conformance relies on, through the interfaces alone.
#include "support/GradientSignSync.h"
#include "support/LossReadingScheduler.h"
#include "support/SchedulerDriver.h"
#include "support/SlotPlanner.h"
#include "support/SyncDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_Doubles : public QObject {
    Q_OBJECT
private slots:
    void signSyncRaisesKWhenGradientsOppose();
    void signSyncGivesLoadBySpeed();
    void signSyncSurvivesMembership();
    void slotPlannerBooksTheFutureAndWakesItself();
    void slotPlannerRejectsWhatItCannotBook();
    void slotPlannerWaitsForAnOverrun();
    void lossReaderMovesWorkersToWhoImproves();
};

void tst_Doubles::signSyncRaisesKWhenGradientsOppose() {
    // Gradients (−1)^version: every pair is opposed. The counter passes 2 after three opposed pairs (updates
    // 1–2, 2–3, 3–4 seen before the fifth), and starts again: k grows to the number of workers. With one sign
    // it never grows.
    for (const bool opposed : {true, false}) {
        auto policy = std::make_unique<GradientSignSync>(GradientSignParams{.threshold = 2, .firstK = 1});
        const auto* sync = policy.get();
        SyncDriver driver(std::move(policy), 4);
        driver.seconds = [](auto worker, auto, auto) { return 1.0 + 0.1 * worker; };
        driver.message = [&](auto, auto) {
            return std::vector<double>{opposed && driver.updates.size() % 2 == 1 ? -1.0 : 1.0, 0.0};
        };
        driver.start();
        driver.run(4);
        QCOMPARE(sync->k(), 1);
        driver.run(5);
        QCOMPARE(sync->k(), opposed ? 2 : 1);
        driver.run(60);
        QCOMPARE(sync->k(), opposed ? 4 : 1);
        QVERIFY2(driver.broken.empty(), driver.broken.empty() ? "" : driver.broken.front().c_str());
    }
}

void tst_Doubles::signSyncGivesLoadBySpeed() {
    // Worker 1 is half as fast. After the first round the loads follow the speeds: 30·(1/1.5)·2 = 40 and 20;
    // then both end together, and the weights are 2/3 and 1/3.
    SyncDriver driver(std::make_unique<GradientSignSync>(GradientSignParams{.threshold = 5, .firstK = 2}), 2);
    driver.batch = 30;
    driver.seconds = [](auto worker, auto, int samples) { return samples * (worker == 0 ? 1.0 : 2.0); };
    driver.start();
    driver.run(3);
    QCOMPARE(driver.updates[0].time, 60.0);
    QCOMPARE(driver.updates[1].time, 100.0);
    QCOMPARE(driver.updates[2].gradients[0].samples, 40);
    QCOMPARE(driver.updates[2].gradients[1].samples, 20);
    QCOMPARE(driver.updates[2].gradients[0].weight, 2.0 / 3);
}

void tst_Doubles::signSyncSurvivesMembership() {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        RandomStream random(seed, Purpose::test, 6);
        SyncDriver driver(std::make_unique<GradientSignSync>(GradientSignParams{}), 4);
        driver.seconds = [seed](auto worker, auto task, auto) {
            return -std::log(RandomStream(seed, Purpose::test, worker, task).unit());
        };
        driver.start();
        for (int i = 0; i < 300; ++i) {
            const auto w = std::uint32_t(random.below(4));
            if (random.below(6) == 0)
                driver.workers()[w].present ? driver.membership({w}, {}) : driver.membership({}, {w});
            driver.step();
        }
        QVERIFY2(driver.broken.empty(), driver.broken.empty() ? "" : driver.broken.front().c_str());
        QVERIFY(driver.updates.size() > 20);
    }
}

static Workload fourProcessors(std::vector<Job> jobs) {
    Workload out;
    out.cluster.resourceNames = {"cpu"};
    out.cluster.machines = {machineWith("m", {4})};
    out.jobs = std::move(jobs);
    return out;
}

void tst_Doubles::slotPlannerBooksTheFutureAndWakesItself() {
    // Slots of 2 s. a takes the machine for 3 s: slots 0 and 1. b (4 processors, 1 s) comes at 0.5 and is
    // booked for slot 2; c (1 processor, 1 s) for slot 3. Nothing happens at 4 and 6 s but the wake-ups,
    // which start them.
    SchedulerDriver driver(std::make_unique<SlotPlanner>(SlotPlannerParams{.slotSeconds = 2, .horizon = 10}),
                           fourProcessors({workerJob("a", 0, {4}), workerJob("b", 0.5, {4}), workerJob("c", 0.6, {1})}),
                           {3, 1, 1});
    driver.run();
    QVERIFY(driver.broken.empty());
    const std::vector<double> expected{3, 5, 7};
    for (std::size_t j = 0; j < 3; ++j) QVERIFY(std::abs(driver.finished[j] - expected[j]) < 1e-6);
}

void tst_Doubles::slotPlannerRejectsWhatItCannotBook() {
    // Horizon of 2 slots: b would have to wait for slot 2 and is rejected; c can never fit.
    SchedulerDriver driver(std::make_unique<SlotPlanner>(SlotPlannerParams{.slotSeconds = 2, .horizon = 2}),
                           fourProcessors({workerJob("a", 0, {4}), workerJob("b", 0.5, {4}), workerJob("c", 5, {5})}),
                           {3, 1, 1});
    driver.run();
    QVERIFY(driver.broken.empty());
    QVERIFY(driver.finished[0] > 0);
    QCOMPARE(driver.state().jobs()[1].phase, JobPhase::rejected);
    QCOMPARE(driver.state().jobs()[2].phase, JobPhase::rejected);
}

void tst_Doubles::slotPlannerWaitsForAnOverrun() {
    // a turns out three times slower than told when b was booked for slot 1: b is put off to the slot after
    // a's end at 6 s.
    bool slow = false;
    SchedulerDriver driver(std::make_unique<SlotPlanner>(SlotPlannerParams{.slotSeconds = 2, .horizon = 10}),
                           fourProcessors({workerJob("a", 0, {4}), workerJob("b", 1, {4})}), {2, 1});
    driver.secondsPer = [&](JobId job, const Placement&) { return slow && job.value == 0 ? 5.0 : 1.0; };
    driver.step();
    driver.step();
    slow = true; // from 1 s on: one of two updates is left, 5 s
    driver.run();
    QVERIFY(driver.broken.empty());
    QVERIFY(std::abs(driver.finished[0] - 6) < 1e-6);
    QVERIFY(std::abs(driver.finished[1] - 7) < 1e-6);
}

void tst_Doubles::lossReaderMovesWorkersToWhoImproves() {
    // 12 processors, two jobs of 1…12 workers. a's loss stands still, b's falls steadily: after two epochs
    // a's gain is 0 and b's 1, shares are made equal at w_a/0.1 = w_b/1.1: a 1, b 11.
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {12})};
    workload.jobs = {workerJob("a", 0, {1}, {1, 12}), workerJob("b", 0, {1}, {1, 12})};
    SchedulerDriver driver(std::make_unique<LossReadingScheduler>(LossReadingParams{.epochSeconds = 5}), workload,
                           {1e6, 1e6});
    driver.secondsPer = [](JobId, const Placement&) { return 1.0; };
    driver.lossAt = [](JobId job, double updates) { return job.value == 0 ? 1.0 : 1e6 - updates; };
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{6});
    driver.run(4);
    QVERIFY2(driver.broken.empty(), driver.broken.empty() ? "" : driver.broken.front().c_str());
    QCOMPARE(driver.now().toSeconds(), 20.0);
    QCOMPARE(driver.workersOf(0), std::size_t{1});
    QCOMPARE(driver.workersOf(1), std::size_t{11});
}

TRAINYARD_TEST(tst_Doubles)
#include "tst_Doubles.moc"
