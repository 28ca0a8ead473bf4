// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The oddities of the published rules one by one: each name of a scenario is one switch, all of a rule's switches are that rule, and each
// changes what happens.
#include "planning/graphs/GraphPricer.h"
#include "scenario/ScenarioFile.h"
#include "support/GraphScenario.h"

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

std::string digestOf(const Scenario& scenario) {
    const auto run = test::simulationOf(scenario);
    while (run->step()) {}
    return run->log().digest();
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

void tst_GraphSwitches::eachMatters_data() { eachNameIsOne_data(); }

/// Set the other way than a rule has it, each changes some run; so does the quantum. Exact deadlines: below. Exchanges as predecessors were
/// found to change nothing where all parts of an operation wait alike, which is so unless memory binds.
void tst_GraphSwitches::eachMatters() {
    QFETCH(int, which);
    if (all[which].member == &GraphSwitches::exactDeadlines ||
        all[which].member == &GraphSwitches::exchangesCountAsPredecessors)
        return;
    bool differs = false;
    for (std::uint64_t seed = 1; seed <= 4 && !differs; ++seed)
        for (const char* partitioner : {"max", "random", "floor-k"})
            for (const GraphRules rules : {GraphRules::faithful, GraphRules::corrected}) {
                Scenario scenario = arrivals(rules, partitioner, seed);
                if (all[which].member == &GraphSwitches::endingJobsHoldServers) {
                    // Jobs that end when the next arrives: two servers, 8 s in two parts, one each 4 s.
                    scenario = Scenario{};
                    scenario.cluster = test::opticalCluster(1, 1, 2, rules);
                    scenario.graphs = {{"chain", test::chainOf(8)}};
                    scenario.policies.partitioner.id = "max";
                    for (int j = 0; j < 5; ++j)
                        scenario.jobs.push_back(
                            test::immediateJob("j" + std::to_string(j), 4. * j, "chain", 1, {1, 2}));
                }
                scenario.cluster.ramp->switches = GraphSwitches::of(rules);
                // Operations that are split unlike: into up to 10 parts, for which there is no block, and with unlike exchanges.
                if (seed > 1) scenario.cluster.ramp->switches->quantumSeconds *= 200. * double(seed);
                const std::string before = digestOf(scenario);
                bool& value = *scenario.cluster.ramp->switches.*(all[which].member);
                value = !value;
                differs = differs || digestOf(scenario) != before;
            }
    QVERIFY(differs);
    Scenario scenario = arrivals(GraphRules::corrected, "max", 1);
    const std::string before = digestOf(scenario);
    scenario.cluster.ramp->switches =
        GraphSwitches{.quantumSeconds = 10}; // longer than any operation: at most two parts
    QVERIFY(digestOf(scenario) != before);
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
