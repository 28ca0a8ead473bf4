// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is wrong with graphs, optical networks and pools is told with its place; what is right round-trips.
#include "scenario/ScenarioFile.h"
#include "support/GraphScenario.h"

#include <map>
#include <set>

using namespace trainyard;

class tst_GraphChecks : public QObject {
    Q_OBJECT
private slots:
    void badInputIsNamed_data();
    void badInputIsNamed();
    void badFilesAreNamed_data();
    void badFilesAreNamed();
    void poolsRoundTrip();
    void poolsDrawWithoutReplacement();
    void namedGraphsAreShared();
};

namespace {

using Change = void (*)(Scenario&);

Scenario good() {
    Scenario s;
    s.cluster = test::opticalCluster(2, 2, 2);
    s.graphs = {{"a", test::chainOf(8)}, {"b", test::chainOf(2)}};
    s.jobs = {test::immediateJob("j", 0, "a", .5, {1, 8})};
    JobGenerator& g = s.generators.emplace_back();
    g.key = "g";
    g.arrivals = JobGenerator::Arrivals::fixed;
    g.count = 5;
    g.job = test::immediateJob("", 0, "", 1, {1, 8});
    g.pool = GraphPool{.graphs = {"a", "b"}, .copies = 2, .deadlines = {{.5, 1}, {.5, .5}}};
    return s;
}

GraphWork& workOf(Scenario& s) { return std::get<GraphWork>(s.jobs[0].work); }

} // namespace
Q_DECLARE_METATYPE(Change)

