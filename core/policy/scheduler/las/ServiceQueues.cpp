// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/las/ServiceQueues.h"

#include "policy/scheduler/Processors.h"
#include "policy/scheduler/las/GittinsIndex.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace service_queues {

/// A queue's ranks: first those who run, by when they began, then those who wait, from the middle on to both sides.
constexpr double perQueue = 0x1p49, middle = 0x1p48;

} // namespace service_queues

using namespace service_queues;

// --- What happens

bool ServiceQueues::follow(const SchedulerView& view, std::span<const Event> since, SimTime now) {
    bool outside = m_jobs.empty() || now >= m_nextChange;
    if (m_jobs.size() != view.state().jobs().size()) {
        join(view, now);
    } else {
        bool failed = false; // they may have lost workers
        for (const Event& event : since) {
            outside = take(event) || outside;
            failed = failed || event.type == EventType::machineFailed;
        }
        if (failed)
            for (const JobId job : view.jobsIn(JobPhase::running)) run(job, view.state().job(job).placedWorkers, now);
    }
    m_waiting.update(view, since, [this](JobId job) { return m_jobs[job.index()].waitingRank; });
    return outside;
}

/// A run under way: what jobs have attained is known, their order is that of arrival.
void ServiceQueues::join(const SchedulerView& view, SimTime now) {
    m_jobs.assign(view.state().jobs().size(), {});
    m_running.clear();
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        const JobState& state = view.state().jobs()[j];
        Known& job = m_jobs[j];
        job.perWorker = processorsPerWorker(view.workload().cluster, view.workload().jobs[j]);
        if (state.phase != JobPhase::waiting && state.phase != JobPhase::running) continue;
        job.total = job.attained = std::round(state.attainedUntil(now) * 1e9) * job.perWorker;
        job.executed = Duration::seconds(state.ranUntil(now));
        job.since = now;
        toTail(job);
        if (state.phase == JobPhase::running)
            run(JobId(j), state.placedWorkers, now);
        else
            job.waits = true;
    }
}

bool ServiceQueues::take(const Event& event) {
    if (event.job == JobId::none) return true;
    const JobId id = event.jobId();
    Known& job = m_jobs[id.index()];
    switch (event.type) {
    case EventType::lossEvaluated: return false;
    case EventType::jobStarted:
    case EventType::jobResized: run(id, static_cast<double>(event.a), event.time); return false;
    case EventType::jobArrived:
        toTail(job);
        job.waits = true;
        job.since = event.time;
        return true;
    case EventType::jobPreempted: {
        m_running.erase({job.runningRank, id});
        pause(job, event.time);
        job.waits = true;
        const bool planned = m_displaced.erase(id) > 0;
        if (!planned) toTail(job);
        return !planned;
    }
    case EventType::jobFinished:
    case EventType::jobRejected:
    case EventType::jobFailed:
        m_running.erase({job.runningRank, id});
        pause(job, event.time);
        job.waits = false;
        if (event.type == EventType::jobFinished) m_ended.push_back(job.total / 1e9);
        return true;
    default: return true;
    }
}

/// Closes what it has been doing.
void ServiceQueues::pause(Known& job, SimTime now) {
    const Duration passed = now - job.since;
    if (job.processors > 0) {
        noteLimits(job, now);
        const double service = static_cast<double>(passed.ns) * job.processors;
        job.attained += service;
        job.total += service;
        job.executed += passed;
    } else if (job.waits && job.executed.ns > 0) {
        job.pending += passed;
    }
    job.processors = 0;
    job.since = now;
}

void ServiceQueues::run(JobId id, double workers, SimTime now) {
    Known& job = m_jobs[id.index()];
    const bool began = job.processors == 0;
    pause(job, now);
    job.waits = false;
    job.processors = workers * job.perWorker;
    m_nextDemotion = std::min(m_nextDemotion, reachOf(job));
    if (!began) return;
    if (job.runningRank == 0) job.runningRank = m_rules.gittins ? job.waitingRank : job.queue * perQueue + ++m_lastRun;
    m_running.insert({job.runningRank, id});
}

void ServiceQueues::toTail(Known& job) {
    job.waitingRank = m_rules.gittins ? -job.index : job.queue * perQueue + middle + ++m_back;
    job.runningRank = 0;
}

void ServiceQueues::setRunningRank(JobId id, double rank) {
    Known& job = m_jobs[id.index()];
    m_running.erase({job.runningRank, id});
    job.runningRank = rank;
    m_running.insert({rank, id});
}

// --- Limits

