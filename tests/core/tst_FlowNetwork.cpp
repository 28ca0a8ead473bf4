// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Max-min fair transfers against closed forms worked by hand. Capacities are in bytes per second; times in
// nanoseconds.
#include "base/Result.h"
#include "engine/FlowNetwork.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_FlowNetwork : public QObject {
    Q_OBJECT
private slots:
    void oneLinkIsSharedEqually_data();
    void oneLinkIsSharedEqually();
    void parkingLot();
    void twoCrossingBottlenecks();
    void finishTimesAreRoundedUp();
    void capacityChangesMidWay();
    void linkDownStandsStill();
    void cancelReturnsWhatIsLeft();
    void laterFlowSlowsTheFirst();
    void equalFinishesComeInFlowOrder();
    void completeServesEarlierFinishesFirst();
    void routeMayCrossALinkTwice();
    void finishedFlowsLeaveEvenIfTheirLinkFails();
    void loadsAreReported();
    void triflesAreReportedOnceIdle();
    void manyFlowsShareOneLink_data();
    void manyFlowsShareOneLink();
    void copyGoesOnEqually();
    void refusesNonsense();
};

namespace {

using Links = std::vector<DirectedLink>;
constexpr std::int64_t second = 1'000'000'000;

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

/// Runs to the end; (time, tag) of every completion.
std::vector<std::pair<std::int64_t, std::uint64_t>> finish(FlowNetwork& network) {
    std::vector<std::pair<std::int64_t, std::uint64_t>> out;
    std::vector<std::uint64_t> tags;
    for (SimTime t = network.nextCompletion(); t != SimTime::never(); t = network.nextCompletion()) {
        tags.clear();
        network.complete(t, tags);
        for (const auto tag : tags) out.emplace_back(t.ns, tag);
    }
    return out;
}

} // namespace

void tst_FlowNetwork::oneLinkIsSharedEqually_data() {
    QTest::addColumn<int>("flows");
    for (const int n : {1, 2, 3, 7, 1000}) QTest::addRow("%d flows", n) << n;
}

// n flows of i·1000 bytes (i = 1 … n) on 1e6 B/s. Flow i leaves when everyone has moved 1000·i bytes or less:
// t_i = Σ_{j ≤ i} (n − j + 1)·1000 / 1e6 s, whole milliseconds, so nothing may be lost to rounding.
void tst_FlowNetwork::oneLinkIsSharedEqually() {
    QFETCH(int, flows);
    FlowNetwork network({1e6});
    for (int i = 1; i <= flows; ++i)
        network.start(Links{0}, 1000.0 * i, static_cast<std::uint64_t>(i), SimTime::zero());
    QVERIFY(near(network.rate(0), 1e6 / flows));
    const auto ends = finish(network);
    QCOMPARE(ends.size(), static_cast<std::size_t>(flows));
    std::int64_t expected = 0;
    for (int i = 1; i <= flows; ++i) {
        expected += (flows - i + 1) * 1'000'000ll;
        QCOMPARE(ends[static_cast<std::size_t>(i - 1)].first, expected);
        QCOMPARE(ends[static_cast<std::size_t>(i - 1)].second, static_cast<std::uint64_t>(i));
    }
    QCOMPARE(network.activeFlows(), std::size_t{0});
    QCOMPARE(network.load(0), 0.0);
}

// A long flow over links of 10, 20 and 6; one short flow on each. Link 2 is the tightest: 6/2 = 3 for the
// long flow and its third neighbour; the others take the rest: 10 − 3 = 7 and 20 − 3 = 17.
void tst_FlowNetwork::parkingLot() {
    FlowNetwork network({10, 20, 6});
    const FlowId longFlow = network.start(Links{0, 1, 2}, 1e3, 0, SimTime::zero());
    const FlowId a = network.start(Links{0}, 1e3, 1, SimTime::zero());
    const FlowId b = network.start(Links{1}, 1e3, 2, SimTime::zero());
    const FlowId c = network.start(Links{2}, 1e3, 3, SimTime::zero());
    QVERIFY(near(network.rate(longFlow), 3));
    QVERIFY(near(network.rate(c), 3));
    QVERIFY(near(network.rate(a), 7));
    QVERIFY(near(network.rate(b), 17));
}

