// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/QualityCourse.h"

#include "learning/keyed/KeyedChoices.h"

#include <algorithm>

namespace trainyard {

void QualityCourse::apply(const Event& event, std::size_t) {
    if (event.job >= m_jobs.size()) return;
    OfJob& job = m_jobs[event.job];
    switch (event.type) {
    case EventType::jobArrived: job.arrived = event.time.toSeconds(); break;
    case EventType::jobPreempted: ++job.interruptions; break;
    case EventType::qualityEvaluated: {
        const auto* work = std::get_if<AnalyticWork>(&m_workload->jobs[event.job].work);
        if (!work || !m_workload->jobs[event.job].keyedAccess()) break;
        if (job.qualities.size() <= event.aux) {
            job.qualities.resize(event.aux + 1u);
            job.interruptionsOf.resize(event.aux + 1u);
        }
        Points& points = job.qualities[event.aux];
        if (job.interruptionsOf[event.aux] != job.interruptions && !points.values.empty())
            points.breaks.push_back(points.values.size());
        job.interruptionsOf[event.aux] = job.interruptions;
        points.seconds.push_back(event.time.toSeconds());
        points.epochs.push_back(static_cast<double>(event.count()) * work->batch / work->samples);
        points.values.push_back(event.value);
        break;
    }
    default: break;
    }
}

const QualityCourse::Points* QualityCourse::of(JobId job, std::size_t quality) const {
    const auto& qualities = m_jobs[job.index()].qualities;
    return quality < qualities.size() && !qualities[quality].values.empty() ? &qualities[quality] : nullptr;
}

std::optional<double> QualityCourse::secondsTo(JobId job, std::string_view quality, double target) const {
    const KeyedAccess* access = m_workload->job(job).keyedAccess();
    const KeyedModelInfo* info = access && access->task ? findKeyedModel(access->task->model.id) : nullptr;
    if (!info) return std::nullopt;
    const auto it = std::ranges::find(info->qualities, quality, &QualityInfo::id);
    const Points* points =
        it == info->qualities.end() ? nullptr : of(job, static_cast<std::size_t>(it - info->qualities.begin()));
    if (!points) return std::nullopt;
    for (std::size_t n = 0; n < points->values.size(); ++n)
        if (it->moreIsBetter ? points->values[n] >= target : points->values[n] <= target) {
            double at = points->seconds[n];
            if (n > 0)
                at -= (at - points->seconds[n - 1]) * (points->values[n] - target) /
                      (points->values[n] - points->values[n - 1]);
            return at - m_jobs[job.index()].arrived;
        }
    return std::nullopt;
}

bool QualityCourse::concerns(const RunIndex& run, JobId job) {
    const auto trains = [](const Job& each) { return each.keyedAccess() && !each.keyedAccess()->qualities.empty(); };
    if (job.valid()) return trains(run.workload().job(job));
    return std::ranges::any_of(run.workload().jobs, trains);
}

std::vector<std::string> firstQualities(const Scenario& scenario) {
    std::vector<std::string> out;
    for (const Job* job : jobsAndTemplates(scenario)) {
        const KeyedAccess* access = job->keyedAccess();
        const KeyedModelInfo* model = access && access->task ? findKeyedModel(access->task->model.id) : nullptr;
        if (model && !model->qualities.empty()) out.push_back(model->qualities.front().id);
    }
    return out;
}

} // namespace trainyard
