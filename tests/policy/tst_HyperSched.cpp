// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// hypersched: left-overs, growth that pays, no new trials and the deadline, by hand; left-overs against what defines them on random trials;
// random workloads with failures and odd losses.
#include "policy/scheduler/elastic/LeftOvers.h"
#include "support/ElasticWorkload.h"
#include "support/TestMain.h"

#include <numeric>

using namespace trainyard;
using namespace trainyard::test;

class tst_HyperSched : public QObject {
    Q_OBJECT
private slots:
    void leftOversByHand();
    void leftOversAsDefined();
    void leftOversGoToTheBest_data();
    void leftOversGoToTheBest();
    void growthMustPay_data();
    void growthMustPay();
    void noNewTrialTooLate_data();
    void noNewTrialTooLate();
    void theDeadlineEndsAll_data();
    void theDeadlineEndsAll();
    void badTrialsEnd();
    void everyJobEndsAndNothingOversteps_data();
    void everyJobEndsAndNothingOversteps();
    void explainingChangesNoDecision();
};

namespace {

std::unique_ptr<Scheduler> hypersched(ParamValues parameters) {
    return makeScheduler("hypersched", std::move(parameters));
}

Job trial(std::string key, double arrival, Bounds workers = {1, 1}) {
    Job job = workerJob(std::move(key), arrival, {1}, workers);
    job.work = AnalyticWork{};
    return job;
}

std::vector<int> deal(const LeftOverRule& rule, std::span<const Trial> trials, int room) {
    return dealLeftOvers(rule, trials, [&](std::size_t, int) { return room-- > 0; });
}

const std::int64_t no = 0;

} // namespace

// Three trials with one worker each and seven more; the best is the second. Round: 3, 2, 2. The best may have six: 6, then the next best
// (the third) 2. Weights at temperature 1/ln 2: 1, 1/2 and 1/√2 (qualities 1, 0 and 0.5). Highest averages: 1 (2nd), .707 (3rd),
// 1/2 (2nd and first: the second is better), 1/2 (first), .354 (third), 1/3 (2nd), 1/4 (2nd and first; the second): 4, 1 and 2 more.
void tst_HyperSched::leftOversByHand() {
    const std::vector<Trial> trials{{0, 2, 1, 9}, {1, 0, 1, 6}, {0.5, 1, 1, 9}};
    QCOMPARE(deal({"uniform", 1}, trials, 7), (std::vector<int>{3, 4, 3}));
    QCOMPARE(deal({"top-job", 1}, trials, 7), (std::vector<int>{1, 6, 3}));
    QCOMPARE(deal({"softmax", 1 / std::log(2)}, trials, 7), (std::vector<int>{2, 5, 3}));
    QCOMPARE(deal({"uniform", 1}, trials, 0), (std::vector<int>{1, 1, 1}));
    QCOMPARE(deal({"uniform", 1}, {}, 3), std::vector<int>{});
    QCOMPARE(deal({"softmax", 0.01}, trials, 100), (std::vector<int>{9, 6, 9}));
}

// What defines the divisions, on random trials. Round: nobody has two more than another that could have more, and one more only if it is
// better. To the best: nobody has any before all that are better have their most. By weights: no trial's weight by what it has had is
// less than another's by what that would have with one more.
void tst_HyperSched::leftOversAsDefined() {
    RandomStream random(13, Purpose::test, 97);
    for (int round = 0; round < 600; ++round) {
        const std::size_t n = 1 + random.below(6);
        std::vector<Trial> trials(n);
        std::vector<std::size_t> ranks(n);
        std::iota(ranks.begin(), ranks.end(), std::size_t{0});
        for (std::size_t i = n; i > 1; --i) std::swap(ranks[i - 1], ranks[random.below(i)]);
        int least = 0, most = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const int low = 1 + static_cast<int>(random.below(3));
            trials[j] = {1 - double(ranks[j]) / double(n), ranks[j], low, low + static_cast<int>(random.below(6))};
            least += low;
            most += trials[j].most;
        }
        const int room = static_cast<int>(random.below(20));
        const char* kinds[] = {"uniform", "top-job", "softmax"};
        const LeftOverRule rule{kinds[round % 3], 0.1 + random.unit()};
        const std::vector<int> got = deal(rule, trials, room);
        QCOMPARE(std::accumulate(got.begin(), got.end(), 0), std::min(most, least + room));
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) {
                const int x = got[a] - trials[a].least, y = got[b] - trials[b].least;
                QVERIFY(x >= 0 && got[a] <= trials[a].most);
                if (a == b || x == 0 || got[b] == trials[b].most) continue; // a has had something, b could have more
                const bool better = trials[a].rank < trials[b].rank;
                if (rule.kind == "uniform") QVERIFY(x <= y || (better && x == y + 1));
                if (rule.kind == "top-job") QVERIFY(better);
                const auto weight = [&](std::size_t j) { return std::exp(trials[j].quality / rule.temperature); };
                if (rule.kind == "softmax") QVERIFY(weight(a) / x >= weight(b) / (y + 1) * (1 - 1e-12));
            }
    }
}

