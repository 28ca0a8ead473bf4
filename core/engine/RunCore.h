#pragma once
// What simulating and executing have in common: the log and the state that folds it, the scheduler and its
// checked decisions, explanations, and the emission of events. SimulationCore and Executor derive from it and
// say how a job moves on.
#include "engine/Simulation.h"
#include "engine/SpeedEstimator.h"
#include "learning/TrainingProblem.h"
#include "planning/FreeCapacity.h"
#include "policy/Partitioner.h"
#include "record/Events.h"

#include <set>

namespace trainyard {

class RunCore {
public:
    RunCore(SimulationOptions options, std::shared_ptr<const Workload> workload,
            std::vector<std::shared_ptr<const TrainingProblem>> problems);
    RunCore(const RunCore& other);
    RunCore& operator=(const RunCore&) = delete;
    virtual ~RunCore() = default;

    const SimulationOptions options;
    const std::shared_ptr<const Workload> workload;
    const std::vector<std::shared_ptr<const TrainingProblem>> problems; ///< by job; null where not trained
    std::shared_ptr<EventLog> log;
    ClusterState state;
    ExplanationArena why;
    std::vector<Command> commandsApplied;

protected:
    /// Logs it at the present instant.
    void emit(Event event) {
        event.time = m_now;
        record(event);
    }
    void record(const Event& event); ///< at the event's own time
    void logExplanations(const std::vector<std::uint32_t>& explained, PolicyFamily family);
    /// The job's own policy, or the scenario's.
    const Choice& choiceOf(JobId job, PolicyFamily family) const;
    JobPhase phase(JobId job) const { return state.job(job).phase; }

    /// Asks the scheduler and carries out what it decides through the functions below; returns the instants at
    /// which it wants to be woken besides those that are pending.
    std::vector<SimTime> askScheduler();
    /// Wake-ups asked for that lie ahead.
    std::size_t pendingWakes() const { return m_wakes.size(); }
    /// Whether the scheduler decided nothing when it was asked last.
    bool decidedNothing() const { return m_decidedNothing; }
    /// Of its bounds, the degrees for which there is room now; where there is none for any, for which there is on the
    /// machines that are up once they are free: the job will wait.
    std::vector<int> possibleDegrees(const Job& spec) const;
    /// Asks the partitioner of a graph job; false: the job is rejected.
    bool askPartitioner(JobId job);
    /// Seconds of all steps of a graph job on these machines, one part each.
    double graphSeconds(JobId job, std::span<const MachineId> machines) const;
    /// The same where the placer would put `degree` parts now (or on the empty cluster, if they do not fit
    /// now).
    double expectedGraphSeconds(JobId job, int degree) const;
    virtual void startJob(JobId job, const Placement& placement) = 0;
    virtual void resizeJob(JobId job, const Placement& placement) = 0;
    virtual void preempt(JobId job, PreemptReason reason) = 0;

    /// A job runs from now on, or has run until now: what it has done, fractions of an update or a step too, is
    /// kept as its progress.
    void startClock(JobId job) { m_speed.progress(job).since = m_now; }
    void stopClock(JobId job);
    /// A graph job's steps begin, or go on, where it has been placed; when the last one ends.
    SimTime startSteps(JobId job);
    void placeTasks(JobId job, const Placement& placement);
    void removeTasks(JobId job);

    SimTime m_now;
    SpeedEstimator m_speed;
    std::vector<std::vector<LossPoint>> m_histories; ///< by job

private:
    mutable FreeCapacity m_free; ///< of `state`
    std::set<SimTime> m_wakes;
    bool m_decidedNothing = false;
    void checkPlacement(JobId job, const Placement& placement) const;
    bool endedSince(std::size_t position, JobId job) const;
    void carryOut(const SchedulingDecision& decision);

    std::unique_ptr<Scheduler> m_scheduler;
    std::vector<std::unique_ptr<Partitioner>> m_partitioners; ///< by job; null where not a graph job
    std::vector<Event> m_since;
    std::uint32_t m_schedulerCalls = 0;
};

/// Data sets and models of all trained jobs; problems point into /jobs.
Result<std::vector<std::shared_ptr<const TrainingProblem>>> makeProblems(const SimulationOptions& options,
                                                                         const Workload& workload);

} // namespace trainyard
