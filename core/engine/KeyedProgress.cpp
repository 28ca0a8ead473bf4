// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keyed jobs in virtual time: each has come exactly as far as the run whenever anything else happens, and the run goes on to the next
// instant at which one of them comes to rest.
#include "engine/SimulationCore.h"

#include "base/Result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace trainyard {

// --- Beginning

void SimulationCore::startKeyed(JobId job, const Restoring& restoring) {
    if (restoring.begins) {
        if (state.job(job).updates > 0 || restoring.bytes > 0)
            emit(events::jobRestored(job, state.job(job).updates, restoring.bytes));
        for (const auto& transfer : restoring.transfers) carry(job, transfer);
    }
    const auto& life = m_lives[job.index()];
    const std::shared_ptr<const KeyedSnapshot> saved = life.saved ? life.saved->keyed : nullptr;
    beginKeyed(job, {restoring, saved});
}

/// As soon as there is a way for its parameters.
void SimulationCore::beginKeyed(JobId job, const KeyedStart& start) {
    const Job& spec = workload->job(job);
    const double seconds = restoringSeconds(start.restoring) + start.restoring.seconds;
    if (!std::isfinite(seconds)) {
        m_keyedStarts[job.index()] = start;
        return;
    }
    m_keyedStarts[job.index()].reset();
    const auto keys = keyRanksOf(job);
    KeyedSetup setup{.job = job,
                     .spec = spec,
                     .placement = state.job(job).placement,
                     .plan = keyPlanOf(job),
                     .pace = keyedPaceOf(job),
                     .keys = keys,
                     .saved = start.saved,
                     .seed = options.seed,
                     .begin = m_now + Duration::seconds(seconds),
                     .route = keyedRouteFinder(),
                     .compute = keyedComputeTimes(*workload, job, m_delays, m_now),
                     .mostWindow = options.keyedWindow,
                     .observer = options.keyObserver,
                     .makeNode = options.makeKeyNode};
    m_keyed[job.index()] = std::make_shared<KeyedJob>(KeyedJob{.run = KeyedRun(setup), .generation = ++m_generation});
    KeyedJob& keyed = *m_keyed[job.index()];
    keyed.before = state.job(job).updates - std::min(state.job(job).updates, keyed.run.iterations());
    setKeyedGoal(job, keyed);
    logShownKeys(job, keyed);
    logHeldKeys(job, keyed);
    goOnKeyed(job, setup.begin);
}

std::function<KeyedRoute(MachineId, MachineId)> SimulationCore::keyedRouteFinder() {
    return [this](MachineId from, MachineId to) {
        const auto& route = m_transfers.routeBetween(from.value, to.value);
        return keyedRoute(route ? &*route : nullptr, workload->cluster);
    };
}

void SimulationCore::setKeyedGoal(JobId job, KeyedJob& keyed) {
    const Job& spec = workload->job(job);
    keyed.goal = keyedGoal(spec);
    if (spec.stop.seconds) {
        const double left = std::max(0.0, *spec.stop.seconds - m_speed.progress(job).ranSeconds);
        push(m_now + Duration::seconds(left), Kind::keyedLimit, job.value, entityOf(keyed.generation, 0));
    }
}

/// The next stretch, up to the next checkpoint or the end.
void SimulationCore::goOnKeyed(JobId job, SimTime at) {
    KeyedJob& keyed = *m_keyed[job.index()];
    const std::uint64_t until = keyed.goal.stretch(keyed.iterations());
    keyed.run.goOn(std::max(until, keyed.before) - keyed.before, at);
    keyed.announced = keyed.workersEnded = false;
    tickLater(job, keyed, at);
}

void SimulationCore::tickLater(JobId job, KeyedJob& keyed, SimTime from) {
    if (keyed.ticks) return;
    keyed.ticks = true;
    push(from + keyed.intervals.length, Kind::keyedTick, job.value, entityOf(keyed.generation, 0));
}

// --- Moving on

// Several jobs run ahead only to the earliest instant at which one of them could come to rest, which may be another's last.
bool SimulationCore::advanceKeyed(SimTime until) {
    std::vector<KeyedJob*> running;
    for (const JobId job : m_keyedIds)
        if (auto& keyed = m_keyed[job.index()]; keyed && !keyed->run.quietSince()) running.push_back(keyed.get());
    bool quiet = false;
    while (!running.empty() && !quiet) {
        SimTime to = until;
        KeyedJob* first = nullptr;
        for (KeyedJob* keyed : running)
            if (const SimTime soonest = keyed->run.earliestQuiet(); running.size() > 1 && soonest < to)
                to = soonest, first = keyed;
        for (KeyedJob* keyed : running) keyed->run.advance(to, m_delays);
        if (first) first->run.advance(to + Duration::nanoseconds(1), m_delays);
        quiet = announceQuiet();
        if (!first) break;
    }
    flushKeyedEntries();
    return quiet;
}

