// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What keyed jobs have counted, by the intervals at whose ends it was logged, and the messages of their watched keys. A fold for the
// views of keyed jobs.
#include "analysis/RunIndex.h"
#include "record/KeyCounters.h"
#include "record/KeyMessageType.h"

#include <array>

namespace trainyard {

class KeyedCourse final : public LogFold {
public:
    struct Interval {
        double from = 0, to = 0; ///< seconds
        double iterations = 0;
        std::array<double, 3> pulls{}; ///< local, remote, waiting
        std::array<double, keyMessageTypes> messages{};
        /// By node: share of the interval that its server thread, and its network interface in one direction, were in use.
        std::vector<double> server, sending, receiving;
    };
    struct Message {
        SimTime sent, received;
        KeyMessageType type = KeyMessageType::pullRequest;
        std::uint32_t key = 0, from = 0, to = 0;
    };

    explicit KeyedCourse(const RunSource& run) : m_workload(run.workload), m_jobs(run.workload->jobs.size()) {}
    void apply(const Event& event, std::size_t position) override;

    const std::vector<Interval>& intervals(JobId job) const { return m_jobs[job.index()].intervals; }
    const std::vector<Message>& messages(JobId job) const { return m_jobs[job.index()].messages; }
    static bool concerns(const RunIndex& run, JobId job);

private:
    struct OfJob {
        std::vector<Interval> intervals;
        std::vector<Message> messages;
        double updates = 0, since = 0;
    };
    /// The one that ends now.
    static Interval& intervalAt(OfJob& job, double seconds);
    static void count(OfJob& job, const Event& event);

    std::shared_ptr<const Workload> m_workload;
    std::vector<OfJob> m_jobs;
};

/// The heading of the views of keyed jobs.
Text keysGroup();

} // namespace trainyard
