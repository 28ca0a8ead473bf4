// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Gradients of the Gaussian stream drawn from their law: against gradients of rows, against moments in closed
// form, and training under both against the exact course of the expected error.
#include "base/Random.h"
#include "learning/TrainingProblem.h"
#include "planning/StepEnvelope.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>

using namespace trainyard;

class tst_GaussianLaw : public QObject {
    Q_OBJECT
private slots:
    void momentsAreExact();
    void lawOfRowsAndOfDrawsIsOne();
    void startsAtTheOptimum();
    void errorFollowsTheExactModel_data();
    void errorFollowsTheExactModel();
    void interceptNeedsRows();
};

namespace {

std::shared_ptr<const TrainingProblem> problem(const char* gradients, int d, double noise, double distance,
                                               std::uint64_t seed, bool intercept = false) {
    TrainedWork work;
    work.model = {"linear-regression", {{"intercept", intercept}}};
    work.dataset = {"gaussian-stream",
                    {{"features", std::int64_t{d}},
                     {"noise", noise},
                     {"distance", distance},
                     {"gradients", std::string(gradients)}}};
    work.optimizer = {"sgd", {{"learning_rate", 0.05}}};
    auto made = TrainingProblem::make(work, seed, JobId(std::size_t{0}), {});
    return made ? std::move(made).value() : nullptr;
}

struct Drawn {
    std::vector<double> gradient;
    double loss;
};

Drawn drawn(const TrainingProblem& p, std::span<const double> w, std::uint32_t task, int samples) {
    Drawn out{std::vector<double>(p.messageSize()), 0};
    out.loss = p.gradient(w, {.worker = 1, .task = task, .samples = samples}, out.gradient);
    return out;
}

/// Two-sample statistic of Kolmogorov and Smirnov, √(nm/(n+m))·D.
double kolmogorov(std::vector<double> a, std::vector<double> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    double distance = 0;
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        const double x = std::min(a[i], b[j]);
        while (i < a.size() && a[i] <= x) ++i;
        while (j < b.size() && b[j] <= x) ++j;
        distance = std::max(distance, std::abs(double(i) / double(a.size()) - double(j) / double(b.size())));
    }
    const double n = double(a.size()), m = double(b.size());
    return std::sqrt(n * m / (n + m)) * distance;
}

} // namespace

void tst_GaussianLaw::momentsAreExact() {
    // With δ = w − w*: E g = δ; E‖g − δ‖² = ((d + 1)‖δ‖² + dσ²)/B; E loss = ½(‖δ‖² + σ²). 4.5 standard errors
    // each, seven comparisons: error rate 5e-5.
    const int d = 6, samples = 5, draws = 20000;
    const double sigma = 1.5, distance = 0.8, square = d * distance * distance;
    const auto p = problem("law", d, sigma, distance, 3);
    QVERIFY(p != nullptr);
    const std::vector<double> w(d, 0.0); // δ = 0.8 in every coordinate
    double spread = 0, spreadSquares = 0, loss = 0, lossSquares = 0;
    std::vector<double> mean(d, 0.0);
    for (std::uint32_t t = 1; t <= draws; ++t) {
        const auto [g, l] = drawn(*p, w, t, samples);
        double s = 0;
        for (std::size_t i = 0; i < d; ++i) {
            mean[i] += g[i] / draws;
            s += (g[i] - distance) * (g[i] - distance);
        }
        spread += s / draws;
        spreadSquares += s * s / draws;
        loss += l / draws;
        lossSquares += l * l / draws;
    }
    const double variance = ((d + 1) * square + d * sigma * sigma) / samples;
    for (std::size_t i = 0; i < d; ++i) QVERIFY(std::abs(mean[i] - distance) < 4.5 * std::sqrt(variance / d / draws));
    QVERIFY(std::abs(spread - variance) < 4.5 * std::sqrt((spreadSquares - spread * spread) / draws));
    const double risk = 0.5 * (square + sigma * sigma);
    QVERIFY(std::abs(loss - risk) < 4.5 * std::sqrt((lossSquares - loss * loss) / draws));
    QCOMPARE(p->evaluate(w), risk);
}