/// Logs the end of the last worker; whether a job has come to rest.
bool SimulationCore::announceQuiet() {
    bool any = false;
    for (const JobId job : m_keyedIds) {
        KeyedJob* keyed = m_keyed[job.index()].get();
        if (!keyed || keyed->announced) continue;
        const std::uint64_t done = keyed->iterations(), logged = state.job(job).updates;
        if (!keyed->workersEnded && keyed->run.workersAreDone()) {
            keyed->workersEnded = true;
            Event last = events::updateApplied(job, done, samplesOfIterations(job, done - logged));
            last.time = std::max(m_now, keyed->run.finishedAt()); // messages and replicas may take longer
            if (done > logged) keyed->run.world().entries.push_back(last);
        }
        if (!keyed->run.quietSince()) continue;
        any = keyed->announced = true;
        push(std::max(*keyed->run.quietSince(), m_now), Kind::keyedQuiet, job.value, entityOf(keyed->generation, 0));
    }
    return any;
}

/// What happened between two events of the queue and is logged one by one, in order of time.
void SimulationCore::flushKeyedEntries() {
    std::vector<Event> entries;
    for (const JobId job : m_keyedIds)
        if (auto& keyed = m_keyed[job.index()]) {
            auto& theirs = keyed->run.world().entries;
            entries.insert(entries.end(), theirs.begin(), theirs.end());
            theirs.clear();
        }
    const auto order = [](const Event& e) { return std::tuple(e.time, e.job, e.type, e.a, e.b, e.aux, e.value); };
    std::ranges::sort(entries, [&](const Event& x, const Event& y) { return order(x) < order(y); });
    for (const Event& entry : entries) {
        advanceTo(entry.time);
        emit(entry);
        if (entry.type == EventType::updateApplied) noteKeyedProgress(entry.jobId());
    }
}

double SimulationCore::samplesOfIterations(JobId job, std::uint64_t iterations) const {
    return static_cast<double>(iterations) * std::get<AnalyticWork>(workload->job(job).work).batch;
}

void SimulationCore::noteKeyedProgress(JobId job) {
    m_speed.setProgress(job, static_cast<double>(state.job(job).updates), state.job(job).samplesUsed, 0);
}

void SimulationCore::keyedTick(JobId job) {
    KeyedJob& keyed = *m_keyed[job.index()];
    keyed.ticks = false;
    logKeyed(job, keyed);
    keyed.intervals.next();
    if (!keyed.waitsForRoute()) tickLater(job, keyed, m_now);
}

void SimulationCore::keyedQuiet(JobId job) {
    KeyedJob& keyed = *m_keyed[job.index()];
    logKeyed(job, keyed);
    if (keyed.checkpoint) { // it has reached the storage
        const std::uint64_t done = keyed.iterations();
        m_lives[job.index()].checkpoint = JobSnapshot{
            .updates = done, .samplesUsed = state.job(job).samplesUsed, .keyed = std::move(keyed.checkpoint)};
        emit(events::checkpointDone(job, done));
        keyed.checkpoint = nullptr;
        return goOnKeyed(job, m_now);
    }
    const KeyedVerdict verdict = evaluateKeyed(job, keyed);
    if (verdict.diverged) {
        keyed.over = true;
        return failJob(job, FailReason::diverged);
    }
    if (verdict.targetMet || keyed.iterations() >= keyed.goal.iterations) {
        keyed.over = true;
        return finishJob(job, verdict.targetMet ? FinishReason::loss : keyed.goal.reason);
    }
    if (!keyed.goal.savesAt(keyed.iterations())) return goOnKeyed(job, m_now);
    keyed.checkpoint = std::make_shared<const KeyedSnapshot>(keyed.run.snapshot());
    emit(events::checkpointStarted(job, keyed.iterations(), checkpointBytes(workload->job(job), nullptr)));
    sendCheckpoint(job, keyed);
}

