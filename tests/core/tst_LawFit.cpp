// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Laws fitted to samples of known laws: the right family is near and its numbers come back, the tail index of
// a power law is found, and what cannot be fitted is named.
#include "base/Random.h"
#include "run/import/LawFit.h"
#include "run/import/MeasuredLaws.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>

using namespace trainyard;

class tst_LawFit : public QObject {
    Q_OBJECT
private slots:
    void recoversTheLaw_data();
    void recoversTheLaw();
    void momentsAndDistanceByHand();
    void hillByHand();
    void hillFindsThePower();
    void namesWhatCannotBeFitted();
    void measuredLawsAreUsable();
};

namespace {

std::vector<double> sampleOf(const Distribution& law, std::size_t n) {
    std::vector<double> out;
    for (std::size_t i = 0; i < n; ++i) {
        RandomStream random(31, Purpose::test, 0, static_cast<std::uint32_t>(i));
        out.push_back(law.sample(random));
    }
    return out;
}

const FamilyFit* familyOf(const LawFit& fit, Law law) {
    const auto it =
        std::find_if(fit.families.begin(), fit.families.end(), [&](const auto& f) { return f.law.law == law; });
    return it == fit.families.end() ? nullptr : &*it;
}

} // namespace

Q_DECLARE_METATYPE(Distribution)

void tst_LawFit::recoversTheLaw_data() {
    QTest::addColumn<Distribution>("law");
    QTest::newRow("uniform") << Distribution{.law = Law::uniform, .low = 2, .high = 5};
    QTest::newRow("exponential") << Distribution{.law = Law::exponential, .mean = 3};
    QTest::newRow("shifted") << Distribution{.law = Law::shiftedExponential, .mean = 0.7, .shift = 2};
    QTest::newRow("two exponentials") << Distribution{.law = Law::hypoexponential, .means = {1, 3}};
    QTest::newRow("pareto") << Distribution{.law = Law::pareto, .shape = 1.7, .scale = 2};
    QTest::newRow("log-normal") << Distribution{.law = Law::logNormal, .mean = 2, .sigma = 0.8};
    QTest::newRow("gamma") << Distribution{.law = Law::gamma, .mean = 4, .shape = 3.5};
    QTest::newRow("weibull") << Distribution{.law = Law::weibull, .mean = 1, .shape = 0.7};
}

void tst_LawFit::recoversTheLaw() {
    QFETCH(Distribution, law);
    const auto fit = fitLaws(sampleOf(law, 20'000));
    QVERIFY(fit.ok());
    const FamilyFit* family = familyOf(*fit, law.law);
    QVERIFY(family != nullptr);
    // √n·D of a law that is not fitted exceeds 1.95 with probability 1e-3; a fitted one is nearer.
    QVERIFY2(family->distance * std::sqrt(20'000) < 1.95, qPrintable(QString::number(family->distance)));
    const FamilyFit* wrong = familyOf(*fit, law.law == Law::uniform ? Law::exponential : Law::uniform);
    QVERIFY(wrong->distance > 5 * family->distance);
    // Quantiles of the fitted law are those of the true one: 5 % at these sizes is more than five deviations.
    for (const double p : {0.1, 0.5, 0.9, 0.99})
        QVERIFY2(std::abs(family->law.quantile(p) / law.quantile(p) - 1) < 0.12,
                 qPrintable(QStringLiteral("%1: %2, %3").arg(p).arg(family->law.quantile(p)).arg(law.quantile(p))));
}

void tst_LawFit::momentsAndDistanceByHand() {
    // 1 … 10: mean 5.5, Σ(x − 5.5)² = 82.5, so s = √(82.5/9). Uniform on [1, 10]: F(x) = (x − 1)/9 against
    // the steps (x − 1)/10 and x/10: the greatest distance is 0.1, at both ends.
    const std::vector<double> times{3, 1, 2, 4, 5, 10, 9, 8, 7, 6};
    const auto fit = fitLaws(times).value();
    QCOMPARE(fit.mean, 5.5);
    QVERIFY(std::abs(fit.deviation - std::sqrt(82.5 / 9)) < 1e-12);
    QCOMPARE(fit.median, 5.5);
    QVERIFY(std::abs(familyOf(fit, Law::uniform)->distance - 0.1) < 1e-12);
    QCOMPARE(familyOf(fit, Law::exponential)->law.mean, 5.5);
    QCOMPARE(fit.empirical.quantiles.size(), std::size_t{21});
    QCOMPARE(fit.empirical.quantiles.front(), 1.0);
    QCOMPARE(fit.empirical.quantiles[10], 5.5);
    QCOMPARE(fit.empirical.quantiles.back(), 10.0);
    QVERIFY(fit.empirical.check({}).empty());
}

void tst_LawFit::hillByHand() {
    // The two greatest of 1, …, 1, 2, 4, 8 above 2: α = 2/(ln 2 + ln 4) = 2/(3 ln 2).
    const std::vector<double> times{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 2, 4, 8};
    const TailIndex tail = fitLaws(times, 2).value().tail;
    QCOMPARE(tail.k, std::size_t{2});
    QVERIFY(std::abs(tail.alpha - 2 / (3 * std::log(2.0))) < 1e-12);
    QVERIFY(std::abs(tail.standardError - tail.alpha / std::sqrt(2.0)) < 1e-12);
}

void tst_LawFit::hillFindsThePower() {
    // Exactly gamma distributed for Pareto: within 4 standard errors.
    for (const double alpha : {0.9, 1.5, 3.0}) {
        const auto fit = fitLaws(sampleOf({.law = Law::pareto, .shape = alpha, .scale = 1}, 20'000)).value();
        QCOMPARE(fit.tail.k, std::size_t{2000});
        QVERIFY(std::abs(fit.tail.alpha - alpha) < 4 * fit.tail.standardError);
    }
}

void tst_LawFit::namesWhatCannotBeFitted() {
    const std::vector<double> few{1, 2, 3}, equal(12, 2.0), negative{1, 2, 3, 4, 5, 6, 7, 8, 9, -1},
        good{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    QCOMPARE(fitLaws(few).problems().at(0).code, std::string("too-few"));
    QCOMPARE(fitLaws(equal).problems().at(0).code, std::string("all-equal"));
    QCOMPARE(fitLaws(negative).problems().at(0).code, std::string("out-of-range"));
    QCOMPARE(fitLaws(good, 10).problems().at(0).code, std::string("out-of-range"));
}

// Factors have mean 1; the gamma shapes of the cloud's messages are mean² / variance.
void tst_LawFit::measuredLawsAreUsable() {
    std::vector<double> shapes;
    for (const auto& law : measuredLaws()) {
        QVERIFY2(law.law.check({}).empty(), law.id.c_str());
        QVERIFY2(!law.provenance.empty() && !law.summary.empty(), law.id.c_str());
        if (law.member == "factor")
            QVERIFY2(std::abs(law.law.expectation() - 1) < 1e-12, law.id.c_str());
        else
            shapes.push_back(law.law.shape);
    }
    const std::vector<double> expected{10.9, 6.2, 47.8};
    QCOMPARE(shapes.size(), expected.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) QVERIFY(std::abs(shapes[i] - expected[i]) < 0.06);
}

TRAINYARD_TEST(tst_LawFit)
#include "tst_LawFit.moc"
