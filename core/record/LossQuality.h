// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How far the losses of jobs have come down, on one scale for all jobs and for all policies that are compared: the loss that a job
// can reach at least is taken from its curve, not from the run. A fold beside MetricsFold, which calls it; views ask for the limit.
#include "model/Workload.h"
#include "record/Event.h"
#include "record/LossAccounts.h"

#include <array>
#include <optional>
#include <vector>

namespace trainyard {

/// The least loss that an analytic job's curve comes to, however long it runs: the limit of a falling formula, the least of a
/// recorded curve. nullopt: of other jobs, and of formulas that do not fall to a limit, nobody knows; take the least of the run.
std::optional<double> lossLimit(const Job& job);

/// (loss − limit) / (first − limit): 1 at the beginning, 0 at the limit. 1 where the loss cannot fall or never did.
double normalisedLoss(double loss, double first, double limit);

/// The integral of a normalised loss, of which those of 1 and of the loss are given; of 1 where the loss cannot fall.
double normalisedSum(double time, double lossTime, double first, double limit);

/// Metrics' names, by LossQuality::levels.
inline constexpr std::array<const char*, 3> timesToLevels{"time_to_90_s", "time_to_95_s", "time_to_99_s"};
inline constexpr std::array<const char*, 3> jobsToLevels{"jobs_to_90", "jobs_to_95", "jobs_to_99"};

class LossQuality {
public:
    /// Shares of the drop from the first loss to the limit.
    static constexpr std::array<double, 3> levels{0.90, 0.95, 0.99};

    explicit LossQuality(const Workload& workload);
    void apply(const Event& event);

    /// The mean over active jobs (arrived, not over; no graph jobs) of their normalised loss, averaged over the time until `end`
    /// in which there are any. nullopt: there were none. Constant work per job.
    std::optional<double> meanActiveLoss(SimTime end) const;
    /// Seconds from arrival to the first evaluated loss that is at most first − levels[level]·(first − limit).
    std::optional<double> timeTo(std::size_t job, std::size_t level) const;
    /// The limit that the job is measured by: by its curve, or the least loss so far. nullopt: it has no loss yet.
    std::optional<double> limitOf(std::size_t job) const;
    /// Whether that is known, however the run goes on.
    bool limitIsKnown(std::size_t job) const { return m_jobs[job].limit.has_value(); }
    /// What the mean until `end` and the times are made of; without inSystem, lossIntegral and `normalised`, which it does not know.
    LossAccounts accounts(SimTime end) const;

private:
    struct JobFold {
        bool counts = false, active = false;
        std::optional<double> limit, first; ///< limit: by the curve
        double loss = 0, least = 0;
        SimTime arrival;
        /// Integrals while it was active, over dt / (number of active jobs): of 1 before the first loss; then of 1 and of the loss.
        double before = 0, since = 0, lossSince = 0;
        double entered = 0; ///< m_passed, when these were last brought up to date
        std::vector<LossAccounts::Record> records;
    };

    double passedUntil(SimTime now) const;
    void advance(SimTime now);
    static void settle(JobFold& job, double passed);
    void setActive(JobFold& job, bool active);

    std::vector<JobFold> m_jobs;
    std::size_t m_active = 0;
    double m_passed = 0;  ///< ∫ dt / (number of active jobs)
    double m_seconds = 0; ///< with active jobs
    SimTime m_now;
};

} // namespace trainyard
