// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keyed jobs that train a model: equal to a loop over a plain array on one node, no step lost on many, whatever policies and schemes.
#include "engine/Executor.h"
#include "engine/Simulation.h"
#include "learning/keyed/PlainTraining.h"
#include "support/KeyedLoop.h"
#include "support/TestMain.h"

#include <cmath>
#include <cstring>

using namespace trainyard;
using namespace trainyard::test;

namespace {

KeyedTask taskOf(const QString& name) {
    if (name == "knowledge graph")
        return {.model = {"complex", {{"dimension", std::int64_t{8}}, {"negatives", std::int64_t{4}}}},
                .data = {"planted-graph", {{"entities", std::int64_t{200}}, {"facts", std::int64_t{1500}}}}};
    if (name == "word vectors")
        return {
            .model = {"word-vectors", {{"dimension", std::int64_t{10}}, {"negatives", std::int64_t{3}}, {"rate", 0.3}}},
            .data = {"planted-text", {{"sentences", std::int64_t{150}}, {"stems", std::int64_t{8}}}}};
    return {.model = {"factorization", {{"rank", std::int64_t{6}}}},
            .data = {"planted-matrix",
                     {{"rows", std::int64_t{120}}, {"columns", std::int64_t{40}}, {"cells", std::int64_t{2500}}}}};
}

KeyPlan planOf(const QString& name) {
    if (name == "static") return {};
    if (name == "relocating") return {.relocates = true};
    if (name == "adaptive") return {.relocates = true, .adapts = true};
    if (name == "ssp" || name == "essp") return {.caches = CachePlan{.eager = name == "essp"}};
    return {.relocates = true, .replication = ReplicationPlan{.count = 20, .syncsPerSecond = 2000}};
}

/// Of the same kind as planOf().
Choice parametersOf(const QString& name) {
    if (name == "static") return {"static", {}};
    if (name == "relocating") return {"relocating", {}};
    if (name == "adaptive") return {"adaptive", {}};
    if (name == "ssp") return {"replicated", {}};
    if (name == "essp") return {"replicated", {{"refresh", std::string("pushed")}}};
    return {"nups",
            {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{20}}, {"syncs_per_second", 2000.0}}};
}

Scenario scenarioOf(const KeyedTask& task, const QString& policy, int machines, int threads, int epochs) {
    Scenario scenario = keyedScenario(machines, threads, 1, parametersOf(policy));
    scenario.jobs[0].stop = {};
    scenario.jobs[0].stop.epochs = epochs;
    accessOf(scenario).task = task;
    if (policy.endsWith("ssp")) scenario.policies.synchronization = {"ssp", {{"staleness", std::int64_t{4}}}};
    return scenario;
}

KeyedSetup setupOf(BareKeyedRun& bare, const QString& policy) {
    KeyedSetup setup = bare.setup();
    if (policy.endsWith("ssp")) setup.pace.bound = 4;
    return setup;
}

void addCases(bool withTasks = true) {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("policy");
    for (const char* name : {"knowledge graph", "word vectors", "factorization"})
        for (const char* policy : {"static", "relocating", "nups", "adaptive", "ssp", "essp"})
            if (withTasks || std::strcmp(name, "factorization") == 0)
                QTest::addRow("%s, %s", name, policy) << QString(name) << QString(policy);
}

