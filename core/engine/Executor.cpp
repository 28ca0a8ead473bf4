// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The executor's own thread: arrivals, decisions, faults and ends in real time, and the collection of all
// threads' events.
#include "engine/Executor.h"

#include "base/Stopped.h"
#include "engine/JobExecution.h"
#include "engine/RunCore.h"
#include "engine/keyed/KeyedExecution.h"
#include "scenario/KeyedModels.h"
#include "scenario/RunRequirements.h"
#include "scenario/RunSize.h"
#include "scenario/agents/PolicyFileReading.h"

#include <algorithm>

namespace trainyard {

namespace {

constexpr Duration collectingPeriod = Duration::nanoseconds(2'000'000);
constexpr Duration publishingPeriod = Duration::nanoseconds(16'000'000);

int tasksOf(const Placement& placement) {
    return static_cast<int>(placement.placedWorkers() + placement.servers.size());
}

} // namespace

struct Executor::Impl final : RunCore {
    Impl(SimulationOptions given, std::shared_ptr<const Workload> load,
         std::vector<std::shared_ptr<const TrainingProblem>> made)
        : RunCore(std::move(given), std::move(load), std::move(made), Purpose::executeFault),
          jobs(workload->jobs.size()) {}

    struct Due {
        enum class Kind { arrival, wake, graphDone, fault } kind;
        SimTime at;
        std::uint32_t job = 0;
        SimTime started = {}; ///< of a graph job's start
        FaultClock::Turn turn = {};
        bool operator<(const Due& o) const { return at > o.at; } ///< a heap, earliest first
    };
    struct ExecutedJob {
        std::unique_ptr<Execution> execution; ///< while it runs, unless it is a graph job
        int threads = 0;
    };

    void run(std::stop_token stop, const std::function<void()>& publish);
    /// Everything that is due; false: nothing was.
    bool work();
    void schedule(Due due);
    void carryOutDue(const Due& due);
    bool goesOn(const Due& due);
    bool onlyWakesToCome();
    void collect(SimTime until);
    bool reap();
    void touchClock() { m_now = std::max(m_now, clock->now()); }

