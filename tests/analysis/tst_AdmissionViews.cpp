// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The views of graph jobs that are admitted at once, on a run worked by hand, and against decisions and metrics of a long one.
#include "analysis/AdmissionCourse.h"
#include "analysis/View.h"
#include "record/Metrics.h"
#include "support/GraphScenario.h"
#include "support/IndexedRun.h"

#include <algorithm>
#include <cmath>

using namespace trainyard;

class tst_AdmissionViews : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void acceptedAndBlockedAddUp();
    void freeBlocksByHand();
    void gridShowsWhoHoldsWhat();
    void workersAreServersWithParts();
    void optionsOfAnArrival();
    void valuesByDegree();
    void aStepAhead();
    void aStepWhereMemoryBinds();
    void operationsAndTheirParts();
    void edgesPassNoOtherOperation();
    void aBlockedJobIsWhole();
    void repricedOptionsAreThoseOfTheEngine();
    void otherRunsHaveNone();
    void metricIsTheBlockingRate();

private:
    Picture pictureAt(const char* view, double at, const char* job = nullptr);
    std::optional<RunIndex> m_run;
};

namespace {

/// 16 servers in 2 groups of 2 racks of 4. A graph of 32 s whose parts exchange nothing.
Scenario byHand() {
    Scenario s;
    s.cluster = test::opticalCluster(2, 2, 4);
    s.graphs = {{"chain", test::chainOf(32)}};
    s.policies.partitioner.id = "max";
    s.jobs = {test::immediateJob("a", 0, "chain", 1, {1, 8}),  // 8 parts, 4 s
              test::immediateJob("b", 1, "chain", 1, {1, 4}),  // 4 parts until 9
              test::immediateJob("c", 2, "chain", .1, {1, 8}), // impossible: at best 4 s of 3.2
              test::immediateJob("d", 3, "chain", .2, {1, 4}), // impossible within its bounds: 4 parts take 8 s of 6.4
              test::immediateJob("e", 3.5, "chain", .2, {1, 8})}; // too slow: only 4 are free, 8 would do
    s.horizonSeconds = 20;
    return s;
}

const Series& seriesOf(const Chart& chart, const std::string& key) {
    for (const Plot& plot : chart.plots)
        for (const Series& series : plot.series)
            if (series.key == key) return series;
    throw std::runtime_error(key);
}

double valueAt(const Series& steps, double at) {
    double out = 0;
    for (std::size_t i = 0; i < steps.y.size() && steps.x[i] <= at; ++i) out = steps.y[i];
    return out;
}

} // namespace

void tst_AdmissionViews::initTestCase() {
    m_run.emplace(test::sourceOfRun(byHand()));
    m_run->update();
}

Picture tst_AdmissionViews::pictureAt(const char* view, double at, const char* job) {
    ViewRequest request{.run = *m_run, .job = {}, .at = SimTime::seconds(at)};
    for (std::size_t j = 0; job && j < m_run->workload().jobs.size(); ++j)
        if (m_run->workload().jobs[j].key == job) request.job = JobId(j);
    return wholePicture(*findView(view), request);
}

void tst_AdmissionViews::acceptedAndBlockedAddUp() {
    const Chart chart = std::get<Chart>(pictureAt("admissions", 20));
    QVERIFY(chart.empty.empty());
    QCOMPARE(valueAt(seriesOf(chart, "accepted"), .5), 1.0);
    QCOMPARE(valueAt(seriesOf(chart, "accepted"), 20), 2.0);
    QCOMPARE(valueAt(seriesOf(chart, "impossible"), 1.9), 0.0);
    QCOMPARE(valueAt(seriesOf(chart, "impossible"), 20), 2.0); // c and d
    QCOMPARE(valueAt(seriesOf(chart, "too-slow"), 20), 1.0);   // e
    QCOMPARE(valueAt(seriesOf(chart, "no-block"), 20), 0.0);
}

void tst_AdmissionViews::freeBlocksByHand() {
    const Chart chart = std::get<Chart>(pictureAt("free-blocks", 20));
    QCOMPARE(valueAt(seriesOf(chart, "servers"), .5), 8.0);
    QCOMPARE(valueAt(seriesOf(chart, "servers"), 2), 4.0);
    QCOMPARE(valueAt(seriesOf(chart, "servers"), 5), 12.0); // a has ended
    QCOMPARE(valueAt(seriesOf(chart, "servers"), 10), 16.0);
    QCOMPARE(valueAt(seriesOf(chart, "blocks-8"), 2), 0.0);
    // One of 16 at most: 2 × 2 × 4.
    QCOMPARE(valueAt(seriesOf(chart, "blocks-16"), 10), 1.0);
    QCOMPARE(valueAt(seriesOf(chart, "blocks-16"), 5), 0.0);
}

