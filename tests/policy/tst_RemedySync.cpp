// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// dsag, local-sgd, adacomm and gradient-coding, by hand.
#include "policy/Registry.h"
#include "support/SyncDriver.h"
#include "support/TestMain.h"

#include <numeric>

using namespace trainyard;
using test::SyncDriver;

class tst_RemedySync : public QObject {
    Q_OBJECT
private slots:
    void dsagByHand();
    void dsagRemembersTheLate();
    void dsagOfAllIsFullSync();
    void dsagForgetsThoseWhoLeave();
    void localStepsTakeTheirSamples();
    void adaCommByHand();
    void repetitionByHand();
    void cyclicDecodesByHand();
    void codingSurvivesLostWorkers();
};

namespace remedy {

std::unique_ptr<Synchronization> make(const std::string& id, ParamValues parameters = {}) {
    static const Registry registry = Registry::builtin();
    return registry.makeSynchronization({id, std::move(parameters)});
}

} // namespace remedy

using namespace remedy;

void tst_RemedySync::dsagByHand() {
    // k = 2, workers of 1, 2 and 5 s, messages 10(w + 1) + task. At 2 s: fresh 11 and 21, nothing remembered
    // of worker 2: mean 16. At 4 s: 12 and 22 fresh, mean 17. At 5 s worker 2's first (31) comes late: it is
    // remembered, its worker begins a new task at once. Worker 0 has come at 5, too (13), worker 1 comes at 6
    // (23): (13 + 23 + 31)/3, the late one still held. At 8 s: 14, 24 fresh, 31 remembered: 69/3 = 23.
    SyncDriver driver(make("dsag", {{"k", std::int64_t{2}}}), 3);
    driver.seconds = [](std::uint32_t w, auto, auto) { return w == 2 ? 5.0 : 1.0 + w; };
    driver.message = [](std::uint32_t w, std::uint32_t task) { return std::vector<double>{10.0 * (w + 1) + task}; };
    std::vector<double> steps;
    driver.onUpdate = [&](const std::vector<double>& g) { steps.push_back(g[0]); };
    driver.start();
    driver.run(4);
    QCOMPARE(driver.updates[0].time, 2.0);
    QCOMPARE(driver.updates[1].time, 4.0);
    QCOMPARE(driver.updates[2].time, 6.0);
    QCOMPARE(driver.updates[3].time, 8.0);
    const double expected[] = {16, 17, 67.0 / 3, 23};
    for (std::size_t u = 0; u < 4; ++u)
        QVERIFY2(std::abs(steps[u] - expected[u]) < 1e-12, qPrintable(QString::number(steps[u])));
    QCOMPARE(driver.updates[2].gradients.size(), std::size_t{3});
    QCOMPARE(driver.updates[2].gradients[2].staleness, std::uint64_t{2});
    QCOMPARE(driver.updates[3].gradients.size(), std::size_t{2});
    QCOMPARE(driver.cancelled, std::uint64_t{0});
    QCOMPARE(firstBroken(driver), "");
}

void tst_RemedySync::dsagRemembersTheLate() {
    // k = 1, times 1, 1.5 and 1.7 s: update at 1 (worker 0). Worker 1's first comes late at 1.5 and is
    // remembered, worker 2's at 1.7; both begin anew. At 2 s worker 0 is fresh: all three are averaged.
    SyncDriver driver(make("dsag", {{"k", std::int64_t{1}}}), 3);
    driver.seconds = [](std::uint32_t w, auto, auto) { return w == 0 ? 1.0 : w == 1 ? 1.5 : 1.7; };
    driver.message = [](std::uint32_t w, std::uint32_t task) { return std::vector<double>{100.0 * w + task}; };
    std::vector<double> steps;
    driver.onUpdate = [&](const std::vector<double>& g) { steps.push_back(g[0]); };
    driver.start();
    driver.run(2);
    QCOMPARE(driver.updates[1].time, 2.0);
    QVERIFY(std::abs(steps[1] - (2 + 101 + 201) / 3.0) < 1e-12);
    QCOMPARE(firstBroken(driver), "");
}

