// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What simulating and executing have in common: the log and the state that folds it, the scheduler and its
// checked decisions, explanations (RunCore.cpp), how jobs begin, move, stop and end, and what a failure of a machine or a
// link does to them (JobCourse.cpp). SimulationCore and Executor derive from it and say how a job that runs moves on.
#include "base/Cloned.h"
#include "base/Parallel.h"
#include "base/Stopped.h"
#include "engine/FaultClock.h"
#include "engine/JobLife.h"
#include "engine/JobRun.h"
#include "engine/Simulation.h"
#include "engine/SpeedEstimator.h"
#include "learning/KeyRanks.h"
#include "learning/TrainingProblem.h"
#include "planning/FreeCapacity.h"
#include "planning/graphs/GraphAdmissions.h"
#include "policy/Partitioner.h"
#include "policy/keys/KeyPlan.h"
#include "record/Events.h"

#include <set>

namespace trainyard {

class RunCore {
public:
    /// `faults`: the stream of random faults.
    RunCore(SimulationOptions options, std::shared_ptr<const Workload> workload,
            std::vector<std::shared_ptr<const TrainingProblem>> problems, Purpose faults);
    RunCore& operator=(const RunCore&) = delete;
    virtual ~RunCore() = default;

    const SimulationOptions options;
    const std::shared_ptr<const Workload> workload;
    const std::vector<std::shared_ptr<const TrainingProblem>> problems; ///< by job; null where not trained
    Cloned<EventLog> log;
    ClusterState state;
    ExplanationArena why;
    std::vector<Command> commandsApplied;

protected:
    RunCore(const RunCore& other) = default;

    /// Logs it at the present instant.
    void emit(Event event) {
        throwIfStopped(m_stop);
        event.time = m_now;
        record(event);
    }
    void record(const Event& event); ///< at the event's own time
    void logExplanations(const std::vector<std::uint32_t>& explained, PolicyFamily family);
    /// The job's own policy, or the scenario's.
    const Choice& choiceOf(JobId job, PolicyFamily family) const;
    const PolicyInfo& schedulerInfo() const;
    JobPhase phase(JobId job) const { return state.job(job).phase; }

    /// Asks the scheduler and carries out what it decides through the functions below; returns the instants at
    /// which it wants to be woken besides those that are pending.
    std::vector<SimTime> askScheduler();
    /// Wake-ups asked for that lie ahead.
    std::size_t pendingWakes() const { return m_wakes.size(); }
    /// For a mode to call when no job runs and nothing but wake-ups is to come: looks ahead whether the scheduler, asked at them,
    /// would ever decide anything (IdleWakes.cpp).
    void foresee();
    /// It would not: the wake-ups that are pending have no point.
    bool wakesAreIdle() const { return m_foreseen == SimTime::never(); }
    /// As foreseen last: when it decides something, if nothing happens before.
    SimTime foreseenDecision() const { return m_foreseen; }
    /// Of its bounds, the degrees for which there is room now; where there is none for any, for which there is on the
    /// machines that are up once they are free: the job will wait.
    std::vector<int> possibleDegrees(const Job& spec) const;
    // JobAdmission.cpp
    /// Asks the partitioner of a queued graph job; false: the job is rejected.
    bool partition(JobId job);
    /// A graph job that is admitted at once arrives: it is placed, or blocked.
    void admit(JobId job);
    bool isAdmittedAtOnce(JobId job) const;
    /// Seconds of all steps of a graph job on these machines, one part each.
    double graphSeconds(JobId job, std::span<const MachineId> machines) const;
    /// The same where the placer would put `degree` parts now (or on the empty cluster, if they do not fit
    /// now).
    double expectedGraphSeconds(JobId job, int degree) const;

    // JobCourse.cpp
    void arrive(JobId job);
    void finishJob(JobId job, FinishReason reason);
    void failJob(JobId job, FailReason reason);
    void rejectJob(JobId job); ///< whether it waits or runs
    /// Jobs that still run or wait, for what can never come.
    void failStuckJobs();
    /// A failure or a repair; the one that follows it is scheduled. Of no effect where no job is left for it.
    void carryOut(const FaultClock::Turn& turn);
    void setMachine(MachineId machine, bool up);
    void setLink(LinkId link, bool up);
    /// Whether the graph job runs since then: else the end of its steps is that of another start.
    bool runsSince(JobId job, SimTime start) const {
        return phase(job) == JobPhase::running && m_lives[job.index()].startedAt == start;
    }
    /// For a job that is launched. Takes what was saved of it.
    JobSetup setupOf(JobId job, Restoring restoring);
    // Of keyed jobs.
    KeyPlan keyPlanOf(JobId job) const;
    KeyedPace keyedPaceOf(JobId job) const;
    std::shared_ptr<const KeyRanks> keyRanksOf(JobId job); ///< made once

