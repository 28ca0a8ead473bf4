// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// adaptive-k and adaptive-load: a switch by hand, tests of stationarity by hand, estimates against the truth,
// costs and the stability of small batches.
#include "policy/Registry.h"
#include "policy/synchronization/adaptive/LossEstimate.h"
#include "policy/synchronization/adaptive/StationarityTests.h"
#include "support/SyncDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using test::SyncDriver;

class tst_AdaptiveSync : public QObject {
    Q_OBJECT
private slots:
    void switchesByTheBoundByHand();
    void followsTheMeasuredLoss();
    void loadGrowsBeforeK();
    void costsMoveTheChoice();
    void unstableBatchesAreLeftOut();
    void probesBeforeItPlans();
    void goesOnWithFewerWorkers();
    void signTestByHand();
    void distanceTestByHand();
    void signsLetKGrow();
    void signsGoThroughTheEnvelope();
    void estimatesMeetTheTruth();
    void withoutGradientsItSaysSo();
};

namespace adaptive {

std::unique_ptr<Synchronization> make(const std::string& id, ParamValues parameters = {}) {
    static const Registry registry = Registry::builtin();
    require(registry.check(PolicyFamily::synchronization, {id, parameters}, "").empty(), "bad parameters in a test");
    return registry.makeSynchronization({id, std::move(parameters)});
}

const StragglerLaw exponentialLaw{.factor = {.law = Law::exponential, .mean = 1}};
const StragglerLaw canonicalLaw{.factor = {.law = Law::exponential, .mean = 1},
                                .delay = Distribution{.law = Law::exponential, .mean = 0.5}};

/// Task times as the law says: exponential times of mean `perSample`·samples, and an upload of mean `delay`.
auto times(std::uint64_t seed, double perSample, double delay = 0) {
    return [=](std::uint32_t worker, std::uint32_t task, int samples) {
        RandomStream random(seed, Purpose::test, worker, task);
        const double compute = -std::log(random.unit()) * perSample * samples;
        return compute - delay * std::log(random.unit());
    };
}

/// The constants of the canonical scenario: d = 100, σ = 1.
ParamValues known(ParamValues more = {}) {
    ParamValues values{
        {"smoothness", 1.0}, {"convexity", 1.0}, {"noise", 100.0}, {"growth", 101.0}, {"initial_error", 5000.0}};
    for (auto& [key, value] : more) values[key] = value;
    return values;
}

/// 50 workers of the canonical scenario, batch 40.
SyncDriver canonical(const std::string& id, ParamValues parameters) {
    SyncDriver driver(make(id, std::move(parameters)), 50);
    driver.batch = 40;
    driver.learningRate = 0.05;
    driver.responses.assign(50, {&canonicalLaw, 0.0125, 0});
    driver.seconds = times(31, 0.0125, 0.5);
    return driver;
}

} // namespace adaptive

using namespace adaptive;

void tst_AdaptiveSync::switchesByTheBoundByHand() {
    // Two workers, Exp(1): μ_1 = 0.5, μ_2 = 1.5. L = c = 1, η = 0.1, batch 10, σ² = 200: A = 0.1·200/20 = 1,
    // floors 1 and 0.5. Rates are equal at (e − 1)/0.5 = (e − 0.5)/1.5, e = 1.25. From e_0 = 10: e_t = 1 +
    // 9·0.9^t, which is 1.2504 after 34 updates and 1.2253 after 35: the 36th waits for two.
    SyncDriver driver(
        make("adaptive-k", {{"smoothness", 1.0}, {"convexity", 1.0}, {"noise", 200.0}, {"initial_error", 10.0}}), 2);
    driver.batch = 10;
    driver.learningRate = 0.1;
    driver.responses.assign(2, {&exponentialLaw, 0.1, 0});
    driver.seconds = times(30, 0.1);
    driver.start();
    driver.run(40);
    for (std::size_t u = 0; u < 40; ++u) QCOMPARE(driver.updates[u].gradients.size(), std::size_t(u < 35 ? 1 : 2));
    QCOMPARE(firstBroken(driver), "");
    // Said once at the start and once at the change; every explanation gives its choice (the driver checks
    // that).
    std::vector<std::string> chosen;
    for (const auto& why : driver.arena.all())
        if (why.criterion == "rate") chosen.push_back(why.candidates[why.chosen.front()].label);
    QCOMPARE(chosen, (std::vector<std::string>{"k = 1, β = 1", "k = 2, β = 1"}));
}