// Links 12 and 10. Flows: two on link 0 alone, one on both, three on link 1 alone. Link 1: 10/4 = 2.5; link
// 0: 12/3 = 4 > 2.5, so link 1 fills first at 2.5; then link 0: (12 − 2.5)/2 = 4.75. When one of link 1's
// flows goes: 10/3 = 3.33 < 4, link 0: (12 − 10/3)/2 = 13/3. When another goes: 10/2 = 5 > 12/3 = 4: now link
// 0 caps the shared flow at 4, and link 1's last own flow gets 6.
void tst_FlowNetwork::twoCrossingBottlenecks() {
    FlowNetwork network({12, 10});
    const FlowId a = network.start(Links{0}, 1e3, 0, SimTime::zero());
    const FlowId a2 = network.start(Links{0}, 1e3, 0, SimTime::zero());
    const FlowId both = network.start(Links{0, 1}, 1e3, 0, SimTime::zero());
    const FlowId b = network.start(Links{1}, 1e3, 0, SimTime::zero());
    const FlowId b2 = network.start(Links{1}, 1e3, 0, SimTime::zero());
    const FlowId b3 = network.start(Links{1}, 1e3, 0, SimTime::zero());
    QVERIFY(near(network.rate(both), 2.5) && near(network.rate(b), 2.5) && near(network.rate(b3), 2.5));
    QVERIFY(near(network.rate(a), 4.75) && near(network.rate(a2), 4.75));
    network.cancel(b, SimTime{1});
    QVERIFY(near(network.rate(both), 10.0 / 3) && near(network.rate(a), 13.0 / 3));
    network.cancel(b2, SimTime{1});
    QVERIFY(near(network.rate(both), 4) && near(network.rate(a), 4) && near(network.rate(b3), 6));
    QVERIFY(near(network.load(0), 12) && near(network.load(1), 10));
}

// 1 byte at 3 B/s: 333,333,333.33… ns, so it is over at …334. 300 bytes at 1e9/3 B/s: exactly 900 ns although
// the quotient in binary is 900.0000000000001.
void tst_FlowNetwork::finishTimesAreRoundedUp() {
    FlowNetwork network({3, 1e9 / 3});
    network.start(Links{0}, 1, 1, SimTime::zero());
    network.start(Links{1}, 300, 2, SimTime::zero());
    const auto ends = finish(network);
    QCOMPARE(ends[0], std::make_pair(std::int64_t{900}, std::uint64_t{2}));
    QCOMPARE(ends[1], std::make_pair(std::int64_t{333'333'334}, std::uint64_t{1}));
}

// 1000 bytes at 100 B/s. After 4 s 600 are left; at 50 B/s they take 12 s: the end is at 16 s.
void tst_FlowNetwork::capacityChangesMidWay() {
    FlowNetwork network({100});
    network.start(Links{0}, 1000, 7, SimTime::zero());
    QCOMPARE(network.nextCompletion().ns, 10 * second);
    network.setCapacity(0, 50, SimTime{4 * second});
    QCOMPARE(network.nextCompletion().ns, 16 * second);
    network.setCapacity(0, 200, SimTime{8 * second}); // 400 left: 2 s
    QCOMPARE(network.nextCompletion().ns, 10 * second);
}

// Down from 3 s to 13 s: everything on the link ends 10 s later. The other flow gets all of link 1 meanwhile.
void tst_FlowNetwork::linkDownStandsStill() {
    FlowNetwork network({100, 100});
    const FlowId down = network.start(Links{0, 1}, 500, 1, SimTime::zero());
    const FlowId other = network.start(Links{1}, 650, 2, SimTime::zero()); // both at 50 B/s
    network.setCapacity(0, 0, SimTime{3 * second});                        // 350 and 500 left
    QCOMPARE(network.rate(down), 0.0);
    QVERIFY(near(network.rate(other), 100));
    QCOMPARE(network.nextCompletion().ns, 8 * second); // 3 + 500/100
    std::vector<std::uint64_t> tags;
    network.complete(SimTime{8 * second}, tags);
    QCOMPARE(tags, std::vector<std::uint64_t>{2});
    QCOMPARE(network.nextCompletion(), SimTime::never());
    network.setCapacity(0, 100, SimTime{13 * second});
    QCOMPARE(network.nextCompletion().ns, 13 * second + 3 * second + second / 2); // 350 at 100 B/s
}

void tst_FlowNetwork::cancelReturnsWhatIsLeft() {
    FlowNetwork network({100});
    const FlowId a = network.start(Links{0}, 1000, 1, SimTime::zero());
    const FlowId b = network.start(Links{0}, 1000, 2, SimTime::zero());
    QVERIFY(near(network.cancel(a, SimTime{4 * second}), 800)); // 4 s at 50 B/s
    QCOMPARE(network.activeFlows(), std::size_t{1});
    QCOMPARE(network.nextCompletion().ns, 12 * second); // 800 left at 100 B/s
    QCOMPARE(network.cancel(b, SimTime{12 * second}), 0.0);
    QCOMPARE(network.nextCompletion(), SimTime::never());
}

