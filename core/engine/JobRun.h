#pragma once
// One running job in virtual time, as a copyable value: its coordinator, its nodes and its workers' tasks.
// SimulationCore drives it. How a job is set up and what a task computes, both modes share.
#include "engine/Coordinator.h"
#include "model/Placement.h"
#include "policy/Parameters.h"
#include "record/WorkerPhase.h"

#include <memory>
#include <optional>
#include <vector>

namespace trainyard {

/// What one worker computes, apart from its parameters: enough to evaluate it on any thread.
struct ComputeTask {
    std::uint32_t worker = 0, task = 0, workers = 1;
    int samples = 1, localSteps = 1;
    double learningRate = 0; ///< of local steps
    std::vector<std::pair<std::uint32_t, double>> partitions;
    std::uint32_t draw = 0; ///< with partitions: which batch of each
};

/// The message of a task: mean gradient at `parameters` (local SGD: the sum along the local path; coding: Σ
/// coefficient × gradient of the partition). messageSize() numbers.
std::vector<double> computeMessage(const TrainingProblem& problem, const ComputeTask& task,
                                   std::span<const double> parameters);

struct NodeRun {
    std::unique_ptr<ParameterNode> protocol;

    NodeRun() = default;
    NodeRun(const NodeRun& other) : protocol(other.protocol->clone()) {}
    NodeRun(NodeRun&&) = default;
    NodeRun& operator=(NodeRun&&) = default;
};

struct WorkerRun {
    using Stage = WorkerPhase; ///< idle, pulling, computing or pushing
    MachineId machine;
    Stage stage = Stage::idle;
    std::uint32_t task = 0;
    Assignment assignment;
    int samples = 0; ///< of the current task, all steps and partitions together
    SimTime computeStart, computeEnd;
    std::vector<double> parameters; ///< as last read
    /// Instead, where several workers may have read the same: one copy for all of them.
    std::shared_ptr<const std::vector<double>> commonParameters;
    std::vector<double> message;
    bool computed = false;
    std::uint32_t keysMissing = 0;        ///< of the pull or the push under way
    std::vector<std::uint32_t> transfers; ///< messages of the current task that are under way
    bool busy() const { return stage != Stage::idle; }
    std::span<const double> readParameters() const {
        return commonParameters ? std::span<const double>(*commonParameters) : parameters;
    }
};

/// What a worker has read, or a part of it.
struct PulledValues {
    std::span<const Key> keys;
    std::span<const double> values;
    ParameterMessage::SharedPart part = nullptr; ///< that both lie in, to be kept if wanted; null: in none
};

struct JobRun : Coordinator {
    std::uint32_t generation = 0;
    Placement placement;
    std::vector<WorkerRun> tasks; ///< by worker
    std::vector<NodeRun> nodes;
    std::vector<std::pair<NodeIndex, std::uint64_t>> nodeTimers;
    /// What messages carry in virtual time: as many numbers as a gradient has, not yet worked out.
    std::vector<double> travelling;

    std::uint32_t transfersMissing = 0; ///< restore or migration transfers before it may begin
    std::uint32_t checkpointTransfers = 0;
    std::optional<JobSnapshot> checkpointUnderWay;

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
    std::unique_ptr<Synchronization> synchronization;
    std::unique_ptr<ParameterPolicy> parameters;
    std::vector<WorkerResponse> responses; ///< by worker
    std::optional<JobSnapshot> saved;      ///< where it goes on; nullopt: at the initial parameters
    std::uint32_t lastTask = 0; ///< task numbers go on after it, so that no noise and no batch is met twice
};
/// Fills a fresh coordinator and makes the job's nodes.
std::vector<NodeRun> setUpJob(Coordinator& coordinator, JobSetup setup);

/// The node that holds parameters: servers, or the workers of a job without.
struct Owners {
    NodeIndex first = 0;
    std::uint32_t count = 0;
};
Owners ownersOf(const StoreLayout& layout);
/// The machine of a node.
MachineId machineOf(const Placement& placement, NodeIndex node);
/// Whether the parameters of a job outlive its nodes on a machine (`lost`): these are no home of any key at
/// the start (their protocol would be missed), and every key is at a node that stays.
bool parametersSurvive(const JobStore& store, const std::function<bool(NodeIndex)>& lost,
                       const std::function<bool(NodeIndex)>& isHome);

} // namespace trainyard
