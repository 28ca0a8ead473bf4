// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Expected times of updates: closed forms of textbooks, and brute force: each time drawn, sorted, and
// averaged here.
#include "engine/EquallyLikely.h"
#include "planning/UpdateTimes.h"
#include "policy/Registry.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace trainyard;

namespace {

constexpr int draws = 40'000;

struct Spread {
    double mean = 0, variance = 0, error = 0; ///< error: of the mean
    double varianceError = 0;                 ///< by the fourth moment
};

Spread spreadOf(const std::vector<double>& values) {
    Spread out;
    for (const double v : values) out.mean += v / static_cast<double>(values.size());
    for (const double v : values)
        out.variance += (v - out.mean) * (v - out.mean) / static_cast<double>(values.size() - 1);
    out.error = std::sqrt(out.variance / static_cast<double>(values.size()));
    double fourth = 0;
    for (const double v : values) fourth += std::pow(v - out.mean, 4) / static_cast<double>(values.size());
    out.varianceError =
        std::sqrt(std::max(0.0, fourth - out.variance * out.variance) / static_cast<double>(values.size()));
    return out;
}

double answer(const WorkerResponse& w, double samples, RandomStream& random) {
    const double factor = w.straggler->factor.sample(random);
    return w.transferSeconds + samples * w.secondsPerSample * factor +
           (w.straggler->delay ? w.straggler->delay->sample(random) : 0);
}

Spread bruteForce(const JobTimes& job, double samples, const std::function<double(std::vector<double>&)>& end) {
    RandomStream random(1, Purpose::test, 5);
    std::vector<double> values, times(job.workers.size());
    for (int d = 0; d < draws; ++d) {
        for (std::size_t w = 0; w < times.size(); ++w) times[w] = answer(job.workers[w], samples, random);
        values.push_back(end(times) + job.serverSeconds);
    }
    return spreadOf(values);
}

std::vector<Distribution> laws() {
    return {{.law = Law::constant, .value = 1.2},
            {.law = Law::uniform, .low = 0.2, .high = 1.8},
            {.law = Law::exponential, .mean = 1},
            {.law = Law::shiftedExponential, .mean = 0.5, .shift = 0.5},
            {.law = Law::hypoexponential, .means = {0.6, 0.4}},
            {.law = Law::pareto, .shape = 4, .scale = 0.75},
            {.law = Law::logNormal, .mean = 1, .sigma = 0.5},
            {.law = Law::gamma, .mean = 1, .shape = 4},
            {.law = Law::weibull, .mean = 1, .shape = 0.7},
            {.law = Law::bimodal, .shape = 100, .probability = 0.05, .factor = 5},
            {.law = Law::empirical, .quantiles = {0.7, 0.9, 0.9, 1.1, 2}}};
}

} // namespace

class tst_UpdateTimes : public QObject {
    Q_OBJECT
private slots:
    void exponentialRoundsAreTextbook();
    void lawsWithoutVarianceAreCutOff();
    void roundsAgreeWithDraws();
    void teamsAgreeWithDraws();
    void streamsAgreeWithRenewals();
    void valuesOfATableHaveTheMeanOfTheLaw();
    void whatHasNoClosedFormSaysSo();
};

// n = 8, Exp(1): E = H₈ − H₄, Var = Σ 1/i² for i = 5 … 8. Rates 1 and 2: E max = 1 + 1/2 − 1/3.
void tst_UpdateTimes::exponentialRoundsAreTextbook() {
    const StragglerLaw law{.factor = {.law = Law::exponential, .mean = 1}};
    const JobTimes job{std::vector<WorkerResponse>(8, {&law, 0.1, 0}), 10, 0.25};
    const auto half = roundTime(job, 4, {.samples = 10});
    QVERIFY(half.has_value());
    QVERIFY(std::abs(half->seconds - 0.25 - (1.0 / 5 + 1.0 / 6 + 1.0 / 7 + 1.0 / 8)) < 1e-8);
    QVERIFY(std::abs(half->variance - (1.0 / 25 + 1.0 / 36 + 1.0 / 49 + 1.0 / 64)) < 1e-7);
    QCOMPARE(half->samples, 40.0);
    const JobTimes two{{{&law, 0.1, 0}, {&law, 0.05, 0}}, 10, 0};
    QVERIFY(std::abs(roundTime(two, 2, {.samples = 10})->seconds - (1 + 0.5 - 1.0 / 3)) < 1e-8);
    QVERIFY(std::abs(roundTime(two, 1, {.samples = 10})->seconds - 1.0 / 3) < 1e-8);
}

