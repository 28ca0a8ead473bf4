// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/MetricsFold.h"

#include "model/KnownLosses.h"
#include "record/KeyCounters.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

double secondsBetween(SimTime from, SimTime to) { return from < to ? (to - from).toSeconds() : 0; }

bool hasEnded(JobPhase phase) {
    return phase == JobPhase::finished || phase == JobPhase::rejected || phase == JobPhase::failed;
}

} // namespace

MetricsFold::MetricsFold(const Workload& workload)
    : m_workload(workload), m_total(workload.cluster.totalCapacity()), m_quality(workload),
      m_jobs(workload.jobs.size()), m_links(2 * workload.cluster.links.size()),
      m_machineUp(workload.cluster.machines.size(), true), m_upCapacity(m_total),
      m_allocatedTime(workload.cluster.resourceNames.size(), 0),
      m_capacityTime(workload.cluster.resourceNames.size(), 0) {
    for (const Job& job : workload.jobs)
        if (const KeyedAccess* access = job.keyedAccess())
            for (const std::string& quality : access->qualities)
                if (std::ranges::find(m_qualityMetrics, finalQuality(quality)) == m_qualityMetrics.end())
                    m_qualityMetrics.push_back(finalQuality(quality));
    for (const MetricGroup& group : metricGroups())
        if (auto reader = group.reader ? group.reader(workload) : nullptr) m_readers.push_back(std::move(reader));
}

void MetricsFold::apply(const Event& event) {
    if (event.job < m_jobs.size()) applyJobEvent(m_jobs[event.job], event);
    m_quality.apply(event);
    for (const auto& reader : m_readers) reader->apply(event);
    applyClusterEvent(event);
}

void MetricsFold::enter(JobFold& job, JobPhase phase, SimTime now) {
    if (job.phase == JobPhase::waiting) job.waiting += secondsBetween(job.since, now);
    if (job.phase == JobPhase::running) job.running += secondsBetween(job.since, now);
    job.phase = phase;
    job.since = now;
    if (hasEnded(phase)) {
        if (job.firstLoss) job.lossIntegral += job.loss * secondsBetween(job.lossSince, now);
        job.lossSince = job.end = now;
    }
}

/// Adds up the phases that end with the event.
void MetricsFold::follow(JobFold& job, const Event& event) {
    for (const auto& [worker, before, after] : job.phases.apply(event)) {
        const double seconds = secondsBetween(before.since, after.since);
        if (isWaiting(before.phase)) job.stragglerWait += seconds;
        if (before.phase == WorkerPhase::updating) job.updateWait += seconds;
        if (job.workers[worker].begun && isIdle(before.phase)) job.idle += seconds;
        if (before.phase == WorkerPhase::computing) job.computing += seconds;
        countTransfers(job, int(isTransfer(after.phase)) - int(isTransfer(before.phase)), event.time);
    }
}

/// So many more workers read from the servers or send to them.
void MetricsFold::countTransfers(JobFold& job, int change, SimTime now) {
    if (change == 0) return;
    if (job.transfers > 0) job.serving += static_cast<double>(job.servers) * secondsBetween(job.servingSince, now);
    job.transfers += static_cast<std::size_t>(change);
    job.servingSince = now;
}

void MetricsFold::place(JobFold& job, const Event& event) {
    const Job& spec = m_workload.jobs[event.job];
    const bool isWorker = event.aux == static_cast<std::uint16_t>(TaskRole::worker);
    const bool placed = event.type == EventType::taskPlaced;
    const ResourceVector& demand = isWorker ? spec.workerDemand : spec.serverDemand;
    accountResources(event.time);
    job.attained += job.dominant * secondsBetween(job.heldSince, event.time);
    job.heldSince = event.time;
    if (placed) {
        m_allocated += demand;
        job.held += demand;
    } else {
        m_allocated -= demand;
        job.held -= demand;
    }
    job.dominant = dominantShare(job.held, m_total);
    if (!isWorker) {
        if (job.transfers > 0)
            job.serving += static_cast<double>(job.servers) * secondsBetween(job.servingSince, event.time);
        job.servingSince = event.time;
        job.servers += placed ? std::size_t{1} : static_cast<std::size_t>(-1);
        return;
    }
    if (job.workers.size() <= event.a) job.workers.resize(event.a + 1);
    WorkerFold& worker = job.workers[event.a];
    follow(job, event);
    if (worker.placed) job.placedTime += secondsBetween(worker.placedAt, event.time);
    worker.placed = placed;
    worker.placedAt = event.time;
    worker.begun = worker.computing = worker.pushing = false; // what it has sent is still used or dropped
}

