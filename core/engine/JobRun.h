// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One running job in virtual time, as a copyable value: its coordinator, its nodes and its workers' tasks.
// SimulationCore drives it. How a job is set up and what a task computes, both modes share.
#include "base/Cloned.h"
#include "engine/Coordinator.h"
#include "engine/DelayModel.h"
#include "model/Placement.h"
#include "policy/Parameters.h"
#include "record/WorkerPhase.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace trainyard {

/// Keys of a pull or a push that are still under way.
struct MissingKeys {
    std::uint32_t count = 0;
    /// True: these were the last.
    bool came(std::size_t keys) {
        require(count >= keys, "a parameter policy delivered more keys than were pulled or pushed");
        return (count -= static_cast<std::uint32_t>(keys)) == 0;
    }
};

/// What one worker is about, in either mode.
struct WorkerRun {
    using Stage = WorkerPhase; ///< idle, pulling, computing or pushing
    MachineId machine;
    Stage stage = Stage::idle;
    std::uint32_t task = 0;
    Assignment assignment;
    std::int64_t samples = 0;    ///< of the current task, all steps and partitions together
    Coordinator::Share share;    ///< of the data, that its batches are drawn from
    double secondsPerSample = 0; ///< on a device of speed 1
    SimTime computeStart, computeEnd;
    std::uint64_t readVersion = 0;  ///< of what was last read: updates applied to it, of several owners the oldest
    std::vector<double> parameters; ///< as last read
    /// Instead, where several workers may have read the same: one copy for all of them.
    std::shared_ptr<const std::vector<double>> commonParameters;
    std::vector<double> message;
    bool computed = false;
    MissingKeys missing;                  ///< of the pull or the push under way
    std::vector<std::uint32_t> transfers; ///< messages of the current task that are under way
    bool busy() const { return stage != Stage::idle; }
    /// Whether the operation is the pull or the push of its present task; else it is over.
    bool awaits(Stage pullOrPush, NodeIndex self, std::uint64_t operation) const {
        return stage == pullOrPush && operation == entityOf(self, task);
    }
    /// A read of all keys begins.
    void beginRead(std::uint32_t keys) {
        missing = {keys};
        readVersion = std::numeric_limits<std::uint64_t>::max();
    }
    /// Some of them have come; true: these were the last.
    bool hasRead(std::size_t keys, std::uint64_t version) {
        readVersion = std::min(readVersion, version);
        return missing.came(keys);
    }
    int localSteps() const { return std::max(1, assignment.localSteps); }
    void setTimes(DelayModel& delays, JobId job, std::uint32_t self, SimTime now);
    /// How much of the present task's computation is done, 0…1.
    double shareDone(SimTime now) const;
    /// The message of the task of worker `self`: mean gradient at what was read (local SGD: the sum along the local path;
    /// coding: Σ coefficient × gradient of the partition). messageSize() numbers; on any thread.
    std::vector<double> computeMessage(const TrainingProblem& problem, std::uint32_t self) const;
    std::span<const double> readParameters() const {
        return commonParameters ? std::span<const double>(*commonParameters) : parameters;
    }
};

/// What a worker has read, or a part of it.
struct PulledValues {
    std::span<const Key> keys;
    std::span<const double> values;
    std::uint64_t version = 0;
    ParameterMessage::SharedPart part = nullptr; ///< that both lie in, to be kept if wanted; null: in none
};

struct JobRun : Coordinator {
    std::uint32_t generation = 0;
    std::shared_ptr<const ParameterPolicy> parameterPolicy; ///< makes nodes
    std::vector<WorkerRun> tasks;                           ///< by worker
    std::vector<Cloned<ParameterNode>> nodes;               ///< null: a number that no worker has had yet
    /// What messages carry in virtual time: as many numbers as a gradient has, not yet worked out.
    std::vector<double> travelling;

    /// A timer that a node has asked for, until it is due; its number is used again then.
    std::uint32_t addTimer(NodeIndex node, std::uint64_t tag);
    std::pair<NodeIndex, std::uint64_t> takeTimer(std::uint32_t number);
    /// The present parameters as one copy for all who read them; null if `read` (of all keys, in order) are
    /// others.
    std::shared_ptr<const std::vector<double>> commonCopyOf(std::span<const double> read);
    void parametersChanged() { m_common.reset(); }
    /// A worker's task is now at this stage; all changes of stage go through here.
    void enter(std::uint32_t worker, WorkerRun::Stage stage) {
        m_computing.resize(tasks.size());
        tasks[worker].stage = stage;
        m_computing[worker] = stage == WorkerRun::Stage::computing ? tasks[worker].task : 0;
    }
    /// The task a worker computes now; 0: none. Asked very often, so kept densely.
    std::uint32_t computing(std::uint32_t worker) const {
        return worker < m_computing.size() ? m_computing[worker] : 0;
    }

private:
    std::vector<std::pair<NodeIndex, std::uint64_t>> m_timers; ///< by number
    std::vector<std::uint32_t> m_freeTimers;
    std::shared_ptr<const std::vector<double>> m_common; ///< of the parameters; null: not made yet
    std::vector<std::uint32_t> m_computing;              ///< by worker
};

/// A job about to begin, in either mode.
struct JobSetup {
    JobId job;
    const Job& spec;
    const Placement& placement;
    std::uint64_t seed = 0;
    std::shared_ptr<const TrainingProblem> problem; ///< null: analytic
    Cloned<Synchronization> synchronization;        ///< one that the job had before, or a new one
    std::shared_ptr<ParameterPolicy> parameters;
    std::vector<WorkerResponse> responses; ///< by worker
    int batch = 0;                         ///< 0: as declared
    std::optional<JobSnapshot> saved;      ///< where it goes on; nullopt: at the initial parameters
    Restoring restoring;
    double ranSeconds = 0;         ///< before this start
    std::uint32_t lastTask = 0;    ///< task numbers go on after it, so that no noise and no batch is met twice
    std::uint32_t policyCalls = 0; ///< of the synchronization so far
    bool measuresNoise = false;    ///< of its gradients, where it is trained
    std::stop_token stop;          ///< making the nodes throws Stopped
};
/// A coordinator set up, and the nodes of its job: null where a layout has room for workers that are yet to come.
struct JobNodes {
    std::shared_ptr<ParameterPolicy> policy; ///< makes the nodes of those
    std::vector<std::unique_ptr<ParameterNode>> nodes;
};
/// Fills a fresh coordinator and makes the job's nodes.
JobNodes setUpJob(Coordinator& coordinator, JobSetup setup);

/// The machine of a node.
MachineId machineOf(const Placement& placement, const StoreLayout& layout, NodeIndex node);
/// Whether the parameters of a job outlive some of its nodes (`lost`): these are no home of any key at
/// the start (their protocol would be missed), and every key is at a node that stays.
bool parametersSurvive(const JobStore& store, const std::function<bool(NodeIndex)>& lost,
                       const std::function<bool(NodeIndex)>& isHome);
/// Whether of these numbers.
inline bool contains(std::span<const std::uint32_t> workers, NodeIndex node) {
    return std::find(workers.begin(), workers.end(), node) != workers.end();
}

} // namespace trainyard
