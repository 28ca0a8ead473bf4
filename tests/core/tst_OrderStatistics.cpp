// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The k-th of n response times against closed forms, golden values computed independently (mpmath and scipy)
// and simulation.
#include "planning/IterationTimes.h"
#include "planning/OrderStatistics.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

namespace {

Distribution exponential(double rate) { return {.law = Law::exponential, .mean = 1 / rate}; }
const Distribution none{.law = Law::constant, .value = 0};

double harmonic(int from, int to) {
    double sum = 0;
    for (int i = to; i >= from; --i) sum += 1.0 / i;
    return sum;
}

} // namespace

class tst_OrderStatistics : public QObject {
    Q_OBJECT
private slots:
    void twoExponentialsMatchGoldenValues_data();
    void twoExponentialsMatchGoldenValues();
    void exponentialMatchesClosedForm();
    void shiftMovesTheMeanAlone();
    void paretoMatchesClosedForm();
    void heavyTailsHaveNoMean();
    void generalConvolutionMatchesPhases();
    void loadScalesTheComputation();
    void sumOfExponentialsIsSymmetric();
    void empiricalLawMatchesSimulation();
    void renewalCountsMatchSimulation();
    void tenThousandWorkers();
    void allAtOnceEqualsOneByOne();
    void iterationTimesOfAlikeWorkersAreExact();
    void iterationTimesOfDifferentWorkers();
};

void tst_OrderStatistics::twoExponentialsMatchGoldenValues_data() {
    QTest::addColumn<int>("n");
    QTest::addColumn<double>("a");
    QTest::addColumn<double>("b");
    QTest::addColumn<int>("k");
    QTest::addColumn<double>("expected");
    const auto row = [](int n, double a, double b, int k, double expected) {
        QTest::addRow("n=%d a=%g b=%g k=%d", n, a, b, k) << n << a << b << k << expected;
    };
    row(5, 1, 2, 1, 0.5063492063);
    row(5, 1, 2, 2, 0.8853174603);
    row(5, 1, 2, 4, 1.8734126984);
    row(5, 1, 2, 5, 2.9289682540);
    row(50, 1, 1, 1, 0.1908625408);
    row(50, 1, 1, 10, 0.8108448189);
    row(50, 1, 1, 25, 1.6569187235);
    row(50, 1, 1, 50, 6.4959453646);
    row(50, 1, 2, 1, 0.1356451290);
    row(50, 1, 2, 10, 0.5832366307);
    row(50, 1, 2, 25, 1.2124746866);
    row(50, 1, 2, 49, 4.1823270126);
    row(50, 1, 2, 50, 5.1873775176);
    row(50, 1, 10, 1, 0.0643360731);
    row(50, 1, 10, 10, 0.3190907157);
    row(50, 1, 10, 25, 0.7884452704);
    row(50, 1, 10, 49, 3.6045658540);
    row(50, 1, 10, 50, 4.6045658540);
    row(50, 5, 1, 1, 0.0878613203);
    row(50, 5, 1, 10, 0.4002047741);
    row(50, 5, 1, 25, 0.9000038388);
    row(50, 5, 1, 49, 3.7223475943);
    row(50, 5, 1, 50, 4.7223486306);
}

void tst_OrderStatistics::twoExponentialsMatchGoldenValues() {
    QFETCH(int, n);
    QFETCH(double, a);
    QFETCH(double, b);
    QFETCH(int, k);
    QFETCH(double, expected);
    const double mean = orderStatistic({exponential(a), exponential(b)}, n, k).mean;
    // The golden values have ten digits after the point.
    QVERIFY2(std::abs(mean - expected) < 1e-9, qPrintable(QString::number(mean, 'g', 15)));
}

// Mean (H_n − H_{n−k})/μ, variance Σ 1/i² /μ².
void tst_OrderStatistics::exponentialMatchesClosedForm() {
    for (const int n : {1, 2, 7, 50, 300})
        for (const int k : {1, (n + 1) / 2, n}) {
            const OrderMoments z = orderStatistic({none, exponential(2)}, n, k);
            double variance = 0;
            for (int i = n - k + 1; i <= n; ++i) variance += 0.25 / (static_cast<double>(i) * i);
            const double mean = harmonic(n - k + 1, n) / 2;
            QVERIFY(std::abs(z.mean / mean - 1) < 1e-10);
            QVERIFY(std::abs(z.variance / variance - 1) < 1e-8);
        }
}

void tst_OrderStatistics::shiftMovesTheMeanAlone() {
    const Distribution shifted{.law = Law::shiftedExponential, .mean = 0.5, .shift = 2};
    const Distribution constant{.law = Law::constant, .value = 3};
    const OrderMoments z = orderStatistic({constant, shifted, 0.5}, 20, 7);
    const OrderMoments plain = orderStatistic({none, exponential(4)}, 20, 7);
    QVERIFY(std::abs(z.mean - plain.mean - 4) < 1e-10);
    QVERIFY(std::abs(z.variance / plain.variance - 1) < 1e-8);
}

