// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// slaq by hand: what updates are worth by the losses so far, and how workers are divided by that.
#include "policy/Registry.h"
#include "policy/scheduler/slaq/PredictedGains.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

#include <algorithm>
#include <numeric>

using namespace trainyard;
using test::machineWith;
using test::SchedulerDriver;
using test::workerJob;

class tst_Slaq : public QObject {
    Q_OBJECT
private slots:
    void gainsOfYoungJobs();
    void gainsByTheFit();
    void gainsHaveAFloor();
    void gainsOfOddLosses();
    void gainsDoNotDependOnTheScale();
    void gainsAfterAReturn();
    void trueCurves();
    void exactDivision();
    void normalisedLossByHand();
    void identicalJobsGetEqualShares();
    void flatJobsKeepOneWorker();
    void leastSharesAreKept();
    void oddLossesStarveNobody();
    void moreJobsThanWorkers();
    void slowStartersAreStarvedByTheFaithfulRule();
    void worstLossFirst();
    void hysteresisKeepsWhatIsHeld();
    void slowerWithTooManyWorkers();
    void spreadTasksMakeRoom_data();
    void spreadTasksMakeRoom();
};

namespace {

using Losses = std::vector<double>;

/// One loss a second and update, from update 0 on.
std::vector<LossPoint> pointsOf(const Losses& losses) {
    std::vector<LossPoint> out;
    for (std::size_t k = 0; k < losses.size(); ++k)
        out.push_back({SimTime::seconds(1.0 + static_cast<double>(k)), k, losses[k]});
    return out;
}

PredictedGains gainsOf(const Losses& losses, PredictedGains::Rules rules = {}, std::optional<double> finalLoss = {}) {
    PredictedGains gains;
    gains.follow(pointsOf(losses), rules, finalLoss);
    return gains;
}

bool near(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance; }

/// Jobs of 1 to `cores` workers of one CPU on one machine; an update takes a second divided by the workers; epochs of a second.
SchedulerDriver slaqOn(int cores, std::size_t jobs, double updates, ParamValues parameters = {}) {
    static const Registry registry = Registry::builtin();
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {double(cores)})};
    for (std::size_t j = 0; j < jobs; ++j)
        workload.jobs.push_back(workerJob("j" + std::to_string(j), 0, {1}, {1, cores}));
    parameters.insert({"epoch_s", 1.0});
    return SchedulerDriver(registry.makeScheduler({"slaq", std::move(parameters)}), std::move(workload),
                           std::vector<double>(jobs, updates));
}

std::size_t allWorkers(const SchedulerDriver& driver, std::size_t jobs) {
    std::size_t sum = 0;
    for (std::size_t j = 0; j < jobs; ++j) sum += driver.workersOf(j);
    return sum;
}

const ParamValues faithful{{"rule", std::string("faithful")}};

} // namespace

void tst_Slaq::gainsOfYoungJobs() {
    // 1 + 0.7 + 0.49 for three updates, whatever the losses are.
    for (const Losses& losses : {Losses{}, Losses{5}, Losses{5, 4, 3.5}}) {
        const PredictedGains gains = gainsOf(losses);
        QVERIFY(gains.isYoung());
        QVERIFY(near(gains.gain(0), 0) && near(gains.gain(1), 1) && near(gains.gain(3), 2.19));
    }
    QVERIFY(!gainsOf({5, 4, 3.5, 3.2}).isYoung());
}

void tst_Slaq::gainsByTheFit() {
    // 2 + 8 · 0.5^k: the greatest change is 8 − 4 = 4, from k = 0 to 1; after k = 5 (2.25) two updates lead to 2.0625, a gain of
    // 0.1875/4.
    const Losses halving{10, 6, 4, 3, 2.5, 2.25};
    for (const char* curve : {"linear", "better"}) {
        const PredictedGains gains = gainsOf(halving, {.curve = curve});
        QVERIFY(near(gains.greatestChange(), 4));
        QVERIFY2(near(gains.gain(2), 0.1875 / 4, 1e-6), curve);
        QVERIFY2(near(gains.lossAfter(2), 2.0625, 1e-5), curve);
    }
    // The last change, 0.25, goes on: 0.5/4.
    QVERIFY(near(gainsOf(halving, {.curve = "last-change"}).gain(2), 0.125));
    // 1/(k + 1): changes 1/2 at most; from 1/6 to 1/8 by two updates.
    const PredictedGains slow = gainsOf({1, 1 / 2., 1 / 3., 1 / 4., 1 / 5., 1 / 6.}, {.curve = "sublinear"});
    QVERIFY(near(slow.gain(2), (1 / 6. - 1 / 8.) / 0.5, 1e-6));
    // It is said to end at 0, which the losses alone would not tell.
    const PredictedGains told = gainsOf({10, 6, 4, 3, 2.5, 2.25}, {.curve = "linear"}, 0.0);
    QVERIFY(told.lossAfter(1000) < 1);
    QVERIFY(gainsOf(halving, {.curve = "linear"}).lossAfter(1000) > 1.99);
}

