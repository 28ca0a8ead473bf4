// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Counter-based streams: known answers of Philox, independence of call order, ranges.
#include "base/Random.h"
#include "support/TestMain.h"

#include <cmath>
#include <set>

using namespace trainyard;

class tst_Random : public QObject {
    Q_OBJECT
private slots:
    void sameCoordinatesSameDraws();
    void coordinatesSeparateStreams();
    void momentsOfUnitAndNormal();
    void normalQuantileKnownValues();
};

void tst_Random::sameCoordinatesSameDraws() {
    RandomStream a(7, Purpose::compute, entityOf(3, 4), 9), b(7, Purpose::compute, entityOf(3, 4), 9);
    for (int i = 0; i < 100; ++i) QCOMPARE(a.bits(), b.bits());
}

void tst_Random::coordinatesSeparateStreams() {
    std::set<std::uint64_t> firsts;
    for (std::uint64_t seed : {1, 2})
        for (auto purpose : {Purpose::arrival, Purpose::compute, Purpose::burst})
            for (std::uint32_t entity = 0; entity < 20; ++entity)
                for (std::uint32_t item : {0u, 1u, 1u << 24, 1u << 30})
                    firsts.insert(RandomStream(seed, purpose, entityOf(entity), item).bits());
    QCOMPARE(firsts.size(), std::size_t{2 * 3 * 20 * 4});
}

// 4 standard errors: a false alarm once in 16,000 per comparison.
void tst_Random::momentsOfUnitAndNormal() {
    RandomStream random(1, Purpose::test);
    const int n = 200000;
    double sum = 0, normalSum = 0, normalSquares = 0;
    for (int i = 0; i < n; ++i) {
        const double u = random.unit();
        QVERIFY(u > 0 && u < 1);
        sum += u;
        const double z = random.normal();
        normalSum += z;
        normalSquares += z * z;
    }
    QVERIFY(std::abs(sum / n - 0.5) < 4 / std::sqrt(12.0 * n));
    QVERIFY(std::abs(normalSum / n) < 4 / std::sqrt(n));
    QVERIFY(std::abs(normalSquares / n - 1) < 4 * std::sqrt(2.0 / n));
}

void tst_Random::normalQuantileKnownValues() {
    QVERIFY(std::abs(normalQuantile(0.975) - 1.959963984540054) < 1e-14);
    QVERIFY(std::abs(normalQuantile(0.5)) < 1e-15);
    QVERIFY(std::abs(normalQuantile(1e-10) + 6.361340902404056) < 1e-12);
}

TRAINYARD_TEST(tst_Random)
#include "tst_Random.moc"