void tst_AdaptiveSync::followsTheMeasuredLoss() {
    // The same, advancing by the evaluated loss less its least value: 1.26 above it k = 1, 1.24 above it k
    // = 2.
    SyncDriver driver(make("adaptive-load", {{"smoothness", 1.0},
                                             {"convexity", 1.0},
                                             {"noise", 200.0},
                                             {"loads", std::int64_t{1}},
                                             {"advance", std::string("measured")},
                                             {"least_loss", 3.0}}),
                      2);
    driver.batch = 10;
    driver.learningRate = 0.1;
    driver.responses.assign(2, {&exponentialLaw, 0.1, 0});
    driver.seconds = times(30, 0.1);
    driver.lastLoss = 4.26;
    driver.start();
    driver.run(3);
    QCOMPARE(driver.updates[2].gradients.size(), std::size_t{1});
    driver.lastLoss = 4.24; // seen when the round under way ends
    driver.run(5);
    QCOMPARE(driver.updates[4].gradients.size(), std::size_t{2});
    QCOMPARE(firstBroken(driver), "");
}

void tst_AdaptiveSync::loadGrowsBeforeK() {
    // In the canonical scenario: a small load of one worker first, the whole batch of one later, several
    // workers last; never fewer samples than before.
    auto driver = canonical("adaptive-load", known());
    driver.start();
    driver.run(1200);
    std::size_t samples = 0;
    bool wholeOfOne = false;
    for (const auto& update : driver.updates) {
        const std::size_t now = update.gradients.size() * std::size_t(update.gradients[0].samples);
        QVERIFY(now >= samples);
        samples = now;
        wholeOfOne = wholeOfOne || (update.gradients.size() == 1 && update.gradients[0].samples == 40);
    }
    QCOMPARE(driver.updates.front().gradients.size(), std::size_t{1});
    QCOMPARE(driver.updates.front().gradients[0].samples, 4);
    QVERIFY(wholeOfOne);
    QVERIFY(driver.updates.back().gradients.size() > 5);
    QCOMPARE(firstBroken(driver), "");
}

void tst_AdaptiveSync::costsMoveTheChoice() {
    // Dear computation: small loads for longer. Dear messages: large updates sooner.
    auto plain = canonical("adaptive-load", known());
    auto compute = canonical("adaptive-load", known({{"compute_cost", 0.01}}));
    auto messages = canonical("adaptive-load", known({{"communication_cost", 1.0}}));
    const auto assigned = [](SyncDriver& driver) {
        driver.start();
        driver.run(300);
        return driver.assignedSamples;
    };
    const auto usual = assigned(plain);
    QVERIFY(assigned(compute) < usual);
    QVERIFY(assigned(messages) > usual);
}

void tst_AdaptiveSync::unstableBatchesAreLeftOut() {
    // η(1 + M/B) < 2 with η = 0.05, M = 101 needs B > 2.59: of loads of 1, 2, 3 … samples, 3 is the least of
    // one worker.
    auto driver = canonical("adaptive-load", known({{"loads", std::int64_t{40}}, {"least_load", 0.025}}));
    driver.start();
    driver.run(1);
    QCOMPARE(driver.updates[0].gradients.size() * std::size_t(driver.updates[0].gradients[0].samples), std::size_t{3});
    // Without the growth of the noise the bound knows no such limit.
    auto reckless =
        canonical("adaptive-load", known({{"loads", std::int64_t{40}}, {"least_load", 0.025}, {"growth", 0.0}}));
    reckless.start();
    reckless.run(1);
    QCOMPARE(reckless.updates[0].gradients[0].samples, 1);
}