double ServiceQueues::limitOf(const Known& job, int queue) const {
    if (m_rules.gittins) return (job.level + 1) * m_rules.window * 1e9;
    const auto q = static_cast<std::size_t>(queue);
    return q < m_rules.limits.size() ? m_rules.limits[q] * 1e9 : INFINITY;
}

/// Of the limits that a running job has reached, when it reached the last one.
void ServiceQueues::noteLimits(Known& job, SimTime now) const {
    if (m_rules.gittins) return;
    const double attained = attainedBy(job, now);
    for (int queue = job.queue; limitOf(job, queue) <= attained; ++queue)
        if (const double more = limitOf(job, queue) - job.attained; more > 0)
            job.reached = static_cast<double>(job.since.ns) + more / job.processors;
}

void ServiceQueues::requeue(const SchedulerView& view, SimTime now) {
    m_displaced.clear(); // of decisions that were not carried out
    if (m_rules.gittins) return rankByIndex(view, now);
    demote(now);
    if (m_rules.knob > 0) promote(view, now);
}

double ServiceQueues::reachOf(const Known& job) const {
    const double at = static_cast<double>(job.since.ns) + (limitOf(job) - job.attained) / job.processors;
    return at * (1 - 1e-12) - 1; // no later, whatever has been rounded
}

/// Behind all who wait in the next queue, in the order in which they reached its limit, the last of several; faithful: in the order of
/// arrival, one queue at a time, since the public simulator looks at every job once per event.
void ServiceQueues::demote(SimTime now) {
    if (static_cast<double>(now.ns) < m_nextDemotion) return;
    m_nextDemotion = INFINITY;
    std::vector<Demoted> demoted;
    for (const Entry& entry : m_running) {
        Known& job = m_jobs[entry.job.index()];
        if (std::isinf(limitOf(job))) break; // and so on: they are in order of their queues
        if (attainedBy(job, now) < limitOf(job)) {
            m_nextDemotion = std::min(m_nextDemotion, reachOf(job));
            continue;
        }
        noteLimits(job, now);
        demoted.push_back({m_rules.faithful ? 0 : job.reached, entry.job});
    }
    std::sort(demoted.begin(), demoted.end());
    for (const auto& [at, id] : demoted) {
        Known& job = m_jobs[id.index()];
        do ++job.queue;
        while (!m_rules.faithful && attainedBy(job, now) >= limitOf(job));
        m_nextDemotion = std::min(m_nextDemotion, reachOf(job));
        m_running.erase({job.runningRank, id});
        toTail(job);
        job.runningRank = job.waitingRank;
        m_running.insert({job.runningRank, id});
        m_late.insert(id);
    }
}

void ServiceQueues::promote(const SchedulerView& view, SimTime now) {
    bool any = false;
    for (const JobId id : view.jobsIn(JobPhase::waiting)) {
        Known& job = m_jobs[id.index()];
        if (job.queue == 0 || job.executed.ns == 0) continue;
        const Duration pending = job.pending + (now - job.since);
        if (static_cast<double>(pending.ns) < m_rules.knob * static_cast<double>(job.executed.ns)) continue;
        job.queue = 0;
        job.attained = 0;
        job.executed = job.pending = {};
        job.since = now;
        toTail(job);
        any = true;
    }
    if (any) m_waiting.rebuild(view, [this](JobId id) { return m_jobs[id.index()].waitingRank; });
}

/// The distribution follows the jobs that have ended once they are a tenth more: else every end would rank all jobs anew.
void ServiceQueues::rankByIndex(const SchedulerView& view, SimTime now) {
    const bool learnt = m_ended.size() * 10 > m_sizes.size() * 11;
    if (learnt) {
        m_sizes = m_ended;
        std::sort(m_sizes.begin(), m_sizes.end());
    }
    const auto rank = [&](Known& job) {
        job.index = gittinsIndex(m_sizes, job.level * m_rules.window, m_rules.window, m_rules.faithful);
        job.waitingRank = -job.index;
    };
    const std::set<Entry> running = m_running;
    for (const Entry& entry : running) {
        Known& job = m_jobs[entry.job.index()];
        const int level = static_cast<int>(attainedBy(job, now) / (m_rules.window * 1e9));
        if (!learnt && level == job.level && job.runningRank == job.waitingRank) continue;
        job.level = level;
        rank(job);
        setRunningRank(entry.job, job.waitingRank);
    }
    bool stale = learnt;
    for (const JobId id : view.jobsIn(JobPhase::waiting)) {
        Known& job = m_jobs[id.index()];
        const int level = static_cast<int>(job.attained / (m_rules.window * 1e9));
        if (!learnt && level == job.level && job.waitingRank == -job.index) continue;
        job.level = level;
        const double before = job.waitingRank;
        rank(job);
        stale = stale || job.waitingRank != before;
    }
    if (stale) m_waiting.rebuild(view, [this](JobId id) { return m_jobs[id.index()].waitingRank; });
}

