// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One metric over the course of a run: at each instant what it would be had the run ended there, which is
// what the metrics table shows at the cursor. Folded with the log, a piece at a time. Held by lanes and by the view of a metric.
#include "analysis/TimeSeries.h"
#include "record/EventLog.h"
#include "record/MetricsFold.h"

namespace trainyard {

class MetricHistory {
public:
    /// `job`: its key; empty: of the whole run.
    MetricHistory(std::shared_ptr<const Workload> workload, std::shared_ptr<const EventLog> log,
                  const std::string& metric, const std::string& job);

    bool known() const { return m_definition.has_value(); } ///< the run has such a metric, and such a job
    const MetricDefinition& definition() const { return *m_definition; }
    const std::optional<std::size_t>& job() const { return m_job; } ///< none: of the whole run
    std::string jobName() const;                                    ///< empty: of the whole run

    /// Folds on from event `position`, for about as long as looking at `limit` events takes; returns how far
    /// it has come.
    std::size_t update(std::size_t position, std::size_t limit);

    /// Corners of the curve. Where the metric jumps there are two of one time. Every instant of a short run;
    /// of a long one every 2ⁿ-th, at most `mostSamples`. Without those at which the metric has no value.
    LinePoints points() const;
    std::optional<double> at(double seconds) const; ///< on that line; none before the first value
    /// `seconds`: not before the first corner; after the last its value holds.
    static double onLine(const LinePoints& line, double seconds);
    static constexpr std::size_t mostSamples = 2000;

private:
    struct Sample {
        double seconds = 0;
        std::optional<double> before, after; ///< what happens at that instant
    };
    std::optional<double> value() const;
    void leave();
    void enter(SimTime now);

    std::shared_ptr<const Workload> m_workload;
    std::shared_ptr<const EventLog> m_log;
    std::optional<MetricDefinition> m_definition;
    std::optional<std::size_t> m_job;
    MetricsFold m_fold;
    SimTime m_now;
    std::size_t m_instants = 0, m_stride = 1;
    std::vector<Sample> m_samples; ///< of every m_stride-th instant, the first included
    bool m_open = false;           ///< the last sample's instant goes on
    std::optional<Sample> m_head;  ///< where the fold has come to, while that is no sample
    std::size_t m_headOf = 0;      ///< the position it is of
    std::int64_t m_sampleCost = 0; ///< in events looked at
};

} // namespace trainyard
