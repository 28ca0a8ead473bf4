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

namespace {

constexpr std::uint64_t noGoal = std::uint64_t{1} << 62;

bool varies(const StragglerLaw& law) { return law.burst || law.factor.law != Law::constant; }

} // namespace

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
    const KeyedAccess& access = *spec.keyedAccess();
    const double seconds = restoringSeconds(start.restoring) + start.restoring.seconds;
    if (!std::isfinite(seconds)) {
        m_keyedStarts[job.index()] = start;
        return;
    }
    m_keyedStarts[job.index()].reset();
    auto& keys = m_zipfKeys[job.index()];
    if (!keys)
        keys = std::make_shared<const ZipfKeys>(static_cast<std::uint32_t>(access.keys), access.exponent,
                                                access.permutationSeed);
    const auto plan = options.registry->makeParameters(choiceOf(job, PolicyFamily::parameters))->keyPlan();
    const auto pace = options.registry->makeSynchronization(choiceOf(job, PolicyFamily::synchronization))->keyedPace();
    require(plan && pace, "a keyed job met policies that do not serve it");
    KeyedSetup setup{.job = job,
                     .spec = spec,
                     .placement = state.job(job).placement,
                     .plan = *plan,
                     .pace = *pace,
                     .keys = keys,
                     .saved = start.saved,
                     .begin = m_now + Duration::seconds(seconds),
                     .route = keyedRouteFinder(),
                     .compute = keyedComputeTimes(job),
                     .mostWindow = options.keyedWindow,
                     .observer = options.keyObserver,
                     .makeNode = options.makeKeyNode};
    m_keyed[job.index()] = std::make_shared<KeyedJob>(KeyedJob{.run = KeyedRun(setup), .generation = ++m_generation});
    KeyedJob& keyed = *m_keyed[job.index()];
    keyed.before = state.job(job).updates - std::min(state.job(job).updates, keyed.run.iterations());
    setKeyedGoal(job, keyed);
    keyed.shownAt.assign(std::min(KeyedJob::shownKeys, keys->keys()), std::numeric_limits<std::uint32_t>::max() - 1);
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

/// By machine: seconds of an iteration where they do not vary, else negative.
std::vector<Duration> SimulationCore::keyedComputeTimes(JobId job) {
    const auto& work = std::get<AnalyticWork>(workload->job(job).work);
    std::vector<Duration> out;
    for (std::size_t m = 0; m < workload->cluster.machines.size(); ++m) {
        const bool drawn = work.secondsPerSample > 0 && varies(workload->cluster.machines[m].straggler);
        const DelayModel::Task task{job, 0, 1, MachineId(m), work.secondsPerSample};
        out.push_back(drawn ? Duration::nanoseconds(-1)
                            : Duration::seconds(m_delays.computeSeconds(task, work.batch, m_now)));
    }
    return out;
}

void SimulationCore::setKeyedGoal(JobId job, KeyedJob& keyed) {
    const Job& spec = workload->job(job);
    const auto& work = std::get<AnalyticWork>(spec.work);
    keyed.goal = noGoal;
    if (spec.stop.iterations) keyed.goal = static_cast<std::uint64_t>(*spec.stop.iterations);
    if (spec.stop.epochs) {
        const double needed = std::ceil(*spec.stop.epochs * work.samples / work.batch - 1e-6);
        const auto iterations = static_cast<std::uint64_t>(std::clamp(needed, 1.0, static_cast<double>(noGoal)));
        if (iterations < keyed.goal) keyed.goal = iterations, keyed.reason = FinishReason::epochs;
    }
    if (spec.stop.seconds) {
        const double left = std::max(0.0, *spec.stop.seconds - m_speed.progress(job).ranSeconds);
        push(m_now + Duration::seconds(left), Kind::keyedLimit, job.value, entityOf(keyed.generation, 0));
    }
}

/// The next stretch, up to the next checkpoint or the end.
void SimulationCore::goOnKeyed(JobId job, SimTime at) {
    KeyedJob& keyed = *m_keyed[job.index()];
    const auto every = static_cast<std::uint64_t>(workload->job(job).checkpoint.everyIterations);
    const std::uint64_t done = keyed.iterations();
    const std::uint64_t until = every > 0 ? std::min(keyed.goal, (done / every + 1) * every) : keyed.goal;
    keyed.run.goOn(std::max(until, keyed.before) - keyed.before, at);
    keyed.announced = keyed.workersEnded = false;
    tickLater(job, keyed, at);
}