void tst_HyperSched::leftOversGoToTheBest_data() {
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<std::vector<std::size_t>>("workers");
    QTest::newRow("uniform") << QByteArray("uniform") << std::vector<std::size_t>{2, 3, 3};
    QTest::newRow("top-job") << QByteArray("top-job") << std::vector<std::size_t>{1, 6, 1};
    QTest::newRow("softmax") << QByteArray("softmax") << std::vector<std::size_t>{2, 4, 2};
}

// Eight processors, at first without losses: in order of arrival. After a second losses are 3, 1 and 2: qualities 0, 1 and 0.5. Round: 1 more
// each, then the second and the third. By weights at temperature 0.8, e^−1.25 = 0.287, 1 and e^−0.625 = 0.535 for five more: 1 (2nd),
// 0.535 (3rd), 0.5 (2nd), 0.333 (2nd), then the first has 0.287, the third 0.268, the second 0.25: the first. Growth always pays here.
void tst_HyperSched::leftOversGoToTheBest() {
    QFETCH(QByteArray, rule);
    QFETCH(std::vector<std::size_t>, workers);
    const Bounds bounds{1, 6};
    SchedulerDriver d(hypersched({{"left_overs", rule.toStdString()},
                                  {"interval_s", 1.0},
                                  {"temperature", 0.8},
                                  {"threshold", 1.0},
                                  {"rungs", no}}),
                      onMachines({8}, {trial("a", 0, bounds), trial("b", 0, bounds), trial("c", 0, bounds)}),
                      {100, 100, 100});
    d.tellsUpdates = true;
    d.lossAt = [](JobId job, double) { return std::vector<double>{3, 1, 2}[job.index()]; };
    d.step();
    if (rule == "uniform") QCOMPARE(d.workersOf(0), std::size_t{3}); // 3, 3, 2
    d.step();
    QCOMPARE(firstBroken(d), "");
    for (std::size_t j = 0; j < 3; ++j) QCOMPARE(d.workersOf(j), workers[j]);
}

void tst_HyperSched::growthMustPay_data() {
    QTest::addColumn<double>("deadline");
    QTest::addColumn<int>("workers");
    QTest::newRow("8 s left") << 9.0 << 2;
    QTest::newRow("10 s left") << 11.0 << 4;
}

// Four processors; b has two of them for 2 updates at 2 a second: until 1 s. a has the others and could have all four then: twice as fast,
// but its restart takes 4 s. With 8 s left 2·(8 − 4)/8 = 1: it keeps two. With 10 s 2·(10 − 4)/10 = 1.2 > 1.1: it grows.
void tst_HyperSched::growthMustPay() {
    QFETCH(double, deadline);
    QFETCH(int, workers);
    std::vector<Job> jobs{trial("a", 0, {1, 4}), trial("b", 0, {2, 2})};
    jobs[0].restartSeconds = 4;
    SchedulerDriver d(hypersched({{"deadline_s", deadline}, {"interval_s", 1000.0}, {"rungs", no}}),
                      onMachines({4}, jobs), {100, 2});
    d.tellsUpdates = true;
    d.step();
    QCOMPARE(d.workersOf(0), std::size_t{2});
    d.step();
    QCOMPARE(d.now().toSeconds(), 1.0);
    QCOMPARE(d.workersOf(0), std::size_t(workers));
    QCOMPARE(firstBroken(d), "");
}

void tst_HyperSched::noNewTrialTooLate_data() {
    QTest::addColumn<double>("arrival");
    QTest::addColumn<double>("updates");
    QTest::addColumn<double>("start");
    QTest::newRow("long, in time") << 19.0 << 200.0 << 19.0;
    QTest::newRow("long, too late") << 21.0 << 200.0 << 80.0;
    QTest::newRow("short, in time") << 69.0 << 30.0 << 69.0;
    QTest::newRow("short, too late") << 71.0 << 30.0 << 80.0;
}

// The deadline is at 100 s, η = 4, no restarts, a second per update. a runs from 0 to 80 s. At t it is the longest, with t seconds, and b,
// which comes then, starts if 100 − t ≥ min(4 t, its updates): at 19 s 81 ≥ 76, at 21 s 79 < 84; at 69 s 31 ≥ 30, at 71 s 29 < 30.
// Once a has ended nobody runs, and b starts all the same.
void tst_HyperSched::noNewTrialTooLate() {
    QFETCH(double, arrival);
    QFETCH(double, updates);
    QFETCH(double, start);
    SchedulerDriver d(hypersched({{"deadline_s", 100.0}, {"interval_s", 7.0}, {"rungs", no}}),
                      onMachines({4}, {trial("a", 0), trial("b", arrival)}), {80, updates});
    d.tellsUpdates = true;
    double started = -1, ended = -1;
    while (d.step()) {
        if (started < 0 && d.workersOf(1) > 0) started = d.now().toSeconds();
        if (started >= 0 && ended < 0 && d.workersOf(1) == 0) ended = d.now().toSeconds();
    }
    QCOMPARE(firstBroken(d), "");
    QVERIFY2(std::abs(started - start) < 1e-6, qPrintable(QString::number(started)));
    QCOMPARE(d.arena.all().refusals(), std::size_t(start > arrival ? 1 : 0));
    QVERIFY(std::abs(ended - std::min(100.0, start + updates)) < 1e-6);
}

