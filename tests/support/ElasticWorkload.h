// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Random jobs of one to several workers, with servers, few or tied to workers, for schedulers that grow and shrink jobs under the
// SchedulerDriver; losses of all kinds, and machines that fail.
#include "support/SchedulerDriver.h"

namespace trainyard::test {

struct ElasticWorkload {
    Workload workload;
    std::vector<double> updates;
};

inline ElasticWorkload elasticWorkload(RandomStream& random) {
    ElasticWorkload out;
    out.workload.cluster.resourceNames = {"cpu", "memory_gb"};
    for (int m = 0; m < 4; ++m)
        out.workload.cluster.machines.push_back(
            machineWith("m" + std::to_string(m), {4 + double(random.below(4)), 4 + double(random.below(6))}));
    for (int j = 0; j < 14; ++j) {
        Job job = workerJob("j" + std::to_string(j), double(random.below(40)),
                            {1 + double(random.below(2)), double(random.below(3))});
        const int least = 1 + static_cast<int>(random.below(2));
        job.workers = {least, least + static_cast<int>(random.below(6))};
        job.serverDemand = ResourceVector::of({1, 1});
        job.servers = {static_cast<int>(random.below(2)), 1 + static_cast<int>(random.below(3))};
        if (random.below(3) == 0) {
            job.workersPerServer = 2;
            job.servers = {job.serversFor(job.workers.minimum, job.workers),
                           job.serversFor(job.workers.maximum, job.workers)};
        }
        if (random.below(3) == 0) job.restartSeconds = double(random.below(5));
        if (random.below(3) == 0) job.stop.loss = 0.05;
        job.work = AnalyticWork{};
        out.workload.jobs.push_back(job);
        out.updates.push_back(random.below(6) == 0 ? 1 : 5 + double(random.below(40)));
    }
    std::stable_sort(out.workload.jobs.begin(), out.workload.jobs.end(),
                     [](const Job& a, const Job& b) { return a.arrival < b.arrival; });
    return out;
}

/// Seconds per update: more workers divide the work, and cost time to keep together.
inline double elasticPace(JobId, const Placement& p) {
    const auto w = static_cast<double>(p.workers.size()),
               s = static_cast<double>(std::max<std::size_t>(1, p.servers.size()));
    return w == 0 ? INFINITY : 2 / w + 0.1 + 0.1 * w / s + 0.02 * w;
}

/// Falling, constant, rising, all 0, negative, or up and down.
inline double oddLoss(JobId job, double updates) {
    switch (job.index() % 6) {
    case 0: return 1 / (1 + updates);
    case 1: return 3;
    case 2: return updates;
    case 3: return 0;
    case 4: return -10 - updates;
    default: return std::sin(updates);
    }
}

/// Runs it to its end, with a machine that fails for a while; what is broken is in `driver.broken`.
inline void runWithFailure(SchedulerDriver& driver, RandomStream& random) {
    driver.secondsPer = elasticPace;
    driver.lossAt = oddLoss;
    driver.run(10);
    driver.failMachine(random.below(4));
    driver.run(10);
    for (std::size_t m = 0; m < 4; ++m)
        if (!driver.state().machines()[m].up) driver.repairMachine(m);
    driver.run();
}

/// Whether jobs end at other times when the scheduler explains itself; `stream` tells random workloads apart.
template <class Make>
bool explainingChangesEnds(std::uint32_t stream, const Make& scheduler, bool tellsUpdates = false) {
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        std::vector<double> ends[2];
        for (const bool explained : {false, true}) {
            RandomStream random(seed, Purpose::test, stream);
            ElasticWorkload w = elasticWorkload(random);
            SchedulerDriver driver(scheduler(), std::move(w.workload), w.updates);
            if (!explained) driver.arena = ExplanationArena(WhyLevel::off);
            driver.tellsUpdates = tellsUpdates;
            runWithFailure(driver, random);
            ends[explained] = driver.finished;
        }
        if (ends[0] != ends[1]) return true;
    }
    return false;
}

} // namespace trainyard::test
