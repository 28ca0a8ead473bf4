// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The state of a simulation and what moves it on: everything that is needed to continue from an instant, as
// one copyable value (Simulation::clone). Split by concern: SimulationCore.cpp (loop, commands), JobProgress.cpp
// (jobs and their coordinators), TaskProgress.cpp (tasks), RateProgress.cpp (analytic jobs under the rate model), KeyedProgress.cpp,
// Transfers.cpp (messages and links). Only Simulation.cpp uses it.
#include "engine/DelayModel.h"
#include "engine/EventQueue.h"
#include "engine/RunCore.h"
#include "engine/TransferTable.h"
#include "engine/keyed/KeyedJob.h"

namespace trainyard {

class SimulationCore final : public RunCore {
public:
    SimulationCore(SimulationOptions options, std::shared_ptr<const Workload> workload,
                   std::vector<std::shared_ptr<const TrainingProblem>> problems);
    SimulationCore(const SimulationCore& other) = default;
    SimulationCore& operator=(const SimulationCore&) = delete;

    /// The next event, if it comes no later than `last`. false: none does, or the run has ended.
    bool step(SimTime last = SimTime::never());
    SimTime nextTime();
    void command(const Command& command);
    std::vector<double> parameters(JobId job) const;

    std::size_t eventsProcessed = 0;
    bool finished = false;
    bool limited = false; ///< finished by the limit of events

private:
    enum class Kind : std::uint16_t {
        arrival,
        decide,
        wake,
        network,
        slotLeave,
        slotDeliver,
        computeDone,
        stepDone,
        nodeTimer,
        rateTick,
        graphDone,
        keyedTick,
        keyedQuiet,
        keyedLimit,
        fault,
        commandDue,
    };
    /// What a transfer is for; by its Id.
    struct Payload {
        std::uint32_t generation = 0;            ///< of the job's start
        std::optional<ParameterMessage> message; ///< nullopt: parameters that are restored or saved
    };
    /// A running analytic job under the rate model: it advances along a path (SpeedEstimator::Progress), not by tasks.
    struct RateRun {
        std::uint32_t generation = 0;
        UpdateTime update;
        CurveCourse course;
        double look = 0; ///< the next update at which its loss is evaluated on the way
        double goal = 0;
        FinishReason reason = FinishReason::iterations;
        std::vector<std::pair<DirectedLink, double>> bytes; ///< per update, ascending
    };
    struct Computing {
        SimTime end;
        std::uint32_t job = 0, worker = 0, task = 0;
        friend auto operator<=>(const Computing&, const Computing&) = default;
    };
    class Context; ///< ParameterContext over virtual time
    class Effects; ///< CoordinatorEffects over virtual time

    // SimulationCore.cpp
    void push(SimTime at, Kind kind, std::uint32_t a = 0, std::uint64_t b = 0, std::uint16_t small = 0) {
        throwIfStopped(m_stop);
        m_queue.push(at, static_cast<std::uint16_t>(kind), small, a, b);
    }
    /// What it was for is over: its job has ended, its task was cancelled, its timer replaced. It happens no
    /// more, and no time passes for it.
    bool isOver(const PendingEvent& event);
    void dropOver();
    void dispatch(const PendingEvent& event);
    void settleInstant(); ///< before the queue is asked for what comes next
    void bringKeyedUpTo(SimTime last);
    void advanceTo(SimTime time); ///< no event of an earlier time comes after this
    void endRun();
    void requestDecision() override;
    void decide();
    void carryOut(const Command& command);
    void schedule(const FaultClock::Turn& turn) override;
    void scheduleGraphEnd(JobId job, SimTime at) override;

    // JobProgress.cpp
    void launch(JobId job, Restoring restoring) override;
    std::optional<JobSnapshot> halt(JobId job, bool goesOn) override;
    bool survives(JobId job, std::span<const std::uint32_t> leaving) override;
    std::size_t placesOf(JobId job) override;
    void removeWorkers(JobId job, std::span<const std::uint32_t> leaving) override;
    void changeWorkers(JobId job, bool resized) override;
    void partArrived(JobRun& run);
    void proceed(JobRun& run, Coordinator::Step step, std::uint32_t tag);
    void assign(JobRun& run, std::uint32_t worker, const Assignment& assignment, bool reads);
    void startCompute(JobRun& run, std::uint32_t worker);
    void finishCompute(JobRun& run, std::uint32_t worker);
    void ensureComputed(JobRun& run, std::uint32_t worker);
    void pulled(JobRun& run, NodeIndex node, std::uint64_t operation, PulledValues read);
    static void takeParameters(JobRun& run, WorkerRun& worker, PulledValues read);
    void arrived(JobRun& run, NodeIndex worker, std::uint64_t operation, std::span<const Key> keys,
                 std::span<const double> values);
    void cancelTask(JobRun& run, std::uint32_t worker);
    void evaluate(JobRun& run);
    void gradientArrived(JobRun& run, std::uint32_t worker);

