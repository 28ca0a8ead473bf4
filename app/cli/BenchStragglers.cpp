// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Straggler-tolerant training: an iteration of the fastest ten of very many workers, the canonical scenario
// under many strategies, and the choice among very many options.
#include "Bench.h"
#include "Common.h"
#include "base/Random.h"
#include "engine/Simulation.h"
#include "planning/StepEnvelope.h"
#include "run/compare/Comparison.h"
#include "scenario/ScenarioFile.h"

#include <benchmark/benchmark.h>

#include <cmath>

namespace trainyard::cli {

namespace bench_stragglers {

constexpr auto secondsEach =
    static_cast<benchmark::Counter::Flags>(static_cast<unsigned>(benchmark::Counter::kIsIterationInvariantRate) |
                                           static_cast<unsigned>(benchmark::Counter::kInvert));
constexpr std::size_t strategies = 20, seeds = 10, options = 10'000;

struct C1 {
    std::shared_ptr<const Registry> registry = std::make_shared<const Registry>(Registry::builtin());
    std::shared_ptr<Scenario> scenario;
};

/// The shipped file, or why there is none.
Result<C1> readC1() {
    C1 out;
    auto read = readScenario(resourcePaths().root.parent_path() / "scenarios/papers/stragglers/c1.json", *out.registry);
    if (!read) return read.problems();
    out.scenario = std::make_shared<Scenario>(std::move(read).value().scenario);
    out.scenario->explanations = WhyLevel::off;
    return out;
}

/// Fastest-10 of n workers, after the start; each benchmark iteration is one update.
void iteration(benchmark::State& state, int workers, const char* measure) {
    const auto c1 = readC1();
    if (!c1) return state.SkipWithError(c1.problems().front().text().c_str());
    Scenario scenario = *c1->scenario;
    scenario.jobs[0].workers = {workers, workers};
    scenario.jobs[0].stop = {};
    scenario.jobs[0].stop.seconds = 1e9;
    scenario.policies.synchronization = {"fastest-k", {{"k", std::int64_t{10}}}};
    auto made = Simulation::create({.scenario = std::make_shared<const Scenario>(std::move(scenario)),
                                    .registry = c1->registry,
                                    .resources = resourcePaths(),
                                    .threads = 1});
    if (!made) return state.SkipWithError(made.problems().front().text().c_str());
    Simulation& simulation = **made;
    const auto toUpdate = [&](std::uint64_t update) {
        while (simulation.state().job(JobId(0)).updates < update)
            if (!simulation.step()) return;
    };
    std::uint64_t update = 20; // stores and queues have grown to their size
    toUpdate(update);
    for (auto _ : state) toUpdate(++update);
    state.counters[measure] = benchmark::Counter(1, secondsEach);
}

/// Every strategy with every seed, on two cores.
void canonical(benchmark::State& state) {
    const auto c1 = readC1();
    if (!c1) return state.SkipWithError(c1.problems().front().text().c_str());
    ComparisonRequest request{
        .scenario = c1->scenario, .registry = c1->registry, .resources = resourcePaths(), .threads = 2};
    for (const auto& variant : c1->scenario->variants)
        if (request.arms.size() < strategies)
            request.arms.push_back({variant.name, {{variant.family, variant.choice}}});
    for (std::size_t seed = 1; seed <= seeds; ++seed) request.seeds.push_back(seed);
    for (auto _ : state)
        if (const auto result = compare(request); !result.problems.empty())
            state.SkipWithError(result.problems.front().text().c_str());
    state.counters["stragglers_c1_s"] = benchmark::Counter(1, secondsEach);
}

/// Lines of a grid of k and load whose times are those of exponential answers: many of them on the envelope.
void envelope(benchmark::State& state) {
    const LossConstants constants{.smoothness = 1, .convexity = 1, .noise = 100, .growth = 101};
    const ErrorModel model = boundModel(constants, 0.05);
    std::vector<RateLine> lines;
    for (int load = 1; load <= 100; ++load)
        for (int k = 1; k <= 100; ++k) {
            const double beta = load / 100.0, time = (0.5 + 0.5 * beta) * -std::log1p(-k / 101.0);
            lines.push_back(rateLine(model, {.waitFor = k, .load = beta, .samples = 40 * beta * k, .cost = time}));
        }
    for (auto _ : state) benchmark::DoNotOptimize(upperEnvelope(lines).size());
    state.counters["stragglers_envelope_10k_s"] = benchmark::Counter(1, secondsEach);
}

} // namespace bench_stragglers

void addStragglerBenchmarks(Measures& measures) {
    using namespace bench_stragglers;
    const char *small = "stragglers_iteration_1k_s", *large = "stragglers_iteration_10k_s";
    benchmark::RegisterBenchmark("fastest 10 of 1,000", iteration, 1000, small)->Iterations(1000);
    benchmark::RegisterBenchmark("fastest 10 of 10,000", iteration, 10'000, large)->Iterations(300);
    benchmark::RegisterBenchmark("C1, 20 strategies, 10 seeds", canonical)->Iterations(1);
    benchmark::RegisterBenchmark("envelope of 10,000 options", envelope);
    measures.push_back({large, "s",
                        "one iteration of C1 with 10,000 workers that waits for the fastest 10: all begin a task, "
                        "the other 9,990 are cancelled; one core"});
    measures.push_back({small, "s", "the same with 1,000 workers"});
    measures.push_back({"stragglers_iteration_ratio_10k_to_1k", "1", "the one over the other",
                        [small, large](const MeasuredValues& v) {
                            return v.count(small) && v.count(large) ? v.at(large) / v.at(small) : 0.0;
                        }});
    measures.push_back(
        {"stragglers_c1_s", "s", "C1 under the first 20 of its variants, 10 seeds each, to its end, two cores"});
    measures.push_back(
        {"stragglers_envelope_10k_s", "s", "the upper envelope of 10,000 options (k, load) from their lines"});
}

} // namespace trainyard::cli
