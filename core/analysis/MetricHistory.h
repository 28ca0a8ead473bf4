// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One metric over the course of a run: at each instant what it would be had the run ended there, which is
// what the metrics table shows at the cursor. Asked for by the view of a metric.
#include "analysis/RunIndex.h"
#include "record/MetricsFold.h"

namespace trainyard {

class MetricHistory final : public LogFold {
public:
    /// `job`: its key; empty: of the whole run.
    MetricHistory(const RunSource& run, const std::string& metric, const std::string& job);

    bool known() const { return m_definition.has_value(); } ///< the run has such a metric, and such a job
    const MetricDefinition& definition() const { return *m_definition; }
    const std::optional<std::size_t>& job() const { return m_job; } ///< none: of the whole run
    std::string jobName() const;                                    ///< empty: of the whole run
    SimTime reached() const { return m_now; }                       ///< of the last event applied

    void apply(const Event& event, std::size_t position) override;
    std::size_t carryOn(const EventLog& log, std::size_t from, std::size_t to, std::size_t limit) override;

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
    /// Of an instant; true if a value was worked out.
    bool enter(SimTime now);
    bool leave();

    std::shared_ptr<const Workload> m_workload;
    std::optional<MetricDefinition> m_definition;
    std::optional<std::size_t> m_job;
    MetricsFold m_fold;
    SimTime m_now;
    std::size_t m_instants = 0, m_stride = 1;
    std::vector<Sample> m_samples; ///< of every m_stride-th instant, the first included
    bool m_open = false;           ///< the last sample's instant goes on
    std::size_t m_events = 0;      ///< applied
    mutable std::optional<Sample>
        m_head; ///< where the fold has come to, while that is no sample; worked out when it is asked for
    mutable std::size_t m_headOf = 0; ///< m_events then
    std::int64_t m_valuesTaken = 0;   ///< by the event applied last
    std::int64_t m_sampleCost = 0;    ///< of one, in events looked at
};

} // namespace trainyard