    // RateProgress.cpp
    void startRate(JobId job, const Restoring& restoring);
    void rateGoal(JobId job, RateRun& rate) const;
    void planLook(JobId job);
    double restoringSeconds(const Restoring& restoring);
    void carry(JobId job, const ParameterTransfer& transfer, double times = 1);
    std::vector<std::pair<DirectedLink, double>> bytesPerUpdate(JobId job, const UpdateTime& update);
    void rateTick(JobId job, std::uint16_t which);
    void evaluateRate(JobId job, const RateRun& rate);
    void evaluateDue(JobId job);
    void advanceRate(JobId job, double updates, bool goesOn = false);
    void logOwed(JobId job);
    void takeRateCheckpoints(JobId job, double updates);
    std::optional<JobSnapshot> haltRate(JobId job, bool goesOn);
    bool advancesByRate(JobId job) const;

    // KeyedProgress.cpp
    void startKeyed(JobId job, const Restoring& restoring);
    void beginKeyed(JobId job, const KeyedStart& start);
    struct KeyedVerdict {
        bool targetMet = false, diverged = false;
    };
    KeyedVerdict evaluateKeyed(JobId job, KeyedJob& keyed);
    void sendCheckpoint(JobId job, KeyedJob& keyed);
    std::function<KeyedRoute(MachineId, MachineId)> keyedRouteFinder();
    void setKeyedGoal(JobId job, KeyedJob& keyed);
    void goOnKeyed(JobId job, SimTime at);
    void tickLater(JobId job, KeyedJob& keyed, SimTime from);
    /// Everything of keyed jobs before that instant. True: one has come to rest, and that is in the queue.
    bool advanceKeyed(SimTime until);
    bool announceQuiet();
    void flushKeyedEntries();
    double samplesOfIterations(JobId job, std::uint64_t iterations) const;
    void noteKeyedProgress(JobId job);
    void keyedTick(JobId job);
    void keyedQuiet(JobId job);
    void rerouteKeyed();
    std::optional<JobSnapshot> haltKeyed(JobId job);
    void logKeyed(JobId job, KeyedJob& keyed);
    void logKeyedBytes(JobId job, KeyedJob& keyed);
    void logShownKeys(JobId job, KeyedJob& keyed);
    void logHeldKeys(JobId job, KeyedJob& keyed);

    // Transfers.cpp
    void send(const JobRun& run, const std::vector<ParameterTransfer>& transfers);
    std::optional<ParameterMessage>& payloadOf(TransferTable::Id transfer, const JobRun& run);
    void sendMessage(JobRun& run, ParameterMessage&& message, double holdSeconds);
    void depart(TransferTable::Id transfer);
    void pushArrival(const TransferTable::Arrival& arrival);
    void logCarried();
    void deliver(TransferTable::Id transfer);
    void release(TransferTable::Id transfer);
    void deliverMessage(JobRun& run, ParameterMessage&& message);
    static WorkerRun* workerOf(JobRun& run, const ParameterMessage& message);
    void cancelTransfers(JobId job);
    void cancelMessages(JobRun& run, std::uint32_t worker);
    void reroute(LinkId link, bool up) override;
    void completeFlows();
    void flushNetwork();
    void fireNodeTimer(JobRun& run, std::uint32_t index);

    JobRun* runOf(JobId job) { return m_runs[job.index()].get(); }
    JobRun* runOf(JobId job, std::uint32_t generation) {
        JobRun* run = runOf(job);
        return run && run->generation == generation ? run : nullptr;
    }

    const SimTime m_horizon;
    const std::size_t m_mostEvents;
    std::size_t m_atInstant = 0; ///< events processed at the present instant, but for the first
    double m_mostAtInstant = 0;  ///< where time does not advance
    EventQueue m_queue;
    TransferTable m_transfers;
    std::vector<Payload> m_payloads; ///< by transfer
    DelayModel m_delays;
    std::vector<Cloned<JobRun>> m_runs; ///< by job; null where not running task by task
    std::vector<std::optional<RateRun>> m_rates;
    /// By job: bytes of its updates so far that have not been logged, ascending by link.
    std::vector<std::vector<std::pair<DirectedLink, double>>> m_owed;
    std::vector<Cloned<JobRun>> m_retired; ///< ended during this step
    std::vector<Cloned<KeyedJob>> m_keyed; ///< by job; null where not running keyed
    std::vector<JobId> m_keyedIds;         ///< of all keyed jobs, running or not: runs without any lose no time
    std::vector<std::optional<KeyedStart>> m_keyedStarts; ///< by job: those without a way for their parameters
    std::vector<Cloned<KeyedJob>> m_retiredKeyed;         ///< ended during this step
    SimTime m_keyedUntil;                                 ///< keyed jobs have come as far as everything before it
    /// Trained tasks that were begun, a heap, the first to end in front: with several threads gradients are
    /// evaluated a few at a time when first needed. Some may have been cancelled or evaluated since.
    std::vector<Computing> m_computing;
    std::uint32_t m_generation = 0;
    bool m_decisionPending = false;
    std::uint64_t m_networkEvent = 0;
    SimTime m_networkAt = SimTime::never();
    std::vector<LinkReport> m_linkReports; ///< working memory
};

} // namespace trainyard
