// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Seconds as whole nanoseconds: rounded half away from zero like std::llround, saturating, NaN as nothing.
#include "base/Random.h"
#include "base/SimTime.h"
#include "support/TestMain.h"

#include <cmath>
#include <limits>

using namespace trainyard;

class tst_SimTime : public QObject {
    Q_OBJECT
private slots:
    void roundsHalfAwayFromZero();
    void saturates();
};

void tst_SimTime::roundsHalfAwayFromZero() {
    const auto check = [](double seconds) {
        const double ns = seconds * 1e9;
        for (const double x : {seconds, -seconds})
            QCOMPARE(Duration::seconds(x).ns, static_cast<std::int64_t>(std::llround(std::copysign(ns, x))));
    };
    for (const double ns : {0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 0x1p51 - 0.5, 0x1p51, 0x1p51 + 0.5, 0x1p52 + 1, 0x1p60})
        for (const double next : {std::nextafter(ns, 0.0), ns, std::nextafter(ns, 1e30)}) check(next * 1e-9);
    // 1e-9·1e9 need not be 1: what the nearest double below a half becomes is looked for beside it.
    for (double s = 0.5e-9, i = 0; i < 8; ++i, s = std::nextafter(s, 0.0)) check(s);
    RandomStream random(1, Purpose::test, 94);
    for (int i = 0; i < 100'000; ++i) check(std::pow(10.0, 19 * random.unit() - 10));
}

void tst_SimTime::saturates() {
    QCOMPARE(Duration::seconds(1e300).ns, std::numeric_limits<std::int64_t>::max());
    QCOMPARE(Duration::seconds(-1e300).ns, std::numeric_limits<std::int64_t>::min());
    QCOMPARE(Duration::seconds(std::nan("")).ns, std::int64_t{0});
}

TRAINYARD_TEST(tst_SimTime)
#include "tst_SimTime.moc"
