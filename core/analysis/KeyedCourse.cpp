// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/KeyedCourse.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trainyard {

namespace {

void addTo(std::vector<double>& byNode, std::uint32_t node, double value) {
    if (byNode.size() <= node) byNode.resize(node + 1, 0);
    byNode[node] += value;
}

/// What the second counted as well; shares of time by length.
void join(KeyedCourse::Interval& a, const KeyedCourse::Interval& b) {
    const double whole = std::max(b.to - a.from, 1e-300), ofA = (a.to - a.from) / whole, ofB = (b.to - b.from) / whole;
    for (const auto use : {&KeyedCourse::Interval::server, &KeyedCourse::Interval::sending,
                           &KeyedCourse::Interval::receiving, &KeyedCourse::Interval::copiesAt}) {
        (a.*use).resize(std::max((a.*use).size(), (b.*use).size()), 0);
        for (std::size_t n = 0; n < (a.*use).size(); ++n)
            (a.*use)[n] = (a.*use)[n] * ofA + (n < (b.*use).size() ? (b.*use)[n] * ofB : 0);
    }
    a.to = b.to;
    a.iterations += b.iterations;
    a.relocated += b.relocated;
    a.ageSum += b.ageSum;
    a.refreshes += b.refreshes;
    for (std::size_t n = 0; n < a.ages.size(); ++n) a.ages[n] += b.ages[n];
    if (!b.dispersion.empty()) a.dispersion = b.dispersion;
    for (std::size_t k = 0; k < a.pulls.size(); ++k) a.pulls[k] += b.pulls[k];
    for (std::size_t t = 0; t < a.messages.size(); ++t) a.messages[t] += b.messages[t];
}

bool areAnyKeyed(const std::vector<Job>& jobs) {
    return std::ranges::any_of(jobs, [](const Job& job) { return job.keyedAccess() != nullptr; });
}

} // namespace

const KeyedCourse::Followed::Place* KeyedCourse::Followed::at(SimTime time) const {
    const auto after = std::ranges::upper_bound(places, time, {}, &Place::since);
    return after == places.begin() ? nullptr : &*std::prev(after);
}

double KeyedCourse::Holdings::total(std::size_t node) const {
    return std::accumulate(byNode[node].begin(), byNode[node].end(), 0.0);
}

KeyedCourse::Holdings KeyedCourse::holdings(JobId job, SimTime at) const {
    Holdings out;
    for (const auto& held : m_jobs[job.index()].held) {
        if (held.at > at) break;
        if (held.node == restart) {
            out = {};
        } else if (held.node == everyNode) {
            out.replicated[held.bucket] += held.change;
        } else {
            if (out.byNode.size() <= held.node) out.byNode.resize(held.node + 1);
            out.byNode[held.node][held.bucket] += held.change;
        }
    }
    return out;
}

std::vector<KeyedCourse::Interval> KeyedCourse::merged(JobId job) const {
    constexpr double parts = 128;
    const auto& all = intervals(job);
    const double least = all.empty() ? 0 : (all.back().to - all.front().from) / parts * (1 - 1e-9);
    const auto isShort = [&](const Interval& i) { return i.to - i.from < least; };
    std::vector<Interval> out;
    for (const Interval& next : all)
        if (!out.empty() && isShort(out.back()) && out.back().to == next.from)
            join(out.back(), next);
        else
            out.push_back(next);
    if (out.size() > 1 && isShort(out.back()) && out[out.size() - 2].to == out.back().from) {
        join(out[out.size() - 2], out.back());
        out.pop_back();
    }
    return out;
}

SimTime KeyedCourse::previousLog(JobId job, SimTime at) const {
    const auto& all = m_jobs[job.index()].intervals;
    const auto after = std::ranges::upper_bound(all, at.toSeconds() + 1e-12, {}, &Interval::to);
    return after == all.begin() ? SimTime{} : SimTime::seconds(std::prev(after)->from);
}

KeyedCourse::KeyedCourse(const RunSource& run)
    : m_workload(run.workload), m_jobs(run.workload->jobs.size()), m_anyKeyed(areAnyKeyed(run.workload->jobs)) {}

std::size_t KeyedCourse::carryOn(const EventLog& log, std::size_t from, std::size_t to, std::size_t limit) {
    return m_anyKeyed ? LogFold::carryOn(log, from, to, limit) : to;
}