    void requestDecision() override { decisionPending = true; }
    bool hasRoom(JobId job, const Placement& placement) const override;
    void launch(JobId job, Restoring restoring) override;
    std::optional<JobSnapshot> halt(JobId job, bool goesOn = false) override;
    bool survives(JobId job, std::span<const std::uint32_t> leaving) override {
        return executionOf(job) && executionOf(job)->survives(leaving);
    }
    std::size_t placesOf(JobId job) override { return executionOf(job) ? executionOf(job)->places() : 0; }
    void removeWorkers(JobId job, std::span<const std::uint32_t> leaving) override;
    void changeWorkers(JobId job, bool resized) override;
    void reroute(LinkId link, bool up) override {
        network->setLink(link, up);
        for (auto& job : jobs)
            if (job.execution) job.execution->rerouted();
    }
    int threadsOf(JobId job) const {
        return executionThreads(workload->job(job), tasksOf(state.job(job).placement), machineCount());
    }
    int machineCount() const { return static_cast<int>(workload->cluster.machines.size()); }
    void schedule(const FaultClock::Turn& turn) override {
        schedule({.kind = Due::Kind::fault, .at = turn.at, .turn = turn});
    }
    void scheduleGraphEnd(JobId job, SimTime at) override {
        schedule({.kind = Due::Kind::graphDone, .at = at, .job = job.value, .started = m_now});
    }
    Execution* executionOf(JobId job) const { return jobs[job.index()].execution.get(); }

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

// Events of all threads up to an instant that has been read before, merged by time: of jobs, all of them are there by then
// (EventBuffer::appendNow), and younger ones wait for the next time, or they would overtake those of slower threads. The
// network works off what is due a little later than it is due: an event of its own that comes late is recorded at the time of
// its predecessor.
void Executor::Impl::collect(SimTime until) {
    network->takeEvents(pending);
    for (const auto& job : jobs)
        if (job.execution) job.execution->takeEvents(pending);
    std::stable_sort(pending.begin(), pending.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
    auto it = pending.begin();
    for (; it != pending.end() && it->time <= until; ++it) {
        Event event = *it;
        if (event.type == EventType::decision) event.a = why.add(executionOf(event.jobId())->explanation(event.a));
        event.time = std::max(event.time, m_now);
        m_now = event.time;
        record(event);
        if (event.type == EventType::updateApplied) {
            const auto updates = static_cast<double>(event.count());
            const bool keyed = workload->job(event.jobId()).keyedAccess() != nullptr;
            const double ahead = keyed ? 0 : m_speed.course(event.jobId(), event.value).aheadAt(updates);
            m_speed.setProgress(event.jobId(), updates, state.job(event.jobId()).samplesUsed, ahead);
        }
    }
    pending.erase(pending.begin(), it);
}

void Executor::Impl::schedule(Due due) {
    agenda.push_back(due);
    std::push_heap(agenda.begin(), agenda.end());
}

void Executor::Impl::carryOutDue(const Due& due) {
    JobId job;
    job.value = due.job;
    switch (due.kind) {
    case Due::Kind::arrival: arrive(job); break;
    case Due::Kind::wake:
        if (!goesOn(due)) break;
        emit(events::schedulerWoken());
        decisionPending = true;
        break;
    case Due::Kind::graphDone:
        if (goesOn(due)) finishJob(job, FinishReason::steps);
        break;
    case Due::Kind::fault: carryOut(due.turn); break;
    }
}

/// No job runs, and nothing is due but to ask the scheduler.
bool Executor::Impl::onlyWakesToCome() {
    return state.jobsIn(JobPhase::running).empty() && std::all_of(agenda.begin(), agenda.end(), [&](const Due& due) {
               return due.kind == Due::Kind::wake || !goesOn(due);
           });
}

/// Whether what is due still has a point; a run does not wait for what has none.
bool Executor::Impl::goesOn(const Due& due) {
    switch (due.kind) {
    case Due::Kind::wake: return !state.allJobsOver() && !wakesAreIdle();
    case Due::Kind::graphDone: return runsSince(JobId(due.job), due.started);
    case Due::Kind::fault: return !m_faults.isRandom(due.turn) || !state.allJobsOver();
    default: return true;
    }
}

// --- Jobs

/// Ends the threads of a job, if it has any, and returns where they have come.
std::optional<JobSnapshot> Executor::Impl::halt(JobId id, bool) {
    ExecutedJob& job = jobs[id.index()];
    std::optional<JobSnapshot> snapshot;
    if (job.execution) {
        job.execution->stop();
        collect(clock->now());
        job.execution->finishReason(); // rethrows what one of its threads has thrown
        JobLife& life = m_lives[id.index()];
        job.execution->leaveTo(life);
        if (const auto& checkpoint = job.execution->checkpoint()) life.checkpoint.emplace(*checkpoint);
        snapshot = job.execution->snapshot();
        job.execution.reset();
    }
    job.threads = 0;
    touchClock();
    return snapshot;
}

bool Executor::Impl::reap() {
    bool any = false;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        Execution* execution = jobs[j].execution.get();
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
bool Executor::Impl::hasRoom(JobId job, const Placement& placement) const {
    int used = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (JobId(j) != job) used += jobs[j].threads;
    return used + executionThreads(workload->job(job), tasksOf(placement), machineCount()) <= mostExecutionThreads;
}

void Executor::Impl::removeWorkers(JobId id, std::span<const std::uint32_t> leaving) {
    jobs[id.index()].execution->removeWorkers(leaving);
    collect(clock->now()); // their removal too
    touchClock();
}

void Executor::Impl::changeWorkers(JobId id, bool resized) {
    const Placement& now = state.job(id).placement;
    ExecutedJob& job = jobs[id.index()];
    job.threads = threadsOf(id);
    job.execution->changeWorkers({now, state.job(id).batch, m_speed.responses(id, now)}, resized);
}

void Executor::Impl::launch(JobId id, Restoring restoring) {
    ExecutedJob& job = jobs[id.index()];
    job.threads = threadsOf(id);
    const Execution::Shared shared{options, *workload, *clock, *network, pendingWork, m_storage, wakeUp};
    if (!workload->job(id).keyedAccess()) {
        job.execution = std::make_unique<JobExecution>(shared, setupOf(id, std::move(restoring)));
        return;
    }
    const JobState& known = state.job(id);
    const auto& saved = m_lives[id.index()].saved;
    job.execution =
        std::make_unique<KeyedExecution>(shared, KeyedExecutionSetup{.job = id,
                                                                     .placement = known.placement,
                                                                     .plan = keyPlanOf(id),
                                                                     .pace = keyedPaceOf(id),
                                                                     .keys = keyRanksOf(id),
                                                                     .saved = saved ? saved->keyed : nullptr,
                                                                     .restoring = std::move(restoring),
                                                                     .ranSeconds = m_speed.progress(id).ranSeconds,
                                                                     .updates = known.updates,
                                                                     .samplesUsed = known.samplesUsed});
}

// --- The loop

bool Executor::Impl::work() {
    collect(clock->now() - collectingPeriod);
    bool any = reap();
    while (!agenda.empty() && agenda.front().at <= clock->now()) {
        std::pop_heap(agenda.begin(), agenda.end());
        const Due due = agenda.back();
        agenda.pop_back();
        throwIfStopped(options.stop); // others may come due meanwhile, without end
        touchClock();
        carryOutDue(due);
        any = true;
    }
    if (std::exchange(decisionPending, false)) {
        touchClock();
        for (const SimTime t : askScheduler()) schedule({.kind = Due::Kind::wake, .at = t});
        if (onlyWakesToCome()) foresee();
        any = true;
    }
    return any;
}

void Executor::Impl::run(std::stop_token stop, const std::function<void()>& publish) {
    clock.emplace();
    network.emplace(*workload, options.scenario->network, *clock, pendingWork);
    emit(events::runStarted());
    for (std::size_t j = 0; j < jobs.size(); ++j)
        schedule({Due::Kind::arrival, workload->jobs[j].arrival, static_cast<std::uint32_t>(j)});
    for (const auto& turn : m_faults.first()) schedule(turn);
    const SimTime horizon = SimTime::seconds(options.scenario->horizonSeconds);
    SimTime published;
    while (!stop.stop_requested() && clock->now() < horizon) {
        const bool nothingMoves = pendingWork.none(); // read first: what a thread did before, work() sees
        bool any = false;
        try {
            any = work();
        } catch (const Stopped&) { break; } // within a decision
        if (clock->now() - published > publishingPeriod) {
            published = clock->now();
            publish();
        }
        if (!any && nothingMoves &&
            std::none_of(agenda.begin(), agenda.end(), [&](const Due& due) { return goesOn(due); })) {
            if (state.allJobsOver()) break;
            touchClock();
            failStuckJobs();
        }
        if (onlyWakesToCome() && foreseenDecision() != SimTime::never() && foreseenDecision() >= horizon) break;
        const SimTime next = agenda.empty() ? SimTime::never() : agenda.front().at;
        wakeUp.waitUntil(clock->at(std::min(next, clock->now() + collectingPeriod)));
    }
    for (std::size_t j = 0; j < jobs.size(); ++j) halt(JobId(j));
    collect(SimTime::never());
    touchClock();
    emit(events::runFinished());
    network.reset();
    publish();
}

Executor::Executor(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::create(SimulationOptions options) {
    if (Problems problems = sizeRefusals(*options.scenario); !problems.empty()) return problems;
    auto complete = withKeyedModels(*options.scenario, expandWorkload(*options.scenario, options.seed, options.stop),
                                    options.seed, options.stop);
    if (!complete) return complete.problems();
    auto workload = std::move(complete).value();
    Problems problems = threadProblems(*options.scenario, *workload, options.seed);
    auto made = makeTrainingProblems(*options.scenario, *workload, options.seed, options.resources, options.stop);
    if (!made) problems.insert(problems.end(), made.problems().begin(), made.problems().end());
    auto files = readPolicyFiles(*options.scenario, *options.registry, options.resources);
    if (!files) problems.insert(problems.end(), files.problems().begin(), files.problems().end());
    if (hasErrors(problems)) return problems;
    options.files = std::move(*files);
    return std::unique_ptr<Executor>(
        new Executor(std::make_unique<Impl>(std::move(options), std::move(workload), std::move(made).value())));
}

void Executor::run(std::stop_token stop, const std::function<void()>& publish) { m_impl->run(stop, publish); }
std::shared_ptr<const EventLog> Executor::sharedLog() const { return m_impl->log.shared(); }
const EventLog& Executor::log() const { return *m_impl->log; }
const ClusterState& Executor::state() const { return m_impl->state; }
const ExplanationArena& Executor::explanations() const { return m_impl->why; }
std::shared_ptr<const Workload> Executor::workload() const { return m_impl->workload; }

} // namespace trainyard
