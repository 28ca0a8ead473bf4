// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Shares of the time by linear programs: cases worked by hand, and random ones against every point of a grid.
#include "policy/scheduler/timesharing/TimeShares.h"
#include "support/TestMain.h"

#include <cmath>
#include <functional>
#include <random>

using namespace trainyard;

class tst_TimeShares : public QObject {
    Q_OBJECT
private slots:
    void maxMinByHand();
    void whatIsLeftGoesToTheGreatestSum();
    void copiesAreAsManyJobs();
    void equalSharesByHand();
    void anNthIsUsedBest();
    void ratioByHand();
    void ratioIsOneForEqualJobs();
    void noGridPointIsBetter_data();
    void noGridPointIsBetter();
    void ratiosDoNotDependOnUnits();
};

namespace {

bool near(double a, double b, double tolerance = 1e-6) { return std::abs(a - b) <= tolerance * (1 + std::abs(b)); }

/// A job that takes `use` of capacity 0 and runs at rates[0] there, of capacity 1 at rates[1], and so on.
SharingJob onKinds(std::vector<double> rates, double use = 1, int copies = 1) {
    SharingJob job{.options = {}, .copies = copies};
    for (std::size_t k = 0; k < rates.size(); ++k) job.options.push_back({rates[k], {{k, use}}});
    return job;
}

/// By how much shares break their bounds.
double broken(const std::vector<SharingJob>& jobs, const TimeShares& shares) {
    double worst = 0;
    std::vector<double> taken(16, 0.0);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        double time = 0;
        for (std::size_t o = 0; o < shares[j].size(); ++o) {
            worst = std::max(worst, -shares[j][o]);
            time += shares[j][o];
            for (const auto& [capacity, use] : jobs[j].options[o].uses)
                taken[capacity] += jobs[j].copies * use * shares[j][o];
        }
        worst = std::max(worst, time - 1);
    }
    for (const double t : taken) worst = std::max(worst, t - 1);
    return worst;
}

/// Every way in which two or three jobs can have multiples of 1/steps of the time on two kinds, within the bounds.
void forEachOnGrid(const std::vector<SharingJob>& jobs, int steps, const std::function<void(const TimeShares&)>& body) {
    TimeShares shares(jobs.size(), {0, 0});
    const std::function<void(std::size_t)> from = [&](std::size_t j) {
        if (j == jobs.size()) {
            if (broken(jobs, shares) < 1e-9) body(shares);
            return;
        }
        for (int a = 0; a <= steps; ++a)
            for (int b = 0; a + b <= steps; ++b) {
                shares[j] = {double(a) / steps, double(b) / steps};
                from(j + 1);
            }
        shares[j] = {0, 0};
    };
    from(0);
}

} // namespace

// One fast machine and one slow; two jobs that run at 3 and 1 updates per second there, and one that runs at 1 on both. Rates in
// proportion: (3 + 1)/2 = 2, and 1. The third has no use for the fast machine: the two share it, 1/2 each. With x each on the slow one
// they come to (3/2 + x)/2, the third to 1 − 2x: equal, 0.8, at x = 0.1. No shares do better: with prices 0.6 and 0.2 for the machines and
// weights 0.4, 0.4, 0.2 of the jobs, a second of the first two is worth 0.4·3/2 = 0.6 and 0.4/2 = 0.2, of the third 0.2, and both
// machines together are worth 0.8.
void tst_TimeShares::maxMinByHand() {
    const std::vector<SharingJob> jobs{onKinds({3, 1}, 1, 2), onKinds({1, 1})};
    QVERIFY(near(proportionalRate(jobs[0]), 2) && near(proportionalRate(jobs[1]), 1));
    const Sharing sharing = maxMinShares(jobs, {0.5, 1});
    QVERIFY(sharing.solved);
    QVERIFY2(near(sharing.worst, 0.8), qPrintable(QString::number(sharing.worst)));
    const TimeShares expected{{0.5, 0.1}, {0, 0.8}};
    for (std::size_t j = 0; j < 2; ++j)
        for (std::size_t k = 0; k < 2; ++k) QVERIFY(near(sharing.shares[j][k], expected[j][k], 1e-5));
}

