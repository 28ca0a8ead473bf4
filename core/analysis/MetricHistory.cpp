// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/MetricHistory.h"

#include <algorithm>
#include <utility>

namespace trainyard {

namespace metric_history {

/// What folding an event into all metrics, and working out their values (per job), take; in events that a
/// history of a machine or a link looks at and leaves.
constexpr std::int64_t eventCost = 8, jobCost = 100;

} // namespace metric_history

using namespace metric_history;

MetricHistory::MetricHistory(const RunSource& run, const std::string& metric, const std::string& job)
    : m_workload(run.workload), m_fold(*m_workload) {
    const std::vector<Job>& jobs = m_workload->jobs;
    for (std::size_t j = 0; j < jobs.size() && !job.empty(); ++j)
        if (jobs[j].key == job) m_job = j;
    if (m_job || job.empty())
        for (const MetricDefinition& definition : metricDefinitionsFor(*m_workload))
            if (definition.id == metric) m_definition = definition;
    // A long log that is there already needs no thinning out on the way.
    while (run.log->size() / m_stride > 4 * mostSamples) m_stride *= 2;
    m_sampleCost = jobCost * static_cast<std::int64_t>(jobs.size() + 1);
}

std::string MetricHistory::jobName() const {
    if (!m_job) return {};
    const Job& job = m_workload->jobs[*m_job];
    return job.name.empty() ? job.key : job.name;
}

std::optional<double> MetricHistory::value() const { return m_fold.valueAt(m_now, m_definition->id, m_job); }

/// What happens at this instant has happened.
bool MetricHistory::leave() {
    if (m_open) m_samples.back().after = value();
    return std::exchange(m_open, false);
}

bool MetricHistory::enter(SimTime now) {
    m_now = now;
    m_open = m_instants++ % m_stride == 0;
    if (!m_open) return false;
    m_samples.push_back({now.toSeconds(), value(), {}});
    if (m_samples.size() <= mostSamples) return true;
    static_assert(mostSamples % 2 == 0); // every second goes, but not the one just begun
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_samples.size(); i += 2) m_samples[kept++] = m_samples[i];
    m_samples.resize(kept);
    m_stride *= 2;
    return true;
}

void MetricHistory::apply(const Event& event, std::size_t) {
    if (!known()) return;
    if (m_instants == 0 || event.time != m_now) {
        m_valuesTaken += leave();
        m_valuesTaken += enter(event.time);
    }
    m_fold.apply(event);
    ++m_events;
}

std::size_t MetricHistory::carryOn(const EventLog& log, std::size_t from, std::size_t to, std::size_t limit) {
    if (!known()) return to;
    auto budget = static_cast<std::int64_t>(std::min<std::size_t>(limit, std::size_t{1} << 40));
    for (; from < to && budget > 0; ++from) {
        m_valuesTaken = 0;
        apply(log[from], from);
        budget -= eventCost + m_valuesTaken * m_sampleCost;
    }
    return from;
}

LinePoints MetricHistory::points() const {
    LinePoints line;
    const auto add = [&](double seconds, const std::optional<double>& value) {
        if (!value || (!line.x.empty() && line.x.back() == seconds && line.y.back() == *value)) return;
        line.x.push_back(seconds);
        line.y.push_back(*value);
    };
    for (const Sample& sample : m_samples) {
        add(sample.seconds, sample.before);
        add(sample.seconds, sample.after);
    }
    if (m_events == 0) return line;
    if (m_headOf != m_events) m_head = {m_now.toSeconds(), {}, value()};
    m_headOf = m_events;
    if (line.x.empty() || m_head->seconds >= line.x.back()) add(m_head->seconds, m_head->after);
    return line;
}

double MetricHistory::onLine(const LinePoints& line, double seconds) {
    const auto after = std::upper_bound(line.x.begin(), line.x.end(), seconds);
    const auto i = static_cast<std::size_t>(after - line.x.begin());
    if (i == 0 || i == line.x.size()) return i == 0 ? line.y.front() : line.y.back();
    const double share = (seconds - line.x[i - 1]) / (line.x[i] - line.x[i - 1]);
    return line.y[i - 1] + share * (line.y[i] - line.y[i - 1]);
}

std::optional<double> MetricHistory::at(double seconds) const {
    const LinePoints line = points();
    if (line.x.empty() || seconds < line.x.front()) return std::nullopt;
    return onLine(line, seconds);
}

} // namespace trainyard
