// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Why a job was tried and not started: recorded once for each constraint that fails, and for free where nobody explains.
#include "policy/Registry.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using test::SchedulerDriver;

class tst_Refusals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void headOfTheLineByHand();
    void nothingIsRecordedUnasked();
    void refusalsAreNoDecisions();
    void fillingLeavesMinimaAlone_data();
    void fillingLeavesMinimaAlone();

private:
    /// Two machines of 4 cpu. One job takes 3 of each for 10 updates, another asks for one worker of 3, a third for 1.
    static SchedulerDriver driver(const char* policy = "fifo") {
        Workload w;
        w.cluster.resourceNames = {"cpu"};
        w.cluster.machines = {{.key = "m1", .capacity = ResourceVector::of({4})},
                              {.key = "m2", .capacity = ResourceVector::of({4})}};
        w.jobs = {test::workerJob("long", 0, {3}, {2, 2}), test::workerJob("wide", 1, {3}, {1, 1}),
                  test::workerJob("small", 2, {1}, {1, 1})};
        for (Job& job : w.jobs) job.servers = {0, 0};
        const Registry registry = Registry::builtin();
        return SchedulerDriver(registry.makeScheduler({policy, {}}), std::move(w), {10, 1, 1});
    }
};

void tst_Refusals::headOfTheLineByHand() {
    SchedulerDriver d = driver();
    d.run();
    QVERIFY(d.broken.empty());
    const ExplanationLog& log = d.arena.all();
    // 2 cpu are free, so that not even the total is enough: one refusal at second 1, none anew when the small job arrives.
    QCOMPARE(log.refusals(), std::size_t{1});
    const Explanation& why = *log.refusal(0);
    QCOMPARE(why.job, JobId(1));
    QCOMPARE(why.time, SimTime::seconds(1));
    QCOMPARE(why.candidates.front().checks.front().name, std::string("free cpu"));
    QCOMPARE(why.candidates.front().checks.front().value, 3.0);
    QCOMPARE(why.candidates.front().checks.front().limit, 2.0);
    QCOMPARE(why.candidates.size(), std::size_t{3}); // the job, and both machines
    QCOMPARE(why.candidates[1].label, std::string("m1"));
    QCOMPARE(why.candidates[1].checks[0].limit, 1.0);
    QVERIFY(why.chosen.empty());
    QVERIFY(why.evaluate() == why.chosen);
}

void tst_Refusals::nothingIsRecordedUnasked() {
    SchedulerDriver d = driver();
    d.arena = ExplanationArena(WhyLevel::off);
    d.run();
    QCOMPARE(d.arena.all().refusals(), std::size_t{0});
    QCOMPARE(d.arena.all().size(), std::size_t{0});
}

// Decisions keep their places, which events name, whatever is refused between them.
void tst_Refusals::refusalsAreNoDecisions() {
    SchedulerDriver d = driver();
    d.run();
    QCOMPARE(d.arena.all().size(), std::size_t{3});
    ExplanationArena copy = d.arena;
    copy.refuse(*d.arena.all().refusal(0));
    QCOMPARE(copy.all().refusals(), std::size_t{2});
    QCOMPARE(d.arena.all().refusals(), std::size_t{1});
    ExplanationArena full(WhyLevel::full, 1); // no memory: decisions are abridged, refusals dropped
    full.refuse(*d.arena.all().refusal(0));
    QCOMPARE(full.all().refusals(), std::size_t{0});
}

void tst_Refusals::fillingLeavesMinimaAlone_data() {
    QTest::addColumn<QByteArray>("policy");
    QTest::newRow("drf") << QByteArray("drf");
    QTest::newRow("fair") << QByteArray("fair");
}

// As with fifo: beside the first job's minimum, 3 of 4 cpu on each machine, the second's worker fits nowhere. It is refused once, and
// starts when the first has ended; the third starts on arrival, in what is left.
void tst_Refusals::fillingLeavesMinimaAlone() {
    QFETCH(QByteArray, policy);
    SchedulerDriver d = driver(policy.constData());
    d.run();
    QVERIFY(d.broken.empty());
    const ExplanationLog& log = d.arena.all();
    QCOMPARE(log.refusals(), std::size_t{1});
    const Explanation& why = *log.refusal(0);
    QCOMPARE(why.job, JobId(1));
    QCOMPARE(why.policy, policy.toStdString());
    QCOMPARE(why.time, SimTime::seconds(1));
    QCOMPARE(why.candidates.front().checks.front().value, 3.0);
    QCOMPARE(why.candidates.front().checks.front().limit, 2.0);
    QVERIFY(why.chosen.empty());
}

TRAINYARD_TEST(tst_Refusals)
#include "tst_Refusals.moc"
