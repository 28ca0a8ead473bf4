// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Switching times and the upper envelope: printed values, brute force, and what the envelope does in the
// canonical setting.
#include "planning/IterationTimes.h"
#include "planning/StepEnvelope.h"
#include "support/TestMain.h"

#include "base/Random.h"

#include <cmath>

using namespace trainyard;

class tst_StepEnvelope : public QObject {
    Q_OBJECT
private slots:
    void switchingTimesToThePrintedDigits();
    void envelopeOfAdaptiveKIsItsSwitchingTimes();
    void envelopeIsTheArgmax_data();
    void envelopeIsTheArgmax();
    void envelopeOfDegenerateLines();
    void pathOfTheCanonicalSetting();
    void gainsOverAdaptiveK_data();
    void gainsOverAdaptiveK();
    void exactModelOfTheCanonicalScenario();
};

namespace {

/// Exp(rate 5), n = 5: μ_k = (H_5 − H_{5−k})/5.
std::vector<double> smallTimes() {
    std::vector<double> mu;
    double sum = 0;
    for (int k = 1; k <= 5; ++k) mu.push_back((sum += 1.0 / (5 - k + 1)) / 5);
    return mu;
}
const LossConstants small{.smoothness = 2, .convexity = 1, .noise = 10};
constexpr double smallRate = 0.001;

struct Plan {
    std::vector<StepOption> options;
    std::vector<EnvelopeStep> envelope;
    ErrorModel model;
};

/// n = 50, ηc = 0.005, errors in units of A (the floor of one whole gradient), E[C] + E[P] = 1 with E[C]/E[P]
/// = ratio; loads .05, .1, .2, …, 1.
Plan planOf(double ratio, bool loads) {
    const StragglerLaw law{.factor = {.law = Law::exponential, .mean = 1},
                           .delay = Distribution{.law = Law::exponential, .mean = ratio / (1 + ratio)}};
    const IterationTimes times(std::vector<WorkerResponse>(50, {&law, 1 / (1 + ratio), 0}));
    Plan plan{.model = {.shrink = 0.005, .noise = 0.005}};
    std::vector<double> grid{1};
    if (loads) grid = {.05, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1};
    for (const double load : grid) {
        const auto mu = times.means(load);
        for (int k = 1; k <= 50; ++k)
            plan.options.push_back({.waitFor = k, .load = load, .samples = k * load, .cost = mu[std::size_t(k - 1)]});
    }
    std::vector<RateLine> lines;
    for (const auto& option : plan.options) lines.push_back(rateLine(plan.model, option));
    plan.envelope = upperEnvelope(lines);
    return plan;
}

struct Spent {
    double seconds = 0, assigned = 0, used = 0, uplinks = 0;
};

Spent spentUntil(const Plan& plan, double from, double target) {
    Spent out;
    for (const auto& step : plan.envelope) {
        const double to = std::max(step.downTo, target);
        if (to >= from) continue;
        const StepOption& option = plan.options[step.line];
        const double seconds = timeBetween(plan.model, option, from, to), updates = seconds / option.cost;
        out.seconds += seconds;
        out.assigned += updates * 50 * option.load;
        out.used += updates * option.samples;
        out.uplinks += updates * option.waitFor;
        from = to;
        if (from <= target) break;
    }
    return out;
}

} // namespace

void tst_StepEnvelope::switchingTimesToThePrintedDigits() {
    const double times[] = {496.919622, 621.623721, 793.653574, 1102.518725};
    const double errors[] = {.0014, .000725, .00046388889, .00031416667};
    const auto mu = smallTimes();
    const auto found = switchingTimes(mu, small, smallRate, 10, 100);
    QCOMPARE(found.size(), std::size_t{4});
    for (std::size_t i = 0; i < 4; ++i) {
        QVERIFY2(std::abs(found[i].time - times[i]) <= 5.1e-7, qPrintable(QString::number(found[i].time, 'f', 9)));
        QVERIFY2(std::abs(found[i].error - errors[i]) <= 5.1e-12, qPrintable(QString::number(found[i].error, 'g', 12)));
    }
    // The increment of the formula is where the rates of k and k + 1 are equal: found again by bisection.
    const ErrorModel model = boundModel(small, smallRate);
    double error = 100, time = 0;
    for (int k = 1; k < 5; ++k) {
        const StepOption now{.samples = k * 10.0, .cost = mu[std::size_t(k - 1)]},
            next{.samples = (k + 1) * 10.0, .cost = mu[std::size_t(k)]};
        double low = model.floor(now.samples), high = error;
        for (int i = 0; i < 200; ++i) {
            const double middle = 0.5 * (low + high);
            (rateLine(model, now).at(middle) > rateLine(model, next).at(middle) ? high : low) = middle;
        }
        time += timeBetween(model, now, error, high);
        error = high;
        QVERIFY(std::abs(time - found[std::size_t(k - 1)].time) < 1e-6 &&
                std::abs(error - found[std::size_t(k - 1)].error) < 1e-12);
    }
}

