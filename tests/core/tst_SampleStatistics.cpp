// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Statistics of samples by hand, and of samples that have none.
#include "base/SampleStatistics.h"
#include "support/TestMain.h"

#include <cmath>
#include <vector>

using namespace trainyard;
using Values = std::vector<double>;

class tst_SampleStatistics : public QObject {
    Q_OBJECT
private slots:
    void means();
    void deviations();
    void correlations();
    void quantiles();
};

void tst_SampleStatistics::means() {
    QVERIFY(std::isnan(sampleMean({})));
    QCOMPARE(sampleMean(Values{4}), 4.0);
    QVERIFY(sampleMean(Values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 27}) == 105.0 / 13); // rounded once
    QVERIFY(std::isnan(sampleMean(Values{1, NAN, 3})));
    QVERIFY(std::isinf(sampleMean(Values{1, INFINITY, 3})));
}

void tst_SampleStatistics::deviations() {
    QVERIFY(std::isnan(sampleDeviation({})));
    QCOMPARE(sampleDeviation(Values{4}), 0.0);
    QVERIFY(sampleDeviation(Values{0.1, 0.1, 0.1}) == 0); // whose sum over three is not 0.1
    QVERIFY(std::abs(sampleDeviation(Values{2, 4, 4, 4, 5, 5, 7, 9}) - std::sqrt(32.0 / 7)) < 1e-14);
    QVERIFY(std::abs(sampleDeviation(Values{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}) - std::sqrt(30.0)) < 1e-9);
    QVERIFY(std::isnan(sampleDeviation(Values{1, NAN, 3})));
    QVERIFY(!std::isfinite(sampleDeviation(Values{1, INFINITY, 3})));
}

// x̄ = 2, ȳ = 3: Σ = 3 over √(2 · 6).
void tst_SampleStatistics::correlations() {
    QVERIFY(std::abs(sampleCorrelation(Values{1, 2, 3}, Values{2, 2, 5}) - 3 / std::sqrt(12.0)) < 1e-15);
    QCOMPARE(sampleCorrelation(Values{1, 2, 3}, Values{-2, -4, -6}), -1.0);
    QCOMPARE(sampleCorrelation({}, {}), 0.0);
    QCOMPARE(sampleCorrelation(Values{1}, Values{2}), 0.0);
    QCOMPARE(sampleCorrelation(Values{1, 2, 3}, Values{0.1, 0.1, 0.1}), 0.0);
    QCOMPARE(sampleCorrelation(Values{7, 7}, Values{7, 7}), 0.0); // not 1: nothing is known
    QVERIFY(std::isnan(sampleCorrelation(Values{1, 2, NAN}, Values{1, 2, 3})));
}

void tst_SampleStatistics::quantiles() {
    QVERIFY(std::isnan(quantileOfSorted({}, 0.5)));
    for (const double p : {0.0, 0.3, 1.0}) {
        QCOMPARE(quantileOfSorted(Values{4}, p), 4.0);
        QCOMPARE(quantileOfSorted(Values{4, 4, 4}, p), 4.0);
    }
    const Values values{1, 2, 4, 8};
    QCOMPARE(quantileOfSorted(values, 0), 1.0);
    QCOMPARE(quantileOfSorted(values, 0.25), 1.75); // at 0.75 between the first two
    QCOMPARE(quantileOfSorted(values, 0.5), 3.0);
    QCOMPARE(quantileOfSorted(values, 1), 8.0);
    QCOMPARE(quantileOfSorted(Values{1, 2, INFINITY}, 0.5), 2.0);
    QVERIFY(std::isinf(quantileOfSorted(Values{1, 2, INFINITY}, 0.75)));
    QCOMPARE(quantileOfSorted(Values{1, INFINITY, INFINITY}, 0.75), INFINITY);
    QCOMPARE(quantileOfSorted(Values{-INFINITY, 1}, 0.5), -INFINITY);
    QVERIFY(std::isnan(quantileOfSorted(Values{-INFINITY, INFINITY}, 0.5)));
}

TRAINYARD_TEST(tst_SampleStatistics)
#include "tst_SampleStatistics.moc"
