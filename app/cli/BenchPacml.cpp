// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Decisions of the loss system, look-aheads, and arrivals from nothing. Graphs are drawn, so that no profiles are needed.
#include "Bench.h"

#include "engine/Simulation.h"
#include "model/Topologies.h"
#include "planning/agents/DegreeScorer.h"
#include "planning/graphs/DegreeRules.h"
#include "planning/graphs/GraphArrivals.h"
#include "training/AgentTrainer.h"
#include "training/QLearning.h"

#include <benchmark/benchmark.h>

#include <chrono>

namespace trainyard::cli {

namespace bench_pacml {

template <class Body>
double secondsOf(Body body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A chain of so many operations with a skip connection over each `skip`th; times in seconds.
std::shared_ptr<const ComputationGraph> drawnGraph(std::uint32_t operations, std::uint32_t skip, double seconds,
                                                   std::uint32_t number) {
    RandomStream random(1, Purpose::jobShape, 44, number);
    ComputationGraph graph;
    double sum = 0;
    for (std::uint32_t v = 0; v < operations; ++v) {
        const double forward = 0.1 + random.unit();
        graph.operations.push_back({"", forward, 2 * forward, 5e7 * random.unit(), 1e7 * random.unit()});
        sum += 3 * forward;
        if (v > 0) graph.dependencies.push_back({v - 1, v});
        if (v >= 3 && v % skip == 0) graph.dependencies.push_back({v - 3, v});
    }
    for (Operation& op : graph.operations) {
        op.forwardSeconds *= seconds / sum;
        op.backwardSeconds *= seconds / sum;
    }
    return std::make_shared<const ComputationGraph>(std::move(graph));
}

GraphPricer drawnPricer(const GraphSetting& setting) {
    GraphPricer pricer({}, setting);
    const std::uint32_t operations[]{23, 48, 71, 68, 41};
    const double seconds[]{.721, .0894, .733, .760, .690}; // of a step, like five published profiles
    for (std::uint32_t g = 0; g < 5; ++g)
        pricer.add(drawnGraph(operations[g], 8, seconds[g] * setting.timeScale, g), 50);
    return pricer;
}

GraphWorkload uniformDeadlines(double gap) {
    GraphWorkload workload{.graphs = 5, .replication = 201, .beta = {}, .gapSeconds = gap};
    for (int i = 10; i <= 100; ++i) {
        workload.beta.values.push_back(i / 100.0);
        workload.beta.probabilities.push_back(1 / 91.0);
    }
    return workload;
}

/// Arrivals served by a rule; with `all`, every option of each is priced.
std::size_t play(GraphPricer& pricer, const std::vector<GraphArrival>& arrivals, const DegreeRule& rule, bool all) {
    LossSystem system;
    RandomStream random(1, Purpose::policy);
    std::vector<GraphOption> options;
    std::size_t served = 0;
    for (const GraphArrival& job : arrivals) {
        system.advance(job.seconds);
        std::optional<GraphOption> chosen;
        if (all) {
            pricer.priceAll(job.graph, job.beta * pricer.sequentialSeconds(job.graph), system.occupied(), options);
            if (const auto i = chosenOption(rule, options, job.beta, random)) chosen = options[*i];
        } else {
            chosen = chosenOption(rule, pricer, system, job.graph, job.beta, random);
        }
        if (!chosen || chosen->state != OptionState::inTime) continue;
        system.place(chosen->servers, job.seconds + chosen->seconds);
        ++served;
    }
    return served;
}

double decisionsPerSecond(const DegreeRule& rule, bool all) {
    GraphPricer pricer = drawnPricer(GraphSetting::corrected());
    const auto arrivals = drawArrivals(uniformDeadlines(1.25), 200'000, 1);
    play(pricer, arrivals, rule, all); // every pattern has been seen
    const double seconds = secondsOf([&] { benchmark::DoNotOptimize(play(pricer, arrivals, rule, all)); });
    return static_cast<double>(arrivals.size()) / seconds;
}

double coldSeconds() {
    return secondsOf([] {
        GraphPricer pricer = drawnPricer(GraphSetting::faithful());
        benchmark::DoNotOptimize(
            play(pricer, drawArrivals(uniformDeadlines(1000), 1001, 1), {DegreeRule::Kind::max, 0}, false));
    });
}

/// Arrivals as above on the engine, with its log, from the scenario to the end of the run.
double engineJobsPerSecond() {
    constexpr int jobs = 20'000;
    Scenario scenario;
    scenario.cluster = rampCluster(4, 4, 2);
    scenario.cluster.links.clear();
    scenario.cluster.ramp.emplace();
    const double seconds[]{.721, .0894, .733, .760, .690};
    const std::uint32_t operations[]{23, 48, 71, 68, 41};
    for (std::uint32_t g = 0; g < 5; ++g)
        scenario.graphs.push_back({std::to_string(g), *drawnGraph(operations[g], 8, seconds[g], g)});
    const GraphWorkload workload = uniformDeadlines(1.25);
    JobGenerator& generator = scenario.generators.emplace_back();
    generator.key = "job";
    generator.arrivals = JobGenerator::Arrivals::fixed;
    generator.count = jobs;
    generator.meanInterarrivalSeconds = workload.gapSeconds;
    generator.job.workers = {1, 16};
    generator.job.work = GraphWork{.steps = 50, .admission = Admission::immediate};
    generator.pool =
        GraphPool{.graphs = {}, .copies = static_cast<int>(workload.replication), .deadlines = workload.beta};
    scenario.policies.partitioner = {"floor-k", {{"k", std::int64_t{6}}}};
    const SimulationOptions options{.scenario = std::make_shared<const Scenario>(std::move(scenario)),
                                    .registry = std::make_shared<const Registry>(Registry::builtin()),
                                    .resources = ResourcePaths::find({}),
                                    .seed = 1,
                                    .threads = 1};
    return jobs / secondsOf([&] {
               const auto run = Simulation::create(options);
               while ((*run)->step()) {}
               benchmark::DoNotOptimize((*run)->log().size());
           });
}

/// The least of several. Each operation takes a millisecond forward on average, so that all are split 16 ways.
double lookaheadSeconds(std::uint32_t operations, std::uint32_t skip) {
    const auto graph = drawnGraph(operations, skip, 1e-3 * operations * 3, 9);
    const ServerBlocks blocks({});
    double least = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto split = SplitGraph::make(*graph, 16, {});
        const auto choice = firstFit(split->sizes(), blocks, 0);
        const auto placement = placementOf(*split, blocks, *choice);
        least = std::min(least, secondsOf([&] {
                             benchmark::DoNotOptimize(lookAhead(*split, placement, blocks.network(), {}).seconds);
                         }));
    }
    return least;
}

/// With all options priced; the net's parameters do not matter.
double agentDecisionSeconds(NetShape shape, const std::vector<std::size_t>& hidden) {
    GraphPricer pricer = drawnPricer(GraphSetting::corrected());
    const GraphWorkload workload = uniformDeadlines(2);
    const auto states = std::make_shared<const AfterStates>(std::make_shared<const ServerBlocks>(OpticalNetwork{}));
    DegreeNet net{hidden, std::vector<float>(parameterCount(shape, hidden, *states)), shape};
    RandomStream random(1, Purpose::initialWeights);
    for (float& parameter : net.parameters) parameter = static_cast<float>(0.05 * random.normal());
    const auto scorer = makeScorer(states, std::make_shared<const DegreeNet>(std::move(net)), pricer, workload);
    const auto arrivals = drawArrivals(workload, 20'000, 1);
    const auto decide = [&] {
        LossSystem system;
        std::vector<GraphOption> options;
        for (const GraphArrival& job : arrivals) {
            system.advance(job.seconds);
            pricer.priceAll(job.graph, job.beta * pricer.sequentialSeconds(job.graph), system.occupied(), options);
            const auto chosen = scorer->choose({system, job.seconds, job.graph, job.beta, options});
            if (chosen) system.place(options[*chosen].servers, job.seconds + options[*chosen].seconds);
        }
        benchmark::DoNotOptimize(system.running());
    };
    decide(); // every pattern has been seen
    return secondsOf(decide) / static_cast<double>(arrivals.size());
}

/// Five graphs of the published sizes and times, one law.
std::shared_ptr<const TrainingWorld> drawnWorld() {
    TrainingSource source;
    const std::uint32_t operations[]{23, 48, 71, 68, 41};
    const double seconds[]{.721, .0894, .733, .760, .690};
    for (std::uint32_t g = 0; g < 5; ++g) source.graphs.push_back(drawnGraph(operations[g], 8, seconds[g], g));
    source.laws = {uniformDeadlines(1).beta};
    return std::make_shared<const TrainingWorld>(std::move(source));
}

/// Arrivals that the trainer learns from, with episodes and all, on two threads, once `settled` says that every pattern has been seen.
template <class Settled>
double arrivalsPerSecond(StageTrainer& trainer, Settled settled) {
    const Parallel parallel(2);
    while (!settled()) trainer.step(parallel);
    const std::uint64_t before = trainer.state().steps;
    const double took = secondsOf([&] {
        while (!trainer.done()) trainer.step(parallel);
    });
    return static_cast<double>(trainer.state().steps - before) / took;
}

double optimizedArrivalsPerSecond() {
    TrainingSettings settings;
    settings.distillIterations = 0;
    settings.valueIterations = 2;
    settings.policyIterations = 8;
    AgentTrainer trainer(drawnWorld(), settings, 1);
    return arrivalsPerSecond(trainer, [&] { return trainer.phase() != AgentTrainer::Phase::value; });
}

/// With the usual eight updates of 512 arrivals for each 4,096.
double learnedArrivalsPerSecond() {
    QLearningSettings settings;
    settings.iterations = 12;
    QLearning trainer(drawnWorld(), settings, 1);
    return arrivalsPerSecond(trainer, [&] { return trainer.state().iteration >= 2; });
}

} // namespace bench_pacml

void addPacmlBenchmarks(Measures& measures) {
    using namespace bench_pacml;
    addCase(measures, "pacml_decisions_per_s", "decisions/s",
            "arrivals of five graphs at an optical cluster of 32 servers, one option priced (constant 8)", [] {
                return decisionsPerSecond({DegreeRule::Kind::constant, 8}, false);
            });
    addCase(measures, "pacml_all_priced_per_s", "decisions/s", "the same with all options priced (floor 6)", [] {
        return decisionsPerSecond({DegreeRule::Kind::floor, 6}, true);
    });
    addCase(measures, "pacml_engine_jobs_per_s", "jobs/s",
            "20,000 such arrivals on the engine, with log, explanations and all options priced (floor-k 6)",
            engineJobsPerSecond);
    addCase(measures, "pacml_cold_1000_max_s", "s",
            "1,001 arrivals under max by the published rules, with all look-aheads", coldSeconds);
    addCase(measures, "pacml_agent_decision_s", "s",
            "a decision of a trained agent (hidden layers of 128 and 64), with all options priced", [] {
                return agentDecisionSeconds(NetShape::afterStates, {128, 64});
            });
    addCase(measures, "pacml_graph_agent_decision_s", "s",
            "a decision of an agent of the paper's shape (hidden layers of 256), with all options priced", [] {
                return agentDecisionSeconds(NetShape::graphNetwork, {256, 256});
            });
    addCase(measures, "pacml_training_steps_per_s", "arrivals/s",
            "policy optimization of an agent (hidden layers of 64 and 32) with its environment, on two threads",
            optimizedArrivalsPerSecond);
    addCase(measures, "pacml_q_learning_steps_per_s", "arrivals/s",
            "Q-learning of an agent of the paper's shape (hidden layers of 256) with its environment, on two threads",
            learnedArrivalsPerSecond);
    addCase(measures, "pacml_lookahead_16_s", "s",
            "a look-ahead at 16 ways of a graph of 177 operations and 197 dependencies, like ResNet-50",
            [] { return lookaheadSeconds(177, 8); });
    addCase(measures, "pacml_lookahead_large_s", "s",
            "the same of 1,200 operations: nearly a million dependencies of parts",
            [] { return lookaheadSeconds(1'200, 8); });
}

} // namespace trainyard::cli
