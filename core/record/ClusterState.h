// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What holds at one instant of a run: the fold of its events. It changes only by apply(). Capacity is an invariant: an event
// that would overcommit a machine throws InvariantError. Used by the engine (live), by scrubbing (from a Keyframe) and by
// every view.
#include "model/Placement.h"
#include "model/Workload.h"
#include "record/Event.h"
#include "record/JobSet.h"
#include "record/WorkerPhases.h"

#include <array>
#include <memory>
#include <vector>

namespace trainyard {

enum class JobPhase : std::uint8_t { future, waiting, running, finished, rejected, failed };

struct JobState {
    JobPhase phase = JobPhase::future;
    SimTime since;       ///< when the phase was entered
    Placement placement; ///< invalid machine ids mark tasks not placed
    std::vector<WorkerState> workers;
    std::uint64_t updates = 0; ///< parameter updates applied (after a restore: those kept)
    double samplesUsed = 0;
    double lastLoss = 0;
    std::uint64_t lastLossUpdate = 0;
    bool hasLoss = false;
    int degree = 0;                   ///< parts per operation (graph jobs, once partitioned)
    int batch = 0;                    ///< another than declared, that a scheduler gave it; 0: as declared
    std::optional<double> noiseScale; ///< of its gradients, in samples, as last measured
    int placedWorkers = 0;            ///< those of the placement that have a machine
    double attainedSeconds = 0;       ///< ∫ placed workers dt while running, up to attainedSince
    SimTime attainedSince;
    double ranSeconds = 0, waitedSeconds = 0; ///< in all, before the present phase
    /// The attained service up to `now`.
    double attainedUntil(SimTime now) const;
    /// How long it has run, and waited, in all up to `now`.
    double ranUntil(SimTime now) const {
        return ranSeconds + (phase == JobPhase::running ? (now - since).toSeconds() : 0);
    }
    double waitedUntil(SimTime now) const {
        return waitedSeconds + (phase == JobPhase::waiting ? (now - since).toSeconds() : 0);
    }
    friend bool operator==(const JobState&, const JobState&) = default;
};

struct MachineState {
    ResourceVector free;
    bool up = true;
    friend bool operator==(const MachineState&, const MachineState&) = default;
};

class ClusterState {
public:
    explicit ClusterState(std::shared_ptr<const Workload> workload);

    /// Advances by one event. Events must come in order of time.
    void apply(const Event& event);

    SimTime now() const { return m_now; }
    const Workload& workload() const { return *m_workload; }
    const std::shared_ptr<const Workload>& sharedWorkload() const { return m_workload; }
    const std::vector<MachineState>& machines() const { return m_machines; }
    const std::vector<JobState>& jobs() const { return m_jobs; }
    const MachineState& machine(MachineId id) const { return m_machines[id.index()]; }
    const JobState& job(JobId id) const { return m_jobs[id.index()]; }
    /// In order of arrival (JobId).
    const JobSet& jobsIn(JobPhase phase) const { return m_jobsIn[static_cast<std::size_t>(phase)]; }
    /// Whether every job has finished, failed or been rejected: none of them comes back.
    bool allJobsOver() const;
    /// Bytes per second now on 2·link (from → to) and 2·link + 1 (back).
    const std::vector<double>& linkLoads() const { return m_linkLoads; }
    const std::vector<bool>& linksUp() const { return m_linksUp; }
    friend bool operator==(const ClusterState& a, const ClusterState& b);
    /// Memory it takes, without the workload. O(jobs).
    std::size_t bytes() const;

private:
    void enter(JobId job, JobPhase phase);
    void attain(JobState& job) const;
    void placeTask(const Event& event, bool place);
    void applyWorkerEvent(const Event& event);

    std::shared_ptr<const Workload> m_workload;
    SimTime m_now;
    std::vector<MachineState> m_machines;
    std::vector<JobState> m_jobs;
    std::array<JobSet, 6> m_jobsIn; ///< by phase
    std::vector<double> m_linkLoads;
    std::vector<bool> m_linksUp;
};

/// A state and how much of the log it has folded: scrubbing starts from the last one before the wanted instant.
struct Keyframe {
    std::size_t position = 0;
    ClusterState state;
};

} // namespace trainyard