void tst_StepEnvelope::envelopeOfAdaptiveKIsItsSwitchingTimes() {
    const auto mu = smallTimes();
    const ErrorModel model = boundModel(small, smallRate);
    std::vector<RateLine> lines;
    std::vector<StepOption> options;
    for (int k = 1; k <= 5; ++k) {
        options.push_back({.waitFor = k, .samples = k * 10.0, .cost = mu[std::size_t(k - 1)]});
        lines.push_back(rateLine(model, options.back()));
    }
    const auto envelope = upperEnvelope(lines);
    const auto switches = switchingTimes(mu, small, smallRate, 10, 100);
    QCOMPARE(envelope.size(), std::size_t{5});
    double time = 0, error = 100;
    for (std::size_t i = 0; i < 4; ++i) {
        QCOMPARE(envelope[i].line, i);
        QVERIFY(std::abs(envelope[i].downTo / switches[i].error - 1) < 1e-9);
        time += timeBetween(model, options[i], error, envelope[i].downTo);
        error = envelope[i].downTo;
        QVERIFY(std::abs(time - switches[i].time) < 1e-6);
    }
}

void tst_StepEnvelope::envelopeIsTheArgmax_data() {
    QTest::addColumn<int>("lines");
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 8; ++seed)
        for (const int lines : {1, 2, 7, 300, 10000}) QTest::addRow("%d lines, seed %d", lines, seed) << lines << seed;
}

void tst_StepEnvelope::envelopeIsTheArgmax() {
    QFETCH(int, lines);
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test, 501, std::uint32_t(lines));
    std::vector<RateLine> all;
    for (int i = 0; i < lines; ++i) {
        const double slope = std::exp(3 * random.normal());
        all.push_back({slope, -slope * std::exp(2 * random.normal()) - (seed % 2 ? 0.1 * slope * slope : 0)});
    }
    const auto envelope = upperEnvelope(all);
    QVERIFY(!envelope.empty() && envelope.back().downTo == 0);
    for (std::size_t s = 0; s + 1 < envelope.size(); ++s) QVERIFY(envelope[s].downTo > envelope[s + 1].downTo);
    const int grid = lines > 1000 ? 300 : 3000;
    for (int g = 0; g <= grid; ++g) {
        const double error = g == 0 ? 0 : std::exp(-12 + 24.0 * g / grid);
        double best = -1e300;
        for (const auto& line : all) best = std::max(best, line.at(error));
        const double found = all[envelope[stepAt(envelope, error)].line].at(error);
        QVERIFY2(found >= best - 1e-9 * std::abs(best),
                 qPrintable(QStringLiteral("at %1: %2 < %3").arg(error).arg(found).arg(best)));
    }
}

void tst_StepEnvelope::envelopeOfDegenerateLines() {
    QVERIFY(upperEnvelope({}).empty());
    const double infinite = std::numeric_limits<double>::infinity();
    const std::vector<RateLine> none{{0, -infinite}, {infinite, -1}};
    QVERIFY(upperEnvelope(none).empty());
    // Of parallels the highest, of equals the first; lines on top only below zero are left out.
    const std::vector<RateLine> lines{{1, -2}, {1, -1}, {1, -1}, {3, 0}, {2, -1}};
    const auto envelope = upperEnvelope(lines);
    QCOMPARE(envelope.size(), std::size_t{1});
    QCOMPARE(envelope[0].line, std::size_t{3});
    const std::vector<RateLine> two{{1, -1}, {1, -1}, {2, -3}};
    QCOMPARE(upperEnvelope(two).size(), std::size_t{2});
    QCOMPARE(upperEnvelope(two)[1].line, std::size_t{0});
    QCOMPARE(upperEnvelope(two)[0].downTo, 2.0);
}