void tst_Slaq::gainsHaveAFloor() {
    // Changes 0.475, 0.003, 0.0033: what follows is no more than a last change of 0.0033 that falls by 0.9 an update, if a fit sees an
    // end: (0.0033/0.475)(1 − 0.9^10)/0.1 for ten updates.
    const Losses plateau{1, 0.525, 0.522, 0.5187};
    const double floor = 0.0033 / 0.475 * (1 - std::pow(0.9, 10)) / 0.1;
    const double with = gainsOf(plateau, {.curve = "linear", .floor = 0.9}).gain(10);
    const double without = gainsOf(plateau, {.curve = "linear"}).gain(10);
    QVERIFY(with >= floor - 1e-12);
    QVERIFY2(without < floor, qPrintable(QString::number(without)));
    QVERIFY(near(with, floor));
}

void tst_Slaq::gainsOfOddLosses() {
    const PredictedGains rising = gainsOf({1, 2, 3, 4, 5}, {.floor = 0.9}),
                         constant = gainsOf({3, 3, 3, 3, 3}, {.floor = 0.9});
    QCOMPARE(rising.gain(100), 0.0);
    QCOMPARE(constant.gain(100), 0.0);
    QCOMPARE(constant.lossAfter(100), 3.0);
    QCOMPARE(constant.normalisedLossAfter(1), 0.0);
    // As above, 20 lower: the same gains.
    QVERIFY(near(gainsOf({-10, -14, -16, -17, -17.5, -17.75}, {.curve = "linear"}).gain(2), 0.1875 / 4, 1e-6));
    // Noise: gains are finite, never negative, and do not fall with more updates.
    const PredictedGains noisy = gainsOf({5, 3, 4, 2.5, 3.5, 2.4, 3, 2.2, 2.6}, {.floor = 0.9});
    double before = 0;
    for (double ahead = 0; ahead < 1e6; ahead = ahead * 2 + 1) {
        const double gain = noisy.gain(ahead);
        QVERIFY(std::isfinite(gain) && gain >= before);
        before = gain;
    }
    // The last change of 1.5 goes on to one range below the least loss seen, 2.5 − (5 − 2.5), and no further.
    const PredictedGains falling = gainsOf({5, 3, 4, 2.5}, {.curve = "last-change"});
    QCOMPARE(falling.lossAfter(1), 1.0);
    QCOMPARE(falling.lossAfter(1e9), 0.0);
}

void tst_Slaq::gainsDoNotDependOnTheScale() {
    const Losses losses{10, 6, 4.2, 3.1, 2.4, 2.3, 2.1};
    Losses tenfold = losses;
    for (double& l : tenfold) l *= 10;
    for (const double ahead : {0.5, 1.0, 7.0, 100.0})
        QVERIFY(near(gainsOf(losses).gain(ahead), gainsOf(tenfold).gain(ahead), 1e-6));
}

void tst_Slaq::gainsAfterAReturn() {
    // A failure takes the job from update 5 back to 3, where its loss was 3; then it goes on as before. What lay beyond is forgotten: the
    // fit is that of the losses without the detour, and the greatest change is still the first.
    const auto at = [](double seconds, std::uint64_t update) {
        return LossPoint{SimTime::seconds(seconds), update, 2 + 8 * std::pow(0.5, static_cast<double>(update))};
    };
    const std::vector<LossPoint> straight{at(0, 0), at(1, 1), at(2, 2), at(3, 3), at(4, 4)};
    std::vector<LossPoint> losses = straight;
    losses.push_back({SimTime::seconds(5), 5, 77}); // as wrong as can be
    losses.push_back(at(6, 3));
    losses.push_back(at(6, 4)); // at the same instant
    PredictedGains gains, expected;
    const PredictedGains::Rules rules{.curve = "linear"};
    for (std::size_t n = 1; n <= losses.size(); ++n) gains.follow({losses.data(), n}, rules, {});
    expected.follow(straight, rules, {});
    QCOMPARE(gains.last().update, std::uint64_t{4});
    QVERIFY(near(gains.fit().at(9), expected.fit().at(9)));
    QVERIFY(near(gains.greatestChange(), 4));
    QVERIFY(near(expected.lossAfter(3), 2 + 8.0 / 128, 1e-5));
}