void SimulationCore::tickLater(JobId job, KeyedJob& keyed, SimTime from) {
    if (keyed.ticks) return;
    keyed.ticks = true;
    push(from + keyed.interval, Kind::keyedTick, job.value, entityOf(keyed.generation, 0));
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
    if (++keyed.intervals == KeyedJob::mostIntervals) {
        keyed.intervals /= 2;
        keyed.interval = keyed.interval + keyed.interval;
    }
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
    if (keyed.iterations() >= keyed.goal) {
        keyed.over = true;
        return finishJob(job, keyed.reason);
    }
    keyed.checkpoint = std::make_shared<const KeyedSnapshot>(keyed.run.snapshot());
    emit(events::checkpointStarted(job, keyed.iterations(), checkpointBytes(workload->job(job), nullptr)));
    sendCheckpoint(job, keyed);
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
    for (std::uint32_t n = 0; n < keyed.run.nodes(); ++n) logCounts(job, n, keyed.run.node(n).counts());
    logKeyedBytes(job, keyed);
    logShownKeys(job, keyed);
}

/// Where keys are at the start, replicated ones too.
void SimulationCore::logHeldKeys(JobId job, KeyedJob& keyed) {
    const auto log = [&](std::uint32_t node, const std::array<std::int64_t, rankBuckets>& held) {
        for (std::uint32_t b = 0; b < rankBuckets; ++b)
            if (held[b] > 0)
                emit(events::keysCounted(job, KeyCounter::keysHeld, node, b, static_cast<double>(held[b])));
    };
    for (std::uint32_t n = 0; n < keyed.run.nodes(); ++n) log(n, std::exchange(keyed.run.node(n).counts().held, {}));
    std::array<std::int64_t, rankBuckets> replicas{};
    for (const std::uint32_t key : keyed.run.job().replicated) ++replicas[keyed.run.job().buckets[key]];
    log(everyNode, replicas);
}

void SimulationCore::logCounts(JobId job, std::uint32_t node, KeyedCounts& counts) {
    const auto log = [&](KeyCounter counter, std::size_t bucket, double count) {
        if (count != 0) emit(events::keysCounted(job, counter, node, static_cast<std::uint32_t>(bucket), count));
    };
    const auto from = [](KeyCounter first, std::size_t n) {
        return static_cast<KeyCounter>(static_cast<std::size_t>(first) + n);
    };
    for (std::size_t kind = 0; kind < 3; ++kind) {
        for (std::size_t b = 0; b < rankBuckets; ++b)
            log(from(KeyCounter::localPulls, kind), b, static_cast<double>(counts.pulls[kind][b]));
        log(from(KeyCounter::localPushes, kind), 0, static_cast<double>(counts.pushes[kind]));
    }
    for (std::size_t type = 0; type < keyMessageTypes; ++type) {
        log(KeyCounter::messages, type, static_cast<double>(counts.messages[type]));
        log(KeyCounter::messageBytes, type, static_cast<double>(counts.bytes[type]));
    }
    log(KeyCounter::serverSeconds, 0, static_cast<double>(counts.serverNs) * 1e-9);
    log(KeyCounter::sendingSeconds, 0, static_cast<double>(counts.sendingNs) * 1e-9);
    log(KeyCounter::receivingSeconds, 0, static_cast<double>(counts.receivingNs) * 1e-9);
    log(KeyCounter::keysReceived, 0, static_cast<double>(counts.received));
    log(KeyCounter::replicaRounds, 0, static_cast<double>(counts.rounds));
    for (std::size_t b = 0; b < rankBuckets; ++b) log(KeyCounter::keysHeld, b, static_cast<double>(counts.held[b]));
    log(KeyCounter::replicaStaleness, 0, static_cast<double>(counts.stalenessNs) * 1e-9);
    counts = {};
}

void SimulationCore::logKeyedBytes(JobId job, KeyedJob& keyed) {
    KeyedWorld& world = keyed.run.world();
    std::vector<double> bytes(2 * workload->cluster.links.size(), 0);
    for (std::size_t a = 0; a < world.nodes(); ++a)
        for (std::size_t b = 0; b < world.nodes(); ++b)
            for (const DirectedLink link : world.routes.between(a, b).links)
                bytes[link] += static_cast<double>(world.pairBytes[a * world.nodes() + b]);
    std::ranges::fill(world.pairBytes, 0);
    for (DirectedLink link = 0; link < bytes.size(); ++link)
        if (bytes[link] > 0) emit(events::linkCarried(job, link, bytes[link]));
}

void SimulationCore::logShownKeys(JobId job, KeyedJob& keyed) {
    for (std::uint32_t rank = 0; rank < keyed.shownAt.size(); ++rank) {
        const std::uint32_t key = keyed.run.job().keys->keyAt(rank), owner = keyed.run.ownerOf(key);
        if (keyed.shownAt[rank] == owner) continue;
        keyed.shownAt[rank] = owner;
        emit(events::keyLocated(job, key, owner));
    }
}

} // namespace trainyard