void tst_AdaptiveSync::probesBeforeItPlans() {
    // Nothing is known: the first update is the mean of a fifth of the workers with whole batches. Then the
    // constants are known, and one worker does. The loss is ½‖w‖², a worker's message w + noise.
    SyncDriver driver(make("adaptive-k"), 20);
    std::vector<double> w(30, 3.0);
    driver.parameters = w;
    driver.batch = 10;
    driver.learningRate = 0.05;
    driver.lastLoss = 0.5 * 30 * 9;
    driver.responses.assign(20, {&exponentialLaw, 0.1, 0});
    driver.seconds = times(33, 0.1);
    driver.message = [&](std::uint32_t worker, std::uint32_t task) {
        RandomStream random(33, Purpose::test, 1000 + worker, task);
        std::vector<double> g(w);
        for (double& x : g) x += random.normal() / std::sqrt(10.0);
        return g;
    };
    driver.onUpdate = [&](const std::vector<double>& g) {
        for (std::size_t i = 0; i < w.size(); ++i) w[i] -= 0.05 * g[i];
        driver.parameters = w;
    };
    driver.start();
    driver.run(400);
    QCOMPARE(driver.updates[0].gradients.size(), std::size_t{4});
    QCOMPARE(driver.updates[0].gradients[0].samples, 10);
    QCOMPARE(driver.updates[1].gradients.size(), std::size_t{1});
    QVERIFY(driver.updates.back().gradients.size() > 1);
    QCOMPARE(firstBroken(driver), "");
}

void tst_AdaptiveSync::goesOnWithFewerWorkers() {
    auto driver = canonical("adaptive-k", known());
    driver.start();
    driver.run(600);
    QVERIFY(driver.updates.back().gradients.size() > 3);
    std::vector<std::uint32_t> gone;
    for (std::uint32_t i = 3; i < 50; ++i) gone.push_back(i);
    driver.membership(gone, {});
    driver.run(620);
    QCOMPARE(driver.updates.back().gradients.size(), std::size_t{3}); // all that are left
    driver.membership({}, gone);
    driver.run(640);
    QVERIFY(driver.updates.back().gradients.size() > 3);
    QCOMPARE(firstBroken(driver), "");
}

void tst_AdaptiveSync::signTestByHand() {
    // Threshold 2, burn-in 3. Products +, +, − − −: the counter stays at 0, 0, then 1, 2, 3 > 2 at the fifth.
    ReflectedSignTest test(2, 3);
    QVERIFY(!test.observe(1) && !test.observe(1) && !test.observe(-1) && !test.observe(-1));
    QVERIFY(test.observe(-1));
    QCOMPARE(test.counter(), 3);
    // Anew: the first product is of two kinds of updates and does not count; the burn-in holds it back by
    // one.
    test.restart();
    QVERIFY(!test.observe(-1) && !test.observe(-1) && !test.observe(-1) && !test.observe(-1));
    QVERIFY(test.observe(-1));
}

void tst_AdaptiveSync::distanceTestByHand() {
    // Looks at n = 4, 6, 9, …. Travelling at constant speed the squared distance grows as n²: slope 2.
    // Standing still: 0.
    DistanceTest test(4, 1.5, 0.6);
    for (int n = 0; n <= 6; ++n) QVERIFY(!test.observe(std::vector<double>{double(n), 0}));
    QVERIFY(std::abs(test.slope().value() - 2) < 1e-12);
    QVERIFY(!test.observe(std::vector<double>{6, 0}) && !test.observe(std::vector<double>{6, 0}));
    QVERIFY(test.observe(std::vector<double>{6, 0}));
    QCOMPARE(test.slope().value(), 0.0);
    test.restart();
    QVERIFY(!test.slope());
}

void tst_AdaptiveSync::signsLetKGrow() {
    // Messages that change their sign with every task: all products are negative. Threshold 3, burn-in 1:
    // after a change the first product does not count, the counter passes 3 with the fourth after it. Of 8
    // workers: 1, 2, 4, 8. The very first update has no predecessor, the product of the second is left out:
    // the sixth sees the counter at 4.
    SyncDriver driver(make("adaptive-k", {{"rule", std::string("pflug")},
                                          {"sequence", std::string("double")},
                                          {"threshold", std::int64_t{3}},
                                          {"burn_in", std::int64_t{1}}}),
                      8);
    driver.message = [](std::uint32_t, std::uint32_t task) { return std::vector<double>{task % 2 ? 1.0 : -1.0}; };
    driver.parameters = {0};
    driver.start();
    driver.run(24);
    const std::size_t expected[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8};
    for (std::size_t u = 0; u < 24; ++u) QCOMPARE(driver.updates[u].gradients.size(), expected[u]);
    QCOMPARE(firstBroken(driver), "");
}

