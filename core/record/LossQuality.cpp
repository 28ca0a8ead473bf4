// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/LossQuality.h"

#include "model/KnownLosses.h"
#include <algorithm>
#include <utility>

namespace trainyard {

std::optional<double> lossLimit(const Job& job) {
    const LossCurve* known = knownCurve(job);
    if (!known) return std::nullopt;
    const LossCurve& curve = *known;
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

double normalisedSum(double time, double lossTime, double first, double limit) {
    return first > limit ? (lossTime - limit * time) / (first - limit) : time;
}

LossQuality::LossQuality(const Workload& workload) : m_jobs(workload.jobs.size()) {
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        m_jobs[j].counts = mayHaveLosses(workload.jobs[j]);
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
    if (job.active == active) return;
    settle(job, m_passed);
    job.active = active;
    m_active += active ? std::size_t{1} : static_cast<std::size_t>(-1);
}

void LossQuality::apply(const Event& event) {
    if (event.job >= m_jobs.size()) return;
    JobFold& job = m_jobs[event.job];
    if (!job.counts) return;
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
        sum += job.before + (job.first ? 0 : more);
        if (job.first)
            sum += normalisedSum(job.since + more, job.lossSince + job.loss * more, *job.first,
                                 job.limit.value_or(job.least));
    }
    return sum / seconds;
}

std::optional<double> LossQuality::timeTo(std::size_t index, std::size_t level) const {
    const JobFold& job = m_jobs[index];
    if (!job.first) return std::nullopt;
    return secondsToShare(job.records, *job.first, job.limit.value_or(job.least), levels[level]);
}

std::optional<double> LossQuality::limitOf(std::size_t index) const {
    const JobFold& job = m_jobs[index];
    if (!job.first) return std::nullopt;
    return job.limit.value_or(job.least);
}

LossAccounts LossQuality::accounts(SimTime end) const {
    LossAccounts out;
    out.seconds = m_seconds + (m_active > 0 && m_now < end ? (end - m_now).toSeconds() : 0);
    const double passed = passedUntil(end);
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        const JobFold& job = m_jobs[j];
        const double more = job.active ? passed - job.entered : 0;
        const double since = job.since + more, lossSince = job.lossSince + job.loss * more;
        if (!job.first) {
            out.settled += job.before + more;
        } else if (job.limit) {
            out.settled += job.before + normalisedSum(since, lossSince, *job.first, *job.limit);
            for (std::size_t level = 0; level < levels.size(); ++level) out.times[level].add(timeTo(j, level));
        } else {
            LossAccounts::Job open{.job = j,
                                   .first = *job.first,
                                   .least = job.least,
                                   .before = job.before,
                                   .since = since,
                                   .lossSince = lossSince};
            const double highest = *job.first - levels.front() * (*job.first - job.least); // lower minima: lower levels
            const auto reaching =
                std::ranges::partition_point(job.records, [&](const auto& record) { return record.loss > highest; });
            // The one before, too: levels are rounded.
            open.records.assign(reaching == job.records.begin() ? reaching : reaching - 1, job.records.end());
            out.jobs.push_back(std::move(open));
        }
    }
    return out;
}

} // namespace trainyard
