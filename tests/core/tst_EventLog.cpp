// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The log: order, digests, copies that share blocks, spilling, and its fold.
#include "base/Result.h"
#include "record/ClusterState.h"
#include "record/EventLog.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_EventLog : public QObject {
    Q_OBJECT
private slots:
    void keepsWhatWasAppended();
    void copySharesThePastAndDivergesAfter();
    void spillsBeyondTheLimit();
    void findsPositionsByTime();
    void stateRefusesToOvercommit();
};

static Event at(std::int64_t ns, double value) {
    Event e{.time = SimTime{ns}, .type = EventType::linkLoad};
    e.value = value;
    return e;
}

void tst_EventLog::keepsWhatWasAppended() {
    EventLog log;
    const int n = 3 * static_cast<int>(EventLog::blockEvents) / 2;
    for (int i = 0; i < n; ++i) log.append(at(i, i));
    QCOMPARE(log.size(), static_cast<std::size_t>(n));
    for (int i = 0; i < n; i += 1000) QCOMPARE(log[static_cast<std::size_t>(i)].value, static_cast<double>(i));
}

void tst_EventLog::copySharesThePastAndDivergesAfter() {
    EventLog log;
    for (int i = 0; i < 70000; ++i) log.append(at(i, i));
    EventLog copy(log);
    QCOMPARE(copy.digest(), log.digest());
    copy.append(at(80000, 1));
    log.append(at(80000, 2));
    QVERIFY(copy.digest() != log.digest());
    QCOMPARE(log[70000].value, 2.0);
    QCOMPARE(copy[70000].value, 1.0);
    QCOMPARE(&copy[0], &log[0]); // full blocks are shared
}

void tst_EventLog::spillsBeyondTheLimit() {
    EventLog log(EventLog::blockEvents * sizeof(Event));
    for (int i = 0; i < 200000; ++i) log.append(at(i, i));
    QVERIFY(log.spilledBytes() > 0);
    QCOMPARE(log[199999].value, 199999.0);
}

void tst_EventLog::findsPositionsByTime() {
    EventLog log;
    for (int i = 0; i < 100; ++i) log.append(at(i / 10, i));
    QCOMPARE(log.positionAfter(SimTime{-1}), std::size_t{0});
    QCOMPARE(log.positionAfter(SimTime{0}), std::size_t{10});
    QCOMPARE(log.positionAfter(SimTime{99}), std::size_t{100});
}

void tst_EventLog::stateRefusesToOvercommit() {
    auto workload = std::make_shared<Workload>();
    workload->cluster.machines.push_back({.key = "m1", .capacity = ResourceVector::of({1.5})});
    Job job{.key = "j"};
    job.workerDemand = ResourceVector::of({1});
    workload->jobs.push_back(job);
    ClusterState state(workload);
    Event place{.type = EventType::taskPlaced, .job = 0, .a = 0, .b = 0};
    state.apply(place);
    QCOMPARE(state.machines()[0].free.amount(0), 0.5);
    place.a = 1;
    QVERIFY_EXCEPTION_THROWN(state.apply(place), InvariantError);
}

TRAINYARD_TEST(tst_EventLog)
#include "tst_EventLog.moc"