void tst_GraphChecks::badInputIsNamed_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("words"); // of the message
    const auto row = [](const char* name, Change change, const char* pointer, const char* code, const char* words) {
        QTest::newRow(name) << change << pointer << code << words;
    };
    row(
        "cycle",
        [](Scenario& s) {
            s.graphs[0].graph.dependencies.push_back({1, 0});
        },
        "/graphs/0/dependencies", "cycle", "must come after");
    row(
        "no operations", [](Scenario& s) { s.graphs[1].graph = {}; }, "/graphs/1/operations", "too-few",
        "at least one");
    row(
        "no time",
        [](Scenario& s) {
            s.graphs[1].graph.operations = {{"x", 0, 0, 1, 1}}, s.graphs[1].graph.dependencies = {};
        },
        "/graphs/1/operations", "out-of-range", "less than a nanosecond");
    row(
        "negative time", [](Scenario& s) { s.graphs[0].graph.operations[1].forwardSeconds = -1; },
        "/graphs/0/operations/1/forward_s", "out-of-range", "at least 0");
    row(
        "dependency on nothing",
        [](Scenario& s) {
            s.graphs[0].graph.dependencies.push_back({0, 7});
        },
        "/graphs/0/dependencies/1", "unknown-operation", "there are 2");
    row(
        "output of nothing", [](Scenario& s) { s.graphs[0].graph.output = 2; }, "/graphs/0/output", "unknown-operation",
        "there are 2");
    row(
        "two of one name", [](Scenario& s) { s.graphs[1].key = "a"; }, "/graphs/1/id", "duplicate-id", "several times");
    row(
        "a million operations",
        [](Scenario& s) {
            s.graphs[0].graph.operations.assign(1'000'000, {"x", 1, 1, 0, 0});
        },
        "/graphs/0/operations", "too-large", "at most 20000");
    row(
        "unknown graph", [](Scenario& s) { workOf(s).name = "c"; }, "/jobs/0/graph_id", "unknown-id", "\"c\"");
    row(
        "no graph at all", [](Scenario& s) { workOf(s).name = ""; }, "/jobs/0/graph/operations", "too-few",
        "at least one");
    row(
        "larger than memory", [](Scenario& s) { s.graphs[0].graph.operations[1].parameterBytes = 8 * 80e9; },
        "/graphs/0/operations/1", "operation-too-large", "at most 8 parts");
    row(
        "degree larger than the cluster",
        [](Scenario& s) {
            s.jobs[0].workers = {9, 16};
        },
        "/jobs/0/workers", "degree-too-large", "has 8 servers");
    row(
        "degree without a block",
        [](Scenario& s) {
            s.jobs[0].workers = {7, 7};
        },
        "/jobs/0/workers", "no-block", "it has some of 1, 2, 4");
    row(
        "late beyond sense", [](Scenario& s) { workOf(s).deadlineFraction = 1.5; }, "/jobs/0/deadline_fraction",
        "out-of-range", "at most 1");
    row(
        "no time at all", [](Scenario& s) { workOf(s).deadlineFraction = 0; }, "/jobs/0/deadline_fraction",
        "out-of-range", "greater than 0");
    row(
        "too many servers", [](Scenario& s) { s.cluster.ramp->groups = 33; }, "/cluster/ramp/servers",
        "too-many-servers", "at most 64");
    row(
        "more racks than groups", [](Scenario& s) { s.cluster.ramp->racks = 4, s.cluster.ramp->servers = 1; },
        "/cluster/ramp/racks", "too-many-racks", "at most as many as groups");
    row(
        "too few machines", [](Scenario& s) { s.cluster.machines.pop_back(); }, "/cluster/ramp", "too-few-machines",
        "8 servers and the cluster 7 machines");
    row(
        "another capacity", [](Scenario& s) { s.cluster.machines[3].capacity = ResourceVector::of({1}); },
        "/cluster/machines/3/capacity", "servers-differ", "must be alike");
    row(
        "another speed",
        [](Scenario& s) {
            s.cluster.devices = {{"d", 2}}, s.cluster.machines[2].device = "d";
        },
        "/cluster/machines/2/device", "servers-differ", "another speed");
    row(
        "a straggler", [](Scenario& s) { s.cluster.machines[1].straggler.persistentFactor = 2; },
        "/cluster/machines/1/straggler", "servers-differ", "cannot straggle");
    row(
        "pool of other jobs", [](Scenario& s) { s.generators[0].job.work = AnalyticWork{}; }, "/generators/0/job/kind",
        "pool-without-graphs", "graph");
    row(
        "pool with templates",
        [](Scenario& s) {
            s.generators[0].others.push_back({1, s.generators[0].job, {}});
        },
        "/generators/0/other_jobs", "two-ways", "one template");
    row(
        "pool of an unknown graph",
        [](Scenario& s) {
            s.generators[0].pool->graphs = {"a", "x"};
        },
        "/generators/0/pool/graphs/1", "unknown-id", "\"x\"");
    row(
        "pool of nothing", [](Scenario& s) { s.generators[0].pool->graphs.clear(), s.graphs.clear(); },
        "/generators/0/pool", "too-few", "no graphs");
    row(
        "law of two lengths", [](Scenario& s) { s.generators[0].pool->deadlines.probabilities = {1}; },
        "/generators/0/pool/deadline_fractions", "bad-law", "2 values and 1");
    row(
        "law above 1",
        [](Scenario& s) {
            s.generators[0].pool->deadlines.values = {.5, 1.25};
        },
        "/generators/0/pool/deadline_fractions/1", "out-of-range", "at most 1");
    row(
        "law of 0",
        [](Scenario& s) {
            s.generators[0].pool->deadlines.values = {0, 1};
        },
        "/generators/0/pool/deadline_fractions/0", "out-of-range", "greater than 0");
    row(
        "law that adds up to more",
        [](Scenario& s) {
            s.generators[0].pool->deadlines.probabilities = {.5, .75};
        },
        "/generators/0/pool/deadline_fractions", "bad-law", "add up to 1.25");
}

void tst_GraphChecks::badInputIsNamed() {
    QFETCH(Change, change);
    QFETCH(QString, pointer);
    QFETCH(QString, code);
    QFETCH(QString, words);
    Scenario scenario = good();
    QVERIFY(validateScenario(scenario, Registry::builtin()).empty());
    change(scenario);
    const Problems problems = validateScenario(scenario, Registry::builtin());
    QString all;
    for (const Problem& p : problems) {
        all += QString::fromStdString(p.code + " " + p.pointer + ": " + p.message.english() + "\n");
        if (p.severity == Severity::error && p.pointer == pointer.toStdString() && p.code == code.toStdString() &&
            QString::fromStdString(p.message.english()).contains(words))
            return;
    }
    QFAIL(qPrintable(all));
}

