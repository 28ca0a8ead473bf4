// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Metrics of graph jobs that are admitted at once, in runs that have some: who was blocked and why, and what the others got.
#include "record/MetricsFold.h"

#include <array>

namespace trainyard {

void MetricsFold::admissionMetrics(Metrics& out, SimTime end) const {
    if (!m_workload.cluster.ramp) return;
    double arrived = 0, finished = 0, inFlight = 0, failed = 0, degrees = 0, speedUps = 0, bytes = 0;
    std::array<double, 5> rejected{}; // by RejectReason
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        const JobFold& job = m_jobs[j];
        if (job.phase == JobPhase::future || !m_workload.admitsAtOnce(m_workload.jobs[j])) continue;
        const auto& work = std::get<GraphWork>(m_workload.jobs[j].work);
        ++arrived;
        switch (job.phase) {
        case JobPhase::rejected:
            if (static_cast<std::size_t>(job.rejected) < rejected.size())
                ++rejected[static_cast<std::size_t>(job.rejected)];
            break;
        case JobPhase::failed: ++failed; break;
        case JobPhase::finished: {
            ++finished;
            const double speedUp = work.sequentialSeconds() / (job.end - job.arrival).toSeconds();
            degrees += out.jobs[j]["degree"] = job.degree;
            speedUps += out.jobs[j]["speed_up"] = speedUp;
            bytes += work.computation().offeredBytes();
            break;
        }
        default: ++inFlight;
        }
    }
    if (arrived == 0) return;
    auto& values = out.values;
    values["blocking_rate"] = (arrived - finished) / arrived;
    values["blocking_rate_decided"] = (arrived - finished - inFlight) / arrived;
    values["share_impossible"] = rejected[1] / arrived;
    values["share_no_block"] = rejected[2] / arrived;
    values["share_too_slow"] = rejected[3] / arrived;
    values["share_by_choice"] = (rejected[0] + rejected[4]) / arrived;
    values["share_failed"] = failed / arrived;
    values["share_in_flight"] = inFlight / arrived;
    if (m_firstArrival && *m_firstArrival < end)
        values["offered_bytes_per_s"] = bytes / (end - *m_firstArrival).toSeconds();
    if (finished == 0) return;
    values["mean_degree"] = degrees / finished;
    values["mean_speed_up"] = speedUps / finished;
}

} // namespace trainyard
