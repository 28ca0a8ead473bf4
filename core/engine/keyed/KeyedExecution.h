// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One keyed job in real time. Each of its nodes has a thread that serves messages and one for each of its workers, which read and add
// to keys of the node's store without a lock, or wait for a message. The protocol of a node (KeyNode) is called under the node's lock.
// Messages are due at the instant that the closed form of the simulation gives (network interfaces, latency); what they, reads and
// additions cost a thread is what they take here, not the costs that the job declares. A thread of the job's own restores it, logs
// counters, finds quiet points, and takes checkpoints.
#include "engine/Execution.h"
#include "engine/keyed/KeyedLog.h"
#include "engine/keyed/KeyedWork.h"
#include "engine/keyed/KeyedWorld.h"

#include <atomic>
#include <deque>
#include <exception>

namespace trainyard {

struct KeyedExecutionSetup {
    JobId job;
    Placement placement;
    KeyPlan plan;
    KeyedPace pace;
    std::shared_ptr<const KeyRanks> keys;
    std::shared_ptr<const KeyedSnapshot> saved; ///< null: from the start
    Restoring restoring;
    double ranSeconds = 0;     ///< before this start
    std::uint64_t updates = 0; ///< iterations that the job has done
    double samplesUsed = 0;
};

class KeyedExecution final : public Execution {
public:
    KeyedExecution(const Shared& shared, KeyedExecutionSetup setup);
    ~KeyedExecution() override;

    bool ended() const override { return m_ended.load(std::memory_order_acquire); }
    /// What is under way is delivered at once: nothing is lost.
    void stop() override;
    void takeEvents(std::vector<Event>& out) override { m_events.takeInto(out); }
    std::optional<FinishReason> finishReason() const override;
    bool diverged() const override { return m_diverged; }
    std::optional<JobSnapshot> snapshot() const override { return m_snapshot; }
    const std::optional<JobSnapshot>& checkpoint() const override { return m_checkpoint; }
    void rerouted() override;

private:
    class Outbox;
    struct Worker {
        explicit Worker(KeyedWorker worker) : is(std::move(worker)) {}
        KeyedWorker is; ///< its thread's, but `step` under the node's lock while it waits, and `quota` while it is done
        alignas(64) KeyedCounts counts; ///< its thread's; read by others through atomic_ref
        KeyedCounts logged;             ///< of them
        std::condition_variable_any changed;
        std::jthread thread;
    };
    /// A message on its way.
    struct Arrival {
        SimTime sent;
        SimTime first, whole; ///< of its first and last bit
        SimTime due;          ///< when the node has received it
        std::uint64_t number = 0;
        KeyMessage message;
    };
    struct Node {
        std::uint32_t self = 0;
        MachineId machine;
        std::mutex mutex; ///< of the protocol, and of what follows
        std::unique_ptr<KeyNode> protocol;
        SimTime sendFree;
        std::uint64_t sent = 0;
        std::vector<SimTime> lastArrival;     ///< by receiver
        std::vector<std::uint64_t> pairBytes; ///< by receiver, since they were logged
        std::vector<KeyMessage> held;         ///< without a route, in the order sent
        KeyedCounts counts;                   ///< of messages and rounds
        CopyTimes copyTimes;
        std::size_t waiting = 0, done = 0; ///< workers
        bool roundDue = false;
        std::uint64_t roundsEnded = 0;
        std::vector<std::int64_t>
            changedAt; ///< by place of a replica: its first addition that is not collected; atomic_ref
        std::atomic<std::int64_t> nextRound{SimTime::never().ns};

        std::mutex inboxMutex; ///< of:
        bool woken = false;    ///< there is a round to come
        std::condition_variable_any inboxChanged;
        std::vector<Arrival> inbox; ///< a heap by first bit
        // Its server thread's:
        SimTime receiveFree;
        std::vector<Arrival> received; ///< a heap by due
        std::vector<std::unique_ptr<Worker>> workers;
        std::jthread thread;
    };

    void guarded(const std::function<void()>& body);
    void end(std::optional<FinishReason> reason);
    void tell(const Event& event) { m_events.appendNow(event, m_shared.clock); }
    void signal();
    const Job& spec() const { return m_shared.workload.job(m_setup.job); }