    // What a mode does.
    virtual void requestDecision() = 0;
    /// Where there is none, a job keeps waiting or keeps its placement.
    virtual bool hasRoom(JobId, const Placement&) const { return true; }
    /// A job that is no graph job begins where it has been placed, or goes on there at another pace.
    virtual void launch(JobId job, Restoring restoring) = 0;
    /// Ends what runs of a job; where it has come, if it has parameters. `goesOn`: it begins again at this instant.
    virtual std::optional<JobSnapshot> halt(JobId job, bool goesOn) = 0;
    /// Whether the parameters of a job outlive these workers: it may go on without them.
    virtual bool survives(JobId job, std::span<const std::uint32_t> leaving) = 0;
    /// Numbers of workers of a job that may come and go while it runs are below; 0: it does not run task by task.
    virtual std::size_t placesOf(JobId job) = 0;
    /// What they are about is lost, and their removal is logged.
    virtual void removeWorkers(JobId job, std::span<const std::uint32_t> leaving) = 0;
    /// After removals: those come that `state` has placed meanwhile, and the job's synchronization is told of all. `resized`:
    /// by the scheduler, see Coordinator::changeWorkers().
    virtual void changeWorkers(JobId job, bool resized) = 0;
    virtual void reroute(LinkId link, bool up) = 0;
    virtual void schedule(const FaultClock::Turn& turn) = 0;
    virtual void scheduleGraphEnd(JobId job, SimTime at) = 0;

    SimTime m_now;
    std::stop_token
        m_stop; ///< ends an event in the middle; an execution leaves it alone: its threads are stopped in order
    SpeedEstimator m_speed;
    bool m_goesByLosses;                                     ///< PolicyInfo::goesByLosses
    std::vector<std::vector<LossPoint>> m_histories;         ///< by job; empty where nobody goes by losses
    std::vector<std::shared_ptr<const KeyRanks>> m_keyRanks; ///< by job, once it has started; empty: none has
    std::vector<JobLife> m_lives;                            ///< by job
    Parallel m_parallel;
    FaultClock m_faults;
    const std::optional<std::uint32_t> m_storage; ///< vertex that checkpoints go to; nullopt: each machine's own disk

private:
    mutable FreeCapacity m_free; ///< of `state`
    std::set<SimTime> m_wakes;
    bool m_decidedNothing = false;
    SimTime m_foreseen;
    SimTime nextDecision();
    void checkPlacement(JobId job, const Placement& placement) const;
    bool endedSince(std::size_t position, JobId job) const;
    void carryOut(const SchedulingDecision& decision);

    // JobCourse.cpp
    void startJob(JobId job, const Placement& placement);
    void preempt(JobId job, PreemptReason reason);
    /// It has been placed; `before`: where it was while it had the parameters that it goes on with.
    void begin(JobId job, const Placement& before);
    Restoring restoringOf(JobId job, const Placement& before) const;
    void machineLost(JobId job, MachineId machine);
    /// Stops a job for good, or until it begins again: what it has done, fractions of an update or a step too, is kept as
    /// its progress.
    std::optional<JobSnapshot> stop(JobId job, bool goesOn = false);
    /// Tasks of the placement that are not there yet.
    void placeTasks(JobId job, const Placement& placement);
    /// Tasks that are not in `kept`.
    void removeTasks(JobId job, const Placement& kept = {});

    // Replan.cpp
    struct Change;
    void replan(std::span<const Allotment> plan);
    std::optional<Change> changeOf(const Allotment& allotment);
    bool mayGoOn(const Change& change);
    int otherBatch(const Allotment& allotment) const;
    void checkRoom(std::span<const Change> changes) const;
    void clear(Change& change);
    void settle(const Change& change);

    Cloned<Scheduler> m_scheduler;
    std::vector<Event> m_since;

    // JobAdmission.cpp
    void makePartitioners();
    void prepareAdmissions();
    std::optional<int> askPartitioner(JobId job, const PartitionView& view);
    bool see(const Event& event);
    /// What schedulers see: without jobs that are admitted at once, their servers down.
    const ClusterState& seenState() const { return m_seen ? *m_seen : state; }
    FreeCapacity& seenFree() const { return m_seen ? m_seenFree : m_free; }
    std::vector<Cloned<Partitioner>> m_partitioners; ///< one for each choice
    std::vector<std::uint32_t> m_partitionerOf;      ///< by job; of no meaning where it is no graph job
    std::optional<GraphAdmissions> m_admissions;     ///< where some job is admitted at once
    GraphWorkload m_expected;                        ///< for rollouts
    GraphArrivalOptions m_priced;                    ///< of the last arrival
    bool m_servesQueue = true;                       ///< there are jobs for the scheduler
    std::optional<ClusterState> m_seen;              ///< where there are jobs of both kinds
    mutable FreeCapacity m_seenFree;                 ///< of m_seen
    std::uint32_t m_schedulerCalls = 0;
};

} // namespace trainyard
