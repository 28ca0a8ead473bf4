// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The concave envelope by hand, and against its definition on random points.
#include "base/Random.h"
#include "planning/ConcaveEnvelope.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>

using namespace trainyard;

class tst_ConcaveEnvelope : public QObject {
    Q_OBJECT
private slots:
    void byHand();
    void equalsTheBestOfAllChords();
};

void tst_ConcaveEnvelope::byHand() {
    ConcaveEnvelope envelope;
    QCOMPARE(envelope.at(3), 0.0);
    envelope.add(1, 2);
    QCOMPARE(envelope.at(0), 2.0); // constant beyond its points
    QCOMPARE(envelope.at(9), 2.0);
    // A plateau from 2 to 4, then a steep rise to 5: straight from (1, 2) to (5, 6), over both in between.
    envelope.add(2, 2.5);
    envelope.add(4, 2.5);
    envelope.add(4, 100); // not to the right of the last
    envelope.add(5, 6);
    QCOMPARE(envelope.corners().size(), std::size_t{2});
    QCOMPARE(envelope.at(2), 3.0);
    QCOMPARE(envelope.at(4), 5.0);
    // Then less and less: corners stay.
    envelope.add(7, 7);
    envelope.add(9, 7);
    QCOMPARE(envelope.corners().size(), std::size_t{4});
    QCOMPARE(envelope.at(6), 6.5);
    QCOMPARE(envelope.at(8), 7.0);
}

void tst_ConcaveEnvelope::equalsTheBestOfAllChords() {
    RandomStream random(5, Purpose::policy, 0, 0);
    for (int i = 0; i < 500; ++i) {
        std::vector<std::pair<double, double>> points;
        double x = 0;
        ConcaveEnvelope envelope;
        for (std::uint64_t n = 1 + random.below(12); n > 0; --n) {
            points.emplace_back(x += 0.01 + random.unit(), random.unit() * 10 - 5);
            envelope.add(points.back().first, points.back().second);
        }
        for (int k = 0; k < 20; ++k) {
            const double at = points.front().first + random.unit() * (x - points.front().first);
            double best = -1e300;
            for (const auto& [x1, y1] : points)
                for (const auto& [x2, y2] : points) {
                    if (!(x1 <= at && at <= x2)) continue;
                    best = std::max(best, x1 == x2 ? y1 : y1 + (y2 - y1) * (at - x1) / (x2 - x1));
                }
            QVERIFY2(std::abs(envelope.at(at) - best) < 1e-9, qPrintable(QString::number(i)));
        }
    }
}

TRAINYARD_TEST(tst_ConcaveEnvelope)
#include "tst_ConcaveEnvelope.moc"