void MetricsFold::applyJobEvent(JobFold& job, const Event& event) {
    const bool moves = event.type == EventType::taskPlaced || event.type == EventType::taskRemoved;
    if (!moves) follow(job, event);
    switch (event.type) {
    case EventType::jobArrived:
        job.arrival = event.time;
        enter(job, JobPhase::waiting, event.time);
        break;
    case EventType::taskPlaced:
    case EventType::taskRemoved: place(job, event); break;
    case EventType::jobStarted:
        enter(job, JobPhase::running, event.time);
        job.lastUpdate = event.time;
        break;
    case EventType::jobPreempted:
        enter(job, JobPhase::waiting, event.time);
        job.version = event.a;
        job.lostUpdates += event.b;
        ++job.preemptions;
        break;
    case EventType::jobRejected: enter(job, JobPhase::rejected, event.time); break;
    case EventType::jobFinished: enter(job, JobPhase::finished, event.time); break;
    case EventType::jobFailed:
        job.diverged = event.aux == static_cast<std::uint16_t>(FailReason::diverged);
        enter(job, JobPhase::failed, event.time);
        break;
    case EventType::updateApplied: {
        // The rate model applies many updates in one event.
        const double steps = event.count() > job.version ? static_cast<double>(event.count() - job.version) : 1;
        job.version = event.count();
        job.updates += steps;
        job.used += event.value;
        job.iterationTime += secondsBetween(job.lastUpdate, event.time);
        job.lastUpdate = event.time;
        break;
    }
    case EventType::lossEvaluated:
        if (mayHaveLosses(m_workload.jobs[event.job])) applyLoss(job, event);
        break;
    case EventType::qualityEvaluated: applyQuality(job, event); break;
    case EventType::checkpointStarted:
        job.checkpointBytes += event.value;
        job.bytes += event.value;
        break;
    case EventType::jobRestored:
    case EventType::messageSent: job.bytes += event.value; break;
    case EventType::keysCounted: applyCount(job, event); break;
    default: applyTaskEvent(job, event); break;
    }
}

void MetricsFold::applyCount(JobFold& job, const Event& event) {
    const auto counter = static_cast<KeyCounter>(event.aux);
    job.keyed.any = true;
    if (counter <= KeyCounter::waitingPulls)
        job.keyed.pulls[event.aux] += event.value;
    else if (counter == KeyCounter::keysReceived)
        job.keyed.relocations += event.value;
    else if (counter == KeyCounter::replicaStaleness)
        job.keyed.staleness = std::max(job.keyed.staleness, event.value);
    else if (counter == KeyCounter::deliverySeconds)
        job.keyed.delivery += event.value;
    else if (counter == KeyCounter::copyAge)
        job.keyed.copyAge += event.value;
    else if (counter == KeyCounter::copyRefreshes)
        job.keyed.copyRefreshes += event.value;
    else if (counter == KeyCounter::sampleDispersion) {
        auto& last = job.keyed.sampleDispersion;
        if (last.size() <= event.a) last.resize(event.a + 1, 0);
        last[event.a] = event.value;
    }
    const auto use = [&](std::vector<double>& byNode) {
        if (byNode.size() <= event.a) byNode.resize(event.a + 1, 0);
        byNode[event.a] += event.value;
    };
    if (counter == KeyCounter::serverSeconds) use(job.keyed.server);
    if (counter == KeyCounter::copySeconds) use(job.keyed.copies);
    if (counter == KeyCounter::sendingSeconds) use(job.keyed.sending);
    if (counter == KeyCounter::receivingSeconds) use(job.keyed.receiving);
    if (event.b >= keyMessageTypes) return;
    if (counter == KeyCounter::messages) job.keyed.messages[event.b] += event.value;
    if (counter != KeyCounter::messageBytes) return;
    job.keyed.bytes[event.b] += event.value;
    if (!isOfReplicas(static_cast<KeyMessageType>(event.b))) job.bytes += event.value;
}

