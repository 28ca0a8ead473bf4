// Machines and links that fail and are repaired, checkpoints, restarts, preemption, and interactive commands.
#include "engine/SimulationCore.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

void SimulationCore::scheduleFault(const FaultClock::Turn& turn) {
    m_queue.push(turn.at, static_cast<std::uint16_t>(turn.repair ? Kind::repair : Kind::fault), 0, turn.fault,
                 entityOf(turn.target, turn.occurrence));
}

void SimulationCore::fault(const PendingEvent& event, bool repair) {
    const FaultClock::Turn turn{.at = event.time,
                                .repair = repair,
                                .fault = event.a,
                                .target = static_cast<std::uint32_t>(event.b >> 32),
                                .occurrence = static_cast<std::uint32_t>(event.b)};
    if (m_faults.isRandom(turn) && state.allJobsOver()) return; // else the run would never end
    if (m_faults.changes(turn))
        m_faults.ofMachine(turn) ? setMachine(turn.target, repair) : setLink(turn.target, repair);
    if (const auto next = m_faults.following(turn, m_now)) scheduleFault(*next);
}

void SimulationCore::setMachine(std::uint32_t machine, bool up) {
    emit(up ? events::machineRepaired(MachineId(machine)) : events::machineFailed(MachineId(machine)));
    requestDecision();
    if (up) return;
    for (std::size_t j = 0; j < workload->jobs.size(); ++j) {
        const JobId job(j);
        if (state.job(job).phase != JobPhase::running) continue;
        const Placement held = state.job(job).placement;
        const auto isHere = [&](MachineId m) { return m.value == machine; };
        const auto lost = std::count_if(held.workers.begin(), held.workers.end(), isHere);
        const bool server = std::any_of(held.servers.begin(), held.servers.end(), isHere);
        if (lost == 0 && !server) continue;
        const Job& spec = workload->job(job);
        JobRun* run = runOf(job);
        const auto alive =
            std::count_if(held.workers.begin(), held.workers.end(), [](MachineId m) { return m.valid(); });
        const auto isLost = [&](NodeIndex n) {
            return n < run->tasks.size() && run->tasks[n].machine.value == machine;
        };
        const auto isHome = [&](NodeIndex n) { return !run->nodes[n].protocol->initialKeys().empty(); };
        const bool canShrink = spec.onFailure == FailureReaction::shrink && run && !server &&
                               parametersSurvive(run->store, isLost, isHome) &&
                               alive - lost >= spec.workers.minimum;
        if (!canShrink) {
            preempt(job, PreemptReason::machineFailure);
            continue;
        }
        removeWorkers(*run, MachineId(machine));
    }
}

void SimulationCore::setLink(std::uint32_t link, bool up) {
    emit(up ? events::linkRepaired(LinkId(link)) : events::linkFailed(LinkId(link)));
    rerouteAfter(LinkId(link), up);
    for (std::size_t j = 0; j < m_rates.size(); ++j) { // other ways, other rates; some go on that stood still
        const JobId job(j);
        const auto& path = m_speed.progress(job).path;
        if (!path || m_speed.secondsPerUpdate(job, state.job(job).placement) == path->expectedSeconds())
            continue;
        stopClocks(job);
        m_lives[j].startedAt = m_now;
        startClock(job);
        workload->job(job).kind() == JobKind::graph ? startGraph(job)
                                                    : startRate(job, state.job(job).placement);
    }
    requestDecision();
}

// By the scheduler: the job keeps its parameters. By a failure: it falls back to its last checkpoint, or to
// the start.
void SimulationCore::preempt(JobId job, PreemptReason reason) {
    const std::size_t j = job.index();
    const bool keeps = reason == PreemptReason::policy;
    JobRun* run = runOf(job);
    auto& saved = m_lives[j].saved;
    if (run) saved = keeps ? std::optional(run->snapshot()) : m_lives[j].checkpoint;
    stopClocks(job);
    endJobRun(job);
    auto& progress = m_speed.progress(job);
    const bool counts = workload->job(job).kind() != JobKind::graph; // its steps are no updates
    const double reached = counts ? std::floor(progress.updates) : 0, used = progress.samples;
    if (!keeps) {
        const RateCheckpoint& last = m_rateCheckpoints[j];
        progress.updates = run ? (saved ? static_cast<double>(saved->updates) : 0) : last.updates;
        progress.samples = run ? (saved ? saved->samplesUsed : 0) : last.samples;
    }
    const double kept = counts ? std::floor(progress.updates) : 0;
    removeTasks(job);
    emit(events::jobPreempted(job, static_cast<std::uint64_t>(kept), static_cast<std::uint64_t>(reached - kept),
                              used - progress.samples, reason));
    requestDecision();
}

