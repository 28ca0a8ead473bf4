// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Transfers under way, by hand: order within a stream, what is released by cancelling, other ways around a
// failed link, repair.
#include "engine/TransferTable.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_TransferTable : public QObject {
    Q_OBJECT
private slots:
    void smallMessageWaitsForTheLargeOneBefore();
    void cancellingLetsTheNextArrive();
    void otherStreamsDoNotWait();
    void failedLinkStopsWhatHasNoOtherWay();
    void copyGoesOnAlone();
};

namespace {

using Arrivals = std::vector<TransferTable::Arrival>;

SimTime at(double seconds) { return SimTime::seconds(seconds); }

} // namespace

// 1.25e8 B/s: 12.5 MB alone take 0.1 s. Two flows share the link until the small one ends at 2·1.25e5/1.25e8
// s.
void tst_TransferTable::smallMessageWaitsForTheLargeOneBefore() {
    const Scenario scenario = starScenario(2);
    TransferTable table(scenario.cluster, NetworkModel::flow);
    const auto large = table.addMessage(JobId(0), 0, 1, 1.25e7, 0, 1);
    const auto small = table.addMessage(JobId(0), 0, 1, 1.25e5, 0, 1);
    QVERIFY(!table.depart(large, at(0)) && !table.depart(small, at(0)));
    Arrivals arrivals;
    table.complete(at(0.002), arrivals);
    QCOMPARE(arrivals.size(), std::size_t{1});
    QCOMPARE(arrivals[0].transfer, small);
    QVERIFY(!table.mayArrive(small));
    QCOMPARE(table.nextCompletion(), at(0.101));
    table.complete(at(0.101), arrivals);
    QVERIFY(table.mayArrive(large));
    QCOMPARE(table.release(large, at(0.101)), std::optional(small));
    QVERIFY(table.mayArrive(small));
    QVERIFY(!table.release(small, at(0.101)));
}

void tst_TransferTable::cancellingLetsTheNextArrive() {
    const Scenario scenario = starScenario(2);
    TransferTable table(scenario.cluster, NetworkModel::flow);
    const auto first = table.addMessage(JobId(0), 0, 1, 1.25e7, 0, 1);
    const auto second = table.addMessage(JobId(0), 0, 1, 1.25e7, 0, 1);
    const auto third = table.addMessage(JobId(0), 0, 1, 1.25e5, 0, 1);
    for (const auto id : {first, second, third}) table.depart(id, at(0));
    Arrivals arrivals;
    table.complete(at(0.003), arrivals);
    QCOMPARE(arrivals.back().transfer, third);
    QVERIFY(!table.mayArrive(third));
    QVERIFY(!table.release(second, at(0.003))); // the first is still before it
    QCOMPARE(table.release(first, at(0.003)), std::optional(third));
    QCOMPARE(table.nextCompletion(), SimTime::never());
    table.release(third, at(0.003));
    // A new message of the stream waits for nobody.
    const auto next = table.addMessage(JobId(0), 0, 1, 1, 0, 1);
    QVERIFY(table.mayArrive(next));
}

void tst_TransferTable::otherStreamsDoNotWait() {
    const Scenario scenario = starScenario(2);
    TransferTable table(scenario.cluster, NetworkModel::flow);
    table.depart(table.addMessage(JobId(0), 0, 1, 1.25e7, 0, 1), at(0));
    const auto back = table.addMessage(JobId(0), 1, 0, 64, 1, 0);
    const auto otherJob = table.addMessage(JobId(1), 0, 1, 64, 0, 1);
    const auto noMessage = table.add(JobId(0), 0, 1, 64);
    for (const auto id : {back, otherJob, noMessage}) QVERIFY(table.mayArrive(id));
}

// A star has no other way: half of the 12.5 MB are left at 0.05 s, and take 0.05 s after the repair.
void tst_TransferTable::failedLinkStopsWhatHasNoOtherWay() {
    const Scenario scenario = starScenario(2);
    TransferTable table(scenario.cluster, NetworkModel::flow);
    table.depart(table.add(JobId(0), 0, 1, 1.25e7), at(0));
    Arrivals arrivals;
    table.setLink(LinkId(0), false, at(0.05), arrivals);
    QCOMPARE(table.nextCompletion(), SimTime::never());
    QCOMPARE(table.flows(), std::size_t{0});
    table.setLink(LinkId(0), true, at(1), arrivals);
    QVERIFY(arrivals.empty());
    QCOMPARE(table.nextCompletion(), at(1.05));
}

void tst_TransferTable::copyGoesOnAlone() {
    const Scenario scenario = starScenario(2);
    TransferTable table(scenario.cluster, NetworkModel::flow);
    const auto id = table.add(JobId(0), 0, 1, 1.25e7);
    table.depart(id, at(0));
    TransferTable copy = table;
    table.release(id, at(0.05));
    QCOMPARE(table.nextCompletion(), SimTime::never());
    QCOMPARE(copy.nextCompletion(), at(0.1));
}

TRAINYARD_TEST(tst_TransferTable)
#include "tst_TransferTable.moc"