void MetricsFold::applyTaskEvent(JobFold& job, const Event& event) {
    if (event.type < EventType::pullStarted || event.type > EventType::workerBlocked) return;
    if (event.a >= job.workers.size()) return;
    WorkerFold& worker = job.workers[event.a];
    switch (event.type) {
    case EventType::pullStarted:
        worker.task = event.b;
        worker.samples = 0;
        worker.pushing = false;
        worker.begun = true;
        ++job.downlinks;
        job.bytes += event.value;
        break;
    case EventType::computeStarted:
        worker.task = event.b;
        worker.computing = worker.begun = true;
        worker.pushing = false;
        worker.samples = event.value;
        job.assigned += event.value;
        break;
    case EventType::pushStarted:
        if (worker.computing) job.executed += worker.samples;
        worker.computing = false;
        worker.pushing = true;
        job.bytes += event.value;
        break;
    case EventType::gradientArrived: applyArrival(job, worker, event); break;
    case EventType::gradientUsed:
    case EventType::gradientDropped: {
        const auto it =
            std::find_if(worker.held.begin(), worker.held.end(), [&](const Held& h) { return h.task == event.b; });
        if (event.type == EventType::gradientDropped) {
            job.discarded += event.value;
        } else if (it != worker.held.end()) {
            const double staleness = static_cast<double>(job.version - std::min(job.version, it->readVersion));
            job.stalenessSum += staleness;
            job.stalenessMax = std::max(job.stalenessMax, staleness);
            ++job.stalenessCount;
        }
        if (it != worker.held.end()) worker.held.erase(it);
        break;
    }
    case EventType::taskCancelled: {
        const double done = worker.samples * std::clamp(event.value, 0.0, 1.0);
        if (worker.computing) job.executed += done;
        job.discarded += done;
        if (worker.pushing) ++job.cancelledUplinks;
        worker.computing = worker.pushing = false;
        break;
    }
    default: break;
    }
}

void MetricsFold::applyArrival(JobFold& job, WorkerFold& worker, const Event& event) {
    ++job.uplinks;
    const auto staleness = static_cast<std::uint64_t>(std::max(0.0, event.value));
    worker.held.push_back({event.b, job.version - std::min(job.version, staleness)});
    // As in ClusterState: an older push does not put a worker that computes already back to waiting.
    if (worker.task != event.b) return;
    if (worker.computing) job.executed += worker.samples;
    worker.computing = worker.pushing = false;
}

void MetricsFold::applyLoss(JobFold& job, const Event& event) {
    if (!job.firstLoss) {
        job.firstLoss = job.bestLoss = event.value;
        job.lossIntegral = event.value * secondsBetween(job.arrival, event.time);
    } else {
        job.lossIntegral += job.loss * secondsBetween(job.lossSince, event.time);
    }
    job.loss = event.value;
    job.lossSince = event.time;
    job.bestLoss = std::min(job.bestLoss, event.value);
    const auto& target = m_workload.jobs[event.job].stop.loss;
    if (target && !job.timeToTarget && event.value <= *target)
        job.timeToTarget = secondsBetween(job.arrival, event.time);
}

void MetricsFold::applyQuality(JobFold& job, const Event& event) {
    if (job.qualities.size() <= event.aux)
        job.qualities.resize(event.aux + 1u, std::numeric_limits<double>::quiet_NaN());
    job.qualities[event.aux] = event.value;
}

void MetricsFold::applyClusterEvent(const Event& event) {
    switch (event.type) {
    case EventType::jobArrived:
        if (m_firstArrival) break;
        m_firstArrival = m_resourcesSince = event.time; // nothing was held before
        std::ranges::fill(m_capacityTime, 0);
        break;
    case EventType::linkLoad:
        if (event.a < m_links.size()) {
            LinkFold& link = m_links[event.a];
            link.bytes += link.load * secondsBetween(link.since, event.time);
            link.load = event.value;
            link.since = event.time;
        }
        break;
    case EventType::linkCarried:
        if (event.a < m_links.size()) m_links[event.a].bytes += event.value;
        break;
    case EventType::machineFailed:
    case EventType::machineRepaired: {
        const bool up = event.type == EventType::machineRepaired;
        if (event.a >= m_machineUp.size() || m_machineUp[event.a] == up) break;
        accountResources(event.time);
        m_machineUp[event.a] = up;
        if (up)
            m_upCapacity += m_workload.cluster.machines[event.a].capacity;
        else
            m_upCapacity -= m_workload.cluster.machines[event.a].capacity;
        break;
    }
    default: break;
    }
}

void MetricsFold::accountResources(SimTime now) {
    const double elapsed = secondsBetween(m_resourcesSince, now);
    if (elapsed <= 0) return;
    for (std::size_t r = 0; r < m_allocatedTime.size(); ++r) {
        m_allocatedTime[r] += m_allocated.amount(r) * elapsed;
        m_capacityTime[r] += m_upCapacity.amount(r) * elapsed;
    }
    m_resourcesSince = now;
}

} // namespace trainyard