/// Adds 1 to each key that a step reads, as often as it reads it: what is in the store at the end is a count.
class CountingModel final : public KeyedModel {
public:
    std::uint32_t keys() const override { return 60; }
    std::uint32_t valuesPerKey() const override { return 3; }
    std::vector<KeyTable> tables() const override { return {{"all", 0, 60}}; }
    std::vector<double> accesses() const override {
        std::vector<double> out(60);
        for (std::uint32_t e = 0; e < examples(); ++e)
            for (const std::uint32_t key : keysOf(e)) ++out[key];
        for (double& count : out) count += samplesPerExample() * examples() / 60.0;
        return out;
    }
    void initialise(std::uint32_t, float* values) const override { std::fill_n(values, 3, 0.0f); }
    std::vector<std::uint32_t> share(std::uint32_t worker, std::uint32_t workers) const override {
        std::vector<std::uint32_t> out;
        for (std::uint32_t e = worker; e < examples(); e += workers) out.push_back(e);
        return out;
    }
    std::uint32_t examples() const override { return 900; }
    void keysOf(std::uint32_t example, std::vector<std::uint32_t>& out) const override {
        RandomStream random(7, Purpose::batch, example);
        const std::uint64_t count = 1 + random.below(8);
        for (std::uint64_t n = 0; n < count; ++n) // some keys more often than others, and twice in one example
            out.push_back(static_cast<std::uint32_t>(random.below(1 + random.below(60))));
    }
    std::vector<std::uint32_t> keysOf(std::uint32_t example) const {
        std::vector<std::uint32_t> out;
        keysOf(example, out);
        return out;
    }
    std::uint32_t samplesPerExample() const override { return 5; }
    SampleLaw sampleLaw() const override { return {0, std::vector<double>(60, 1.0)}; }
    double step(std::uint32_t, std::span<const float* const>, std::span<float* const> deltas, double) const override {
        for (float* delta : deltas) std::fill_n(delta, 3, 1.0f);
        return 1;
    }
    std::vector<Quality> evaluate(const ReadValues&) const override { return {}; }
};

double sumOf(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Of the last evaluation.
std::vector<double> lastQualities(const EventLog& log) {
    std::vector<double> out;
    for (const Event& event : eventsOf(log, EventType::qualityEvaluated)) {
        out.resize(std::max<std::size_t>(out.size(), event.aux + 1u));
        out[event.aux] = event.value;
    }
    return out;
}

} // namespace

class tst_KeyedTasks : public QObject {
    Q_OBJECT
private slots:
    void oneWorkerEqualsThePlainLoop_data() { addCases(); }
    void oneWorkerEqualsThePlainLoop();
    void executedEqualsThePlainLoop_data() { addCases(); }
    void executedEqualsThePlainLoop();
    void noStepIsLost_data();
    void noStepIsLost();
    void fourNodesLearnAsWell_data() { addCases(); }
    void fourNodesLearnAsWell();
    void executedNodesLearnAsWell_data() { addCases(); }
    void executedNodesLearnAsWell();
    void windowsChangeNothing_data() { addCases(); }
    void windowsChangeNothing();
    void anEpochIsAllExamplesOnce();
    void failuresGoBackToCheckpoints();
    void aLossEndsTheJob();
    void clonesGoOnAlike();
};

void tst_KeyedTasks::oneWorkerEqualsThePlainLoop() {
    QFETCH(QString, name);
    QFETCH(QString, policy);
    BareKeyedRun bare(scenarioOf(taskOf(name), policy, 1, 1, 2), planOf(policy), 1, 1);
    KeyedRun run(setupOf(bare, policy));
    PlainTraining plain(bare.model(), 1, 2);
    const std::uint32_t length = bare.model().valuesPerKey();
    for (std::uint64_t epoch = 1; epoch <= 2; ++epoch) {
        run.goOn(epoch * bare.model().examples(), SimTime::seconds(static_cast<double>(epoch)));
        run.advance(SimTime::never(), bare.delays());
        QCOMPARE(run.evaluate().loss, plain.epoch());
        const auto values = run.snapshot().values;
        for (std::uint32_t key = 0; key < bare.model().keys(); ++key)
            QVERIFY(std::memcmp(&values[std::size_t{key} * length], plain.values(key), length * sizeof(float)) == 0);
    }
    const auto found = run.evaluate().qualities, right = plain.evaluate();
    QCOMPARE(found.size(), right.size());
    for (std::size_t n = 0; n < right.size(); ++n) QCOMPARE(found[n].value, right[n].value);
}

