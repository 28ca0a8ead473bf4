// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Laws of times and sizes: closed forms, published order statistics, agreement of sample, cdf and quantile.
#include "base/Distribution.h"
#include "support/TestMain.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <cmath>

using namespace trainyard;

namespace {

const double infinity = std::numeric_limits<double>::infinity();

Distribution hypo(std::vector<double> means) { return {.law = Law::hypoexponential, .means = std::move(means)}; }

struct Case {
    const char* name;
    Distribution law;
    double variance; ///< by the textbook formula
    int draws;       ///< unit variates per sample
};

std::vector<Case> continuousCases() {
    const double gamma1 = std::tgamma(1 + 1 / 0.7), gamma2 = std::tgamma(1 + 2 / 0.7);
    return {
        {"uniform", {.law = Law::uniform, .low = 2, .high = 5}, 9.0 / 12, 1},
        {"exponential", {.law = Law::exponential, .mean = 3}, 9, 1},
        {"shifted", {.law = Law::shiftedExponential, .mean = 0.5, .shift = 0.5}, 0.25, 1},
        {"hypo2", hypo({1, 0.5}), 1.25, 2},
        {"hypo3", hypo({1, 0.5, 0.25}), 1 + 0.25 + 0.0625, 3},
        {"pareto", {.law = Law::pareto, .shape = 5, .scale = 2}, 4 * 5 / (16.0 * 3), 1},
        {"log-normal", {.law = Law::logNormal, .mean = 2, .sigma = 0.5}, 4 * std::expm1(0.25), 1},
        {"gamma", {.law = Law::gamma, .mean = 3, .shape = 4}, 9.0 / 4, 1},
        {"weibull", {.law = Law::weibull, .mean = 2, .shape = 0.7}, 4 * (gamma2 / (gamma1 * gamma1) - 1), 1},
        // E X² = (1 + 1/shape)(0.95 + 0.05·25), E X = 1.2.
        {"bimodal", {.law = Law::bimodal, .shape = 100, .probability = 0.05, .factor = 5}, 1.01 * 2.2 - 1.44, 2},
        // Halves uniform on (0,1) and (1,4): E X² = ½·⅓ + ½·7, E X = 1.5.
        {"empirical", {.law = Law::empirical, .quantiles = {0, 1, 4}}, 1.0 / 6 + 3.5 - 2.25, 1},
    };
}

/// E of the k-th smallest of n = ∫ I_{1−F(t)}(n−k+1, k) dt, over doubling pieces.
double orderStatistic(const Distribution& law, int n, int k, int doublings = 60) {
    const auto tail = [&](double t) {
        return boost::math::ibeta(n - k + 1.0, static_cast<double>(k), law.survival(t));
    };
    using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
    double sum = 0, from = 0, to = 1.0 / 64;
    for (int i = 0; i < doublings; ++i) {
        sum += Rule::integrate(tail, from, to, 6, 1e-10);
        from = to;
        to *= 2;
    }
    return sum;
}

} // namespace

class tst_Distribution : public QObject {
    Q_OBJECT
private slots:
    void expectations();
    void samplesFollowTheCdf_data();
    void samplesFollowTheCdf();
    void quantileInvertsCdf();
    void fixedNumberOfDraws();
    void orderStatisticsOfTheLiterature_data();
    void orderStatisticsOfTheLiterature();
    void hypoexponentialClosedForms();
    void constantAndJumps();
    void checkNamesWhatIsWrong();
    void namesAndSchemas();
};

