// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Speeds and losses fitted: laws that the models hold exactly are found again, forms are told apart, noise is answered with least squares.
#include "base/Random.h"
#include "planning/NonNegativeFit.h"
#include "policy/scheduler/elastic/TrainingFits.h"
#include "support/TestMain.h"

#include <cmath>
#include <random>
#include <vector>

using namespace trainyard;

class tst_TrainingFits : public QObject {
    Q_OBJECT
private slots:
    void synchronousByHand();
    void asynchronousByHand();
    void noOtherCoefficientsFitBetter();
    void withoutServers();
    void lossByHand();
    void laterLossesWeighMore();
    void lineIsThatOfNonNegativeFit();
    void lossesThatTellNothing();
};

namespace {

std::vector<SpeedPoint> grid(const std::function<double(double, double)>& seconds) {
    std::vector<SpeedPoint> out;
    for (const int w : {1, 3, 8})
        for (const int p : {1, 2, 4}) out.push_back({w, p, seconds(w, p)});
    return out;
}

bool close(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance * (1 + std::abs(b)); }

} // namespace

// T = 0.01·M/w + 0.2 + 0.05·w/p + 0.01·w + 0.02·p with M = 100: T(4, 2) = 0.25 + 0.2 + 0.1 + 0.04 + 0.04 = 0.63.
void tst_TrainingFits::synchronousByHand() {
    const auto points = grid([](double w, double p) { return 1 / w + 0.2 + 0.05 * w / p + 0.01 * w + 0.02 * p; });
    const SpeedFit fit = fitSpeed(points, 100);
    QVERIFY(fit.form == SpeedFit::Form::synchronous);
    const double expected[] = {0.01, 0.2, 0.05, 0.01, 0.02};
    for (std::size_t i = 0; i < 5; ++i) QVERIFY(close(fit.coefficients[i], expected[i]));
    QVERIFY(close(fit.secondsPerUpdate(4, 2), 0.63));
    QVERIFY(fit.relativeError < 1e-9);
}

// T = (0.4 + 0.1·w/p + 0.02·w + 0.03·p)/w: T(2, 1) = (0.4 + 0.2 + 0.04 + 0.03)/2 = 0.335. The synchronous form has no term p/w.
void tst_TrainingFits::asynchronousByHand() {
    const auto points = grid([](double w, double p) { return (0.4 + 0.1 * w / p + 0.02 * w + 0.03 * p) / w; });
    const SpeedFit fit = fitSpeed(points, 100);
    QVERIFY(fit.form == SpeedFit::Form::asynchronous);
    const double expected[] = {0.4, 0.1, 0.02, 0.03, 0};
    for (std::size_t i = 0; i < 5; ++i) QVERIFY(close(fit.coefficients[i], expected[i]));
    QVERIFY(close(fit.secondsPerUpdate(2, 1), 0.335));
    QVERIFY(fitSpeed(points, 100, SpeedFit::Form::synchronous).relativeError > 1e-3);
}

// Measured with errors of 20 %: no small change of the coefficients that keeps them non-negative lowers the error.
void tst_TrainingFits::noOtherCoefficientsFitBetter() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int round = 0; round < 50; ++round) {
        const double a = unit(random), b = 0.2 * unit(random), c = 0.1 * unit(random);
        auto points = grid([&](double w, double p) { return a / w + b + c * w / p + 0.01; });
        for (SpeedPoint& point : points) point.secondsPerUpdate *= 0.8 + 0.4 * unit(random);
        const SpeedFit fit = fitSpeed(points, 1, SpeedFit::Form::synchronous);
        for (int trial = 0; trial < 100; ++trial) {
            SpeedFit other = fit;
            for (double& x : other.coefficients) x = std::max(0.0, x + 0.02 * (unit(random) - 0.5));
            double sum = 0;
            for (const SpeedPoint& point : points) {
                const double off = other.secondsPerUpdate(point.workers, point.servers) / point.secondsPerUpdate - 1;
                sum += off * off;
            }
            QVERIFY(std::sqrt(sum / double(points.size())) >= fit.relativeError * (1 - 1e-9));
        }
    }
}

// Parameters on the workers count as a server on each: T = 12/w, from w = 1, 3, 4, gives T(2) = 6.
void tst_TrainingFits::withoutServers() {
    const std::vector<SpeedPoint> points{{1, 0, 12}, {3, 0, 4}, {4, 0, 3}};
    QVERIFY(close(fitSpeed(points, 32).secondsPerUpdate(2, 0), 6));
}

