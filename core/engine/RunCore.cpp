// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Events, decisions and their checks, for both modes.
#include "engine/RunCore.h"

#include <algorithm>
#include <array>

namespace trainyard {

namespace {

/// Events a scheduler is told of.
bool concernsScheduler(EventType type) {
    switch (type) {
    case EventType::jobArrived:
    case EventType::jobStarted:
    case EventType::jobResized:
    case EventType::jobPreempted:
    case EventType::jobRejected:
    case EventType::jobFinished:
    case EventType::jobFailed:
    case EventType::jobPartitioned:
    case EventType::lossEvaluated:
    case EventType::machineFailed:
    case EventType::machineRepaired:
    case EventType::linkFailed:
    case EventType::linkRepaired: return true;
    default: return false;
    }
}

/// Estimates from the scenario's policies, data sets and models.
SpeedEstimator makeSpeedEstimator(const SimulationOptions& options, std::shared_ptr<const Workload> workload,
                                  const std::vector<std::shared_ptr<const TrainingProblem>>& problems) {
    const auto memo = options.updateTimes ? options.updateTimes : std::make_shared<UpdateTimeMemo>();
    std::map<double, std::shared_ptr<const Synchronization>> policies; // by number of the choice
    std::map<double, std::shared_ptr<const ParameterPolicy>> parameters;
    std::vector<SpeedEstimator::JobFacts> facts;
    for (std::size_t j = 0; j < workload->jobs.size(); ++j) {
        const Job& job = workload->jobs[j];
        SpeedEstimator::JobFacts& f = facts.emplace_back();
        if (job.kind() != JobKind::graph) {
            const Choice& choice =
                job.synchronization.id.empty() ? options.scenario->policies.synchronization : job.synchronization;
            f.policyNumber = memo->numberOf(choice);
            auto& policy = policies[f.policyNumber];
            if (!policy) policy = options.registry->makeSynchronization(choice);
            f.policy = policy;
            const Choice& stored = job.parameters.id.empty() ? options.scenario->policies.parameters : job.parameters;
            f.parametersNumber = memo->numberOf(stored);
            auto& store = parameters[f.parametersNumber];
            if (!store) store = options.registry->makeParameters(stored);
            f.parameters = store;
            f.parameterCount = parameterSize(job, problems[j].get()).count;
        }
        if (const auto* analytic = std::get_if<AnalyticWork>(&job.work)) {
            const KeyedAccess* keyed = job.keyedAccess(); // reads one key per iteration
            f.parameterBytes = f.messageBytes = keyed ? keyed->bytesPerKey() : analytic->parameterBytes;
            f.rows = analytic->samples;
        } else if (const auto* trained = std::get_if<TrainedWork>(&job.work)) {
            f.parameterBytes = static_cast<double>(problems[j]->parameterCount()) * trained->bytesPerParameter;
            f.messageBytes = static_cast<double>(problems[j]->messageSize()) * trained->bytesPerParameter;
            f.rows = static_cast<double>(problems[j]->data().rows());
        }
    }
    return SpeedEstimator(std::move(workload), std::move(facts), memo, options.stop);
}

std::optional<std::uint32_t> storageOf(const Cluster& cluster) {
    const RouteTable routes(cluster);
    const std::uint32_t vertex = routes.vertexOf(cluster.storage);
    return cluster.storage.empty() || vertex == routes.vertexCount() ? std::nullopt : std::optional(vertex);
}

} // namespace

RunCore::RunCore(SimulationOptions given, std::shared_ptr<const Workload> load,
                 std::vector<std::shared_ptr<const TrainingProblem>> made, Purpose faults)
    : options(std::move(given)), workload(std::move(load)), problems(std::move(made)),
      log(std::make_shared<EventLog>()), state(workload), why(options.scenario->explanations),
      m_speed(makeSpeedEstimator(options, workload, problems)), m_goesByLosses(schedulerInfo().goesByLosses),
      m_histories(workload->jobs.size()), m_lives(workload->jobs.size()), m_parallel(options.threads, options.stop),
      m_faults(*options.scenario, options.seed, faults), m_storage(storageOf(workload->cluster)),
      m_free(workload->cluster), m_scheduler(options.registry->makeScheduler(options.scenario->policies.scheduler)) {
    makePartitioners();
    if (std::ranges::any_of(workload->jobs, [&](const Job& job) { return workload->admitsAtOnce(job); }))
        prepareAdmissions();
}

void RunCore::record(const Event& event) {
    state.apply(event);
    m_free.apply(event, state);
    log->append(event);
    const bool told = !m_admissions || (m_seen && see(event));
    if (told && concernsScheduler(event.type)) m_since.push_back(event);
    if (event.type == EventType::lossEvaluated && m_goesByLosses)
        m_histories[event.job].push_back({event.time, event.count(), event.value});
    if (event.type == EventType::jobFinished || event.type == EventType::jobFailed)
        m_histories[event.job] = {}; // most jobs of a long run are over
}

const Choice& RunCore::choiceOf(JobId job, PolicyFamily family) const {
    const Job& spec = workload->job(job);
    const Choice& own = family == PolicyFamily::synchronization ? spec.synchronization
                        : family == PolicyFamily::parameters    ? spec.parameters
                                                                : spec.partitioner;
    return own.id.empty() ? options.scenario->policies.of(family) : own;
}

const PolicyInfo& RunCore::schedulerInfo() const {
    return *options.registry->find(PolicyFamily::scheduler, options.scenario->policies.scheduler.id);
}

void RunCore::logExplanations(const std::vector<std::uint32_t>& explained, PolicyFamily family) {
    for (const auto index : explained) emit(events::decision(why.all()[index].job, family, index));
}

std::vector<SimTime> RunCore::askScheduler() {
    if (!m_servesQueue) return {}; // no job is its business
    RandomStream random(options.seed, Purpose::policy,
                        entityOf(JobId::none, static_cast<std::uint32_t>(PolicyFamily::scheduler)), m_schedulerCalls++);
    std::vector<std::uint32_t> explained;
    const SimTime asked = m_now; // in execute mode time goes on while decisions are carried out
    std::vector<Event> notes;
    const PolicyContext context{asked, random, &why, &explained, PolicyFamily::scheduler, &notes, &m_parallel};
    SchedulingDecisions decisions;
    m_speed.setNow(m_now);
    const std::vector<Event> since = std::exchange(m_since, {});
    {
        const FreeCapacity::Scratch planned(seenFree());
        m_scheduler->decide(context, {seenState(), m_speed, m_histories, seenFree()}, since, decisions);
    }
    logExplanations(explained, PolicyFamily::scheduler);
    for (const Event& note : notes) emit(note);
    for (const Event& reserved : decisions.reserved()) emit(reserved);
    m_decidedNothing = decisions.list().empty();
    if (!m_decidedNothing || wakesAreIdle() || !since.empty()) m_foreseen = {};
    const std::size_t before = log->size();
    for (auto& decision : decisions.take()) {
        std::erase_if(decision.plan, [&](const Allotment& a) { return endedSince(before, a.job); });
        if (decision.kind == SchedulingDecision::Kind::replan || !endedSince(before, decision.job)) carryOut(decision);
    }
    m_wakes.erase(m_wakes.begin(), m_wakes.upper_bound(m_now));
    std::vector<SimTime> wakes;
    for (const SimTime t : decisions.wakes()) {
        require(t > asked, "a scheduler asked to be woken at an instant that is not in the future");
        if (m_wakes.insert(t).second) wakes.push_back(t);
    }
    return wakes;
}

void RunCore::checkPlacement(JobId job, const Placement& placement) const {
    const Job& spec = workload->job(job);
    const Bounds workers = SchedulerView(state, m_speed, m_histories, m_free).workers(job);
    const int w = static_cast<int>(placement.workers.size()), s = static_cast<int>(placement.servers.size());
    const auto refuse = [&](const std::string& what) {
        throw InvariantError("scheduler \"" + options.scenario->policies.scheduler.id + "\" gave job \"" + spec.key +
                             "\" " + what);
    };
    if (w < workers.minimum || w > workers.maximum)
        refuse(std::to_string(w) + " workers; allowed are " + std::to_string(workers.minimum) + " to " +
               std::to_string(workers.maximum));
    if (spec.workersPerServer && s != spec.serversFor(w, workers))
        refuse(std::to_string(s) + " parameter servers for " + std::to_string(w) +
               " workers; with workers_per_server " + std::to_string(*spec.workersPerServer) + " it has " +
               std::to_string(spec.serversFor(w, workers)));
    if (s < spec.servers.minimum || s > spec.servers.maximum)
        refuse(std::to_string(s) + " parameter servers; allowed are " + std::to_string(spec.servers.minimum) + " to " +
               std::to_string(spec.servers.maximum));
    for (const auto* tasks : {&placement.workers, &placement.servers})
        for (const MachineId m : *tasks) {
            if (!m.valid() || m.index() >= state.machines().size()) refuse("a machine that does not exist");
            if (!state.machine(m).up) refuse("machine \"" + workload->machine(m).key + "\", which is down");
        }
}

// An earlier decision of the same call may have ended a job: moved while its last loss was being evaluated,
// it has nothing left to do. What was decided for it has lost its object.
bool RunCore::endedSince(std::size_t position, JobId job) const {
    if (!job.valid() || job.index() >= state.jobs().size()) return false;
    const JobPhase phase = state.job(job).phase;
    if (phase != JobPhase::finished && phase != JobPhase::failed) return false;
    for (std::size_t i = position; i < log->size(); ++i)
        if (const Event& e = (*log)[i];
            e.job == job.value && (e.type == EventType::jobFinished || e.type == EventType::jobFailed))
            return true;
    return false;
}

void RunCore::carryOut(const SchedulingDecision& decision) {
    const auto phaseNow = [&] { return state.job(decision.job).phase; };
    switch (decision.kind) {
    case SchedulingDecision::Kind::start:
        require(phaseNow() == JobPhase::waiting, "a scheduler started a job that was not waiting");
        checkPlacement(decision.job, decision.placement);
        startJob(decision.job, decision.placement);
        break;
    case SchedulingDecision::Kind::resize:
        require(phaseNow() == JobPhase::running, "a scheduler resized a job that was not running");
        if (!hasRoom(decision.job, decision.placement)) break; // it keeps what it has
        replan(std::array{Allotment{decision.job, decision.placement, decision.batch}});
        break;
    case SchedulingDecision::Kind::preempt:
        require(phaseNow() == JobPhase::running, "a scheduler preempted a job that was not running");
        preempt(decision.job, PreemptReason::policy);
        requestDecision();
        break;
    case SchedulingDecision::Kind::replan: replan(decision.plan); break;
    case SchedulingDecision::Kind::reject:
        require(phaseNow() == JobPhase::waiting || phaseNow() == JobPhase::running,
                "a scheduler rejected a job that neither waited nor ran");
        rejectJob(decision.job);
        break;
    case SchedulingDecision::Kind::stop:
        require(phaseNow() == JobPhase::running, "a scheduler stopped a job that was not running");
        finishJob(decision.job, FinishReason::stopped);
        break;
    }
}

} // namespace trainyard
