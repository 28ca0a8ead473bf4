// The executor's own thread: arrivals, decisions, faults and ends in real time, and the collection of all
// threads' events.
#include "engine/Executor.h"

#include "engine/FaultClock.h"
#include "engine/JobExecution.h"
#include "engine/JobLife.h"
#include "engine/RunCore.h"

#include <algorithm>

namespace trainyard {

namespace {

constexpr Duration collectingPeriod = Duration::nanoseconds(2'000'000);
constexpr Duration publishingPeriod = Duration::nanoseconds(16'000'000);
constexpr int mostThreads = 1024; ///< of jobs, at any time of a run

/// Of a job that runs with so many tasks; graph jobs have none.
int threadsOf(const Job& job, int tasks) {
    return job.kind() == JobKind::graph ? 0 : tasks + 2;
}

} // namespace

struct Executor::Impl final : RunCore {
    Impl(SimulationOptions given, std::shared_ptr<const Workload> load,
         std::vector<std::shared_ptr<const TrainingProblem>> made)
        : RunCore(std::move(given), std::move(load), std::move(made)),
          faults(*options.scenario, options.seed, Purpose::executeFault), jobs(workload->jobs.size()) {}

    struct Due {
        enum class Kind { arrival, wake, graphDone, fault } kind;
        SimTime at;
        std::uint32_t job = 0;
        SimTime started = {}; ///< of a graph job's start
        FaultClock::Turn turn = {};
        bool operator<(const Due& o) const { return at > o.at; } ///< a heap, earliest first
    };
    struct ExecutedJob : JobLife {
        std::unique_ptr<JobExecution> execution; ///< while it runs, unless it is a graph job
        int threads = 0;
    };

    void run(std::stop_token stop, const std::function<void()>& publish);
    /// Everything that is due; false: nothing was.
    bool work();
    void schedule(Due due);
    void schedule(const FaultClock::Turn& turn) {
        schedule({.kind = Due::Kind::fault, .at = turn.at, .turn = turn});
    }
    void carryOut(const Due& due);
    bool goesOn(const Due& due);
    void collect(bool all);
    bool reap();
    void failStuckJobs();
    void finishJob(JobId job, FinishReason reason);
    void failJob(JobId job, FailReason reason);
    void end(JobId job);
    std::optional<JobSnapshot> halt(JobId job);
    void setMachine(std::uint32_t machine, bool up);
    void setLink(std::uint32_t link, bool up);
    void touchClock() { m_now = std::max(m_now, clock->now()); }
    ExecutedJob& of(JobId job) { return jobs[job.index()]; }

    void startJob(JobId job, const Placement& placement) override;
    void resizeJob(JobId job, const Placement& placement) override;
    void preempt(JobId job, PreemptReason reason) override;
    bool hasThreads(JobId job, const Placement& placement);
    void launch(JobId job, const Placement& placement, const std::vector<MachineId>& previousOwners);