/// With a quantum of 10 µs an operation of 55 µs has 6 parts. One of 8 parts lies in 2 groups × 2 racks × 2 servers, one of 6
/// in 3 groups × 1 rack × 2 servers: 2 · 4 + 2 = 10 servers.
void tst_AdmissionViews::workersAreServersWithParts() {
    Scenario s;
    s.cluster = test::opticalCluster(4, 4, 2);
    s.graphs = {{"unlike", {{{"long", 1, 1, 0, 0}, {"short", 5.5e-5, 5.5e-5, 0, 0}}, {{0, 1}}}}};
    s.policies.partitioner = {.id = "max"};
    s.jobs = {test::immediateJob("a", 0, "unlike", 1, {1, 8}), test::immediateJob("b", 100, "unlike", 1, {1, 8})};
    RunIndex run(test::sourceOfRun(s));
    run.update();
    const Chart chart =
        std::get<Chart>(wholePicture(*findView("workers-by-job"), {.run = run, .job = {}, .at = SimTime::zero()}));
    QCOMPARE(chart.legend.at(0).value->value, 10.0);
    QVERIFY(QString::fromStdString(chart.meaning.english()).contains(QStringLiteral("more servers than parts")));
}

void tst_AdmissionViews::gridShowsWhoHoldsWhat() {
    const Diagram grid = std::get<Diagram>(pictureAt("ramp-grid", 2));
    std::vector<Node> cells;
    for (const Node& node : grid.nodes)
        if (node.shape == Node::Shape::box) cells.push_back(node);
    QCOMPARE(cells.size(), std::size_t{16});
    const auto held = [&](std::size_t job) {
        return std::ranges::count_if(grid.nodes, [&](const Node& n) { return n.ref.job == JobId(job); });
    };
    QCOMPARE(held(0), 8);
    QCOMPARE(held(1), 4);
    QCOMPARE(std::ranges::count_if(grid.nodes, [](const Node& n) { return n.ghost; }), 4);
    // The same servers as the log says.
    for (const MachineId m : GraphAdmissions::machinesOf(
             m_run->fold<AdmissionCourse>().arrivalOf(JobId(std::size_t{0}), {})->priced.options.back().servers))
        QVERIFY(cells[m.index()].ref.job == JobId(std::size_t{0}));
    // As on the canvas: groups below each other, racks beside each other; each by its name.
    QVERIFY(cells[0].y == cells[4].y && cells[0].x < cells[4].x && cells[0].y < cells[8].y && cells[0].x == cells[8].x);
    QCOMPARE(cells[0].label.english(), m_run->machineName(MachineId(std::size_t{0}))); // as wide as its cell
    QCOMPARE(cells[0].note.english(), m_run->machineName(MachineId(std::size_t{0})) + ": a");
    std::vector<std::string> frames;
    for (const Node& node : grid.nodes)
        if (node.shape == Node::Shape::block) frames.push_back(node.label.english());
    QCOMPARE(frames, (std::vector<std::string>{"Group 1", "r1", "r2", "Group 2", "r3", "r4"}));
    // The legend names the jobs, in their colours, with their servers.
    QCOMPARE(grid.legend.at(0).label.english(), std::string("a"));
    QVERIFY(grid.legend.at(0).role == Role::of(JobId(std::size_t{0})) && grid.legend.at(0).value->value == 8);
    QCOMPARE(grid.legend.at(1).value->value, 4.0);
    QCOMPARE(grid.legend.at(2).label.english(), std::string("free"));
    QCOMPARE(std::ranges::count_if(std::get<Diagram>(pictureAt("ramp-grid", 19)).nodes,
                                   [](const Node& n) { return n.ghost; }),
             16);
}

