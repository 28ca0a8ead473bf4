// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Least attained service: queues and Gittins index by hand, what counts as processors, and who goes to a queue's tail.
#include "policy/scheduler/Processors.h"
#include "policy/scheduler/las/GittinsIndex.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

#include <array>
#include <deque>
#include <random>

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
    void whoGivesWayIsPromotedInTime();
    void lateLimitsKeepTheOrderOfTheLast();
    void asInASmallModel();
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

/// Discrete queues once more, on one machine of `gpus`: every limit and every promotion is looked at in its instant, whether anybody waits
/// or not, and all jobs are placed anew in order at each.
class QueueModel {
public:
    QueueModel(double gpus, const std::vector<Job>& jobs, const std::vector<double>& seconds,
               std::vector<double> limits, double knob)
        : m_gpus(gpus), m_limits(std::move(limits)), m_knob(knob), m_running(m_limits.size() + 1),
          m_waiting(m_limits.size() + 1) {
        for (std::size_t j = 0; j < jobs.size(); ++j)
            m_jobs.push_back({jobs[j].arrival.toSeconds(), double(jobs[j].workers.minimum), seconds[j]});
        m_ends.assign(jobs.size(), -1);
    }
    std::vector<double> ends() {
        for (double next = nextEvent(); next < INFINITY; next = nextEvent()) {
            pass(next);
            change();
            serve();
        }
        return m_ends;
    }
    /// Whether jobs changed their queues at the same time by unlike sums: who came first is a matter of rounding.
    bool isUndecided() const { return m_undecided; }

private:
    struct Member {
        double arrival, gpus, left, service = 0, ran = 0, waited = 0;
        bool isNew = false;
    };
    static constexpr double equal = 1e-7; // seconds

    template <class Visit>
    void forAll(std::vector<std::deque<std::size_t>>& queues, Visit visit) {
        for (std::size_t q = 0; q < queues.size(); ++q)
            for (const std::size_t j : std::deque(queues[q])) visit(q, j);
    }
    double limitAfter(std::size_t q) const { return q < m_limits.size() ? m_limits[q] : INFINITY; }
    bool isPromoted(std::size_t q, const Member& m) const { return m_knob > 0 && q > 0 && m.ran > 0; }

    double nextEvent() {
        double next = INFINITY;
        for (const Member& m : m_jobs)
            if (!m.isNew) next = std::min(next, m.arrival);
        forAll(m_running, [&](std::size_t q, std::size_t j) {
            const Member& m = m_jobs[j];
            next = std::min({next, m_now + m.left, m_now + (limitAfter(q) - m.service) / m.gpus});
        });
        forAll(m_waiting, [&](std::size_t q, std::size_t j) {
            const Member& m = m_jobs[j];
            if (isPromoted(q, m)) next = std::min(next, m_now + std::max(0.0, m_knob * m.ran - m.waited));
        });
        return next;
    }
    void pass(double to) {
        const double passed = to - m_now;
        m_now = to;
        forAll(m_running, [&](std::size_t, std::size_t j) {
            m_jobs[j].left -= passed;
            m_jobs[j].ran += passed;
            m_jobs[j].service += passed * m_jobs[j].gpus;
        });
        forAll(m_waiting, [&](std::size_t, std::size_t j) {
            if (m_jobs[j].ran > 0) m_jobs[j].waited += passed;
        });
    }
    void change() {
        m_come.assign(m_running.size(), {});
        for (std::size_t j = 0; j < m_jobs.size(); ++j)
            if (!m_jobs[j].isNew && m_jobs[j].arrival <= m_now + equal) {
                m_jobs[j].isNew = true;
                m_waiting[0].push_back(j);
            }
        forAll(m_running, [&](std::size_t q, std::size_t j) {
            const Member& m = m_jobs[j];
            const bool over = m.left <= equal, next = m.service >= limitAfter(q) - equal;
            if (over || next) std::erase(m_running[q], j);
            if (over) m_ends[j] = m_now;
            if (next && !over) m_come[q + 1].push_back(j);
        });
        std::deque<std::size_t> promoted;
        forAll(m_waiting, [&](std::size_t q, std::size_t j) {
            Member& m = m_jobs[j];
            if (!isPromoted(q, m) || m.waited < m_knob * m.ran - equal) return;
            std::erase(m_waiting[q], j);
            m.service = m.ran = m.waited = 0;
            promoted.push_back(j);
        });
        std::sort(promoted.begin(), promoted.end()); // at the same time: the first to arrive
        m_waiting[0].insert(m_waiting[0].end(), promoted.begin(), promoted.end());
        for (auto& come : m_come) {
            std::sort(come.begin(), come.end());
            for (const std::size_t j : come)
                m_undecided = m_undecided || !promoted.empty() || m_jobs[j].gpus != m_jobs[come[0]].gpus;
        }
    }
    void serve() {
        double room = m_gpus;
        const auto fits = [&](std::size_t j) {
            const bool fit = m_jobs[j].gpus <= room;
            if (fit) room -= m_jobs[j].gpus;
            return fit;
        };
        for (std::size_t q = 0; q < m_running.size(); ++q) {
            std::deque<std::size_t> running, waiting, leaving;
            for (const std::size_t j : m_running[q]) (fits(j) ? running : leaving).push_back(j);
            for (const std::size_t j : m_waiting[q]) (fits(j) ? running : waiting).push_back(j);
            for (const std::size_t j : m_come[q]) (fits(j) ? running : waiting).push_back(j);
            waiting.insert(waiting.begin(), leaving.begin(), leaving.end());
            m_running[q] = running;
            m_waiting[q] = waiting;
        }
    }

