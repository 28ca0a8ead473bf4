// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Intervals and tests against published examples, and against what they promise: their error rates.
#include "base/Random.h"
#include "run/compare/Statistics.h"
#include "studies/Reproduction.h"
#include "support/TestMain.h"

#include <algorithm>

#include <cmath>

using namespace trainyard;

namespace {

std::vector<double> normals(RandomStream& random, std::size_t n, double mean, double deviation) {
    std::vector<double> out(n);
    for (double& v : out) v = mean + deviation * random.normal();
    return out;
}

} // namespace

class tst_Statistics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void intervalsAreStudents();
    void welchMatchesPublishedExample();
    void welchKeepsItsLevel();
    void welchFindsADifference();
    void fisherByHand();
    void sharesAndMediansHaveIntervals();
    void holmByHand();
    void holmKeepsTheFamilysLevel();
    void rankCorrelationByHand();
    void rankCorrelationCoversTheTruth();
};

void tst_Statistics::intervalsAreStudents() {
    const std::vector<double> values{1, 2, 3, 4};
    const Estimate estimate = estimateMean(values);
    QCOMPARE(estimate.mean, 2.5);
    // t(3, 0.975) = 3.182446, s = 1.290994
    QVERIFY(std::abs(*estimate.halfWidth - 3.182446 * 1.290994 / 2) < 1e-5);
    QVERIFY(!estimateMean(std::vector<double>{7}).halfWidth);
}

// The first example of Wikipedia's article on Welch's t-test: t = −2.46, ν = 25.0, P = 0.021.
void tst_Statistics::welchMatchesPublishedExample() {
    const std::vector<double> a{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                                21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
    const std::vector<double> b{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                                24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4};
    const double p = welchTest(summarizeSample(a), summarizeSample(b));
    QVERIFY2(std::abs(p - 0.021) < 0.0006, qPrintable(QString::number(p)));
    const SampleSummary exact{.n = 3, .mean = 2, .standardError = 0};
    QCOMPARE(welchTest(exact, exact), 1.0);
    QCOMPARE(welchTest(exact, {.n = 3, .mean = 2.5, .standardError = 0}), 0.0);
}

// Under equal means the p value is below 5 % in 5 % of the cases: 4,000 trials give 200 ± 14; five
// deviations.
void tst_Statistics::welchKeepsItsLevel() {
    RandomStream random(11, Purpose::test);
    int rejected = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const auto a = normals(random, 10, 3, 1), b = normals(random, 25, 3, 4);
        rejected += welchTest(summarizeSample(a), summarizeSample(b)) < 0.05;
    }
    QVERIFY2(std::abs(rejected - 200) < 70, qPrintable(QString::number(rejected)));
}

void tst_Statistics::welchFindsADifference() {
    RandomStream random(12, Purpose::test);
    const auto a = normals(random, 40, 3, 1), b = normals(random, 40, 5, 1);
    QVERIFY(welchTest(summarizeSample(a), summarizeSample(b)) < 1e-6);
}

// The lady who tastes tea: of four cups with milk first she finds three. Tables of margins 4, 4, 4, 4 have chances 1, 16, 36, 16
// and 1 of 70; those no likelier than hers come to 34/70.
void tst_Statistics::fisherByHand() {
    QVERIFY(std::abs(fisherTest(3, 4, 1, 4) - 34.0 / 70) < 1e-12);
    QVERIFY(std::abs(fisherTest(4, 4, 0, 4) - 2.0 / 70) < 1e-12);
    QCOMPARE(fisherTest(2, 4, 2, 4), 1.0);
    QCOMPARE(fisherTest(0, 20, 0, 100), 1.0);
    QVERIFY(std::abs(fisherTest(1, 10, 11, 14) - 0.0027594562) < 1e-9); // margins 12, 12; 10, 14, summed by hand
}

