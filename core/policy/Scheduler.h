// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which job gets which workers and servers, on which machines, when. Called by the engine once at every instant at which
// jobs arrived, ended, failed or were preempted (by the scheduler too: a preempt is followed by another call at the same
// instant), machines or links failed or were repaired, or a wake-up was asked for. A scheduler is a value: clone() copies
// it, it keeps no pointers and shares nothing.
#include "planning/FreeCapacity.h"
#include "policy/Context.h"
#include "record/ClusterState.h"

#include <memory>
#include <span>

namespace trainyard {

struct LossPoint {
    SimTime time;
    std::uint64_t update = 0;
    double loss = 0;
};

/// How fast a job would go under a placement, by the engine's delay model (expected values, no draws).
class SpeedModel {
public:
    virtual ~SpeedModel() = default;
    /// Expected seconds per parameter update; infinity if the placement cannot run.
    virtual double secondsPerUpdate(JobId job, const Placement& placement) const = 0;
    /// The same with another batch.
    virtual double secondsPerUpdate(JobId job, const Placement& placement, int batch) const = 0;
    /// Updates that the job has done and would keep if its workers changed now: fractions too under the rate model.
    virtual double updatesDone(JobId job) const = 0;
    /// Whether a running job keeps what it has done of an update when its workers change (under the rate model); else that is lost.
    virtual bool keepsFractions(JobId job) const = 0;
    /// Expected updates still to do by the stopping rule (loss targets by fitting are the policy's own business).
    virtual double remainingUpdates(JobId job) const = 0;
    /// Expected running time still to come at this pace, also by a limit in seconds.
    virtual double remainingSeconds(JobId job, double secondsPerUpdate) const {
        const double updates = remainingUpdates(job);
        return updates > 0 ? updates * secondsPerUpdate : 0;
    }
};

class SchedulerView {
public:
    SchedulerView(const ClusterState& state, const SpeedModel& speed, std::span<const std::vector<LossPoint>> histories,
                  FreeCapacity& free)
        : m_state(state), m_speed(speed), m_histories(histories), m_free(free) {}

    const ClusterState& state() const { return m_state; }
    const Workload& workload() const { return m_state.workload(); }
    const SpeedModel& speed() const { return m_speed; }
    /// Evaluated so far; none once the job is over, and none for schedulers that do not say goesByLosses.
    std::span<const LossPoint> losses(JobId job) const { return m_histories[job.index()]; }
    /// In order of arrival (JobId).
    const JobSet& jobsIn(JobPhase phase) const { return m_state.jobsIn(phase); }
    /// Workers the job may have: its bounds, or exactly the degree once a graph job is partitioned.
    Bounds workers(JobId job) const;
    /// What is free on every machine, to plan with: what is taken and given here is undone after the call, and costs as
    /// much as it changes.
    FreeCapacity& free() const { return m_free; }
    /// The same amounts as a copy by machine, nothing for machines that are down.
    std::vector<ResourceVector> freeCapacity() const;

private:
    const ClusterState& m_state;
    const SpeedModel& m_speed;
    std::span<const std::vector<LossPoint>> m_histories;
    FreeCapacity& m_free;
};

/// What one job has from now on.
struct Allotment {
    JobId job;
    Placement placement; ///< empty: nothing
    int batch = 0;       ///< as `batch` in scenarios, until it is given another; 0: the one that it has
};

struct SchedulingDecision {
    enum class Kind { start, resize, preempt, reject, stop, replan };
    Kind kind = Kind::start;
    JobId job;                   ///< of all but replan
    Placement placement;         ///< start and resize: the whole new placement
    std::vector<Allotment> plan; ///< replan
    int batch = 0;               ///< resize: another one; 0: the one that it has
};

/// Decisions are checked and applied in the order given; one that oversteps fails the run and names the event.
/// Placements say how many tasks are on which machine: a task that stays on its machine keeps its number, whatever the order
/// in which machines are listed. Where a job keeps its servers, workers that stay go on with what they are about, and its
/// synchronization is told who came and went (onMembership); what those who go were about is lost. Else its parameters are
/// moved and all tasks begin again, under the same synchronization object (onStart).
class SchedulingDecisions {
public:
    void start(JobId job, Placement placement) {
        m_list.push_back({SchedulingDecision::Kind::start, job, std::move(placement), {}, 0});
    }
    /// Grows, shrinks or moves a running job, or gives it another batch: tasks that begin from then on have it, those under way
    /// go on as they began. The batch alone disturbs nothing and costs no restart.
    void resize(JobId job, Placement placement, int batch = 0) {
        m_list.push_back({SchedulingDecision::Kind::resize, job, std::move(placement), {}, batch});
    }
    /// The job goes back to waiting; it keeps its parameters. decide() is called again at the same instant, after these
    /// decisions have been carried out: one that preempts at every call never lets time pass.
    void preempt(JobId job) { m_list.push_back({SchedulingDecision::Kind::preempt, job, {}, {}, 0}); }
    /// The job is refused for good, whether it waits or runs.
    void reject(JobId job) { m_list.push_back({SchedulingDecision::Kind::reject, job, {}, {}, 0}); }
    /// A running job ends here, as finished: what it has learned so far is its result.
    void stop(JobId job) { m_list.push_back({SchedulingDecision::Kind::stop, job, {}, {}, 0}); }
    /// The new allotment of any number of jobs at one instant: waiting ones are started, running ones resized, or preempted
    /// where they get nothing; jobs that are not named keep what they have. First all tasks that go are removed, then all that
    /// come are placed, so the plan must fit as a whole only. What changes nothing costs and logs nothing. decide() is not
    /// called again for jobs that it preempts.
    void replan(std::vector<Allotment> plan) {
        m_list.push_back({SchedulingDecision::Kind::replan, {}, {}, std::move(plan), 0});
    }
    /// Logs what has been promised: so many tasks of a job on a machine in a slot, as the scheduler counts slots. It binds
    /// nobody; views and explanations show it.
    void reserve(JobId job, TaskRole role, MachineId machine, std::uint32_t slot, int tasks) {
        m_reserved.push_back(events::reserved(job, role, machine, slot, tasks));
    }
    /// Calls decide() again at t, besides the usual occasions; a t that is not later than now fails the run.
    void wakeAt(SimTime t) { m_wakes.push_back(t); }
    /// Calls decide() again once `seconds` have passed: rounded up to whole nanoseconds, to one at least, so that work of
    /// that length is done by then and a remainder of less than a nanosecond is no error.
    void wakeAfter(SimTime now, double seconds) { wakeAt(now + Duration::secondsUp(seconds)); }

    const std::vector<SchedulingDecision>& list() const { return m_list; }
    std::vector<SchedulingDecision> take() { return std::exchange(m_list, {}); }
    const std::vector<SimTime>& wakes() const { return m_wakes; }
    const std::vector<Event>& reserved() const { return m_reserved; }

private:
    std::vector<SchedulingDecision> m_list;
    std::vector<SimTime> m_wakes;
    std::vector<Event> m_reserved;
};

class Scheduler {
public:
    virtual ~Scheduler() = default;
    virtual std::unique_ptr<Scheduler> clone() const = 0;
    /// `since`: what happened since the last call (arrivals, ends, failures, losses; the scheduling events of the log).
    /// A job whose phase or number of tasks has changed is named by one of them, and a failed machine takes tasks from
    /// running jobs: what is known from the last call about all others still holds.
    virtual void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                        SchedulingDecisions& decisions) = 0;
};

} // namespace trainyard
