#pragma once
// One running job in virtual time, as a copyable value: its nodes with their parameter stores, its workers'
// tasks, the gradients that wait for a verdict, and its synchronization policy. SimulationCore drives it; the
// arithmetic that both modes share (messages of a task, updates of a store) is here as free functions.
#include "engine/Coordinator.h"
#include "model/Placement.h"
#include "policy/Parameters.h"
#include "record/WorkerPhase.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace trainyard {

/// A job's own checkpoint: weights and optimizer state (by parameter, whole vectors), and how far it had
/// come.
struct JobSnapshot {
    std::vector<double> parameters, optimizerState;
    std::uint64_t updates = 0;
    double samplesUsed = 0;
};

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

/// Parameters of a job cut into `keys` nearly equal contiguous ranges.
StoreLayout makeLayout(std::uint64_t parameters, std::uint32_t keys, std::uint32_t workers,
                       std::uint32_t servers, double bytesPerParameter);

/// The part of a whole message that belongs to a key: gradient segment, then curvature segment if there is
/// one.
void appendKeyMessage(const StoreLayout& layout, Key key, std::span<const double> message,
                      std::vector<double>& out);
/// Inverse of appendKeyMessage: writes the key's part into the whole message; returns how many numbers it
/// used.
std::size_t placeKeyMessage(const StoreLayout& layout, Key key, std::span<const double> part,
                            std::span<double> message);

/// What a store holds for a key: parameters, then optimizer state.
std::vector<double> storeValue(const StoreLayout& layout, Key key, const JobSnapshot& snapshot,
                               std::size_t stateSize);
/// One optimizer step on a store's value with the aggregated message of the whole job.
void updateStoreValue(const StoreLayout& layout, Key key, std::span<double> value,
                      std::span<const double> message, const Optimizer& optimizer, std::uint64_t update);

/// Keys of one node that are here now; position = key.
class ParameterStore {
public:
    explicit ParameterStore(std::uint32_t keys = 0) : m_values(keys), m_here(keys, false) {}
    bool has(Key key) const { return m_here[key]; }
    std::vector<double>& value(Key key) { return m_values[key]; }
    const std::vector<double>& value(Key key) const { return m_values[key]; }
    void insert(Key key, std::vector<double> value) {
        m_values[key] = std::move(value);
        m_here[key] = true;
    }
    std::vector<double> take(Key key) {
        m_here[key] = false;
        return std::move(m_values[key]);
    }

private:
    std::vector<std::vector<double>> m_values;
    std::vector<bool> m_here;
};

struct NodeRun {
    std::unique_ptr<ParameterNode> protocol;
    ParameterStore store;

    NodeRun() = default;
    NodeRun(const NodeRun& other) : protocol(other.protocol->clone()), store(other.store) {}
    NodeRun(NodeRun&&) = default;
    NodeRun& operator=(NodeRun&&) = default;
};

struct WorkerRun {
    using Stage = WorkerPhase; ///< idle, pulling, computing or pushing
    MachineId machine;
    bool present = false;
    Stage stage = Stage::idle;
    std::uint32_t task = 0;
    Assignment assignment;
    int samples = 0; ///< of the current task, all steps and partitions together
    std::uint64_t readVersion = 0;
    SimTime assigned, computeStart, computeEnd;
    std::vector<double> parameters; ///< as last read
    /// Instead, where several workers may have read the same: one copy for all of them.
    std::shared_ptr<const std::vector<double>> commonParameters;
    std::vector<double> message;
    bool computed = false;
    std::uint32_t keysMissing = 0;    ///< of the pull or the push under way
    std::vector<std::uint32_t> slots; ///< of messages of the current task that are under way
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
    StoreLayout layout;
    std::vector<Key> allKeys;
    std::vector<WorkerRun> workers;
    std::vector<NodeRun> nodes;
    static constexpr NodeIndex nowhere = ~NodeIndex{0};
    std::vector<NodeIndex> keyHome; ///< by key: whose store has it; nowhere while it is between two nodes
    std::vector<std::pair<NodeIndex, std::uint64_t>> nodeTimers;
    /// What messages carry in virtual time: as many numbers as a gradient has, not yet worked out.
    std::vector<double> travelling;
    /// By directed link (rate model): its bandwidth, divided among the worker–server pairs that use it. Empty
    /// until the job begins: what it transfers before that has the links to itself.
    std::vector<double> bandwidthShare;

    std::uint32_t transfersMissing = 0; ///< restore or migration transfers before it may begin
    std::uint32_t checkpointTransfers = 0;
    std::optional<JobSnapshot> checkpointUnderWay;
    /// Updates (number, aggregated message) for keys that are between two nodes.
    std::map<Key, std::vector<std::pair<std::uint64_t, std::shared_ptr<const std::vector<double>>>>>
        lateUpdates;

    JobSnapshot snapshot() const;
    void findKeys(); ///< fills keyHome from the stores

    /// What the synchronization sees of the workers: kept, and brought up to date for those named by touch().
    const std::vector<WorkerView>& workerViews();
    int busyWorkers() const { return m_busy; } ///< as of the last workerViews()
    /// The present parameters as one copy for all who read them; null if `read` (of all keys, in order) are
    /// others.
    std::shared_ptr<const std::vector<double>> commonCopyOf(std::span<const double> read);
    void parametersChanged() { m_common.reset(); }
    void touch(std::uint32_t worker) { m_touched.push_back(worker); }
    /// A worker's task is now at this stage; all changes of stage go through here.
    void enter(std::uint32_t worker, WorkerRun::Stage stage) {
        m_computing.resize(workers.size());
        workers[worker].stage = stage;
        m_computing[worker] = stage == WorkerRun::Stage::computing ? workers[worker].task : 0;
    }
    /// The task a worker computes now; 0: none. Asked very often, so kept densely.
    std::uint32_t computing(std::uint32_t worker) const {
        return worker < m_computing.size() ? m_computing[worker] : 0;
    }

private:
    std::shared_ptr<const std::vector<double>> m_common; ///< of `parameters`; null: not made yet
    std::vector<WorkerView> m_views;
    std::vector<std::uint32_t> m_touched;
    std::vector<std::uint32_t> m_computing; ///< by worker
    int m_busy = 0;
};

/// Nodes, stores and workers of a job about to begin at `snapshot` (an empty one: the initial parameters).
/// Both modes.
struct JobSetup {
    StoreLayout layout;
    JobSnapshot snapshot;
    std::vector<NodeRun> nodes;
};
JobSetup setUpJob(const Job& spec, const Placement& placement, const ParameterPolicy& policy,
                  const TrainingProblem* problem, const std::optional<JobSnapshot>& saved);

/// Bytes of all parameters, and of a checkpoint (parameters and optimizer state).
double parameterBytes(const StoreLayout& layout);
double checkpointBytes(const StoreLayout& layout, const TrainingProblem* problem);

} // namespace trainyard