    FaultClock faults;
    std::optional<RealClock> clock;
    PendingWork pendingWork;
    WakeUp wakeUp;
    std::optional<RealNetwork> network;
    std::vector<Due> agenda; ///< a heap
    std::vector<ExecutedJob> jobs;
    std::vector<Event> pending; ///< collected, not yet recorded
    bool decisionPending = false;
};

// --- Events
// ---------------------------------------------------------------------------------------------------------------

// Events of all threads, merged by time. What is younger than the collecting period may still be overtaken by
// a thread that was interrupted between reading the clock and appending; it waits. A late one is recorded at
// the time of its predecessor.
void Executor::Impl::collect(bool all) {
    const SimTime safe = all ? SimTime::never() : clock->now() - collectingPeriod;
    network->takeEvents(pending);
    for (const auto& job : jobs)
        if (job.execution) job.execution->takeEvents(pending);
    std::stable_sort(pending.begin(), pending.end(),
                     [](const Event& a, const Event& b) { return a.time < b.time; });
    auto it = pending.begin();
    for (; it != pending.end() && it->time <= safe; ++it) {
        Event event = *it;
        if (event.type == EventType::decision)
            event.a = why.add(of(event.jobId()).execution->explanation(event.a));
        event.time = std::max(event.time, m_now);
        m_now = event.time;
        record(event);
        if (event.type == EventType::updateApplied)
            m_speed.setProgress(event.jobId(), static_cast<double>(event.count()),
                                state.job(event.jobId()).samplesUsed);
    }
    pending.erase(pending.begin(), it);
}

void Executor::Impl::schedule(Due due) {
    agenda.push_back(due);
    std::push_heap(agenda.begin(), agenda.end());
}

void Executor::Impl::carryOut(const Due& due) {
    JobId job;
    job.value = due.job;
    switch (due.kind) {
    case Due::Kind::arrival:
        emit(events::jobArrived(job));
        if (workload->job(job).kind() == JobKind::graph && !askPartitioner(job))
            emit(events::jobRejected(job));
        else
            decisionPending = true;
        break;
    case Due::Kind::wake:
        if (!goesOn(due)) break;
        emit(events::schedulerWoken());
        decisionPending = true;
        break;
    case Due::Kind::graphDone:
        if (goesOn(due)) finishJob(job, FinishReason::steps);
        break;
    case Due::Kind::fault:
        if (!goesOn(due)) break;
        if (faults.changes(due.turn))
            faults.ofMachine(due.turn) ? setMachine(due.turn.target, due.turn.repair)
                                       : setLink(due.turn.target, due.turn.repair);
        if (const auto next = faults.following(due.turn, m_now)) schedule(*next);
        break;
    }
}

/// Whether what is due still has a point; a run does not wait for what has none.
bool Executor::Impl::goesOn(const Due& due) {
    switch (due.kind) {
    case Due::Kind::wake:
        return !state.allJobsOver();
    case Due::Kind::graphDone:
        return state.jobs()[due.job].phase == JobPhase::running && jobs[due.job].startedAt == due.started;
    case Due::Kind::fault:
        return !faults.isRandom(due.turn) || !state.allJobsOver();
    default:
        return true;
    }
}

// --- Jobs
// -----------------------------------------------------------------------------------------------------------------

/// Ends the threads of a job, if it has any, and returns where they have come.
std::optional<JobSnapshot> Executor::Impl::halt(JobId id) {
    ExecutedJob& job = of(id);
    std::optional<JobSnapshot> snapshot;
    if (job.execution) {
        job.execution->stop();
        collect(true);
        job.execution->finishReason(); // rethrows what one of its threads has thrown
        job.lastTask = job.execution->lastTask();
        if (auto checkpoint = job.execution->checkpoint()) job.checkpoint = std::move(checkpoint);
        snapshot = job.execution->snapshot();
        job.execution.reset();
    }
    job.threads = 0;
    touchClock();
    return snapshot;
}

void Executor::Impl::end(JobId job) {
    halt(job);
    stopClock(job);
    removeTasks(job);
    decisionPending = true;
}

void Executor::Impl::finishJob(JobId job, FinishReason reason) {
    end(job);
    emit(events::jobFinished(job, state.job(job).updates, state.job(job).lastLoss, reason));
}

void Executor::Impl::failJob(JobId job, FailReason reason) {
    end(job);
    emit(events::jobFailed(job, reason));
}

bool Executor::Impl::reap() {
    bool any = false;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        JobExecution* execution = jobs[j].execution.get();
        if (!execution || !execution->ended()) continue;
        any = true;
        execution->stop();
        const auto reason = execution->finishReason().value_or(FinishReason::iterations);
        if (execution->diverged())
            failJob(JobId(j), FailReason::diverged);
        else
            finishJob(JobId(j), reason);
    }
    return any;
}

// A job for whose threads there is no room keeps waiting, or keeps its placement: the next end of a job is
// the next occasion for a decision, and alone every job has room.
bool Executor::Impl::hasThreads(JobId job, const Placement& placement) {
    int used = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (JobId(j) != job) used += jobs[j].threads;
    const auto tasks = static_cast<int>(placement.workers.size() + placement.servers.size());
    return used + threadsOf(workload->job(job), tasks) <= mostThreads;
}

