// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keyed jobs: iterations of the zipf loop in virtual time on one core, and what a read and an addition cost a thread whose node has the
// key. Set-up (tables of the law, stores) is not counted.
#include "Bench.h"
#include "Common.h"
#include "engine/Simulation.h"
#include "engine/keyed/KeyCursor.h"
#include "learning/keyed/PlainTraining.h"
#include "policy/keys/KeyNode.h"
#include "record/Events.h"
#include "studies/nups/NupsStudy.h"
#include "studies/nups/NupsTasks.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <ctime>
#include <stdexcept>

namespace trainyard::cli {

namespace bench_nups {

double cpuSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

StudyRequest shippedRequest() {
    StudyRequest request{.registry = std::make_shared<const Registry>(Registry::builtin()),
                         .resources = resourcePaths()};
    request.scenarios = request.resources.root.parent_path() / "scenarios";
    return request;
}

struct Loop {
    study::ZipfSettings settings;
    int valuesPerKey = 100;
};

/// The best of three.
double iterationsPerSecond(const Loop& loop) {
    const StudyRequest request = shippedRequest();
    const auto made = study::zipfScenario(request, loop.settings);
    if (!made) throw std::runtime_error(made.problems().front().text());
    auto scenario = std::make_shared<Scenario>(**made);
    auto& work = std::get<AnalyticWork>(scenario->jobs.front().work);
    work.keyed->valuesPerKey = loop.valuesPerKey;
    double best = 0;
    for (int i = 0; i < 3; ++i) {
        auto simulation = Simulation::create(
            {.scenario = scenario, .registry = request.registry, .resources = request.resources, .threads = 1});
        if (!simulation) throw std::runtime_error(simulation.problems().front().text());
        Simulation& run = **simulation;
        while (run.state().job(JobId(0)).phase != JobPhase::running)
            if (!run.step()) throw std::runtime_error("the job did not begin");
        const double begin = cpuSeconds();
        while (run.step()) {}
        best = std::max(best, static_cast<double>(run.state().job(JobId(0)).updates) / (cpuSeconds() - begin));
    }
    return best;
}

/// One node with all keys, whose store threads share, and keys drawn before.
struct LocalNode {
    LocalNode()
        : keys(std::make_shared<const KeyRanks>(100'000, 1.1, 5)),
          node(std::make_shared<const KeyJob>(KeyPlan{}, keys, 100, 1), 0), values(100), delta(100, 0.5f) {
        node.store().share();
        KeyCursor cursor(keys, 1234, 16, 0);
        for (std::uint64_t i = 0; i < 2'000'000; ++i) drawn.push_back(cursor.at(i).key);
    }
    std::shared_ptr<const KeyRanks> keys;
    KeyNode node;
    std::vector<float> values, delta;
    std::vector<std::uint32_t> drawn;
};

/// Seconds of an access, best of five passes over the drawn keys.
template <class Access>
double secondsOf(Access access) {
    LocalNode local;
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        const double begin = cpuSeconds();
        for (const std::uint32_t key : local.drawn) access(local, key);
        best = std::min(best, (cpuSeconds() - begin) / static_cast<double>(local.drawn.size()));
    }
    benchmark::DoNotOptimize(local.values.data());
    return best;
}

/// CPU time of three epochs of a shipped task as a keyed job of one node and one worker, evaluated as often, over that of a loop over a
/// plain array; the least of three. Making the model is not counted.
double epochRatio(const study::NupsTask& task) {
    const StudyRequest request = shippedRequest();
    const auto made = study::taskScenario(request, task, {.nodes = 1, .threads = 1, .parameters = {"static", {}}});
    if (!made) throw std::runtime_error(made.problems().front().text());
    auto scenario = std::make_shared<Scenario>(**made);
    constexpr int epochs = 3;
    scenario->jobs.front().stop.epochs = epochs;
    std::get<AnalyticWork>(scenario->jobs.front().work).keyed->task->evaluateEvery = epochs;
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        auto simulation = Simulation::create(
            {.scenario = scenario, .registry = request.registry, .resources = request.resources, .threads = 1});
        if (!simulation) throw std::runtime_error(simulation.problems().front().text());
        Simulation& run = **simulation;
        const double begin = cpuSeconds();
        while (run.step()) {}
        const double ofJob = cpuSeconds() - begin;
        std::size_t evaluations = 0;
        for (std::size_t e = 0; e < run.log().size(); ++e)
            evaluations += run.log()[e].type == EventType::qualityEvaluated && run.log()[e].aux == 0;
        const KeyedModel& model = *run.workload()->jobs.front().keyedAccess()->model;
        const double beginPlain = cpuSeconds();
        PlainTraining plain(model, 1, epochs);
        for (int epoch = 0; epoch < epochs; ++epoch) plain.epoch();
        for (std::size_t n = 0; n < evaluations; ++n) benchmark::DoNotOptimize(plain.evaluate().size());
        best = std::min(best, ofJob / (cpuSeconds() - beginPlain));
    }
    return best;
}

} // namespace bench_nups

void addNupsBenchmarks(Measures& measures) {
    using namespace bench_nups;
    const auto loop = [&](const char* name, const char* what, const Loop& of) {
        addCase(measures, name, "iterations/s", what, [of] { return iterationsPerSecond(of); });
    };
    const study::ZipfSettings four{.operations = 300'000, .manager = "nups", .replicate = 1000};
    loop("nups_zipf_1000_iterations_per_s",
         "zipf loop in virtual time: 4 nodes of 1 thread, 100,000 keys of 100 float32, 1,000 replicas", {four});
    Loop few{four};
    few.settings.replicate = 86;
    loop("nups_zipf_86_iterations_per_s", "the same with 86 replicas", few);
    Loop many{few};
    many.settings.keys = 10'000'000;
    many.valuesPerKey = 4;
    loop("nups_zipf_10m_keys_iterations_per_s", "the same with 10 million keys of 4 float32", many);
    Loop large{four};
    large.settings.nodes = 16;
    large.settings.threads = 8;
    loop("nups_zipf_16x8_iterations_per_s", "16 nodes of 8 threads, 1,000 replicas", large);
    for (const char* manager : {"static", "relocating"}) {
        Loop other{large};
        other.settings.manager = manager;
        other.settings.operations = 30'000;
        loop(manager == std::string("static") ? "nups_zipf_16x8_static_iterations_per_s"
                                              : "nups_zipf_16x8_relocating_iterations_per_s",
             "the same without replicas, 30,000 iterations of each worker", other);
    }
    addCase(
        measures, "nups_local_pull_s", "s", "a thread reads a key of 100 float32 that its node has, 100,000 keys", [] {
            return secondsOf([](LocalNode& local, std::uint32_t key) { local.node.store().read(key, local.values); });
        });
    addCase(measures, "nups_local_push_s", "s", "a thread adds to such a key", [] {
        return secondsOf([](LocalNode& local, std::uint32_t key) { local.node.addLocal(key, local.delta.data()); });
    });
    for (const study::NupsTask& task : study::nupsTasks)
        addCase(measures, "nups_epoch_" + std::string(task.id) + "_ratio", "1",
                std::string("an epoch of ") + task.name + " on one node, over one of a loop over a plain array",
                [&task] { return epochRatio(task); });
    addCase(measures, "nups_memory_ratio", "1", "bytes of the store of one node over those of its values", [] {
        const LocalNode local;
        return static_cast<double>(local.node.bytes()) / (100'000.0 * 100 * sizeof(float));
    });
}

} // namespace trainyard::cli
