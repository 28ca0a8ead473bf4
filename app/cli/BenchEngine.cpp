// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The event kernel by itself (hold model with logging), and whole runs of many analytic jobs, also from the file on.
#include "Bench.h"
#include "Common.h"
#include "base/Random.h"
#include "engine/EventQueue.h"
#include "engine/Simulation.h"
#include "model/Topologies.h"
#include "record/EventLog.h"
#include "run/Headless.h"
#include "scenario/ScenarioFile.h"

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace trainyard::cli {

namespace bench_engine {

constexpr std::size_t batch = 1'000'000;
constexpr std::size_t drawn = 1 << 16;

Event logged(const PendingEvent& event) {
    return {.time = event.time,
            .type = EventType::gradientArrived,
            .aux = event.small,
            .job = event.kind,
            .a = event.a,
            .b = static_cast<std::uint32_t>(event.b)};
}

/// Hold model: take the earliest event, log it, push one an exponential time later. Times are drawn
/// beforehand.
void hold(benchmark::State& state, std::size_t pending, const char* measure) {
    RandomStream random(1, Purpose::test, 1);
    std::vector<Duration> ahead;
    for (std::size_t i = 0; i < drawn; ++i) ahead.push_back(Duration::seconds(-std::log(random.unit())));
    EventQueue queue;
    for (std::size_t i = 0; i < pending; ++i)
        queue.push(SimTime::zero() + ahead[random.below(drawn)], 1, 0, static_cast<std::uint32_t>(i), i);
    std::size_t at = 0;
    const auto run = [&](std::size_t events) {
        EventLog log;
        for (std::size_t i = 0; i < events; ++i) {
            const PendingEvent event = queue.top();
            queue.pop();
            log.append(logged(event));
            queue.push(event.time + ahead[at++ % drawn], event.kind, event.small, event.a, event.b);
        }
        benchmark::DoNotOptimize(log.size());
    };
    run(2 * pending); // to the steady state
    for (auto _ : state) run(batch);
    state.counters[measure] = benchmark::Counter(batch, benchmark::Counter::kIsIterationInvariantRate);
}

/// Heap memory in use after logging, by what the allocator says.
void logMemory(benchmark::State& state) {
    double bytes = 0;
    for (auto _ : state) {
        const auto used = [] {
            const auto info = mallinfo2();
            return static_cast<double>(info.uordblks + info.hblkhd);
        };
        const double before = used();
        EventLog log(std::size_t{1} << 40);
        for (std::size_t i = 0; i < batch; ++i) log.append({.time = SimTime{static_cast<std::int64_t>(i)}});
        bytes = used() - before;
    }
    state.counters["engine_bytes_per_logged_event"] = bytes / batch;
}

/// 1,000 machines in 25 racks; 10,000 analytic jobs of 4 workers and 1 server that arrive over some hours.
std::shared_ptr<const Scenario> manyJobs() {
    auto scenario = std::make_shared<Scenario>();
    scenario->title = "1,000 machines, 10,000 analytic jobs";
    scenario->network = NetworkModel::rate;
    scenario->cluster = treeCluster(25, 40, 10);
    Job job;
    job.workerDemand = ResourceVector::of({2, 1, 8});
    job.serverDemand = ResourceVector::of({2, 0, 8});
    job.workers = {4, 4};
    job.stop.iterations = 100;
    AnalyticWork work;
    work.evaluation.everyIterations = 50;
    job.work = work;
    RandomStream random(1, Purpose::test, 2);
    double seconds = 0;
    for (int i = 0; i < 10'000; ++i) {
        seconds -= std::log(random.unit());
        job.key = "j" + std::to_string(i + 1);
        job.arrival = SimTime::seconds(seconds);
        job.stop.iterations = 50 + static_cast<std::int64_t>(random.below(100));
        scenario->jobs.push_back(job);
    }
    return scenario;
}

void rateModel(benchmark::State& state) {
    const auto scenario = manyJobs();
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    std::size_t events = 0;
    for (auto _ : state) {
        auto simulation = Simulation::create({.scenario = scenario, .registry = registry});
        if (!simulation) {
            state.SkipWithError(simulation.problems().front().text().c_str());
            break;
        }
        while ((*simulation)->step()) {}
        const EventLog& log = (*simulation)->log();
        events = log.size();
        std::size_t finished = 0;
        log.walk(0, events, [&](const Event& event) { finished += event.type == EventType::jobFinished; });
        if (finished != scenario->jobs.size()) state.SkipWithError("not every job finished");
    }
    state.counters["engine_rate_10k_jobs_s"] = benchmark::Counter(
        1, static_cast<benchmark::Counter::Flags>(static_cast<unsigned>(benchmark::Counter::kIsIterationInvariantRate) |
                                                  static_cast<unsigned>(benchmark::Counter::kInvert)));
    state.counters["engine_rate_10k_jobs_logged_events"] = static_cast<double>(events);
}

/// As an importer of traces makes it: machines of 8 GPUs around a switch, jobs of 1 to 8 workers that load them to 70 %.
Scenario importedJobs(int machines, int count) {
    constexpr double meanSeconds = 1000, meanWorkers = 2.12, gpus = 8, load = 0.7;
    Scenario scenario;
    scenario.title = std::to_string(count) + " jobs on " + std::to_string(machines) + " machines";
    scenario.network = NetworkModel::rate;
    scenario.explanations = WhyLevel::off;
    TopologyParts parts;
    parts.resourceNames = {"gpu"};
    parts.capacity = ResourceVector::of({gpus});
    scenario.cluster = starCluster(machines, parts);
    RandomStream random(1, Purpose::test, 3);
    double seconds = 0;
    for (int i = 0; i < count; ++i) {
        seconds -= meanSeconds * meanWorkers / (load * gpus * machines) * std::log(random.unit());
        const double size = random.unit();
        const int workers = size < 0.6 ? 1 : size < 0.8 ? 2 : size < 0.92 ? 4 : 8;
        Job job{.key = "j" + std::to_string(i + 1), .arrival = SimTime::seconds(seconds)};
        job.workerDemand = ResourceVector::of({1});
        job.workers = {workers, workers};
        job.servers = {0, 0};
        job.stop.iterations = 1 + static_cast<std::int64_t>(-meanSeconds * std::log(random.unit()));
        AnalyticWork work{.parameterBytes = 0, .batch = 1, .secondsPerSample = 1};
        work.evaluation.everyIterations = *job.stop.iterations;
        job.work = work;
        scenario.jobs.push_back(std::move(job));
    }
    return scenario;
}

/// Processor time from the file to the metrics; 0 if anything is refused.
double fileToMetricsSeconds(int machines, int jobs) {
    std::string directory = (std::filesystem::temp_directory_path() / "trainyard-bench-XXXXXX").string();
    if (!mkdtemp(directory.data())) return 0;
    const std::filesystem::path file = std::filesystem::path(directory) / "jobs.json";
    std::ofstream(file) << writeScenario(importedJobs(machines, jobs));
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    const std::clock_t start = std::clock();
    bool done = false;
    if (auto loaded = readScenario(file, *registry)) {
        const auto scenario = std::make_shared<const Scenario>(std::move(loaded->scenario));
        const auto outcome =
            simulateOnce({.scenario = scenario, .registry = registry, .resources = resourcePaths()}, {});
        done = outcome && outcome->metrics.values.at("finished_jobs") == jobs;
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::filesystem::remove_all(directory);
    return done ? seconds : 0;
}

} // namespace bench_engine

void addEngineBenchmarks(Measures& measures) {
    using namespace bench_engine;
    const char *few = "engine_events_per_s_10k_pending", *many = "engine_events_per_s_1m_pending";
    benchmark::RegisterBenchmark("event kernel, 10,000 pending", hold, std::size_t{10'000}, few)->Iterations(10);
    benchmark::RegisterBenchmark("event kernel, 1,000,000 pending", hold, std::size_t{1'000'000}, many)->Iterations(5);
    benchmark::RegisterBenchmark("memory of the log", logMemory)->Iterations(1);
    benchmark::RegisterBenchmark("1,000 machines, 10,000 jobs", rateModel)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    measures.push_back(
        {few, "1/s", "hold model, exponential times, 10,000 events pending, each event logged, one core"});
    measures.push_back({many, "1/s", "the same with 1,000,000 events pending"});
    measures.push_back({"engine_cost_ratio_1m_to_10k_pending", "1",
                        "cost per event at a million pending over that at 10,000",
                        [few, many](const MeasuredValues& v) {
                            return v.count(few) && v.count(many) ? v.at(few) / v.at(many) : 0.0;
                        }});
    measures.push_back({"engine_bytes_per_logged_event", "bytes", "heap memory of a log of a million events"});
    measures.push_back({"engine_rate_10k_jobs_s", "s",
                        "10,000 analytic jobs of 4 workers on 1,000 machines under fifo, rate model, to the end"});
    measures.push_back({"engine_rate_10k_jobs_logged_events", "1", "events in that run's log"});
    const char *small = "engine_file_to_metrics_10k_jobs_s", *large = "engine_file_to_metrics_100k_jobs_s";
    addCase(measures, small, "s",
            "reading, checking and running a file of 10,000 jobs on 200 machines, to its metrics; processor time",
            [] { return fileToMetricsSeconds(200, 10'000); });
    addCase(measures, large, "s", "the same with 100,000 jobs on 2,000 machines",
            [] { return fileToMetricsSeconds(2'000, 100'000); });
    measures.push_back({"engine_file_to_metrics_exponent", "1",
                        "of the size of both, by which that time grows: 1 where it is in proportion",
                        [small, large](const MeasuredValues& v) {
                            return v.count(small) && v.count(large) ? std::log10(v.at(large) / v.at(small)) : 0.0;
                        }});
}

} // namespace trainyard::cli