double ServiceQueues::secondsToChange(const Known& job, double processors, SimTime now) const {
    const double limit = limitOf(job);
    if (!m_rules.faithful || m_rules.gittins) return (limit - attainedBy(job, now)) / processors / 1e9;
    // The public simulator takes the executed time from a limit of service, and only then divides by the processors.
    const Duration executed = job.executed + (job.processors > 0 ? now - job.since : Duration{});
    return std::max(1.0, std::ceil((limit - static_cast<double>(executed.ns)) / 1e9 / processors));
}

/// Where nobody waits it does not matter when a limit is reached: requeue() finds the order later, too.
void ServiceQueues::findNextChange(const SchedulerView& view, const std::vector<Started>& started, std::size_t leaving,
                                   SimTime now) {
    m_nextChange = SimTime::never();
    std::size_t waiting = view.jobsIn(JobPhase::waiting).size() + leaving;
    for (const Started& s : started) waiting -= view.state().job(s.entry.job).phase == JobPhase::waiting;
    if (waiting == 0 && !m_rules.faithful) return;
    double least = INFINITY; // seconds
    std::set<JobId> starting;
    for (const Started& s : started) {
        const Known& job = m_jobs[s.entry.job.index()];
        least = std::min(least, secondsToChange(job, static_cast<double>(s.workers) * job.perWorker, now));
        starting.insert(s.entry.job);
    }
    for (const Entry& entry : m_running) {
        const Known& job = m_jobs[entry.job.index()];
        if (std::isinf(limitOf(job))) break; // and so on: they are in order of their queues
        if (!starting.contains(entry.job)) least = std::min(least, secondsToChange(job, job.processors, now));
    }
    if (least < INFINITY) m_nextChange = now + Duration::secondsUp(least);
    if (m_rules.knob == 0 || m_rules.gittins) return;
    const auto promotion = [&](JobId id) {
        const Known& job = m_jobs[id.index()];
        Duration executed = job.executed, pending = job.pending;
        (job.processors > 0 ? executed : pending) += now - job.since;
        if (job.queue == 0 || executed.ns == 0 || starting.contains(id)) return;
        const double left = m_rules.knob * executed.toSeconds() - pending.toSeconds();
        m_nextChange = std::min(m_nextChange, now + Duration::secondsUp(left));
    };
    for (const JobId id : view.jobsIn(JobPhase::waiting)) promotion(id);
    for (const auto& [id, entry] : m_displaced) promotion(id); // they are about to wait
}

// --- Decisions

void ServiceQueues::displace(Entry job) {
    m_running.erase(job);
    m_displaced[job.job] = job;
}

/// Running jobs keep their order; behind them come those who start, and those who have come from the queue above, in the order in
/// which the walk met them. Those who give way wait before all who waited already, but for those from the queue above.
std::vector<JobId> ServiceQueues::settle(const SchedulerView& view, std::vector<Started> started, SimTime now) {
    std::vector<Entry> behind;
    for (const Started& s : started) {
        Known& job = m_jobs[s.entry.job.index()];
        if (m_displaced.erase(s.entry.job) > 0) { // it goes on, perhaps elsewhere
            m_waiting.remove(view, s.entry.job);
            m_running.insert(s.entry);
        } else {
            job.runningRank = 0;
            behind.push_back(s.entry);
        }
    }
    std::vector<Entry> leaving;
    for (const auto& [id, entry] : m_displaced) leaving.push_back(entry);
    for (const JobId id : m_late)
        if (m_displaced.count(id) == 0) behind.push_back({m_jobs[id.index()].runningRank, id});
    std::sort(behind.begin(), behind.end());
    std::sort(leaving.begin(), leaving.end());
    for (const Entry& entry : behind) {
        Known& job = m_jobs[entry.job.index()];
        const double rank = m_rules.gittins ? job.waitingRank : job.queue * perQueue + ++m_lastRun;
        if (job.processors > 0)
            setRunningRank(entry.job, rank);
        else
            job.runningRank = rank;
    }
    for (auto entry = leaving.rbegin(); entry != leaving.rend(); ++entry) {
        Known& job = m_jobs[entry->job.index()];
        if (!m_rules.gittins && m_late.count(entry->job) == 0)
            job.waitingRank = job.queue * perQueue + middle + --m_front;
        job.runningRank = 0;
    }
    m_late.clear();
    findNextChange(view, started, leaving.size(), now);
    std::vector<JobId> out;
    for (const auto& [id, entry] : m_displaced) out.push_back(id);
    return out;
}

} // namespace trainyard