bool KeyedCourse::concerns(const RunIndex& run, JobId job) {
    const auto& jobs = run.workload().jobs;
    return job.valid() ? jobs[job.index()].keyedAccess() != nullptr : areAnyKeyed(jobs);
}

KeyedCourse::Interval& KeyedCourse::intervalAt(OfJob& job, double seconds) {
    if (job.intervals.empty() || job.intervals.back().to < seconds) {
        Interval fresh;
        fresh.from = job.intervals.empty() ? job.started : std::max(job.started, job.intervals.back().to);
        fresh.to = seconds;
        fresh.iterations = std::exchange(job.uncounted, 0);
        job.intervals.push_back(std::move(fresh));
    }
    return job.intervals.back();
}

void KeyedCourse::apply(const Event& event, std::size_t) {
    if (event.job >= m_jobs.size() || !m_workload->jobs[event.job].keyedAccess()) return;
    OfJob& job = m_jobs[event.job];
    switch (event.type) {
    case EventType::jobStarted:
        job.started = job.since = event.time.toSeconds();
        job.held.push_back({event.time, restart, 0, 0});
        break;
    case EventType::jobResized: job.held.push_back({event.time, restart, 0, 0}); break;
    case EventType::jobPreempted:
        job.updates = event.a;
        job.held.push_back({event.time, restart, 0, 0});
        break;
    case EventType::keyLocated: locate(job, event); break;
    case EventType::updateApplied: {
        const auto updates = static_cast<double>(event.count());
        const bool counted = !job.intervals.empty() && job.intervals.back().to == event.time.toSeconds();
        (counted ? job.intervals.back().iterations : job.uncounted) += std::max(0.0, updates - job.updates);
        job.updates = updates;
        job.worked += event.time.toSeconds() - std::exchange(job.since, event.time.toSeconds());
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

/// They are logged in order of rank first.
void KeyedCourse::locate(OfJob& job, const Event& event) {
    const auto [rank, fresh] = job.rankOf.try_emplace(event.a, job.followed.size());
    if (fresh) job.followed.push_back({.key = event.a, .places = {}});
    job.followed[rank->second].places.push_back({event.time, event.b});
}

void KeyedCourse::count(OfJob& job, const Event& event) {
    if (static_cast<KeyCounter>(event.aux) == KeyCounter::keysHeld) {
        if (event.b < rankBuckets) job.held.push_back({event.time, event.a, event.b, event.value});
        return;
    }
    Interval& now = intervalAt(job, event.time.toSeconds());
    const double length = std::max(now.to - now.from, 1e-12);
    switch (static_cast<KeyCounter>(event.aux)) {
    case KeyCounter::localPulls:
    case KeyCounter::remotePulls:
    case KeyCounter::waitingPulls: now.pulls[event.aux] += event.value; break;
    case KeyCounter::messages:
        if (event.b < keyMessageTypes) now.messages[event.b] += event.value;
        break;
    case KeyCounter::keysReceived: now.relocated += event.value; break;
    case KeyCounter::copySeconds: addTo(now.copiesAt, event.a, event.value / length); break;
    case KeyCounter::copyAge: now.ageSum += event.value; break;
    case KeyCounter::copyRefreshes:
        now.refreshes += event.value;
        if (event.b < copyAgeBuckets) now.ages[event.b] += event.value;
        break;
    case KeyCounter::sampleDispersion:
        if (now.dispersion.size() <= event.a) now.dispersion.resize(event.a + 1);
        now.dispersion[event.a] = event.value;
        break;
    case KeyCounter::serverSeconds: addTo(now.server, event.a, event.value / length); break;
    case KeyCounter::sendingSeconds: addTo(now.sending, event.a, event.value / length); break;
    case KeyCounter::receivingSeconds: addTo(now.receiving, event.a, event.value / length); break;
    default: break;
    }
}

std::vector<MachineId> nodesOf(const RunIndex& run, JobId job) {
    std::vector<MachineId> out;
    for (const auto& worker : run.jobs()[job.index()].workers)
        if (worker.machine.valid()) out.push_back(worker.machine);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::string nodeName(const RunIndex& run, const std::vector<MachineId>& nodes, std::uint32_t node) {
    return node < nodes.size() ? run.machineName(nodes[node]) : std::to_string(node + 1);
}

Text keysGroup() { return {TRAINYARD_TEXT("Keys"), {}}; }

} // namespace trainyard
