// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Makes events: one function per row of the table in record/Event.h, with the row's members by name and type. Whoever logs an
// event puts in its time (RunCore, JobExecution, RealNetwork).
#include "model/Placement.h"
#include "model/Routes.h"
#include "record/Event.h"
#include "record/GradientNorm.h"
#include "record/KeyCounters.h"

#include <limits>

namespace trainyard::events {

using Number = std::uint32_t; ///< of a worker, a task, a key, a node or an explanation

inline Event plain(EventType type, JobId job = {}, Number a = 0, Number b = 0, double value = 0) {
    return {.time = {}, .type = type, .aux = 0, .job = job.value, .a = a, .b = b, .value = value};
}
template <class Aux>
Event withAux(Event event, Aux aux) {
    event.aux = static_cast<std::uint16_t>(aux);
    return event;
}
/// A 64-bit count in a and b.
inline Event counted(EventType type, JobId job, std::uint64_t count, double value = 0) {
    return plain(type, job, static_cast<Number>(count), static_cast<Number>(count >> 32), value);
}

// --- Jobs
inline Event jobArrived(JobId job) { return plain(EventType::jobArrived, job); }
inline Event taskPlaced(JobId job, TaskRole role, std::size_t task, MachineId machine) {
    return withAux(plain(EventType::taskPlaced, job, static_cast<Number>(task), machine.value), role);
}
inline Event taskRemoved(JobId job, TaskRole role, std::size_t task, MachineId machine) {
    return withAux(plain(EventType::taskRemoved, job, static_cast<Number>(task), machine.value), role);
}
inline Event jobStarted(JobId job, const Placement& on, double waitedSeconds) {
    return plain(EventType::jobStarted, job, static_cast<Number>(on.placedWorkers()),
                 static_cast<Number>(on.servers.size()), waitedSeconds);
}
inline Event jobResized(JobId job, const Placement& on) {
    return plain(EventType::jobResized, job, static_cast<Number>(on.placedWorkers()),
                 static_cast<Number>(on.servers.size()));
}
/// See Job::taskSamples().
inline Event batchChanged(JobId job, int samples) {
    return plain(EventType::batchChanged, job, static_cast<Number>(samples));
}
inline Event noiseMeasured(JobId job, std::uint64_t update, double noiseScale) {
    return counted(EventType::noiseMeasured, job, update, noiseScale);
}
inline Event jobPreempted(JobId job, std::uint64_t kept, std::uint64_t lost, double samplesLost, PreemptReason reason) {
    return withAux(
        plain(EventType::jobPreempted, job, static_cast<Number>(kept), static_cast<Number>(lost), samplesLost), reason);
}
inline Event jobRejected(JobId job, RejectReason reason = RejectReason::policy) {
    return withAux(plain(EventType::jobRejected, job), reason);
}
inline Event jobFinished(JobId job, std::uint64_t updates, double loss, FinishReason reason) {
    return withAux(counted(EventType::jobFinished, job, updates, loss), reason);
}
inline Event jobFailed(JobId job, FailReason reason) { return withAux(plain(EventType::jobFailed, job), reason); }
inline Event jobPartitioned(JobId job, int degree, double expectedSeconds) {
    return plain(EventType::jobPartitioned, job, static_cast<Number>(degree), 0, expectedSeconds);
}

// --- Tasks of workers
inline Event pullStarted(JobId job, Number worker, Number task, double bytes) {
    return plain(EventType::pullStarted, job, worker, task, bytes);
}
inline Event computeStarted(JobId job, Number worker, Number task, double samples) {
    return plain(EventType::computeStarted, job, worker, task, samples);
}
inline Event pushStarted(JobId job, Number worker, Number task, double bytes) {
    return plain(EventType::pushStarted, job, worker, task, bytes);
}
inline Event gradientArrived(JobId job, Number worker, Number task, std::uint64_t staleness) {
    return plain(EventType::gradientArrived, job, worker, task, static_cast<double>(staleness));
}
inline Event gradientUsed(JobId job, Number worker, Number task, double weight) {
    return plain(EventType::gradientUsed, job, worker, task, weight);
}
inline Event gradientDropped(JobId job, Number worker, Number task, double samples) {
    return plain(EventType::gradientDropped, job, worker, task, samples);
}
inline Event taskCancelled(JobId job, Number worker, Number task, double shareDone) {
    return plain(EventType::taskCancelled, job, worker, task, shareDone);
}
inline Event workerBlocked(JobId job, Number worker) { return plain(EventType::workerBlocked, job, worker); }

// --- Updates and parameters
inline Event updateApplied(JobId job, std::uint64_t update, double samples) {
    return counted(EventType::updateApplied, job, update, samples);
}
/// NaN: the norm is not known.
inline Event lossEvaluated(JobId job, std::uint64_t update, double loss,
                           double gradientNorm = std::numeric_limits<double>::quiet_NaN()) {
    return withAux(counted(EventType::lossEvaluated, job, update, loss), packGradientNorm(gradientNorm));
}
/// `quality`: its place among those that the keyed model declares.
inline Event qualityEvaluated(JobId job, std::uint16_t quality, std::uint64_t update, double value) {
    return withAux(counted(EventType::qualityEvaluated, job, update, value), quality);
}
inline Event checkpointStarted(JobId job, std::uint64_t update, double bytes) {
    return counted(EventType::checkpointStarted, job, update, bytes);
}
inline Event checkpointDone(JobId job, std::uint64_t update) { return counted(EventType::checkpointDone, job, update); }
inline Event jobRestored(JobId job, std::uint64_t update, double bytes) {
    return counted(EventType::jobRestored, job, update, bytes);
}
inline Event keyLocated(JobId job, Number key, Number node) { return plain(EventType::keyLocated, job, key, node); }
inline Event keysCounted(JobId job, KeyCounter counter, Number node, Number bucket, double count) {
    return withAux(plain(EventType::keysCounted, job, node, bucket, count), counter);
}
/// Of fewer than 65,536 nodes.
inline Event keyMessage(JobId job, std::uint16_t type, Number key, Number from, Number to, double seconds) {
    return withAux(plain(EventType::keyMessage, job, key, from << 16 | to, seconds), type);
}
inline Event messageSent(JobId job, std::uint16_t kind, Number from, Number to, double bytes) {
    return withAux(plain(EventType::messageSent, job, from, to, bytes), kind);
}

// --- The cluster and the run
inline Event linkLoad(DirectedLink link, double bytesPerSecond) {
    return plain(EventType::linkLoad, {}, link, 0, bytesPerSecond);
}
/// Without a job: bytes that the loads do not tell.
inline Event linkCarried(JobId job, DirectedLink link, double bytes) {
    return plain(EventType::linkCarried, job, link, 0, bytes);
}
inline Event machineFailed(MachineId machine) { return plain(EventType::machineFailed, {}, machine.value); }
inline Event machineRepaired(MachineId machine) { return plain(EventType::machineRepaired, {}, machine.value); }
inline Event linkFailed(LinkId link) { return plain(EventType::linkFailed, {}, link.value); }
inline Event linkRepaired(LinkId link) { return plain(EventType::linkRepaired, {}, link.value); }
inline Event runStarted() { return plain(EventType::runStarted); }
inline Event runFinished() { return plain(EventType::runFinished); }
inline Event schedulerWoken() { return plain(EventType::schedulerWoken); }
/// Without a job: about several.
inline Event decision(JobId job, PolicyFamily family, Number explanation) {
    return withAux(plain(EventType::decision, job, explanation), family);
}
/// What a scheduler has promised: so many tasks of a job on a machine in a slot, as it counts slots.
inline Event reserved(JobId job, TaskRole role, MachineId machine, Number slot, double tasks) {
    return withAux(plain(EventType::reserved, job, machine.value, slot, tasks), role);
}
/// Without a job: of the policy as a whole.
inline Event note(JobId job, NoteSeries series, Number first, Number second, double value) {
    return withAux(plain(EventType::note, job, first, second, value), series.packed());
}
inline Event command(CommandKind kind, Number a, Number b, double value) {
    return withAux(plain(EventType::command, {}, a, b, value), kind);
}

} // namespace trainyard::events
