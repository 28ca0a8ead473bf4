// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The network of the paper's shape against finite differences, that the order of nodes and edges does not matter to it, and what it is given.
#include "planning/agents/DegreeScorer.h"
#include "support/FiniteDifferences.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::nets;
using namespace trainyard::test;

namespace {

/// With a node that nothing leads to, and two edges between the same nodes.
NetGraph<double> drawnNetGraph(std::size_t nodes, std::size_t edges, RandomStream& random) {
    NetGraph<double> out{drawn(nodes, 5, random), drawn(edges, 2, random), {}, {}};
    std::vector<std::uint32_t> targets;
    for (std::size_t e = 0; e < edges; ++e) {
        out.sources.push_back(static_cast<std::uint32_t>(random.below(nodes)));
        targets.push_back(1 + static_cast<std::uint32_t>(random.below(nodes - 1)));
    }
    out.sources[1] = out.sources[0];
    targets[1] = targets[0];
    out.close(targets);
    return out;
}

} // namespace

class tst_GraphNets : public QObject {
    Q_OBJECT
private slots:
    void roundFollowsItsGradient();
    void roundByHand();
    void netFollowsItsGradient();
    void orderOfNodesDoesNotMatter();
    void batchesAreTheirItems();
    void sizeIsThePapers();
    void graphsByHand();
    void observationByHand();
    void whatIsLateCanBeChosen();
};

void tst_GraphNets::roundFollowsItsGradient() {
    RandomStream random(1, Purpose::test);
    const NetGraph<double> graph = drawnNetGraph(6, 9, random);
    const MessageRound<double> round(4, 2, 3, 5, 2);
    std::vector<double> parameters(round.parameters() + 4), gradient(parameters.size(), 0.0);
    for (double& p : parameters) p = random.normal();
    M h = drawn(6, 4, random), out, dh;
    const M c = drawn(6, 5, random);
    MessageRound<double>::Tape tape;
    const auto loss = [&] {
        round.forward(parameters, graph, h, tape, out);
        return product(c, out);
    };
    loss();
    round.backward(parameters, graph, h, tape, c, gradient, &dh);
    QVERIFY(agree(gradient, differences(parameters, loss)));
    QVERIFY(agree(dh.numbers, differences(h.numbers, loss)));
}

/// One edge from node 0 to node 1. Layers that pass through what they are given: of a node with numbers (−1, 1) the normal row is the same, of
/// which max(·, 0) leaves (0, 1); of the edge with (3, 1), normal (1, −1), it leaves (1, 0).
void tst_GraphNets::roundByHand() {
    NetGraph<double> graph{M(2, 2), M(1, 2), {0}, {}};
    graph.nodes.numbers = {-1, 1, 2, 0};
    graph.edges.numbers = {3, 1};
    const std::uint32_t targets[] = {1};
    graph.close(targets);
    const MessageRound<double> round(2, 2, 2, 1, 0);
    std::vector<double> p(round.parameters(), 0.0);
    RandomStream unused(1, Purpose::test);
    round.initialise(p, unused);
    // Norms take 4 + 4 + 8 numbers, then two layers of 2 × 2 + 2, then one of 4 × 1 + 1.
    const auto identity = [&](std::size_t at) {
        for (std::size_t i = 0; i < 6; ++i) p[at + i] = i == 0 || i == 3 ? 1 : 0;
    };
    identity(16);
    identity(22);
    for (std::size_t i = 0; i < 5; ++i) p[28 + i] = i == 0 ? 1 : 0; // the first number of a normal message
    M out;
    MessageRound<double>::Tape tape;
    round.forward(p, graph, graph.nodes, tape, out);
    // Node 0 sends (0, 1), node 1 (1, 0). Messages: of 0 to itself (0, 1, 0, 0), of 1 to itself (1, 0, 0, 0), along the edge (0, 1, 1, 0).
    const double one = 0.75 / std::sqrt(3.0 / 16 + 1e-5); // of (1, 0, 0, 0): mean 1/4, variance 3/16
    QVERIFY(std::abs(out.row(0)[0] - 0) < 1e-12);         // its first number is below the mean
    QVERIFY(std::abs(out.row(1)[0] - one / 2) < 1e-5);    // mean of its own and of 0
}