namespace {

/// Workers at the first decision, under the faithful rule with true curves; a worker does one update in an epoch.
std::vector<std::size_t> firstDivision(int cores, const std::vector<LossCurve>& curves, const char* division) {
    static const Registry registry = Registry::builtin();
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {double(cores)})};
    for (const LossCurve& curve : curves) {
        workload.jobs.push_back(workerJob("j" + std::to_string(workload.jobs.size()), 0, {1}, {1, cores}));
        AnalyticWork work;
        work.curve = curve;
        workload.jobs.back().work = work;
    }
    ParamValues parameters = faithful;
    parameters.insert({{"epoch_s", 1.0}, {"curve", std::string("true")}, {"division", std::string(division)}});
    SchedulerDriver driver(registry.makeScheduler({"slaq", parameters}), std::move(workload),
                           std::vector<double>(curves.size(), 1e6));
    driver.step();
    std::vector<std::size_t> out;
    for (std::size_t j = 0; j < curves.size(); ++j) out.push_back(driver.workersOf(j));
    return out;
}

using Sizes = std::vector<std::size_t>;

} // namespace

void tst_Slaq::trueCurves() {
    // 8 · 0.5^k, whose first update lowers it by 4, and 10 · 0.9^k, by 1: x updates are worth 2 (1 − 0.5^x) and 10 (1 − 0.9^x). Beyond
    // the first, workers of the first job are worth 0.5, 0.25 …, of the second 0.9, 0.81, 0.729, 0.656, 0.590, 0.531, 0.478: of 8 the
    // second gets 7, a ninth goes to the first. Both are concave: the exact division is the same.
    const std::vector<LossCurve> curves{{.family = LossCurve::Family::geometric, .a = 8, .b = 0.5, .c = 0},
                                        {.family = LossCurve::Family::geometric, .a = 10, .b = 0.9, .c = 0}};
    for (const char* division : {"greedy", "exact"}) {
        QCOMPARE(firstDivision(8, curves, division), (Sizes{1, 7}));
        QCOMPARE(firstDivision(9, curves, division), (Sizes{2, 7}));
    }
}

void tst_Slaq::exactDivision() {
    // The first job falls by 0.1, by nothing twice, then by 9.9: four workers are worth 100, two or three no more than one, which is 1.
    // One by one, all go to the second job; at once, the first gets its four.
    RecordedCurve plateau{.key = "plateau", .updates = {0, 1, 3, 4}, .losses = {10, 9.9, 9.9, 0}};
    LossCurve recorded{.family = LossCurve::Family::recorded, .name = "plateau"};
    recorded.recorded = std::make_shared<const RecordedCurve>(plateau);
    const std::vector<LossCurve> curves{recorded, {.family = LossCurve::Family::geometric, .a = 10, .b = 0.9, .c = 0}};
    QCOMPARE(firstDivision(6, curves, "greedy"), (Sizes{1, 5}));
    QCOMPARE(firstDivision(6, curves, "exact"), (Sizes{4, 2}));
}

void tst_Slaq::normalisedLossByHand() {
    // 2 + 8 · 0.5^k ends at 2: at k = 5 it is 0.25/8, three updates later an eighth of that.
    const PredictedGains gains = gainsOf({10, 6, 4, 3, 2.5, 2.25}, {.curve = "linear"});
    QVERIFY(near(gains.normalisedLossAfter(0), 0.25 / 8, 1e-5));
    QVERIFY(near(gains.normalisedLossAfter(3), 0.25 / 64, 1e-5));
    QCOMPARE(gainsOf({5, 4}).normalisedLossAfter(3), 1.0);
}

