// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Training of the small network on digits: an iteration against its bare matrix products, and two threads
// against one.
#include "Bench.h"
#include "engine/Simulation.h"
#include "learning/MatrixProducts.h"
#include "learning/TrainingProblem.h"
#include "model/Topologies.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>
#include <limits>

namespace trainyard::cli {

namespace bench_training {

constexpr int batch = 64;

ResourcePaths resources() {
    std::error_code ignored;
    return ResourcePaths::find(std::filesystem::read_symlink("/proc/self/exe", ignored));
}

TrainedWork digits() {
    TrainedWork work;
    work.model = {"mlp", {}};
    work.dataset = {"digits", {}};
    work.optimizer = {"sgd", {}};
    work.batch = batch;
    work.evaluation.everyIterations = 1'000'000;
    return work;
}

template <class F>
double secondsOf(F&& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Both sides in turns, the least of many short stretches each: what another process does in between falls
/// out.
void iteration(benchmark::State& state) {
    const auto problem = TrainingProblem::make(digits(), 1, JobId(0), resources());
    if (!problem) return state.SkipWithError(problem.problems().front().text().c_str());
    const TrainingProblem& training = **problem;
    std::vector<double> parameters = training.initialParameters(), message(training.messageSize());
    std::vector<double> memory(training.optimizer().stateSize() * parameters.size());
    MatrixProducts products({64, 32, 10}, batch);
    constexpr int stretch = 10;
    std::uint32_t task = 0;
    double trained = std::numeric_limits<double>::infinity(), bare = trained;
    for (auto _ : state) {
        trained = std::min(trained, secondsOf([&] {
                               for (int i = 0; i < stretch; ++i) {
                                   training.gradient(parameters, {.task = task++, .samples = batch}, message);
                                   training.optimizer().step(parameters, message, {}, memory, task);
                               }
                           }));
        bare = std::min(bare, secondsOf([&] {
                            for (int i = 0; i < stretch; ++i) benchmark::DoNotOptimize(products.run());
                        }));
    }
    state.counters["training_mlp_iteration_s"] = trained / stretch;
    state.counters["training_mlp_products_s"] = bare / stretch;
    state.counters["training_mlp_iteration_ratio"] = trained / bare;
}

double runSeconds(const std::shared_ptr<const Scenario>& scenario, const std::shared_ptr<const Registry>& registry,
                  int threads, std::string& problem, std::string& digest) {
    auto simulation =
        Simulation::create({.scenario = scenario, .registry = registry, .resources = resources(), .threads = threads});
    if (!simulation) {
        problem = simulation.problems().front().text();
        return 0;
    }
    const double seconds = secondsOf([&] {
        while ((*simulation)->step()) {}
    });
    digest = (*simulation)->log().digest();
    return seconds;
}

/// A whole simulated run of one job with 8 workers that wait for each other.
void speedup(benchmark::State& state) {
    auto scenario = std::make_shared<Scenario>();
    scenario->cluster = starCluster(9);
    Job job;
    job.key = "digits";
    job.workers = {8, 8};
    job.workerDemand = job.serverDemand = ResourceVector::of({9, 1, 1}); // one task per machine
    job.stop.iterations = 100;
    TrainedWork work = digits();
    work.batch = 512;
    job.work = work;
    scenario->jobs.push_back(job);
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    double one = std::numeric_limits<double>::infinity(), two = one;
    std::string problem, oneDigest, twoDigest;
    for (auto _ : state) {
        one = std::min(one, runSeconds(scenario, registry, 1, problem, oneDigest));
        two = std::min(two, runSeconds(scenario, registry, 2, problem, twoDigest));
        if (problem.empty() && oneDigest != twoDigest) problem = "one and two threads give different logs";
        if (problem.empty()) continue;
        state.SkipWithError(problem.c_str());
        break;
    }
    state.counters["training_speedup_2_threads"] = one / two;
}

} // namespace bench_training

void addTrainingBenchmarks(Measures& measures) {
    using namespace bench_training;
    benchmark::RegisterBenchmark("training iteration", iteration)->Iterations(2000);
    benchmark::RegisterBenchmark("two threads", speedup)->Iterations(3);
    measures.push_back(
        {"training_mlp_iteration_s", "s", "batch, gradient and SGD step of the mlp on digits, batch 64, one core"});
    measures.push_back({"training_mlp_products_s", "s", "the matrix products of the same shapes alone"});
    measures.push_back({"training_mlp_iteration_ratio", "1", "the iteration over its products"});
    measures.push_back({"training_speedup_2_threads", "1",
                        "a simulated run (8 workers, full-sync, mlp on digits, batch 512 each) with one "
                        "thread over two, wall "
                        "time; the logs are equal"});
}

} // namespace trainyard::cli