void tst_Distribution::expectations() {
    QCOMPARE((Distribution{.law = Law::constant, .value = 7}.expectation()), 7.0);
    QCOMPARE((Distribution{.law = Law::uniform, .low = 2, .high = 5}.expectation()), 3.5);
    QCOMPARE((Distribution{.law = Law::shiftedExponential, .mean = 2, .shift = 1}.expectation()), 3.0);
    QCOMPARE(hypo({1, 0.5, 0.25}).expectation(), 1.75);
    QCOMPARE((Distribution{.law = Law::pareto, .shape = 2, .scale = 1}.expectation()), 2.0);
    QCOMPARE((Distribution{.law = Law::pareto, .shape = 1, .scale = 1}.expectation()), infinity);
    QCOMPARE((Distribution{.law = Law::pareto, .shape = 0.5, .scale = 1}.expectation()), infinity);
    QCOMPARE((Distribution{.law = Law::bimodal, .probability = 0.05, .factor = 5}.expectation()), 1.2);
    QCOMPARE((Distribution{.law = Law::empirical, .quantiles = {0, 1, 4}}.expectation()), 1.5);
    // Gamma, log-normal and Weibull are given by their mean: ∫ (1 − F) must return it.
    for (Law law : {Law::gamma, Law::logNormal, Law::weibull})
        for (double shape : {0.7, 1.0, 4.0}) {
            const Distribution d{.law = law, .mean = 2.5, .shape = shape, .sigma = 1.0};
            QCOMPARE(d.expectation(), 2.5);
            QVERIFY(std::abs(orderStatistic(d, 1, 1, 30) - 2.5) < 1e-7);
        }
}

void tst_Distribution::samplesFollowTheCdf_data() {
    QTest::addColumn<int>("index");
    const auto cases = continuousCases();
    for (int i = 0; i < static_cast<int>(cases.size()); ++i)
        QTest::newRow(cases[static_cast<std::size_t>(i)].name) << i;
}

// Kolmogorov–Smirnov: P(√n D > 2.4) ≈ 2 exp(−2·2.4²) = 2e-5 per law; mean within 4.3 standard errors (2e-5).
// Together, over 11 laws, a false alarm once in 2,000 choices of seed.
void tst_Distribution::samplesFollowTheCdf() {
    QFETCH(int, index);
    const Case c = continuousCases()[static_cast<std::size_t>(index)];
    const int n = 20000;
    RandomStream random(3, Purpose::test, static_cast<std::uint64_t>(index));
    std::vector<double> x(n);
    double sum = 0;
    for (double& v : x) sum += v = c.law.sample(random);
    QVERIFY2(std::abs(sum / n - c.law.expectation()) < 4.3 * std::sqrt(c.variance / n),
             qPrintable(QString::number(sum / n)));
    std::sort(x.begin(), x.end());
    double distance = 0;
    for (int i = 0; i < n; ++i) {
        const double f = c.law.cdf(x[static_cast<std::size_t>(i)]);
        distance = std::max({distance, std::abs(f - i / double(n)), std::abs(f - (i + 1) / double(n))});
    }
    QVERIFY2(std::sqrt(n) * distance < 2.4, qPrintable(QString::number(std::sqrt(n) * distance)));
}

void tst_Distribution::quantileInvertsCdf() {
    for (const Case& c : continuousCases()) {
        double before = -1;
        for (double p : {1e-6, 0.001, 0.1, 0.3, 0.5, 0.9, 0.95, 0.96, 0.999, 1 - 1e-6}) {
            const double x = c.law.quantile(p);
            QVERIFY2(x > before, c.name);
            QVERIFY2(std::abs(c.law.cdf(x) - p) < 1e-9, c.name);
            QVERIFY2(std::abs(c.law.survival(x) - (1 - p)) < 1e-9, c.name);
            before = x;
        }
    }
}

void tst_Distribution::fixedNumberOfDraws() {
    for (const Case& c : continuousCases()) {
        RandomStream used(9, Purpose::test), counted(9, Purpose::test);
        for (int i = 0; i < 50; ++i) c.law.sample(used);
        for (int i = 0; i < 50 * c.draws; ++i) counted.unit();
        QVERIFY2(used.bits() == counted.bits(), c.name);
    }
}

