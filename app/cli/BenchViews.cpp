// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Views of a run of a million events: folding its log, each view at its end, and each view following it.
#include "Bench.h"
#include "Common.h"

#include "analysis/RunIndex.h"
#include "analysis/View.h"
#include "engine/Simulation.h"
#include "scenario/ScenarioFile.h"

#include <benchmark/benchmark.h>

namespace trainyard::cli {

namespace bench_views {

constexpr auto secondsEach =
    static_cast<benchmark::Counter::Flags>(static_cast<unsigned>(benchmark::Counter::kIsIterationInvariantRate) |
                                           static_cast<unsigned>(benchmark::Counter::kInvert));
constexpr std::size_t events = 1'000'000, atATime = 2000; // about what a frame brings

/// The canonical straggler scenario under the policy that every view has something to say of, or why there is
/// none.
Result<RunSource> millionEvents() {
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    auto read = readScenario(resourcePaths().root.parent_path() / "scenarios/papers/stragglers/c1.json", *registry);
    if (!read) return read.problems();
    auto scenario = std::make_shared<Scenario>(std::move(read).value().scenario);
    for (const Variant& variant : scenario->variants)
        if (variant.name == "adaptive-load-exact") scenario->policies.synchronization = variant.choice;
    scenario->jobs[0].stop = {};
    scenario->jobs[0].stop.seconds = 1e9;
    scenario->horizonSeconds = 1e9;
    auto made =
        Simulation::create({.scenario = scenario, .registry = registry, .resources = resourcePaths(), .threads = 1});
    if (!made) return made.problems();
    Simulation& simulation = **made;
    while (simulation.log().size() < events && simulation.step()) {}
    return RunSource{.scenario = scenario,
                     .seed = scenario->seed,
                     .workload = simulation.workload(),
                     .log = std::make_shared<const EventLog>(simulation.log()),
                     .explanations = simulation.explanations().shared(),
                     .resources = resourcePaths().root};
}

const Result<RunSource>& source() {
    static const Result<RunSource> run = millionEvents();
    return run;
}

void fold(benchmark::State& state) {
    if (!source()) return state.SkipWithError(source().problems().front().text().c_str());
    for (auto _ : state) {
        RunIndex index(*source());
        index.update();
        benchmark::DoNotOptimize(index.position());
    }
    state.counters["views_fold_1m_s"] = benchmark::Counter(1, secondsEach);
}

/// As at first: whatever further folds it needs are made too.
void appears(benchmark::State& state, const View* view) {
    if (!source()) return state.SkipWithError(source().problems().front().text().c_str());
    for (auto _ : state) {
        state.PauseTiming();
        RunIndex index(*source());
        index.update();
        state.ResumeTiming();
        benchmark::DoNotOptimize(pictureNow(*view, {.run = index, .job = {}, .at = index.head()}));
    }
    state.counters["view_" + view->id + "_first_s"] = benchmark::Counter(1, secondsEach);
}

void follows(benchmark::State& state, const View* view) {
    if (!source()) return state.SkipWithError(source().problems().front().text().c_str());
    RunIndex index(*source());
    index.update(events - 200 * atATime);
    wholePicture(*view, {.run = index, .job = {}, .at = index.head()});
    for (auto _ : state) {
        index.update(atATime);
        benchmark::DoNotOptimize(pictureNow(*view, {.run = index, .job = {}, .at = index.head()}));
    }
    state.counters["view_" + view->id + "_frame_s"] = benchmark::Counter(1, secondsEach);
}

} // namespace bench_views

void addViewBenchmarks(Measures& measures) {
    using namespace bench_views;
    benchmark::RegisterBenchmark("fold a million events", fold)->Iterations(5);
    measures.push_back({"views_fold_1m_s", "s", "folding the log of a run of a million events into its index"});
    for (const View& view : views()) {
        benchmark::RegisterBenchmark((view.id + " appears").c_str(), appears, &view)->Iterations(5);
        benchmark::RegisterBenchmark((view.id + " follows").c_str(), follows, &view)->Iterations(200);
        measures.push_back({"view_" + view.id + "_first_s", "s",
                            "its first picture at the end of the million, on the window's thread"});
        measures.push_back(
            {"view_" + view.id + "_frame_s", "s", "the next 2,000 events folded, and its picture after them"});
    }
}

} // namespace trainyard::cli
