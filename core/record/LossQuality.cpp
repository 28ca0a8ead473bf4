// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/LossQuality.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace trainyard {

namespace {

/// A loss that is greater than a level by this share of the whole drop has reached it: limits by formula are rounded.
constexpr double roundedDrop = 1e-9;

} // namespace

std::optional<double> lossLimit(const Job& job) {
    const auto* work = std::get_if<AnalyticWork>(&job.work);
    if (!work) return std::nullopt;
    const LossCurve& curve = work->curve;
    switch (curve.family) {
    case LossCurve::Family::recorded:
        if (!curve.recorded || curve.recorded->losses.empty()) return std::nullopt;
        return *std::min_element(curve.recorded->losses.begin(), curve.recorded->losses.end());
    case LossCurve::Family::power:
        return curve.a > 0 && curve.b > 0 && curve.p > 0 ? std::optional(curve.c) : std::nullopt;
    case LossCurve::Family::geometric:
        return curve.a > 0 && curve.b >= 0 && curve.b < 1 ? std::optional(curve.c) : std::nullopt;
    }
    return std::nullopt;
}

double normalisedLoss(double loss, double first, double limit) {
    return first > limit ? (loss - limit) / (first - limit) : 1;
}

LossQuality::LossQuality(const Workload& workload) : m_jobs(workload.jobs.size()) {
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        m_jobs[j].counts = workload.jobs[j].kind() != JobKind::graph;
        m_jobs[j].limit = lossLimit(workload.jobs[j]);
    }
}

double LossQuality::passedUntil(SimTime now) const {
    return m_active > 0 && m_now < now ? m_passed + (now - m_now).toSeconds() / static_cast<double>(m_active)
                                       : m_passed;
}

void LossQuality::advance(SimTime now) {
    m_passed = passedUntil(now);
    if (m_active > 0 && m_now < now) m_seconds += (now - m_now).toSeconds();
    m_now = std::max(m_now, now);
}

/// Brings the integrals of an active job up to date.
void LossQuality::settle(JobFold& job, double passed) {
    const double more = passed - std::exchange(job.entered, passed);
    if (!job.active) return;
    (job.first ? job.since : job.before) += more;
    if (job.first) job.lossSince += job.loss * more;
}

void LossQuality::setActive(JobFold& job, bool active) {
    if (!job.counts || job.active == active) return;
    settle(job, m_passed);
    job.active = active;
    m_active += active ? std::size_t{1} : static_cast<std::size_t>(-1);
}

void LossQuality::apply(const Event& event) {
    if (event.job >= m_jobs.size()) return;
    JobFold& job = m_jobs[event.job];
    switch (event.type) {
    case EventType::jobArrived:
        advance(event.time);
        job.arrival = event.time;
        setActive(job, true);
        break;
    case EventType::jobFinished:
    case EventType::jobFailed:
    case EventType::jobRejected:
        advance(event.time);
        setActive(job, false);
        break;
    case EventType::lossEvaluated:
        advance(event.time);
        settle(job, m_passed);
        if (!job.first || event.value < job.least) {
            job.records.push_back({(event.time - job.arrival).toSeconds(), event.value});
            job.least = event.value;
        }
        if (!job.first) job.first = event.value;
        job.loss = event.value;
        break;
    default: break;
    }
}

std::optional<double> LossQuality::meanActiveLoss(SimTime end) const {
    const double seconds = m_seconds + (m_active > 0 && m_now < end ? (end - m_now).toSeconds() : 0);
    if (seconds <= 0) return std::nullopt;
    double sum = 0;
    const double passed = passedUntil(end);
    for (const JobFold& job : m_jobs) {
        const double more = job.active ? passed - job.entered : 0;
        const double limit = job.limit.value_or(job.least);
        sum += job.before + (job.first ? 0 : more);
        if (!job.first) continue;
        const double since = job.since + more, lossSince = job.lossSince + job.loss * more;
        sum += *job.first > limit ? (lossSince - limit * since) / (*job.first - limit) : since;
    }
    return sum / seconds;
}

std::optional<double> LossQuality::timeTo(std::size_t index, std::size_t level) const {
    const JobFold& job = m_jobs[index];
    if (!job.first) return std::nullopt;
    const double limit = job.limit.value_or(job.least), drop = *job.first - limit;
    if (drop <= 0) return std::nullopt;
    const double target = *job.first - (levels[level] - roundedDrop) * drop;
    const auto it = std::partition_point(job.records.begin(), job.records.end(),
                                         [&](const Record& record) { return record.loss > target; });
    if (it == job.records.end()) return std::nullopt;
    return it->seconds;
}

} // namespace trainyard
