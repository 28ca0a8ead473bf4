// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Small scenarios whose times can be worked out by hand, and helpers to run them; for tests of the engine and
// above.
#include "engine/Simulation.h"

#include <string>
#include <vector>

namespace trainyard::test {

/// `machines` machines m1, m2 … with 8 cpu each, a star around switch "s", 1 Gbit/s (1.25e8 bytes/s), no
/// latency.
inline Scenario starScenario(int machines) {
    Scenario scenario;
    scenario.cluster.resourceNames = {"cpu"};
    scenario.cluster.switches.push_back({.key = "s"});
    for (int m = 1; m <= machines; ++m) {
        const std::string key = "m" + std::to_string(m);
        scenario.cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({8})});
        scenario.cluster.links.push_back({.key = key + "--s", .from = key, .to = "s", .bandwidth = 1.25e8});
    }
    return scenario;
}

/// 2 workers, 1 server that fills a machine each; 10 updates of batch 100 at 1 ms a sample; 12.5 MB of
/// parameters.
inline Job analyticJob() {
    Job job{.key = "a"};
    job.workerDemand = ResourceVector::of({8});
    job.serverDemand = ResourceVector::of({8});
    job.workers = {2, 2};
    job.stop.iterations = 10;
    job.work = AnalyticWork{.samples = 1000,
                            .parameterBytes = 1.25e7,
                            .batch = 100,
                            .secondsPerSample = 1e-3,
                            .curve = {.a = 2, .b = 1, .c = 0, .p = 1}};
    return job;
}

/// 3 workers, 1 server; 40 updates of linear regression, batch 16 at 1 ms a sample.
inline Job trainedJob() {
    Job job{.key = "t"};
    job.workerDemand = ResourceVector::of({8});
    job.serverDemand = ResourceVector::of({8});
    job.workers = {3, 3};
    job.stop.iterations = 40;
    TrainedWork work;
    work.model.id = "linear-regression";
    work.dataset = {"synthetic-regression", {{"rows", std::int64_t{600}}, {"features", std::int64_t{10}}}};
    work.optimizer = {"sgd", {{"learning_rate", 0.1}}};
    work.batch = 16;
    work.secondsPerSample = 1e-3;
    job.work = work;
    return job;
}

inline SimulationOptions optionsFor(Scenario scenario, std::uint64_t seed = 1, int threads = 1) {
    return {.scenario = std::make_shared<const Scenario>(std::move(scenario)),
            .registry = std::make_shared<const Registry>(Registry::builtin()),
            .resources = {},
            .seed = seed,
            .threads = threads};
}

inline std::vector<Event> eventsOf(const EventLog& log, EventType type) {
    std::vector<Event> out;
    for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i].type == type) out.push_back(log[i]);
    return out;
}

} // namespace trainyard::test
