// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/CompletedShare.h"

#include <algorithm>

namespace trainyard {

double progressOf(const Job& job, const JobState& state, SimTime now) {
    if (state.phase == JobPhase::finished) return 1;
    double done = 0;
    if (job.stop.iterations && *job.stop.iterations > 0)
        done = std::max(done, static_cast<double>(state.updates) / static_cast<double>(*job.stop.iterations));
    if (job.stop.seconds && *job.stop.seconds > 0 && state.phase == JobPhase::running)
        done = std::max(done, (now - state.since).toSeconds() / *job.stop.seconds);
    if (const auto* analytic = std::get_if<AnalyticWork>(&job.work);
        analytic && job.stop.epochs && analytic->samples * *job.stop.epochs > 0)
        done = std::max(done, state.samplesUsed / (analytic->samples * *job.stop.epochs));
    return std::min(done, 1.0);
}

double progressOf(const ClusterState& state) {
    const auto& jobs = state.workload().jobs;
    if (state.allJobsOver()) return 1;
    double sum = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const JobState& job = state.jobs()[i];
        const bool over = job.phase == JobPhase::failed || job.phase == JobPhase::rejected;
        sum += over ? 1 : progressOf(jobs[i], job, state.now());
    }
    return sum / static_cast<double>(jobs.size());
}

} // namespace trainyard
