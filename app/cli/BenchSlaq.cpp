// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What scheduling by losses costs: the greedy division against a bare heap loop in the same run, fits of losses, one decision for
// 4,000 running jobs on 16,000 cores in which each has a new loss, and jobs of a trace per second.
#include "Bench.h"
#include "planning/GainAllocation.h"
#include "policy/scheduler/slaq/LossFit.h"
#include "studies/slaq/SlaqTimes.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace trainyard::cli {

namespace bench_slaq {

constexpr int repeats = 9;

struct Size {
    std::size_t jobs;
    int cores;
};
constexpr Size large{4'000, 16'000}, largest{10'000, 64'000};

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

void divideBarely(Size size) {
    std::vector<int> workers(size.jobs, 1);
    std::vector<std::pair<double, std::size_t>> heap;
    for (std::size_t j = 0; j < size.jobs; ++j) heap.emplace_back(gainOf(j, 1), j);
    std::make_heap(heap.begin(), heap.end());
    for (int left = size.cores - static_cast<int>(size.jobs); left > 0; --left) {
        std::pop_heap(heap.begin(), heap.end());
        const std::size_t j = heap.back().second;
        heap.back().first = gainOf(j, ++workers[j]);
        std::push_heap(heap.begin(), heap.end());
    }
    benchmark::DoNotOptimize(workers.data());
}

void divide(Size size) {
    const std::vector<AllocationLimits> limits(size.jobs, {1, size.cores});
    auto workers = allocateByGain(limits, size.cores, gainOf);
    benchmark::DoNotOptimize(workers.data());
}

/// The least of several, in turn with each other.
std::pair<double, double> greedyAndBare(Size size) {
    std::pair<double, double> out{1e9, 1e9};
    for (int i = 0; i < repeats; ++i) {
        out.first = std::min(out.first, secondsOf([&] { divide(size); }));
        out.second = std::min(out.second, secondsOf([&] { divideBarely(size); }));
    }
    return out;
}

double ratioToBare(Size size) {
    const auto [greedy, bare] = greedyAndBare(size);
    return greedy / bare;
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

double drawnJobsPerSecond(std::size_t count, int runs) {
    std::string pattern = (std::filesystem::temp_directory_path() / "trainyard-bench-XXXXXX").string();
    if (!mkdtemp(pattern.data())) return 0;
    const std::filesystem::path directory = pattern, file = directory / "trace.csv";
    writeTrace(file, count);
    const auto measured = study::traceJobsPerSecond(file, {.machines = 32, .gpus = 4}, runs);
    std::filesystem::remove_all(directory);
    return measured ? *measured : 0;
}

} // namespace bench_slaq

void addSlaqBenchmarks(Measures& measures) {
    using namespace bench_slaq;
    addCase(measures, "slaq_greedy_s", "s", "dividing 16,000 workers among 4,000 jobs by marginal gain",
            [] { return greedyAndBare(large).first; });
    addCase(measures, "slaq_greedy_ratio", "1", "the same, as a multiple of a bare heap loop in the same run",
            [] { return ratioToBare(large); });
    addCase(measures, "slaq_greedy_10000_s", "s", "dividing 64,000 workers among 10,000 jobs by marginal gain",
            [] { return greedyAndBare(largest).first; });
    addCase(measures, "slaq_greedy_10000_ratio", "1", "the same, as a multiple of a bare heap loop in the same run",
            [] { return ratioToBare(largest); });
    addCase(measures, "slaq_fit_s", "s", "fitting one of the two families to 50 losses, the slower one", fitSeconds);
    addCase(measures, "slaq_decision_4000_s", "s",
            "one decision on two threads for 4,000 jobs that run on 16,000 cores, each of whose 50 losses are refitted",
            [] { return study::slaqDecisionSeconds(large.jobs, large.cores, 2); });
    addCase(measures, "slaq_trace_jobs_per_s", "jobs/s",
            "2,000 jobs drawn as in the Philly trace, on 128 GPUs by las (faithful), per second of processor time",
            [] { return drawnJobsPerSecond(2'000, 10); });
    addCase(measures, "slaq_trace_80k_jobs_per_s", "jobs/s", "the same with 80,000 jobs",
            [] { return drawnJobsPerSecond(80'000, 1); });
}

} // namespace trainyard::cli
