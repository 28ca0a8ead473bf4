// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the policies of a run have noted, and what its scheduler has promised, by series and job: a fold of the log that views
// read (RunIndex::fold). What the numbers mean is declared by the policy (PolicyInfo::series).
#include "analysis/RunIndex.h"

namespace trainyard {

struct NotedValue {
    SimTime at;
    std::uint32_t first = 0, second = 0;
    double value = 0;
    friend bool operator==(const NotedValue&, const NotedValue&) = default;
};

struct Reservation {
    SimTime at;
    JobId job;
    TaskRole role = TaskRole::worker;
    MachineId machine;
    std::uint32_t slot = 0;
    int tasks = 0;
    friend bool operator==(const Reservation&, const Reservation&) = default;
};

class PolicyNotes final : public LogFold {
public:
    explicit PolicyNotes(const RunSource&) {}
    void apply(const Event& event, std::size_t position) override;

    /// In order of time; an invalid job: of the policy as a whole. Empty where there are none.
    std::span<const NotedValue> of(NoteSeries series, JobId job = {}) const;
    /// In order of time.
    const std::vector<Reservation>& reservations() const { return m_reservations; }
    /// Whether anything was noted of the job, or of a policy as a whole.
    bool concern(JobId job) const;

private:
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<NotedValue>> m_values; ///< by job and packed series
    std::vector<Reservation> m_reservations;
};

/// The policies that a job has under a scenario, by family, as a registry knows them; null: unknown.
const PolicyInfo* policyOf(const Scenario& scenario, const Registry& registry, PolicyFamily family, const Job* job);
/// What a note is of, as its policy declares it; null: it declares no such series.
const SeriesInfo* seriesOf(const Scenario& scenario, const Registry& registry, NoteSeries series, const Job* job);

} // namespace trainyard
