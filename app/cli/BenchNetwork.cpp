// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The flow-level network: 10,240 random flows on a 1,024-host fat tree, exactly to completion; and a job whose 1,024 workers
// share the links of four servers.
#include "Bench.h"
#include "base/Random.h"
#include "engine/FlowNetwork.h"
#include "engine/Simulation.h"
#include "model/Topologies.h"
#include "policy/Registry.h"

#include <benchmark/benchmark.h>

namespace trainyard::cli {

namespace bench_network {

struct Work {
    std::vector<double> capacities;
    std::vector<std::vector<DirectedLink>> routes;
    std::vector<double> bytes;
};

/// Three levels, 16, 8 and 8 children, 1, 8 and 8 parents, 10 Gbit/s; each host sends to 10 random others.
Work fatTree() {
    const int down[] = {16, 8, 8}, up[] = {1, 8, 8};
    const Cluster cluster = fatTreeCluster(down, up);
    RouteTable routes(cluster);
    Work work;
    work.capacities.assign(2 * cluster.links.size(), 1.25e9);
    RandomStream random(1, Purpose::test, 3);
    const auto hosts = static_cast<std::uint32_t>(cluster.machines.size());
    for (std::uint32_t from = 0; from < hosts; ++from)
        for (int i = 0; i < 10; ++i) {
            const auto to = static_cast<std::uint32_t>((from + 1 + random.below(hosts - 1)) % hosts);
            work.routes.push_back(routes.route(from, to)->links);
            work.bytes.push_back(1e6 + 99e6 * random.unit());
        }
    return work;
}

/// Runs the first `completions` (finish times, not flows); their times.
std::vector<SimTime> complete(const Work& work, FlowSolver solver, std::size_t completions) {
    FlowNetwork network(work.capacities, solver);
    for (std::size_t i = 0; i < work.routes.size(); ++i)
        network.start(work.routes[i], work.bytes[i], i, SimTime::zero());
    std::vector<SimTime> times;
    std::vector<std::uint64_t> tags;
    for (SimTime t = network.nextCompletion(); t != SimTime::never() && times.size() < completions;
         t = network.nextCompletion()) {
        network.complete(t, tags);
        times.push_back(t);
    }
    return times;
}

constexpr auto secondsEach =
    static_cast<benchmark::Counter::Flags>(static_cast<unsigned>(benchmark::Counter::kIsIterationInvariantRate) |
                                           static_cast<unsigned>(benchmark::Counter::kInvert));
constexpr std::size_t all = ~std::size_t{0};
constexpr std::size_t part = 1000;

void run(benchmark::State& state, FlowSolver solver, std::size_t completions, const char* measure) {
    const Work work = fatTree();
    for (auto _ : state) benchmark::DoNotOptimize(complete(work, solver, completions).size());
    state.counters[measure] = benchmark::Counter(1, secondsEach);
}

/// The slow reference; it also says whether the fast one is exact.
void runFromScratch(benchmark::State& state) {
    const Work work = fatTree();
    const auto expected = complete(work, FlowSolver::incremental, part);
    for (auto _ : state)
        if (complete(work, FlowSolver::fromScratch, part) != expected)
            state.SkipWithError("incremental and from-scratch finish times differ");
    state.counters["network_from_scratch_1k_s"] = benchmark::Counter(1, secondsEach);
}

/// 100 iterations of one analytic job: 1,024 workers with computing times of their own, four servers, links of 10 Gbit/s. Every push
/// shares a server's link with up to 1,023 others.
void manyWorkers(benchmark::State& state) {
    auto scenario = std::make_shared<Scenario>();
    scenario->cluster = starCluster(1028);
    for (Machine& machine : scenario->cluster.machines) {
        machine.capacity = ResourceVector::of({1});
        machine.straggler.factor = {.law = Law::shiftedExponential, .mean = 0.5, .shift = 0.5};
    }
    scenario->cluster.resourceNames = {"cpu"};
    Job job;
    job.key = "j1";
    job.workerDemand = job.serverDemand = ResourceVector::of({1});
    job.workers = {1024, 1024};
    job.servers = {4, 4};
    job.stop.iterations = 100;
    AnalyticWork work;
    work.parameterBytes = 4e6;
    work.secondsPerSample = 0.003;
    job.work = work;
    scenario->jobs.push_back(job);
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    for (auto _ : state) {
        auto simulation = Simulation::create({.scenario = scenario, .registry = registry});
        if (!simulation) {
            state.SkipWithError(simulation.problems().front().text().c_str());
            break;
        }
        while ((*simulation)->step()) {}
        if ((*simulation)->state().job(JobId(0)).phase != JobPhase::finished)
            state.SkipWithError("the job did not finish");
    }
    state.counters["network_1024_workers_s"] = benchmark::Counter(1, secondsEach);
}

} // namespace bench_network

void addNetworkBenchmarks(Measures& measures) {
    using namespace bench_network;
    const char *whole = "network_fat_tree_s", *begun = "network_fat_tree_1k_s", *slow = "network_from_scratch_1k_s";
    benchmark::RegisterBenchmark("fat tree, to completion", run, FlowSolver::incremental, all, whole)->Iterations(5);
    benchmark::RegisterBenchmark("fat tree, 1,000 completions", run, FlowSolver::incremental, part, begun)
        ->Iterations(5);
    benchmark::RegisterBenchmark("fat tree, 1,000 completions from scratch", runFromScratch)->Iterations(1);
    benchmark::RegisterBenchmark("1,024 workers, four servers", manyWorkers)->Iterations(1);
    measures.push_back(
        {"network_1024_workers_s", "s",
         "100 iterations of 1,024 workers and four servers on one switch (flow model, 10 Gbit/s, random computing times)"});
    measures.push_back(
        {whole, "s",
         "10,240 random flows of 1-100 MB started together on a 1,024-host three-level fat tree (10 Gbit/s, "
         "D-mod-k), max-min fair, exactly to completion, one core"});
    measures.push_back({begun, "s", "the first 1,000 completions of that"});
    measures.push_back(
        {slow, "s", "the same 1,000 completions by progressive filling from scratch; finish times are equal"});
    measures.push_back(
        {"network_from_scratch_ratio", "1", "from scratch over incremental", [begun, slow](const MeasuredValues& v) {
             return v.count(begun) && v.count(slow) ? v.at(slow) / v.at(begun) : 0.0;
         }});
}

} // namespace trainyard::cli
