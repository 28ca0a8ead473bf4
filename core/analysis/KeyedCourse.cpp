// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/KeyedCourse.h"

#include <algorithm>

namespace trainyard {

namespace {

void addTo(std::vector<double>& byNode, std::uint32_t node, double value) {
    if (byNode.size() <= node) byNode.resize(node + 1, 0);
    byNode[node] += value;
}

} // namespace

bool KeyedCourse::concerns(const RunIndex& run, JobId job) {
    const auto& jobs = run.workload().jobs;
    if (job.valid()) return jobs[job.index()].keyedAccess();
    return std::ranges::any_of(jobs, [](const Job& j) { return j.keyedAccess() != nullptr; });
}

KeyedCourse::Interval& KeyedCourse::intervalAt(OfJob& job, double seconds) {
    if (job.intervals.empty() || job.intervals.back().to < seconds) {
        Interval fresh;
        fresh.from = job.intervals.empty() ? job.since : std::max(job.since, job.intervals.back().to);
        fresh.to = seconds;
        job.intervals.push_back(std::move(fresh));
    }
    return job.intervals.back();
}

void KeyedCourse::apply(const Event& event, std::size_t) {
    if (event.job >= m_jobs.size() || !m_workload->jobs[event.job].keyedAccess()) return;
    OfJob& job = m_jobs[event.job];
    switch (event.type) {
    case EventType::jobStarted: job.since = event.time.toSeconds(); break;
    case EventType::jobPreempted: job.updates = event.a; break;
    case EventType::updateApplied: {
        const auto updates = static_cast<double>(event.count());
        intervalAt(job, event.time.toSeconds()).iterations += std::max(0.0, updates - job.updates);
        job.updates = updates;
        break;
    }
    case EventType::keysCounted: count(job, event); break;
    case EventType::keyMessage:
        job.messages.push_back({event.time, event.time + Duration::seconds(event.value),
                                static_cast<KeyMessageType>(event.aux), event.a, event.b >> 16, event.b & 0xffff});
        break;
    default: break;
    }
}

void KeyedCourse::count(OfJob& job, const Event& event) {
    Interval& now = intervalAt(job, event.time.toSeconds());
    const double length = std::max(now.to - now.from, 1e-12);
    switch (static_cast<KeyCounter>(event.aux)) {
    case KeyCounter::localPulls:
    case KeyCounter::remotePulls:
    case KeyCounter::waitingPulls: now.pulls[event.aux] += event.value; break;
    case KeyCounter::messages:
        if (event.b < keyMessageTypes) now.messages[event.b] += event.value;
        break;
    case KeyCounter::serverSeconds: addTo(now.server, event.a, event.value / length); break;
    case KeyCounter::sendingSeconds: addTo(now.sending, event.a, event.value / length); break;
    case KeyCounter::receivingSeconds: addTo(now.receiving, event.a, event.value / length); break;
    default: break;
    }
}

Text keysGroup() { return {TRAINYARD_TEXT("Keys"), {}}; }

} // namespace trainyard
