// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// quality-rate by hand: what workers are worth by the whole way ahead.
#include "policy/Registry.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

#include <algorithm>

using namespace trainyard;
using test::machineWith;
using test::SchedulerDriver;
using test::workerJob;

class tst_QualityRate : public QObject {
    Q_OBJECT
private slots:
    void limitsAreTakenAsPromises();
    void equalJobsGetEqualShares();
    void plateausDoNotStarve();
    void plateausMayEndUnannounced();
    void nothingIsBelievedIfSo();
    void targetsTellWhatIsLeft();
    void lastPartsCount();
    void constantLossesAreWorthNothing();
    void oddLossesStarveNobody();
    void leastSharesAreKept();
};

namespace {

struct Jobs {
    int cores = 8;
    std::vector<StoppingRule> stops; ///< of each job; 1 to `cores` workers of one CPU
};

/// An update takes a second divided by the workers; epochs of a second; no least shares unless given.
SchedulerDriver rateOn(const Jobs& jobs, ParamValues parameters = {}, const char* scheduler = "quality-rate") {
    static const Registry registry = Registry::builtin();
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {double(jobs.cores)})};
    for (std::size_t j = 0; j < jobs.stops.size(); ++j) {
        workload.jobs.push_back(workerJob("j" + std::to_string(j), 0, {1}, {1, jobs.cores}));
        workload.jobs.back().stop = jobs.stops[j];
    }
    parameters.insert({"epoch_s", 1.0});
    parameters.insert({"min_share", 0.0});
    return SchedulerDriver(registry.makeScheduler({scheduler, std::move(parameters)}), std::move(workload),
                           std::vector<double>(jobs.stops.size(), 1e6));
}

const ParamValues dropOnly{{"last_part", 0.0}};

} // namespace

void tst_QualityRate::limitsAreTakenAsPromises() {
    // With last_part 0 quality is the share of the drop that is done. Both jobs are new: what is left is assumed to be 0.9^x after x
    // updates. The first has ten updates in all: x of them bring x/10 at least, and the envelope is that line, 0.1 for each. The second
    // has no limit: 0.1 for the first update, less for each further one. Of 8 workers, 8 updates an epoch, each gets its first, and the
    // first job the six that are left.
    SchedulerDriver driver = rateOn({8, {{.iterations = 10}, {}}}, dropOnly);
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{7});
    QCOMPARE(driver.workersOf(1), std::size_t{1});
    // Of 12: beyond its ten updates the first has no use for workers.
    SchedulerDriver more = rateOn({12, {{.iterations = 10}, {}}}, dropOnly);
    more.step();
    QCOMPARE(more.workersOf(0), std::size_t{10});
    QCOMPARE(more.workersOf(1), std::size_t{2});
    QVERIFY(driver.broken.empty() && more.broken.empty());
}

void tst_QualityRate::equalJobsGetEqualShares() {
    SchedulerDriver driver = rateOn({9, {{}, {}, {}}});
    driver.lossAt = [](JobId, double k) { return 1 + 9 * std::pow(0.98, std::floor(k)); };
    for (int i = 0; i < 12; ++i) {
        driver.step();
        for (std::size_t j = 0; j < 3; ++j) QCOMPARE(driver.workersOf(j), std::size_t{3});
    }
    QVERIFY(driver.broken.empty());
}

/// The first job falls from 1 to 0.5 by update 20 and stays there until 150, the target 0 at 200 being known; the second falls by 1 % an
/// update of what is left. Workers that the first has in thirty epochs on the plateau, of 8.
std::size_t workersOnThePlateau(const char* scheduler, const ParamValues& parameters) {
    SchedulerDriver driver =
        rateOn({8, {{.iterations = 200, .loss = 0.0}, {.iterations = 1000, .loss = 0.0}}}, parameters, scheduler);
    driver.lossAt = [](JobId job, double updates) {
        const double k = std::floor(updates);
        if (job.value == 1) return std::pow(0.99, k);
        return k < 20 ? 1 - k / 40 : k < 150 ? 0.5 - 1e-6 * k : 0.5 - (k - 150) / 100;
    };
    for (int i = 0; i < 15; ++i) driver.step();
    std::size_t sum = 0;
    for (int i = 0; i < 30; ++i) {
        driver.step();
        sum += driver.workersOf(0);
    }
    return driver.broken.empty() ? sum : 0;
}

void tst_QualityRate::plateausDoNotStarve() {
    // slaq sees no change and gives one worker in nearly all of the thirty epochs.
    const std::size_t starved = workersOnThePlateau("slaq", {{"rule", std::string("faithful")}});
    const std::size_t kept = workersOnThePlateau("quality-rate", {});
    QVERIFY2(starved <= 36 && kept >= 90, qPrintable(QString("%1 %2").arg(starved).arg(kept)));
}

// Without knowing limit and target, too: what has stood for k updates may fall by another k.
void tst_QualityRate::plateausMayEndUnannounced() {
    const ParamValues blind{{"believe_limits", false}, {"believe_targets", false}};
    const std::size_t starved = workersOnThePlateau("slaq", {{"rule", std::string("faithful")}});
    const std::size_t kept = workersOnThePlateau("quality-rate", blind);
    QVERIFY2(starved <= 36 && kept >= 70, qPrintable(QString("%1 %2").arg(starved).arg(kept)));
}

