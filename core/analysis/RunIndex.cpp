// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/RunIndex.h"

#include "base/Grow.h"
#include "record/GradientNorm.h"

#include <algorithm>

namespace trainyard {

namespace run_index {
/// A log read from disk is data: indices beyond this are not believed.
constexpr std::uint32_t maxTasks = 1 << 20;
constexpr std::size_t changesKept = 16; // updates: views that follow the run ask of the last few
} // namespace run_index

using namespace run_index;

std::size_t SlotHistory::firstEndingAfter(SimTime t) const {
    return static_cast<std::size_t>(
        std::partition_point(stays.begin(), stays.end(), [t](const Stay& s) { return s.end <= t; }) - stays.begin());
}

RunIndex::RunIndex(RunSource run) : m_run(std::move(run)), m_coloured(*m_run.workload) {
    const Cluster& cluster = m_run.workload->cluster;
    m_machines.resize(cluster.machines.size());
    m_jobs.resize(m_run.workload->jobs.size());
    m_workerSeats.resize(m_jobs.size());
    m_serverSeats.resize(m_jobs.size());
    const ResourceVector total = cluster.totalCapacity();
    const std::size_t resources = std::max(total.size(), cluster.resourceNames.size());
    m_allocated.assign(resources, 0);
    m_utilization.resize(resources);
    m_busy.resize(resources);
    m_computing.resize(resources);
    m_serving.resize(m_jobs.size());
    m_phases.resize(m_jobs.size());
    for (std::size_t r = 0; r < resources; ++r) m_capacity.push_back(total.micro(r));
    m_linkShare.assign(2 * cluster.links.size(), 0.0);
}

bool RunIndex::update(std::size_t limit) {
    const std::size_t size = m_run.log->size();
    const std::size_t to = limit < size - m_position ? m_position + limit : size;
    ++m_updates;
    if (to == m_position) {
        const bool late = areFoldsBehind();
        carryFoldsOn(limit);
        return late;
    }
    m_changes.push_back({m_position});
    if (m_changes.size() > changesKept) m_changes.pop_front();
    m_run.log->walk(m_position, to, [this](const Event& e) { apply(e, m_position++); });
    carryFoldsOn(limit / 4);
    return true;
}

void RunIndex::apply(const Event& event, std::size_t position) {
    m_head = std::max(m_head, event.time);
    if (event.job != JobId::none && event.job >= m_jobs.size()) return;
    const bool ofJob = event.job != JobId::none;
    if (ofJob) learnt(event, position);
    const bool moves = event.type == EventType::taskPlaced || event.type == EventType::taskRemoved;
    if (ofJob && !moves) follow(event);
    switch (event.type) {
    case EventType::taskPlaced: place(event); break;
    case EventType::taskRemoved: remove(event); break;
    case EventType::gradientDropped:
    case EventType::taskCancelled:
        if (ofJob) discard(event);
        break;
    case EventType::jobArrived:
    case EventType::jobStarted:
    case EventType::jobPreempted:
    case EventType::jobRejected:
    case EventType::jobFailed:
    case EventType::jobFinished:
        if (ofJob) jobEvent(event);
        break;
    case EventType::updateApplied:
        if (ofJob) append(m_jobs[event.job].updateTimes, event.time.toSeconds());
        break;
    case EventType::lossEvaluated:
        if (ofJob) {
            LossSeries& s = m_jobs[event.job].losses;
            append(s.time, event.time.toSeconds());
            append(s.update, static_cast<double>(event.count()));
            append(s.loss, event.value);
            s.extremes.append(s.loss);
            append(s.norm, static_cast<float>(gradientNormOf(event.aux)));
            append(s.waited, m_jobs[event.job].waitedUntil(event.time));
        }
        break;
    case EventType::linkLoad: linkLoad(event); break;
    case EventType::machineFailed: machineDown(event); break;
    case EventType::machineRepaired:
        if (event.a >= m_machines.size()) break;
        if (m_machines[event.a].down()) m_machines[event.a].outages.back().end = event.time;
        mark(event, RunMark::Kind::machineRepaired, event.a);
        break;
    case EventType::linkFailed: mark(event, RunMark::Kind::linkFailed, event.a); break;
    case EventType::linkRepaired: mark(event, RunMark::Kind::linkRepaired, event.a); break;
    default: break;
    }
}

void RunIndex::learnt(const Event& event, std::size_t position) {
    UpdateLog& updates = m_jobs[event.job].updates;
    switch (event.type) {
    case EventType::gradientArrived:
        if (event.a < maxTasks) updates.arrived(event.a, event.b, event.value);
        break;
    case EventType::gradientUsed:
        if (event.a < maxTasks) updates.used(event.a, event.b);
        break;
    case EventType::gradientDropped:
        if (event.a < maxTasks) updates.dropped(event.a, event.b);
        break;
    case EventType::updateApplied: updates.applied(position, event.value); break;
    default: break;
    }
}

void RunIndex::jobEvent(const Event& event) {
    JobHistory& job = m_jobs[event.job];
    const JobHistory::Phase before = job.phase();
    switch (event.type) {
    case EventType::jobArrived: job.arrive(event.time); break;
    case EventType::jobStarted: job.begin(event.time); break;
    case EventType::jobPreempted: // by a failure or by the scheduler: either way nothing is learnt until it
                                  // goes on
        job.preempt(event.time);
        break;
    case EventType::jobRejected:
        job.finish(event.time, JobHistory::End::rejected);
        mark(event, RunMark::Kind::jobRejected, event.job);
        break;
    case EventType::jobFailed:
        job.finish(event.time, JobHistory::End::failed);
        mark(event, RunMark::Kind::jobFailed, event.job);
        break;
    default:
        job.finish(event.time, JobHistory::End::finished);
        mark(event, RunMark::Kind::jobFinished, event.job);
        break;
    }
    const auto difference = [&](JobHistory::Phase phase) { return (job.phase() == phase) - (before == phase); };
    m_waitingNow += difference(JobHistory::Phase::waiting);
    m_runningNow += difference(JobHistory::Phase::running);
    m_waitingJobs.set(event.time.toSeconds(), m_waitingNow);
    m_runningJobs.set(event.time.toSeconds(), m_runningNow);
}

void RunIndex::allocate(const Event& event, int sign) {
    const Job& job = m_run.workload->jobs[event.job];
    const bool worker = event.aux == static_cast<std::uint16_t>(TaskRole::worker);
    const ResourceVector& demand = worker ? job.workerDemand : job.serverDemand;
    for (std::size_t r = 0; r < m_capacity.size(); ++r) {
        if (m_capacity[r] <= 0) continue;
        m_allocated[r] += sign * demand.micro(r);
        m_utilization[r].set(event.time.toSeconds(),
                             static_cast<double>(m_allocated[r]) / static_cast<double>(m_capacity[r]));
    }
    setMean(m_meanUtilization, event, m_allocated);
}

void RunIndex::setMean(StepSeries& series, const Event& event, const std::vector<std::int64_t>& amounts) const {
    if (m_capacity.size() <= mostResourceCurves) return;
    double sum = 0, count = 0;
    for (std::size_t r = 0; r < m_capacity.size(); ++r) {
        if (m_capacity[r] <= 0) continue;
        sum += static_cast<double>(amounts[r]) / static_cast<double>(m_capacity[r]);
        ++count;
    }
    if (count > static_cast<double>(mostResourceCurves)) series.set(event.time.toSeconds(), sum / count);
}

/// A worker of the event's job begins (+1) or ends (−1) to compute.
void RunIndex::compute(const Event& event, int sign) {
    if (sign != 0) setBusy(event, m_run.workload->jobs[event.job].workerDemand, sign);
}

/// So many more workers of the event's job read from its servers or send to them: these are busy while one does.
void RunIndex::serve(const Event& event, int change) {
    Serving& serving = m_serving[event.job];
    const bool before = serving.transfers > 0;
    serving.transfers += change;
    if (before == (serving.transfers > 0)) return;
    const auto& seats = m_serverSeats[event.job];
    const std::int64_t servers =
        std::count_if(seats.begin(), seats.end(), [](const Seat& seat) { return seat.machine.valid(); });
    const std::int64_t count = before ? -serving.busy : servers;
    serving.busy += count;
    if (count != 0) setBusy(event, m_run.workload->jobs[event.job].serverDemand, count);
}

void RunIndex::setBusy(const Event& event, const ResourceVector& demand, std::int64_t count) {
    for (std::size_t r = 0; r < m_capacity.size(); ++r) {
        if (m_capacity[r] <= 0 || demand.micro(r) == 0) continue;
        m_computing[r] += count * demand.micro(r);
        m_busy[r].set(event.time.toSeconds(), static_cast<double>(m_computing[r]) / static_cast<double>(m_capacity[r]));
    }
    setMean(m_meanBusy, event, m_computing);
}

void RunIndex::place(const Event& event) {
    if (event.job >= m_jobs.size() || event.b >= m_machines.size() || event.a >= maxTasks) return;
    const bool worker = event.aux == static_cast<std::uint16_t>(TaskRole::worker);
    auto& seats = (worker ? m_workerSeats : m_serverSeats)[event.job];
    if (seats.size() <= event.a) seats.resize(event.a + 1);
    if (seats[event.a].machine.valid()) return; // placed twice: the log is damaged, the first placement stays
    auto& [slotLanes, freeLanes, outages] = m_machines[event.b];
    const auto slot = freeLanes.empty() ? static_cast<std::uint32_t>(slotLanes.size()) : freeLanes.top();
    if (freeLanes.empty())
        slotLanes.emplace_back();
    else
        freeLanes.pop();
    slotLanes[slot].stays.push_back({.start = event.time,
                                     .job = event.job,
                                     .index = event.a,
                                     .role = worker ? TaskRole::worker : TaskRole::server});
    seats[event.a] = {MachineId(event.b), slot};
    if (worker) {
        auto& workers = m_jobs[event.job].workers;
        if (workers.size() <= event.a) workers.resize(event.a + 1);
        workers[event.a].machine = MachineId(event.b);
        follow(event);
        m_jobs[event.job].change(event.time, +1, 0);
    }
    allocate(event, +1);
}

void RunIndex::remove(const Event& event) {
    if (event.job >= m_jobs.size() || event.b >= m_machines.size()) return;
    const bool worker = event.aux == static_cast<std::uint16_t>(TaskRole::worker);
    auto& seats = (worker ? m_workerSeats : m_serverSeats)[event.job];
    if (event.a >= seats.size() || seats[event.a].machine != MachineId(event.b)) return;
    MachineHistory& machine = m_machines[event.b];
    SlotHistory& slot = machine.slotLanes[seats[event.a].slot];
    machine.freeLanes.push(seats[event.a].slot);
    slot.stays.back().end = event.time;
    if (slot.stays.back().start == event.time) slot.stays.pop_back();
    seats[event.a] = {};
    if (worker) {
        follow(event);
        m_jobs[event.job].change(event.time, -1, 0);
    }
    allocate(event, -1);
}

std::size_t LogFold::carryOn(const EventLog& log, std::size_t from, std::size_t to, std::size_t limit) {
    if (limit < to - from) to = from + limit;
    log.walk(from, to, [&](const Event& e) { apply(e, from++); });
    return to;
}

void RunIndex::carryOn(Further& further, std::size_t limit) const {
    if (further.position < m_position)
        further.position = further.fold->carryOn(*m_run.log, further.position, m_position, limit);
}

bool RunIndex::areFoldsBehind() const {
    return std::ranges::any_of(m_further, [this](const auto& entry) {
        return isAskedFor(entry.second) && entry.second.position < m_position;
    });
}

void RunIndex::carryFoldsOn(std::size_t limit) const {
    std::vector<Further*> late;
    for (auto& [key, further] : m_further)
        if (isAskedFor(further) && further.position < m_position) late.push_back(&further);
    for (Further* further : late) carryOn(*further, std::max<std::size_t>(1000, limit / late.size()));
}

SimTime RunIndex::changedSince(std::size_t position) const {
    SimTime from = SimTime::never();
    for (auto change = m_changes.rbegin(); change != m_changes.rend(); ++change) {
        from = std::min(from, change->from);
        if (change->position <= position) return from;
    }
    return position < m_position ? SimTime::zero() : from;
}

/// Carries the event's workers on.
void RunIndex::follow(const Event& event) {
    JobHistory& job = m_jobs[event.job];
    for (const auto& [worker, before, after] : m_phases[event.job].apply(event)) {
        if (worker >= job.workers.size()) continue;
        WorkerHistory& history = job.workers[worker];
        const std::size_t intervals = history.track.size();
        // A worker lost to a failure stays visible as failed until it is placed again.
        const bool failed = after.phase == WorkerPhase::absent && m_machines[history.machine.index()].down();
        history.track.enter(after.since, failed ? WorkerPhase::failed : after.phase, after.task);
        m_intervals += history.track.size() - intervals;
        if (isWaiting(before.phase) != isWaiting(after.phase))
            job.change(event.time, 0, isWaiting(after.phase) ? +1 : -1);
        if (after.since < event.time) {
            if (isWaiting(before.phase)) job.didNotWait(after.since, event.time);
            m_changes.back().from = std::min(m_changes.back().from, after.since);
        }
        compute(event, int(after.phase == WorkerPhase::computing) - int(before.phase == WorkerPhase::computing));
        serve(event, int(isTransfer(after.phase)) - int(isTransfer(before.phase)));
    }
}

/// What was computed for nothing is shown as that.
void RunIndex::discard(const Event& event) {
    if (event.a >= m_jobs[event.job].workers.size()) return;
    const auto from = m_jobs[event.job].workers[event.a].track.discard(event.b);
    if (from) m_changes.back().from = std::min(m_changes.back().from, *from);
}

void RunIndex::machineDown(const Event& event) {
    if (event.a >= m_machines.size()) return;
    MachineHistory& machine = m_machines[event.a];
    if (!machine.down()) machine.outages.push_back({event.time, SimTime::never()});
    // Its tasks may have been removed just before, at the same instant.
    for (auto& job : m_jobs)
        for (auto& worker : job.workers) {
            IntervalTrack& track = worker.track;
            if (worker.machine != MachineId(event.a) || track.empty() || job.phase() == JobHistory::Phase::over)
                continue;
            if (track.phase(track.size() - 1) == WorkerPhase::absent && track.start(track.size() - 1) == event.time)
                track.enter(event.time, WorkerPhase::failed, 0);
        }
    mark(event, RunMark::Kind::machineFailed, event.a);
}

void RunIndex::linkLoad(const Event& event) {
    if (event.a >= m_linkShare.size()) return;
    const double bandwidth = m_run.workload->cluster.links[event.a / 2].bandwidth;
    const double share = bandwidth > 0 ? event.value / bandwidth : 0;
    m_linkShare[event.a] = share;
    if (share > 0) m_loaded.push({share, event.a});
    if (m_loaded.size() > 4 * m_linkShare.size() + 1024) { // outdated entries that never surfaced
        m_loaded = {};
        for (std::uint32_t link = 0; link < m_linkShare.size(); ++link)
            if (m_linkShare[link] > 0) m_loaded.push({m_linkShare[link], link});
    }
    while (!m_loaded.empty() && m_linkShare[m_loaded.top().second] != m_loaded.top().first) m_loaded.pop();
    m_busiest.set(event.time.toSeconds(), m_loaded.empty() ? 0 : m_loaded.top().first);
}

std::string RunIndex::jobName(JobId id) const {
    const Job& job = workload().job(id);
    return job.name.empty() ? job.key : job.name;
}

std::string RunIndex::machineName(MachineId id) const {
    const Machine& machine = workload().machine(id);
    return machine.name.empty() ? machine.key : machine.name;
}

JobId RunIndex::jobWithWorkers(JobId preferred) const {
    if (preferred.valid() && preferred.index() < m_jobs.size() && !m_jobs[preferred.index()].workers.empty())
        return preferred;
    for (std::size_t j = 0; j < m_jobs.size(); ++j)
        if (!m_jobs[j].workers.empty()) return JobId(j);
    return {};
}

} // namespace trainyard