void SimulationCore::takeCheckpoint(JobRun& run) {
    if (run.checkpointUnderWay) return; // the previous one has not arrived: skip this one
    run.checkpointUnderWay = run.snapshot();
    const double bytes = checkpointBytes(run.layout(), run.problem.get());
    emit(events::checkpointStarted(run.id, run.updates, bytes));
    const std::uint32_t storage = storageVertex();
    const Owners owners = ownersOf(run.layout());
    run.checkpointTransfers = 0;
    if (storage < m_transfers.vertexCount()) {
        run.checkpointTransfers = owners.count;
        for (std::uint32_t o = 0; o < owners.count; ++o)
            depart(newTransfer(run, Payload::Use::checkpoint,
                               machineOf(run.placement, owners.first + o).value, storage,
                               bytes / owners.count));
    } else {
        checkpointArrived(run); // each machine's own disk costs no transfer
    }
}

void SimulationCore::checkpointArrived(JobRun& run) {
    const std::uint64_t updates = run.checkpointUnderWay->updates;
    m_lives[run.id.index()].checkpoint = std::exchange(run.checkpointUnderWay, std::nullopt);
    emit(events::checkpointDone(run.id, updates));
}

// Before a restored or moved job begins, its parameters travel: from the storage, or from the servers it had.
void SimulationCore::prepareTransfers(JobRun& run, bool restored) {
    const auto& owners = run.placement.servers.empty() ? run.placement.workers : run.placement.servers;
    const double share =
        checkpointBytes(run.layout(), run.problem.get()) / static_cast<double>(owners.size());
    const std::uint32_t storage = storageVertex();
    std::vector<TransferTable::Id> transfers;
    for (std::size_t o = 0; o < owners.size(); ++o) {
        std::optional<std::uint32_t> from;
        if (restored && storage < m_transfers.vertexCount())
            from = storage;
        else if (!m_previousServers.empty() && m_previousServers[o % m_previousServers.size()].valid())
            from = m_previousServers[o % m_previousServers.size()].value;
        if (from && *from != owners[o].value)
            transfers.push_back(newTransfer(run, Payload::Use::prepare, *from, owners[o].value, share));
    }
    run.transfersMissing = static_cast<std::uint32_t>(transfers.size());
    for (const auto transfer : transfers) depart(transfer);
}

// A command takes an instant of its own, after everything that has happened and before anything still
// pending: in a replay it is an event of the queue like any other, and must meet the same state and the same
// order.
void SimulationCore::command(const Command& command) {
    Command stamped = command;
    stamped.at = std::max(command.at, m_now + Duration::nanoseconds(1));
    while (!finished && nextTime() <= stamped.at && !m_queue.empty()) step();
    if (finished || stamped.at > m_horizon) return;
    advanceTo(stamped.at);
    carryOut(stamped);
    m_retired.clear();
}

void SimulationCore::carryOut(const Command& command) {
    commandsApplied.push_back(command);
    emit(events::command(command.kind, command.a, command.b, command.value));
    switch (command.kind) {
    case CommandKind::failMachine:
        if (m_faults.fail(Fault::Target::machine, command.a)) setMachine(command.a, false);
        break;
    case CommandKind::repairMachine:
        if (m_faults.repair(Fault::Target::machine, command.a)) setMachine(command.a, true);
        break;
    case CommandKind::failLink:
        if (m_faults.fail(Fault::Target::link, command.a)) setLink(command.a, false);
        break;
    case CommandKind::repairLink:
        if (m_faults.repair(Fault::Target::link, command.a)) setLink(command.a, true);
        break;
    case CommandKind::killJob:
        if (command.a < workload->jobs.size()) {
            const JobId job(command.a);
            const JobPhase phase = state.job(job).phase;
            if (phase == JobPhase::running || phase == JobPhase::waiting) failJob(job, FailReason::killed);
        }
        break;
    }
}

} // namespace trainyard