void tst_AdmissionViews::optionsOfAnArrival() {
    const Chart b = std::get<Chart>(pictureAt("degree-options", 20, "b"));
    QCOMPARE(b.plots[0].x.categories.size(), std::size_t{3}); // 1, 2, 4
    QCOMPARE(seriesOf(b, "chosen").y, std::vector<double>{8});
    QCOMPARE(seriesOf(b, "options").y, (std::vector<double>{32, 16}));
    QCOMPARE(seriesOf(b, "options").labels.at(1).english(), std::string("16 s")); // bars of like height are told apart
    QCOMPARE(b.legend.back().value->value, 4.0);                                  // servers
    QCOMPARE(b.plots[0].lines[0].value, 32.0);
    const Chart e = std::get<Chart>(pictureAt("degree-options", 20, "e"));
    QVERIFY(seriesOf(e, "chosen").y.empty());
    QCOMPARE(seriesOf(e, "options").y, (std::vector<double>{32, 16, 8})); // 6 and 8 have no room
    QCOMPARE(e.plots[0].annotations.size(), std::size_t{2});
    QVERIFY(std::abs(e.plots[0].lines[0].value - 6.4) < 1e-12);
    // Without a job: the last that had arrived.
    QCOMPARE(std::get<Chart>(pictureAt("degree-options", 1.5)).title.arguments, b.title.arguments);
}

/// Of a rollout: of each number of parts in time what it noted, and which rules would take it; none of those that are not.
void tst_AdmissionViews::valuesByDegree() {
    Scenario scenario = byHand();
    QVERIFY(!std::get<Chart>(pictureAt("degree-values", 20, "b")).empty.empty()); // rules note nothing
    for (Job& job : scenario.jobs) job.partitioner = {};
    scenario.policies.partitioner = {"rollout", {{"futures", std::int64_t{2}}}};
    RunIndex run(test::sourceOfRun(scenario));
    run.update();
    const JobId b(std::size_t{1});
    const Chart chart =
        std::get<Chart>(wholePicture(*findView("degree-values"), {.run = run, .job = b, .at = SimTime::seconds(20)}));
    const auto* arrival = run.fold<AdmissionCourse>().arrivalOf(b, SimTime::seconds(20));
    QVERIFY(arrival);
    std::size_t inTime = 0;
    for (const GraphOption& option : arrival->priced.options) inTime += option.state == OptionState::inTime ? 1 : 0;
    QVERIFY(inTime > 1);
    const Series &chosen = seriesOf(chart, "chosen"), &others = seriesOf(chart, "values");
    QCOMPARE(chosen.y.size(), std::size_t{1});
    QCOMPARE(others.y.size(), inTime - 1);
    QVERIFY(chosen.y[0] >= *std::ranges::max_element(others.y)); // it took the best
    std::string rules;
    for (const Series* series : {&chosen, &others})
        for (const Text& label : series->labels) rules += label.english() + ";";
    for (const char* rule : {"floor 2", "floor 8", "max"})
        QVERIFY2(rules.find(rule) != std::string::npos, rules.c_str());
}

void tst_AdmissionViews::aStepAhead() {
    const Chart a = std::get<Chart>(pictureAt("step-timeline", 20, "a"));
    QCOMPARE(a.plots[0].y.categories.size(), std::size_t{8});
    const Series& parts = seriesOf(a, "parts");
    QCOMPARE(parts.spans.size(), std::size_t{4 * 8}); // two operations, both ways, of 1 s each
    double busy = 0, end = 0;
    for (const Span& span : parts.spans) {
        busy += span.to - span.from;
        end = std::max(end, span.to);
    }
    QVERIFY(std::abs(busy - 32) < 1e-9 && std::abs(end - 4) < 1e-9);
    QVERIFY(std::abs(a.plots[0].lines[0].value - 4) < 1e-9);
    QCOMPARE(a.plots[0].lines[1].value, 32.0);
    QVERIFY(!std::get<Chart>(pictureAt("step-timeline", 20, "c")).empty.empty());
}

/// Two operations that no server holds together: they are on 16 servers, and the step ends when the priced option says.
void tst_AdmissionViews::aStepWhereMemoryBinds() {
    Scenario s = byHand();
    for (Operation& op : s.graphs[0].graph.operations) op.parameterBytes = 8 * 0.4e9; // 0.8 GB of a part, both ways
    s.cluster.ramp->memoryBytes = 1e9;
    s.jobs.resize(1);
    RunIndex run(test::sourceOfRun(std::move(s)));
    run.update();
    const JobId a(std::size_t{0});
    const auto* arrival = run.fold<AdmissionCourse>().arrivalOf(a, SimTime::seconds(20));
    QVERIFY(arrival);
    QCOMPARE(arrival->degree, 8);
    const Chart chart =
        std::get<Chart>(wholePicture(*findView("step-timeline"), {.run = run, .job = a, .at = SimTime::seconds(20)}));
    QVERIFY2(chart.empty.pattern.empty(), chart.empty.english().c_str());
    QCOMPARE(chart.plots[0].y.categories.size(), std::size_t{16});
    QCOMPARE(seriesOf(chart, "parts").spans.size(), std::size_t{4 * 8});
    const auto option = std::ranges::find(arrival->priced.options, 8, &GraphOption::degree);
    QVERIFY(std::abs(chart.plots[0].lines[0].value - option->seconds) < 1e-9);
    // Why 8 parts hold 16 servers is said.
    const Chart options =
        std::get<Chart>(wholePicture(*findView("degree-options"), {.run = run, .job = a, .at = SimTime::seconds(20)}));
    QCOMPARE(options.legend.back().value->value, 16.0);
    QVERIFY(options.meaning.english().find("more servers than it has parts") != std::string::npos);
    QVERIFY(seriesOf(options, "chosen").notes.at(0).english().starts_with("8 parts on 16 servers"));
}

