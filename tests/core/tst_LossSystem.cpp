// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Prices of options, the loss system and the rules: against closed forms, look-aheads without memo, and each other.
#include "planning/graphs/DegreeRollout.h"
#include "support/GraphSamples.h"

#include <cmath>

using namespace trainyard;

class tst_LossSystem : public QObject {
    Q_OBJECT
private slots:
    void discreteLaw();
    void pricesAreThoseOfTheLookahead();
    void reasonsAreToldApart();
    void memoryBinds();
    void jobsEndInOrder();
    void twoSlotsByHand();
    void rulesByHand_data();
    void rulesByHand();
    void lazyRulesAreTheRules();
    void arrivalsComeFromThePool();
    void rolloutSeesTheFuture();
    void rolloutRefuses();
};

namespace {
std::shared_ptr<const ComputationGraph> chain(double seconds, double activation = 0) {
    return std::make_shared<const ComputationGraph>(ComputationGraph{
        {{"a", seconds / 4, seconds / 4, activation, 0}, {"b", seconds / 4, seconds / 4, activation, 0}}, {{0, 1}}});
}

std::size_t indexOf(const GraphPricer& pricer, int degree) {
    return static_cast<std::size_t>(std::find(pricer.degrees().begin(), pricer.degrees().end(), degree) -
                                    pricer.degrees().begin());
}
} // namespace

void tst_LossSystem::discreteLaw() {
    const DiscreteLaw law{{1, 2, 5}, {0.25, 0.5, 0.25}};
    QVERIFY(law.check("").empty());
    QCOMPARE(law.quantile(0.1), 1.0);
    QCOMPARE(law.quantile(0.25), 1.0);
    QCOMPARE(law.quantile(0.26), 2.0);
    QCOMPARE(law.quantile(0.75), 2.0);
    QCOMPARE(law.quantile(0.99), 5.0);
    QCOMPARE(law.expectation(), 2.5);
    for (const DiscreteLaw& wrong : {DiscreteLaw{}, DiscreteLaw{{1, 2}, {1}}, DiscreteLaw{{2, 1}, {.5, .5}},
                                     DiscreteLaw{{1, 2}, {1.5, -.5}}, DiscreteLaw{{1, 2}, {.5, .4}}})
        QCOMPARE(wrong.check("/x").front().code, std::string("bad-law"));
    // The tables that are shipped: 91 values from .1 to 1; A is uniform.
    const QString folder =
        qEnvironmentVariable("TRAINYARD_RESOURCES", QStringLiteral(TRAINYARD_SOURCE_DIR "/resources"));
    double last = 2;
    for (const char* name : {"d", "a", "c", "b"}) {
        const auto table =
            readDiscreteLaw(QDir(folder).filePath(QStringLiteral("laws/beta-%1.csv").arg(name)).toStdString());
        QVERIFY(table.ok());
        QCOMPARE(table->values.size(), std::size_t{91});
        QCOMPARE(table->values.front(), 0.1);
        QCOMPARE(table->values.back(), 1.0);
        if (*name == 'a') QVERIFY(std::abs(table->expectation() - 0.55) < 1e-3);
        QVERIFY(*name == 'c' || table->expectation() < last); // d mostly loose, b mostly tight
        if (*name != 'c') last = table->expectation();
    }
}

void tst_LossSystem::pricesAreThoseOfTheLookahead() {
    // Whatever is occupied, a kept time is that of a look-ahead of its own: nothing but the pattern matters.
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        RandomStream random(seed, Purpose::test, 50);
        GraphSetting setting;
        setting.quantumSeconds = 0.01; // several numbers of parts in one graph
        GraphPricer pricer({}, setting);
        pricer.add(std::make_shared<const ComputationGraph>(test::randomGraph(random, 8)), 3);
        std::size_t placed = 0;
        for (int i = 0; i < 60; ++i) {
            const ServerMask occupied =
                random.bits() & random.bits() & (i % 2 ? random.bits() : ~ServerMask{0}) & pricer.blocks().all();
            for (std::size_t d = 0; d < pricer.degrees().size(); ++d) {
                const GraphOption option = pricer.price(0, d, 1e9, occupied);
                const GraphPlacement placement = pricer.placement(0, d, occupied);
                if (!option.placeable()) {
                    QVERIFY(!std::isfinite(option.seconds) && option.servers == 0);
                    continue;
                }
                ++placed;
                QCOMPARE(option.servers & occupied, ServerMask{0});
                const double alone =
                    3 * lookAhead(*pricer.split(0, d), placement, pricer.blocks().network(), setting).seconds;
                QVERIFY(std::abs(option.seconds / alone - 1) < 1e-12);
            }
        }
        QVERIFY(placed > 60);
        QVERIFY(pricer.lookaheads() < placed);
    }
}

