// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One running job in real time: a thread for every worker and server node, one for the coordinator and one
// that evaluates the loss, joined by inboxes and the run's network. Node protocols, coordinator and
// arithmetic are those of the simulation; delays of the cluster model are added to the real computation.
// Executor's thread also changes its workers in the coordinator's place.
#include "engine/Execution.h"

#include <atomic>
#include <exception>

namespace trainyard {

class JobExecution final : public Execution, private CoordinatorEffects {
public:
    JobExecution(const Shared& shared, JobSetup setup);
    ~JobExecution() override;

    bool ended() const override { return m_ended.load(std::memory_order_acquire); }
    /// Tasks that are under way are cancelled, gradients that have arrived lost, transfers taken off the network.
    void stop() override;
    bool survives(std::span<const std::uint32_t> leaving) override;
    std::size_t places() const override { return layout().workers; }
    void removeWorkers(std::span<const std::uint32_t> leaving) override;
    void changeWorkers(const JobAllotment& now, bool resized) override;
    std::optional<FinishReason> finishReason() const override;
    bool diverged() const override { return m_diverged; }
    std::optional<JobSnapshot> snapshot() const override { return m_coordinator.snapshot(); }
    const std::optional<JobSnapshot>& checkpoint() const override { return m_coordinator.checkpoint; }
    /// Highest number of a task so far, and how often the synchronization was asked.
    void leaveTo(JobLife& life) const override;
    void takeEvents(std::vector<Event>& out) override;
    /// Copies explanation `index` of this job's coordinator.
    Explanation explanation(std::uint32_t index) const override;

private:
    class Context; ///< ParameterContext over threads
    // For nodes.
    struct Task {
        std::uint32_t number;
        std::int64_t samples;
        Assignment assignment;
        Coordinator::Share share;
        double secondsPerSample;
        bool reads;
    };
    struct ComputeOver {
        std::uint32_t task;
    };
    struct NodeTimer {
        std::uint64_t tag;
    };
    using NodeItem = std::variant<ParameterMessage, Task, ComputeOver, NodeTimer>;
    // For the coordinator.
    struct Begin {};
    struct PartSent {}; ///< see Coordinator::partArrived()
    struct Part {
        NodeIndex worker;
        std::uint64_t operation;
        std::vector<Key> keys;
        std::vector<double> values;
    };
    struct StepDone {
        Coordinator::Step step;
        std::uint32_t tag;
    };
    struct Evaluated {
        std::uint64_t update;
        double loss, gradientNorm;
    };
    using CoordinatorItem = std::variant<Begin, PartSent, Part, StepDone, Evaluated>;
    // For the evaluator.
    struct Evaluate {
        std::uint64_t update;
        double position; ///< on the loss curve of an analytic job
        std::vector<double> parameters;
        double gradientNorm;
    };

    struct Node {
        explicit Node(PendingWork& work) : inbox(work) {}
        NodeIndex index = 0;
        std::atomic<std::uint32_t> machine{0}; ///< changes when another worker takes the number
        bool isHome = false;                   ///< of keys, at the start
        std::unique_ptr<ParameterNode> protocol;
        WorkerRun worker;                        ///< nodes below layout.workers; its own thread's, but for:
        std::mutex stageMutex;                   ///< of changes of worker.task, its stage and times
        std::uint32_t cancelled = 0;             ///< tasks up to this one go no further, and log nothing
        std::vector<std::vector<double>> read;   ///< by key: what the protocol was shown last
        std::vector<std::uint64_t> readVersions; ///< by key: updates applied to that
        Inbox<NodeItem> inbox;
        EventBuffer events;
        std::jthread thread;
    };
    /// A push on its way to the coordinator.
    struct Incoming {
        MissingKeys missing;
        std::vector<double> message;
    };

    void guarded(const std::function<void()>& body);
    void end();
    /// A node, or another worker with its number, begins on the machine.
    void open(NodeIndex index, MachineId machine, std::unique_ptr<ParameterNode> protocol);
    SimTime emit(EventBuffer& buffer, Event event) const; ///< its instant
    const StoreLayout& layout() const { return m_coordinator.layout(); }
    bool trained() const { return m_coordinator.problem != nullptr; }

    // Node threads (NodeThread.cpp)
    void runNode(Node& node, std::stop_token stop);
    void handle(Node& node, NodeItem item);
    void beginTask(Node& node, const Task& task);
    void beginCompute(Node& node);
    void finishCompute(Node& node, std::uint32_t task);
    void send(Node& node, ParameterMessage message, double holdSeconds);

    // Coordinator thread (JobExecution.cpp)
    void runCoordinator(std::stop_token stop);
    void handle(CoordinatorItem item);
    void arrived(const Part& part);
    void evaluated(const Evaluated& result);
    void runEvaluator(std::stop_token stop);
    double lossAt(double position, std::span<const double> parameters) const;

    // CoordinatorEffects, on the coordinator thread.
    SimTime now() const override { return m_shared.clock.now(); }
    bool goesOn() const override { return !ended() && !m_ending; }
    void log(const Event& event) override { emit(m_events, event); }
    void explain(const std::function<void(ExplanationArena&, std::vector<std::uint32_t>&)>& tell) override;
    void beginTask(std::uint32_t worker, const Assignment& assignment, bool reads) override;
    void cancelTask(std::uint32_t worker) override;
    void cancelTasks();
    void after(Duration time, Coordinator::Step step, std::uint32_t tag) override;
    void applyUpdate() override;
    void send(const std::vector<ParameterTransfer>& transfers) override;
    std::optional<std::uint32_t> storage() const override { return m_shared.storage; }
    void evaluate() override;
    void finish(FinishReason reason) override;

    Shared m_shared;
    std::shared_ptr<ParameterPolicy> m_parameterPolicy; ///< makes nodes
    DelayModel m_delays;                                ///< node threads lock m_delaysMutex (burst chains are cached)
    std::mutex m_delaysMutex;

    /// Of m_coordinator: held by its thread while it handles an item, and by who changes workers
    std::mutex m_turnMutex;
    Coordinator m_coordinator;
    std::mutex m_storeMutex;                    ///< of m_coordinator.store, whose numbers only the coordinator changes
    std::vector<std::unique_ptr<Node>> m_nodes; ///< null: a number that no worker has had yet
    std::vector<Incoming> m_incoming;           ///< by worker
    std::uint64_t m_lastAsked = 0;              ///< update whose loss was asked for last
    std::optional<FinishReason> m_ending;       ///< waits for the last evaluation
    Inbox<CoordinatorItem> m_inbox;
    Inbox<Evaluate> m_evaluations;
    EventBuffer m_events;
    mutable std::mutex m_whyMutex;
    ExplanationArena m_why;

    std::atomic<bool> m_ended{false};
    std::optional<FinishReason> m_reason;
    bool m_diverged = false;
    mutable std::mutex m_errorMutex;
    std::exception_ptr m_error;
    std::jthread m_coordinatorThread, m_evaluatorThread;
};

} // namespace trainyard