// A alone: 100 B/s until 2 s (800 left); then shared at 50 B/s. B's 200 bytes end at 6 s; A has 600 left: 12
// s.
void tst_FlowNetwork::laterFlowSlowsTheFirst() {
    FlowNetwork network({100});
    network.start(Links{0}, 1000, 1, SimTime::zero());
    network.start(Links{0}, 200, 2, SimTime{2 * second});
    const auto ends = finish(network);
    QCOMPARE(ends[0], std::make_pair(6 * second, std::uint64_t{2}));
    QCOMPARE(ends[1], std::make_pair(12 * second, std::uint64_t{1}));
}

void tst_FlowNetwork::equalFinishesComeInFlowOrder() {
    FlowNetwork network(std::vector<double>(8, 7.0));
    for (DirectedLink l = 0; l < 8; ++l) network.start(Links{7 - l}, 11, 100 + l, SimTime::zero());
    std::vector<std::uint64_t> tags;
    network.complete(network.nextCompletion(), tags);
    QCOMPARE(tags, (std::vector<std::uint64_t>{100, 101, 102, 103, 104, 105, 106, 107}));
}

// 100 and 300 bytes at 50 B/s each: the first ends at 2 s, then the second has 200 left at 100 B/s and ends
// at 4 s. Asked only at 5 s, the network must still serve both in order, and not charge the second the slower
// rate.
void tst_FlowNetwork::completeServesEarlierFinishesFirst() {
    FlowNetwork network({100});
    network.start(Links{0}, 300, 1, SimTime::zero());
    network.start(Links{0}, 100, 2, SimTime::zero());
    std::vector<std::uint64_t> tags;
    network.complete(SimTime{3 * second}, tags);
    QCOMPARE(tags, std::vector<std::uint64_t>{2});
    QCOMPARE(network.nextCompletion().ns, 4 * second);
    network.complete(SimTime{5 * second}, tags);
    QCOMPARE(tags, (std::vector<std::uint64_t>{2, 1}));
}

// The flow takes the link twice, its neighbour once: 3 crossings of 12 B/s, 4 B/s each.
void tst_FlowNetwork::routeMayCrossALinkTwice() {
    FlowNetwork network({12, 100});
    const FlowId twice = network.start(Links{0, 1, 0}, 100, 1, SimTime::zero());
    const FlowId once = network.start(Links{0}, 100, 2, SimTime::zero());
    QVERIFY(near(network.rate(twice), 4) && near(network.rate(once), 4));
    QVERIFY(near(network.load(0), 12) && near(network.load(1), 4));
    network.cancel(once, SimTime::zero());
    QVERIFY(near(network.rate(twice), 6));
}

void tst_FlowNetwork::finishedFlowsLeaveEvenIfTheirLinkFails() {
    FlowNetwork network({3});
    network.start(Links{0}, 1, 9, SimTime::zero());
    const SimTime end = network.nextCompletion();
    network.setCapacity(0, 0, end);
    QCOMPARE(network.nextCompletion(), end);
    std::vector<std::uint64_t> tags;
    network.complete(end, tags);
    QCOMPARE(tags, std::vector<std::uint64_t>{9});
}

// Link 0 (10 B/s) caps the flow; link 1 carries what comes. A second flow on link 0 leaves its load at 10 and
// halves link 1's.
void tst_FlowNetwork::loadsAreReported() {
    FlowNetwork network({10, 100, 100});
    std::vector<LinkReport> reports;
    const auto links = [&] {
        Links out;
        for (const auto& r : reports) out.push_back(r.link);
        return out;
    };
    network.takeLinkReports(reports);
    QVERIFY(reports.empty());
    network.start(Links{1, 0}, 100, 1, SimTime::zero());
    network.takeLinkReports(reports);
    QCOMPARE(links(), (Links{0, 1}));
    QVERIFY(near(reports[0].load, 10) && near(reports[1].load, 10));
    const FlowId second = network.start(Links{0}, 100, 2, SimTime{1});
    network.takeLinkReports(reports);
    QCOMPARE(links(), Links{1});
    QVERIFY(near(reports[0].load, 5));
    network.cancel(second, SimTime{2});
    network.start(Links{0}, 100, 3, SimTime{2}); // as before: nothing to report
    network.takeLinkReports(reports);
    QVERIFY(reports.empty());
}

