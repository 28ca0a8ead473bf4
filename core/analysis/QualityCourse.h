// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the qualities of keyed models were each time they were evaluated. A fold for the view of them, and for studies that ask when a
// quality was reached.
#include "analysis/RunIndex.h"

#include <optional>
#include <string_view>
#include <vector>

namespace trainyard {

class QualityCourse final : public LogFold {
public:
    struct Points {
        std::vector<double> seconds, epochs, values;
        std::vector<std::size_t> breaks; ///< points before which the job was interrupted
    };

    explicit QualityCourse(const RunSource& run) : m_workload(run.workload), m_jobs(run.workload->jobs.size()) {}
    void apply(const Event& event, std::size_t position) override;

    /// By its place among the job's qualities; null: never evaluated.
    const Points* of(JobId job, std::size_t quality) const;
    /// From the job's arrival until the quality is first at least `target`, or at most where less is better: on the line from the last
    /// evaluation before to the one that is. nullopt: not reached, or not one of the job's.
    std::optional<double> secondsTo(JobId job, std::string_view quality, double target) const;
    /// Whether the job, or any, trains a model that has qualities.
    static bool concerns(const RunIndex& run, JobId job);

private:
    struct OfJob {
        double arrived = 0;
        std::size_t interruptions = 0;
        std::vector<Points> qualities;
        std::vector<std::size_t> interruptionsOf; ///< by quality: those before its last point
    };

    std::shared_ptr<const Workload> m_workload;
    std::vector<OfJob> m_jobs;
};

/// Of the models that keyed jobs of a scenario train, the first quality of each: "mrr".
std::vector<std::string> firstQualities(const Scenario& scenario);

} // namespace trainyard
