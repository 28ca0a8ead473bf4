// The executor's own thread: arrivals, decisions, faults and ends in real time, and the collection of all
// threads' events.
#include "engine/Executor.h"

#include "engine/FaultClock.h"
#include "engine/JobExecution.h"
#include "engine/RunCore.h"

#include <algorithm>
#include <thread>

namespace trainyard {

namespace {

constexpr std::int64_t milliseconds = 1'000'000;
constexpr int mostThreads = 1024;

int threadsOf(const Job& job) {
    return job.kind() == JobKind::graph ? 0 : job.workers.maximum + job.servers.maximum + 2;
}

} // namespace

struct Executor::Impl final : RunCore {
    Impl(SimulationOptions given, std::shared_ptr<const Workload> load,
         std::vector<std::shared_ptr<const TrainingProblem>> made)
        : RunCore(std::move(given), std::move(load), std::move(made)),
          faults(*options.scenario, options.seed, Purpose::executeFault), routes(workload->cluster),
          links(workload->cluster), executions(workload->jobs.size()), saved(workload->jobs.size()),
          checkpoints(workload->jobs.size()), tasks(workload->jobs.size(), 0),
          ranSeconds(workload->jobs.size(), 0), startedAt(workload->jobs.size()) {}

    struct Due {
        enum class Kind { arrival, wake, graphDone, fault } kind;
        SimTime at;
        std::uint32_t a = 0, b = 0;
        FaultClock::Turn turn = {};
    };

    void run(std::stop_token stop, const std::function<void()>& publish);
    void schedule(Due due);
    void schedule(const FaultClock::Turn& turn) {
        schedule({.kind = Due::Kind::fault, .at = turn.at, .turn = turn});
    }
    void carryOut(const Due& due);
    void collect(bool all);
    void reap();
    void finish(JobId job, EventType type, std::uint16_t aux);
    void halt(JobId job);
    void setMachine(std::uint32_t machine, bool up);
    void setLink(std::uint32_t link, bool up);
    bool idle();
    void touchClock() { m_now = std::max(m_now, clock->now()); }

    void startJob(JobId job, const Placement& placement) override;
    void resizeJob(JobId job, const Placement& placement) override;
    void preempt(JobId job, PreemptReason reason) override;
    void launch(JobId job, const Placement& placement);