// Two flows of 1,000 bytes over a link of 1,000 B/s, the first held to 1 B/s elsewhere until the second has gone: its
// load of 1 B/s is a trifle beside 999. From t = 0: A and B together 1,000; B ends at 1000/999 s; A has 998.999 bytes left.
void tst_FlowNetwork::triflesAreReportedOnceIdle() {
    FlowNetwork network({1000, 5, 1000});
    std::vector<LinkReport> reports;
    network.start(Links{2}, 1000, 1, SimTime::zero());
    network.takeLinkReports(reports);
    QCOMPARE(reports.size(), 1u);
    QCOMPARE(reports[0].load, 1000.0);
    const FlowId trifle = network.start(Links{0, 1}, 1000, 2, SimTime::zero());
    network.takeLinkReports(reports);
    QCOMPARE(reports.size(), 2u);                                      // began to carry, however little
    network.setCapacity(1, 6, SimTime::zero() + Duration::seconds(1)); // 5 to 6 of 1,000 B/s: a trifle for link 0
    network.takeLinkReports(reports);
    QCOMPARE(reports.size(), 1u);
    QCOMPARE(reports[0].link, 1u);
    const double left = network.cancel(trifle, SimTime::zero() + Duration::seconds(3));
    QVERIFY(near(left, 1000 - 5 - 12));
    network.takeLinkReports(reports);
    double missing = -1;
    for (const auto& r : reports)
        if (r.link == 0) missing = r.unreportedBytes;
    QVERIFY(near(missing, 17 - 3 * 5)); // it carried 17 bytes; 5 B/s for 3 s were reported
}

void tst_FlowNetwork::manyFlowsShareOneLink_data() {
    QTest::addColumn<int>("flows");
    for (const int n : {3, 30, 300, 3000}) QTest::addRow("%d flows", n) << n;
}

// Flow i of n brings i kB from a leaf of its own to a hub of 1 GB/s. They all go equally fast, so flow k ends when the first k
// have sent all and the others as much as it: after Σ over j ≤ k of (n − j + 1) kB.
void tst_FlowNetwork::manyFlowsShareOneLink() {
    QFETCH(int, flows);
    std::vector<double> capacities(static_cast<std::size_t>(flows) + 1, 1e9);
    FlowNetwork network(capacities);
    for (int i = flows; i >= 1; --i)
        network.start(Links{static_cast<DirectedLink>(i), 0}, 1000.0 * i, static_cast<std::uint64_t>(i),
                      SimTime::zero());
    const auto ends = finish(network);
    QCOMPARE(ends.size(), static_cast<std::size_t>(flows));
    std::int64_t expected = 0;
    for (int k = 1; k <= flows; ++k) {
        expected += (flows - k + 1) * 1000ll; // 1 kB at 1 GB/s: 1,000 ns
        QCOMPARE(ends[static_cast<std::size_t>(k - 1)], std::pair(expected, static_cast<std::uint64_t>(k)));
    }
}

void tst_FlowNetwork::copyGoesOnEqually() {
    FlowNetwork network({10, 20, 6});
    for (std::uint64_t i = 0; i < 9; ++i)
        network.start(Links{static_cast<DirectedLink>(i % 3), static_cast<DirectedLink>((i + 1 + i / 3) % 3)},
                      100.0 + static_cast<double>(i), i, SimTime{static_cast<std::int64_t>(i)});
    FlowNetwork copy(network);
    const auto ends = finish(network);
    QCOMPARE(finish(copy), ends);
    QCOMPARE(ends.size(), std::size_t{9});
}

void tst_FlowNetwork::refusesNonsense() {
    FlowNetwork network({10});
    QVERIFY_EXCEPTION_THROWN(network.start(Links{}, 1, 0, SimTime::zero()), InvariantError);
    QVERIFY_EXCEPTION_THROWN(network.start(Links{1}, 1, 0, SimTime::zero()), InvariantError);
    QVERIFY_EXCEPTION_THROWN(network.start(Links{0}, 0, 0, SimTime::zero()), InvariantError);
    QCOMPARE(network.activeFlows(), std::size_t{0});
    const FlowId flow = network.start(Links{0}, 5, 0, SimTime{10});
    QVERIFY_EXCEPTION_THROWN(network.setCapacity(0, 1, SimTime{9}), InvariantError);
    network.cancel(flow, SimTime{10});
    QVERIFY_EXCEPTION_THROWN(network.cancel(flow, SimTime{10}), InvariantError);
}

TRAINYARD_TEST(tst_FlowNetwork)
#include "tst_FlowNetwork.moc"
