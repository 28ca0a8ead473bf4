// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Packing by alignment, by hand: which job, on which machine, and how remaining work weighs.
#include "policy/Registry.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using test::machineWith;
using test::SchedulerDriver;
using test::workerJob;

class tst_Tetris : public QObject {
    Q_OBJECT
private slots:
    void packsWhatComplements();
    void tasksGoWhereTheyAreAligned();
    void remainingWorkWeighs();
    void passesOverWhatDoesNotFitAsAWhole();
};

namespace {

SchedulerDriver tetrisOn(std::vector<Machine> machines, std::vector<Job> jobs, std::vector<double> seconds,
                         ParamValues parameters = {}) {
    static const Registry registry = Registry::builtin();
    Workload workload;
    workload.cluster.resourceNames = {"cpu", "memory_gb"};
    workload.cluster.machines = std::move(machines);
    workload.jobs = std::move(jobs);
    SchedulerDriver driver(registry.makeScheduler({"tetris", std::move(parameters)}), std::move(workload),
                           std::move(seconds));
    driver.secondsPer = [](JobId, const Placement& p) { return p.workers.empty() ? INFINITY : 1.0; };
    return driver;
}

bool ends(const SchedulerDriver& driver, const std::vector<double>& expected) {
    for (std::size_t j = 0; j < expected.size(); ++j)
        if (std::abs(driver.finished[j] - expected[j]) > 1e-6) {
            qWarning("job %zu ended at %g, not %g", j, driver.finished[j], expected[j]);
            return false;
        }
    return driver.broken.empty();
}

} // namespace

void tst_Tetris::packsWhatComplements() {
    // One machine of 10 CPUs and 10 GB, ε = 0. A <5, 5>, B <8, 1>, C <2, 9>, 10 s each: alignments 0.5 + 0.5, 0.8 + 0.1 and 0.2 + 0.9. C
    // starts; <8, 1> is free: B, exactly. A waits until 10. In order of arrival A alone would run first.
    SchedulerDriver driver = tetrisOn({machineWith("m", {10, 10})},
                                      {workerJob("A", 0, {5, 5}), workerJob("B", 0, {8, 1}), workerJob("C", 0, {2, 9})},
                                      {10, 10, 10}, {{"epsilon", 0.0}});
    driver.step();
    QCOMPARE(driver.decisions.size(), std::size_t{2});
    QCOMPARE(driver.decisions[0].job, JobId(std::size_t{2}));
    const Explanation& why = driver.arena.all()[0];
    QCOMPARE(why.candidates[why.chosen[0]].numbers[0].value, 0.2 + 0.9);
    driver.run();
    QVERIFY(ends(driver, {20, 10, 10}));
}

void tst_Tetris::tasksGoWhereTheyAreAligned() {
    // Both machines have 12 CPUs and 12 GB. X takes <8, 0> of m and Y <0, 8> of n (X and Y come first; X's alignments are 8/12 on
    // either: the lower number). Then free <4, 12> on m, and on n, where Y is aligned with 8/12 against 8/12 on m: m again, so
    // <4, 4> and <12, 12>. Z <3, 1>: (3 · 4 + 1 · 4)/144 on m, (3 · 12 + 1 · 12)/144 on n.
    SchedulerDriver driver = tetrisOn({machineWith("m", {12, 12}), machineWith("n", {12, 12})},
                                      {workerJob("X", 0, {8, 0}), workerJob("Y", 1, {0, 8}), workerJob("Z", 2, {3, 1})},
                                      {100, 100, 100}, {{"epsilon", 0.0}});
    for (int i = 0; i < 3; ++i) driver.step();
    const auto machine = [&](std::size_t job) { return driver.state().jobs()[job].placement.workers.at(0).index(); };
    QCOMPARE(machine(0), std::size_t{0});
    QCOMPARE(machine(1), std::size_t{0});
    QCOMPARE(machine(2), std::size_t{1});
    SchedulerDriver packed = tetrisOn({machineWith("m", {12, 12}), machineWith("n", {12, 12})},
                                      {workerJob("X", 0, {8, 0}), workerJob("Y", 1, {0, 8}), workerJob("Z", 2, {3, 1})},
                                      {100, 100, 100}, {{"epsilon", 0.0}, {"placing", std::string("pack")}});
    for (int i = 0; i < 3; ++i) packed.step();
    QCOMPARE(packed.state().jobs()[2].placement.workers.at(0).index(), std::size_t{0}); // the fullest that has room
}

void tst_Tetris::remainingWorkWeighs() {
    // 10 CPUs, 10 GB. A <6, 6> for 10 s, B <6, 5> for 1 s. Alignments 1.2 and 1.1. Work, shares × seconds: 1.2 · 10 = 12 and
    // 1.1 · 1 = 1.1; means 1.15 and 6.55. ε = 0: A first. ε = 1: 1.2 − 1.15/6.55 · 12 < 0 against 1.1 − 0.19: B first.
    const std::vector<Job> jobs{workerJob("A", 0, {6, 6}), workerJob("B", 0, {6, 5})};
    SchedulerDriver packing = tetrisOn({machineWith("m", {10, 10})}, jobs, {10, 1}, {{"epsilon", 0.0}});
    packing.run();
    QVERIFY(ends(packing, {10, 11}));
    SchedulerDriver both = tetrisOn({machineWith("m", {10, 10})}, jobs, {10, 1});
    both.run();
    QVERIFY(ends(both, {11, 1}));
    const Explanation& why = both.arena.all()[0];
    QVERIFY(std::abs(why.candidates[0].numbers[0].value - (1.1 - 1.15 / 6.55 * 1.1)) < 1e-12);
    QVERIFY(std::abs(why.candidates[1].numbers[0].value - (1.2 - 1.15 / 6.55 * 12)) < 1e-12);
}

void tst_Tetris::passesOverWhatDoesNotFitAsAWhole() {
    // A wants three workers of <4, 4>, of which two fit; B is aligned less well and starts.
    SchedulerDriver driver =
        tetrisOn({machineWith("m", {10, 10})}, {workerJob("A", 0, {4, 4}, {3, 3}), workerJob("B", 0, {1, 1})}, {5, 5});
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{0});
    QCOMPARE(driver.workersOf(1), std::size_t{1});
    QVERIFY(driver.broken.empty());
    QVERIFY(driver.arena.all().refusals() >= 1);
}

TRAINYARD_TEST(tst_Tetris)
#include "tst_Tetris.moc"