void tst_RemedySync::dsagOfAllIsFullSync() {
    SyncDriver dsag(make("dsag", {{"k", std::int64_t{5}}}), 5), full(make("full-sync"), 5);
    dsag.seconds = full.seconds = [](std::uint32_t w, std::uint32_t t, int) {
        return -std::log(RandomStream(3, Purpose::test, w, t).unit());
    };
    dsag.start();
    full.start();
    dsag.run(100);
    full.run(100);
    QCOMPARE(dsag.updates.back().time, full.updates.back().time);
    QCOMPARE(dsag.updates.back().gradients.size(), std::size_t{5});
    QCOMPARE(dsag.meanStaleness(), 0.0);
}

void tst_RemedySync::dsagForgetsThoseWhoLeave() {
    SyncDriver driver(make("dsag", {{"k", std::int64_t{1}}}), 2);
    driver.seconds = [](std::uint32_t w, auto, auto) { return w == 0 ? 1.0 : 1.5; };
    driver.message = [](std::uint32_t w, std::uint32_t) { return std::vector<double>{w == 0 ? 1.0 : 100.0}; };
    std::vector<double> steps;
    driver.onUpdate = [&](const std::vector<double>& g) { steps.push_back(g[0]); };
    driver.start();
    driver.run(3);
    QCOMPARE(steps[1], 50.5);
    driver.membership({1}, {});
    driver.run(6);
    QCOMPARE(steps.back(), 1.0);
    QCOMPARE(firstBroken(driver), "");
}

void tst_RemedySync::localStepsTakeTheirSamples() {
    SyncDriver driver(make("local-sgd", {{"steps", std::int64_t{3}}}), 2);
    driver.seconds = [](auto, auto, int samples) { return 0.5 * samples; };
    driver.start();
    driver.run(2);
    QCOMPARE(driver.updates[1].time, 2 * 3 * 8 * 0.5);
    QCOMPARE(driver.updates[1].gradients[0].samples, 24);
    QCOMPARE(driver.updates[1].gradients[0].weight, 0.5);
    QCOMPARE(make("local-sgd", {{"steps", std::int64_t{3}}})->shape(4).localSteps, 3);
}

void tst_RemedySync::adaCommByHand() {
    // τ_0 = 8, looked at every 10 s, losses given. Rounds of 1 s. At 10 s the loss is 4 of 16: √(1/4)·8 = 4.
    // At 20 s it is 6: √(6/16)·8 = 4.9 → 5, not fewer: half, 2. At 30 s 0.1: √(0.1/16)·8 = 0.63 → 1. Then it
    // stays.
    SyncDriver driver(make("adacomm", {{"steps", std::int64_t{8}}, {"interval", 10.0}}), 2);
    driver.lastLoss = 16;
    driver.start();
    std::vector<int> steps;
    for (std::size_t u = 1; u <= 40; ++u) {
        steps.push_back(driver.assignments[0].localSteps);
        driver.lastLoss = u < 15 ? 4 : u < 25 ? 6 : 0.1;
        driver.run(u);
    }
    for (std::size_t u = 0; u < 40; ++u) QCOMPARE(steps[u], u < 10 ? 8 : u < 20 ? 4 : u < 30 ? 2 : 1);
    QCOMPARE(firstBroken(driver), "");
}

