// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Small scenarios for the tests of run/: an analytic job on two machines under one switch, cheap and quick to
// simulate.
#include "run/RunSession.h"
#include "scenario/Scenario.h"

namespace trainyard::test {

inline Scenario tinyScenario(std::int64_t iterations = 20) {
    Scenario s;
    s.title = "Tiny";
    s.notes = "A job of two workers; “quotes”, <brackets> & umlauts like ä survive every export.";
    s.lookFor = "Nothing.";
    s.seed = 5;
    s.cluster.resourceNames = {"cpu"};
    for (const char* key : {"m1", "m2"}) {
        Machine m{.key = key, .capacity = ResourceVector::of({4})};
        m.straggler.factor.law = Law::exponential;
        m.straggler.factor.mean = 1;
        s.cluster.machines.push_back(m);
    }
    s.cluster.switches = {{.key = "sw"}};
    for (const char* key : {"m1", "m2"})
        s.cluster.links.push_back({.key = std::string(key) + "--sw", .from = key, .to = "sw", .bandwidth = 1e8});
    Job job{.key = "a"};
    job.workerDemand = job.serverDemand = ResourceVector::of({1});
    job.workers = {2, 2};
    job.servers = {1, 1};
    job.stop.iterations = iterations;
    job.work = AnalyticWork{.samples = 1000,
                            .parameterBytes = 1e6,
                            .batch = 10,
                            .secondsPerSample = 0.01,
                            .curve = {.a = 1, .b = 0.1, .c = 0.1}};
    s.jobs.push_back(job);
    job.key = "b";
    job.arrival = SimTime::seconds(0.5);
    s.jobs.push_back(job);
    return s;
}

inline RunRequest requestFor(Scenario scenario, std::uint64_t seed = 5) {
    return {.scenario = std::make_shared<const Scenario>(std::move(scenario)),
            .registry = std::make_shared<const Registry>(Registry::builtin()),
            .resources = ResourcePaths::find({}),
            .seed = seed,
            .threads = 1};
}

} // namespace trainyard::test
