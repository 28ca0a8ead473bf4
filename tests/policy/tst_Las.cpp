// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Least attained service: queues and Gittins index by hand, what counts as processors, and who goes to a queue's tail.
#include "planning/GittinsIndex.h"
#include "policy/scheduler/Processors.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

#include <array>

using namespace trainyard;
using namespace trainyard::test;

class tst_Las : public QObject {
    Q_OBJECT
private slots:
    void queuesByHand();
    void nothingIsDoneWhereNobodyWaits();
    void whoGivesWayWaitsBeforeThoseWhoWaited();
    void skipsWhatDoesNotFit();
    void promotionByHand();
    void gittinsIndexByHand();
    void gittinsByHand();
    void processorsAreAccelerators();
    void srtfByServiceByHand();
    void decisionsAreExplained();
    void jobsSurviveFailures();
};

namespace {

ParamValues limits(double first, double second, ParamValues others = {}) {
    others["limit_1_s"] = first;
    others["limit_2_s"] = second;
    return others;
}

/// One machine of so many GPUs, a worker takes one; a job takes as long whatever its workers.
SchedulerDriver driverOf(double gpus, std::vector<Job> jobs, std::vector<double> seconds, ParamValues parameters,
                         const std::string& id = "las") {
    Workload workload;
    workload.cluster.resourceNames = {"gpu"};
    workload.cluster.machines = {machineWith("m", {gpus})};
    workload.jobs = std::move(jobs);
    SchedulerDriver driver(makeScheduler(id, std::move(parameters)), std::move(workload), std::move(seconds));
    driver.secondsPer = [](JobId, const Placement& p) { return p.workers.empty() ? INFINITY : 1.0; };
    return driver;
}

bool nearTo(const std::vector<double>& found, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < found.size(); ++i)
        if (std::abs(found[i] - expected.at(i)) > 1e-6) {
            qWarning("job %zu ended at %g, not %g", i, found[i], expected[i]);
            return false;
        }
    return found.size() == expected.size();
}

const char* broken(const SchedulerDriver& driver) { return driver.broken.empty() ? "" : driver.broken.front().c_str(); }

std::size_t preemptions(const SchedulerDriver& driver) {
    std::size_t n = 0;
    for (const auto& d : driver.decisions) n += d.kind == SchedulingDecision::Kind::preempt;
    return n;
}

} // namespace

void tst_Las::queuesByHand() {
    // 2 GPUs, limits 10 and 20. A: 2 GPUs, 12 s, at 0. B and C: 1 GPU each, 4 and 9 s, at 3. At 5 s A has had 10 GPU-seconds
    // and goes to the second queue: B runs from 5 to 9, C from 5 to 14. A needs both GPUs and has 7 s left: 14 to 21.
    const std::vector<Job> jobs{workerJob("A", 0, {1}, {2, 2}), workerJob("B", 3, {1}), workerJob("C", 3, {1})};
    SchedulerDriver driver = driverOf(2, jobs, {12, 4, 9}, limits(10, 20));
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {21, 9, 14}));
    QCOMPARE(preemptions(driver), std::size_t{1});
    // As in the public simulator: at 0 it looks for the demotion in (10 − 0)/2 = 5 s, but at 3, when others arrive, in
    // ⌈(10 − 3)/2⌉ = 4 s: A goes on until 7. B 7 to 11, C 7 to 16; A has 5 s left: 16 to 21.
    SchedulerDriver faithful = driverOf(2, jobs, {12, 4, 9}, limits(10, 20, {{"faithful", true}}));
    faithful.run();
    QCOMPARE(broken(faithful), "");
    QVERIFY(nearTo(faithful.finished, {21, 11, 16}));
    QCOMPARE(preemptions(faithful), std::size_t{1});
}

void tst_Las::nothingIsDoneWhereNobodyWaits() {
    // 3 GPUs, limits 4 and 100. A and B run from 0, B with 2 GPUs: B has had 4 GPU-seconds at 2, A at 4. Nobody waits: no
    // wake-ups. C arrives at 6, 2 GPUs, 1 s: in the first queue, A and B in the second, B before A since it came to it first. C takes
    // the place of A and … B: after C one GPU is free, B needs 2 and A 1: A stays, B gives way until 7.
    SchedulerDriver driver =
        driverOf(3, {workerJob("A", 0, {1}), workerJob("B", 0, {1}, {2, 2}), workerJob("C", 6, {1}, {2, 2})},
                 {20, 20, 1}, limits(4, 100));
    driver.step();
    QCOMPARE(driver.decisionCalls, std::size_t{1});
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {20, 21, 7}));
    QCOMPARE(preemptions(driver), std::size_t{1});
}

