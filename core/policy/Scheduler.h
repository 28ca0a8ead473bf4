#pragma once
// Which job gets which workers and servers, on which machines, when. Called by the engine at arrivals, ends, failures,
// repairs and asked-for wake-ups. A scheduler is a value: clone() copies it, it keeps no pointers and shares nothing.
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
    SchedulerView(const ClusterState& state, const SpeedModel& speed, std::span<const std::vector<LossPoint>> histories)
        : m_state(state), m_speed(speed), m_histories(histories) {}

    const ClusterState& state() const { return m_state; }
    const Workload& workload() const { return m_state.workload(); }
    const SpeedModel& speed() const { return m_speed; }
    std::span<const LossPoint> losses(JobId job) const { return m_histories[job.index()]; }
    /// In order of arrival (JobId).
    std::vector<JobId> jobsIn(JobPhase phase) const;
    /// Workers the job may have: its bounds, or exactly the degree once a graph job is partitioned.
    Bounds workers(JobId job) const;
    /// Free amounts by machine, nothing for machines that are down; a scratch copy to plan with.
    std::vector<ResourceVector> freeCapacity() const;

private:
    const ClusterState& m_state;
    const SpeedModel& m_speed;
    std::span<const std::vector<LossPoint>> m_histories;
};

struct SchedulingDecision {
    enum class Kind { start, resize, preempt, reject };
    Kind kind = Kind::start;
    JobId job;
    Placement placement; ///< start and resize: the whole new placement; a task whose machine differs migrates
};

/// Decisions are checked and applied in the order given; one that oversteps fails the run and names the event.
class SchedulingDecisions {
public:
    void start(JobId job, Placement placement) { m_list.push_back({SchedulingDecision::Kind::start, job, std::move(placement)}); }
    /// Grows, shrinks or moves a running job.
    void resize(JobId job, Placement placement) { m_list.push_back({SchedulingDecision::Kind::resize, job, std::move(placement)}); }
    /// The job goes back to waiting; it keeps its parameters.
    void preempt(JobId job) { m_list.push_back({SchedulingDecision::Kind::preempt, job, {}}); }
    void reject(JobId job) { m_list.push_back({SchedulingDecision::Kind::reject, job, {}}); }
    /// Calls decide() again at t, besides the usual occasions.
    void wakeAt(SimTime t) { m_wakes.push_back(t); }

    const std::vector<SchedulingDecision>& list() const { return m_list; }
    const std::vector<SimTime>& wakes() const { return m_wakes; }

private:
    std::vector<SchedulingDecision> m_list;
    std::vector<SimTime> m_wakes;
};

class Scheduler {
public:
    virtual ~Scheduler() = default;
    virtual std::unique_ptr<Scheduler> clone() const = 0;
    /// `since`: what happened since the last call (arrivals, ends, failures, losses; the scheduling events of the log).
    virtual void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                        SchedulingDecisions& decisions) = 0;
};

} // namespace trainyard
