// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Dividing workers by marginal gains: by hand, against brute force and the exact programme, and where greedy is not optimal.
#include "base/Random.h"
#include "planning/GainAllocation.h"
#include "support/TestMain.h"

#include <numeric>

using namespace trainyard;

class tst_GainAllocation : public QObject {
    Q_OBJECT
private slots:
    void byHand();
    void equalsBruteForceAndExact();
    void keepsItsInvariants();
    void greedyIsWorseWhereGainsRise();
    void moreJobsThanWorkers();
    void costsCount();
};

namespace {

/// gains[j][n]: what worker n + 1 is worth to job j.
using Gains = std::vector<std::vector<double>>;

std::vector<AllocationLimits> limitsOf(const Gains& gains) {
    std::vector<AllocationLimits> out;
    for (const auto& g : gains) out.push_back({1, static_cast<int>(g.size())});
    return out;
}

std::vector<int> greedily(const Gains& gains, int workers) {
    return allocateByGain(limitsOf(gains), workers,
                          [&](std::size_t j, int n) { return gains[j][static_cast<std::size_t>(n)]; });
}

double valueOf(const std::vector<double>& gains, int workers) {
    return std::accumulate(gains.begin(), gains.begin() + workers, 0.0);
}

double valueOf(const Gains& gains, const std::vector<int>& workers) {
    double sum = 0;
    for (std::size_t j = 0; j < gains.size(); ++j) sum += valueOf(gains[j], workers[j]);
    return sum;
}

/// All divisions with a worker each at least.
double bruteForce(const Gains& gains, std::size_t job, int left) {
    if (job == gains.size()) return 0;
    double best = -1e300;
    const int others = static_cast<int>(gains.size() - job) - 1;
    for (int n = 1; n <= std::min(static_cast<int>(gains[job].size()), left - others); ++n)
        best = std::max(best, valueOf(gains[job], n) + bruteForce(gains, job + 1, left - n));
    return best;
}

Gains drawConcave(RandomStream& random, std::size_t jobs, std::size_t most) {
    Gains out(jobs);
    for (auto& gains : out) {
        for (std::size_t n = 0; n < most; ++n) gains.push_back(random.unit());
        std::sort(gains.rbegin(), gains.rend());
    }
    return out;
}

} // namespace

void tst_GainAllocation::byHand() {
    // One each; then three more: 4 to the first, 3 to the second, 2 to the first.
    QCOMPARE(greedily({{8, 4, 2, 1}, {5, 3, 1, 0.5}}, 5), (std::vector<int>{3, 2}));
    // Equal gains: the fewest workers first, then the first job: 1 1 1, 2 1 1, 2 2 1.
    QCOMPARE(greedily({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, 5), (std::vector<int>{2, 2, 1}));
    // Nothing to be gained: all are given nevertheless, as far as the maxima allow.
    QCOMPARE(greedily({{0, 0}, {0, 0, 0}}, 9), (std::vector<int>{2, 3}));
    // A gain that is not a number counts as 0: below 0.1.
    QCOMPARE(greedily({{1, std::nan("")}, {1, 0.1}}, 3), (std::vector<int>{1, 2}));
}

void tst_GainAllocation::equalsBruteForceAndExact() {
    RandomStream random(11, Purpose::policy, 0, 0);
    for (int i = 0; i < 1000; ++i) {
        const auto jobs = static_cast<std::size_t>(1 + i % 4);
        const int workers = static_cast<int>(jobs) + i % 8;
        const Gains gains = drawConcave(random, jobs, static_cast<std::size_t>(2 + i % 7));
        const auto limits = limitsOf(gains);
        const auto greedy = greedily(gains, workers);
        const auto exact = exactAllocation(limits, workers, [&](std::size_t j, int n) { return valueOf(gains[j], n); });
        const double best = bruteForce(gains, 0, workers);
        QVERIFY2(std::abs(valueOf(gains, greedy) - best) < 1e-12, qPrintable(QString::number(i)));
        QVERIFY2(std::abs(valueOf(gains, exact) - best) < 1e-12, qPrintable(QString::number(i)));
        const int most = static_cast<int>(jobs * gains[0].size());
        QCOMPARE(std::accumulate(greedy.begin(), greedy.end(), 0), std::min(workers, most));
    }
}

void tst_GainAllocation::keepsItsInvariants() {
    RandomStream random(12, Purpose::policy, 0, 0);
    for (int i = 0; i < 200; ++i) {
        Gains gains = drawConcave(random, 20, 12);
        const int workers = 20 + i;
        const auto before = greedily(gains, workers), more = greedily(gains, workers + 1);
        for (std::size_t j = 0; j < gains.size(); ++j) {
            QVERIFY(before[j] >= 1);
            QVERIFY(more[j] >= before[j]); // nobody loses by one worker more
        }
        auto turned = gains; // another order of the jobs, no ties: the same for each
        std::rotate(turned.begin(), turned.begin() + 7, turned.end());
        auto expected = before;
        std::rotate(expected.begin(), expected.begin() + 7, expected.end());
        QCOMPARE(greedily(turned, workers), expected);
        for (auto& g : gains)
            for (double& v : g) v *= 4; // exact in binary
        QCOMPARE(greedily(gains, workers), before);
    }
}

void tst_GainAllocation::greedyIsWorseWhereGainsRise() {
    // The first job gains nothing by a second worker and 10 by a third (whole updates in an epoch): of four workers greedy gives three
    // to the second job, worth 1 + 1; the exact division is worth 10.
    const Gains gains{{0, 0, 10}, {0, 1, 1}};
    QCOMPARE(greedily(gains, 4), (std::vector<int>{1, 3}));
    const auto exact = exactAllocation(limitsOf(gains), 4, [&](std::size_t j, int n) { return valueOf(gains[j], n); });
    QCOMPARE(exact, (std::vector<int>{3, 1}));
}

void tst_GainAllocation::moreJobsThanWorkers() {
    const Gains five(5, {1, 1});
    QCOMPARE(greedily(five, 3), (std::vector<int>{1, 1, 1, 0, 0}));
    QCOMPARE(greedily(five, 0), (std::vector<int>(5, 0)));
    QVERIFY(exactAllocation(limitsOf(five), 3, [](std::size_t, int n) { return n; }).empty());
    QVERIFY(greedily({}, 3).empty());
    // The second finds no room for its minimum of 3: the third does not pass it, and the first gets the rest.
    const std::vector<AllocationLimits> limits{{1, 9}, {3, 9}, {1, 9}};
    QCOMPARE(allocateByGain(limits, 3, [](std::size_t, int) { return 1.0; }), (std::vector<int>{3, 0, 0}));
}

void tst_GainAllocation::costsCount() {
    // A worker of the first costs 3 and is worth 6: 2 a unit, less than the 3 of the second. Of 8 units the minima take 3 + 1, the
    // second 2 more up to its maximum; the 2 that are left are no worker of the first.
    const std::vector<AllocationLimits> limits{{1, 4, 3}, {1, 3, 1}};
    const auto gain = [](std::size_t j, int) { return j == 0 ? 6.0 : 3.0; };
    QCOMPARE(allocateByGain(limits, 8, gain), (std::vector<int>{1, 3}));
    QCOMPARE(allocateByGain(limits, 9, gain), (std::vector<int>{2, 3})); // three are left: one of the first
}

TRAINYARD_TEST(tst_GainAllocation)
#include "tst_GainAllocation.moc"