// Pareto with α = 1.5 and scale 1/3: mean 1. Cut off at the quantile 0.999, t = 100/3, where E min = 1 − ∫
// from there = 1 − 2·t·10⁻³ and E min² = 1/9 + 2∫ t P dt = 1/9 + 4·(1/3)^1.5·(t^½ − (1/3)^½).
void tst_UpdateTimes::lawsWithoutVarianceAreCutOff() {
    const StragglerLaw law{.factor = {.law = Law::pareto, .shape = 1.5, .scale = 1.0 / 3}};
    const auto one = roundTime({{{&law, 1, 0}}, 1, 0}, 1, {.samples = 1});
    QVERIFY(one.has_value());
    const double t = 100.0 / 3, mean = 1 - 2e-3 * t;
    const double square = 1.0 / 9 + 4 * std::pow(1.0 / 3, 1.5) * (std::sqrt(t) - std::sqrt(1.0 / 3));
    QVERIFY2(std::abs(one->seconds - 1) < 1e-6, qPrintable(QString::number(one->seconds, 'g', 12)));
    QVERIFY2(std::abs(one->variance / (square - mean * mean) - 1) < 0.03, qPrintable(QString::number(one->variance)));
    const StragglerLaw none{.factor = {.law = Law::pareto, .shape = 0.9, .scale = 1}};
    QVERIFY(!std::isfinite(roundTime({{{&none, 1, 0}}, 1, 0}, 1, {.samples = 1})->seconds));
    QVERIFY(std::isfinite(roundTime({{{&none, 1, 0}, {&none, 1, 0}}, 1, 0}, 1, {.samples = 1})->seconds));
}

// Six workers, two of them 1.5 times and one 2 times as slow, one with a constant law and one with a
// delay. 4.5 standard errors for each of 33 means (error rate of the test 2e-4), 6 for variances, whose
// errors are known less well (a Pareto law's fourth moment is infinite: it is left out).
void tst_UpdateTimes::roundsAgreeWithDraws() {
    const StragglerLaw constant{.factor = {.law = Law::constant, .value = 1.1}};
    const StragglerLaw delayed{.delay = Distribution{.law = Law::exponential, .mean = 0.3}};
    for (const Distribution& d : laws()) {
        const StragglerLaw law{.factor = d};
        const JobTimes job{{{&law, 0.1, 0.05},
                            {&law, 0.15, 0.05},
                            {&law, 0.15, 0.05},
                            {&law, 0.2, 0.1},
                            {&constant, 0.1, 0.2},
                            {&delayed, 0.1, 0}},
                           10,
                           0.01};
        for (const int k : {1, 4, 6}) {
            const auto got = roundTime(job, k, {.samples = 10});
            QVERIFY(got.has_value());
            const Spread drawn = bruteForce(job, 10, [&](std::vector<double>& times) {
                std::sort(times.begin(), times.end());
                return times[static_cast<std::size_t>(k) - 1];
            });
            const auto report = QStringLiteral("%1, k = %2: %3 against %4 ± %5, variances %6 and %7")
                                    .arg(QString::fromStdString(lawName(d.law)))
                                    .arg(k)
                                    .arg(got->seconds)
                                    .arg(drawn.mean)
                                    .arg(drawn.error)
                                    .arg(got->variance)
                                    .arg(drawn.variance);
            QVERIFY2(std::abs(got->seconds - drawn.mean) < 4.5 * drawn.error + 1e-9, qPrintable(report));
            if (d.law != Law::pareto)
                QVERIFY2(std::abs(got->variance - drawn.variance) < 6 * drawn.varianceError + 1e-9, qPrintable(report));
        }
    }
}

// Three teams of two. 4.5 standard errors of 11 means: error rate 8e-5.
void tst_UpdateTimes::teamsAgreeWithDraws() {
    for (const Distribution& d : laws()) {
        const StragglerLaw law{.factor = d};
        const JobTimes job{
            {{&law, 0.1, 0}, {&law, 0.15, 0}, {&law, 0.1, 0}, {&law, 0.1, 0.5}, {&law, 0.2, 0}, {&law, 0.2, 0}}, 10, 0};
        const auto got = teamRoundTime(job, 2, {.samples = 20});
        QVERIFY(got.has_value());
        QCOMPARE(got->samples, 60.0);
        const Spread drawn = bruteForce(job, 20, [](std::vector<double>& t) {
            return std::max({std::min(t[0], t[1]), std::min(t[2], t[3]), std::min(t[4], t[5])});
        });
        QVERIFY2(std::abs(got->seconds - drawn.mean) < 4.5 * drawn.error + 1e-9,
                 qPrintable(QStringLiteral("%1 %2").arg(got->seconds).arg(drawn.mean)));
    }
}