void tst_Slaq::identicalJobsGetEqualShares() {
    for (const char* rule : {"faithful", "safeguarded"}) {
        // Nine workers: three each, at every epoch, since all have done the same.
        SchedulerDriver driver = slaqOn(9, 3, 1e6, {{"rule", std::string(rule)}});
        driver.lossAt = [](JobId, double k) { return 1 + 9 * std::pow(0.98, std::floor(k)); };
        for (int i = 0; i < 12; ++i) {
            driver.step();
            for (std::size_t j = 0; j < 3; ++j) QVERIFY2(driver.workersOf(j) == 3, rule);
        }
        QVERIFY(driver.broken.empty());
        // Ten: the first job gets the one that is left over. Later it is ahead of the others, and has less to gain.
        SchedulerDriver uneven = slaqOn(10, 3, 1e6, {{"rule", std::string(rule)}});
        uneven.step();
        QCOMPARE(uneven.workersOf(0), std::size_t{4});
        QCOMPARE(uneven.workersOf(1), std::size_t{3});
        QCOMPARE(uneven.workersOf(2), std::size_t{3});
        for (int i = 0; i < 12; ++i) {
            uneven.step();
            QCOMPARE(allWorkers(uneven, 3), std::size_t{10});
        }
        QVERIFY(uneven.broken.empty());
    }
}

void tst_Slaq::flatJobsKeepOneWorker() {
    SchedulerDriver driver = slaqOn(8, 2, 1e6, faithful);
    driver.lossAt = [](JobId job, double k) { return job.value == 0 ? 5 : 100 * std::pow(0.995, std::floor(k)); };
    driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{4}); // both are young: equal
    for (int i = 0; i < 8; ++i) driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{1});
    QCOMPARE(driver.workersOf(1), std::size_t{7});
    QVERIFY(driver.broken.empty());
}

void tst_Slaq::leastSharesAreKept() {
    // An equal division is 4 and 4; half of that is 2.
    SchedulerDriver driver = slaqOn(8, 2, 1e6, {{"min_share", 0.5}});
    driver.lossAt = [](JobId job, double k) { return job.value == 0 ? 5 : 100 * std::pow(0.995, std::floor(k)); };
    for (int i = 0; i < 9; ++i) driver.step();
    QCOMPARE(driver.workersOf(0), std::size_t{2});
    QCOMPARE(driver.workersOf(1), std::size_t{6});
    QVERIFY(driver.broken.empty());
}

void tst_Slaq::oddLossesStarveNobody() {
    for (const char* rule : {"faithful", "safeguarded"})
        for (const char* curve : {"better", "sublinear", "linear", "last-change"}) {
            SchedulerDriver driver = slaqOn(6, 5, 40, {{"rule", std::string(rule)}, {"curve", std::string(curve)}});
            driver.lossAt = [](JobId job, double k) {
                const double falling = std::pow(0.9, std::floor(k));
                return std::vector<double>{k, 3, -10 + falling, 1e-300 * falling, 1e12 * falling}[job.index()];
            };
            while (driver.broken.empty() && driver.step()) {
                std::size_t running = 0;
                for (std::size_t j = 0; j < 5; ++j) {
                    const bool over = driver.finished[j] >= 0;
                    QVERIFY(over || driver.workersOf(j) >= 1);
                    running += !over;
                }
                QVERIFY(running == 0 || allWorkers(driver, 5) == 6);
            }
            QVERIFY(driver.broken.empty());
            // With one worker each job would end at 40.
            for (const double t : driver.finished) QVERIFY(t > 0 && t <= 40 + 1e-6);
        }
}

void tst_Slaq::moreJobsThanWorkers() {
    // Two of five run, 4 updates each with a worker of their own: 4, 4, 8, 8, and the last with both, alone: 10.
    SchedulerDriver driver = slaqOn(2, 5, 4);
    driver.run();
    QVERIFY(driver.broken.empty());
    const std::vector<double> ends{4, 4, 8, 8, 10};
    for (std::size_t j = 0; j < 5; ++j)
        QVERIFY2(near(driver.finished[j], ends[j], 1e-6), qPrintable(QString::number(driver.finished[j])));
    // One update each: over before the first epoch is.
    SchedulerDriver shortOnes = slaqOn(4, 4, 1e-3);
    shortOnes.run();
    QVERIFY(shortOnes.broken.empty());
    for (const double t : shortOnes.finished) QVERIFY(near(t, 1e-3, 1e-6));
}

void tst_Slaq::slowStartersAreStarvedByTheFaithfulRule() {
    // Four losses are told at 8 workers each, after 8, 16, 24 and 32 updates. The first job's falls by half between the first two of
    // them, 1/16 an update, then by less than 0.0002 an update, if ever faster; the second's by 1 % an update.
    const auto loss = [](JobId job, double updates) {
        const double k = std::floor(updates);
        if (job.value == 1) return 10 * std::pow(0.99, k);
        return k < 12 ? 1 : 0.5 - 1e-4 * k - 1e-6 * k * k;
    };
    const auto workersOfTheFirst = [&](const ParamValues& parameters) {
        SchedulerDriver driver = slaqOn(16, 2, 1e6, parameters);
        driver.lossAt = loss;
        std::size_t sum = 0;
        for (int i = 0; i < 10; ++i) {
            driver.step();
            sum += driver.workersOf(0);
        }
        return sum;
    };
    const std::size_t starved = workersOfTheFirst(faithful), kept = workersOfTheFirst({{"min_share", 0.5}});
    QVERIFY2(starved < kept, qPrintable(QString("%1 %2").arg(starved).arg(kept)));
}