void tst_AdaptiveSync::signsGoThroughTheEnvelope() {
    // Closed loop: the order of the plan is kept, every step one further along the envelope, never fewer
    // samples.
    auto driver = canonical(
        "adaptive-load",
        known({{"advance", std::string("pflug")}, {"threshold", std::int64_t{2}}, {"burn_in", std::int64_t{1}}}));
    driver.message = [](std::uint32_t, std::uint32_t task) { return std::vector<double>{task % 2 ? 1.0 : -1.0}; };
    driver.parameters = {0};
    driver.start();
    driver.run(300);
    std::size_t samples = 0, changes = 0;
    for (const auto& update : driver.updates) {
        const std::size_t now = update.gradients.size() * std::size_t(update.gradients[0].samples);
        QVERIFY(now >= samples);
        changes += now > samples;
        samples = now;
    }
    QVERIFY(changes > 20);
    QCOMPARE(driver.updates[0].gradients[0].samples, 4);
    QCOMPARE(firstBroken(driver), "");
}

void tst_AdaptiveSync::estimatesMeetTheTruth() {
    // F(w) = ½λ‖w‖² with λ = 2 in 40 dimensions, a sample's gradient λw + noise of variance σ² + M‖λw‖² = 60
    // + 0.5‖λw‖² (trace). Far off, w = 3 everywhere, ‖∇F‖² = 1440: twelve gradients of 5 samples tell L = c =
    // 2 and the variance 780, from 11·40 normals, s.d. 780·√(2/440) = 53. All of it counts as M: 780/1440,
    // five s.d. ±0.18.
    LossEstimate estimate({.smoothness = 0, .convexity = 0});
    const int d = 40, k = 12, b = 5;
    std::vector<std::vector<double>> messages;
    std::vector<HeldGradient> held;
    RandomStream random(5, Purpose::test, 700);
    const auto observe = [&](double w) {
        messages.assign(k, std::vector<double>(d, 2 * w));
        held.clear();
        for (std::uint32_t i = 0; i < k; ++i) {
            for (double& x : messages[i]) x += random.normal() * std::sqrt((60.0 / d + 0.5 * 4 * w * w) / b);
            messages[i].insert(messages[i].end(), {1, 1e3, 1e6 * i}); // what is no gradient does not count
            held.push_back({i, 1, 0, b, messages[i], d});
        }
        estimate.observe({}, held, b, d * w * w);
    };
    QVERIFY(!estimate.complete());
    observe(3);
    QVERIFY(estimate.complete());
    LossConstants found = estimate.constants();
    QVERIFY2(std::abs(found.smoothness - 2) < 0.15, qPrintable(QString::number(found.smoothness)));
    QCOMPARE(found.convexity, found.smoothness);
    QVERIFY2(std::abs(found.growth - 780.0 / 1440) < 0.19, qPrintable(QString::number(found.growth)));
    QCOMPARE(found.noise, 0.0);
    // Close by, the variance that is left is σ²: the running mean of thirty rounds, each with s.d.
    // 60·√(2/440) = 4; with weight 0.3 the mean has 0.42 of that. Five of them.
    for (int round = 0; round < 30; ++round) observe(0.01);
    found = estimate.constants();
    QVERIFY2(std::abs(found.noise - 60) < 5 * 0.42 * 4.1, qPrintable(QString::number(found.noise)));
    QVERIFY(std::abs(found.growth - 780.0 / 1440) < 0.19);
    // What the user fixes stays.
    LossEstimate fixed({.smoothness = 7, .convexity = 3, .noise = 11, .growth = 2});
    QVERIFY(fixed.complete() && fixed.isFixed());
    fixed.observe({}, held, b, 1);
    QCOMPARE(fixed.constants().smoothness, 7.0);
    QCOMPARE(fixed.constants().noise, 11.0);
    QCOMPARE(fixed.constants().growth, 2.0);
}

void tst_AdaptiveSync::withoutGradientsItSaysSo() {
    SyncDriver driver(make("adaptive-load", {{"first_k", std::int64_t{3}}}), 5);
    driver.start();
    driver.run(3);
    QCOMPARE(driver.updates[2].gradients.size(), std::size_t{3});
    QVERIFY(driver.arena.all().front().summary.english().find("no gradients to estimate") != std::string::npos);
    QCOMPARE(firstBroken(driver), "");
}

TRAINYARD_TEST(tst_AdaptiveSync)
#include "tst_AdaptiveSync.moc"