// Every fourth of the gradients of three workers that go on at once: 4000 updates, 300 times over. Means
// by 4.5 standard errors (error rate 7e-5 for 11), and 1 % for starting in step; variances within 40 % (their
// own standard error is 8 %).
void tst_UpdateTimes::streamsAgreeWithRenewals() {
    for (const Distribution& d : laws()) {
        const StragglerLaw law{.factor = d};
        const JobTimes job{{{&law, 0.1, 0}, {&law, 0.1, 0.3}, {&law, 0.3, 0}}, 10, 0};
        const auto got = streamTime(job, 4);
        QVERIFY(got.has_value());
        RandomStream random(3, Purpose::test, 9);
        constexpr int updates = 500, runs = 300;
        std::vector<double> means;
        for (int r = 0; r < runs; ++r) {
            std::vector<double> next;
            for (const auto& w : job.workers) next.push_back(answer(w, 10, random));
            double now = 0;
            for (int g = 0; g < 4 * updates; ++g) {
                const auto first = std::min_element(next.begin(), next.end());
                now = *first;
                *first += answer(job.workers[static_cast<std::size_t>(first - next.begin())], 10, random);
            }
            means.push_back(now / updates);
        }
        const Spread drawn = spreadOf(means);
        const auto report = QStringLiteral("%1: %2 against %3 ± %4, variances %5 and %6")
                                .arg(QString::fromStdString(lawName(d.law)))
                                .arg(got->seconds)
                                .arg(drawn.mean)
                                .arg(drawn.error)
                                .arg(got->variance)
                                .arg(drawn.variance * updates);
        QVERIFY2(std::abs(got->seconds - drawn.mean) < 4.5 * drawn.error + 0.01 * drawn.mean, qPrintable(report));
        if (d.law != Law::pareto && d.law != Law::constant)
            QVERIFY2(std::abs(got->variance / (drawn.variance * updates) - 1) < 0.4, qPrintable(report));
    }
}

// Exactly, whatever the tail; ascending; and of the law: the median is in the middle.
void tst_UpdateTimes::valuesOfATableHaveTheMeanOfTheLaw() {
    for (const Distribution& d : laws()) {
        const auto values = equallyLikelyValues(d, 1024);
        QVERIFY(std::is_sorted(values.begin(), values.end()));
        double mean = 0;
        for (const double v : values) mean += v / static_cast<double>(values.size());
        QVERIFY2(std::abs(mean / d.expectation() - 1) < 1e-9, qPrintable(QString::fromStdString(lawName(d.law))));
        if (d.law == Law::constant) continue;
        QVERIFY2(std::abs(d.cdf(values[511]) - 0.5) < 0.01, qPrintable(QString::fromStdString(lawName(d.law))));
    }
}

void tst_UpdateTimes::whatHasNoClosedFormSaysSo() {
    const StragglerLaw burst{.burst = Burst{}}, noise{.factor = {.law = Law::exponential, .mean = 1}},
        both{.factor = {.law = Law::gamma, .mean = 1, .shape = 2},
             .delay = Distribution{.law = Law::weibull, .mean = 1, .shape = 2}};
    QVERIFY(!roundTime({{{&burst, 1, 0}}, 1, 0}, 1, {}));
    QVERIFY(!roundTime({{{&both, 1, 0}}, 1, 0}, 1, {}));
    QVERIFY(!roundTime({{{&noise, 1, 0}}, 1, 0}, 1, {.samples = 2, .steps = 2}));
    QVERIFY(!streamTime({{{&noise, 1, 0}}, 1, 0.1}, 1));
    const Registry registry = Registry::builtin();
    QVERIFY(registry.makeSynchronization({"adacomm", {}})->hasNoRate());
    QVERIFY(!registry.makeSynchronization({"adaptive-k", {}})->hasNoRate());
    QVERIFY(registry.makeSynchronization({"adaptive-load", {{"smoothness", 1.0}, {"convexity", 1.0}, {"noise", 1.0}}})
                ->hasNoRate());
}

TRAINYARD_TEST(tst_UpdateTimes)
#include "tst_UpdateTimes.moc"