void tst_KeyedTasks::executedEqualsThePlainLoop() {
    QFETCH(QString, name);
    QFETCH(QString, policy);
    const Scenario scenario = scenarioOf(taskOf(name), policy, 1, 1, 2);
    auto execution = Executor::create(optionsFor(scenario, 1));
    QVERIFY(execution.ok());
    (*execution)->run({}, [] {});
    const BareKeyedRun bare(scenario, planOf(policy), 1, 1);
    PlainTraining plain(bare.model(), 1, 2);
    const auto losses = eventsOf((*execution)->log(), EventType::lossEvaluated);
    QCOMPARE(losses.size(), std::size_t{2});
    for (const Event& event : losses) QCOMPARE(event.value, plain.epoch());
    const auto found = lastQualities((*execution)->log());
    const auto right = plain.evaluate();
    QCOMPARE(found.size(), right.size());
    for (std::size_t n = 0; n < right.size(); ++n) QCOMPARE(found[n], right[n].value);
}

void tst_KeyedTasks::noStepIsLost_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<int>("scheme");
    QTest::addColumn<int>("machines");
    QTest::addColumn<int>("threads");
    for (const char* policy : {"static", "relocating", "nups", "adaptive", "ssp", "essp"})
        for (int scheme = 0; scheme <= int(SamplingScheme::repurposed); ++scheme)
            for (const auto& [machines, threads] : {std::pair(4, 1), std::pair(3, 2)})
                QTest::addRow("%s, scheme %d, %d × %d", policy, scheme, machines, threads)
                    << QString(policy) << scheme << machines << threads;
}

void tst_KeyedTasks::noStepIsLost() {
    QFETCH(QString, policy);
    QFETCH(int, scheme);
    QFETCH(int, machines);
    QFETCH(int, threads);
    KeyedTask task = taskOf("knowledge graph");
    task.sampling = {.level = Conformity::nonConform, .scheme = SamplingScheme(scheme), .group = 20, .reuse = 3};
    BareKeyedRun bare(scenarioOf(task, policy, machines, threads, 1), planOf(policy), machines, threads);
    const auto counting = std::make_shared<const CountingModel>();
    bare.replaceModel(counting);
    KeyedRun run(setupOf(bare, policy));
    run.goOn(900, {});
    run.advance(SimTime::never(), bare.delays());
    QVERIFY(run.quietSince());
    const auto values = run.snapshot().values;
    double own = 0;
    std::vector<double> least(60);
    for (std::uint32_t e = 0; e < 900; ++e)
        for (const std::uint32_t key : counting->keysOf(e)) ++least[key], ++own;
    QCOMPARE(sumOf(values), 3 * (own + 5 * 900));
    for (std::size_t key = 0; key < 60; ++key) QVERIFY(values[3 * key] >= least[key]);
}

// Steps of several nodes meet older parameters: what is learned lies within what seeds make of it.
void tst_KeyedTasks::fourNodesLearnAsWell() {
    QFETCH(QString, name);
    QFETCH(QString, policy);
    Scenario scenario = scenarioOf(taskOf(name), policy, 4, 1, 4);
    std::get<AnalyticWork>(scenario.jobs[0].work).secondsPerSample = 2e-5;
    constexpr int seeds = 5;
    std::vector<double> alone, together;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const auto workload = withKeyedModels(scenario, expandWorkload(scenario, seed), seed).value();
        PlainTraining plain(*workload->jobs[0].keyedAccess()->model, seed, 4);
        double loss = 0;
        for (int epoch = 0; epoch < 4; ++epoch) loss = plain.epoch();
        alone.push_back(loss);
        auto simulation = Simulation::create(optionsFor(scenario, seed));
        QVERIFY(simulation.ok());
        while ((*simulation)->step()) {}
        const auto losses = eventsOf((*simulation)->log(), EventType::lossEvaluated);
        QCOMPARE(losses.size(), std::size_t{4});
        together.push_back(losses.back().value);
    }
    const double mean = std::accumulate(alone.begin(), alone.end(), 0.0) / seeds;
    double square = 0, difference = 0;
    for (int n = 0; n < seeds; ++n) {
        square += (alone[n] - mean) * (alone[n] - mean);
        difference += (together[n] - alone[n]) / seeds;
    }
    qInfo("alone %.4f ± %.4f, four nodes %+.4f", mean, std::sqrt(square / (seeds - 1)), difference);
    // Under adaptive nearly all keys of so small a model are copies, which are as old as their last refresh.
    const double band = policy == "adaptive" ? 0.5 * mean : 0.05 * mean;
    QVERIFY(std::abs(difference) < std::max(3 * std::sqrt(square / (seeds - 1)), band));
}

