// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/RateChoices.h"

#include "analysis/PolicyNotes.h"
#include "policy/RateSeries.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

double RateChoice::errorAfter(std::uint64_t updates) const {
    const RateOption& option = options[chosen];
    return option.floor +
           std::exp(-option.line.slope * option.cost * static_cast<double>(updates)) * (error - option.floor);
}

RateChoices::RateChoices(const RunSource& run) : m_jobs(run.workload->jobs.size()) {
    if (!run.scenario) return;
    const Registry registry = Registry::builtin();
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        const PolicyInfo* info =
            policyOf(*run.scenario, registry, PolicyFamily::synchronization, &run.workload->jobs[j]);
        m_jobs[j].byRates = info && rate_series::declaredBy(*info);
    }
}

void RateChoices::apply(const Event& event, std::size_t position) {
    if (event.job >= m_jobs.size() || !m_jobs[event.job].byRates) return;
    Course& job = m_jobs[event.job];
    switch (event.type) {
    case EventType::note: note(job, event, position); break;
    case EventType::gradientUsed:
    case EventType::updateApplied:
        if (job.undecided) job.made.back().inRound = true;
        job.undecided = false;
        job.updates += event.type == EventType::updateApplied;
        break;
    case EventType::pullStarted:
    case EventType::computeStarted: job.undecided = false; break;
    default: break;
    }
}

void RateChoices::note(Course& job, const Event& event, std::size_t position) {
    const NoteSeries series = NoteSeries::unpacked(event.aux);
    if (series.family != PolicyFamily::synchronization) return;
    if (series.number == rate_series::load) {
        if (std::exchange(job.chosen, false)) job.options.clear();
        job.options.push_back(
            {.waitFor = static_cast<int>(event.a), .samples = static_cast<int>(event.b), .load = event.value});
        job.envelope.clear();
    } else if (series.number == rate_series::choice) {
        choose(job, event, position);
    } else if (!job.options.empty()) {
        RateOption& option = job.options.back();
        if (series.number == rate_series::cost) option.cost = event.value;
        if (series.number == rate_series::floor) option.floor = event.value;
        if (series.number == rate_series::slope) option.line = {event.value, -event.value * option.floor};
    }
}

void RateChoices::choose(Course& job, const Event& event, std::size_t position) {
    job.chosen = true;
    const auto chosen = std::find_if(job.options.begin(), job.options.end(), [&](const RateOption& o) {
        return o.waitFor == static_cast<int>(event.a) && o.samples == static_cast<int>(event.b);
    });
    if (chosen == job.options.end()) return; // the log of another version
    if (job.envelope.empty()) {
        std::vector<RateLine> lines;
        for (const RateOption& option : job.options) lines.push_back(option.line);
        job.envelope = upperEnvelope(lines);
    }
    job.made.push_back({.choice = std::make_shared<const RateChoice>(
                            RateChoice{.at = event.time,
                                       .job = event.jobId(),
                                       .number = job.made.size(),
                                       .error = event.value,
                                       .options = job.options,
                                       .chosen = static_cast<std::size_t>(chosen - job.options.begin()),
                                       .envelope = job.envelope}),
                        .position = position,
                        .updates = job.updates});
    job.undecided = true;
}

const RateChoices::Made* RateChoices::before(JobId job, std::size_t position) const {
    const auto& made = m_jobs[job.index()].made;
    const auto it = std::lower_bound(made.begin(), made.end(), position,
                                     [](const Made& m, std::size_t at) { return m.position < at; });
    return it == made.begin() ? nullptr : &*(it - 1);
}

} // namespace trainyard
