// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What scheduling by losses costs: the greedy division against a bare heap loop in the same run, fits of losses, one decision for
// 4,000 jobs on 16,000 cores in which each has a new loss, and jobs of a trace per second.
#include "Bench.h"
#include "engine/Simulation.h"
#include "planning/GainAllocation.h"
#include "planning/LossFit.h"
#include "run/TraceImport.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>

namespace trainyard::cli {

namespace bench_slaq {

constexpr std::size_t jobs = 4'000;
constexpr int cores = 16'000, repeats = 9;

double secondsOf(const std::function<void()>& act) {
    const auto start = std::chrono::steady_clock::now();
    act();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The gain of one more worker where n of them leave a loss of A/(n + r).
double gainOf(std::size_t job, int workers) {
    const double a = 1 + 0.37 * static_cast<double>(job % 97), r = 0.5 + 1e-3 * static_cast<double>(job % 311);
    return a / (workers + r) - a / (workers + 1 + r);
}

void divideBarely() {
    std::vector<int> workers(jobs, 1);
    std::vector<std::pair<double, std::size_t>> heap;
    for (std::size_t j = 0; j < jobs; ++j) heap.emplace_back(gainOf(j, 1), j);
    std::make_heap(heap.begin(), heap.end());
    for (int left = cores - static_cast<int>(jobs); left > 0; --left) {
        std::pop_heap(heap.begin(), heap.end());
        const std::size_t j = heap.back().second;
        heap.back().first = gainOf(j, ++workers[j]);
        std::push_heap(heap.begin(), heap.end());
    }
    benchmark::DoNotOptimize(workers.data());
}

void divide() {
    const std::vector<AllocationLimits> limits(jobs, {1, cores});
    auto workers = allocateByGain(limits, cores, gainOf);
    benchmark::DoNotOptimize(workers.data());
}

/// The least of several, in turn with each other.
std::pair<double, double> greedyAndBare() {
    std::pair<double, double> out{1e9, 1e9};
    for (int i = 0; i < repeats; ++i) {
        out.first = std::min(out.first, secondsOf(divide));
        out.second = std::min(out.second, secondsOf(divideBarely));
    }
    return out;
}

/// The slower of the two families, for 50 losses.
double fitSeconds() {
    std::vector<LossSample> losses;
    for (int k = 0; k < 50; ++k)
        losses.push_back({static_cast<double>(k), 2 + 8 / (1 + 0.3 * k) + 0.01 * ((k * 7919) % 13)});
    double slowest = 0;
    for (const auto fit : {fitSublinear, fitLinear}) {
        double best = 1e9;
        for (int i = 0; i < repeats; ++i)
            best = std::min(best, secondsOf([&] {
                                      for (int n = 0; n < 100; ++n) benchmark::DoNotOptimize(fit(losses, {}).error);
                                  }) / 100);
        slowest = std::max(slowest, best);
    }
    return slowest;
}

/// All jobs run and have told losses at every epoch: the slowest of the later decisions.
class Losses final : public SpeedModel {
public:
    double secondsPerUpdate(JobId, const Placement& placement) const override {
        return placement.workers.empty() ? 1e18 : 2.0 / static_cast<double>(placement.workers.size());
    }
    double secondsPerUpdate(JobId job, const Placement& placement, int) const override {
        return secondsPerUpdate(job, placement);
    }
    double updatesDone(JobId) const override { return 0; }
    bool keepsFractions(JobId) const override { return true; }
    double remainingUpdates(JobId) const override { return 1e6; }
};

double decisionSeconds() {
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    for (int m = 0; m < cores / 32; ++m) {
        Machine machine{.key = "m" + std::to_string(m)};
        machine.capacity = ResourceVector::of({32});
        workload.cluster.machines.push_back(std::move(machine));
    }
    for (std::size_t j = 0; j < jobs; ++j) {
        Job job{.key = "j" + std::to_string(j), .workers = {1, 32}, .servers = {0, 0}};
        job.workerDemand = ResourceVector::of({1});
        workload.jobs.push_back(std::move(job));
    }
    const auto shared = std::make_shared<const Workload>(std::move(workload));
    ClusterState state(shared);
    FreeCapacity free(shared->cluster);
    const Losses speed;
    const Registry registry = Registry::builtin();
    const auto scheduler = registry.makeScheduler({"slaq", {}});
    std::vector<std::vector<LossPoint>> histories(jobs);
    std::vector<Event> since;
    for (std::size_t j = 0; j < jobs; ++j) {
        since.push_back({.type = EventType::jobArrived, .job = static_cast<std::uint32_t>(j)});
        state.apply(since.back());
    }
    RandomStream random(1, Purpose::policy);
    const Parallel parallel(2);
    double slowest = 0;
    for (int epoch = 0; epoch < 56; ++epoch) {
        const SimTime now = SimTime::seconds(3.0 * epoch);
        for (std::size_t j = 0; j < jobs && epoch > 0; ++j)
            histories[j].push_back({now, static_cast<std::uint64_t>(4 * epoch),
                                    1 + 9 / (1 + (0.1 + 1e-4 * static_cast<double>(j)) * 4 * epoch)});
        SchedulingDecisions decisions;
        PolicyContext context{.now = now, .random = random};
        context.parallel = &parallel;
        const double seconds = secondsOf(
            [&] { scheduler->decide(context, SchedulerView(state, speed, histories, free), since, decisions); });
        if (epoch >= 50) slowest = std::max(slowest, seconds);
        since.clear();
    }
    return slowest;
}

/// Jobs as in the condensed Philly trace: durations of a median of 1,144 s whose 90th percentile is 11,266 s, at most two days; of 100 jobs
/// 93 on one GPU, the others on 2 to 16; Poisson arrivals that bring half as much again as 32 machines of 4 GPUs can do.
void writeTrace(const std::filesystem::path& file, std::size_t count) {
    constexpr double median = 1144, sigma = 1.785, least = 60, most = 172'800, gpus = 128, load = 1.5;
    std::vector<std::pair<double, int>> drawn; // seconds, GPUs
    double work = 0;
    RandomStream random(1, Purpose::arrival, 77);
    for (std::size_t j = 0; j < count; ++j) {
        const double seconds = std::floor(std::clamp(median * std::exp(sigma * random.normal()), least, most));
        const int wanted = random.unit() < 0.93 ? 1 : 2 << random.below(4);
        drawn.emplace_back(seconds, wanted);
        work += seconds * wanted;
    }
    const double gap = work / static_cast<double>(count) / (load * gpus);
    std::ofstream out(file);
    out << "job_id,num_gpu,submit_time,duration\n";
    double now = 0;
    for (std::size_t j = 0; j < count; ++j) {
        out << j + 1 << ',' << drawn[j].second << ',' << std::floor(now) << ',' << drawn[j].first << '\n';
        now -= gap * std::log(random.unit());
    }
}

/// By processor time of the simulation alone, the least of several runs: reading and metrics are left out.
double traceJobsPerSecond(std::size_t count, int runs) {
    std::string pattern = (std::filesystem::temp_directory_path() / "trainyard-bench-XXXXXX").string();
    if (!mkdtemp(pattern.data())) return 0;
    const std::filesystem::path directory = pattern, file = directory / "trace.csv";
    writeTrace(file, count);
    auto imported = importTrace(TraceFormat::tiresias, file, {.machines = 32, .gpus = 4});
    std::filesystem::remove_all(directory);
    if (!imported) return 0;
    Scenario scenario = std::move(imported).value();
    scenario.policies.scheduler = {"las", {{"faithful", true}}};
    const SimulationOptions options{.scenario = std::make_shared<const Scenario>(std::move(scenario)),
                                    .registry = std::make_shared<const Registry>(Registry::builtin()),
                                    .threads = 1};
    double least = 1e9;
    for (int i = 0; i < runs; ++i) {
        auto simulation = Simulation::create(options);
        if (!simulation) return 0;
        const std::clock_t start = std::clock();
        (*simulation)->runUntil(SimTime::never(), std::numeric_limits<std::size_t>::max());
        least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return static_cast<double>(count) / least;
}

} // namespace bench_slaq

void addSlaqBenchmarks(Measures& measures) {
    using namespace bench_slaq;
    addCase(measures, "slaq_greedy_s", "s", "dividing 16,000 workers among 4,000 jobs by marginal gain",
            [] { return greedyAndBare().first; });
    addCase(measures, "slaq_greedy_ratio", "1", "the same, as a multiple of a bare heap loop in the same run", [] {
        const auto [greedy, bare] = greedyAndBare();
        return greedy / bare;
    });
    addCase(measures, "slaq_fit_s", "s", "fitting one of the two families to 50 losses, the slower one", fitSeconds);
    addCase(measures, "slaq_decision_4000_s", "s",
            "one decision for 4,000 waiting jobs of 50 losses on 16,000 cores, all of which are refitted",
            decisionSeconds);
    addCase(measures, "slaq_trace_jobs_per_s", "jobs/s",
            "2,000 jobs drawn as in the Philly trace, on 128 GPUs by las (faithful), per second of processor time",
            [] { return traceJobsPerSecond(2'000, 10); });
    addCase(measures, "slaq_trace_80k_jobs_per_s", "jobs/s", "the same with 80,000 jobs",
            [] { return traceJobsPerSecond(80'000, 1); });
}

} // namespace trainyard::cli
