// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The oddities of the published rules one by one: each name of a scenario is one switch, all of a rule's switches are that rule, and each
// changes what happens.
#include "planning/graphs/BlockLookahead.h"
#include "planning/graphs/GraphPricer.h"
#include "scenario/ScenarioFile.h"
#include "support/GraphScenario.h"

#include <set>

using namespace trainyard;

class tst_GraphSwitches : public QObject {
    Q_OBJECT
private slots:
    void eachNameIsOne_data();
    void eachNameIsOne();
    void allOfARuleAreTheRule_data();
    void allOfARuleAreTheRule();
    void eachMatters_data();
    void eachMatters();
    void quantumBoundsParts();
    void endingJobsByHand();
    void exchangesMatterOnSlowNetworks();
    void exactDeadlinesAreByRounding();
};

namespace {

struct Named {
    const char* name;
    bool GraphSwitches::*member;
};
constexpr Named all[]{{"bandwidth_divided_twice", &GraphSwitches::bandwidthDividedTwice},
                      {"one_contending_rack", &GraphSwitches::oneContendingRack},
                      {"synchronizes_activations", &GraphSwitches::synchronizesActivations},
                      {"edges_carry_memory", &GraphSwitches::edgesCarryMemory},
                      {"exchanges_count_as_predecessors", &GraphSwitches::exchangesCountAsPredecessors},
                      {"times_ignore_placement", &GraphSwitches::timesIgnorePlacement},
                      {"impossible_degrees_offered", &GraphSwitches::impossibleDegreesOffered},
                      {"exact_deadlines", &GraphSwitches::exactDeadlines},
                      {"ending_jobs_hold_servers", &GraphSwitches::endingJobsHoldServers}};

/// Deadlines of half to all of the sequential time.
const DiscreteLaw late{{.5, .6, .8, 1}, {.25, .25, .25, .25}};

/// 300 arrivals from five random graphs at a fixed gap.
Scenario arrivals(GraphRules rules, const char* partitioner, std::uint64_t seed) {
    Scenario out = test::pooledScenario(rules, seed, 300, .5, false, late);
    out.policies.partitioner.id = partitioner;
    return out;
}

std::string digestOf(Scenario scenario, std::optional<GraphSwitches> switches = {}) {
    if (switches) scenario.cluster.ramp->switches = switches;
    const auto run = test::simulationOf(scenario);
    while (run->step()) {}
    return run->log().digest();
}

GraphSwitches flipped(GraphSwitches switches, int which) {
    switches.*all[which].member = !(switches.*all[which].member);
    return switches;
}

} // namespace

void tst_GraphSwitches::eachNameIsOne_data() {
    QTest::addColumn<int>("which");
    for (int i = 0; i < int(std::size(all)); ++i) QTest::newRow(all[i].name) << i;
}

void tst_GraphSwitches::eachNameIsOne() {
    QFETCH(int, which);
    const Named& named = all[which];
    for (const GraphRules rules : {GraphRules::corrected, GraphRules::faithful}) {
        const GraphSwitches usual = GraphSwitches::of(rules);
        const std::string text =
            R"({"format": "trainyard-scenario", "version": 1, "cluster": {"resources": ["gpu"], "machines": [], "ramp": )"
            R"({"groups": 4, "racks": 4, "servers": 2, "node_bandwidth_gbps": 100, "rules": ")" +
            std::string(rules == GraphRules::faithful ? "faithful" : "corrected") + R"(", "switches": {")" +
            named.name + "\": " + (usual.*named.member ? "false" : "true") + "}}}}";
        const auto read = parseScenario(text, "f.json");
        QVERIFY2(read.ok(), read.ok() ? "" : read.problems().front().text().c_str());
        GraphSetting wanted = GraphSetting::of(rules);
        wanted.*named.member = !(usual.*named.member);
        QVERIFY(GraphSetting::of(*read->scenario.cluster.ramp) == wanted);
        QVERIFY(writeScenario(read->scenario).find(named.name) != std::string::npos);
    }
}

void tst_GraphSwitches::allOfARuleAreTheRule_data() {
    QTest::addColumn<QString>("partitioner");
    for (const char* id : {"max", "floor-k", "random"}) QTest::newRow(id) << QString(id);
}

void tst_GraphSwitches::allOfARuleAreTheRule() {
    QFETCH(QString, partitioner);
    for (const GraphRules rules : {GraphRules::corrected, GraphRules::faithful}) {
        Scenario scenario = arrivals(rules, partitioner.toUtf8().constData(), 3);
        const std::string by = digestOf(scenario);
        scenario.cluster.ramp->switches = GraphSwitches::of(rules);
        QCOMPARE(digestOf(scenario), by);
        // The switches alone decide.
        scenario.cluster.ramp->rules = rules == GraphRules::faithful ? GraphRules::corrected : GraphRules::faithful;
        QCOMPARE(digestOf(scenario), by);
    }
}

