// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What training would cost at other prices, and which k is best where: the model read back from what the
// policy told is the policy's own, trajectories are optimal for their prices, times are those of closed
// forms.
#include "analysis/TailMap.h"
#include "analysis/TradeOffs.h"
#include "analysis/TrainingChoices.h"
#include "analysis/UpdateValues.h"
#include "support/IndexedRun.h"
#include "support/TestMain.h"

#include <cmath>
#include <limits>

using namespace trainyard;

class tst_TradeOffs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void modelIsThePolicysOwn();
    void fastestTrajectoryIsTheGreedyOne();
    void eachTrajectoryIsBestAtItsPrices();
    void timesOfTheMapAreThoseOfPareto();
    void bestKFollowsTheTail();
    void bestKFollowsTheError();

private:
    const RunIndex& run();
    TradeOffs offs() { return tradeOffs(*tradeOffInputs(run(), JobId(std::size_t{0}), SimTime::seconds(9))).value(); }
    std::unique_ptr<RunIndex> m_run;
};

const RunIndex& tst_TradeOffs::run() {
    if (!m_run) {
        m_run = std::make_unique<RunIndex>(test::stragglerSource("adaptive-load-exact", 12));
        m_run->update();
    }
    return *m_run;
}

// Streaming least squares, L = 1, σ² = 100, M = 101, η = 0.05: shrink 2η − η², growth η²·101, noise η²·100/2.
void tst_TradeOffs::modelIsThePolicysOwn() {
    const auto& choices = run().fold<RateChoices>().of(JobId(std::size_t{0}));
    QVERIFY(choices.size() > 5);
    for (const auto& made : choices) {
        const auto model = modelOf(*made.choice, 40);
        QVERIFY(model);
        QVERIFY(std::abs(model->shrink / 0.0975 - 1) < 1e-9);
        QVERIFY(std::abs(model->growth / 0.2525 - 1) < 1e-6);
        QVERIFY(std::abs(model->noise / 0.125 - 1) < 1e-6);
    }
}

// Update by update, always the option whose expected fall per second is greatest: the same time within the
// length of an update or two at every change.
void tst_TradeOffs::fastestTrajectoryIsTheGreedyOne() {
    const TradeOffs found = offs();
    QCOMPARE(found.from, 5000.0);
    QVERIFY(found.ownTarget && std::abs(found.to - 0.03) < 1e-12);
    const ErrorModel model{.shrink = 0.0975, .growth = 0.2525, .noise = 0.125};
    const ResponseInputs placed = responseInputs(run(), JobId(std::size_t{0}));
    std::vector<double> loads;
    for (int i = 0; i < 19; ++i) loads.push_back(0.1 + 0.05 * i);
    const auto curves = placedResponseTimes(run().source().workload, JobId(std::size_t{0}), placed.placement,
                                            placed.messageBytes, loads);
    double error = found.from, seconds = 0, samples = 0, updates = 0;
    while (error > found.to) {
        double best = 0, factor = 0, floor = 0, cost = 0, assigned = 0;
        for (const ResponseTimeCurve& curve : curves)
            for (std::size_t k = 1; k <= curve.means.size(); ++k) {
                const double b = std::max(1.0, std::round(40 * curve.load)), all = static_cast<double>(k) * b;
                if (!model.stable(all)) continue;
                const double rate = -std::log(model.factor(all)) * (error - model.floor(all)) / curve.means[k - 1];
                if (rate > best)
                    best = rate, factor = model.factor(all), floor = model.floor(all), cost = curve.means[k - 1],
                    assigned = 50 * b;
            }
        QVERIFY(best > 0);
        error = floor + factor * (error - floor);
        seconds += cost, samples += assigned, ++updates;
    }
    QVERIFY2(std::abs(found.fastest.seconds / seconds - 1) < 0.03, qPrintable(QString::number(found.fastest.seconds)));
    QVERIFY(std::abs(found.fastest.samples / samples - 1) < 0.05);
    QVERIFY(std::abs(found.fastest.updates / updates - 1) < 0.03);
}