    FaultClock faults;
    std::optional<RealClock> clock;
    RouteTable routes;
    LinkTimes links;
    std::vector<Due> agenda;                               ///< a heap, earliest first
    std::vector<std::unique_ptr<JobExecution>> executions; ///< by job
    std::vector<std::optional<JobSnapshot>> saved, checkpoints;
    std::vector<std::uint32_t> tasks;
    std::vector<double> ranSeconds;
    std::vector<SimTime> startedAt;
    std::vector<Event> pending; ///< collected, not yet recorded
    bool decisionPending = false;
};

void Executor::Impl::schedule(Due due) {
    agenda.push_back(due);
    std::push_heap(agenda.begin(), agenda.end(), [](const Due& x, const Due& y) { return x.at > y.at; });
}

// Events of all threads, merged by time. What is younger than two milliseconds may still be overtaken by a
// thread that was interrupted between reading the clock and appending; it waits. A late one is recorded at
// the time of its predecessor.
void Executor::Impl::collect(bool all) {
    const SimTime safe = all ? SimTime::never() : clock->now() - Duration::nanoseconds(2 * milliseconds);
    std::vector<Event> fresh;
    for (const auto& execution : executions)
        if (execution) execution->takeEvents(fresh);
    pending.insert(pending.end(), fresh.begin(), fresh.end());
    std::stable_sort(pending.begin(), pending.end(),
                     [](const Event& a, const Event& b) { return a.time < b.time; });
    auto it = pending.begin();
    for (; it != pending.end() && it->time <= safe; ++it) {
        Event event = *it;
        if (event.type == EventType::decision) event.a = why.add(executions[event.job]->explanation(event.a));
        event.time = std::max(event.time, m_now);
        m_now = event.time;
        record(event);
    }
    pending.erase(pending.begin(), it);
}

void Executor::Impl::halt(JobId job) {
    auto& execution = executions[job.index()];
    if (!execution) return;
    execution->stop();
    collect(true);
    tasks[job.index()] = execution->lastTask();
    if (auto checkpoint = execution->checkpoint()) checkpoints[job.index()] = std::move(checkpoint);
    touchClock();
}

void Executor::Impl::finish(JobId job, EventType type, std::uint16_t aux) {
    const std::uint64_t updates = state.job(job).updates;
    const double loss = state.job(job).lastLoss;
    executions[job.index()].reset();
    removeTasks(job);
    if (type == EventType::jobFinished)
        emit(type, job, static_cast<std::uint32_t>(updates), static_cast<std::uint32_t>(updates >> 32), loss,
             aux);
    else
        emit(type, job, 0, 0, 0, aux);
    decisionPending = true;
}

void Executor::Impl::reap() {
    for (std::size_t j = 0; j < executions.size(); ++j) {
        if (!executions[j] || !executions[j]->ended()) continue;
        const JobId job(j);
        halt(job);
        const auto reason = executions[j]->finishReason();
        if (executions[j]->diverged())
            finish(job, EventType::jobFailed, static_cast<std::uint16_t>(FailReason::diverged));
        else
            finish(job, EventType::jobFinished,
                   static_cast<std::uint16_t>(reason.value_or(FinishReason::iterations)));
    }
}

void Executor::Impl::launch(JobId job, const Placement& placement) {
    const std::size_t j = job.index();
    startedAt[j] = m_now;
    if (workload->job(job).kind() == JobKind::graph) {
        schedule({Due::Kind::graphDone, m_now + Duration::seconds(graphSeconds(job, placement.workers)),
                  job.value, static_cast<std::uint32_t>(m_now.ns / milliseconds)});
        return;
    }
    std::optional<std::uint32_t> storage;
    if (!workload->cluster.storage.empty()) storage = routes.vertexOf(workload->cluster.storage);
    executions[j] = std::make_unique<JobExecution>(
        JobExecution::Shared{options, *workload, *clock, links},
        JobExecution::Start{job, placement, problems[j], choiceOf(job, PolicyFamily::synchronization),
                            choiceOf(job, PolicyFamily::parameters), std::exchange(saved[j], std::nullopt),
                            tasks[j], ranSeconds[j], storage, m_speed.responses(job, placement)},
        routes);
}

void Executor::Impl::startJob(JobId job, const Placement& placement) {
    const double waited = (m_now - state.job(job).since).toSeconds();
    placeTasks(job, placement);
    emit(EventType::jobStarted, job, static_cast<std::uint32_t>(placement.workers.size()),
         static_cast<std::uint32_t>(placement.servers.size()), waited);
    launch(job, placement);
}

void Executor::Impl::resizeJob(JobId job, const Placement& placement) {
    if (state.job(job).placement == placement) return;
    halt(job);
    if (executions[job.index()]) saved[job.index()] = executions[job.index()]->snapshot();
    executions[job.index()].reset();
    ranSeconds[job.index()] += (m_now - startedAt[job.index()]).toSeconds();
    removeTasks(job);
    placeTasks(job, placement);
    emit(EventType::jobResized, job, static_cast<std::uint32_t>(placement.workers.size()),
         static_cast<std::uint32_t>(placement.servers.size()));
    launch(job, placement);
}

void Executor::Impl::preempt(JobId job, PreemptReason reason) {
    const std::size_t j = job.index();
    halt(job);
    const std::uint64_t had = state.job(job).updates;
    if (executions[j])
        saved[j] = reason == PreemptReason::machineFailure ? checkpoints[j]
                                                           : std::optional(executions[j]->snapshot());
    executions[j].reset();
    ranSeconds[j] += (m_now - startedAt[j]).toSeconds();
    removeTasks(job);
    const std::uint64_t kept = saved[j] ? saved[j]->updates : 0;
    emit(EventType::jobPreempted, job, static_cast<std::uint32_t>(kept),
         static_cast<std::uint32_t>(had - std::min(had, kept)), 0, static_cast<std::uint16_t>(reason));
    decisionPending = true;
}

void Executor::Impl::setMachine(std::uint32_t machine, bool up) {
    emit(up ? EventType::machineRepaired : EventType::machineFailed, {}, machine);
    decisionPending = true;
    if (up) return;
    for (std::size_t j = 0; j < workload->jobs.size(); ++j) {
        if (phase(JobId(j)) != JobPhase::running) continue;
        const Placement held = state.job(JobId(j)).placement;
        const auto here = [&](MachineId m) { return m.value == machine; };
        if (std::any_of(held.workers.begin(), held.workers.end(), here) ||
            std::any_of(held.servers.begin(), held.servers.end(), here))
            preempt(JobId(j), PreemptReason::machineFailure);
    }
}

// Jobs that talk over a failed link begin again, with their parameters, where the scheduler puts them next.
void Executor::Impl::setLink(std::uint32_t link, bool up) {
    emit(up ? EventType::linkRepaired : EventType::linkFailed, {}, link);
    routes.setLinkUp(LinkId(link), up);
    m_speed.setLinkUp(LinkId(link), up);
    decisionPending = true;
    if (up) return;
    for (std::size_t j = 0; j < executions.size(); ++j)
        if (executions[j] && executions[j]->uses(LinkId(link))) preempt(JobId(j), PreemptReason::linkFailure);
}

void Executor::Impl::carryOut(const Due& due) {
    JobId job;
    job.value = due.a;
    switch (due.kind) {
    case Due::Kind::arrival:
        emit(EventType::jobArrived, job);
        if (workload->job(job).kind() == JobKind::graph && !askPartitioner(job))
            emit(EventType::jobRejected, job);
        else
            decisionPending = true;
        break;
    case Due::Kind::wake:
        emit(EventType::schedulerWoken);
        decisionPending = true;
        break;
    case Due::Kind::graphDone:
        if (phase(job) == JobPhase::running &&
            startedAt[job.index()].ns / milliseconds == static_cast<std::int64_t>(due.b))
            finish(job, EventType::jobFinished, static_cast<std::uint16_t>(FinishReason::steps));
        break;
    case Due::Kind::fault:
        if (faults.changes(due.turn))
            faults.ofMachine(due.turn) ? setMachine(due.turn.target, due.turn.repair)
                                       : setLink(due.turn.target, due.turn.repair);
        if (const auto next = faults.following(due.turn, m_now)) schedule(*next);
        break;
    }
}

bool Executor::Impl::idle() {
    const auto goesOn = [&](const Due& due) {
        return due.kind != Due::Kind::fault || !faults.isRandom(due.turn) || !state.allJobsOver();
    };
    return std::none_of(agenda.begin(), agenda.end(), goesOn) &&
           std::none_of(executions.begin(), executions.end(), [](const auto& e) { return e != nullptr; });
}

void Executor::Impl::run(std::stop_token stop, const std::function<void()>& publish) {
    clock.emplace();
    emit(EventType::runStarted);
    for (std::size_t j = 0; j < workload->jobs.size(); ++j)
        schedule({Due::Kind::arrival, workload->jobs[j].arrival, static_cast<std::uint32_t>(j)});
    for (const auto& turn : faults.first()) schedule(turn);
    const SimTime horizon = SimTime::seconds(options.scenario->horizonSeconds);
    SimTime published;
    const auto earliest = [](const Due& x, const Due& y) { return x.at > y.at; };
    while (!stop.stop_requested() && clock->now() < horizon) {
        collect(false);
        reap();
        while (!agenda.empty() && agenda.front().at <= clock->now()) {
            std::pop_heap(agenda.begin(), agenda.end(), earliest);
            const Due due = agenda.back();
            agenda.pop_back();
            touchClock();
            carryOut(due);
        }
        if (std::exchange(decisionPending, false)) {
            touchClock();
            for (const SimTime t : askScheduler()) schedule({Due::Kind::wake, t});
        }
        if (clock->now() - published > Duration::nanoseconds(16 * milliseconds)) {
            published = clock->now();
            publish();
        }
        if (idle() && !decisionPending) {
            // Jobs that wait now wait for machines that failed for good.
            touchClock();
            for (std::size_t j = 0; j < executions.size(); ++j)
                if (phase(JobId(j)) == JobPhase::waiting)
                    finish(JobId(j), EventType::jobFailed, static_cast<std::uint16_t>(FailReason::stuck));
            break;
        }
        const SimTime next = agenda.empty() ? SimTime::never() : agenda.front().at;
        std::this_thread::sleep_until(
            clock->at(std::min(next, clock->now() + Duration::nanoseconds(2 * milliseconds))));
    }
    for (std::size_t j = 0; j < executions.size(); ++j) {
        halt(JobId(j));
        executions[j].reset();
    }
    touchClock();
    emit(EventType::runFinished);
    publish();
}

Executor::Executor(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::create(SimulationOptions options) {
    auto workload = expandWorkload(*options.scenario, options.seed);
    Problems problems;
    for (std::size_t j = 0; j < workload->jobs.size(); ++j)
        if (threadsOf(workload->jobs[j]) > mostThreads)
            problems.push_back(
                {.code = "too-many-threads",
                 .message = {TRAINYARD_TEXT(
                                 "job \"{0}\" needs {1} threads to be executed; at most {2} are allowed. "
                                 "Give it fewer workers, or simulate it"),
                             {workload->jobs[j].key, std::to_string(threadsOf(workload->jobs[j])),
                              std::to_string(mostThreads)}},
                 .pointer = "/jobs/" + std::to_string(j) + "/workers"});
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
