// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The loop: earliest event first, decisions coalesced per instant, every change one logged event folded into
// the state.
#include "engine/SimulationCore.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace {

/// More events than happen at one instant of a run that advances: some ten seconds of computing, and what all workers exchange with all
/// servers.
double mostAtOneInstant(const Workload& workload) {
    double most = 2e7;
    for (const Job& job : workload.jobs) most += 16.0 * job.workers.maximum * (1.0 + job.servers.maximum);
    return most;
}

} // namespace

SimulationCore::SimulationCore(SimulationOptions given, std::shared_ptr<const Workload> load,
                               std::vector<std::shared_ptr<const TrainingProblem>> made)
    : RunCore(std::move(given), std::move(load), std::move(made), Purpose::fault),
      m_horizon(SimTime::seconds(options.scenario->horizonSeconds)),
      m_mostEvents(
          static_cast<std::size_t>(options.scenario->limits.events.value_or(std::numeric_limits<std::int64_t>::max()))),
      m_transfers(workload->cluster, options.scenario->network),
      m_delays(workload, options.seed, DelayModel::Streams::simulate, options.stop) {
    m_stop = options.stop;
    m_mostAtInstant = mostAtOneInstant(*workload);
    const std::size_t jobs = workload->jobs.size();
    m_runs.resize(jobs);
    m_rates.resize(jobs);
    m_owed.resize(jobs);
    m_keyed.resize(jobs);
    m_keyedStarts.resize(jobs);
    emit(events::runStarted());
    for (std::size_t j = 0; j < jobs; ++j)
        push(workload->jobs[j].arrival, Kind::arrival, static_cast<std::uint32_t>(j));
    for (std::size_t j = 0; j < jobs; ++j)
        if (workload->jobs[j].keyedAccess()) m_keyedIds.emplace_back(j);
    for (const auto& turn : m_faults.first()) schedule(turn);
    for (std::size_t c = 0; c < options.commands.size(); ++c)
        push(options.commands[c].at, Kind::commandDue, static_cast<std::uint32_t>(c));
}

SimTime SimulationCore::nextTime() {
    if (finished) return SimTime::never();
    settleInstant();
    dropOver();
    if (m_queue.empty()) return m_now;
    SimTime next = std::min(m_queue.top().time, m_horizon);
    for (const JobId job : m_keyedIds) // it may be later
        if (const auto& keyed = m_keyed[job.index()]; keyed && !keyed->run.quietSince())
            next = std::min(next, std::max(m_now, keyed->run.earliestQuiet()));
    return next;
}

bool SimulationCore::step(SimTime last) {
    if (finished) return false;
    if (std::max(log->size(), eventsProcessed) >= m_mostEvents) {
        finished = limited = true;
        return false;
    }
    throwIfStopped(m_stop);
    settleInstant();
    bringKeyedUpTo(std::min(last, m_horizon));
    const auto event = m_queue.next([this](const PendingEvent& e) { return isOver(e); }, std::min(last, m_horizon));
    if (!event) {
        if (last < (m_queue.empty() ? m_now : m_horizon)) return false;
        if (!m_queue.empty()) advanceTo(std::max(m_now, m_horizon));
        endRun();
        return !finished;
    }
    ++eventsProcessed;
    m_atInstant = event->time > m_now ? 0 : m_atInstant + 1;
    require(static_cast<double>(m_atInstant) < m_mostAtInstant, "time does not advance: what happens takes none");
    advanceTo(event->time);
    dispatch(*event);
    m_retired.clear();
    m_retiredKeyed.clear();
    return true;
}

// Keyed jobs: to the next event, or to the last instant that is asked for; whichever comes to rest before that is the next event.
void SimulationCore::bringKeyedUpTo(SimTime last) {
    if (std::ranges::none_of(m_keyedIds, [&](JobId job) { return static_cast<bool>(m_keyed[job.index()]); })) return;
    do {
        dropOver();
        const SimTime bound = last + Duration::nanoseconds(1);
        m_keyedUntil = std::max(m_keyedUntil, m_queue.empty() ? bound : std::min(m_queue.top().time, bound));
    } while (advanceKeyed(m_queue.empty() ? last + Duration::nanoseconds(1)
                                          : std::min(m_queue.top().time, last + Duration::nanoseconds(1))));
}

// Transfers that begin or end at one instant are solved together, once nothing more is due at it.
void SimulationCore::settleInstant() {
    if (!m_transfers.touched()) return;
    dropOver();
    if (m_queue.empty() || m_queue.top().time > m_now) flushNetwork();
}

void SimulationCore::advanceTo(SimTime time) {
    if (time > m_now) logCarried();
    m_now = time;
}

bool SimulationCore::isOver(const PendingEvent& event) {
    const auto high = static_cast<std::uint32_t>(event.b >> 32), low = static_cast<std::uint32_t>(event.b);
    JobId job;
    job.value = event.a;
    switch (static_cast<Kind>(event.kind)) {
    case Kind::network: return event.b != m_networkEvent;
    case Kind::slotLeave:
    case Kind::slotDeliver: return !m_transfers.live(event.a) || m_transfers.serial(event.a) != event.b;
    case Kind::computeDone: {
        const JobRun* run = runOf(job, high);
        const std::uint32_t task = run ? run->computing(low) : 0;
        return task == 0 || (task & 0xffff) != event.small;
    }
    case Kind::stepDone:
    case Kind::nodeTimer: return !runOf(job, high);
    case Kind::rateTick: return !m_rates[job.index()] || m_rates[job.index()]->generation != high;
    case Kind::wake: return state.allJobsOver() || wakesAreIdle();
    case Kind::keyedTick:
    case Kind::keyedQuiet:
    case Kind::keyedLimit: return !m_keyed[job.index()] || m_keyed[job.index()]->generation != high;
    case Kind::graphDone: return !runsSince(job, SimTime{static_cast<std::int64_t>(event.b)});
    default: return false;
    }
}