/// Set the other way than a rule has it, each changes a run. Three have tests of their own.
void tst_GraphSwitches::eachMatters_data() {
    QTest::addColumn<int>("which");
    const std::set<std::string> elsewhere{"exact_deadlines", "exchanges_count_as_predecessors",
                                          "ending_jobs_hold_servers"};
    for (int i = 0; i < int(std::size(all)); ++i)
        if (!elsewhere.contains(all[i].name)) QTest::newRow(all[i].name) << i;
}

void tst_GraphSwitches::eachMatters() {
    QFETCH(int, which);
    bool differs = false;
    for (std::uint64_t seed = 1; seed <= 4 && !differs; ++seed)
        for (const char* partitioner : {"max", "random", "floor-k"})
            for (const GraphRules rules : {GraphRules::faithful, GraphRules::corrected}) {
                Scenario scenario = arrivals(rules, partitioner, seed);
                // Operations that are split unlike: into up to 10 parts, for which there is no block.
                GraphSwitches switches = GraphSwitches::of(rules);
                if (seed > 1) switches.quantumSeconds *= 200. * double(seed);
                differs = differs || digestOf(scenario, switches) != digestOf(scenario, flipped(switches, which));
            }
    QVERIFY(differs);
}

void tst_GraphSwitches::quantumBoundsParts() {
    const Scenario scenario = arrivals(GraphRules::corrected, "max", 1);
    // longer than any operation: at most two parts
    QVERIFY(digestOf(scenario, GraphSwitches{.quantumSeconds = 10}) != digestOf(scenario));
}

/// Two servers, 8 s in two parts, one job each 4 s: each ends when the next arrives, which counts two servers free, or none.
void tst_GraphSwitches::endingJobsByHand() {
    for (const bool hold : {false, true}) {
        Scenario scenario;
        scenario.cluster = test::opticalCluster(1, 1, 2);
        scenario.graphs = {{"chain", test::chainOf(8)}};
        scenario.policies.partitioner.id = "max";
        scenario.cluster.ramp->switches = GraphSwitches{.endingJobsHoldServers = hold};
        for (int j = 0; j < 6; ++j)
            scenario.jobs.push_back(test::immediateJob("j" + std::to_string(j), 4. * j, "chain", 1, {1, 2}));
        const auto run = test::simulationOf(scenario);
        while (run->step()) {}
        const auto jobs = test::admittedJobs(*run);
        // Held, every other one is blocked: it counts no free server, and the one after it two.
        for (std::size_t j = 0; j < jobs.size(); ++j) QCOMPARE(jobs[j].rejected.has_value(), hold && j % 2 == 1);
    }
}

/// Where exchanges count, a part may begin before its last message is there: seen on a network so slow that messages take longer than
/// operations, with blocks that overlap in part (8 of these 200 graphs; at the usual speed in none).
void tst_GraphSwitches::exchangesMatterOnSlowNetworks() {
    OpticalNetwork slow;
    slow.nodeBandwidth /= 1e4;
    const ServerBlocks blocks(slow);
    int differ = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        RandomStream random(seed, Purpose::test, 47);
        const ComputationGraph graph = test::randomGraph(random, 3 + static_cast<std::uint32_t>(random.below(6)));
        GraphSetting setting;
        setting.quantumSeconds = 0.01;
        const auto split = SplitGraph::make(graph, 4, setting);
        QVERIFY(split.ok());
        GraphPlacement placement;
        for (std::size_t v = 0; v < graph.operations.size(); ++v) {
            const auto& fit = blocks.blocks(split->parts(v));
            placement.emplace_back(fit[random.below(fit.size())].servers);
        }
        const double without = lookAhead(*split, placement, blocks.network(), setting).seconds;
        setting.exchangesCountAsPredecessors = true;
        differ += lookAhead(*split, placement, blocks.network(), setting).seconds != without;
    }
    QVERIFY(differ > 0);
}

void tst_GraphSwitches::exactDeadlinesAreByRounding() {
    GraphSetting setting;
    const GraphPricer rounded({}, setting);
    setting.exactDeadlines = true;
    const GraphPricer exact({}, setting);
    QVERIFY(rounded.meets(1 + 1e-13, 1) && !exact.meets(1 + 1e-13, 1));
    QVERIFY(!rounded.meets(1 + 1e-11, 1) && exact.meets(1, 1));
}

TRAINYARD_TEST(tst_GraphSwitches)
#include "tst_GraphSwitches.moc"