namespace {

struct NetCase {
    RandomStream random{7, Purpose::test};
    DuelingGraphNet<double> net{{5, 2, 6, 4, {7, 5}}};
    NetGraph<double> a = drawnNetGraph(5, 7, random), b = drawnNetGraph(8, 12, random);
    M whole = drawn(5, 6, random), c = drawn(5, 4, random);
    std::vector<std::uint32_t> graphs{0, 1, 1, 0, 1};
    std::vector<double> parameters = std::vector<double>(net.parameters());
    DuelingGraphNet<double>::Tape tape;
    std::vector<DuelingGraphNet<double>::GraphTape> embedded{2};

    NetCase() { net.initialise(parameters, random); }
    const M& values() {
        net.embed(parameters, a, embedded[0]);
        net.embed(parameters, b, embedded[1]);
        return net.forward(parameters, embedded, graphs, whole, tape);
    }
};

} // namespace

void tst_GraphNets::netFollowsItsGradient() {
    NetCase of;
    const auto loss = [&] { return product(of.c, of.values()); };
    loss();
    std::vector<double> gradient(of.net.parameters(), 0.0);
    const NetGraph<double>* inputs[] = {&of.a, &of.b};
    of.net.backward(of.parameters, inputs, of.embedded, of.tape, of.c, gradient);
    QVERIFY(agree(gradient, differences(of.parameters, loss)));
}

void tst_GraphNets::orderOfNodesDoesNotMatter() {
    NetCase of;
    const M before = of.values();
    // Node v becomes 7 − v; edges are listed backwards.
    NetGraph<double> turned{M(8, 5), M(12, 2), {}, {}};
    std::vector<std::uint32_t> targets(12);
    for (std::size_t v = 0; v < 8; ++v) {
        std::copy_n(of.b.nodes.row(v), 5, turned.nodes.row(7 - v));
        for (const std::size_t in : of.b.incoming[v])
            if (in >= 8) targets[11 - (in - 8)] = static_cast<std::uint32_t>(7 - v);
    }
    for (std::size_t e = 0; e < 12; ++e) {
        std::copy_n(of.b.edges.row(11 - e), 2, turned.edges.row(e));
        turned.sources.push_back(7 - of.b.sources[11 - e]);
    }
    turned.close(targets);
    of.b = turned;
    const M& after = of.values();
    for (std::size_t i = 0; i < before.numbers.size(); ++i)
        QVERIFY(std::abs(before.numbers[i] - after.numbers[i]) < 1e-12);
}

void tst_GraphNets::batchesAreTheirItems() {
    NetCase of;
    const M together = of.values();
    for (std::size_t r = 0; r < 5; ++r) {
        M row(1, 6);
        std::copy_n(of.whole.row(r), 6, row.row(0));
        const M& alone = of.net.forward(of.parameters, of.embedded, std::span(of.graphs).subspan(r, 1), row, of.tape);
        for (std::size_t a = 0; a < 4; ++a) QVERIFY(std::abs(alone.row(0)[a] - together.row(r)[a]) < 1e-12);
    }
}

/// The brief: about 213,000 parameters, 4,100 of them before the hidden layer.
void tst_GraphNets::sizeIsThePapers() {
    const std::size_t all = DuelingGraphNet<float>(JobObservation::widths({256, 256})).parameters();
    const std::size_t rest = (24 + 1) * 256 + 2 * (257 * 256) + 257 * 18;
    QVERIFY2(all - rest > 3'500 && all - rest < 6'000, qPrintable(QString::number(all - rest)));
}

/// Two operations in a chain: forward 2 s and 1 s, backward 4 s and 2 s; four nodes, three edges.
/// Where one part is not offered it is the same graph.
void tst_GraphNets::graphsByHand() {
    GraphPricer pricer({}, {});
    const auto chain =
        std::make_shared<const ComputationGraph>(ComputationGraph{{{"a", 2, 4, 8, 0}, {"b", 1, 2, 2, 2}}, {{0, 1}}});
    pricer.add(chain, 3);
    pricer.add(chain, 3, {4, 8});
    const JobGraphs graphs(pricer);
    const NetGraph<float>& graph = graphs.graph(0);
    QCOMPARE(graph.nodes.rows, std::size_t{4});
    QCOMPARE(graph.edges.rows, std::size_t{3});
    const std::vector<float> wanted{0.5F, 0, 1, 1, 0, 0.25F, 0, 0.5F, 0, 1 / 3.F,
                                    1,    1, 1, 1, 1, 0.5F,  0, 0.5F, 0, 2 / 3.F};
    for (std::size_t i = 0; i < wanted.size(); ++i) QVERIFY(std::abs(graph.nodes.numbers[i] - wanted[i]) < 1e-6F);
    QCOMPARE(graphs.number(0, JobGraphs::sequential), 27.0);
    QCOMPARE(graphs.number(0, JobGraphs::memory), 24.0);
    QCOMPARE(graphs.number(0, JobGraphs::meanSeconds), 2.25);
    QCOMPARE(graphs.number(0, JobGraphs::medianSeconds), 2.0);
    QCOMPARE(graphs.graph(1).nodes.numbers, graph.nodes.numbers);
    for (int n = 0; n < JobGraphs::numbers; ++n)
        QCOMPARE(graphs.number(1, static_cast<JobGraphs::Number>(n)),
                 graphs.number(0, static_cast<JobGraphs::Number>(n)));
}

