// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What changes of workers cost under schedulers that go by losses: when a job keeps what it has.
#include "policy/Registry.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

#include <numeric>

using namespace trainyard;
using test::machineWith;
using test::SchedulerDriver;
using test::workerJob;

class tst_QualityChanges : public QObject {
    Q_OBJECT
private slots:
    void unfinishedUpdatesAreKept();
    void newJobsDisturbAsFewAsPossible();
    void restartsAreCharged();
    void theFaithfulRuleChargesNothing();
    void whatEndedIsDividedWithFewestChanges();
};

namespace {

/// Jobs of 1 to 8 workers on one machine of 8, all from the beginning but the last, which arrives after `lastArrives`.
SchedulerDriver driverOf(std::size_t jobs, double restartSeconds, ParamValues parameters, double lastArrives = 0,
                         std::vector<double> updates = {}) {
    static const Registry registry = Registry::builtin();
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {8})};
    for (std::size_t j = 0; j < jobs; ++j) {
        workload.jobs.push_back(workerJob("j" + std::to_string(j), j + 1 == jobs ? lastArrives : 0, {1}, {1, 8}));
        workload.jobs.back().restartSeconds = restartSeconds;
    }
    if (updates.empty()) updates.assign(jobs, 1e6);
    return SchedulerDriver(registry.makeScheduler({"slaq", std::move(parameters)}), std::move(workload), updates);
}

std::vector<std::size_t> workersOf(const SchedulerDriver& driver) {
    std::vector<std::size_t> out;
    for (std::size_t j = 0; j < driver.finished.size(); ++j) out.push_back(driver.workersOf(j));
    return out;
}

/// Two jobs that go by turns where most is gained: at every epoch of the other.
double alternating(JobId job, double k) { return std::pow(job.value == 0 ? 0.97 : 0.98, std::floor(k)); }

} // namespace

// An update takes 10 s divided by the workers, an epoch a tenth: nobody loses a worker between two of its updates.
void tst_QualityChanges::unfinishedUpdatesAreKept() {
    SchedulerDriver driver = driverOf(2, 0, {{"epoch_s", 0.1}, {"rule", std::string("faithful")}}, 0, {400, 400});
    driver.losesFractions = true;
    driver.secondsPer = [](JobId, const Placement& p) {
        return p.workers.empty() ? INFINITY : 10.0 / static_cast<double>(p.workers.size());
    };
    driver.lossAt = alternating;
    std::vector<std::size_t> before = workersOf(driver);
    std::vector<double> since(2, 0), changes(2, 0);
    for (int step = 0; step < 60000 && driver.broken.empty() && driver.step(); ++step) {
        const auto now = workersOf(driver);
        for (std::size_t j = 0; j < 2; ++j) {
            if (now[j] == before[j]) continue;
            if (now[j] > 0 && now[j] < before[j]) {
                const double took = driver.now().toSeconds() - since[j], update = 10.0 / static_cast<double>(before[j]);
                QVERIFY2(took > update * (1 - 1e-6), qPrintable(QString("%1 s of %2 s").arg(took).arg(update)));
                ++changes[j];
            }
            since[j] = driver.now().toSeconds();
        }
        before = now;
    }
    QVERIFY2(driver.broken.empty(), test::firstBroken(driver));
    QVERIFY(driver.finished[0] > 0 && driver.finished[1] > 0);
    QVERIFY2(changes[0] >= 5 && changes[1] >= 5, qPrintable(QString("%1, %2").arg(changes[0]).arg(changes[1])));
}

// Two jobs have 4 workers each when a third arrives, in the middle of their updates: it starts at once, and takes what it gets from
// one of them.
void tst_QualityChanges::newJobsDisturbAsFewAsPossible() {
    SchedulerDriver driver = driverOf(3, 0, {{"epoch_s", 0.1}}, 0.55);
    driver.losesFractions = true;
    driver.secondsPer = [](JobId, const Placement& p) {
        return p.workers.empty() ? INFINITY : 10.0 / static_cast<double>(p.workers.size());
    };
    while (driver.now().toSeconds() < 0.5 && driver.step()) {}
    QCOMPARE(workersOf(driver), (std::vector<std::size_t>{4, 4, 0}));
    while (driver.now().toSeconds() < 0.55 && driver.step()) {}
    const auto now = workersOf(driver);
    QCOMPARE(now[0], std::size_t{4});
    QCOMPARE(now[1] + now[2], std::size_t{4});
    QVERIFY(now[1] >= 1 && now[2] >= 1);
    while (driver.now().toSeconds() < 2.4 && driver.step()) {}
    QCOMPARE(workersOf(driver), now);
}

// A restart of an epoch halves what a change is worth, so that fewer are made; the less, the longer it takes.
void tst_QualityChanges::restartsAreCharged() {
    const auto changes = [](double restart) {
        SchedulerDriver driver = driverOf(2, restart, {{"epoch_s", 1.0}});
        driver.lossAt = alternating;
        for (int i = 0; i < 100; ++i) driver.step();
        return driver.decisions.size();
    };
    const std::size_t free = changes(0), cheap = changes(0.1), dear = changes(3);
    QVERIFY2(free > cheap && cheap > dear, qPrintable(QString("%1 > %2 > %3").arg(free).arg(cheap).arg(dear)));
    QVERIFY(dear >= 2);
}

void tst_QualityChanges::theFaithfulRuleChargesNothing() {
    const auto decisionsWith = [](double restart) {
        SchedulerDriver driver = driverOf(2, restart, {{"epoch_s", 1.0}, {"rule", std::string("faithful")}});
        driver.lossAt = alternating;
        for (int i = 0; i < 100; ++i) driver.step();
        return driver.decisions.size();
    };
    QCOMPARE(decisionsWith(3), decisionsWith(0));
}

// With a great hysteresis a newcomer gets its least share from those to whom it is worth least, and what a job leaves goes to the
// others: nobody else is touched.
void tst_QualityChanges::whatEndedIsDividedWithFewestChanges() {
    SchedulerDriver driver = driverOf(3, 0, {{"epoch_s", 1.0}, {"hysteresis", 10.0}, {"rule", std::string("faithful")}},
                                      10.5, {1e6, 1e6, 3});
    driver.lossAt = alternating;
    while (driver.now().toSeconds() < 10 && driver.step()) {}
    const auto before = workersOf(driver);
    QCOMPARE(before[0] + before[1], std::size_t{8});
    while (driver.workersOf(2) == 0 && driver.step()) {}
    const auto during = workersOf(driver);
    QCOMPARE(during[2], std::size_t{1});
    QVERIFY((during[0] == before[0]) != (during[1] == before[1]));
    while (driver.finished[2] < 0 && driver.step()) {}
    const auto after = workersOf(driver);
    QCOMPARE(after[0] + after[1], std::size_t{8});
    QVERIFY(after[0] >= during[0] && after[1] >= during[1]);
}

TRAINYARD_TEST(tst_QualityChanges)
#include "tst_QualityChanges.moc"