void tst_TradeOffs::eachTrajectoryIsBestAtItsPrices() {
    const TradeOffs found = offs();
    QVERIFY(found.sample.size() > 10 && found.message.size() > 10);
    std::vector<Trajectory> all = found.sample;
    all.insert(all.end(), found.message.begin(), found.message.end());
    for (const Trajectory& one : all) {
        const auto priced = [&](const Trajectory& c) {
            return c.seconds + one.prices.sample * c.samples + one.prices.message * c.messages;
        };
        for (const Trajectory& other : all) QVERIFY(priced(one) <= priced(other) * (1 + 1e-9));
        QVERIFY(one.seconds >= found.fastest.seconds * (1 - 1e-12));
    }
    // A price makes a difference: at the highest samples are spared, and messages.
    QVERIFY(found.sample.back().samples < 0.7 * found.fastest.samples);
    QVERIFY(found.message.back().messages < 0.95 * found.fastest.messages);
    QCOMPARE(found.now.seconds, found.fastest.seconds); // the scenario gives no prices
}

// Without communication by quadrature of the same law; with it, the answers of all workers have mean 1
// together, and times are those of 60,000 numbers: for α = 5 with a variance of 0.07 (1 − share)² + share² at
// most 1, five s.d. are 0.02.
void tst_TradeOffs::timesOfTheMapAreThoseOfPareto() {
    const TailMap map = tailMap(20);
    QCOMPARE(map.means.size(), map.tails.size() * map.shares.size());
    for (std::size_t t = 0; t < map.tails.size(); ++t) {
        const double alpha = map.tails[t];
        const auto expected = expectedOrder({.law = Law::pareto, .shape = alpha, .scale = (alpha - 1) / alpha}, 20);
        for (const std::size_t k : {0, 9, 18}) {
            const double found = map.cell(t, 0)[k];
            QVERIFY2(std::abs(found / expected[k] - 1) < 1e-6,
                     qPrintable(QStringLiteral("α %1 k %2: %3 %4").arg(alpha).arg(k + 1).arg(found).arg(expected[k])));
        }
    }
    for (std::size_t share = 0; share < map.shares.size(); ++share) {
        double sum = 0;
        for (const double mean : map.cell(5, share)) sum += mean / 20;
        QVERIFY2(std::abs(sum - 1) < 0.02, qPrintable(QString::number(sum)));
    }
    // Whatever the share: more answers take longer.
    for (const auto& means : map.means)
        for (std::size_t k = 1; k < means.size(); ++k) QVERIFY(means[k] >= means[k - 1]);
    std::stop_source stopped;
    stopped.request_stop();
    QVERIFY(tailMap(20, stopped.get_token()).means.empty());
}

void tst_TradeOffs::bestKFollowsTheTail() {
    const TailMap map = tailMap(20);
    int before = 0;
    for (std::size_t t = 0; t < map.tails.size(); ++t) {
        const int k = bestWait(map.cell(t, 0), std::nullopt);
        QVERIFY(k >= before);
        before = k;
    }
    QVERIFY(before > bestWait(map.cell(0, 0), std::nullopt));
    QCOMPARE(bestWait({}, std::nullopt), 0);
    QCOMPARE(bestWait({std::numeric_limits<double>::infinity()}, std::nullopt), 0);
    QCOMPARE(bestWait({1, 1.5, 4}, std::nullopt), 2); // 1, 1.33, 0.75 gradients a second
}

void tst_TradeOffs::bestKFollowsTheError() {
    const TailMap map = tailMap(20);
    const auto k = [&](double error) {
        const ErrorModel model{.shrink = 0.05, .growth = 0, .noise = 0.125};
        return bestWait(map.cell(4, 3), ErrorNow{model, error, 40});
    };
    QCOMPARE(k(1e6), 1); // the noise does not count
    QVERIFY(k(0.02) > 1);
    QVERIFY(k(0.005) > k(0.02));
}

TRAINYARD_TEST(tst_TradeOffs)
#include "tst_TradeOffs.moc"