    double m_gpus;
    std::vector<double> m_limits;
    double m_knob, m_now = 0;
    bool m_undecided = false;
    std::vector<std::deque<std::size_t>> m_running, m_waiting,
        m_come; ///< by queue; come: with the last event, behind all
    std::vector<Member> m_jobs;
    std::vector<double> m_ends;
};

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

void tst_Las::whoGivesWayIsPromotedInTime() {
    // 8 GPUs, limit 20, knob 1. A: 5 GPUs, 50 s, from 0; it reaches the limit at 4. B: 5 GPUs, 20 s, at 20, before A: 20 to 24, when it
    // has had 20 and A is before it. B has run 4 s and is new once it has waited 4: it runs from 28 to 32, and so on, 36 to 40, 44 to 48, 52
    // to 56, its end. A has run 20 + 4 s when B is new for the first time, and never waited as long. It has run 36 s by 56: 14 more.
    SchedulerDriver driver = driverOf(8, {workerJob("A", 0, {1}, {5, 5}), workerJob("B", 20, {1}, {5, 5})}, {50, 20},
                                      limits(20, 20, {{"queues", std::int64_t{2}}, {"knob", 1.0}}));
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {70, 56}));
}

void tst_Las::lateLimitsKeepTheOrderOfTheLast() {
    // 12 GPUs, limits 10 and 30. A: 3 GPUs, 40 s, at 0; B: 8 GPUs, 30 s, at 8; C: 4 GPUs, 2 s, at 15. A reaches 10 at 3.33 and 30 at 10 s, B at
    // 9.25 and 11.75, while nobody waits: A came to the last queue first. For C B gives way, 15 to 17.
    SchedulerDriver driver =
        driverOf(12, {workerJob("A", 0, {1}, {3, 3}), workerJob("B", 8, {1}, {8, 8}), workerJob("C", 15, {1}, {4, 4})},
                 {40, 30, 2}, limits(10, 30));
    driver.run();
    QCOMPARE(broken(driver), "");
    QVERIFY(nearTo(driver.finished, {40, 40, 17}));
    QCOMPARE(preemptions(driver), std::size_t{1});
}

void tst_Las::asInASmallModel() {
    std::mt19937 random(11);
    const auto real = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    const auto whole = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
        const int gpus = whole(2, 12), queues = whole(1, 4);
        std::vector<Job> jobs;
        std::vector<double> seconds;
        double arrival = 0;
        for (int j = whole(2, 12); j > 0; --j) {
            const int workers = whole(1, gpus);
            jobs.push_back(workerJob("j" + std::to_string(j), arrival, {1}, {workers, workers}));
            seconds.push_back(real(0.5, 40));
            arrival += real(0.01, whole(0, 1) == 0 ? 3 : 30);
        }
        std::vector<double> at{real(2, 40)};
        for (int q = 1; q < 3; ++q) at.push_back(at.back() + real(1, 100));
        const double knob = whole(0, 2) == 0 ? 0 : real(0.1, 3);
        SchedulerDriver driver = driverOf(gpus, jobs, seconds,
                                          {{"limit_1_s", at[0]},
                                           {"limit_2_s", at[1]},
                                           {"limit_3_s", at[2]},
                                           {"queues", std::int64_t{queues}},
                                           {"knob", knob}});
        driver.run();
        QCOMPARE(broken(driver), "");
        at.resize(static_cast<std::size_t>(queues - 1));
        QueueModel model(gpus, jobs, seconds, at, knob);
        const std::vector<double> ends = model.ends();
        if (model.isUndecided()) continue;
        ++compared;
        for (std::size_t j = 0; j < ends.size(); ++j)
            QVERIFY2(
                std::abs(driver.finished[j] - ends[j]) < 1e-5,
                qPrintable(
                    QString("case %1: job %2 ends at %3, not %4").arg(i).arg(j).arg(driver.finished[j]).arg(ends[j])));
    }
    QVERIFY2(compared > 1800, qPrintable(QString::number(compared)));
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