// x_m Γ(n+1) Γ(n−k+1−1/α) / (Γ(n−k+1) Γ(n+1−1/α)).
void tst_OrderStatistics::paretoMatchesClosedForm() {
    for (const double alpha : {0.8, 1.5, 2.5})
        for (const int k : {1, 5, 9, 10}) {
            const int n = 10;
            if ((n - k + 1) * alpha <= 1) continue;
            const Distribution pareto{.law = Law::pareto, .shape = alpha, .scale = 2};
            const double expected = 2 * std::exp(std::lgamma(n + 1.0) + std::lgamma(n - k + 1 - 1 / alpha) -
                                                 std::lgamma(n - k + 1.0) - std::lgamma(n + 1 - 1 / alpha));
            const double mean = orderStatistic({none, pareto}, n, k).mean;
            QVERIFY2(
                std::abs(mean / expected - 1) < 1e-7,
                qPrintable(QStringLiteral("α %1 k %2: %3 %4").arg(alpha).arg(k).arg(mean, 0, 'g', 12).arg(expected)));
        }
}

void tst_OrderStatistics::heavyTailsHaveNoMean() {
    const Distribution pareto{.law = Law::pareto, .shape = 0.8, .scale = 1};
    QVERIFY(std::isinf(orderStatistic({none, pareto}, 4, 4).mean));
    const OrderMoments third = orderStatistic({none, pareto}, 4, 3); // tail 1.6: a mean, no variance
    QVERIFY(std::isfinite(third.mean) && std::isinf(third.variance));
}

// The same law by two ways: as a sum of exponentials, and by the integral over quantiles.
void tst_OrderStatistics::generalConvolutionMatchesPhases() {
    const Distribution gammaOfShapeOne{.law = Law::gamma, .mean = 0.5, .shape = 1}; // = exponential of mean 0.5
    const ResponseLaw general(exponential(1), gammaOfShapeOne), phases(exponential(1), exponential(2));
    for (const double t : {0.01, 0.3, 1.0, 4.0, 12.0})
        QVERIFY2(std::abs(general.survival(t) - phases.survival(t)) < 1e-5,
                 qPrintable(QString::number(general.survival(t) - phases.survival(t))));
    QVERIFY(std::abs(orderStatistic(general, 50, 25).mean - 1.2124746866) < 1e-6);
}

void tst_OrderStatistics::loadScalesTheComputation() {
    const double expected = orderStatistic({exponential(1), exponential(10)}, 50, 10).mean;
    QVERIFY(std::abs(orderStatistic({exponential(1), exponential(1), 0.1}, 50, 10).mean - expected) < 1e-10);
}

void tst_OrderStatistics::sumOfExponentialsIsSymmetric() {
    const double one = orderStatistic({exponential(5), exponential(1)}, 50, 49).mean;
    QVERIFY(std::abs(orderStatistic({exponential(1), exponential(5)}, 50, 49).mean - one) < 1e-10);
}

// A z test at 4 standard errors: false alarms below 1e-4.
void tst_OrderStatistics::empiricalLawMatchesSimulation() {
    const Distribution measured{.law = Law::empirical, .quantiles = {0.9, 0.95, 1, 1.02, 1.1, 1.3, 2, 6}};
    const Distribution gamma{.law = Law::gamma, .mean = 0.3, .shape = 2};
    const int n = 12, k = 9, runs = 20'000;
    const OrderMoments z = orderStatistic({gamma, measured, 0.5}, n, k);
    RandomStream random(3, Purpose::test);
    double sum = 0;
    for (int r = 0; r < runs; ++r) {
        std::vector<double> times;
        for (int i = 0; i < n; ++i) {
            const double communication = gamma.sample(random);
            times.push_back(communication + 0.5 * measured.sample(random));
        }
        std::nth_element(times.begin(), times.begin() + k - 1, times.end());
        sum += times[k - 1];
    }
    const double error = std::sqrt(z.variance / runs);
    QVERIFY2(std::abs(sum / runs - z.mean) < 4 * error,
             qPrintable(QStringLiteral("%1 %2 ± %3").arg(sum / runs).arg(z.mean).arg(error)));
}