void SimulationCore::dropOver() {
    m_queue.drop([this](const PendingEvent& event) { return isOver(event); });
}

void SimulationCore::dispatch(const PendingEvent& event) {
    const auto high = static_cast<std::uint32_t>(event.b >> 32), low = static_cast<std::uint32_t>(event.b);
    JobId job;
    job.value = event.a;
    const auto run = [&]() -> JobRun& { return *runOf(job); }; // it is there: see isOver()
    switch (static_cast<Kind>(event.kind)) {
    case Kind::arrival: arrive(job); break;
    case Kind::decide: decide(); break;
    case Kind::wake:
        emit(events::schedulerWoken());
        requestDecision();
        break;
    case Kind::network: completeFlows(); break;
    case Kind::slotLeave: depart(event.a); break;
    case Kind::slotDeliver: deliver(event.a); break;
    case Kind::computeDone: finishCompute(run(), low); break;
    case Kind::stepDone: proceed(run(), static_cast<Coordinator::Step>(event.small), low); break;
    case Kind::nodeTimer: fireNodeTimer(run(), low); break;
    case Kind::rateTick: rateTick(job, event.small); break;
    case Kind::graphDone: finishJob(job, FinishReason::steps); break;
    case Kind::keyedTick: keyedTick(job); break;
    case Kind::keyedQuiet: keyedQuiet(job); break;
    case Kind::keyedLimit: finishJob(job, FinishReason::seconds); break;
    case Kind::fault:
        RunCore::carryOut(FaultClock::Turn{
            .at = event.time, .repair = event.small != 0, .fault = event.a, .target = high, .occurrence = low});
        break;
    case Kind::commandDue: carryOut(options.commands[event.a]); break;
    }
}

void SimulationCore::endRun() {
    // Nothing is pending. Jobs that still run or wait (for machines that failed for good) wait for something
    // that can never come.
    if (m_queue.empty()) failStuckJobs();
    dropOver();
    if (!m_queue.empty() && m_queue.top().time <= m_horizon) return; // others go on
    flushNetwork();
    logCarried();
    for (std::size_t j = 0; j < m_owed.size(); ++j) logOwed(JobId(j));
    for (const JobId job : m_keyedIds)
        if (auto& keyed = m_keyed[job.index()]) logKeyed(job, *keyed);
    emit(events::runFinished());
    finished = true;
}

// --- Decisions

void SimulationCore::requestDecision() {
    if (m_decisionPending) return;
    m_decisionPending = true;
    push(m_now, Kind::decide);
}

void SimulationCore::decide() {
    m_decisionPending = false;
    for (const SimTime t : askScheduler()) push(t, Kind::wake);
    if (state.jobsIn(JobPhase::running).empty() && m_queue.size() <= pendingWakes()) foresee();
}

void SimulationCore::schedule(const FaultClock::Turn& turn) {
    push(turn.at, Kind::fault, turn.fault, entityOf(turn.target, turn.occurrence), turn.repair);
}

void SimulationCore::scheduleGraphEnd(JobId job, SimTime at) {
    push(at, Kind::graphDone, job.value, static_cast<std::uint64_t>(m_now.ns));
}

// --- Commands

// A command takes an instant of its own, after everything that has happened and before anything still
// pending: in a replay it is an event of the queue like any other, and must meet the same state and the same
// order.
void SimulationCore::command(const Command& command) {
    Command stamped = command;
    stamped.at = std::max({command.at, m_now + Duration::nanoseconds(1), m_keyedUntil});
    const auto isPending = [&] { // a run that waits for a command has not ended
        settleInstant();
        dropOver();
        return !m_queue.empty();
    };
    while (!finished && isPending() && step(stamped.at)) {}
    if (finished || stamped.at > m_horizon) return;
    advanceTo(stamped.at);
    carryOut(stamped);
    m_retired.clear();
    m_retiredKeyed.clear();
}

void SimulationCore::carryOut(const Command& command) {
    commandsApplied.push_back(command);
    emit(events::command(command.kind, command.a, command.b, command.value));
    switch (command.kind) {
    case CommandKind::failMachine:
        if (m_faults.fail(Fault::Target::machine, command.a)) setMachine(MachineId(command.a), false);
        break;
    case CommandKind::repairMachine:
        if (m_faults.repair(Fault::Target::machine, command.a)) setMachine(MachineId(command.a), true);
        break;
    case CommandKind::failLink:
        if (m_faults.fail(Fault::Target::link, command.a)) setLink(LinkId(command.a), false);
        break;
    case CommandKind::repairLink:
        if (m_faults.repair(Fault::Target::link, command.a)) setLink(LinkId(command.a), true);
        break;
    case CommandKind::killJob:
        if (command.a < workload->jobs.size()) {
            const JobId job(command.a);
            if (phase(job) == JobPhase::running || phase(job) == JobPhase::waiting) failJob(job, FailReason::killed);
        }
        break;
    }
}

} // namespace trainyard