    // Server threads
    void serve(Node& node, const std::stop_token& stop);
    SimTime takeArrived(Node& node, SimTime now);
    void handle(Node& node, Arrival arrival);
    void beginRound(Node& node, SimTime now);
    void transmit(Node& from, KeyMessage&& message, SimTime now);

    // Workers' threads
    void work(Node& node, Worker& worker, const std::stop_token& stop);
    bool iterate(Node& node, Worker& worker, const std::stop_token& stop);
    bool awaitTurn(Node& node, Worker& worker, const std::stop_token& stop);
    bool read(Node& node, Worker& worker, const std::stop_token& stop);
    bool readExample(Node& node, Worker& worker, const std::stop_token& stop);
    bool addHere(Node& node, Worker& worker, std::uint32_t key, const float* delta);
    void addStep(Node& node, Worker& worker);
    void tellClock(Node& node);
    void add(Node& node, Worker& worker);
    void localizeAhead(Node& node, Worker& worker);
    Duration computeTime(const Node& node, const Worker& worker);

    // The job's own thread
    void run(const std::stop_token& stop);
    bool restore(const std::stop_token& stop);
    bool evaluate(std::uint64_t done);
    bool awaitTransfers(const std::vector<ParameterTransfer>& transfers, const std::stop_token& stop);
    bool awaitInstant(SimTime instant, const std::stop_token& stop);
    void beginStretch();
    bool awaitQuiet(const std::stop_token& stop);
    bool takeCheckpoint(const std::stop_token& stop);
    bool findQuiet();
    bool waitsForRoute();
    void log();
    void logHeld();
    void settle();
    void deliverAll();
    void setCounted(bool counted);
    std::vector<std::unique_lock<std::mutex>> lockNodes();
    std::vector<const KeyNode*> protocols() const;
    std::uint64_t iterations() const;
    KeyedSnapshot keyedSnapshot() const;

    Shared m_shared;
    KeyedExecutionSetup m_setup;
    KeyedGoal m_goal;
    std::uint64_t m_before = 0; ///< iterations that its present workers do not know of
    std::uint64_t m_logged = 0; ///< iterations
    KeyedAccess m_access;
    std::vector<float> m_delta; ///< what a push adds
    std::shared_ptr<const KeyJob> m_job;
    std::vector<std::uint32_t> m_watched; ///< keys
    std::atomic<std::size_t> m_watchedEvents{0};
    DelayModel m_delays;
    std::mutex m_delaysMutex;
    std::vector<Duration> m_compute; ///< by machine
    KeyedRoutes m_routes;            ///< changes with all nodes locked
    /// By parity of the round and node: when the oldest of its changes in that round was made (KeyedWorld::oldestChange).
    std::vector<std::atomic<std::int64_t>> m_oldestChange;
    std::vector<std::unique_ptr<Node>> m_nodes;
    std::atomic<std::size_t> m_busy{0};           ///< workers that are not done
    std::atomic<std::size_t> m_underWay{0};       ///< messages
    bool m_resting = true;                        ///< at a quiet point: no rounds of replicas; all nodes locked
    std::deque<KeyMessage>* m_settling = nullptr; ///< after all threads have ended: where messages go
    KeyedIntervals m_intervals;
    ShownKeys m_shown;
    SimTime m_limit = SimTime::never(); ///< when the job has had its time

    std::mutex m_mutex;     ///< of:
    bool m_counted = false; ///< as pending work
    std::condition_variable_any m_changed;
    bool m_signalled = false;
    std::size_t m_missing = 0; ///< transfers
    SimTime m_arrived;         ///< the last of them

    EventBuffer m_events;
    std::atomic<bool> m_ended{false};
    bool m_stopped = false;
    std::atomic<bool> m_diverged{false};
    mutable std::mutex m_endMutex; ///< of:
    std::optional<FinishReason> m_reason;
    std::exception_ptr m_error;
    std::optional<JobSnapshot> m_snapshot, m_checkpoint;
    std::jthread m_thread;
};

} // namespace trainyard