void tst_Las::whoGivesWayWaitsBeforeThoseWhoWaited() {
    // 1 GPU, one limit: 2. A (5 s), B (5 s), C (1 s) at 0, 0.5, 1; D (1 s) at 10. A runs 0–2 and goes to the second queue; B 2–4,
    // likewise, behind A; C 4–5. A 5–8 (ends). B from 8; at 10 D comes before it: 10–11; B 11–12.
    SchedulerDriver driver =
        driverOf(1, {workerJob("A", 0, {1}), workerJob("B", 0.5, {1}), workerJob("C", 1, {1}), workerJob("D", 10, {1})},
                 {5, 5, 1, 1}, limits(2, 2, {{"queues", std::int64_t{2}}}));
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {8, 12, 5, 11}));
    // Now E (4 s) comes at 8.5, before D, and gets to the second queue at 10.5, behind B, who gave way to it at 8.5. D 10.5–11.5,
    // since it waits in the first queue from 10 on; B, who has 2.5 s left, 11.5–14, E has 2 s left: 14–16.
    SchedulerDriver later = driverOf(1,
                                     {workerJob("A", 0, {1}), workerJob("B", 0.5, {1}), workerJob("C", 1, {1}),
                                      workerJob("E", 8.5, {1}), workerJob("D", 10, {1})},
                                     {5, 5, 1, 4, 1}, limits(2, 2, {{"queues", std::int64_t{2}}}));
    later.run();
    QCOMPARE(broken(later), "");
    QVERIFY(nearTo(later.finished, {8, 14, 5, 16, 11.5}));
}

void tst_Las::skipsWhatDoesNotFit() {
    // 4 GPUs. A has 3 until 10; B needs 2 and waits, C needs 1 and passes it.
    SchedulerDriver driver = driverOf(
        4, {workerJob("A", 0, {1}, {3, 3}), workerJob("B", 1, {1}, {2, 2}), workerJob("C", 2, {1})}, {10, 3, 4}, {});
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {10, 13, 6}));
    QCOMPARE(preemptions(driver), std::size_t{0});
}

void tst_Las::promotionByHand() {
    // 1 GPU, two queues, limit 4, knob 2. A (20 s) at 0, B (30 s) at 3. A 0–4, B 4–8; at 8 B comes to the second queue behind A:
    // A from 8. B has run 4 s and is new once it has waited 8: at 16 it is before A, runs 16–20 and is behind A again. A has run 12 s and
    // would have to wait 24, it has waited 4 + 4; it has 8 s left: 20–28. B has run 4 s since it was new: at 28 it is so again; it has
    // 22 s left: 50.
    SchedulerDriver driver = driverOf(1, {workerJob("A", 0, {1}), workerJob("B", 3, {1})}, {20, 30},
                                      limits(4, 4, {{"queues", std::int64_t{2}}, {"knob", 2.0}}));
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {28, 50}));
    QCOMPARE(preemptions(driver), std::size_t{4}); // A at 4 and 16, B at 8 and 20
    // Without, B waits until A ends: 20 + 4.
    SchedulerDriver without = driverOf(1, {workerJob("A", 0, {1}), workerJob("B", 3, {1})}, {20, 30},
                                       limits(4, 4, {{"queues", std::int64_t{2}}}));
    without.run();
    QVERIFY(nearTo(without.finished, {24, 50}));
}

void tst_Las::gittinsIndexByHand() {
    const std::array<double, 3> sizes{2, 4, 10};
    const auto index = [&](double attained, double window, bool absolute = false) {
        return gittinsIndex(sizes, attained, window, absolute);
    };
    // a = 0, Δ = 4: two of three end, after 2 + 4, the third takes 4 of what it needs: (2/3) / (10/3).
    QVERIFY(std::abs(index(0, 4) - 0.2) < 1e-15);
    // a = 2: sizes 4 and 10 are left; (1/2) / ((2 + 4)/2). With whole sizes (1/2) / ((4 + 4)/2).
    QVERIFY(std::abs(index(2, 4) - 1.0 / 6) < 1e-15);
    QVERIFY(std::abs(index(2, 4, true) - 1.0 / 8) < 1e-15);
    QCOMPARE(index(4, 4), 0.0); // nobody ends within the window
    QCOMPARE(index(10, 4), 0.0);
    QCOMPARE(gittinsIndex({}, 0, 4), 0.0);
    // A window beyond all: one over the mean that is left.
    QVERIFY(std::abs(index(2, 1e9) - 2 / (2.0 + 8)) < 1e-15);
}

void tst_Las::gittinsByHand() {
    // 1 GPU, Δ = 4. h (2 s) and A (10 s) at 0, B (1 s) at 3. No sizes are known: in order of arrival, h 0–2. Then S = {2}: new jobs
    // have G = 1/2, and A keeps the GPU when B comes. At 6 A has had 4 s, and no job is longer: G = 0. B 6–7, A 7–13.
    SchedulerDriver driver = driverOf(1, {workerJob("h", 0, {1}), workerJob("A", 0, {1}), workerJob("B", 3, {1})},
                                      {2, 10, 1}, {{"rank", std::string("gittins")}, {"window_s", 4.0}});
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {2, 13, 7}));
    QCOMPARE(preemptions(driver), std::size_t{1});
}