void tst_GaussianLaw::lawOfRowsAndOfDrawsIsOne() {
    // The two ways give the same law of ⟨g, v⟩ along δ, across it and in between, of ‖g‖² and of the loss:
    // two samples of 4000 each, P(statistic > 2.47) = 1e-5, five comparisons at each of two batch sizes.
    const int d = 4, draws = 4000;
    const auto law = problem("law", d, 0.7, 1, 4), rows = problem("rows", d, 0.7, 1, 4);
    const std::vector<double> w{0.5, -1, 0.2, 1};
    const std::vector<std::vector<double>> directions{{1.5, 0, 1.2, 2}, {2, 0, 0, -1.5}, {0, 1, 0.3, 0}};
    for (const int samples : {1, 7}) {
        std::vector<std::vector<double>> a(5), b(5);
        for (std::uint32_t t = 1; t <= draws; ++t)
            for (auto* out : {&a, &b}) {
                const auto [g, loss] = drawn(out == &a ? *law : *rows, w, out == &a ? t : t + draws, samples);
                double square = 0;
                for (const double x : g) square += x * x;
                for (std::size_t v = 0; v < 3; ++v) {
                    double product = 0;
                    for (std::size_t i = 0; i < d; ++i) product += g[i] * directions[v][i];
                    (*out)[v].push_back(product);
                }
                (*out)[3].push_back(square);
                (*out)[4].push_back(loss);
            }
        for (std::size_t s = 0; s < 5; ++s) {
            const double statistic = kolmogorov(a[s], b[s]);
            QVERIFY2(statistic < 2.47,
                     qPrintable(QStringLiteral("B = %1, statistic %2: %3").arg(samples).arg(s).arg(statistic)));
        }
    }
}

void tst_GaussianLaw::startsAtTheOptimum() {
    // δ = 0: no direction is special, the gradient is noise of variance σ²/B in each coordinate on average.
    const auto p = problem("law", 3, 2, 0, 5);
    double square = 0;
    const int draws = 20000;
    for (std::uint32_t t = 1; t <= draws; ++t)
        for (const double g : drawn(*p, std::vector<double>(3, 0.0), t, 4).gradient) square += g * g / draws;
    QVERIFY2(std::abs(square - 3 * 4.0 / 4) < 0.06, qPrintable(QString::number(square)));
}

void tst_GaussianLaw::errorFollowsTheExactModel_data() {
    QTest::addColumn<QString>("gradients");
    QTest::newRow("rows") << "rows";
    QTest::newRow("law") << "law";
}

void tst_GaussianLaw::errorFollowsTheExactModel() {
    // d = 20, η = 0.05, B = 2: E e_{t+1} = ρ E e_t + q with ρ = 1 − 2η + η²(1 + 21/2), q = η²·20/4. 400 runs;
    // at each of 20 instants within 4 standard errors: error rate 20 · 6.3e-5 = 0.13 %.
    QFETCH(QString, gradients);
    const int d = 20, runs = 400, every = 10, looks = 20;
    const ErrorModel model = exactModel({.smoothness = 1, .convexity = 1, .noise = 20, .growth = 21}, 0.05);
    const auto p = problem(qPrintable(gradients), d, 1, 1, 6);
    std::vector<double> sum(looks, 0.0), squares(looks, 0.0);
    for (std::uint32_t run = 0; run < runs; ++run) {
        std::vector<double> w(d, 0.0), g(d);
        for (int t = 0; t < every * looks; ++t) {
            p->gradient(w, {.worker = run, .task = std::uint32_t(t + 1), .samples = 2}, g);
            for (std::size_t i = 0; i < d; ++i) w[i] -= 0.05 * g[i];
            if ((t + 1) % every > 0) continue;
            const double e = p->evaluate(w) - 0.5;
            sum[std::size_t(t / every)] += e;
            squares[std::size_t(t / every)] += e * e;
        }
    }
    double expected = 0.5 * d;
    for (int look = 0; look < looks; ++look) {
        for (int t = 0; t < every; ++t) expected = model.after(expected, 2);
        const double mean = sum[std::size_t(look)] / runs;
        const double error = std::sqrt((squares[std::size_t(look)] / runs - mean * mean) / runs);
        QVERIFY2(std::abs(mean - expected) < 4 * error, qPrintable(QStringLiteral("after %1: %2 ± %3, expected %4")
                                                                       .arg((look + 1) * every)
                                                                       .arg(mean)
                                                                       .arg(error)
                                                                       .arg(expected)));
    }
}

void tst_GaussianLaw::interceptNeedsRows() {
    // The constant feature of an intercept is not Gaussian: rows are drawn, whatever is asked for.
    const auto law = problem("law", 3, 1, 1, 7, true), rows = problem("rows", 3, 1, 1, 7, true);
    const std::vector<double> w{1, 2, 3, 4};
    QCOMPARE(drawn(*law, w, 1, 5).gradient, drawn(*rows, w, 1, 5).gradient);
}

TRAINYARD_TEST(tst_GaussianLaw)
#include "tst_GaussianLaw.moc"
