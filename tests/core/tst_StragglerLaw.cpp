// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The burst chain: a pure function of its coordinates with the right law; ranges of straggler laws.
#include "model/StragglerLaw.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_StragglerLaw : public QObject {
    Q_OBJECT
private slots:
    void statesDoNotDependOnTheOrderOfAsking();
    void stationaryShare();
    void stationaryFromTheFirstBin();
    void lengthsOfStays();
    void limits();
    void binsByTime();
    void farAheadIsCheap();
    void checkNamesWhatIsWrong();
};

void tst_StragglerLaw::statesDoNotDependOnTheOrderOfAsking() {
    const Burst burst{.enter = 0.1, .leave = 0.3};
    BurstChain forward(burst, 5, 2), backward(burst, 5, 2), sparse(burst, 5, 2), otherMachine(burst, 5, 3),
        otherSeed(burst, 6, 2);
    int differMachine = 0, differSeed = 0;
    std::vector<bool> states;
    for (std::uint64_t b = 0; b < 3000; ++b) states.push_back(forward.slow(b));
    for (std::uint64_t b = 3000; b-- > 0;) QCOMPARE(backward.slow(b), bool(states[b]));
    for (std::uint64_t b = 0; b < 3000; b += 37)
        QCOMPARE(sparse.slow((b * 1009) % 3000), bool(states[(b * 1009) % 3000]));
    for (std::uint64_t b = 0; b < 3000; ++b) {
        differMachine += otherMachine.slow(b) != states[b];
        differSeed += otherSeed.slow(b) != states[b];
    }
    QVERIFY(differMachine > 500 && differSeed > 500);
}

// The share of slow bins has mean π = enter/(enter+leave) and, with correlation r = 1 − enter − leave from
// bin to bin, variance ≈ π(1−π)(1+r)/(1−r)/n. 4 standard errors: a false alarm once in 16,000 seeds.
void tst_StragglerLaw::stationaryShare() {
    const Burst burst{.enter = 0.01, .leave = 0.1};
    QCOMPARE(burst.stationaryShare(), 1.0 / 11);
    const int machines = 40, bins = 10000;
    long slow = 0;
    for (std::uint32_t m = 0; m < machines; ++m) {
        BurstChain chain(burst, 1, m);
        for (std::uint64_t b = 0; b < bins; ++b) slow += chain.slow(b);
    }
    const double n = double(machines) * bins, share = 1.0 / 11, r = 0.89;
    const double error = std::sqrt(share * (1 - share) * (1 + r) / (1 - r) / n);
    QVERIFY2(std::abs(slow / n - share) < 4 * error, qPrintable(QString::number(slow / n)));
}

void tst_StragglerLaw::stationaryFromTheFirstBin() {
    const Burst burst{.enter = 0.2, .leave = 0.3};
    const int machines = 20000;
    int first = 0, fifth = 0;
    for (std::uint32_t m = 0; m < machines; ++m) {
        BurstChain chain(burst, 2, m);
        first += chain.slow(0);
        fifth += chain.slow(5);
    }
    const double error = std::sqrt(0.4 * 0.6 / machines);
    QVERIFY(std::abs(first / double(machines) - 0.4) < 4 * error);
    QVERIFY(std::abs(fifth / double(machines) - 0.4) < 4 * error);
}

// Stays are geometric: mean 1/p, variance (1−p)/p², P(length 1) = p. Only stays that begin and end inside the
// window count.
void tst_StragglerLaw::lengthsOfStays() {
    const Burst burst{.enter = 0.05, .leave = 0.1};
    double count[2] = {0, 0}, sum[2] = {0, 0}, ones[2] = {0, 0};
    for (std::uint32_t m = 0; m < 20; ++m) {
        BurstChain chain(burst, 3, m);
        std::uint64_t begin = 0;
        bool first = true;
        for (std::uint64_t b = 1; b < 20000; ++b) {
            if (chain.slow(b) == chain.slow(b - 1)) continue;
            const bool state = chain.slow(b - 1);
            if (!first) {
                ++count[state];
                sum[state] += double(b - begin);
                ones[state] += b - begin == 1;
            }
            first = false;
            begin = b;
        }
    }
    for (int state : {0, 1}) {
        const double p = state ? burst.leave : burst.enter, n = count[state];
        QVERIFY(n > 5000);
        // The window cuts off long stays: at most one in 20,000 bins, far below the error.
        QVERIFY2(std::abs(sum[state] / n - 1 / p) < 4 * std::sqrt((1 - p) / n) / p,
                 qPrintable(QString::number(sum[state] / n)));
        QVERIFY(std::abs(ones[state] / n - p) < 4 * std::sqrt(p * (1 - p) / n));
    }
}

void tst_StragglerLaw::limits() {
    BurstChain never({.enter = 0, .leave = 0.5}, 1, 1), nothing({.enter = 0, .leave = 0}, 1, 1),
        always({.enter = 0.5, .leave = 0}, 1, 1), flip({.enter = 1, .leave = 1}, 1, 1);
    for (std::uint64_t b = 0; b < 1000; ++b) {
        QVERIFY(!never.slow(b));
        QVERIFY(!nothing.slow(b));
        QVERIFY(always.slow(b));
        QCOMPARE(flip.slow(b), flip.slow(0) == (b % 2 == 0));
    }
}

void tst_StragglerLaw::binsByTime() {
    BurstChain flip({.enter = 1, .leave = 1, .factor = 5, .binSeconds = 0.5}, 1, 1);
    const double a = flip.factorAt(SimTime{0});
    QVERIFY(a == 1 || a == 5);
    QCOMPARE(flip.factorAt(SimTime{499'999'999}), a);
    QCOMPARE(flip.factorAt(SimTime{500'000'000}), 6 - a);
    QCOMPARE(flip.factorAt(SimTime{1'000'000'000}), a);
    QCOMPARE(flip.factorAt(SimTime{-5}), a);
}

void tst_StragglerLaw::farAheadIsCheap() {
    BurstChain rare({.enter = 1e-12, .leave = 0.5, .binSeconds = 1e-3}, 4, 0);
    const double factor = rare.factorAt(SimTime::never()); // 9e12 bins ahead: a few stays, not a few terabytes
    QVERIFY(factor == 1 || factor == 5);
}

void tst_StragglerLaw::checkNamesWhatIsWrong() {
    QVERIFY(StragglerLaw{}.check("/s").empty());
    StragglerLaw law{.factor = {.law = Law::exponential, .mean = -1},
                     .persistentFactor = 0,
                     .burst = Burst{.enter = 2, .binSeconds = 0},
                     .delay = Distribution{.law = Law::uniform, .low = 1, .high = 0}};
    QStringList places;
    for (const auto& p : law.check("/s")) places << QString::fromStdString(p.pointer);
    QCOMPARE(places, (QStringList{"/s/persistent_factor", "/s/factor/mean", "/s/burst/bin_seconds", "/s/burst/enter",
                                  "/s/delay/high"}));
}

TRAINYARD_TEST(tst_StragglerLaw)
#include "tst_StragglerLaw.moc"