// A job that can only run on half of kind 0 at a quarter of the worth; nobody can give it more than all of its time. The other two, of
// worth 1 and 3 per second, share kind 1: the one of worth 3 gets all that the other does not need to reach 0.25.
void tst_TimeShares::whatIsLeftGoesToTheGreatestSum() {
    SharingJob first{.options = {{0.25, {{0, 0.5}}}}};
    SharingJob second{.options = {{1, {{1, 1}}}}}, third{.options = {{3, {{1, 1}}}}};
    const Sharing sharing = maxMinShares({first, second, third}, {1, 1, 1});
    QVERIFY(near(sharing.worst, 0.25));
    QVERIFY(near(sharing.shares[0][0], 1));
    QVERIFY2(near(sharing.shares[1][0], 0.25, 1e-5) && near(sharing.shares[2][0], 0.75, 1e-5),
             qPrintable(QString::number(sharing.shares[1][0])));
}

void tst_TimeShares::copiesAreAsManyJobs() {
    const Sharing apart = maxMinShares(
        {onKinds({3, 1}, 0.5), onKinds({3, 1}, 0.5), onKinds({3, 1}, 0.5), onKinds({1, 2}, 0.7)}, {1, 1, 1, 0.4});
    const Sharing together = maxMinShares({onKinds({3, 1}, 0.5, 3), onKinds({1, 2}, 0.7)}, {1, 0.4});
    QVERIFY(near(apart.worst, together.worst));
    QVERIFY(broken({onKinds({3, 1}, 0.5, 3), onKinds({1, 2}, 0.7)}, together.shares) < 1e-6);
}

// Kind 0 holds 2 such jobs, kind 1 four, six in all. Of 3 jobs each has 2/6 and 4/6 of its time there, of 12 only 2/12 and 4/12.
// Room for 2 jobs at rate 3 and for 4 at rate 6. A quarter holds the job at 6 all the time, likewise a half and all. A fifth: 4/5 of the time
// at 6, 1/5 at 3, though 2/5 would be there. An eighth: 4/8 at 6, 2/8 at 3.
void tst_TimeShares::anNthIsUsedBest() {
    const SharingJob job{.options = {{3, {{0, 0.5}}}, {6, {{1, 0.25}}}}};
    for (const auto& [n, rate] : {std::pair(1.0, 6.0), {2, 6}, {4, 6}, {5, 5.4}, {8, 3.75}})
        QVERIFY2(near(rateOfAnNth(job, n), rate), qPrintable(QString::number(n)));
}

void tst_TimeShares::equalSharesByHand() {
    SharingJob job{.options = {{1, {{0, 0.5}}}, {1, {{1, 0.25}}}}, .copies = 3};
    QVERIFY(near(equalShares({job})[0][0], 1.0 / 3) && near(equalShares({job})[0][1], 2.0 / 3));
    job.copies = 12;
    QVERIFY(near(equalShares({job})[0][0], 1.0 / 6) && near(equalShares({job})[0][1], 1.0 / 3));
    QVERIFY(near(proportionalRate({.options = {{3, {{0, 0.5}}}, {6, {{1, 0.25}}}}}), (3 * 2 + 6 * 4) / 6.0));
}

// One machine, a second per update, two jobs of 10 updates; the first has waited 10 s. With half of the machine each would take 20 s.
// ρ = (10 + 10/x)/20 and (10/(1 − x))/20 are equal where (x + 1)(1 − x) = x: x = (√5 − 1)/2 = 0.618, ρ = 0.5/(1 − x) = 1.309.
void tst_TimeShares::ratioByHand() {
    const double x = (std::sqrt(5.0) - 1) / 2;
    const Sharing sharing = leastWorstRatio({onKinds({1}), onKinds({1})}, {{10, 10, 20}, {0, 10, 20}}, 1e-7);
    QVERIFY(sharing.solved);
    QVERIFY2(near(sharing.worst, 0.5 / (1 - x), 1e-5), qPrintable(QString::number(sharing.worst, 'g', 9)));
    QVERIFY(near(sharing.shares[0][0], x, 1e-5) && near(sharing.shares[1][0], 1 - x, 1e-5));
}