void tst_LossSystem::reasonsAreToldApart() {
    GraphPricer pricer({}, {});
    pricer.add(chain(40, 4e9), 1); // 20 s and some communication at degree 2
    std::vector<GraphOption> options;
    const auto reason = [&](double deadline, ServerMask occupied) {
        pricer.priceAll(0, deadline, occupied, options);
        return pricer.reasonOf(0, deadline, options);
    };
    QVERIFY(pricer.emptySeconds(0, indexOf(pricer, 16)) > 2.5);
    QCOMPARE(reason(2.5, 0), BlockedReason::impossible);
    QCOMPARE(reason(39, 0), BlockedReason::byChoice);
    QCOMPARE(reason(39, pricer.blocks().all()), BlockedReason::noBlock);
    QCOMPARE(reason(39, pricer.blocks().all() & ~ServerMask{1}), BlockedReason::tooSlow);
    QCOMPARE(options[0].state, OptionState::late);
    QCOMPARE(options[1].state, OptionState::tooFewFree);
    // Servers 0 and 31 free: two, but no block of two.
    pricer.priceAll(0, 39, pricer.blocks().all() & ~(ServerMask{1} | ServerMask{1} << 31), options);
    QCOMPARE(options[1].state, OptionState::noBlock);
    QVERIFY(options[1].allowed);
    // Of 12 quanta: never placeable at 16. The published rules offer it all the same.
    for (const bool offered : {false, true}) {
        GraphSetting setting;
        setting.impossibleDegreesOffered = offered;
        GraphPricer odd({}, setting);
        odd.add(std::make_shared<const ComputationGraph>(ComputationGraph{{{"a", 12e-5, 1, 0, 0}}, {}}), 1);
        odd.priceAll(0, 9, 0, options);
        QCOMPARE(options.back().degree, 16);
        QCOMPARE(options.back().state, OptionState::impossible);
        QCOMPARE(options.back().allowed, offered);
    }
}

void tst_LossSystem::memoryBinds() {
    // Two operations of 30 bytes each way; servers of 100 bytes hold one of them. At degree 1 the graph needs two servers.
    OpticalNetwork network;
    network.memoryBytes = 100;
    GraphPricer pricer(network, {});
    pricer.add(chain(4, 30), 1);
    const GraphOption whole = pricer.price(0, 0, 9, 0);
    QCOMPARE(whole.servers, ServerMask{3});
    QVERIFY(whole.seconds > 4); // the two are on servers of one rack, and messages pass
    network.memoryBytes = 50;
    GraphPricer small(network, {});
    small.add(chain(4, 30), 1);
    QCOMPARE(small.price(0, 0, 9, 0).state, OptionState::impossible);
    QCOMPARE(small.price(0, indexOf(small, 4), 9, 0).state, OptionState::inTime);
}

void tst_LossSystem::jobsEndInOrder() {
    LossSystem system;
    system.place(1, 5);
    system.place(2, 3);
    system.place(4, 9);
    system.advance(3);
    QCOMPARE(system.occupied(), ServerMask{5});
    QCOMPARE(system.ending(), ServerMask{2});
    const LossSystem copy = system;
    system.advance(8.5);
    QCOMPARE(system.occupied(), ServerMask{4});
    QCOMPARE(system.ending(), ServerMask{0});
    QCOMPARE(copy.occupied(), ServerMask{5});
    QCOMPARE(copy.running(), std::size_t{2});
}

void tst_LossSystem::twoSlotsByHand() {
    // 16 ways there are two blocks. Without communication a job of 56 s takes 3.5 s. An arrival each second: at 0 and 1 accepted; at 2 and 3
    // both blocks are held (until 3.5 and 4.5); 4 accepted (until 7.5), 5 (until 8.5); 6 and 7 lost; and so on: half of them.
    GraphPricer pricer({}, {});
    pricer.add(chain(56), 1);
    LossSystem system;
    RandomStream random(1, Purpose::test);
    QByteArray served;
    for (int t = 0; t < 12; ++t) {
        system.advance(t);
        const auto chosen = chosenOption({DegreeRule::Kind::constant, 16}, pricer, system, 0, 0.1, random);
        const bool placed = chosen && chosen->state == OptionState::inTime;
        if (placed) system.place(chosen->servers, t + chosen->seconds);
        served += placed ? '1' : '0';
    }
    QCOMPARE(served, QByteArray("110011001100"));
}

