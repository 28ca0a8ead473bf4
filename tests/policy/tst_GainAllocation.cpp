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
    void equalsExactWhereLarge_data();
    void equalsExactWhereLarge();
    void wholeUpdatesOpenAGap_data();
    void wholeUpdatesOpenAGap();
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

/// A job's normalised loss, falling by power or geometrically, and the updates that one worker does in an epoch.
struct Curve {
    bool geometric = false;
    double pace = 1, perWorker = 1;

    double fallAfter(double updates) const {
        return geometric ? 1 - std::exp(-pace * updates) : 1 - 1 / (1 + pace * updates);
    }
};

/// `median`: of the updates that one worker does in an epoch, which lie within a quarter and four times of it.
std::vector<Curve> drawCurves(RandomStream& random, int jobs, double median) {
    std::vector<Curve> out;
    for (int j = 0; j < jobs; ++j) {
        const double pace = 0.05 * std::pow(10, random.unit()); // 0.05 to 0.5 by update
        out.push_back({j % 2 == 1, pace, median / 4 * std::pow(16, random.unit())});
    }
    return out;
}

/// By number of workers; whole: an update that is not done by the end of the epoch is worth nothing.
Gains gainsOf(const std::vector<Curve>& curves, std::size_t most, bool whole) {
    Gains out(curves.size());
    for (std::size_t j = 0; j < curves.size(); ++j)
        for (std::size_t n = 0; n < most; ++n) {
            const auto worth = [&](std::size_t workers) {
                const double updates = static_cast<double>(workers) * curves[j].perWorker;
                return curves[j].fallAfter(whole ? std::floor(updates) : updates);
            };
            out[j].push_back(worth(n + 1) - worth(n));
        }
    return out;
}

std::vector<int> exactly(const Gains& gains, int workers) {
    std::vector<std::vector<double>> values; // by job and workers, summed once
    for (const auto& g : gains) {
        values.emplace_back(1, 0.0);
        for (const double gain : g) values.back().push_back(values.back().back() + gain);
    }
    return exactAllocation(limitsOf(gains), workers,
                           [&](std::size_t j, int n) { return values[j][static_cast<std::size_t>(n)]; });
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

void tst_GainAllocation::equalsExactWhereLarge_data() {
    QTest::addColumn<int>("jobs");
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("instances");
    QTest::newRow("20 jobs, 64 workers") << 20 << 64 << 50;
    QTest::newRow("160 jobs, 640 workers") << 160 << 640 << 3;
}

// Fractions of updates count: no worker is worth more than the one before.
void tst_GainAllocation::equalsExactWhereLarge() {
    QFETCH(int, jobs);
    QFETCH(int, workers);
    QFETCH(int, instances);
    RandomStream random(13, Purpose::policy, 0, 0);
    for (int i = 0; i < instances; ++i) {
        const Gains gains = gainsOf(drawCurves(random, jobs, 1), 32, false);
        const auto greedy = greedily(gains, workers), exact = exactly(gains, workers);
        QCOMPARE(std::accumulate(greedy.begin(), greedy.end(), 0), workers);
        const double got = valueOf(gains, greedy), best = valueOf(gains, exact);
        QVERIFY2(std::abs(got - best) < 1e-9 * best,
                 qPrintable(QStringLiteral("%1: %2, %3").arg(i).arg(got, 0, 'g', 15).arg(best, 0, 'g', 15)));
    }
}

void tst_GainAllocation::wholeUpdatesOpenAGap_data() {
    QTest::addColumn<int>("jobs");
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("instances");
    QTest::addColumn<double>("median"); // updates of a worker in an epoch
    QTest::addColumn<double>("least");  // the mean gap lies between
    QTest::addColumn<double>("most");
    const auto add = [](double median, double least, double most) {
        QTest::addRow("4 jobs, 10 workers, %g updates", median) << 4 << 10 << 200 << median << least << most;
        QTest::addRow("160 jobs, 640 workers, %g updates", median) << 160 << 640 << 5 << median << least << most;
    };
    add(0.25, 0.2, 0.5);
    add(0.5, 0.08, 0.2);
    add(1, 0.02, 0.1);
    add(16, 0, 0.005);
}

// The same curves, of which whole updates count alone: a worker that completes none is worth nothing, and the next one may be worth
// something. The longer an update takes beside an epoch, the further greedy is from the best division: from a third to nothing.
void tst_GainAllocation::wholeUpdatesOpenAGap() {
    QFETCH(int, jobs);
    QFETCH(int, workers);
    QFETCH(int, instances);
    QFETCH(double, median);
    QFETCH(double, least);
    QFETCH(double, most);
    RandomStream random(14, Purpose::policy, 0, 0);
    double sum = 0, worst = 0;
    int optimal = 0;
    for (int i = 0; i < instances; ++i) {
        const Gains gains = gainsOf(drawCurves(random, jobs, median), 32, true);
        const double got = valueOf(gains, greedily(gains, workers)), best = valueOf(gains, exactly(gains, workers));
        QVERIFY(got <= best * (1 + 1e-12));
        const double gap = best > 0 ? 1 - got / best : 0;
        sum += gap;
        worst = std::max(worst, gap);
        optimal += gap < 1e-12;
    }
    const double mean = sum / instances;
    qInfo("greedy, whole updates: mean gap %.2f %%, worst %.2f %%, optimal in %d of %d", 100 * mean, 100 * worst,
          optimal, instances);
    QVERIFY2(mean >= least && mean <= most, qPrintable(QString::number(mean)));
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
