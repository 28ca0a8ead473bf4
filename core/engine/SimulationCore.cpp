// The loop: earliest event first, decisions coalesced per instant, every change one logged event folded into
// the state.
#include "engine/SimulationCore.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace {

constexpr int mostIdleWakes = 100'000;

std::vector<double> directedCapacities(const Cluster& cluster) {
    std::vector<double> out;
    for (const auto& link : cluster.links) out.insert(out.end(), 2, link.bandwidth);
    return out;
}

} // namespace

SimulationCore::SimulationCore(SimulationOptions given, std::shared_ptr<const Workload> load,
                               std::vector<std::shared_ptr<const TrainingProblem>> made)
    : RunCore(std::move(given), std::move(load), std::move(made)),
      m_horizon(SimTime::seconds(options.scenario->horizonSeconds)),
      m_network(directedCapacities(workload->cluster)), m_routes(workload->cluster),
      m_delays(workload, options.seed, DelayModel::Streams::simulate), m_parallel(options.threads),
      m_faults(*options.scenario, options.seed, Purpose::fault) {
    const std::size_t jobs = workload->jobs.size();
    m_runs.resize(jobs);
    m_rates.resize(jobs);
    m_saved.resize(jobs);
    m_checkpoints.resize(jobs);
    m_taskNumbers.resize(jobs, 0);
    m_ranSeconds.resize(jobs, 0);
    m_startedAt.resize(jobs);
    m_graphLeft.resize(jobs, 1);
    m_loggedLoads.resize(2 * workload->cluster.links.size(), 0);
    m_carriedAt.resize(2 * workload->cluster.links.size(), 0);
    emit(EventType::runStarted);
    for (std::size_t j = 0; j < jobs; ++j)
        m_queue.push(workload->jobs[j].arrival, static_cast<std::uint16_t>(Kind::arrival), 0,
                     static_cast<std::uint32_t>(j));
    for (const auto& turn : m_faults.first()) scheduleFault(turn);
    for (std::size_t c = 0; c < options.commands.size(); ++c)
        m_queue.push(options.commands[c].at, static_cast<std::uint16_t>(Kind::commandDue), 0,
                     static_cast<std::uint32_t>(c));
}

SimulationCore::SimulationCore(const SimulationCore& o)
    : RunCore(o), eventsProcessed(o.eventsProcessed), finished(o.finished), m_horizon(o.m_horizon),
      m_queue(o.m_queue), m_network(o.m_network), m_routes(o.m_routes), m_delays(o.m_delays),
      m_parallel(o.m_parallel), m_rates(o.m_rates), m_saved(o.m_saved), m_checkpoints(o.m_checkpoints),
      m_taskNumbers(o.m_taskNumbers), m_ranSeconds(o.m_ranSeconds), m_startedAt(o.m_startedAt),
      m_graphLeft(o.m_graphLeft), m_slots(o.m_slots), m_freeSlots(o.m_freeSlots), m_computing(o.m_computing),
      m_faults(o.m_faults), m_generation(o.m_generation), m_serial(o.m_serial),
      m_decisionPending(o.m_decisionPending), m_idleWakes(o.m_idleWakes), m_networkTouched(o.m_networkTouched),
      m_networkEvent(o.m_networkEvent), m_networkAt(o.m_networkAt), m_loggedLoads(o.m_loggedLoads),
      m_carried(o.m_carried), m_carriedAt(o.m_carriedAt) {
    for (const auto& r : o.m_runs) m_runs.push_back(r ? std::make_unique<JobRun>(*r) : nullptr);
}

SimTime SimulationCore::nextTime() {
    if (finished) return SimTime::never();
    dropOver();
    if (m_queue.empty()) return m_now;
    return std::min(m_queue.top().time, m_horizon);
}