// Exp(1), n = 50, k = 10, t = 200: mean 905.91, variance 91.0 by renewal theory.
void tst_OrderStatistics::renewalCountsMatchSimulation() {
    const OrderMoments z = orderStatistic({none, exponential(1)}, 50, 10);
    const OrderMoments count = completedIterations(z, 200);
    QVERIFY(std::abs(count.mean - 905.91) < 0.01);
    QVERIFY(std::abs(count.variance - 91.0) < 0.1);
    RandomStream random(4, Purpose::test);
    const int runs = 400;
    double sum = 0;
    for (int r = 0; r < runs; ++r) {
        int done = 0;
        // The k-th of n exponentials is a sum of exponentials of rates n, n−1, …, n−k+1.
        for (double t = 0;; ++done) {
            for (int i = 0; i < 10; ++i) t -= std::log(random.unit()) / (50 - i);
            if (t > 200) break;
        }
        sum += done;
    }
    QVERIFY(std::abs(sum / runs - count.mean) < 4 * std::sqrt(count.variance / runs));
}

void tst_OrderStatistics::tenThousandWorkers() {
    const OrderMoments z = orderStatistic({none, exponential(1)}, 10'000, 5'000);
    QVERIFY(std::abs(z.mean / harmonic(5'001, 10'000) - 1) < 1e-10);
}

void tst_OrderStatistics::allAtOnceEqualsOneByOne() {
    const Distribution two{.law = Law::hypoexponential, .means = {0.5, 0.5}};
    const ResponseLaw laws[] = {{none, exponential(1)},
                                {none, two},
                                {exponential(1), exponential(2), 0.3},
                                {{.law = Law::constant, .value = 2}, exponential(5)},
                                {none, {.law = Law::constant, .value = 3}}};
    for (const auto& law : laws)
        for (const int n : {1, 2, 50, 300}) {
            const auto all = orderStatisticMeans(law, n);
            for (int k = 1; k <= n; k += 1 + n / 7) {
                const double one = orderStatisticMean(law, n, k);
                QVERIFY2(std::abs(all[std::size_t(k - 1)] - one) <= 1e-9 * one,
                         qPrintable(QStringLiteral("n=%1 k=%2: %3, %4")
                                        .arg(n)
                                        .arg(k)
                                        .arg(all[std::size_t(k - 1)], 0, 'g', 15)
                                        .arg(one, 0, 'g', 15)));
            }
        }
}

void tst_OrderStatistics::iterationTimesOfAlikeWorkersAreExact() {
    // Computation exponential of mean 0.5 s for 40 samples, upload exponential of mean 0.5 s: E1 of the
    // golden table with both rates 2, which is the Erlang-2 of mean 1: μ_1 = .09543, μ_50 = 3.24797; a tenth
    // of the load: .03217, 2.30228.
    const StragglerLaw law{.factor = exponential(1), .delay = exponential(2)};
    const IterationTimes times(std::vector<WorkerResponse>(50, {&law, 0.0125, 0}));
    const auto whole = times.means(40), tenth = times.means(4);
    QVERIFY(std::abs(whole[0] - 0.09543) < 5e-6 && std::abs(whole[9] - 0.40542) < 5e-6);
    QVERIFY(std::abs(whole[24] - 0.82846) < 5e-6 && std::abs(whole[49] - 3.24797) < 5e-6);
    QVERIFY(std::abs(tenth[0] - 0.03217) < 5e-6 && std::abs(tenth[49] - 2.30228) < 5e-6);
    // A constant transfer is added to all.
    const IterationTimes later(std::vector<WorkerResponse>(50, {&law, 0.0125, 2}));
    QVERIFY(std::abs(later.means(40)[9] - whole[9] - 2) < 1e-9);
}

void tst_OrderStatistics::iterationTimesOfDifferentWorkers() {
    // Two workers of exponential times with means 1 and 3 (one three times slower): E[min] = 1/(1 + 1/3) =
    // 0.75, and E[max] = 1 + 3 − 0.75. 30,000 draws: standard errors 0.0043 and 0.016; five of them.
    const StragglerLaw law{.factor = exponential(1)};
    const IterationTimes times({{&law, 0.1, 0}, {&law, 0.3, 0}});
    const auto means = times.means(10);
    QVERIFY2(std::abs(means[0] - 0.75) < 5 * 0.0043, qPrintable(QString::number(means[0])));
    QVERIFY2(std::abs(means[1] - 3.25) < 5 * 0.016, qPrintable(QString::number(means[1])));
    // Pareto with α = 0.8 has no mean; the first of two has tail index 1.6 and does.
    const StragglerLaw heavy{.factor = {.law = Law::pareto, .shape = 0.8, .scale = 1}};
    const auto tails = IterationTimes({{&heavy, 0.1, 0}, {&heavy, 0.1, 0}}).means(10);
    QVERIFY(std::isfinite(tails[0]) && std::isinf(tails[1]));
}

TRAINYARD_TEST(tst_OrderStatistics)
#include "tst_OrderStatistics.moc"
