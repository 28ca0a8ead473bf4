// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Schedulers at the size of a large cluster: analytic jobs under the rate model, explanations off, so that what is measured
// is deciding, placing and the bookkeeping per job.
#include "Bench.h"
#include "base/Random.h"
#include "engine/Simulation.h"
#include "model/Topologies.h"
#include "record/EventLog.h"

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <fstream>
#include <limits>

namespace trainyard::cli {

namespace bench_scheduling {

struct Case {
    Choice policy;
    int racks, machinesPerRack; ///< of 4 GPUs
    int jobs;
    double load;                 ///< GPU-seconds that arrive per GPU-second; infinite: all jobs arrive at once
    std::string measure, memory; ///< memory: empty = not measured
};

constexpr double secondsPerUpdate = 0.032; ///< 32 samples of 1 ms, all tasks on one machine

/// Half of the jobs take 4 workers and a server, a quarter 1 to 4 workers and a server, a quarter 2 workers; iterations are
/// exponential with mean 100.
Job jobOf(RandomStream& random, int number) {
    Job job;
    job.key = "j" + std::to_string(number);
    job.workerDemand = ResourceVector::of({2, 1, 8});
    job.serverDemand = ResourceVector::of({2, 0, 8});
    const auto kind = random.below(4);
    job.workers = kind < 2 ? Bounds{4, 4} : kind == 2 ? Bounds{1, 4} : Bounds{2, 2};
    if (kind == 3) job.servers = {0, 0};
    job.stop.iterations = 1 + static_cast<std::int64_t>(-100 * std::log(random.unit()));
    AnalyticWork work;
    work.parameterBytes = 1e6;
    job.work = work;
    return job;
}

std::shared_ptr<const Scenario> scenarioOf(const Case& c) {
    auto scenario = std::make_shared<Scenario>();
    scenario->title = c.measure;
    scenario->network = NetworkModel::rate;
    scenario->explanations = WhyLevel::off;
    scenario->cluster = treeCluster(c.racks, c.machinesPerRack, 10);
    scenario->policies.scheduler = c.policy;
    RandomStream random(1, Purpose::test, 3);
    const double gpus = 4.0 * c.racks * c.machinesPerRack;
    double seconds = 0;
    for (int i = 0; i < c.jobs; ++i) {
        Job job = jobOf(random, i + 1);
        job.arrival = SimTime::seconds(seconds);
        const double work = static_cast<double>(*job.stop.iterations) * secondsPerUpdate * job.workers.maximum;
        seconds += work / gpus / c.load;
        scenario->jobs.push_back(std::move(job));
    }
    return scenario;
}

double residentBytes() {
    std::ifstream file("/proc/self/statm");
    double whole = 0, resident = 0;
    file >> whole >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void runAll(benchmark::State& state, const Case& c) {
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    for (auto _ : state) {
        malloc_trim(0);
        const double before = residentBytes();
        const auto scenario = scenarioOf(c);
        const std::clock_t start = std::clock(); // processor time: a run has one thread
        auto simulation = Simulation::create({.scenario = scenario, .registry = registry});
        if (!simulation) {
            state.SkipWithError(simulation.problems().front().text().c_str());
            break;
        }
        while ((*simulation)->step()) {}
        state.counters[c.measure] = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (!c.memory.empty()) state.counters[c.memory] = (residentBytes() - before) / c.jobs;
        const ClusterState& end = (*simulation)->state();
        if (end.jobsIn(JobPhase::finished).size() != end.jobs().size()) state.SkipWithError("not every job finished");
    }
}

void add(Measures& measures, Case c, const std::string& what) {
    measures.push_back({c.measure, "s", what});
    if (!c.memory.empty())
        measures.push_back({c.memory, "bytes", "resident memory that this run and its scenario take, per job"});
    benchmark::RegisterBenchmark(c.measure.c_str(), [c](benchmark::State& state) { runAll(state, c); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

} // namespace bench_scheduling

void addSchedulingBenchmarks(Measures& measures) {
    using namespace bench_scheduling;
    for (const std::string policy : {"fifo", "srtf", "drf", "fair"}) {
        const std::string name = "scheduling_" + policy;
        const std::string ten = name + "_10k_jobs_s", hundred = name + "_100k_jobs_s";
        const bool first = policy == "fifo";
        add(measures, {{policy, {}}, 25, 40, 10'000, 0.9, ten, first ? name + "_10k_jobs_bytes_per_job" : ""},
            "10,000 analytic jobs on 1,000 machines under " + policy + " at load 0.9, rate model, to the end");
        add(measures, {{policy, {}}, 25, 40, 10'000, 3, name + "_10k_jobs_load3_s", ""},
            "the same at load 3: two thirds of the jobs come to wait at once");
        add(measures, {{policy, {}}, 5, 20, 2'000, std::numeric_limits<double>::infinity(), name + "_2k_queued_s", ""},
            "2,000 jobs that arrive at once on 100 machines");
        add(measures, {{policy, {}}, 25, 40, 100'000, 0.9, hundred, first ? name + "_100k_jobs_bytes_per_job" : ""},
            "100,000 jobs on 1,000 machines at load 0.9");
        measures.push_back({name + "_exponent", "1", "of time as a power of the number of jobs, from 10,000 to 100,000",
                            [ten, hundred](const MeasuredValues& v) {
                                return v.count(ten) && v.count(hundred) ? std::log10(v.at(hundred) / v.at(ten)) : 0.0;
                            }});
    }
}

void addLasBenchmarks(Measures& measures) {
    using namespace bench_scheduling;
    // The jobs have 10 GPU-seconds in the mean: most come to the second queue, one in seven to the third.
    const Choice las{"las", {{"limit_1_s", 5.0}, {"limit_2_s", 20.0}}};
    add(measures, {las, 25, 40, 10'000, 0.9, "las_10k_jobs_s", ""},
        "10,000 analytic jobs on 1,000 machines under las at load 0.9, limits 5 and 20 GPU-seconds, rate model");
    add(measures, {las, 25, 40, 10'000, 3, "las_10k_jobs_load3_s", ""}, "the same at load 3");
}

void addOptimusBenchmarks(Measures& measures) {
    using namespace bench_scheduling;
    const Choice each{"optimus", {{"interval_s", 1.0}}};
    const std::string at09 =
        "10,000 analytic jobs on 1,000 machines at load 0.9, rate model, to the end, under optimus";
    add(measures, {{"optimus", {}}, 25, 40, 10'000, 0.9, "optimus_10k_jobs_s", ""}, at09);
    add(measures, {{"optimus", {}}, 25, 40, 10'000, 3, "optimus_10k_jobs_load3_s", ""}, "the same at load 3");
    add(measures, {each, 25, 40, 10'000, 0.9, "optimus_10k_jobs_each_second_s", ""},
        at09 + ", planned anew every second");
    add(measures, {each, 25, 40, 10'000, 3, "optimus_10k_jobs_load3_each_second_s", ""}, "the same at load 3");
}

} // namespace trainyard::cli