void tst_LossSystem::rulesByHand_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("degree");
    QTest::addColumn<double>("beta");
    QTest::addColumn<int>("chosen");
    using Kind = DegreeRule::Kind;
    const auto row = [](const char* name, Kind kind, int degree, double beta, int chosen) {
        QTest::addRow("%s", name) << static_cast<int>(kind) << degree << beta << chosen;
    };
    // 1: late, 2: late, 4: in time, 6: in time, 8: no block, 16: too few free.
    row("none", Kind::constant, 1, .3, 1);
    row("constant 8", Kind::constant, 8, .3, 8);
    row("constant 16", Kind::constant, 16, .3, 0);
    row("constant 5", Kind::constant, 5, .3, 0);
    row("max", Kind::max, 0, .3, 8);
    row("acceptable 1", Kind::acceptableJct, 0, 1, 1);
    row("acceptable .5", Kind::acceptableJct, 0, .5, 2);
    row("acceptable .3", Kind::acceptableJct, 0, .3, 4);
    row("acceptable .2", Kind::acceptableJct, 0, .2, 6);
    row("acceptable .1", Kind::acceptableJct, 0, .1, 8);
    row("floor 1", Kind::floor, 1, .3, 4);
    row("floor 6", Kind::floor, 6, .3, 6);
    row("floor 8", Kind::floor, 8, .3, 6);
}

void tst_LossSystem::rulesByHand() {
    QFETCH(int, kind);
    QFETCH(int, degree);
    QFETCH(double, beta);
    QFETCH(int, chosen);
    using State = OptionState;
    const std::vector<GraphOption> options{{1, State::late, true, 1, 9},   {2, State::late, true, 1, 8},
                                           {4, State::inTime, true, 1, 7}, {6, State::inTime, true, 1, 6},
                                           {8, State::noBlock, true},      {16, State::tooFewFree, false}};
    RandomStream random(1, Purpose::test);
    const auto is = chosenOption({static_cast<DegreeRule::Kind>(kind), degree}, options, beta, random);
    QCOMPARE(is ? options[*is].degree : 0, chosen);
    std::map<int, int> counts;
    for (int i = 0; i < 5000; ++i)
        ++counts[options[*chosenOption({DegreeRule::Kind::random, 0}, options, .3, random)].degree];
    QCOMPARE(counts.size(), std::size_t{5});
    double chi = 0; // 4 degrees of freedom: below 23.5 with probability 0.9999
    for (const auto& [d, n] : counts) chi += (n - 1000.0) * (n - 1000.0) / 1000;
    QVERIFY2(chi < 23.5, qPrintable(QString::number(chi)));
}

void tst_LossSystem::lazyRulesAreTheRules() {
    using Kind = DegreeRule::Kind;
    RandomStream random(4, Purpose::test, 51);
    GraphPricer pricer({}, {});
    for (int g = 0; g < 3; ++g) pricer.add(std::make_shared<const ComputationGraph>(test::randomGraph(random, 5)), 1);
    std::vector<GraphOption> options;
    for (int i = 0; i < 400; ++i) {
        LossSystem system;
        system.place(random.bits() & random.bits() & pricer.blocks().all(), 5);
        const auto graph = static_cast<std::uint32_t>(random.below(3));
        const double beta = 0.1 + 0.9 * random.unit();
        pricer.priceAll(graph, beta * pricer.sequentialSeconds(graph), system.occupied(), options);
        for (const Kind kind : {Kind::constant, Kind::max, Kind::random, Kind::acceptableJct, Kind::floor}) {
            const DegreeRule rule{kind, pricer.degrees()[random.below(pricer.degrees().size())]};
            RandomStream a(static_cast<std::uint64_t>(i), Purpose::test, 52), b = a;
            const auto whole = chosenOption(rule, options, beta, a);
            const auto lazy = chosenOption(rule, pricer, system, graph, beta, b);
            QCOMPARE(lazy.has_value(), whole.has_value());
            if (!lazy) continue;
            QCOMPARE(lazy->degree, options[*whole].degree);
            QCOMPARE(lazy->state, options[*whole].state);
            QCOMPARE(lazy->servers, options[*whole].servers);
            QCOMPARE(lazy->seconds, options[*whole].seconds);
        }
    }
}

