// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Metrics of graph jobs that are admitted at once, in runs that have some: who was blocked and why, and what the others got.
#include "record/MetricGroup.h"

#include <array>
#include <optional>

namespace trainyard {

namespace admission_metrics {

class Reader final : public MetricReader {
public:
    explicit Reader(const Workload& workload) : m_workload(workload), m_jobs(workload.jobs.size()) {}

    void apply(const Event& event) override {
        if (event.job >= m_jobs.size()) return;
        Arrival& job = m_jobs[event.job];
        switch (event.type) {
        case EventType::jobArrived:
            if (!m_first) m_first = event.time;
            job = {.state = State::inFlight, .at = event.time};
            break;
        case EventType::jobPartitioned: job.degree = static_cast<int>(event.a); break;
        case EventType::jobRejected:
            job.state = State::rejected;
            job.why = static_cast<RejectReason>(event.aux);
            break;
        case EventType::jobFinished:
            job.state = State::finished;
            job.end = event.time;
            break;
        case EventType::jobFailed: job.state = State::failed; break;
        default: break;
        }
    }

    void write(Metrics& out, SimTime end) const override {
        double arrived = 0, finished = 0, inFlight = 0, failed = 0, degrees = 0, speedUps = 0, bytes = 0;
        std::array<double, 5> rejected{}; // by RejectReason
        for (std::size_t j = 0; j < m_jobs.size(); ++j) {
            const Arrival& job = m_jobs[j];
            if (job.state == State::future || !m_workload.admitsAtOnce(m_workload.jobs[j])) continue;
            const auto& work = std::get<GraphWork>(m_workload.jobs[j].work);
            ++arrived;
            switch (job.state) {
            case State::rejected:
                if (static_cast<std::size_t>(job.why) < rejected.size()) ++rejected[static_cast<std::size_t>(job.why)];
                break;
            case State::failed: ++failed; break;
            case State::finished:
                ++finished;
                degrees += out.jobs[j]["degree"] = job.degree;
                speedUps += out.jobs[j]["speed_up"] = work.sequentialSeconds() / (job.end - job.at).toSeconds();
                bytes += work.computation().offeredBytes();
                break;
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
        if (m_first && *m_first < end) values["offered_bytes_per_s"] = bytes / (end - *m_first).toSeconds();
        if (finished == 0) return;
        values["mean_degree"] = degrees / finished;
        values["mean_speed_up"] = speedUps / finished;
    }

private:
    enum class State : std::uint8_t { future, inFlight, rejected, failed, finished };
    struct Arrival {
        State state = State::future;
        SimTime at, end;
        RejectReason why = RejectReason::policy;
        int degree = 0;
    };
    const Workload& m_workload;
    std::vector<Arrival> m_jobs;
    std::optional<SimTime> m_first; ///< of all arrivals
};

} // namespace admission_metrics

namespace metric_group {

MetricGroup admission() {
    using enum MetricDefinition::Of;
    using enum MetricDefinition::Group;
    return {
        {
            {"blocking_rate", "Blocking rate", "",
             "Graph jobs that are admitted at once: share of the arrivals that have not finished at the end; those in flight then count as "
             "blocked. The sum of its six parts.",
             run, graphJobs, true},
            {"blocking_rate_decided", "Blocking rate without those in flight", "",
             "Blocking rate − in flight at the end: what was refused at arrival, or failed.", run, none, true},
            {"share_impossible", "Blocked: impossible", "",
             "Share of the arrivals that no number of parts would have served in time even on the empty cluster.", run,
             graphJobs, true},
            {"share_no_block", "Blocked: no block free", "",
             "Share of the arrivals for which, at no number of parts, a block of servers was free.", run, graphJobs,
             true},
            {"share_too_slow", "Blocked: free blocks too slow", "",
             "Share of the arrivals for which blocks were free, each too slow for the deadline.", run, graphJobs, true},
            {"share_by_choice", "Blocked by choice", "",
             "Share of the arrivals that some number of parts would have served in time.", run, graphJobs, true},
            {"share_failed", "Failed after admission", "",
             "Share of the arrivals that were admitted and then lost a server, or were stopped.", run, none, true},
            {"share_in_flight", "In flight at the end", "", "Share of the arrivals that still run when the run ends.",
             run, graphJobs, true},
            more(
                {"offered_bytes_per_s", "Offered load served", "bytes/s",
                 "Graph jobs that are admitted at once: Σ over finished ones of the activations and parameters of all operations and the bytes of "
                 "all dependencies of a step, forward and backward and unsplit, over the time from the first arrival to the end."}),
            {"degree", "Number of parts", "",
             "Graph jobs that are admitted at once and have finished: parts per operation. Per job only.", job},
            more({"speed_up", "Speed-up", "",
                  "The same: sequential time on one server / completion time. Per job only.", job}),
            {"mean_degree", "Mean number of parts", "",
             "Mean of the number of parts over finished graph jobs that were admitted at once.", run, graphJobs},
            more({"mean_speed_up", "Mean speed-up", "", "Mean of the speed-up over the same.", run, graphJobs}),
        },
        [](const Workload& workload) -> std::unique_ptr<MetricReader> {
            if (!workload.cluster.ramp) return nullptr;
            return std::make_unique<admission_metrics::Reader>(workload);
        }};
}

} // namespace metric_group

} // namespace trainyard