void tst_GraphChecks::badFilesAreNamed_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("problem");
    QTest::newRow("both graphs") << "\"graph_id\": \"a\""
                                 << "\"graph_id\": \"a\", \"graph\": {\"operations\": []}"
                                 << "/jobs/0/graph";
    QTest::newRow("unknown admission") << "\"admission\": \"immediate\""
                                       << "\"admission\": \"now\""
                                       << "queued, immediate";
    QTest::newRow("unknown rules") << "\"groups\": 2"
                                   << "\"groups\": 2, \"rules\": \"fair\""
                                   << "corrected, faithful";
    QTest::newRow("no bandwidth") << "\"node_bandwidth_gbps\": 12800"
                                  << "\"io_s\": 0"
                                  << "node_bandwidth_gbps";
    QTest::newRow("a law without probabilities") << "\"probabilities\": [0.5, 0.5]"
                                                 << "\"copies\": 2"
                                                 << "probabilities";
    QTest::newRow("a time as text") << "\"forward_s\": 2"
                                    << "\"forward_s\": \"2\""
                                    << "/graphs/0/operations/0/forward_s";
}

void tst_GraphChecks::badFilesAreNamed() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, problem);
    Scenario scenario = good();
    scenario.generators[0].pool->copies = 1;
    QString text = QString::fromStdString(writeScenario(scenario));
    QVERIFY2(text.contains(from), qPrintable(text));
    text.replace(text.indexOf(from), from.size(), to);
    const auto read = parseScenario(text.toStdString(), "f.json");
    QVERIFY(!read.ok());
    QString all;
    for (const Problem& p : read.problems())
        all += QString::fromStdString(p.pointer + ": " + p.message.english() + "\n");
    QVERIFY2(all.contains(problem), qPrintable(all));
}

void tst_GraphChecks::poolsRoundTrip() {
    Scenario scenario = good();
    scenario.graphs[0].graph.output = 0;
    scenario.cluster.ramp->rules = GraphRules::faithful;
    scenario.cluster.ramp->ioSeconds = 2e-7;
    const std::string text = writeScenario(scenario);
    const auto read = parseScenario(text, "f.json");
    QVERIFY(read.ok());
    QVERIFY(read->scenario == scenario);
    QCOMPARE(writeScenario(read->scenario), text);
}

void tst_GraphChecks::poolsDrawWithoutReplacement() {
    Scenario scenario = good();
    scenario.jobs.clear();
    JobGenerator& g = scenario.generators[0];
    g.count = 12;
    g.startSeconds = 3;
    g.meanInterarrivalSeconds = 2;
    const auto workload = expandWorkload(scenario, 5);
    QCOMPARE(workload->jobs.size(), std::size_t{12});
    std::vector<std::pair<std::string, double>> first, second;
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i < 12; ++i) {
        const Job& job = workload->jobs[i];
        QCOMPARE(job.key, "g-" + std::to_string(i + 1));
        QCOMPARE(job.arrival, SimTime::seconds(3 + 2.0 * double(i)));
        const auto& work = std::get<GraphWork>(job.work);
        ++counts[work.name];
        QCOMPARE(job.name, work.name + " " + std::to_string(i + 1));
        if (i % 4 == 3) QVERIFY(counts["a"] == counts["b"]); // a pool of two copies of each
        if (i < 4) first.emplace_back(work.name, work.deadlineFraction);
        if (i >= 4 && i < 8) second.emplace_back(work.name, work.deadlineFraction);
    }
    std::ranges::sort(first);
    std::ranges::sort(second);
    QVERIFY(first == second); // with the same deadlines
    QVERIFY(expandWorkload(scenario, 6)->jobs != workload->jobs);
    g.arrivals = JobGenerator::Arrivals::trace;
    g.arrivalSeconds = {1, 4, 2};
    const auto listed = expandWorkload(scenario, 5);
    QCOMPARE(listed->jobs.size(), std::size_t{3});
    QCOMPARE(listed->jobs[1].key, std::string("g-3")); // at 5 s
    QCOMPARE(JobPlaces(scenario, 5).of(listed->jobs[1]), std::string("/generators/0/job"));
}

void tst_GraphChecks::namedGraphsAreShared() {
    Scenario scenario = good();
    scenario.generators[0].count = 2000;
    const auto workload = expandWorkload(scenario, 1);
    std::set<const ComputationGraph*> graphs;
    for (const Job& job : workload->jobs) {
        const auto& work = std::get<GraphWork>(job.work);
        QVERIFY(work.named && work.graph.operations.empty());
        graphs.insert(&work.computation());
        QCOMPARE(job.workerDemand, scenario.cluster.machines[0].capacity); // whole servers
    }
    QCOMPARE(graphs.size(), std::size_t{2});
}

TRAINYARD_TEST(tst_GraphChecks)
#include "tst_GraphChecks.moc"
