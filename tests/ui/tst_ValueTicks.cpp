// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Labels of value axes: round, within the axis, apart, and never one alone.
#include "drawing/ValueTicks.h"
#include "support/TestMain.h"

#include <QTest>

#include <algorithm>

using namespace trainyard;

class tst_ValueTicks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void byHand();
    void neverOneAlone();
    void texts();
};

void tst_ValueTicks::byHand() {
    using Ticks = std::vector<double>;
    QCOMPARE(valueTicks(0, 10, false, 0.2), (Ticks{0, 2, 4, 6, 8, 10}));
    QCOMPARE(valueTicks(0, 10, false, 0.21), (Ticks{0, 5, 10}));
    QCOMPARE(valueTicks(0.9, 3.1, false, 0.5), (Ticks{1, 3})); // 1, 2, 3 would touch, 2 alone says too little
    // Three decades: 0.3/3, 0.48/3 and 1/3 of the axis between neighbours.
    QCOMPARE(valueTicks(0.01, 10, true, 0.09).size(), std::size_t{10});
    QCOMPARE(valueTicks(0.01, 10, true, 0.15).size(), std::size_t{7}); // 1 and 3 of each
    QCOMPARE(valueTicks(0.01, 10, true, 0.3).size(), std::size_t{4});
}

void tst_ValueTicks::neverOneAlone() {
    for (const bool logarithmic : {false, true})
        for (const double low : {1e-6, 0.003, 0.7, 0.98, 1.0, 4.2})
            for (const double ratio : {1.001, 1.3, 2.2, 9.7, 11.0, 30.0, 5e5})
                for (const double apart : {0.05, 0.3, 0.6, 1.0}) {
                    const double high = low * ratio;
                    const auto ticks = valueTicks(low, high, logarithmic, apart);
                    QVERIFY2(ticks.size() >= 2, qPrintable(QStringLiteral("%1 … %2").arg(low).arg(high)));
                    QVERIFY(std::is_sorted(ticks.begin(), ticks.end()));
                    QVERIFY(ticks.front() >= low * (1 - 1e-8) && ticks.back() <= high * (1 + 1e-8));
                }
    QCOMPARE(valueTicks(2, 2, true, 0.3), std::vector<double>{2});
    // A low lane: two that do not touch, not the roundest. ln(2)/ln(16) is a quarter of the axis, ln(10)/ln(16) 0.83.
    for (const double high : {1.6, 2.2, 4.0}) {
        const auto two = valueTicks(0.137, high, true, 0.5);
        QVERIFY2(std::log(two.back() / two.front()) >= 0.4 * std::log(high / 0.137) - 1e-9,
                 qPrintable(QStringLiteral("%1: %2, %3").arg(high).arg(two.front()).arg(two.back())));
    }
}

void tst_ValueTicks::texts() {
    QCOMPARE(tickText(0.1, 0.02), QStringLiteral("0.1"));
    QCOMPARE(tickText(1e-17, 0.02), QStringLiteral("0"));
    QCOMPARE(tickText(1.00002, 1e-5), QStringLiteral("1.00002"));
    QCOMPARE(tickText(0.001, 0), QStringLiteral("0.001"));
    QCOMPARE(tickText(10800, 1800), QStringLiteral("10,800"));
    QCOMPARE(tickText(100000, 20000), QStringLiteral("100,000"));
    QCOMPARE(tickText(2e6, 1e6), QStringLiteral("2×10⁶"));
    QCOMPARE(tickText(1e5, 0), QStringLiteral("100,000")); // on a logarithmic axis, as on others
    QCOMPARE(tickText(1e6, 0), QStringLiteral("1×10⁶"));
}

TRAINYARD_TEST(tst_ValueTicks)
#include "tst_ValueTicks.moc"