void tst_Distribution::orderStatisticsOfTheLiterature_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QVector<double>>("expected");
    // Means of the k-th of n = 50, k = 1, 10, 25, 40, 45, 49, 50, all laws with mean 1.
    QTest::newRow("exponential") << 0 << QVector<double>{.02, .22066, .68325, 1.57024, 2.21587, 3.49921, 4.49921};
    QTest::newRow("shifted") << 1 << QVector<double>{.51, .61033, .84162, 1.28512, 1.60794, 2.24960, 2.74960};
    QTest::newRow("erlang-2") << 2 << QVector<double>{.09543, .40542, .82846, 1.46805, 1.88667, 2.66739, 3.24797};
    QTest::newRow("gamma-4") << 3 << QVector<double>{.22922, .56634, .90877, 1.35800, 1.63129, 2.11665, 2.46355};
    QTest::newRow("gamma-46.9") << 4 << QVector<double>{.70214, .87157, .98950, 1.11446, 1.18118, 1.28848, 1.35848};
    QTest::newRow("log-normal") << 5 << QVector<double>{.29413, .57323, .87495, 1.32455, 1.63403, 2.26443, 2.79499};
    QTest::newRow("weibull") << 6 << QVector<double>{.00374, .09398, .46426, 1.51913, 2.48641, 4.80081, 6.93130};
    QTest::newRow("pareto-1.5") << 7 << QVector<double>{.33784, .38658, .52796, .96599, 1.51624, 4.04886, 12.14659};
    QTest::newRow("pareto-3") << 8 << QVector<double>{.67114, .71775, .83809, 1.12997, 1.40824, 2.22209, 3.33313};
    QTest::newRow("bimodal") << 9 << QVector<double>{.65929, .76304, .83405, .91367, 1.06998, 3.26445, 4.17802};
}

void tst_Distribution::orderStatisticsOfTheLiterature() {
    QFETCH(int, which);
    QFETCH(QVector<double>, expected);
    const std::vector<Distribution> laws{
        {.law = Law::exponential},
        {.law = Law::shiftedExponential, .mean = 0.5, .shift = 0.5},
        hypo({0.5, 0.5}),
        {.law = Law::gamma, .shape = 4},
        {.law = Law::gamma, .shape = 46.9},
        {.law = Law::logNormal, .sigma = 0.5},
        {.law = Law::weibull, .shape = 0.7},
        {.law = Law::pareto, .shape = 1.5, .scale = 0.5 / 1.5},
        {.law = Law::pareto, .shape = 3, .scale = 2.0 / 3},
        {.law = Law::bimodal, .shape = 100, .probability = 0.05, .factor = 5},
    };
    const Distribution& law = laws[static_cast<std::size_t>(which)];
    const double unit = law.law == Law::bimodal ? 1.2 : 1.0; // the table divides by the mean
    const int ks[] = {1, 10, 25, 40, 45, 49, 50};
    for (int i = 0; i < 7; ++i) {
        const double mean = orderStatistic(law, 50, ks[i]) / unit;
        QVERIFY2(std::abs(mean - expected[i]) < 6e-6,
                 qPrintable(QStringLiteral("k=%1: %2").arg(ks[i]).arg(mean, 0, 'f', 7)));
    }
}

void tst_Distribution::hypoexponentialClosedForms() {
    // Sums of two exponentials, to ten digits (rates a, b'): n = 5, rates 1 and 2; n = 50, rates 1 and 1.
    QVERIFY(std::abs(orderStatistic(hypo({1, 0.5}), 5, 1) - 0.5063492063) < 1e-9);
    QVERIFY(std::abs(orderStatistic(hypo({0.5, 1}), 5, 5) - 2.9289682540) < 1e-9);
    QVERIFY(std::abs(orderStatistic(hypo({1, 1}), 50, 10) - 0.8108448189) < 1e-9);
    QVERIFY(std::abs(orderStatistic(hypo({1, 1}), 50, 50) - 6.4959453646) < 1e-9);
    for (double t : {0.01, 0.3, 1.0, 2.5, 7.0, 20.0}) {
        // Rates 1, 2, 4: S = 8/3 e^{−t} − 2 e^{−2t} + 1/3 e^{−4t} by partial fractions.
        const double partial = 8.0 / 3 * std::exp(-t) - 2 * std::exp(-2 * t) + std::exp(-4 * t) / 3;
        QVERIFY(std::abs(1 - hypo({1, 0.5, 0.25}).cdf(t) - partial) < 1e-13);
        // Equal rates: Erlang-3, S = e^{−t}(1 + t + t²/2); almost equal rates must not lose digits.
        const double erlang = std::exp(-t) * (1 + t + t * t / 2);
        QVERIFY(std::abs(1 - hypo({1, 1, 1}).cdf(t) - erlang) < 1e-13);
        QVERIFY(std::abs(1 - hypo({1, 1 + 1e-10, 1 - 1e-10}).cdf(t) - erlang) < 1e-9);
        // Erlang-2 by the branch for two, and through three with a negligible third.
        QVERIFY(std::abs(1 - hypo({1, 1}).cdf(t) - std::exp(-t) * (1 + t)) < 1e-14);
        QVERIFY(std::abs(hypo({1, 1, 1e-9}).cdf(t) - hypo({1, 1}).cdf(t)) < 1e-8);
    }
    QCOMPARE(hypo({2}).cdf(2), -std::expm1(-1.0));
}