void tst_AdmissionViews::operationsAndTheirParts() {
    const Diagram a = std::get<Diagram>(pictureAt("operation-graph", 20, "a"));
    QCOMPARE(a.nodes.size(), std::size_t{2});
    QCOMPARE(a.edges.size(), std::size_t{1});
    QCOMPARE(a.nodes[0].label.arguments, (std::vector<std::string>{"a", "8"}));
    QCOMPARE(*a.nodes[0].value, 2.0); // 16 s both ways, in 8 parts
    QCOMPARE(a.legend[2].value->value, 32.0);
    // A chain of 200 with one short operation, which is not split: grouped, and nothing is lost.
    Scenario s = byHand();
    ComputationGraph& graph = s.graphs[0].graph;
    graph = {};
    for (std::uint32_t v = 0; v < 200; ++v) {
        graph.operations.push_back({"op" + std::to_string(v), v == 7 ? 0 : 0.01, 0.02, 0, 0});
        if (v > 0) graph.dependencies.push_back({v - 1, v});
    }
    RunIndex run(test::sourceOfRun(std::move(s)));
    run.update();
    const Diagram large = std::get<Diagram>(
        wholePicture(*findView("operation-graph"), {.run = run, .job = JobId(std::size_t{0}), .at = run.head()}));
    // In rows that fill a picture; no two nodes overlap.
    double right = 0, bottom = 0;
    for (const Node& node : large.nodes) {
        right = std::max(right, node.x + node.width / 2);
        bottom = std::max(bottom, node.y + node.height / 2);
        for (const Node& other : large.nodes)
            QVERIFY(&other == &node || std::abs(other.x - node.x) >= node.width ||
                    std::abs(other.y - node.y) >= node.height);
    }
    QVERIFY2(right < 6 * bottom && bottom < right, qPrintable(QStringLiteral("%1 × %2").arg(right).arg(bottom)));
    QCOMPARE(large.nodes.size(), std::size_t{41}); // 40 groups of five layers, and the short one
    double seconds = 0;
    for (const Node& node : large.nodes) seconds += *node.value;
    QVERIFY(std::abs(seconds - (199 * 0.03 / 8 + 0.02)) < 1e-9);
}

namespace {

/// Whether a stretch has a point inside the box of a node.
bool isThrough(Edge::Bend a, Edge::Bend b, const Node& node) {
    constexpr int steps = 400;
    for (int i = 0; i <= steps; ++i) {
        const double x = std::lerp(a.x, b.x, double(i) / steps), y = std::lerp(a.y, b.y, double(i) / steps);
        if (std::abs(x - node.x) < node.width / 2 - 1e-6 && std::abs(y - node.y) < node.height / 2 - 1e-6) return true;
    }
    return false;
}

Diagram operationGraphOf(ComputationGraph graph) {
    Scenario s = byHand();
    s.graphs[0].graph = std::move(graph);
    s.jobs.resize(1);
    RunIndex run(test::sourceOfRun(std::move(s)));
    run.update();
    return std::get<Diagram>(
        wholePicture(*findView("operation-graph"), {.run = run, .job = JobId(std::size_t{0}), .at = run.head()}));
}

} // namespace

