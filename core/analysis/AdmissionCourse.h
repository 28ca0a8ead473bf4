// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What became of graph jobs that are admitted at once, read out of a run's log: who was accepted, who blocked and why, how the free
// servers of the optical network were cut up, and the options that each arrival had, priced as the engine priced them. For the views of such
// jobs.
#include "analysis/RunIndex.h"
#include "planning/graphs/GraphAdmissions.h"

#include <array>

namespace trainyard {

class AdmissionCourse final : public LogFold {
public:
    explicit AdmissionCourse(const RunSource& run);
    void apply(const Event& event, std::size_t position) override;

    struct Arrival {
        JobId job;
        SimTime at;
        GraphArrivalOptions priced;
        std::optional<RejectReason> rejected; ///< nothing: accepted, or not decided yet
        int degree = 0;                       ///< that it got
    };
    /// In order; empty where no job is admitted at once.
    const std::vector<Arrival>& arrivals() const { return m_arrivals; }
    /// Of a job, else the last until that instant; null: none.
    const Arrival* arrivalOf(JobId job, SimTime until) const;
    const StepSeries& accepted() const { return m_accepted; }
    /// By RejectReason.
    const StepSeries& blocked(RejectReason reason) const { return m_blocked[static_cast<std::size_t>(reason)]; }
    static constexpr std::array<int, 3> blockSizes{16, 8, 4};
    /// How many blocks of that many servers are free, overlapping ones counted each; by blockSizes.
    const StepSeries& freeBlocks(std::size_t size) const { return m_freeBlocks[size]; }
    const StepSeries& freeServers() const { return m_freeServers; }

private:
    void countFree(double seconds);
    void forgetEnded(SimTime now);

    std::shared_ptr<const Workload> m_workload;
    GraphAdmissions m_admissions;
    ClusterState m_state;
    std::vector<std::pair<JobId, SimTime>> m_ended; ///< at an instant that may have an arrival yet
    std::vector<double> m_expected;                 ///< by job: seconds that it was said to take
    std::vector<Arrival> m_arrivals;
    std::vector<std::uint32_t> m_arrivalOf; ///< by job
    StepSeries m_accepted, m_freeServers;
    std::array<StepSeries, 5> m_blocked;
    std::array<StepSeries, 3> m_freeBlocks;
};

/// Whether some job of the run is admitted at once.
bool hasAdmissions(const Workload& workload);

} // namespace trainyard