void tst_KeyedTasks::executedNodesLearnAsWell() {
    QFETCH(QString, name);
    QFETCH(QString, policy);
    const Scenario scenario = scenarioOf(taskOf(name), policy, 2, 2, 3);
    // In which order keys are read and written, and how old copies are, is up to the threads: losses of the graph have a standard
    // deviation of 0.1 (executed, and simulated over seeds) around 2.4, under adaptive of 0.35 around 2.70, with idle and busy cores.
    // Means of four seeds, and of twelve runs, differ by their bound by chance in less than one of 10,000 tests.
    const std::uint64_t seeds = 4, runs = policy == "adaptive" ? 12 : seeds;
    double first = 0, last = 0, model = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        auto execution = Executor::create(optionsFor(scenario, 1 + run % seeds));
        QVERIFY(execution.ok());
        (*execution)->run({}, [] {});
        const auto losses = eventsOf((*execution)->log(), EventType::lossEvaluated);
        QCOMPARE(losses.size(), std::size_t{3});
        first += losses.front().value / static_cast<double>(runs);
        last += losses.back().value / static_cast<double>(runs);
    }
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        auto simulation = Simulation::create(optionsFor(scenario, seed));
        while ((*simulation)->step()) {}
        model += eventsOf((*simulation)->log(), EventType::lossEvaluated).back().value / static_cast<double>(seeds);
    }
    qInfo("executed %.4f, simulated %.4f", last, model);
    QVERIFY(std::abs(last - model) < 0.15 * model);
    QVERIFY(last < 0.97 * first);
}

void tst_KeyedTasks::windowsChangeNothing() {
    QFETCH(QString, name);
    QFETCH(QString, policy);
    KeyedTask task = taskOf(name);
    task.sampling.level = Conformity::longTerm; // asks what is here
    BareKeyedRun bare(scenarioOf(task, policy, 3, 2, 1), planOf(policy), 3, 2);
    std::vector<float> values;
    SimTime end;
    for (const std::int64_t window : {80'000, 1'000, 37}) {
        KeyedSetup setup = setupOf(bare, policy);
        setup.mostWindow = Duration::nanoseconds(window);
        KeyedRun run(setup);
        run.goOn(600, {});
        run.advance(SimTime::never(), bare.delays());
        const auto found = run.snapshot().values;
        if (values.empty()) values = found, end = *run.quietSince();
        QVERIFY(std::memcmp(values.data(), found.data(), values.size() * sizeof(float)) == 0);
        QCOMPARE(run.quietSince()->ns, end.ns);
    }
}

// Rows of a matrix are a worker's own, and some have many more cells than others.
void tst_KeyedTasks::anEpochIsAllExamplesOnce() {
    BareKeyedRun bare(scenarioOf(taskOf("factorization"), "relocating", 4, 2, 3), planOf("relocating"), 4, 2);
    KeyedRun run(bare.setup());
    const std::uint64_t examples = bare.model().examples();
    for (std::uint64_t epoch = 1; epoch <= 3; ++epoch) {
        run.goOn(epoch * examples, SimTime::seconds(static_cast<double>(epoch)));
        run.advance(SimTime::never(), bare.delays());
        std::uint32_t number = 0;
        for (std::size_t n = 0; n < run.nodes(); ++n)
            for (const KeyedWorker& worker : run.node(n).workers())
                QCOMPARE(worker.iterations, epoch * bare.model().share(number++, 8).size());
    }
}

