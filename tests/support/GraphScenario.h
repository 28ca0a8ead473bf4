// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Scenarios of graph jobs that are admitted at once on an optical network, and runs of them.
#include "engine/Simulation.h"
#include "model/Topologies.h"
#include "support/GraphSamples.h"

namespace trainyard::test {

/// Machines without links: nothing of such jobs goes by them.
inline Cluster opticalCluster(int groups, int racks, int servers, GraphRules rules = GraphRules::corrected) {
    Cluster cluster = rampCluster(groups, racks, servers);
    cluster.links.clear();
    cluster.ramp = OpticalNetwork{.groups = groups, .racks = racks, .servers = servers, .rules = rules};
    return cluster;
}

/// A chain of two operations without messages: d parts take `seconds`/d.
inline ComputationGraph chainOf(double seconds) {
    return {{{"a", seconds / 4, seconds / 4, 0, 0}, {"b", seconds / 4, seconds / 4, 0, 0}}, {{0, 1}}};
}

inline Job immediateJob(const std::string& key, double arrival, const std::string& graph, double beta, Bounds degrees,
                        int steps = 1) {
    Job job{.key = key, .arrival = SimTime::seconds(arrival)};
    job.workers = degrees;
    job.work = GraphWork{.name = graph, .steps = steps, .deadlineFraction = beta, .admission = Admission::immediate};
    return job;
}

/// Arrivals from a pool of random graphs on 32 servers. Their steps take some 0.6 s in sequence; times of 1000 under faithful rules.
inline Scenario pooledScenario(GraphRules rules, std::uint64_t seed, int count, double gap, bool poisson,
                               DiscreteLaw deadlines, int graphs = 5) {
    Scenario scenario;
    scenario.seed = seed;
    scenario.cluster = opticalCluster(4, 4, 2, rules);
    const double scale = rules == GraphRules::faithful ? 1000 : 1;
    RandomStream random(9, Purpose::test, 60);
    for (int g = 0; g < graphs; ++g) {
        ComputationGraph graph = randomGraph(random, 6 + 3 * static_cast<std::uint32_t>(g));
        const double seconds = graph.sequentialSeconds();
        for (Operation& op : graph.operations) {
            op.forwardSeconds *= scale * 0.6 / seconds;
            op.backwardSeconds *= scale * 0.6 / seconds;
        }
        scenario.graphs.push_back({"g" + std::to_string(g), std::move(graph)});
    }
    JobGenerator& generator = scenario.generators.emplace_back();
    generator.key = "arrival";
    generator.arrivals = poisson ? JobGenerator::Arrivals::poisson : JobGenerator::Arrivals::fixed;
    generator.count = count;
    generator.meanInterarrivalSeconds = gap * scale;
    generator.job = immediateJob("", 0, "", 1, {1, 16}, 50);
    generator.pool = GraphPool{.graphs = {}, .copies = 20, .deadlines = std::move(deadlines)};
    return scenario;
}

inline std::unique_ptr<Simulation> simulationOf(const Scenario& scenario) {
    auto made = Simulation::create({.scenario = std::make_shared<const Scenario>(scenario),
                                    .registry = std::make_shared<const Registry>(Registry::builtin()),
                                    .resources = ResourcePaths::find({}),
                                    .seed = scenario.seed,
                                    .threads = 1});
    return made ? std::move(made).value() : nullptr;
}

/// What became of a job that is admitted at once, from the log.
struct AdmittedJob {
    std::optional<RejectReason> rejected;
    int degree = 0;
    ServerMask servers = 0;
    SimTime arrival, begin, end = SimTime::never();
    bool failed = false;
};

inline std::vector<AdmittedJob> admittedJobs(const Simulation& run) {
    std::vector<AdmittedJob> out(run.workload()->jobs.size());
    for (std::size_t i = 0; i < run.log().size(); ++i) {
        const Event e = run.log()[i];
        if (e.job >= out.size()) continue;
        AdmittedJob& job = out[e.job];
        switch (e.type) {
        case EventType::jobArrived: job.arrival = e.time; break;
        case EventType::jobPartitioned: job.degree = static_cast<int>(e.a); break;
        case EventType::taskPlaced: job.servers |= ServerMask{1} << e.b; break;
        case EventType::jobStarted: job.begin = e.time; break;
        case EventType::jobRejected: job.rejected = static_cast<RejectReason>(e.aux); break;
        case EventType::jobFailed: job.failed = true; [[fallthrough]];
        case EventType::jobFinished: job.end = e.time; break;
        default: break;
        }
    }
    return out;
}

} // namespace trainyard::test
