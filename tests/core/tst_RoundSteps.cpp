// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Round numbers and ticks, and ranges that have none.
#include "base/RoundSteps.h"
#include "support/TestMain.h"

#include <cmath>
#include <vector>

using namespace trainyard;
using Ticks = std::vector<double>;

class tst_RoundSteps : public QObject {
    Q_OBJECT
private slots:
    void steps();
    void nearest();
    void multiples();
    void powers();
};

void tst_RoundSteps::steps() {
    QCOMPARE(roundStep(1), 1.0);
    QCOMPARE(roundStep(1.001), 2.0);
    QCOMPARE(roundStep(2 * (1 + 1e-12)), 2.0);
    QCOMPARE(roundStep(0.03), 0.05);
    QCOMPARE(roundStep(6e7), 1e8);
    for (const double none : {0.0, -1.0, double(NAN), double(INFINITY)}) QCOMPARE(roundStep(none), 0.0);
}

// √(1·2), √(2·5) and √(5·10) lie in the middle.
void tst_RoundSteps::nearest() {
    QCOMPARE(nearestRound(1.4), 1.0);
    QCOMPARE(nearestRound(1.42), 2.0);
    QCOMPARE(nearestRound(3.1), 2.0);
    QCOMPARE(nearestRound(31.7), 50.0);
    QCOMPARE(nearestRound(0.7), 0.5);
    QCOMPARE(nearestRound(0.72), 1.0);
    QCOMPARE(nearestRound(20), 20.0);
    for (const double none : {0.0, -1.0, double(NAN), double(INFINITY)}) QCOMPARE(nearestRound(none), 0.0);
}

void tst_RoundSteps::multiples() {
    QCOMPARE(multiplesWithin(-2, 3, 2), (Ticks{-2, 0, 2}));
    QVERIFY(!std::signbit(multiplesWithin(-0.1, 1, 1).front())); // no "-0"
    QCOMPARE(multiplesWithin(0.3, 0.3, 0.1).size(), std::size_t{1});
    QCOMPARE(multiplesWithin(0, 1e9, 1).size(), std::size_t{1000});
    QCOMPARE(multiplesWithin(0, 1, 0), Ticks{});
    QCOMPARE(multiplesWithin(0, 1, NAN), Ticks{});
    QCOMPARE(multiplesWithin(NAN, NAN, 1), Ticks{});
    QCOMPARE(multiplesWithin(2, 1, 0.5), Ticks{});
}

void tst_RoundSteps::powers() {
    QCOMPARE(powersWithin(1, 20, {1, 2, 5}), (Ticks{1, 2, 5, 10, 20}));
    QCOMPARE(powersWithin(0.5, 2e4, {1}, 2), (Ticks{1, 100, 10000}));
    QCOMPARE(powersWithin(10, 10, {1, 3}), Ticks{10});
    QCOMPARE(powersWithin(0, 10, {1}), Ticks{});
    QCOMPARE(powersWithin(1, INFINITY, {1}), Ticks{});
    QCOMPARE(powersWithin(10, 1, {1}), Ticks{});
}

TRAINYARD_TEST(tst_RoundSteps)
#include "tst_RoundSteps.moc"
