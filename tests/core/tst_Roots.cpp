// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Roots and minima of one variable against closed forms, and what happens where there is none.
#include "base/Distribution.h"
#include "base/Roots.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_Roots : public QObject {
    Q_OBJECT
private slots:
    void roots();
    void noRoot();
    void fewEvaluations();
    void minima();
    void quantiles();
};

void tst_Roots::roots() {
    const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-15 * std::max(1.0, std::abs(y)); };
    QVERIFY(near(rootBetween(0, 2, [](double x) { return x * x - 2; }), std::sqrt(2.0)));
    QVERIFY(near(rootBetween(-50, 3, [](double x) { return 1 - std::exp(x); }), 0)); // falling
    QCOMPARE(rootBetween(0, 10, [](double x) { return x < 7 ? -1.0 : 1.0; }), 7.0);  // a jump: its upper end
    QCOMPARE(rootBetween(0, 1, [](double x) { return x; }), 0.0);                    // at an end
    QCOMPARE(rootBetween(0, 1, [](double x) { return x - 1; }), 1.0);
    QVERIFY(near(rootBetween(1, 4, [](double x) { return x < 3 ? -INFINITY : x > 3 ? INFINITY : 0; }), 3));
}

void tst_Roots::noRoot() {
    QCOMPARE(rootBetween(1, 2, [](double x) { return x; }), 1.0);
    QCOMPARE(rootBetween(1, 2, [](double x) { return -3 + x; }), 2.0);
    QCOMPARE(rootBetween(1, 2, [](double) { return 5.0; }), 1.0);
    QCOMPARE(rootBetween(2, 2, [](double x) { return x; }), 2.0); // one point
    QVERIFY(std::isnan(rootBetween(0, 1, [](double) { return NAN; })));
    QVERIFY(std::isnan(rootBetween(-1, 1, [](double x) { return std::abs(x) == 1 ? x : NAN; })));
    QVERIFY(std::isnan(rootBetween(NAN, 1, [](double x) { return x; })));
    QVERIFY(std::isnan(rootBetween(0, INFINITY, [](double x) { return x - 1; })));
}

// Halving takes 53 evaluations from here.
void tst_Roots::fewEvaluations() {
    int count = 0;
    rootBetween(0.1, 10, [&](double x) { return ++count, std::log(x) - 1; });
    QVERIFY2(count < 20, QByteArray::number(count));
}

void tst_Roots::minima() {
    const auto parabola = [](double x) { return (x - 0.3) * (x - 0.3) + 2; };
    QVERIFY(std::abs(leastPoint(-1, 1, 5, parabola) - 0.3) < 1e-7);
    QVERIFY(std::abs(leastPoint(1, 2, 5, parabola) - 1) < 1e-7); // at an end
    QVERIFY(std::abs(leastPoint(-2, 0, 2, parabola) - 0) < 1e-7);
    // Two valleys: the deeper one, which the scan finds.
    const auto valleys = [](double x) { return std::min(std::abs(x + 1), 2 * std::abs(x - 1.01) - 0.5); };
    QVERIFY(std::abs(leastPoint(-2, 2, 41, valleys) - 1.01) < 1e-6);
    QCOMPARE(leastPoint(1, 2, 9, [](double) { return NAN; }), 1.0);
    QCOMPARE(leastPoint(1, 2, 9, [](double) { return 4.0; }), 1.0); // all equal: the first
    QVERIFY(std::abs(leastPoint(-1, 1, 21, [&](double x) { return x < 0 ? NAN : parabola(x); }) - 0.3) < 1e-7);
    QVERIFY(std::abs(leastPoint(-1, 1, 21, [&](double x) { return x < 0.3 ? INFINITY : x; }) - 0.3) < 1e-6);
}

// The quantiles that have no closed form undo the distribution function; at the ends they are those of the law.
void tst_Roots::quantiles() {
    const Distribution chain{.law = Law::hypoexponential, .means = {1, 2, 0.5}};
    const Distribution twoSpeeds{.law = Law::bimodal, .shape = 3, .probability = 0.2, .factor = 8};
    for (const Distribution& law : {chain, twoSpeeds}) {
        for (const double p : {1e-9, 0.01, 0.3, 0.5, 0.8, 0.99, 1 - 1e-9})
            QVERIFY2(std::abs(law.cdf(law.quantile(p)) - p) < 4e-16 + 1e-13 * p, QByteArray::number(p));
        QCOMPARE(law.quantile(0), 0.0);
        QCOMPARE(law.cdf(law.quantile(1)), 1.0);
    }
}

TRAINYARD_TEST(tst_Roots)
#include "tst_Roots.moc"
