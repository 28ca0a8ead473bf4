// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/WaitingJobs.h"

#include <algorithm>
#include <tuple>

namespace trainyard {

bool operator<(const WaitingJobs::Shape& a, const WaitingJobs::Shape& b) {
    const auto counts = [](const WaitingJobs::Shape& s) {
        return std::tuple(s.workers.minimum, s.workers.maximum, s.servers.minimum, s.servers.maximum,
                          s.workersPerServer);
    };
    if (counts(a) != counts(b)) return counts(a) < counts(b);
    if (!(a.workerDemand == b.workerDemand)) return lessByAmounts(a.workerDemand, b.workerDemand);
    return lessByAmounts(a.serverDemand, b.serverDemand);
}

WaitingJobs::Shape WaitingJobs::shapeOf(const SchedulerView& view, JobId id) {
    const Job& job = view.workload().job(id);
    return {view.workers(id), job.servers, job.workersPerServer, job.workerDemand, job.serverDemand};
}

WaitingJobs::Jobs& WaitingJobs::insert(const SchedulerView& view, Entry entry) {
    erase(view, entry.job);
    m_places.insert_or_assign(entry.job, Place(entry.rank, entry.tie));
    const Shape shape = shapeOf(view, entry.job);
    Jobs& jobs = m_byShape[shape];
    jobs.entries.insert(entry);
    return jobs;
}

void WaitingJobs::erase(const SchedulerView& view, JobId job) {
    const auto place = m_places.find(job);
    if (place == m_places.end()) return;
    const auto shape = m_byShape.find(shapeOf(view, job));
    shape->second.entries.erase({place->second.rank, job, place->second.tie});
    if (shape->second.entries.empty()) m_byShape.erase(shape);
    m_places.erase(place);
}

void WaitingJobs::insertAt(const SchedulerView& view, JobId job, Place place) {
    insert(view, {place.rank, job, place.tie});
}

void WaitingJobs::update(const SchedulerView& view, std::span<const Event> since, const Rank& rank) {
    for (const Event& event : since) {
        if (event.job == JobId::none || event.type == EventType::lossEvaluated) continue;
        const JobId job = event.jobId();
        if (view.state().job(job).phase == JobPhase::waiting)
            insertAt(view, job, rank(job));
        else
            erase(view, job);
    }
    if (m_places.size() != view.jobsIn(JobPhase::waiting).size()) rebuild(view, rank); // it joins a run under way
}

void WaitingJobs::rebuild(const SchedulerView& view, const Rank& rank) {
    m_byShape.clear();
    m_places.clear();
    for (const JobId job : view.jobsIn(JobPhase::waiting)) insertAt(view, job, rank(job));
}

WaitingJobs::Walk::Walk(WaitingJobs& waiting, bool all) : m_waiting(waiting), m_all(all) {
    for (auto& [shape, jobs] : waiting.m_byShape) m_heap.push_back({*jobs.entries.begin(), &jobs});
    std::make_heap(m_heap.begin(), m_heap.end());
}

void WaitingJobs::Walk::pushAfterLast(Jobs& jobs) {
    const auto next = jobs.entries.upper_bound(m_last.entry);
    if (next == jobs.entries.end()) return;
    m_heap.push_back({*next, &jobs});
    std::push_heap(m_heap.begin(), m_heap.end());
}

std::optional<WaitingJobs::Entry> WaitingJobs::Walk::next() {
    if (m_last.jobs && (m_all || !isKnown())) pushAfterLast(*m_last.jobs);
    while (!m_heap.empty()) {
        std::pop_heap(m_heap.begin(), m_heap.end());
        const Item item = m_heap.back();
        m_heap.pop_back();
        if (m_last.jobs && !(m_last.entry < item.entry)) continue; // met by another way
        m_last = item;
        if (m_all || !isKnown()) return item.entry;
    }
    m_last.jobs = nullptr;
    return std::nullopt;
}

void WaitingJobs::Walk::fail() {
    if (!isKnown()) m_failed.push_back(m_last.jobs);
    m_last.jobs->failed = true;
}

void WaitingJobs::Walk::roomChanged() {
    for (Jobs* jobs : m_failed) {
        jobs->failed = false;
        pushAfterLast(*jobs);
    }
    m_failed.clear();
}

void WaitingJobs::Walk::add(const SchedulerView& view, Entry entry) {
    m_heap.push_back({entry, &m_waiting.insert(view, entry)});
    std::push_heap(m_heap.begin(), m_heap.end());
}

std::vector<WaitingJobs::Entry> WaitingJobs::Walk::following(std::size_t most) const {
    std::vector<Entry> out;
    for (const auto& [shape, jobs] : m_waiting.m_byShape) {
        auto next = jobs.entries.upper_bound(m_last.entry);
        for (std::size_t i = 0; i < most && next != jobs.entries.end(); ++i) out.push_back(*next++);
    }
    std::sort(out.begin(), out.end());
    out.resize(std::min(out.size(), most));
    return out;
}

} // namespace trainyard