void tst_StepEnvelope::pathOfTheCanonicalSetting() {
    // Communication and computation alike: first the load grows at k = 1, then both in turns, then k alone.
    // An option's place is the error at which it comes on top, to three digits.
    const Plan plan = planOf(1, true);
    const struct {
        int k;
        double load, from;
    } path[] = {{1, .1, 49.7}, {1, .2, 23.7}, {1, .3, 13.0}, {1, 1, 3.17}, {2, .8, 1.98},
                {2, 1, 1.59},  {3, .9, 1.10}, {3, 1, 1.06},  {4, 1, .766}};
    QCOMPARE(plan.options[plan.envelope[0].line].waitFor, 1);
    QCOMPARE(plan.options[plan.envelope[0].line].load, 0.05);
    for (const auto& p : path) {
        bool found = false;
        for (std::size_t s = 1; s < plan.envelope.size(); ++s) {
            const StepOption& option = plan.options[plan.envelope[s].line];
            if (option.waitFor != p.k || std::abs(option.load - p.load) > 1e-9) continue;
            found = true;
            const double from = plan.envelope[s - 1].downTo;
            QVERIFY2(
                std::abs(from / p.from - 1) < 0.005,
                qPrintable(QStringLiteral("(%1, %2) from %3, expected %4").arg(p.k).arg(p.load).arg(from).arg(p.from)));
        }
        QVERIFY2(found, qPrintable(QStringLiteral("(%1, %2)").arg(p.k).arg(p.load)));
    }
    int k = 1;
    for (const auto& step : plan.envelope) {
        const StepOption& option = plan.options[step.line];
        QVERIFY(option.waitFor >= k && (option.waitFor < 5 || option.load == 1));
        k = option.waitFor;
    }
    QVERIFY(std::abs(spentUntil(planOf(1, false), 1000, 0.03).seconds - 1181.6) < 0.06);
}

void tst_StepEnvelope::gainsOverAdaptiveK_data() {
    QTest::addColumn<double>("ratio");
    QTest::addColumn<double>("target");
    QTest::addColumn<double>("speedUp");
    QTest::addColumn<double>("assigned");
    QTest::addColumn<double>("used");
    QTest::addColumn<double>("uplinks");
    const double rows[][6] = {
        {.1, .03, 1.039, .688, .968, 1.012}, {.1, .1, 1.138, .606, .896, 1.040}, {.1, 1, 1.619, .407, .483, 1.191},
        {1, .03, 1.051, .685, .968, 1.010},  {1, .1, 1.142, .608, .900, 1.031},  {1, 1, 1.540, .419, .493, 1.158},
        {10, .03, 1.027, .710, .970, 1.006}, {10, .1, 1.094, .633, .902, 1.021}, {10, 1, 1.375, .446, .510, 1.105}};
    for (const auto& r : rows)
        QTest::addRow("ratio %g target %g", r[0], r[1]) << r[0] << r[1] << r[2] << r[3] << r[4] << r[5];
}

void tst_StepEnvelope::gainsOverAdaptiveK() {
    QFETCH(double, ratio);
    QFETCH(double, target);
    QFETCH(double, speedUp);
    QFETCH(double, assigned);
    QFETCH(double, used);
    QFETCH(double, uplinks);
    const Spent both = spentUntil(planOf(ratio, true), 1000, target),
                kOnly = spentUntil(planOf(ratio, false), 1000, target);
    const auto near = [](double value, double expected) { return std::abs(value - expected) <= 0.0006; };
    const double found[] = {kOnly.seconds / both.seconds, both.assigned / kOnly.assigned, both.used / kOnly.used,
                            both.uplinks / kOnly.uplinks};
    QVERIFY2(near(found[0], speedUp) && near(found[1], assigned) && near(found[2], used) && near(found[3], uplinks),
             qPrintable(QStringLiteral("%1 %2 %3 %4").arg(found[0]).arg(found[1]).arg(found[2]).arg(found[3])));
}

void tst_StepEnvelope::exactModelOfTheCanonicalScenario() {
    // d = 100, σ = 1, η = 0.05, 40 samples per worker: ρ_B = 1 − 2η + η²(1 + 101/B), q_B = η²·100/(2B). k = 1
    // settles at .03427; e ≤ .03 is reached at 383.26 s (all 50), 48.65 (10), 97.76 (25), by the mean times
    // of an iteration.
    const ErrorModel model = exactModel({.smoothness = 1, .convexity = 1, .noise = 100, .growth = 101}, 0.05);
    QVERIFY(std::abs(model.factor(40) - (1 - 0.1 + 0.0025 * (1 + 101.0 / 40))) < 1e-15);
    QVERIFY(std::abs(model.floor(40) - 0.03427) < 5e-6);
    QVERIFY(model.stable(3) && !model.stable(2)); // 2/(1 + 101/B) > 0.05 from B = 2.6 on
    const struct {
        int k;
        double mu, seconds;
    } runs[] = {{50, 3.24797, 383.26}, {10, .40542, 48.65}, {25, .82846, 97.76}};
    for (const auto& run : runs) {
        double error = 5000;
        int updates = 0;
        while (error > 0.03) {
            error = model.after(error, 40.0 * run.k);
            ++updates;
        }
        QVERIFY2(std::abs(updates * run.mu - run.seconds) < 0.006, qPrintable(QString::number(updates * run.mu)));
    }
}

TRAINYARD_TEST(tst_StepEnvelope)
#include "tst_StepEnvelope.moc"
