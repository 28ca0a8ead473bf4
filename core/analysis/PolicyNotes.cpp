// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/PolicyNotes.h"

namespace trainyard {

void PolicyNotes::apply(const Event& e, std::size_t) {
    if (e.type == EventType::note)
        m_values[{e.job, e.aux}].push_back({e.time, e.a, e.b, e.value});
    else if (e.type == EventType::reserved)
        m_reservations.push_back(
            {e.time, e.jobId(), static_cast<TaskRole>(e.aux), MachineId(e.a), e.b, static_cast<int>(e.value)});
}

std::span<const NotedValue> PolicyNotes::of(NoteSeries series, JobId job) const {
    const auto it = m_values.find({job.value, series.packed()});
    return it == m_values.end() ? std::span<const NotedValue>() : std::span<const NotedValue>(it->second);
}

bool PolicyNotes::concern(JobId job) const {
    for (const std::uint32_t of : {job.value, JobId::none})
        if (const auto it = m_values.lower_bound({of, 0}); it != m_values.end() && it->first.first == of) return true;
    return false;
}

const PolicyInfo* policyOf(const Scenario& scenario, const Registry& registry, PolicyFamily family, const Job* job) {
    const Choice* choice = &scenario.policies.of(family);
    if (job && family == PolicyFamily::synchronization && !job->synchronization.id.empty())
        choice = &job->synchronization;
    if (job && family == PolicyFamily::parameters && !job->parameters.id.empty()) choice = &job->parameters;
    if (job && family == PolicyFamily::partitioner && !job->partitioner.id.empty()) choice = &job->partitioner;
    return registry.find(family, choice->id);
}

const SeriesInfo* seriesOf(const Scenario& scenario, const Registry& registry, NoteSeries series, const Job* job) {
    const PolicyInfo* info = policyOf(scenario, registry, series.family, job);
    return info && series.number < info->series.size() ? &info->series[series.number] : nullptr;
}

} // namespace trainyard
