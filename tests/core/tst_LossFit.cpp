// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Fits of loss curves: exact curves are recovered and predicted, hints are used, and what cannot be fitted is flat.
#include "policy/scheduler/slaq/LossFit.h"
#include "support/TestMain.h"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

using namespace trainyard;

class tst_LossFit : public QObject {
    Q_OBJECT
private slots:
    void exactCurvesAreRecovered_data();
    void exactCurvesAreRecovered();
    void theBetterFamilyWins();
    void hintsPinTheAsymptote();
    void noiseCostsLittle();
    void whatDoesNotFallIsFlat();
};

namespace {

std::vector<LossSample> sampled(const std::function<double(double)>& loss, double first, double step, int n) {
    std::vector<LossSample> out;
    for (int i = 0; i < n; ++i) out.push_back({first + i * step, loss(first + i * step)});
    return out;
}

} // namespace

void tst_LossFit::exactCurvesAreRecovered_data() {
    QTest::addColumn<bool>("linear");
    QTest::newRow("1/(a k² + b k + c) + d") << false;
    QTest::newRow("A μ^k + d") << true;
}

// 500 random curves of 30 samples, every update or every fifth, whose asymptote lies within one range below the least loss: parameters
// to 1e-6 of their sizes, ten samples ahead to 1e-4 of the loss.
void tst_LossFit::exactCurvesAreRecovered() {
    QFETCH(bool, linear);
    std::mt19937 random(7);
    const auto real = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    int tried = 0;
    while (tried < 500) {
        const double step = random() % 2 ? 1 : 5, first = std::floor(real(0, 40)), d = real(0, 2),
                     size = std::pow(10, real(-2, 2));
        std::function<double(double)> loss;
        const double a = random() % 2 ? 0 : real(0.001, 0.1), b = real(0.01, 0.5), c = real(0.2, 3),
                     mu = real(0.7, 0.98);
        if (linear)
            loss = [=](double k) { return size * std::pow(mu, (k - first) / step) + d; };
        else
            loss = [=](double k) {
                const double x = (k - first) / step;
                return size / ((a * x + b) * x + c) + d;
            };
        const auto samples = sampled(loss, first, step, 30);
        const double least = samples.back().loss, range = samples.front().loss - least;
        if (least - d > 0.9 * range || least - d < 2e-6 * range) continue;
        ++tried;
        const LossFit fit = (linear ? fitLinear : fitSublinear)(samples, {.decay = 0.95});
        QVERIFY2(std::abs(fit.asymptote - d) < 1e-6 * (range + d),
                 qPrintable(QStringLiteral("%1: %2 for %3").arg(tried).arg(fit.asymptote).arg(d)));
        const double p = fit.scale / step, q = (fit.origin - first) / step; // x of this curve is p x + q of the fit's
        if (linear) {
            const double amplitude = size * std::pow(mu, q);
            QVERIFY(std::abs(fit.mu - std::pow(mu, p)) < 1e-6);
            QVERIFY2(std::abs(fit.amplitude - amplitude) < 1e-6 * amplitude, qPrintable(QString::number(tried)));
        } else {
            // The terms of the denominator at the last sample, against their sum there.
            const double end = 29 / p, sum = ((a * 29 * 29) + b * 29 + c) / size, tolerance = 1e-6 * sum;
            const double errors[]{(fit.a - a * p * p / size) * end * end, (fit.b - (2 * a * q + b) * p / size) * end,
                                  fit.c - ((a * q + b) * q + c) / size};
            for (const double error : errors)
                QVERIFY2(std::abs(error) < tolerance,
                         qPrintable(QStringLiteral("%1: %2 of %3").arg(tried).arg(error).arg(sum)));
        }
        const double ahead = first + 39 * step;
        QVERIFY(std::abs(fit.at(ahead) - loss(ahead)) < 1e-4 * loss(ahead));
    }
}

void tst_LossFit::theBetterFamilyWins() {
    const auto slow = sampled([](double k) { return 1 / (0.3 * k + 1) + 0.1; }, 0, 1, 25);
    const auto fast = sampled([](double k) { return 2 * std::pow(0.8, k) + 0.1; }, 0, 1, 25);
    QCOMPARE(fitLosses(slow, {}).family, LossFamily::sublinear);
    QCOMPARE(fitLosses(fast, {}).family, LossFamily::linear);
}

// Six samples of a slow curve do not tell where it ends; with the hint they do.
void tst_LossFit::hintsPinTheAsymptote() {
    const auto loss = [](double k) { return 3 * std::pow(0.97, k) + 0.25; };
    const auto few = sampled(loss, 0, 1, 6);
    const LossFit hinted = fitLinear(few, {.asymptote = 0.25});
    QVERIFY(std::abs(hinted.mu - 0.97) < 1e-6 && std::abs(hinted.at(100) - loss(100)) < 1e-4);
    QCOMPARE(hinted.asymptote, 0.25);
    QCOMPARE(fitSublinear(few, {.asymptote = 0.25}).asymptote, 0.25);
    QVERIFY(fitLinear(few, {.asymptote = 5}).asymptote < few.back().loss); // above the losses: no hint
}

// Noise of 1 % of the range, 200 curves: ten samples ahead, the mean error is below 2 % of the range.
void tst_LossFit::noiseCostsLittle() {
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    double sum = 0;
    for (int i = 0; i < 200; ++i) {
        const double mu = 0.85 + 0.1 * (i % 10) / 10.0;
        const auto loss = [mu](double k) { return std::pow(mu, k) + 0.2; };
        auto samples = sampled(loss, 0, 1, 40);
        for (LossSample& s : samples) s.loss += 0.01 * normal(random);
        sum += std::abs(fitLosses(samples, {.decay = 0.95}).at(49) - loss(49));
    }
    QVERIFY2(sum / 200 < 0.02, qPrintable(QString::number(sum / 200)));
}

void tst_LossFit::whatDoesNotFallIsFlat() {
    const auto constant = sampled([](double) { return -3.5; }, 0, 1, 10);
    QCOMPARE(fitLosses(constant, {}).family, LossFamily::flat);
    QCOMPARE(fitLosses(constant, {}).at(1e6), -3.5);
    QCOMPARE(fitLosses(std::span(constant).first(2), {}).family, LossFamily::flat);
    QCOMPARE(fitLosses({}, {}).at(5), 0.0);
    // Losses that rise: whatever is fitted is finite and predicts no fall worth a core.
    const auto rising = sampled([](double k) { return -2 + 0.1 * k; }, 0, 1, 20);
    for (const LossFit& fit : {fitSublinear(rising, {}), fitLinear(rising, {})}) {
        QVERIFY(std::isfinite(fit.at(19)) && std::isfinite(fit.at(1000)));
        QVERIFY(fit.at(19) - fit.at(29) < 1e-6);
    }
    // Negative losses that fall are curves like others.
    const auto below = sampled([](double k) { return 2 * std::pow(0.9, k) - 7; }, 0, 1, 30);
    QVERIFY(std::abs(fitLinear(below, {}).asymptote + 7) < 1e-6);
}

TRAINYARD_TEST(tst_LossFit)
#include "tst_LossFit.moc"