// l(k) = 1/(0.5·k + 1) + 0.2 falls to 0.25 where 0.5·k + 1 = 20: k = 38. It never falls to 0.2.
void tst_TrainingFits::lossByHand() {
    std::vector<double> updates, losses;
    for (int k = 0; k <= 30; ++k) {
        updates.push_back(k);
        losses.push_back(1 / (0.5 * k + 1) + 0.2);
    }
    const auto fit = fitLossHyperbola(updates, losses);
    QVERIFY(fit);
    QVERIFY2(close(fit->a, 0.5, 1e-4) && close(fit->b, 1, 1e-4) && close(fit->c, 0.2, 1e-5),
             qPrintable(QStringLiteral("%1 %2 %3").arg(fit->a).arg(fit->b).arg(fit->c)));
    QVERIFY(close(fit->updatesUntil(0.25), 38, 1e-3));
    QCOMPARE(fit->updatesUntil(2), 0.0);
    QVERIFY(std::isinf(fit->updatesUntil(0.1)));
    const LossHyperbola exact{0.5, 1, 0.2};
    QVERIFY(close(exact.updatesUntil(0.25), 38));
    QVERIFY(std::isinf(exact.updatesUntil(0.2)));
}

// The first third lies 0.3 above the curve that the rest follows: an error there counts 1/16 of one in the second third and 1/256 of
// one in the last, squared, so that the last is met ten times as closely.
void tst_TrainingFits::laterLossesWeighMore() {
    std::vector<double> updates, losses;
    for (int k = 0; k < 30; ++k) {
        updates.push_back(k);
        losses.push_back(1 / (0.1 * k + 1) + 0.1 + (k < 10 ? 0.3 : 0));
    }
    const auto fit = fitLossHyperbola(updates, losses);
    QVERIFY(fit);
    double early = 0, late = 0;
    for (std::size_t i = 0; i < 30; ++i) {
        const double off = std::abs(fit->at(updates[i]) - losses[i]);
        (i < 10 ? early : i < 20 ? early : late) += off;
    }
    QVERIFY2(10 * late < early, qPrintable(QStringLiteral("%1 %2").arg(late).arg(early)));
}

// At the c that is found, a and b are those of the general non-negative fit: 300 noisy histories, some of which fall ever faster or
// come from infinity at update 9, where a or b would be negative.
void tst_TrainingFits::lineIsThatOfNonNegativeFit() {
    RandomStream random(5, Purpose::test);
    const auto uniform = [&](double low, double high) { return low + (high - low) * random.unit(); };
    int fitted = 0, atOrigin = 0;
    for (int round = 0; round < 300; ++round) {
        const double a = std::exp(uniform(-6, 1)), b = round % 3 ? uniform(0, 3) : -9 * a, c = uniform(0, 0.5),
                     noise = uniform(0, 0.2);
        std::vector<double> updates, losses;
        for (int k = 1; k <= 40; ++k) {
            updates.push_back(k * 10);
            losses.push_back((round % 7 == 0 ? 2 - std::pow(k / 40.0, 3) : 1 / (a * k * 10 + b) + c) *
                             (1 + noise * uniform(-1, 1)));
        }
        const auto fit = fitLossHyperbola(updates, losses);
        if (!fit) continue;
        ++fitted;
        atOrigin += fit->b == 0;
        std::vector<double> rows, target;
        for (std::size_t i = 0; i < losses.size(); ++i) {
            const double above = losses[i] - fit->c, w = std::pow(4.0, double(3 * i / losses.size())) * above * above;
            rows.insert(rows.end(), {w * updates[i], w});
            target.push_back(w / above);
        }
        const auto general = nonNegativeFit(rows, 2, target);
        QVERIFY2(
            close(fit->a, general[0], 1e-6 * std::max(1.0, general[0])) && close(fit->b, general[1], 1e-6),
            qPrintable(
                QStringLiteral("%1: %2 %3, %4 %5").arg(round).arg(fit->a).arg(fit->b).arg(general[0]).arg(general[1])));
    }
    QVERIFY2(fitted > 200 && atOrigin > 20, qPrintable(QStringLiteral("%1 %2").arg(fitted).arg(atOrigin)));
}

void tst_TrainingFits::lossesThatTellNothing() {
    const std::vector<double> updates{0, 1, 2, 3};
    const auto fitted = [&](std::vector<double> losses) {
        return fitLossHyperbola(std::span(updates).first(losses.size()), losses).has_value();
    };
    QVERIFY(fitted({4, 2, 1.5, 1.2}));
    QVERIFY(!fitted({4, 2}));
    QVERIFY(!fitted({1, 2, 3, 4}));
    QVERIFY(!fitted({4, 2, 1, 0}));
    QVERIFY(!fitted({4, 2, INFINITY, 1}));
}

TRAINYARD_TEST(tst_TrainingFits)
#include "tst_TrainingFits.moc"