/// Whichever layers they skip, in one row or over several.
void tst_AdmissionViews::edgesPassNoOtherOperation() {
    RandomStream random(3, Purpose::test, 71);
    std::size_t bent = 0;
    for (std::uint32_t g = 0; g < 40; ++g) {
        ComputationGraph graph = test::randomGraph(random, 3 + g);
        if (g == 0) // a block of a residual net: conv1 → conv2 → sum, and beside them conv1 → sum
            graph = {{{"conv1", 1, 1, 0, 0}, {"conv2", 1, 1, 0, 0}, {"sum", 1, 1, 0, 0}}, {{0, 1}, {1, 2}, {0, 2}}};
        const Diagram diagram = operationGraphOf(graph);
        QVERIFY(diagram.empty.empty() && !diagram.edges.empty());
        for (const Edge& edge : diagram.edges) {
            const Node &from = diagram.nodes[edge.from], &to = diagram.nodes[edge.to];
            std::vector<Edge::Bend> path{{from.x, from.y}};
            path.insert(path.end(), edge.bends.begin(), edge.bends.end());
            path.push_back({to.x, to.y});
            bent += edge.bends.empty() ? 0 : 1;
            for (std::size_t n = 0; n < diagram.nodes.size(); ++n)
                for (std::size_t p = 0; p + 1 < path.size() && n != edge.from && n != edge.to; ++p)
                    QVERIFY2(!isThrough(path[p], path[p + 1], diagram.nodes[n]),
                             (from.id + " → " + to.id + " through " + diagram.nodes[n].id).c_str());
        }
        if (g == 0) QCOMPARE(bent, std::size_t{1});
    }
    QVERIFY(bent > 100);
}

void tst_AdmissionViews::aBlockedJobIsWhole() {
    const Diagram c = std::get<Diagram>(pictureAt("operation-graph", 20, "c"));
    QCOMPARE(c.nodes.size(), std::size_t{2});
    QCOMPARE(c.nodes[0].label.english(), std::string("a")); // not "a ×1"
    QCOMPARE(*c.nodes[0].value, 16.0);
    QVERIFY(c.caution.english().find("blocked") != std::string::npos);
    QCOMPARE(c.legend.size(), std::size_t{3});
    QCOMPARE(c.legend[2].text.english(), std::string("blocked"));
    QCOMPARE(c.legend[0].label.english() + ": " + c.legend[0].text.english(), std::string("job: c"));
    QVERIFY(std::get<Diagram>(pictureAt("operation-graph", 20, "a")).caution.empty());
}

/// What the view prices anew is what the engine decided by.
void tst_AdmissionViews::repricedOptionsAreThoseOfTheEngine() {
    for (const GraphRules rules : {GraphRules::corrected, GraphRules::faithful}) {
        DiscreteLaw law{{.15, .3, .5, .8, 1}, {.2, .2, .2, .2, .2}};
        Scenario s = test::pooledScenario(rules, 3, 300, 1.0, false, law);
        s.policies.partitioner.id = "floor-k";
        RunIndex run(test::sourceOfRun(std::move(s)));
        run.update();
        const auto& course = run.fold<AdmissionCourse>();
        QCOMPARE(course.arrivals().size(), std::size_t{300});
        std::size_t accepted = 0;
        for (const auto& arrival : course.arrivals()) {
            const auto inTime = [](const GraphOption& o) { return o.state == OptionState::inTime; };
            if (arrival.rejected) {
                QVERIFY(std::ranges::none_of(arrival.priced.options, inTime));
                continue;
            }
            ++accepted;
            const auto option = std::ranges::find(arrival.priced.options, arrival.degree, &GraphOption::degree);
            QVERIFY(option != arrival.priced.options.end() && inTime(*option));
        }
        QVERIFY(accepted > 50 && accepted < 290);
        QCOMPARE(course.accepted().at(1e9), double(accepted));
    }
}

void tst_AdmissionViews::otherRunsHaveNone() {
    Scenario s = byHand();
    s.cluster.ramp.reset();
    s.cluster.links = meshCluster(16).links;
    for (Job& job : s.jobs) job.servers = {0, 0};
    RunIndex run(test::sourceOfRun(std::move(s)));
    run.update();
    for (const char* id :
         {"admissions", "free-blocks", "degree-options", "step-timeline", "ramp-grid", "operation-graph"}) {
        const View* view = findView(id);
        QVERIFY(view && view->concerns && !view->concerns(run, {}));
        QVERIFY(!emptyOf(wholePicture(*view, {.run = run, .job = {}, .at = run.head()})).empty());
    }
}

/// Jobs that are admitted at once make no updates: "A metric over time" shows what they are about.
void tst_AdmissionViews::metricIsTheBlockingRate() {
    const Chart chart = std::get<Chart>(pictureAt("metric", 20));
    QCOMPARE(chart.plots.at(0).y.key, std::string("blocking_rate_decided"));
    QCOMPARE(chart.plots.at(0).series.at(0).y.back(), 0.6); // c, d and e of five
}

TRAINYARD_TEST(tst_AdmissionViews)
#include "tst_AdmissionViews.moc"
