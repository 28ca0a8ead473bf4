// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The norm in an event's 16 spare bits: exact where it can be, close everywhere, and "not known" kept apart
// from 0.
#include "record/GradientNorm.h"
#include "support/TestMain.h"

#include <cmath>
#include <limits>

using namespace trainyard;

class tst_GradientNorm : public QObject {
    Q_OBJECT
private slots:
    void powersOfTwoAreExact();
    void everythingElseIsClose();
    void orderIsKept();
    void edges();
};

void tst_GradientNorm::powersOfTwoAreExact() {
    for (int e = -120; e <= 120; ++e)
        QCOMPARE(gradientNormOf(packGradientNorm(std::ldexp(1.0, e))), std::ldexp(1.0, e));
    QCOMPARE(gradientNormOf(packGradientNorm(1.5)), 1.5);
}

void tst_GradientNorm::everythingElseIsClose() {
    // Eight bits of fraction, rounded to the nearest: half of 2⁻⁸.
    for (double norm = 1e-30; norm < 1e30; norm *= 1.0137)
        QVERIFY(std::abs(gradientNormOf(packGradientNorm(norm)) / norm - 1) <= 1.0 / 512);
}

void tst_GradientNorm::orderIsKept() {
    double before = 0;
    for (int packed = 1; packed <= 0xff00; ++packed) {
        const double norm = gradientNormOf(static_cast<std::uint16_t>(packed));
        QVERIFY(norm >= before);
        before = norm;
        if (packed > 1) QCOMPARE(packGradientNorm(norm), static_cast<std::uint16_t>(packed));
    }
}

void tst_GradientNorm::edges() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    QVERIFY(std::isnan(gradientNormOf(packGradientNorm(nan))));
    QCOMPARE(packGradientNorm(nan), std::uint16_t{0}); // what every older log has there
    QCOMPARE(gradientNormOf(packGradientNorm(0)), 0.0);
    QCOMPARE(gradientNormOf(packGradientNorm(1e-60)), 0.0);
    QCOMPARE(gradientNormOf(packGradientNorm(1e60)), infinity);
    QCOMPARE(gradientNormOf(packGradientNorm(infinity)), infinity);
}

TRAINYARD_TEST(tst_GradientNorm)
#include "tst_GradientNorm.moc"