void tst_Slaq::worstLossFirst() {
    // Of two old jobs, one at 3 % and one at 60 % of its loss above the end, the latter gets what is left beside one worker.
    SchedulerDriver driver = slaqOn(
        8, 2, 1e6,
        {{"rule", std::string("faithful")}, {"objective", std::string("max-min")}, {"curve", std::string("linear")}});
    driver.lossAt = [](JobId job, double k) { return 1 + 9 * std::pow(job.value == 0 ? 0.7 : 0.998, std::floor(k)); };
    for (int i = 0; i < 9; ++i) driver.step();
    QVERIFY(driver.workersOf(1) > driver.workersOf(0));
    QCOMPARE(allWorkers(driver, 2), std::size_t{8});
    QVERIFY(driver.broken.empty());
}

void tst_Slaq::hysteresisKeepsWhatIsHeld() {
    const auto changes = [](double hysteresis) {
        SchedulerDriver driver = slaqOn(8, 2, 1e6, {{"rule", std::string("faithful")}, {"hysteresis", hysteresis}});
        driver.lossAt = [](JobId job, double k) { return std::pow(job.value == 0 ? 0.97 : 0.98, std::floor(k)); };
        for (int i = 0; i < 20; ++i) driver.step();
        return driver.decisions.size();
    };
    QCOMPARE(changes(10), std::size_t{2}); // both start, and nothing is ever ten times as good
    QVERIFY(changes(1) > 2);
}

void tst_Slaq::slowerWithTooManyWorkers() {
    // t(a) = 16/a + a is least at 4 of 12 workers; the delay model tells it of 1, 2, 4 and 8.
    SchedulerDriver driver = slaqOn(12, 1, 1e3);
    driver.secondsPer = [](JobId, const Placement& p) {
        const auto a = static_cast<double>(p.workers.size());
        return p.workers.empty() ? INFINITY : 16 / a + a;
    };
    for (int i = 0; i < 30; ++i) {
        driver.step();
        QCOMPARE(driver.workersOf(0), std::size_t{4});
    }
}

void tst_Slaq::spreadTasksMakeRoom_data() {
    QTest::addColumn<QByteArray>("placing");
    for (const char* placing : {"pack", "spread"}) QTest::newRow(placing) << QByteArray(placing);
}

// Two machines of 4 cpu. The first job has four workers of 1 on each; at 2.5 s, after 20 of its 400 updates, comes one whose worker
// takes a whole machine for 20 s. It starts at once, wherever the others are: the first goes on with 4 workers, 80 updates until 22.5 s,
// and with 8 again for the last 300, 37.5 s.
void tst_Slaq::spreadTasksMakeRoom() {
    QFETCH(QByteArray, placing);
    for (const char* rule : {"faithful", "safeguarded"}) {
        Workload w;
        w.cluster.resourceNames = {"cpu"};
        w.cluster.machines = {machineWith("m0", {4}), machineWith("m1", {4})};
        w.jobs.push_back(workerJob("small", 0, {1}, {1, 8}));
        w.jobs.push_back(workerJob("large", 2.5, {4}, {1, 1}));
        for (Job& job : w.jobs) job.servers = {0, 0};
        const ParamValues values{{"epoch_s", 1.0}, {"rule", std::string(rule)}, {"placing", placing.toStdString()}};
        SchedulerDriver d(Registry::builtin().makeScheduler({"slaq", values}), std::move(w), {400, 20});
        d.run();
        QVERIFY2(d.broken.empty(), d.broken.empty() ? "" : d.broken.front().c_str());
        QVERIFY2(std::abs(d.finished[1] - 22.5) < 1e-6, qPrintable(QString::number(d.finished[1])));
        QVERIFY2(std::abs(d.finished[0] - 60) < 1e-6, qPrintable(QString::number(d.finished[0])));
    }
}

TRAINYARD_TEST(tst_Slaq)
#include "tst_Slaq.moc"