void tst_GraphNets::observationByHand() {
    GraphPricer pricer({}, {});
    for (const double seconds : {1.0, 3.0, 5.0})
        pricer.add(std::make_shared<const ComputationGraph>(ComputationGraph{{{"a", seconds, seconds, 4, 4}}, {}}), 1);
    const JobObservation observation(std::make_shared<const JobGraphs>(pricer),
                                     {.graphs = 3, .beta = {{0.2, 0.6}, {0.5, 0.5}}});
    LossSystem system;
    system.place(0xFF, 100);
    system.place(0xFF00, 100);
    std::vector<GraphOption> options;
    pricer.priceAll(1, 0.6 * 6, system.occupied(), options);
    std::vector<float> row(JobObservation::size);
    observation.write(1, 0.6, system, options, row);
    // Sequential 2, 6, 10 s; acceptable times from 0.4 to 6 s.
    const std::vector<float> wanted{0, 0, 0.5F, 3.2F / 5.6F, 1, 0.6F, 1, 1, 1, 0.6F, 0.6F, 1, 1, 1, 1, 0.5F, 2 / 32.F};
    for (std::size_t i = 0; i < wanted.size(); ++i)
        QVERIFY2(std::abs(row[i] - wanted[i]) < 1e-6F, qPrintable(QStringLiteral("%1: %2").arg(i).arg(row[i])));
    for (int degree = 0; degree <= 16;
         ++degree) { // 16 servers are free; allowed are those with a block on the empty cluster
        const bool allowed = std::ranges::any_of(std::vector{0, 1, 2, 4, 6, 8, 16}, [&](int d) { return d == degree; });
        QCOMPARE(row[JobObservation::jobNumbers + static_cast<std::size_t>(degree)] > 0, allowed);
    }
    system.place(0x10000, 100);
    pricer.priceAll(1, 0.6 * 6, system.occupied(), options);
    observation.write(1, 0.6, system, options, row);
    QVERIFY(row.back() == 0.0F); // 15 are free
}

/// Values are what the value head's and the advantage head's last offsets say: the highest allowed degree is taken though it is late; refusing
/// is taken where that is higher.
void tst_GraphNets::whatIsLateCanBeChosen() {
    GraphPricer pricer({}, {});
    pricer.add(std::make_shared<const ComputationGraph>(ComputationGraph{{{"a", 1, 1, 0, 0}}, {}}), 1);
    const auto states = std::make_shared<const AfterStates>(std::make_shared<const ServerBlocks>(OpticalNetwork{}));
    DegreeNet net{{2, 2}, {}, NetShape::graphNetwork};
    net.parameters.assign(parameterCount(net.shape, net.hidden, *states), 0.0F);
    // The advantage head ends with its 17 offsets, before the value head's (2 × 2 + 2) + (2 + 1) numbers.
    float* advantages = net.parameters.data() + net.parameters.size() - 9 - JobObservation::actions;
    for (std::size_t a = 0; a < JobObservation::actions; ++a) advantages[a] = static_cast<float>(a % 12);
    const auto decide = [&](double beta, ServerMask occupied) {
        const auto scorer = makeScorer(states, std::make_shared<const DegreeNet>(net), pricer, {.beta = {{1}, {1}}});
        LossSystem system;
        if (occupied != 0) system.place(occupied, 9);
        std::vector<GraphOption> options;
        pricer.priceAll(0, beta * 2, system.occupied(), options);
        const auto chosen = scorer->choose({system, 0, 0, beta, options});
        return chosen ? options[*chosen].degree : 0;
    };
    QCOMPARE(decide(1, 0), 8);
    QCOMPARE(decide(0.01, 0), 8); // late
    QCOMPARE(decide(1, 0x3FFFFFF), 6);
    advantages[0] = 99;
    QCOMPARE(decide(1, 0), 0);
}

TRAINYARD_TEST(tst_GraphNets)
#include "tst_GraphNets.moc"