void tst_Las::processorsAreAccelerators() {
    Cluster cluster;
    cluster.resourceNames = {"CPUs", "gpu", "memory_gb"};
    QCOMPARE(processorsPerWorker(cluster, workerJob("a", 0, {4, 2, 8})), 2.0);
    QCOMPARE(processorsPerWorker(cluster, workerJob("b", 0, {4, 0, 8})), 4.0);
    QCOMPARE(processorsPerWorker(cluster, workerJob("c", 0, {0, 0, 8})), 1.0);
    cluster.resourceNames = {"gpu", "npu"};
    QCOMPARE(processorsPerWorker(cluster, workerJob("d", 0, {1, 2})), 3.0);
    // It is they that count: one machine of 4 CPUs and 4 GPUs, limit 8. A has one worker of 4 GPUs: at 2 s it has had 8. By its one
    // CPU it would be at 8 s, when it has ended. B (4 GPUs too, 1 s) waits from 1 to 2; A 3–5.
    Workload workload;
    workload.cluster.resourceNames = {"cpu", "gpu"};
    workload.cluster.machines = {machineWith("m", {4, 4})};
    workload.jobs = {workerJob("A", 0, {1, 4}), workerJob("B", 1, {1, 4})};
    SchedulerDriver driver(makeScheduler("las", limits(8, 100)), workload, {4, 1});
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {5, 3}));
}

void tst_Las::srtfByServiceByHand() {
    // 4 GPUs. At 0 A: 4 GPUs, 5 s, so 20 to go; B: 1 GPU, 10 s, so 10. By time A comes first: A 0–5, B 5–15. By service B: B 0–10,
    // A 10–15. At 6 C comes: 2 GPUs, 3 s, so 6 against the 4 of B; A waits anyway: C 6–9.
    const std::vector<Job> jobs{workerJob("A", 0, {1}, {4, 4}), workerJob("B", 0, {1}), workerJob("C", 6, {1}, {2, 2})};
    SchedulerDriver byTime = driverOf(4, jobs, {5, 10, 3}, {}, "srtf");
    byTime.run();
    QVERIFY(nearTo(byTime.finished, {5, 15, 9}));
    SchedulerDriver byService = driverOf(4, jobs, {5, 10, 3}, {{"rank", std::string("remaining-service")}}, "srtf");
    byService.run();
    QCOMPARE(broken(byService), "");
    QVERIFY(nearTo(byService.finished, {15, 10, 9}));
}

void tst_Las::decisionsAreExplained() {
    // As in queuesByHand. The driver demands that each explanation gives its choice.
    SchedulerDriver driver =
        driverOf(2, {workerJob("A", 0, {1}, {2, 2}), workerJob("B", 3, {1}), workerJob("C", 3, {1})}, {12, 4, 9},
                 limits(10, 20));
    driver.run();
    QCOMPARE(broken(driver), "");
    std::vector<std::string> said;
    for (const Explanation& why : driver.arena.all()) said.push_back(why.summary.english());
    QCOMPARE(said.size(), std::size_t{5});
    QCOMPARE(said[0].c_str(), "A is the first in line that fits: workers 2, on m");
    QCOMPARE(said[1].c_str(), "B comes before 1 running jobs whose room it needs: they give way");
    QCOMPARE(said[2].c_str(), "B is the first in line that fits: workers 1, on m");
    QCOMPARE(said[3].c_str(), "C is the first in line that fits: workers 1, on m");
    QCOMPARE(said[4].c_str(), "A is the first in line that fits: workers 2, on m");
    const Explanation& victims = driver.arena.all()[1];
    QCOMPARE(victims.candidates.size(), std::size_t{1});
    QCOMPARE(victims.candidates[0].checks[0].name.c_str(), "queue");
    QCOMPARE(victims.candidates[0].checks[0].value, 1.0);
    QCOMPARE(victims.candidates[0].numbers[0].value, 10.0); // GPU-seconds
}

void tst_Las::jobsSurviveFailures() {
    // Two machines of one GPU. B's fails at once: B waits at the tail of its queue, and takes the GPU of A once A is in the next one:
    // limit 3, A from 0 to 3, B 3 to 6 (it began at 0 and was stopped then), then A goes first again: 2 left, 6–8. B has 2 left: 8–10.
    Workload workload;
    workload.cluster.resourceNames = {"gpu"};
    workload.cluster.machines = {machineWith("m0", {1}), machineWith("m1", {1})};
    workload.jobs = {workerJob("A", 0, {1}), workerJob("B", 0, {1})};
    SchedulerDriver driver(makeScheduler("las", limits(3, 100)), workload, {5, 5});
    driver.step();
    driver.failMachine(1);
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {8, 10}));
}

TRAINYARD_TEST(tst_Las)
#include "tst_Las.moc"