// Jobs that declare limits and targets are treated as those that declare none.
void tst_QualityRate::nothingIsBelievedIfSo() {
    const ParamValues blind{{"believe_limits", false}, {"believe_targets", false}};
    SchedulerDriver declared = rateOn({16, {{.iterations = 50, .loss = 0.5}, {}, {.loss = 4.0}}}, blind),
                    silent = rateOn({16, {{}, {}, {}}}, blind),
                    believed = rateOn({16, {{.iterations = 50, .loss = 0.5}, {}, {.loss = 4.0}}});
    const auto lossAt = [](JobId job, double k) {
        return 10 * std::pow(0.8 + 0.05 * static_cast<double>(job.value), std::floor(k));
    };
    bool differs = false;
    for (auto* driver : {&declared, &silent, &believed}) driver->lossAt = lossAt;
    for (int i = 0; i < 12; ++i) {
        declared.step();
        silent.step();
        believed.step();
        for (std::size_t j = 0; j < 3; ++j) {
            QCOMPARE(declared.workersOf(j), silent.workersOf(j));
            differs = differs || believed.workersOf(j) != silent.workersOf(j);
        }
    }
    QVERIFY(differs);
    QVERIFY(declared.broken.empty() && silent.broken.empty());
}

void tst_QualityRate::targetsTellWhatIsLeft() {
    // Both have fallen alike, 10 · 0.9^k; the first is to end at 4 and the second at 0, both are far from their limits. After nine
    // updates at 3.87 the first is done with all of its drop: nothing is left to be gained.
    SchedulerDriver driver = rateOn({8, {{.iterations = 500, .loss = 4.0}, {.iterations = 500, .loss = 0.0}}});
    driver.lossAt = [](JobId, double k) { return 10 * std::pow(0.9, std::floor(k)); };
    for (int i = 0; i < 12; ++i) driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{1});
    QCOMPARE(driver.workersOf(1), std::size_t{7});
    QVERIFY(driver.broken.empty());
}

void tst_QualityRate::lastPartsCount() {
    // The first job soon has 2 % of its drop left, of which each update takes a tenth; the second falls by 0.2 % of its drop an update all
    // the time. By the drop alone the second gets nearly everything, by halvings the first has its share.
    const auto workersOfTheFirst = [](double lastPart) {
        SchedulerDriver driver = rateOn({8, {{.loss = 0.0}, {.loss = 0.0}}}, {{"last_part", lastPart}});
        driver.lossAt = [](JobId job, double updates) {
            const double k = std::floor(updates);
            return job.value == 1 ? 1 - 0.002 * k : k < 25 ? 1 - k * 0.0392 : 0.02 * std::pow(0.9, k - 25);
        };
        std::size_t sum = 0;
        for (int i = 0; i < 20; ++i) {
            driver.step();
            sum += driver.workersOf(0);
        }
        return sum;
    };
    QVERIFY2(workersOfTheFirst(0) < workersOfTheFirst(1),
             qPrintable(QString("%1 %2").arg(workersOfTheFirst(0)).arg(workersOfTheFirst(1))));
}

void tst_QualityRate::constantLossesAreWorthNothing() {
    SchedulerDriver driver = rateOn({8, {{}, {}}});
    driver.lossAt = [](JobId job, double k) { return job.value == 0 ? 5 : 100 * std::pow(0.995, std::floor(k)); };
    for (int i = 0; i < 9; ++i) driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{1});
    QCOMPARE(driver.workersOf(1), std::size_t{7});
    QVERIFY(driver.broken.empty());
}

void tst_QualityRate::oddLossesStarveNobody() {
    for (const char* curve : {"better", "sublinear", "linear", "last-change", "true"})
        for (const bool limited : {false, true}) {
            StoppingRule stop;
            if (limited) stop = {.iterations = 40, .loss = 1.0};
            SchedulerDriver driver = rateOn({6, std::vector<StoppingRule>(5, stop)}, {{"curve", std::string(curve)}});
            driver.lossAt = [](JobId job, double k) {
                const double falling = std::pow(0.9, std::floor(k));
                return std::vector<double>{k, 3, -10 + falling, 1e-300 * falling, 1e12 * falling}[job.index()];
            };
            for (int i = 0; i < 60; ++i) {
                driver.step();
                std::size_t all = 0;
                for (std::size_t j = 0; j < 5; ++j) {
                    QVERIFY(driver.workersOf(j) >= 1);
                    all += driver.workersOf(j);
                }
                QCOMPARE(all, std::size_t{6});
            }
            QVERIFY(driver.broken.empty());
        }
}

void tst_QualityRate::leastSharesAreKept() {
    SchedulerDriver driver = rateOn({8, {{}, {}}}, {{"min_share", 0.5}});
    driver.lossAt = [](JobId job, double k) { return job.value == 0 ? 5 : 100 * std::pow(0.995, std::floor(k)); };
    for (int i = 0; i < 9; ++i) driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{2}); // half of 4
    QVERIFY(driver.broken.empty());
}

TRAINYARD_TEST(tst_QualityRate)
#include "tst_QualityRate.moc"
