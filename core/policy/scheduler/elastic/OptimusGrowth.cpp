// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/elastic/OptimusGrowth.h"

#include <algorithm>
#include <optional>
#include <queue>

namespace trainyard {

namespace marginal_growth {

struct Best {
    double gain = 0;
    std::size_t job = 0;
    GrowingJob::Step step;
    /// The greatest gain on top; among equals the first job.
    friend bool operator<(const Best& a, const Best& b) { return a.gain != b.gain ? a.gain < b.gain : a.job > b.job; }
};

/// What a step brings, and whether it fits.
GrowingJob::Step weigh(const Job& spec, const GrowingJob& job, int workers, int servers, const ResourceVector& room,
                       const ResourceVector& capacity) {
    const ResourceVector added = demandOf(spec, workers - job.workers, servers - job.servers);
    const double saved = job.outlook.secondsToGo(job.workers, job.servers) - job.outlook.secondsToGo(workers, servers);
    const double share = std::max(1e-12, dominantShare(added, capacity));
    return {workers, servers, job.outlook.secondsToGo(workers, servers), saved / share, added.fitsIn(room)};
}

/// The better of a worker and a server more; what does not fit now never will. `refused`: where those go that are not taken.
std::optional<GrowingJob::Step> bestStep(const Job& spec, GrowingJob& job, const ResourceVector& room,
                                         const ResourceVector& capacity) {
    std::optional<GrowingJob::Step> best;
    job.refused.clear();
    const auto consider = [&](int workers, int servers) {
        const auto step = weigh(spec, job, workers, servers, room, capacity);
        if (!step.fits || !(step.gain > 0))
            job.refused.push_back(step);
        else if (!best || step.gain > best->gain)
            best = step;
    };
    if (job.workers < job.workerBounds.maximum)
        consider(job.workers + 1, job.tied ? spec.serversFor(job.workers + 1, job.workerBounds) : job.servers);
    if (!job.tied && job.servers < spec.servers.maximum) consider(job.workers, job.servers + 1);
    return best;
}

} // namespace marginal_growth

bool GrowingJob::shrink() {
    if (taken.empty()) return false;
    refused = {taken.back()};
    refused.back().fits = false;
    taken.pop_back();
    workers = taken.empty() ? leastWorkers : taken.back().workers;
    servers = taken.empty() ? leastServers : taken.back().servers;
    return true;
}

ResourceVector demandOf(const Job& spec, int workers, int servers) {
    return spec.workerDemand.times(workers) + spec.serverDemand.times(servers);
}

GrowingJob leastOf(const Job& spec, JobId job, Bounds workers, JobOutlook outlook) {
    GrowingJob out{.job = job, .workerBounds = workers, .outlook = outlook};
    out.tied = spec.workersPerServer.has_value();
    out.workers = out.leastWorkers = workers.minimum;
    out.servers = out.leastServers = out.tied ? spec.serversFor(out.workers, workers) : spec.servers.minimum;
    return out;
}

void growByGains(const Workload& workload, std::span<GrowingJob> jobs, ResourceVector& room,
                 const ResourceVector& capacity) {
    using namespace marginal_growth;
    std::priority_queue<Best> heap;
    const auto push = [&](std::size_t j) {
        if (const auto step = bestStep(workload.job(jobs[j].job), jobs[j], room, capacity))
            heap.push({step->gain, j, *step});
    };
    for (std::size_t j = 0; j < jobs.size(); ++j) push(j);
    while (!heap.empty()) {
        const Best best = heap.top();
        heap.pop();
        GrowingJob& job = jobs[best.job];
        const ResourceVector added =
            demandOf(workload.job(job.job), best.step.workers - job.workers, best.step.servers - job.servers);
        if (added.fitsIn(room)) {
            room -= added;
            job.workers = best.step.workers;
            job.servers = best.step.servers;
            job.taken.push_back(best.step);
        }
        push(best.job); // of one that does not fit, perhaps the other task does
    }
}

} // namespace trainyard
