// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Stochastic gradient descent on a quadratic with additive noise, whose expected error is known at every
// step: the shipped optimizer follows it, and the bound that the adaptive policies plan by lies above it.
#include "base/Random.h"
#include "learning/Model.h"
#include "planning/StepEnvelope.h"
#include "support/TestMain.h"

#include <array>
#include <cmath>

using namespace trainyard;

class tst_QuadraticOracle : public QObject {
    Q_OBJECT
private slots:
    void exactCourseByHand();
    void descentFollowsTheExactCourse();
    void boundLiesAbove();
    void twiceTheBatchHalvesTheFloor();
};

namespace {

constexpr std::size_t d = 20;
constexpr double eta = 0.5, variance = 4, start = 3;
constexpr int every = 10, looks = 20, runs = 600;

/// Curvatures from 0.1 to 1, evenly spaced on a logarithmic scale.
double curvature(std::size_t i) { return std::pow(10.0, -1 + static_cast<double>(i) / (d - 1)); }

/// E ½Σλδ² after t steps with batches of B: every δ is a first-order autoregression of its own.
double exactError(int t, double batch) {
    double sum = 0;
    for (std::size_t i = 0; i < d; ++i) {
        const double l = curvature(i), r = (1 - eta * l) * (1 - eta * l);
        sum += 0.5 * l *
               (start * start * std::pow(r, t) +
                eta * eta * variance / static_cast<double>(d) / batch * (1 - std::pow(r, t)) / (1 - r));
    }
    return sum;
}

/// The bound's error after t steps from the same start.
double boundError(int t, double batch) {
    const ErrorModel model = boundModel({.smoothness = 1, .convexity = 0.1, .noise = variance}, eta);
    double error = exactError(0, batch);
    for (int i = 0; i < t; ++i) error = model.after(error, batch);
    return error;
}

struct Course {
    std::array<double, looks> mean{}, standardError{};
};

Course measured(double batch) {
    const auto sgd = makeOptimizer({"sgd", {{"learning_rate", eta}}}).value();
    std::array<double, looks> squares{};
    Course out;
    for (std::uint32_t run = 0; run < runs; ++run) {
        RandomStream random(21, Purpose::test, static_cast<std::uint64_t>(batch), run);
        std::vector<double> delta(d, start), gradient(d);
        for (int t = 0; t < every * looks; ++t) {
            for (std::size_t i = 0; i < d; ++i)
                gradient[i] =
                    curvature(i) * delta[i] + std::sqrt(variance / static_cast<double>(d) / batch) * random.normal();
            sgd->step(delta, gradient, {}, {}, static_cast<std::uint64_t>(t + 1));
            if ((t + 1) % every > 0) continue;
            double error = 0;
            for (std::size_t i = 0; i < d; ++i) error += 0.5 * curvature(i) * delta[i] * delta[i];
            out.mean[static_cast<std::size_t>(t / every)] += error / runs;
            squares[static_cast<std::size_t>(t / every)] += error * error / runs;
        }
    }
    for (std::size_t look = 0; look < looks; ++look)
        out.standardError[look] = std::sqrt((squares[look] - out.mean[look] * out.mean[look]) / runs);
    return out;
}

} // namespace

// Printed digits of an independent calculation.
void tst_QuadraticOracle::exactCourseByHand() {
    QVERIFY(std::abs(exactError(20, 1) - 0.798314) < 5e-7);
    QVERIFY(std::abs(exactError(200, 1) - 0.558716) < 5e-7);
    QVERIFY(std::abs(boundError(20, 1) - 19.30) < 5e-3);
    QVERIFY(std::abs(boundError(200, 1) - 10.00) < 5e-3);
}

// At each of 20 instants within 4 standard errors: error rate 20 · 6.3e-5 = 0.13 %.
void tst_QuadraticOracle::descentFollowsTheExactCourse() {
    const Course course = measured(1);
    for (std::size_t look = 0; look < looks; ++look) {
        const double expected = exactError(every * static_cast<int>(look + 1), 1);
        QVERIFY2(std::abs(course.mean[look] - expected) < 4 * course.standardError[look],
                 qPrintable(QStringLiteral("look %1: %2 ± %3, expected %4")
                                .arg(look)
                                .arg(course.mean[look])
                                .arg(course.standardError[look])
                                .arg(expected)));
    }
}

void tst_QuadraticOracle::boundLiesAbove() {
    for (const double batch : {1.0, 4.0}) {
        const Course course = measured(batch);
        for (std::size_t look = 0; look < looks; ++look)
            QVERIFY(course.mean[look] - 4 * course.standardError[look] <=
                    boundError(every * static_cast<int>(look + 1), batch));
    }
}

void tst_QuadraticOracle::twiceTheBatchHalvesTheFloor() {
    // Late, nothing of the start is left: 4 standard errors of the ratio.
    const Course one = measured(1), two = measured(2);
    const double ratio = one.mean.back() / two.mean.back();
    const double spread =
        ratio * std::hypot(one.standardError.back() / one.mean.back(), two.standardError.back() / two.mean.back());
    QVERIFY2(std::abs(ratio - 2) < 4 * spread, qPrintable(QString::number(ratio)));
}

TRAINYARD_TEST(tst_QuadraticOracle)
#include "tst_QuadraticOracle.moc"
