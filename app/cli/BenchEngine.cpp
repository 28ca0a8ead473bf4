// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The event kernel by itself (hold model with logging), and a whole run of many analytic jobs.
#include "Bench.h"
#include "base/Random.h"
#include "engine/EventQueue.h"
#include "engine/Simulation.h"
#include "model/Topologies.h"
#include "record/EventLog.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cmath>
#include <cstddef>

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
}

} // namespace trainyard::cli