bool SimulationCore::step(SimTime last) {
    if (finished) return false;
    const auto event =
        m_queue.next([this](const PendingEvent& e) { return isOver(e); }, std::min(last, m_horizon));
    if (!event) {
        if (last < (m_queue.empty() ? m_now : m_horizon)) return false;
        if (!m_queue.empty()) advanceTo(std::max(m_now, m_horizon));
        endRun();
        return !finished;
    }
    ++eventsProcessed;
    advanceTo(event->time);
    dispatch(*event);
    flushNetwork();
    m_retired.clear();
    return true;
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
    case Kind::network:
        return event.b != m_networkEvent;
    case Kind::slotLeave:
    case Kind::slotDeliver:
        return !m_slots[event.a].live || m_slots[event.a].serial != event.b;
    case Kind::computeDone: {
        const JobRun* run = runOf(job, high);
        const std::uint32_t task = run ? run->computing(low) : 0;
        return task == 0 || (task & 0xffff) != event.small;
    }
    case Kind::updateDone:
    case Kind::evaluationDone:
    case Kind::syncTimer:
    case Kind::nodeTimer:
    case Kind::secondsLimit:
        return !runOf(job, high);
    case Kind::rateTick:
        return !m_rates[job.index()] || m_rates[job.index()]->generation != high;
    case Kind::wake:
        return state.allJobsOver();
    case Kind::graphDone:
        return state.job(job).phase != JobPhase::running ||
               m_startedAt[job.index()].ns != static_cast<std::int64_t>(event.b);
    default:
        return false;
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
    case Kind::arrival:
        arrive(job);
        break;
    case Kind::decide:
        decide();
        break;
    case Kind::wake:
        emit(EventType::schedulerWoken);
        requestDecision();
        break;
    case Kind::network:
        completeFlows();
        break;
    case Kind::slotLeave:
        launch(event.a);
        break;
    case Kind::slotDeliver:
        deliver(event.a);
        break;
    case Kind::computeDone:
        finishCompute(run(), low);
        break;
    case Kind::updateDone:
        finishUpdate(run());
        break;
    case Kind::evaluationDone:
        evaluate(run());
        if (runOf(job, high) && !reachedEnd(run())) {
            run().updating = false;
            advance(run());
        }
        break;
    case Kind::syncTimer:
        notify(run(), {JobRun::Notice::Kind::timer, 0, low});
        break;
    case Kind::nodeTimer:
        fireNodeTimer(run(), low);
        break;
    case Kind::secondsLimit:
        if (run().lastLossUpdate != run().updates) evaluate(run());
        if (runOf(job, high)) finishJob(job, FinishReason::seconds);
        break;
    case Kind::rateTick:
        advanceRate(job, event.small != 0);
        break;
    case Kind::graphDone:
        finishJob(job, FinishReason::steps);
        break;
    case Kind::fault:
        fault(event, false);
        break;
    case Kind::repair:
        fault(event, true);
        break;
    case Kind::commandDue:
        carryOut(options.commands[event.a]);
        break;
    }
}

void SimulationCore::endRun() {
    // Nothing is pending. Jobs that still run or wait (for machines that failed for good) wait for something
    // that can never come.
    if (m_queue.empty())
        for (std::size_t j = 0; j < workload->jobs.size(); ++j)
            if (phase(JobId(j)) == JobPhase::running || phase(JobId(j)) == JobPhase::waiting)
                failJob(JobId(j), FailReason::stuck);
    dropOver();
    if (!m_queue.empty() && m_queue.top().time <= m_horizon) return; // others go on
    flushNetwork();
    logCarried();
    emit(EventType::runFinished);
    finished = true;
}

// --- Decisions
// --------------------------------------------------------------------------------------------------------

void SimulationCore::requestDecision() {
    if (m_decisionPending) return;
    m_decisionPending = true;
    m_queue.push(m_now, static_cast<std::uint16_t>(Kind::decide));
}

void SimulationCore::decide() {
    m_decisionPending = false;
    const auto wakes = askScheduler();
    // A scheduler that only asks to be woken again, while no job runs and nothing else is to come, waits for nothing.
    const bool idle = decidedNothing() && state.jobsIn(JobPhase::running).empty() &&
                      m_queue.size() + wakes.size() <= pendingWakes();
    m_idleWakes = idle ? m_idleWakes + 1 : 0;
    if (m_idleWakes > mostIdleWakes) return;
    for (const SimTime t : wakes) m_queue.push(t, static_cast<std::uint16_t>(Kind::wake));
}

void SimulationCore::startJob(JobId job, const Placement& placement) {
    const double waited = (m_now - state.job(job).since).toSeconds();
    placeTasks(job, placement);
    emit(EventType::jobStarted, job, static_cast<std::uint32_t>(placement.workers.size()),
         static_cast<std::uint32_t>(placement.servers.size()), waited);
    m_startedAt[job.index()] = m_now;
    const Job& spec = workload->job(job);
    if (spec.kind() == JobKind::graph)
        startGraph(job);
    else if (spec.kind() == JobKind::analytic && options.scenario->network == NetworkModel::rate)
        startRate(job);
    else
        createRun(job, placement, m_saved[job.index()].has_value());
}

// A running job is stopped, its parameters carried over, and begun again on the new placement: tasks under
// way are lost.
void SimulationCore::resizeJob(JobId job, const Placement& placement) {
    const Placement before = state.job(job).placement;
    if (before == placement) return;
    if (JobRun* run = runOf(job)) {
        m_saved[job.index()] = run->snapshot();
        endJobRun(job);
    }
    stopClocks(job);
    removeTasks(job);
    placeTasks(job, placement);
    emit(EventType::jobResized, job, static_cast<std::uint32_t>(placement.workers.size()),
         static_cast<std::uint32_t>(placement.servers.size()));
    m_startedAt[job.index()] = m_now;
    const Job& spec = workload->job(job);
    if (spec.kind() == JobKind::graph) {
        startGraph(job);
    } else if (spec.kind() == JobKind::analytic && options.scenario->network == NetworkModel::rate) {
        startRate(job);
    } else {
        m_previousServers = before.servers.empty() ? before.workers : before.servers;
        createRun(job, placement, false);
        m_previousServers.clear();
    }
}

void SimulationCore::arrive(JobId job) {
    emit(EventType::jobArrived, job);
    if (workload->job(job).kind() == JobKind::graph && !askPartitioner(job)) {
        emit(EventType::jobRejected, job);
        return;
    }
    requestDecision();
}

} // namespace trainyard
