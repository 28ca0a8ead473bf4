#pragma once
// One running job in real time: a thread for every worker and server node, one for the coordinator and one
// that evaluates the loss, joined by inboxes. Node protocols, coordinator and arithmetic are those of the
// simulation; delays of the cluster model are added to the real computation. Made, watched and joined by
// Executor's thread.
#include "engine/JobRun.h"
#include "engine/RealTime.h"
#include "engine/RunCore.h"

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace trainyard {

class JobExecution {
public:
    /// What all executions of a run share; outlives them.
    struct Shared {
        const SimulationOptions& options;
        const Workload& workload;
        const RealClock& clock;
        LinkTimes& links;
    };
    struct Start {
        JobId job;
        Placement placement;
        std::shared_ptr<const TrainingProblem> problem;
        Choice synchronization, parameters;
        std::optional<JobSnapshot> saved;
        std::uint32_t firstTask = 0;           ///< task numbers go on after a restart
        double ranSeconds = 0;                 ///< before this start
        std::optional<std::uint32_t> storage;  ///< vertex that checkpoints travel to
        std::vector<WorkerResponse> responses; ///< by worker, for the synchronization
    };
    JobExecution(Shared shared, Start start, RouteTable& routes);
    ~JobExecution(); ///< stops and joins

    bool ended() const { return m_ended.load(std::memory_order_acquire); }
    void stop(); ///< stops and joins all threads; the rest is valid after it
    /// Why it ended by itself; nullopt: it was stopped. Rethrows an error of one of its threads.
    std::optional<FinishReason> finishReason() const;
    bool diverged() const { return m_diverged; }
    JobSnapshot snapshot() const;
    std::optional<JobSnapshot> checkpoint() const { return m_checkpoint; }
    std::uint32_t lastTask() const;

    /// Events since the last call, in no order; any time.
    void takeEvents(std::vector<Event>& out);
    /// Copies explanation `index` of this job's coordinator.
    Explanation explanation(std::uint32_t index) const;
    /// Whether any of its messages crosses the link.
    bool uses(LinkId link) const;

private:
    class Context; ///< ParameterContext over threads
    struct Assign {
        std::uint32_t task;
        Assignment assignment;
    };
    struct Cancel {
        std::uint32_t task;
    };
    struct ComputeOver {
        std::uint32_t task;
    };
    struct Leave {
        ParameterMessage message;
    };
    struct NodeTimer {
        std::uint64_t tag;
    };
    struct Commit {
        std::uint64_t update;
        std::shared_ptr<const std::vector<double>> aggregate;
    };
    using NodeItem = std::variant<ParameterMessage, Assign, Cancel, ComputeOver, Leave, NodeTimer, Commit>;

    struct Part {
        NodeIndex worker;
        std::uint64_t operation;
        std::vector<Key> keys;
        std::vector<double> values;
    };
    struct Applied {
        std::vector<std::pair<Key, std::vector<double>>> values;
    };
    struct Evaluated {
        std::uint64_t update;
        double loss, gradientNorm;
    };
    struct Timer {
        std::uint32_t tag;
    };
    struct EvaluationOver {};
    struct CheckpointOver {
        JobSnapshot snapshot;
    };
    struct TimeOver {};
    using CoordinatorItem =
        std::variant<Part, Applied, Evaluated, Timer, EvaluationOver, CheckpointOver, TimeOver>;
    struct Evaluate {
        std::uint64_t update;
        std::vector<double> parameters;
        double gradientNorm;
    };

    struct Node {
        NodeIndex index = 0;
        NodeRun run;
        WorkerRun worker; ///< nodes below layout.workers
        Inbox<NodeItem> inbox;
        EventBuffer events;
        std::jthread thread;
    };
    struct WorkerRecord {
        bool busy = false;
        std::uint32_t task = 0, keysMissing = 0;
        std::uint64_t readVersion = 0;
        int samples = 0;
        SimTime assigned;
        std::vector<double> message;
    };

    void guarded(const std::function<void()>& body);
    void end();
    void emit(EventBuffer& events, EventType type, std::uint32_t a = 0, std::uint32_t b = 0, double value = 0,
              std::uint16_t aux = 0);
    MachineId machineOf(NodeIndex node) const;

    // Node threads (NodeThread.cpp)
    void runNode(Node& node, std::stop_token stop);
    void handle(Node& node, NodeItem item);
    void beginTask(Node& node, const Assign& assign);
    void beginCompute(Node& node);
    void finishCompute(Node& node, std::uint32_t task);
    void commit(Node& node, const Commit& commit);
    void deliver(ParameterMessage message);

    // Coordinator thread (JobExecution.cpp)
    void runCoordinator(std::stop_token stop);
    void handle(CoordinatorItem item);
    void begin();
    void advance();
    void applyAction(const SyncActions::Action& action);
    void assign(std::uint32_t worker, Assignment assignment);
    void arrived(const Part& part);
    void applied(const Applied& part);
    void finishUpdate();
    void afterEvaluation();
    void requestEvaluation();
    void evaluated(const Evaluated& result);
    void finish(FinishReason reason);
    void takeCheckpoint();
    void runEvaluator(std::stop_token stop);
    std::size_t owners() const { return m_layout.servers > 0 ? m_layout.servers : m_layout.workers; }
    NodeIndex firstOwner() const { return m_layout.servers > 0 ? m_layout.workers : 0; }

    Shared m_shared;
    const Job& m_spec;
    Placement m_placement;
    DelayModel
        m_delays; ///< coordinator's copy is unused; node threads lock m_delaysMutex (burst chains are cached)
    std::mutex m_delaysMutex;
    StoreLayout m_layout;
    std::vector<Key> m_allKeys;
    std::vector<std::vector<std::optional<RouteTable::Route>>> m_routes; ///< by machine pair index of nodes
    std::vector<std::optional<RouteTable::Route>> m_storageRoutes;       ///< by owner
    std::vector<std::unique_ptr<Node>> m_nodes;

    Coordinator m_coordinator;
    std::vector<WorkerRecord> m_records;
    std::vector<std::vector<double>> m_values; ///< by key, as last reported by the owners
    std::size_t m_acksMissing = 0;
    std::uint64_t m_evaluationsAsked = 0, m_lastAsked = 0;
    std::optional<FinishReason> m_ending; ///< waits for the last evaluation
    bool m_checkpointUnderWay = false;
    double m_ranSeconds = 0;
    Inbox<CoordinatorItem> m_inbox;
    Inbox<Evaluate> m_evaluations;
    EventBuffer m_events;
    mutable std::mutex m_whyMutex;
    ExplanationArena m_why;

    std::atomic<bool> m_ended{false};
    std::optional<FinishReason> m_reason;
    bool m_diverged = false;
    std::optional<JobSnapshot> m_checkpoint;
    mutable std::mutex m_errorMutex;
    std::exception_ptr m_error;
    std::jthread m_coordinatorThread, m_evaluatorThread;
};

} // namespace trainyard