void Executor::Impl::launch(JobId id, const Placement& placement,
                            const std::vector<MachineId>& previousOwners) {
    ExecutedJob& job = of(id);
    const Job& spec = workload->job(id);
    job.startedAt = m_now;
    startClock(id);
    if (spec.kind() == JobKind::graph) {
        const SimTime end = startSteps(id);
        if (end != SimTime::never())
            schedule({.kind = Due::Kind::graphDone, .at = end, .job = id.value, .started = m_now});
        return;
    }
    job.threads = threadsOf(spec, static_cast<int>(placement.workers.size() + placement.servers.size()));
    const auto& owners = placement.servers.empty() ? placement.workers : placement.servers;
    std::vector<std::optional<std::uint32_t>> sources(owners.size());
    for (std::size_t o = 0; o < owners.size(); ++o) {
        if (previousOwners.empty()) {
            if (job.saved) sources[o] = network->storage();
        } else if (const MachineId from = previousOwners[o % previousOwners.size()]; from.valid()) {
            sources[o] = from.value; // else that one has been lost before
        }
    }
    m_speed.setProgress(id, job.saved ? static_cast<double>(job.saved->updates) : 0,
                        job.saved ? job.saved->samplesUsed : 0);
    if (options.scenario->network == NetworkModel::rate)
        network->setShares(id, m_speed.bandwidthShares(placement));
    JobSetup setup{.job = id,
                   .spec = spec,
                   .placement = placement,
                   .seed = options.seed,
                   .problem = problems[id.index()],
                   .synchronization =
                       options.registry->makeSynchronization(choiceOf(id, PolicyFamily::synchronization)),
                   .parameters = options.registry->makeParameters(choiceOf(id, PolicyFamily::parameters)),
                   .responses = m_speed.responses(id, placement),
                   .saved = std::exchange(job.saved, std::nullopt),
                   .lastTask = job.lastTask};
    job.execution = std::make_unique<JobExecution>(
        JobExecution::Shared{options, *workload, *clock, *network, pendingWork, wakeUp},
        JobExecution::Start{std::move(setup), m_speed.progress(id).ranSeconds, std::move(sources)});
}

void Executor::Impl::startJob(JobId job, const Placement& placement) {
    if (!hasThreads(job, placement)) return;
    const double waited = (m_now - state.job(job).since).toSeconds();
    placeTasks(job, placement);
    emit(events::jobStarted(job, placement, waited));
    launch(job, placement, {});
}

void Executor::Impl::resizeJob(JobId id, const Placement& placement) {
    const Placement before = state.job(id).placement;
    if (before == placement || !hasThreads(id, placement)) return;
    of(id).saved = halt(id);
    stopClock(id);
    removeTasks(id);
    placeTasks(id, placement);
    emit(events::jobResized(id, placement));
    launch(id, placement, before.servers.empty() ? before.workers : before.servers);
}

void Executor::Impl::preempt(JobId id, PreemptReason reason) {
    ExecutedJob& job = of(id);
    const bool graph = workload->job(id).kind() == JobKind::graph, keeps = reason == PreemptReason::policy;
    auto snapshot = halt(id);
    stopClock(id);
    job.saved = keeps ? std::move(snapshot) : job.checkpoint;
    const std::uint64_t had = state.job(id).updates, kept = job.saved ? job.saved->updates : 0;
    const double used = state.job(id).samplesUsed, keptSamples = job.saved ? job.saved->samplesUsed : 0;
    removeTasks(id);
    emit(events::jobPreempted(id, kept, had - std::min(had, kept), used - keptSamples, reason));
    if (!graph || !keeps) m_speed.setProgress(id, static_cast<double>(kept), keptSamples); // else the steps it has done
    decisionPending = true;
}

// --- Failures
// -------------------------------------------------------------------------------------------------------------

void Executor::Impl::setMachine(std::uint32_t machine, bool up) {
    emit(up ? events::machineRepaired(MachineId(machine)) : events::machineFailed(MachineId(machine)));
    decisionPending = true;
    if (up) return;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        if (phase(JobId(j)) != JobPhase::running) continue;
        const Placement held = state.job(JobId(j)).placement;
        const auto isHere = [&](MachineId m) { return m.value == machine; };
        const auto isLeft = [&](MachineId m) { return m.valid() && state.machine(m).up; };
        const bool worker = std::any_of(held.workers.begin(), held.workers.end(), isHere);
        const bool server = std::any_of(held.servers.begin(), held.servers.end(), isHere);
        if (!worker && !server) continue;
        const Job& spec = workload->jobs[j];
        const bool canShrink =
            spec.onFailure == FailureReaction::shrink && jobs[j].execution && !server &&
            std::count_if(held.workers.begin(), held.workers.end(), isLeft) >= spec.workers.minimum &&
            jobs[j].execution->survives(MachineId(machine));
        if (canShrink)
            jobs[j].execution->loseWorkers(MachineId(machine));
        else
            preempt(JobId(j), PreemptReason::machineFailure);
    }
}