void tst_RemedySync::repetitionByHand() {
    // Four workers, teams {0, 1} and {2, 3}, 1, 2, 3 and 4 s. Worker 1's answer at 2 s is a second of its
    // team; with worker 2's at 3 s the gradient is whole: (message 0 + message 2)/4. Worker 3 is cancelled.
    SyncDriver driver(make("gradient-coding", {{"code", std::string("fractional-repetition")}}), 4);
    driver.seconds = [](std::uint32_t w, auto, auto) { return 1.0 + w; };
    driver.start();
    QCOMPARE(driver.assignments[3].partitions, (std::vector<std::pair<std::uint32_t, double>>{{2, 1.0}, {3, 1.0}}));
    QCOMPARE(driver.assignments[0].draw, driver.assignments[3].draw);
    driver.run(1);
    QCOMPARE(driver.updates[0].time, 3.0);
    QCOMPARE(driver.updates[0].gradients.size(), std::size_t{2});
    QCOMPARE(driver.updates[0].gradients[0].worker, 0u);
    QCOMPARE(driver.updates[0].gradients[1].worker, 2u);
    QCOMPARE(driver.updates[0].gradients[0].weight, 0.25);
    QCOMPARE(driver.updates[0].gradients[0].samples, 16); // two parts of 8
    QCOMPARE(driver.dropped, std::uint64_t{1});
    QCOMPARE(driver.cancelled, std::uint64_t{1});
    QCOMPARE(firstBroken(driver), "");
}

void tst_RemedySync::cyclicDecodesByHand() {
    // Six workers, two stragglers: every message is what the assignment says of partition gradients p + 1 and
    // 10(p + 1). The update comes with the fourth answer, and is the mean of all six partitions: 3.5 and 35.
    SyncDriver driver(make("gradient-coding", {{"stragglers", std::int64_t{2}}}), 6);
    driver.seconds = [](std::uint32_t w, std::uint32_t t, int) { return 1.0 + (w * 5 + t * 3) % 6; };
    driver.message = [&](std::uint32_t w, std::uint32_t) {
        std::vector<double> out(2, 0.0);
        for (const auto& [partition, coefficient] : driver.assignments[w].partitions) {
            out[0] += coefficient * (partition + 1);
            out[1] += coefficient * 10 * (partition + 1);
        }
        return out;
    };
    std::size_t seen = 0;
    driver.onUpdate = [&](const std::vector<double>& g) {
        QVERIFY(std::abs(g[0] - 3.5) < 1e-9 && std::abs(g[1] - 35) < 1e-8);
        ++seen;
    };
    driver.start();
    driver.run(30);
    QCOMPARE(seen, std::size_t{30});
    for (const auto& update : driver.updates) QVERIFY(update.gradients.size() >= 4);
    QCOMPARE(driver.updates[0].time, 4.0); // times 4, 3, 2, 1, 6, 5 of the first tasks: the fourth at 4 s
    QCOMPARE(firstBroken(driver), "");
}

void tst_RemedySync::codingSurvivesLostWorkers() {
    // Of six workers with one straggler two vanish: the four left cannot decode the round, which begins anew
    // with a code of four workers over the same six shares. The update is still the mean of all six.
    SyncDriver driver(make("gradient-coding"), 6);
    driver.message = [&](std::uint32_t w, std::uint32_t) {
        double sum = 0;
        for (const auto& [partition, coefficient] : driver.assignments[w].partitions)
            sum += coefficient * (partition + 1);
        return std::vector<double>{sum};
    };
    driver.onUpdate = [&](const std::vector<double>& g) { QVERIFY(std::abs(g[0] - 3.5) < 1e-9); };
    driver.start();
    driver.run(2);
    driver.membership({1, 4}, {});
    driver.run(4);
    QCOMPARE(driver.updates.size(), std::size_t{4});
    driver.membership({0, 2}, {});
    driver.run(6);
    driver.membership({}, {0, 1, 2, 4});
    driver.run(9);
    QCOMPARE(driver.updates.size(), std::size_t{9});
    // Teams of three of two workers cannot be made: it goes on with fewer stragglers, and says so.
    SyncDriver teams(
        make("gradient-coding", {{"code", std::string("fractional-repetition")}, {"stragglers", std::int64_t{2}}}), 4);
    teams.start();
    QVERIFY(teams.arena.all().front().summary.english().find("4 workers can make up for 1 straggler, not 2") !=
            std::string::npos);
    QCOMPARE(firstBroken(driver), "");
    QCOMPARE(firstBroken(teams), "");
}

TRAINYARD_TEST(tst_RemedySync)
#include "tst_RemedySync.moc"
