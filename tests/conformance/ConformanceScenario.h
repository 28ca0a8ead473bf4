// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Small random scenarios with everything a policy may meet: jobs of all kinds, elastic and not, with servers
// and without; straggling machines, a slow network, machines and links that fail and come back, checkpoints
// and restarts.
#include "scenario/Scenario.h"

namespace trainyard::test {

inline Cluster conformanceCluster(RandomStream& random) {
    Cluster cluster;
    cluster.resourceNames = {"cpu", "memory_gb"};
    const std::size_t racks = 1 + random.below(2), machines = 3 + random.below(3);
    if (random.below(2) == 0) cluster.localBandwidth = 1e9;
    for (std::size_t r = 0; r < racks; ++r) {
        cluster.racks.push_back({.key = "rack" + std::to_string(r)});
        cluster.switches.push_back({.key = "s" + std::to_string(r), .rack = "rack" + std::to_string(r)});
        if (r > 0)
            cluster.links.push_back(
                {.key = "core", .from = "s0", .to = "s1", .bandwidth = 2e8, .latency = Duration::seconds(1e-4)});
    }
    for (std::size_t m = 0; m < machines; ++m) {
        const std::string key = "m" + std::to_string(m), rack = std::to_string(m % racks);
        Machine machine{.key = key, .rack = "rack" + rack};
        machine.capacity = ResourceVector::of({3 + double(random.below(4)), 12});
        switch (random.below(4)) {
        case 0: machine.straggler.factor = {.law = Law::exponential, .mean = 1}; break;
        case 1: machine.straggler.factor = {.law = Law::pareto, .shape = 2.5, .scale = 0.6}; break;
        case 2: machine.straggler.delay = Distribution{.law = Law::exponential, .mean = 0.01}; break;
        default: machine.straggler.persistentFactor = 1.5;
        }
        cluster.machines.push_back(std::move(machine));
        cluster.links.push_back({.key = key + "--s" + rack,
                                 .from = key,
                                 .to = "s" + rack,
                                 .bandwidth = 1e8,
                                 .latency = Duration::seconds(1e-4 * double(random.below(3)))});
    }
    return cluster;
}

inline Job conformanceJob(RandomStream& random, std::size_t index) {
    Job job{.key = "j" + std::to_string(index), .arrival = SimTime::seconds(double(random.below(400)) / 100)};
    job.workerDemand = ResourceVector::of({1, double(random.below(3))});
    job.serverDemand = ResourceVector::of({1, 1});
    job.weight = 1 + double(random.below(3));
    const int least = 1 + int(random.below(2));
    job.workers = {least, least + int(random.below(4))};
    job.servers = {int(random.below(2)), 1};
    job.stop.iterations = 10 + std::int64_t(random.below(40));
    if (random.below(3) == 0) job.checkpoint.everyIterations = 4;
    if (random.below(2) == 0) job.onFailure = FailureReaction::shrink;
    const auto kind = random.below(5);
    if (kind < 2) {
        TrainedWork work;
        work.model.id = "linear-regression";
        work.dataset = {"synthetic-regression", {{"rows", std::int64_t{80}}, {"features", std::int64_t{5}}}};
        work.optimizer = {"sgd", {{"learning_rate", 0.01}}};
        work.batch = 8;
        work.secondsPerSample = 5e-3;
        work.secondsPerUpdate = random.below(2) == 0 ? 0.0 : 1e-3;
        work.evaluation = {2, random.below(2) == 0};
        job.work = work;
    } else if (kind < 4) {
        AnalyticWork work{.samples = 2000, .parameterBytes = 1e6, .batch = 16, .secondsPerSample = 4e-3};
        work.secondsPerUpdate = random.below(2) == 0 ? 0.0 : 2e-3;
        job.work = work;
    } else {
        GraphWork work{.steps = 3, .deadlineFraction = 5};
        for (std::uint32_t v = 0; v < 6; ++v) {
            work.graph.operations.push_back({"op" + std::to_string(v), 0.02, 0.04, 1e5, 1e5});
            if (v > 0) work.graph.dependencies.push_back({std::uint32_t(random.below(v)), v});
        }
        job.work = work;
        job.servers = {0, 0};
        job.stop = {};
        job.workers = {1 + int(random.below(2)), 4};
    }
    return job;
}

/// What the job has besides: servers by the number of workers, a batch that the workers divide, laws of its times, what a
/// restart costs.
inline void addLaws(Job& job, RandomStream& random) {
    if (job.kind() != JobKind::graph && random.below(3) == 0) {
        job.workersPerServer = 1 + static_cast<std::int64_t>(random.below(3));
        job.servers = {job.serversFor(job.workers.minimum, job.workers),
                       job.serversFor(job.workers.maximum, job.workers)};
    }
    if (random.below(4) == 0) job.restartSeconds = 0.02 * static_cast<double>(1 + random.below(5));
    const BatchOf whose = random.below(2) == 0 ? BatchOf::job : BatchOf::worker;
    if (auto* trained = std::get_if<TrainedWork>(&job.work)) trained->batchOf = whose;
    if (auto* analytic = std::get_if<AnalyticWork>(&job.work)) {
        analytic->batchOf = whose;
        if (whose == BatchOf::job && random.below(2) == 0) analytic->law = UpdateLaw{0.01, 0.08, 0.002};
        if (whose == BatchOf::worker && random.below(2) == 0) analytic->rates = LocalityRates{400, 200};
    }
}

/// The same job, but that its iterations access single keys.
inline void makeKeyed(Job& job, std::uint64_t seed) {
    AnalyticWork work{.samples = 2000, .batch = 2, .secondsPerSample = 2e-3};
    work.access = AccessKind::keyed;
    work.keyed = KeyedAccess{.keys = 40, .valuesPerKey = 3, .workerSeed = seed, .lookAhead = 6, .localizeEvery = 3};
    job.work = work;
    job.servers = {0, 0};
    job.workersPerServer.reset();
    job.onFailure = FailureReaction::restart;
    job.stop.iterations = 10 * *job.stop.iterations;
    job.synchronization = {seed % 2 == 0 ? "async" : "ssp", {}};
}

/// The first machines as the servers of an optical network, and graph jobs that are admitted to it at once beside the others.
inline void addAdmissions(Scenario& scenario, RandomStream& random) {
    Cluster& cluster = scenario.cluster;
    const int servers = 2 + static_cast<int>(random.below(cluster.machines.size() - 1));
    cluster.ramp = OpticalNetwork{.groups = servers == 4 ? 2 : servers, .racks = servers == 4 ? 2 : 1, .servers = 1};
    if (random.below(2) == 0) cluster.ramp->rules = GraphRules::faithful;
    for (std::size_t m = 0; m < static_cast<std::size_t>(servers); ++m) {
        cluster.machines[m].capacity = cluster.machines.front().capacity;
        cluster.machines[m].straggler = {};
    }
    NamedGraph& named = scenario.graphs.emplace_back(NamedGraph{"named", {}});
    for (std::uint32_t v = 0; v < 5; ++v) {
        named.graph.operations.push_back({"op" + std::to_string(v), 0.03, 0.06, 1e6, 1e6});
        if (v > 0) named.graph.dependencies.push_back({std::uint32_t(random.below(v)), v});
    }
    for (int i = 0; i < 6; ++i) {
        Job job{.key = "at-once-" + std::to_string(i), .arrival = SimTime::seconds(double(random.below(500)) / 100)};
        job.workers = {1, 1 + int(random.below(4))};
        job.work = GraphWork{.name = "named",
                             .steps = 1 + int(random.below(5)),
                             .deadlineFraction = 0.2 + 0.8 * random.unit(),
                             .admission = Admission::immediate};
        scenario.jobs.push_back(std::move(job));
    }
}

inline Scenario conformanceScenario(std::uint64_t seed) {
    RandomStream random(seed, Purpose::test, 77);
    Scenario scenario;
    scenario.title = "conformance " + std::to_string(seed);
    scenario.seed = seed;
    scenario.network = random.below(3) == 0 ? NetworkModel::rate : NetworkModel::flow;
    scenario.horizonSeconds = 1e5;
    scenario.explanations = WhyLevel::full;
    scenario.cluster = conformanceCluster(random);
    const std::size_t jobs = 5 + random.below(6);
    for (std::size_t j = 0; j < jobs; ++j) {
        scenario.jobs.push_back(conformanceJob(random, j));
        RandomStream more(seed, Purpose::test, 80, static_cast<std::uint32_t>(j));
        addLaws(scenario.jobs.back(), more);
    }
    const std::size_t faults = random.below(5);
    for (std::size_t f = 0; f < faults; ++f) {
        Fault fault;
        fault.target = random.below(3) == 0 ? Fault::Target::link : Fault::Target::machine;
        fault.key = fault.target == Fault::Target::link
                        ? scenario.cluster.links[random.below(scenario.cluster.links.size())].key
                        : scenario.cluster.machines[random.below(scenario.cluster.machines.size())].key;
        fault.atSeconds = double(random.below(500)) / 100;
        fault.repairAfterSeconds = 0.2 + double(random.below(200)) / 100;
        scenario.faults.push_back(fault);
    }
    RandomStream other(seed, Purpose::test, 81);
    if (other.below(3) == 0) addAdmissions(scenario, other);
    return scenario;
}

} // namespace trainyard::test