void tst_KeyedTasks::failuresGoBackToCheckpoints() {
    Scenario scenario = scenarioOf(taskOf("knowledge graph"), "relocating", 4, 1, 3);
    scenario.cluster.storage = "s";
    scenario.jobs[0].checkpoint.everyIterations = 500;
    scenario.jobs[0].workers = {4, 4};
    auto undisturbed = Simulation::create(optionsFor(scenario, 1));
    QVERIFY(undisturbed.ok());
    while ((*undisturbed)->step()) {}
    const double end = eventsOf((*undisturbed)->log(), EventType::jobFinished)[0].time.toSeconds();
    scenario.faults = {{.key = "m2", .atSeconds = 0.6 * end, .repairAfterSeconds = 0.1 * end}};
    auto simulation = Simulation::create(optionsFor(scenario, 1));
    QVERIFY(simulation.ok());
    while ((*simulation)->step()) {}
    const auto restored = eventsOf((*simulation)->log(), EventType::jobRestored);
    QCOMPARE(restored.size(), std::size_t{1});
    QCOMPARE(restored[0].count() % 500, std::uint64_t{0});
    QVERIFY(restored[0].count() > 0);
    QCOMPARE(eventsOf((*simulation)->log(), EventType::jobFinished).size(), std::size_t{1});
    const double before = eventsOf((*undisturbed)->log(), EventType::lossEvaluated).back().value,
                 after = eventsOf((*simulation)->log(), EventType::lossEvaluated).back().value;
    qInfo("loss %.4f, with a failure %.4f", before, after);
    QVERIFY(std::abs(after - before) < 0.1 * before);
}

void tst_KeyedTasks::aLossEndsTheJob() {
    Scenario scenario = scenarioOf(taskOf("knowledge graph"), "relocating", 2, 1, 30);
    auto whole = Simulation::create(optionsFor(scenario, 1));
    while ((*whole)->step()) {}
    const auto losses = eventsOf((*whole)->log(), EventType::lossEvaluated);
    scenario.jobs[0].stop.loss = losses[6].value;
    for (const bool real : {false, true}) {
        std::vector<Event> ends;
        if (real) {
            auto execution = Executor::create(optionsFor(scenario, 1));
            (*execution)->run({}, [] {});
            ends = eventsOf((*execution)->log(), EventType::jobFinished);
        } else {
            auto simulation = Simulation::create(optionsFor(scenario, 1));
            while ((*simulation)->step()) {}
            ends = eventsOf((*simulation)->log(), EventType::jobFinished);
            QCOMPARE(ends[0].count(), losses[6].count());
        }
        QCOMPARE(ends.size(), std::size_t{1});
        QCOMPARE(FinishReason(ends[0].aux), FinishReason::loss);
        QVERIFY(ends[0].value <= losses[6].value);
    }
}

void tst_KeyedTasks::clonesGoOnAlike() {
    const Scenario scenario = scenarioOf(taskOf("word vectors"), "nups", 3, 1, 2);
    auto simulation = Simulation::create(optionsFor(scenario, 1));
    QVERIFY(simulation.ok());
    while ((*simulation)->nextTime() < SimTime::seconds(0.01) && (*simulation)->step()) {}
    auto copy = (*simulation)->clone();
    while ((*simulation)->step()) {}
    while (copy->step()) {}
    QCOMPARE(copy->log().digest(), (*simulation)->log().digest());
    auto anew = Simulation::create(optionsFor(scenario, 1));
    while ((*anew)->step()) {}
    QCOMPARE((*anew)->log().digest(), copy->log().digest());
}

TRAINYARD_TEST(tst_KeyedTasks)
#include "tst_KeyedTasks.moc"