// Jobs that have done nothing yet and are alike in all but their lengths have ρ = 1 with equal shares, and no others are better. A job
// alone has what it would have isolated.
void tst_TimeShares::ratioIsOneForEqualJobs() {
    std::vector<SharingJob> jobs(4, onKinds({2, 1}, 0.8));
    std::vector<FinishGoal> goals;
    const TimeShares equal = equalShares(jobs);
    for (const double updates : {5.0, 50.0, 70.0, 900.0}) {
        FinishGoal goal{.elapsed = 0, .remaining = updates};
        goal.isolated = updates / rateWith(jobs[0], equal[0]);
        goals.push_back(goal);
    }
    QVERIFY(near(leastWorstRatio(jobs, goals, 1e-6).worst, 1, 1e-5));
    QVERIFY(near(leastWorstRatio({onKinds({4})}, {{0, 8, 2}}, 1e-6).worst, 1, 1e-5));
}

void tst_TimeShares::noGridPointIsBetter_data() {
    QTest::addColumn<int>("jobs");
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("rounds");
    QTest::newRow("two jobs") << 2 << 15 << 60;
    QTest::newRow("three jobs") << 3 << 6 << 40;
}

// Random rates, sizes and histories. What the programs give obeys the bounds, and no point of the grid is better. Rounded down to the
// grid, the best shares are one of these points, worse by no more than a step is worth: so least worths are not greater than that.
void tst_TimeShares::noGridPointIsBetter() {
    QFETCH(int, jobs);
    QFETCH(int, steps);
    QFETCH(int, rounds);
    std::mt19937 random(11);
    std::uniform_real_distribution<double> unit(0.1, 1);
    for (int round = 0; round < rounds; ++round) {
        std::vector<SharingJob> all;
        std::vector<double> worth;
        std::vector<FinishGoal> goals;
        for (int j = 0; j < jobs; ++j) {
            all.push_back(onKinds({5 * unit(random), 5 * unit(random)}));
            for (auto& option : all.back().options) option.uses[0].second = unit(random);
            worth.push_back(unit(random));
            goals.push_back({20 * (unit(random) - 0.1), 30 * unit(random), 30 * unit(random)});
        }
        const Sharing fair = maxMinShares(all, worth), finish = leastWorstRatio(all, goals, 1e-5);
        QVERIFY(fair.solved && finish.solved);
        QVERIFY(broken(all, fair.shares) < 1e-6 && broken(all, finish.shares) < 1e-6);
        double bestWorth = 0, bestRatio = INFINITY, step = 0;
        forEachOnGrid(all, steps, [&](const TimeShares& shares) {
            double least = INFINITY, greatest = 0;
            for (std::size_t j = 0; j < all.size(); ++j) {
                const double rate = rateWith(all[j], shares[j]);
                least = std::min(least, worth[j] * rate);
                greatest = std::max(greatest, goals[j].ratio(rate));
            }
            bestWorth = std::max(bestWorth, least);
            bestRatio = std::min(bestRatio, greatest);
        });
        for (std::size_t j = 0; j < all.size(); ++j)
            step = std::max(step, worth[j] * (all[j].options[0].rate + all[j].options[1].rate) / steps);
        QVERIFY2(fair.worst >= bestWorth - 1e-6 && fair.worst <= bestWorth + step,
                 qPrintable(QStringLiteral("%1: %2, %3").arg(round).arg(fair.worst).arg(bestWorth)));
        QVERIFY2(finish.worst <= bestRatio * (1 + 2e-5),
                 qPrintable(QStringLiteral("%1: %2, %3").arg(round).arg(finish.worst).arg(bestRatio)));
    }
}

// Minutes for seconds change no ratio; a rate twice as high and twice the work neither.
void tst_TimeShares::ratiosDoNotDependOnUnits() {
    const std::vector<SharingJob> jobs{onKinds({3, 1}, 0.9), onKinds({2, 2}, 0.6), onKinds({1, 4}, 0.7)};
    const std::vector<FinishGoal> goals{{5, 20, 30}, {0, 50, 25}, {100, 3, 60}};
    const double worst = leastWorstRatio(jobs, goals, 1e-7).worst;
    std::vector<SharingJob> scaled = jobs;
    std::vector<FinishGoal> times = goals;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        for (auto& option : scaled[j].options) option.rate *= 1e4 / 60;
        times[j] = {goals[j].elapsed * 60, goals[j].remaining * 1e4, goals[j].isolated * 60};
    }
    QVERIFY(near(leastWorstRatio(scaled, times, 1e-7).worst, worst, 1e-5));
}

TRAINYARD_TEST(tst_TimeShares)
#include "tst_TimeShares.moc"