void Executor::Impl::setLink(std::uint32_t link, bool up) {
    emit(up ? events::linkRepaired(LinkId(link)) : events::linkFailed(LinkId(link)));
    m_speed.setLinkUp(LinkId(link), up);
    network->setLink(LinkId(link), up);
    decisionPending = true;
}

// --- The loop
// -------------------------------------------------------------------------------------------------------------

bool Executor::Impl::work() {
    collect(false);
    bool any = reap();
    while (!agenda.empty() && agenda.front().at <= clock->now()) {
        std::pop_heap(agenda.begin(), agenda.end());
        const Due due = agenda.back();
        agenda.pop_back();
        touchClock();
        carryOut(due);
        any = true;
    }
    if (std::exchange(decisionPending, false)) {
        touchClock();
        for (const SimTime t : askScheduler()) schedule({.kind = Due::Kind::wake, .at = t});
        any = true;
    }
    return any;
}

// Jobs that still run or wait now wait for something that never comes.
void Executor::Impl::failStuckJobs() {
    touchClock();
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (phase(JobId(j)) == JobPhase::waiting || phase(JobId(j)) == JobPhase::running)
            failJob(JobId(j), FailReason::stuck);
}

void Executor::Impl::run(std::stop_token stop, const std::function<void()>& publish) {
    clock.emplace();
    network.emplace(*workload, options.scenario->network, *clock, pendingWork);
    emit(events::runStarted());
    for (std::size_t j = 0; j < jobs.size(); ++j)
        schedule({Due::Kind::arrival, workload->jobs[j].arrival, static_cast<std::uint32_t>(j)});
    for (const auto& turn : faults.first()) schedule(turn);
    const SimTime horizon = SimTime::seconds(options.scenario->horizonSeconds);
    SimTime published;
    while (!stop.stop_requested() && clock->now() < horizon) {
        const bool nothingMoves = pendingWork.none(); // read first: what a thread did before, work() sees
        const bool any = work();
        if (clock->now() - published > publishingPeriod) {
            published = clock->now();
            publish();
        }
        if (!any && nothingMoves &&
            std::none_of(agenda.begin(), agenda.end(), [&](const Due& due) { return goesOn(due); })) {
            if (state.allJobsOver()) break;
            failStuckJobs();
        }
        const SimTime next = agenda.empty() ? SimTime::never() : agenda.front().at;
        wakeUp.waitUntil(clock->at(std::min(next, clock->now() + collectingPeriod)));
    }
    for (std::size_t j = 0; j < jobs.size(); ++j) halt(JobId(j));
    collect(true);
    touchClock();
    emit(events::runFinished());
    network.reset();
    publish();
}

Executor::Executor(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::create(SimulationOptions options) {
    auto workload = expandWorkload(*options.scenario, options.seed);
    Problems problems;
    for (std::size_t j = 0; j < workload->jobs.size(); ++j) {
        const Job& job = workload->jobs[j];
        const int threads = threadsOf(job, job.workers.maximum + job.servers.maximum);
        if (threads <= mostThreads) continue;
        problems.push_back(
            {.code = "too-many-threads",
             .message = {TRAINYARD_TEXT("job \"{0}\" needs {1} threads to be executed; at most {2} are "
                                        "allowed. Give it fewer workers, or simulate it"),
                         {job.key, std::to_string(threads), std::to_string(mostThreads)}},
             .pointer = "/jobs/" + std::to_string(j) + "/workers"});
    }
    if (hasErrors(problems)) return problems;
    auto made = makeProblems(options, *workload);
    if (!made) return made.problems();
    return std::unique_ptr<Executor>(new Executor(
        std::make_unique<Impl>(std::move(options), std::move(workload), std::move(made).value())));
}

void Executor::run(std::stop_token stop, const std::function<void()>& publish) {
    m_impl->run(stop, publish);
}
std::shared_ptr<const EventLog> Executor::sharedLog() const {
    return m_impl->log;
}
const EventLog& Executor::log() const {
    return *m_impl->log;
}
const ClusterState& Executor::state() const {
    return m_impl->state;
}
const ExplanationArena& Executor::explanations() const {
    return m_impl->why;
}
std::shared_ptr<const Workload> Executor::workload() const {
    return m_impl->workload;
}

} // namespace trainyard