// None of n: the upper end p has (1 − p)^n = 0.025. Of six values, the median lies outside of least and greatest with chance
// 2/64 = 3.1 %; of five with 6.3 %: no interval. Of 20, outside of the sixth and the fifteenth with chance
// 2·(1 + 20 + 190 + 1140 + 4845 + 15504)/2^20 = 4.1 %, of the seventh and the fourteenth with 11.5 %: too much.
void tst_Statistics::sharesAndMediansHaveIntervals() {
    QVERIFY(std::abs(shareInterval(0, 20).second - (1 - std::pow(0.025, 1.0 / 20))) < 1e-9);
    QCOMPARE(shareInterval(0, 20).first, 0.0);
    QCOMPARE(shareInterval(20, 20).second, 1.0);
    std::vector<double> values;
    for (int i = 1; i <= 20; ++i) values.push_back(i);
    const auto interval = medianInterval(values);
    QVERIFY(interval);
    QCOMPARE(*interval, std::pair(6.0, 15.0));
    QCOMPARE(*medianInterval(std::span(values).first(6)), std::pair(1.0, 6.0));
    QVERIFY(!medianInterval(std::span(values).first(5)));
}

// Sorted 0.005 ≤ 0.05/4, 0.01 ≤ 0.05/3, but 0.03 > 0.05/2: the first two.
void tst_Statistics::holmByHand() {
    const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
    QCOMPARE(holmRejections(p, 0.05), (std::vector<bool>{true, false, false, true}));
    QVERIFY(holmRejections({}, 0.05).empty());
    std::vector<Claim> claims(4);
    judgeTogether({&claims[0], &claims[1], &claims[2], &claims[3]}, p, 0.05);
    QVERIFY(!claims[0].holds && claims[1].holds && claims[2].holds && !claims[3].holds);
}

// Twenty true hypotheses at once: any is rejected in at most 5 % of 2,000 trials (100 ± 10).
void tst_Statistics::holmKeepsTheFamilysLevel() {
    RandomStream random(13, Purpose::test);
    int families = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<double> p(20);
        for (double& value : p) value = random.unit();
        const auto rejected = holmRejections(p, 0.05);
        families += std::find(rejected.begin(), rejected.end(), true) != rejected.end();
    }
    QVERIFY2(families > 40 && families < 150, qPrintable(QString::number(families)));
}

void tst_Statistics::rankCorrelationByHand() {
    // Ranks of y: 1 2 3 5 4 6: Σd² = 2, ρ = 1 − 6·2/(6·35).
    const std::vector<double> x{1, 2, 3, 4, 5, 6}, y{0.1, 0.4, 0.5, 9, 8, 10};
    const RankCorrelation r = rankCorrelation(x, y);
    QVERIFY(std::abs(r.rho - (1 - 12.0 / 210)) < 1e-12);
    QVERIFY(r.low < r.rho && r.rho < r.high && r.high <= 1);
    const std::vector<double> reversed{6, 5, 4, 3, 2, 1}, tied{1, 1, 2, 2, 3, 3}, flat(6, 7.0);
    QCOMPARE(rankCorrelation(x, reversed).rho, -1.0);
    QVERIFY(std::abs(rankCorrelation(tied, x).rho - 0.9561828874675149) < 1e-12);
    QCOMPARE(rankCorrelation(x, flat).rho, 0.0);
}

// Normal pairs with Pearson's r = 0.6 have Spearman's ρ = (6/π) asin(r/2): the interval covers it in about 95
// %.
void tst_Statistics::rankCorrelationCoversTheTruth() {
    RandomStream random(14, Purpose::test);
    const double r = 0.6, truth = 6 / M_PI * std::asin(r / 2);
    int covered = 0;
    constexpr int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> x(40), y(40);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = random.normal();
            y[i] = r * x[i] + std::sqrt(1 - r * r) * random.normal();
        }
        const RankCorrelation c = rankCorrelation(x, y);
        covered += c.low <= truth && truth <= c.high;
    }
    QVERIFY2(covered > 0.93 * trials && covered < 0.975 * trials, qPrintable(QString::number(covered)));
}

TRAINYARD_TEST(tst_Statistics)
#include "tst_Statistics.moc"
