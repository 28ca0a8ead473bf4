// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Laws of the time of an update by workers: recovered from exact times, and what few or odd samples give.
#include "base/Random.h"
#include "planning/ScalingLaw.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_ScalingLaw : public QObject {
    Q_OBJECT
private slots:
    void recoversExactLaws();
    void fewSamples();
    void coefficientsAreNotNegative();
    void fastestIsTheLeast();
};

void tst_ScalingLaw::recoversExactLaws() {
    RandomStream random(5, Purpose::policy, 0, 0);
    for (int i = 0; i < 200; ++i) {
        const UpdateLaw law{.fixedSeconds = random.unit(),
                            .dividedSeconds = 1 + 9 * random.unit(),
                            .perWorkerSeconds = 0.1 * random.unit()};
        std::vector<ScalingSample> samples;
        for (const int a : {1, 2, 3, 5, 8, 13}) samples.push_back({a, law.at(a), 1 + random.unit()});
        const UpdateLaw found = fitScaling(samples);
        for (const int a : {1, 4, 20, 100}) QVERIFY(std::abs(found.at(a) / law.at(a) - 1) < 1e-8);
    }
}

void tst_ScalingLaw::fewSamples() {
    QCOMPARE(fitScaling({}), (UpdateLaw{0, 0, 0}));
    // With 4 workers 2 s and 2 s: W = 8 s, half as long with 8.
    const std::vector<ScalingSample> alike{{4, 2}, {4, 2}};
    const UpdateLaw law = fitScaling(alike);
    QCOMPARE(law.dividedSeconds, 8.0);
    QCOMPARE(law.at(8), 1.0);
    // Neither 0 nor infinite times count.
    const std::vector<ScalingSample> odd{{1, 0}, {2, INFINITY}, {0, 1}, {4, 2, 0}, {2, 3}};
    QCOMPARE(fitScaling(odd).dividedSeconds, 6.0);
}

void tst_ScalingLaw::coefficientsAreNotNegative() {
    // Times that fall faster than 1/a ask for s or κ below 0; those that rise evenly, for W = 0 (t = 1 + a/2).
    const std::vector<ScalingSample> falling{{1, 8}, {2, 3}, {4, 1}}, rising{{2, 2}, {4, 3}, {8, 5}};
    const UpdateLaw a = fitScaling(falling), b = fitScaling(rising);
    QVERIFY(a.fixedSeconds >= 0 && a.dividedSeconds > 0 && a.perWorkerSeconds >= 0);
    QVERIFY(std::abs(b.fixedSeconds - 1) < 1e-8 && b.dividedSeconds < 1e-8 &&
            std::abs(b.perWorkerSeconds - 0.5) < 1e-8);
}

void tst_ScalingLaw::fastestIsTheLeast() {
    // t = 100/a + a is least at 10 workers.
    QCOMPARE(fastestWorkers({0, 100, 1}, 1, 64), 10);
    QCOMPARE(fastestWorkers({0, 100, 1}, 1, 7), 7);
    QCOMPARE(fastestWorkers({0, 100, 1}, 12, 64), 12);
    QCOMPARE(fastestWorkers({1, 5, 0}, 2, 9), 9);
    QCOMPARE(fastestWorkers({1, 0, 0}, 2, 9), 2);
    RandomStream random(6, Purpose::policy, 0, 0);
    for (int i = 0; i < 500; ++i) {
        const UpdateLaw law{0, 50 * random.unit(), random.unit()};
        double least = INFINITY;
        for (int a = 1; a <= 40; ++a) least = std::min(least, law.at(a));
        QCOMPARE(law.at(fastestWorkers(law, 1, 40)), least);
    }
}

TRAINYARD_TEST(tst_ScalingLaw)
#include "tst_ScalingLaw.moc"
