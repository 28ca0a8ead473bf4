// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/ColouredJobs.h"

#include <algorithm>

namespace trainyard {

namespace coloured_jobs {

constexpr std::size_t many = 36, mostColoured = 12;

/// Worker-seconds of computing on devices of speed 1, as far as the scenario says.
double sizeOf(const Job& job) {
    const double updates = static_cast<double>(std::max<std::int64_t>(1, job.stop.iterations.value_or(1)));
    if (const auto* graph = std::get_if<GraphWork>(&job.work)) return graph->sequentialSeconds();
    if (const auto* analytic = std::get_if<AnalyticWork>(&job.work))
        return updates * job.workers.maximum * analytic->batch * analytic->secondsPerSample;
    const auto& trained = std::get<TrainedWork>(job.work);
    return updates * job.workers.maximum * trained.batch * trained.secondsPerSample;
}

} // namespace coloured_jobs

ColouredJobs::ColouredJobs(const Workload& workload) {
    using namespace coloured_jobs;
    const std::size_t jobs = workload.jobs.size();
    const auto isBrief = [&](const Job& job) { return workload.admitsAtOnce(job); };
    if (jobs <= many || std::ranges::all_of(workload.jobs, isBrief)) return;
    std::vector<std::pair<double, std::size_t>> largest;
    for (std::size_t j = 0; j < jobs; ++j) largest.emplace_back(-sizeOf(workload.jobs[j]), j);
    std::partial_sort(largest.begin(), largest.begin() + mostColoured, largest.end());
    m_has.assign(jobs, false);
    for (std::size_t i = 0; i < mostColoured; ++i) m_has[largest[i].second] = true;
}

} // namespace trainyard