void tst_HyperSched::theDeadlineEndsAll_data() {
    QTest::addColumn<QByteArray>("at");
    QTest::newRow("end") << QByteArray("end");
    QTest::newRow("go-on") << QByteArray("go-on");
}

// One processor, a second per update: at 10 s a has done 10 of 15, b waits, c comes at 12 s.
void tst_HyperSched::theDeadlineEndsAll() {
    QFETCH(QByteArray, at);
    SchedulerDriver d(hypersched({{"deadline_s", 10.0}, {"at_deadline", at.toStdString()}, {"rungs", no}}),
                      onMachines({1}, {trial("a", 0), trial("b", 1), trial("c", 12)}), {15, 5, 5});
    d.tellsUpdates = true;
    d.run();
    QCOMPARE(firstBroken(d), "");
    const auto& jobs = d.state().jobs();
    if (at == "end") {
        QCOMPARE(d.stopped, std::vector<std::size_t>{0});
        QVERIFY(jobs[1].phase == JobPhase::rejected && jobs[2].phase == JobPhase::rejected);
    } else {
        for (std::size_t j = 0; j < 3; ++j) QVERIFY(std::abs(d.finished[j] - 15 - 5 * double(j)) < 1e-6);
    }
}

// Rungs at 2 and 4 updates, the better half goes on. b is the worse of two at its first rung: it ends, and a has its processor.
void tst_HyperSched::badTrialsEnd() {
    SchedulerDriver d(hypersched({{"grace", 2.0}, {"eta", 2.0}, {"interval_s", 1.0}}),
                      onMachines({2}, {trial("a", 0, {1, 2}), trial("b", 0, {1, 2})}), {20, 20});
    d.tellsUpdates = true;
    d.lossAt = [](JobId job, double) { return double(job.index()); };
    d.run(3);
    QCOMPARE(d.now().toSeconds(), 2.0);
    QCOMPARE(d.stopped, std::vector<std::size_t>{1});
    QCOMPARE(d.workersOf(0), std::size_t{2});
    d.run();
    QCOMPARE(firstBroken(d), "");
    QVERIFY(std::abs(d.finished[0] - 11) < 1e-6); // 18 more at 2 a second
}

void tst_HyperSched::everyJobEndsAndNothingOversteps_data() {
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<QByteArray>("at");
    for (const char* rule : {"uniform", "top-job", "softmax"})
        for (const char* at : {"end", "go-on"}) QTest::addRow("%s, %s", rule, at) << QByteArray(rule) << QByteArray(at);
}

void tst_HyperSched::everyJobEndsAndNothingOversteps() {
    QFETCH(QByteArray, rule);
    QFETCH(QByteArray, at);
    std::ptrdiff_t grown = 0;
    std::size_t stopped = 0;
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        RandomStream random(seed, Purpose::test, 98);
        ElasticWorkload w = elasticWorkload(random);
        const double deadline = 20 + 100 * random.unit();
        SchedulerDriver d(hypersched({{"deadline_s", deadline},
                                      {"left_overs", rule.toStdString()},
                                      {"at_deadline", at.toStdString()},
                                      {"interval_s", 3.0},
                                      {"grace", 4.0}}),
                          std::move(w.workload), w.updates);
        d.tellsUpdates = true;
        runWithFailure(d, random);
        QCOMPARE(firstBroken(d), "");
        for (std::size_t j = 0; j < d.finished.size(); ++j) {
            const JobPhase phase = d.state().jobs()[j].phase;
            QVERIFY2(phase == JobPhase::finished || (at == "end" && phase == JobPhase::rejected),
                     qPrintable(QString::number(seed)));
        }
        for (const double end : d.finished) QVERIFY(at != "end" || end <= deadline + 1e-6);
        stopped += d.stopped.size();
        grown += std::count_if(d.decisions.begin(), d.decisions.end(),
                               [](const auto& x) { return x.kind == SchedulingDecision::Kind::resize; });
    }
    QVERIFY(grown > 50 && stopped > 50);
}

void tst_HyperSched::explainingChangesNoDecision() {
    QVERIFY(!explainingChangesEnds(
        98,
        [] {
            return hypersched({{"deadline_s", 60.0}, {"interval_s", 3.0}, {"grace", 4.0}});
        },
        true));
}

TRAINYARD_TEST(tst_HyperSched)
#include "tst_HyperSched.moc"