void tst_LossSystem::arrivalsComeFromThePool() {
    const GraphWorkload workload{3, 2, {{.2, .5, 1}, {.25, .5, .25}}, 10, false};
    const auto arrivals = drawArrivals(workload, 12, 7);
    for (std::size_t round : {0u, 6u}) {
        std::vector<int> counts(3, 0);
        for (std::size_t i = round; i < round + 6; ++i) ++counts[arrivals[i].graph];
        QCOMPARE(counts, (std::vector<int>{2, 2, 2}));
    }
    for (std::size_t i = 0; i < 12; ++i) QCOMPARE(arrivals[i].seconds, 10.0 * static_cast<double>(i));
    // The pool keeps its deadlines: both rounds have the same pairs.
    std::vector<std::pair<std::uint32_t, double>> first, second;
    for (std::size_t i = 0; i < 6; ++i) {
        first.emplace_back(arrivals[i].graph, arrivals[i].beta);
        second.emplace_back(arrivals[i + 6].graph, arrivals[i + 6].beta);
    }
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    QCOMPARE(first, second);
    const GraphWorkload poisson{3, 2, workload.beta, 10, true};
    double last = 0;
    const auto random = drawArrivals(poisson, 4001, 7);
    for (const GraphArrival& a : random) {
        QVERIFY(a.seconds >= last);
        last = a.seconds;
    }
    // The mean of 4,000 exponential gaps of mean 10: standard error 0.158; four of them.
    QVERIFY(std::abs(last / 4000 - 10) < 4 * 0.158);
}

void tst_LossSystem::rolloutSeesTheFuture() {
    // Jobs of 32 s without communication, one each 1.9 s, deadline .99 of it. Degree 2 holds two servers for 16 s, 16 holds half the cluster for
    // 2 s; base rule: constant 16, under which every other future job is lost unless the block is left alone.
    GraphPricer pricer({}, {});
    pricer.add(chain(32), 1);
    const GraphWorkload workload{1, 1, {{.99}, {1}}, 1.9, false};
    std::vector<GraphOption> options;
    pricer.priceAll(0, .99 * 32, 0, options);
    const RolloutSettings settings{.base = {DegreeRule::Kind::constant, 16}, .futures = 3, .arrivals = 6};
    const auto choice = rolledOut(settings, pricer, {}, workload, options, 0, .99, 1, 0);
    QVERIFY(choice.option);
    // Each value counted by hand: two slots; a job at 16 holds one for 2 s, just past the next arrival. With 16 chosen now: arrivals at 1.9,
    // 3.8, … alternate between the two blocks: all six served. With 2: it holds servers 0 and 8 of the first block for 16 s, so that only
    // the second is left, which each job holds past the next arrival: three of six. Degree 1 is late.
    QCOMPARE(choice.values[0], -1.0);
    QCOMPARE(choice.values[1], 4.0);
    QCOMPARE(choice.values[indexOf(pricer, 16)], 7.0);
    QCOMPARE(options[*choice.option].degree, 16);
    // The same futures for the same seed.
    QCOMPARE(rolledOut(settings, pricer, {}, workload, options, 0, .99, 1, 0).values, choice.values);
    // Refusing leaves both blocks: all six of the futures, one less than with it.
    QCOMPARE(choice.refusing, 6.0);
}

void tst_LossSystem::rolloutRefuses() {
    // As above, but a job of 320 s whose deadline only 16 parts meet, and which holds half the cluster for 20 s, stands against short ones
    // of 32 s of which every other one is then lost.
    GraphPricer pricer({}, {});
    pricer.add(chain(320), 1);
    pricer.add(chain(32), 1);
    GraphWorkload workload{1, 1, {{.99}, {1}}, 1.1, false};
    workload.numbers = {1};
    std::vector<GraphOption> options;
    pricer.priceAll(0, 21, 0, options);
    RolloutSettings settings{.base = {DegreeRule::Kind::constant, 16}, .futures = 3, .arrivals = 12};
    const auto refused = rolledOut(settings, pricer, {}, workload, options, 0, .065, 1, 0);
    // Two slots of 2 s, arrivals each 1.1 s: all twelve served; with one slot every other one, and the one at hand.
    QCOMPARE(refused.refusing, 12.0);
    QCOMPARE(refused.values[indexOf(pricer, 16)], 7.0);
    QVERIFY(!refused.option);
    settings.mayRefuse = false;
    const auto taken = rolledOut(settings, pricer, {}, workload, options, 0, .065, 1, 0);
    QVERIFY(taken.option && options[*taken.option].degree == 16);
}

TRAINYARD_TEST(tst_LossSystem)
#include "tst_LossSystem.moc"