void tst_Distribution::constantAndJumps() {
    const Distribution one{.law = Law::constant, .value = 2};
    RandomStream random(1, Purpose::test), untouched(1, Purpose::test);
    QCOMPARE(one.sample(random), 2.0);
    QCOMPARE(random.bits(), untouched.bits());
    QCOMPARE(one.cdf(1.999), 0.0);
    QCOMPARE(one.cdf(2), 1.0);
    // Half of the probability sits on 3: quantiles 1, 3, 3, 5.
    const Distribution jump{.law = Law::empirical, .quantiles = {1, 3, 3, 5}};
    QCOMPARE(jump.cdf(0.5), 0.0);
    QCOMPARE(jump.cdf(2), 1.0 / 6);
    QCOMPARE(jump.cdf(3), 2.0 / 3);
    QCOMPARE(jump.cdf(4), 5.0 / 6);
    QCOMPARE(jump.cdf(5), 1.0);
    QCOMPARE(jump.quantile(0.5), 3.0);
    QCOMPARE(jump.expectation(), (2.0 + 3 + 4) / 3);
}

void tst_Distribution::checkNamesWhatIsWrong() {
    for (const Case& c : continuousCases()) QVERIFY2(c.law.check("/f").empty(), c.name);
    const auto pointerOf = [](const Distribution& d) {
        const Problems p = d.check("/f");
        return p.size() == 1 ? QString::fromStdString(p[0].pointer) : QStringLiteral("%1 problems").arg(p.size());
    };
    const double nan = std::nan("");
    QCOMPARE(pointerOf({.law = Law::constant, .value = -1}), "/f/value");
    QCOMPARE(pointerOf({.law = Law::constant, .value = infinity}), "/f/value");
    QCOMPARE(pointerOf({.law = Law::exponential, .mean = 0}), "/f/mean");
    QCOMPARE(pointerOf({.law = Law::gamma, .shape = nan}), "/f/shape");
    QCOMPARE(pointerOf({.law = Law::pareto, .shape = 0}), "/f/shape");
    QCOMPARE(pointerOf({.law = Law::bimodal, .probability = 1.5}), "/f/probability");
    QCOMPARE(pointerOf({.law = Law::uniform, .low = 2, .high = 2}), "/f/high");
    QCOMPARE(pointerOf(hypo({})), "/f/means");
    QCOMPARE(pointerOf(hypo({1, 0})), "/f/means/1");
    QCOMPARE(pointerOf({.law = Law::empirical, .quantiles = {1}}), "/f/quantiles");
    QCOMPARE(pointerOf({.law = Law::empirical, .quantiles = {1, 2, 1.5}}), "/f/quantiles/2");
    QCOMPARE(pointerOf({.law = Law::empirical, .quantiles = {nan, 2}}), "/f/quantiles/0");
    // Members that a law does not use are ignored.
    QVERIFY((Distribution{.law = Law::constant, .mean = -3, .shape = nan}.check("").empty()));
}

void tst_Distribution::namesAndSchemas() {
    QCOMPARE(lawNames().size(), std::size_t{11});
    QCOMPARE(QString::fromStdString(lawName(Law::shiftedExponential)), "shifted-exponential");
    QCOMPARE(QString::fromStdString(lawName(Law::empirical)), "empirical");
    for (std::size_t i = 0; i < lawNames().size(); ++i) {
        const auto law = static_cast<Law>(i);
        const bool lists = law == Law::hypoexponential || law == Law::empirical;
        QCOMPARE(lawSchema(law).fields().empty(), lists);
        const ParamSchema schema = lawSchema(law);
        for (const auto& f : schema.fields()) QVERIFY(!f.label.empty() && !f.help.empty() && f.minimum < f.maximum);
    }
}

TRAINYARD_TEST(tst_Distribution)
#include "tst_Distribution.moc"
