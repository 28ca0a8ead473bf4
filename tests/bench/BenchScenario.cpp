// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "bench/BenchScenario.h"

namespace trainyard {

namespace {

Cluster benchCluster() {
    Cluster cluster;
    cluster.resourceNames = {"cpu", "gpu"};
    constexpr int racks = 50, perRack = 20, spines = 4;
    for (int r = 0; r < racks; ++r) {
        const std::string rack = "r" + std::to_string(r), top = "tor" + std::to_string(r);
        cluster.racks.push_back({.key = rack});
        cluster.switches.push_back({.key = top, .rack = rack});
        for (int m = 0; m < perRack; ++m) {
            const std::string key = rack + "-m" + std::to_string(m);
            cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({16, 4}), .rack = rack});
            cluster.links.push_back({.key = key + "--" + top, .from = key, .to = top});
        }
    }
    for (int i = 0; i < spines; ++i) {
        const std::string spine = "spine" + std::to_string(i);
        cluster.switches.push_back({.key = spine});
        for (int r = 0; r < racks; ++r)
            for (int lane = 0; lane < 20; ++lane) {
                const std::string top = "tor" + std::to_string(r);
                cluster.links.push_back(
                    {.key = top + "--" + spine + "-" + std::to_string(lane), .from = top, .to = spine});
            }
    }
    return cluster;
}

} // namespace

Scenario benchScenario(int jobs) {
    Scenario s;
    s.title = "Bench";
    s.explanations = WhyLevel::off;
    s.cluster = benchCluster();
    for (int j = 0; j < jobs; ++j) {
        const bool wide = j % 10 == 9;
        Job job;
        job.key = "job-" + std::to_string(j + 1);
        job.workerDemand = wide ? ResourceVector::of({2, 1}) : ResourceVector::of({16, 4});
        job.serverDemand = ResourceVector::of({2, 0});
        job.workers = wide ? Bounds{4, 4} : Bounds{1, 1};
        job.servers = wide ? Bounds{1, 1} : Bounds{0, 0};
        job.stop.iterations = 100'000;
        AnalyticWork work{.parameterBytes = 1e5, .batch = 32, .secondsPerSample = wide ? 0.04 : 0.01};
        work.secondsPerSample *= 1 + 0.3 * (j % 17) / 17;
        work.curve = {.a = 1 + j % 13 * 0.2, .b = 0.01 + j % 7 * 0.01, .c = j % 100 * 0.01, .p = 0.7};
        job.work = work;
        s.jobs.push_back(job);
    }
    return s;
}

} // namespace trainyard
