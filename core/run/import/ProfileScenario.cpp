// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A profile of PipeDream as a scenario: one graph job at the start, on an optical network of 32 machines.
#include "model/OpticalNetwork.h"
#include "model/Topologies.h"
#include "run/import/Importer.h"
#include "run/import/PipeDreamProfile.h"

namespace trainyard {

/// `name`: of the file, for the title. A part of an operation takes one GPU; the job is split up to 16 ways.
static Scenario profileScenario(ComputationGraph graph, const std::string& name) {
    constexpr int steps = 50, mostParts = 16;
    const OpticalNetwork network;
    Scenario scenario;
    scenario.title = "Graph " + name;
    scenario.notes =
        "Imported by trainyard-cli import from a profile of PipeDream: " + std::to_string(graph.operations.size()) +
        " operations, " + std::to_string(graph.dependencies.size()) + " dependencies.";
    TopologyParts parts;
    parts.resourceNames = {"gpu"};
    parts.capacity = ResourceVector::of({1});
    parts.bandwidth = network.channelBandwidth();
    parts.latency = Duration::seconds(network.messageSeconds());
    scenario.cluster = rampCluster(network.groups, network.racks, network.servers, parts);
    scenario.cluster.ramp = network; // for those who set the job's admission to immediate
    Job job;
    job.key = "graph";
    job.name = name;
    job.workerDemand = ResourceVector::of({1});
    job.serverDemand = ResourceVector::of({0});
    job.workers = {1, mostParts};
    job.servers = {0, 0};
    job.work = GraphWork{.graph = std::move(graph), .steps = steps, .deadlineFraction = 1};
    scenario.jobs.push_back(std::move(job));
    scenario.policies.partitioner.id = "max";
    return scenario;
}

Importer pipeDreamImporter() {
    return {.name = "pipedream",
            .what = "a profile of one training step of a computation graph (graph.txt), as a job on an optical network",
            .scenario = [](const ImportRequest& request) -> Result<Scenario> {
                auto graph = readPipeDreamProfile(request.file);
                if (!graph) return graph.problems();
                return {profileScenario(std::move(*graph), request.trace.name), graph.problems()};
            }};
}

} // namespace trainyard