/// At the end of an epoch that is evaluated. What is no number is not logged: then the job has diverged.
SimulationCore::KeyedVerdict SimulationCore::evaluateKeyed(JobId job, KeyedJob& keyed) {
    const std::uint64_t done = keyed.iterations();
    if (!keyed.goal.evaluatesAt(done) && !(keyed.goal.evaluateEvery > 0 && done >= keyed.goal.iterations)) return {};
    const KeyedEvaluation found = keyed.run.evaluate();
    const auto isNumber = [](const Quality& quality) { return std::isfinite(quality.value); };
    if (!std::isfinite(found.loss) || !std::ranges::all_of(found.qualities, isNumber)) return {.diverged = true};
    for (const Event& event : evaluationEvents(job, *workload->job(job).keyedAccess(), done, found)) emit(event);
    const auto& target = workload->job(job).stop.loss;
    return {.targetMet = target && found.loss <= *target};
}

/// As soon as there is a way to the storage.
void SimulationCore::sendCheckpoint(JobId job, KeyedJob& keyed) {
    const double bytes = checkpointBytes(workload->job(job), nullptr);
    const Restoring saving{.transfers = checkpointTransfers(state.job(job).placement, m_storage, bytes)};
    const double seconds = restoringSeconds(saving);
    keyed.waitsToSave = !std::isfinite(seconds);
    if (keyed.waitsToSave) return;
    for (const auto& transfer : saving.transfers) carry(job, transfer);
    push(m_now + Duration::seconds(seconds), Kind::keyedQuiet, job.value, entityOf(keyed.generation, 0));
}

void SimulationCore::rerouteKeyed() {
    for (const JobId job : m_keyedIds) {
        if (const auto start = m_keyedStarts[job.index()]) beginKeyed(job, *start);
        KeyedJob* keyed = m_keyed[job.index()].get();
        if (!keyed) continue;
        if (keyed->waitsToSave) sendCheckpoint(job, *keyed);
        logKeyedBytes(job, *keyed);
        keyed->run.reroute(keyedRouteFinder(), m_now);
        if (!keyed->waitsForRoute()) tickLater(job, *keyed, m_now);
    }
}

std::optional<JobSnapshot> SimulationCore::haltKeyed(JobId job) {
    if (const auto start = std::exchange(m_keyedStarts[job.index()], {})) // it has not begun yet
        return JobSnapshot{
            .updates = state.job(job).updates, .samplesUsed = state.job(job).samplesUsed, .keyed = start->saved};
    KeyedJob& keyed = *m_keyed[job.index()];
    if (!keyed.over && !keyed.run.quietSince()) keyed.run.settle(m_delays);
    keyed.run.world().entries.clear(); // of what comes after the halt
    logKeyed(job, keyed);
    std::optional<JobSnapshot> out;
    if (!keyed.over)
        out = JobSnapshot{.updates = keyed.iterations(),
                          .samplesUsed = state.job(job).samplesUsed,
                          .keyed = std::make_shared<const KeyedSnapshot>(keyed.run.snapshot())};
    m_retiredKeyed.push_back(std::move(m_keyed[job.index()]));
    return out;
}

// --- Logging

void SimulationCore::logKeyed(JobId job, KeyedJob& keyed) {
    const std::uint64_t done = keyed.iterations(), logged = state.job(job).updates;
    if (done > logged) {
        emit(events::updateApplied(job, done, samplesOfIterations(job, done - logged)));
        noteKeyedProgress(job);
    }
    for (std::uint32_t n = 0; n < keyed.run.nodes(); ++n)
        for (const Event& event : countEvents(job, n, keyed.run.node(n).takeCounts(m_now))) emit(event);
    logKeyedBytes(job, keyed);
    logShownKeys(job, keyed);
}

/// Where keys are at the start, replicated ones too.
void SimulationCore::logHeldKeys(JobId job, KeyedJob& keyed) {
    for (std::uint32_t n = 0; n < keyed.run.nodes(); ++n)
        for (const Event& event : heldEvents(job, n, std::exchange(keyed.run.node(n).counts().held, {}))) emit(event);
    for (const Event& event : heldEvents(job, everyNode, heldReplicas(keyed.run.job()))) emit(event);
}

void SimulationCore::logKeyedBytes(JobId job, KeyedJob& keyed) {
    KeyedWorld& world = keyed.run.world();
    for (const Event& event : byteEvents(job, world.routes, world.pairBytes, workload->cluster.links.size()))
        emit(event);
    std::ranges::fill(world.pairBytes, 0);
}

void SimulationCore::logShownKeys(JobId job, KeyedJob& keyed) {
    for (const Event& event : keyed.shown.moves(job, keyed.run.job(), keyed.run.protocols())) emit(event);
}

} // namespace trainyard
