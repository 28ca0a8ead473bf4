// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How jobs arrive, begin, move, stop and end, and what a failure of a machine or a link does to them, in both modes.
#include "engine/RunCore.h"

#include "engine/keyed/KeyedWork.h"

#include <algorithm>
#include <limits>

namespace trainyard {

// --- Beginning and ending

void RunCore::arrive(JobId job) {
    if (isAdmittedAtOnce(job)) return admit(job);
    emit(events::jobArrived(job));
    if (workload->job(job).kind() == JobKind::graph && !partition(job))
        emit(events::jobRejected(job));
    else
        requestDecision();
}

void RunCore::startJob(JobId job, const Placement& placement) {
    if (!hasRoom(job, placement)) return;
    const double waited = (m_now - state.job(job).since).toSeconds();
    placeTasks(job, placement);
    emit(events::jobStarted(job, placement, waited));
    begin(job, {});
}

// By the scheduler: the job keeps its parameters. By a failure: it falls back to its last checkpoint, or to the start.
void RunCore::preempt(JobId job, PreemptReason reason) {
    const bool keeps = reason == PreemptReason::policy;
    JobLife& life = m_lives[job.index()];
    auto reached = stop(job);
    life.saved = keeps ? std::move(reached) : life.checkpoint;
    life.owners = keeps ? ownersOf(state.job(job).placement) : std::vector<MachineId>{};
    const std::uint64_t had = state.job(job).updates, kept = life.saved ? life.saved->updates : 0;
    const double used = state.job(job).samplesUsed, keptSamples = life.saved ? life.saved->samplesUsed : 0;
    removeTasks(job);
    emit(events::jobPreempted(job, kept, had - std::min(had, kept), used - keptSamples, reason));
    if (!keeps) m_speed.setProgress(job, static_cast<double>(kept), keptSamples, life.saved ? life.saved->ahead : 0);
}

void RunCore::finishJob(JobId job, FinishReason reason) {
    stop(job);
    m_lives[job.index()] = {};
    removeTasks(job);
    emit(events::jobFinished(job, state.job(job).updates, state.job(job).lastLoss, reason));
    if (m_servesQueue) requestDecision();
}

void RunCore::failJob(JobId job, FailReason reason) {
    stop(job);
    m_lives[job.index()] = {};
    removeTasks(job);
    emit(events::jobFailed(job, reason));
    requestDecision();
}

void RunCore::rejectJob(JobId job) {
    const bool ran = phase(job) == JobPhase::running;
    if (ran) stop(job);
    m_lives[job.index()] = {};
    removeTasks(job);
    emit(events::jobRejected(job));
    if (ran) requestDecision();
}

void RunCore::failStuckJobs() {
    for (std::size_t j = 0; j < workload->jobs.size(); ++j)
        if (phase(JobId(j)) == JobPhase::running || phase(JobId(j)) == JobPhase::waiting)
            failJob(JobId(j), FailReason::stuck);
}

void RunCore::begin(JobId job, const Placement& before) {
    JobLife& life = m_lives[job.index()];
    life.startedAt = m_now;
    m_speed.progress(job).since = m_now;
    Restoring restoring = restoringOf(job, before);
    life.hasRun = true;
    life.owners.clear();
    if (const auto* graph = std::get_if<GraphWork>(&workload->job(job).work)) {
        auto& progress = m_speed.progress(job);
        progress.path = RatePath(m_now + Duration::seconds(restoring.seconds), progress.updates, graph->steps,
                                 std::numeric_limits<double>::infinity(),
                                 m_speed.updateTime(job, state.job(job).placement), options.seed, job);
        const SimTime end = progress.path->timeOf(graph->steps);
        if (end != SimTime::never()) scheduleGraphEnd(job, end);
    } else {
        launch(job, std::move(restoring));
        life.saved.reset();
    }
}

std::optional<JobSnapshot> RunCore::stop(JobId job, bool goesOn) {
    auto reached = halt(job, goesOn);
    if (m_admissions) m_admissions->release(job);
    auto& progress = m_speed.progress(job);
    if (progress.path) progress.updates = progress.path->updatesAt(m_now);
    progress.path.reset();
    if (progress.since) progress.ranSeconds += (m_now - *progress.since).toSeconds();
    progress.since.reset();
    return reached;
}

// From the nodes that have the parameters where the job is, or from the storage; without one, from the machines where the
// scheduler preempted it.
Restoring RunCore::restoringOf(JobId job, const Placement& before) const {
    const Placement& placement = state.job(job).placement;
    Restoring out;
    out.begins = before != placement;
    const JobLife& life = m_lives[job.index()];
    const bool moves = !before.empty();
    if (out.begins && life.hasRun) out.seconds = workload->job(job).restartSeconds;
    if (workload->job(job).kind() == JobKind::graph) return out;
    // Where the servers stay, so do the parameters.
    if (moves && !placement.servers.empty() && before.servers == placement.servers) out.begins = false;
    if (!out.begins || (!moves && !life.saved)) return out;
    const auto &owners = ownersOf(placement), &previous = moves ? ownersOf(before) : life.owners;
    const double bytes = checkpointBytes(workload->job(job), problems[job.index()].get());
    if (bytes == 0) return out;
    const double share = bytes / static_cast<double>(owners.size());
    if (!moves) out.bytes = bytes; // loaded, be it from the machine's own disk
    for (std::size_t o = 0; o < owners.size(); ++o) {
        std::optional<std::uint32_t> from = m_storage;
        if (!previous.empty() && (moves || !m_storage)) from = previous[o % previous.size()].value;
        if (!from || *from == MachineId::none || *from == owners[o].value) continue;
        out.transfers.push_back({*from, owners[o].value, share});
        if (moves) out.bytes += share;
    }
    return out;
}

JobSetup RunCore::setupOf(JobId job, Restoring restoring) {
    JobLife& life = m_lives[job.index()];
    const Placement& placement = state.job(job).placement;
    auto saved = std::exchange(life.saved, std::nullopt);
    Cloned<Synchronization> synchronization;
    if (saved) synchronization = std::move(saved->synchronization);
    if (!synchronization)
        synchronization = options.registry->makeSynchronization(choiceOf(job, PolicyFamily::synchronization));
    return {.job = job,
            .spec = workload->job(job),
            .placement = placement,
            .seed = options.seed,
            .problem = problems[job.index()],
            .synchronization = std::move(synchronization),
            .parameters = options.registry->makeParameters(choiceOf(job, PolicyFamily::parameters)),
            .responses = m_speed.responses(job, placement),
            .batch = state.job(job).batch,
            .saved = std::move(saved),
            .restoring = std::move(restoring),
            .ranSeconds = m_speed.progress(job).ranSeconds,
            .lastTask = life.lastTask,
            .policyCalls = life.policyCalls,
            .measuresNoise = schedulerInfo().goesByNoise,
            .stop = options.stop};
}

KeyPlan RunCore::keyPlanOf(JobId job) const {
    const auto plan = options.registry->makeParameters(choiceOf(job, PolicyFamily::parameters))->keyPlan();
    require(plan.has_value(), "a keyed job met a parameters policy that does not serve it");
    return *plan;
}

KeyedPace RunCore::keyedPaceOf(JobId job) const {
    const auto pace = options.registry->makeSynchronization(choiceOf(job, PolicyFamily::synchronization))->keyedPace();
    require(pace.has_value(), "a keyed job met a synchronization that does not serve it");
    return *pace;
}

std::shared_ptr<const KeyRanks> RunCore::keyRanksOf(JobId job) {
    m_keyRanks.resize(workload->jobs.size());
    auto& keys = m_keyRanks[job.index()];
    if (!keys) keys = makeKeys(*workload->job(job).keyedAccess());
    return keys;
}

namespace {

MachineId at(const std::vector<MachineId>& tasks, std::size_t number) {
    return number < tasks.size() ? tasks[number] : MachineId{};
}

} // namespace

void RunCore::placeTasks(JobId job, const Placement& placement) {
    const Placement held = state.job(job).placement;
    for (std::size_t i = 0; i < placement.servers.size(); ++i)
        if (placement.servers[i] != at(held.servers, i))
            emit(events::taskPlaced(job, TaskRole::server, i, placement.servers[i]));
    for (std::size_t i = 0; i < placement.workers.size(); ++i)
        if (placement.workers[i].valid() && placement.workers[i] != at(held.workers, i))
            emit(events::taskPlaced(job, TaskRole::worker, i, placement.workers[i]));
}

void RunCore::removeTasks(JobId job, const Placement& kept) {
    const Placement held = state.job(job).placement;
    for (std::size_t i = held.workers.size(); i-- > 0;)
        if (held.workers[i].valid() && held.workers[i] != at(kept.workers, i))
            emit(events::taskRemoved(job, TaskRole::worker, i, held.workers[i]));
    for (std::size_t i = held.servers.size(); i-- > 0;)
        if (held.servers[i].valid() && held.servers[i] != at(kept.servers, i))
            emit(events::taskRemoved(job, TaskRole::server, i, held.servers[i]));
}

// --- Failures

void RunCore::carryOut(const FaultClock::Turn& turn) {
    if (m_faults.isRandom(turn) && state.allJobsOver()) return; // else the run would never end
    if (m_faults.changes(turn))
        m_faults.ofMachine(turn) ? setMachine(MachineId(turn.target), turn.repair)
                                 : setLink(LinkId(turn.target), turn.repair);
    if (const auto next = m_faults.following(turn, m_now)) schedule(*next);
}

void RunCore::setMachine(MachineId machine, bool up) {
    emit(up ? events::machineRepaired(machine) : events::machineFailed(machine));
    requestDecision();
    for (std::size_t j = 0; !up && j < workload->jobs.size(); ++j)
        if (phase(JobId(j)) == JobPhase::running) machineLost(JobId(j), machine);
}

void RunCore::machineLost(JobId job, MachineId machine) {
    const Placement& held = state.job(job).placement;
    const Job& spec = workload->job(job);
    const auto stays = [&](MachineId m) { return m.valid() && state.machine(m).up; };
    const bool server = std::ranges::count(held.servers, machine) > 0;
    std::vector<std::uint32_t> lost;
    for (std::size_t w = 0; w < held.workers.size(); ++w)
        if (held.workers[w] == machine) lost.push_back(static_cast<std::uint32_t>(w));
    if (!server && lost.empty()) return;
    if (isAdmittedAtOnce(job)) return failJob(job, FailReason::stuck); // it has no queue to go back to
    if (spec.onFailure == FailureReaction::shrink && !server &&
        std::ranges::count_if(held.workers, stays) >= spec.workers.minimum && survives(job, lost)) {
        removeWorkers(job, lost);
        changeWorkers(job, false);
    } else {
        preempt(job, PreemptReason::machineFailure);
    }
}

void RunCore::setLink(LinkId link, bool up) {
    emit(up ? events::linkRepaired(link) : events::linkFailed(link));
    m_speed.setLinkUp(link, up);
    reroute(link, up);
    for (std::size_t j = 0; j < m_lives.size(); ++j) { // other ways, other paces; some go on that stood still
        const JobId job(j);
        const auto& path = m_speed.progress(job).path;
        const Placement& placement = state.job(job).placement;
        if (!path || isAdmittedAtOnce(job) || m_speed.secondsPerUpdate(job, placement) == path->expectedSeconds())
            continue;
        stop(job, true);
        begin(job, placement);
    }
    requestDecision();
}

} // namespace trainyard
