#pragma once
// The state of a simulation and what moves it on: everything that is needed to continue from an instant, as
// one copyable value (Simulation::clone). Split by concern: SimulationCore.cpp (loop, scheduling),
// JobProgress.cpp (beginnings, updates, ends), TaskProgress.cpp (tasks), RateProgress.cpp (analytic jobs
// under the rate model), Transfers.cpp (messages and links), Failures.cpp (faults, checkpoints, commands).
// Only Simulation.cpp uses it.
#include "engine/DelayModel.h"
#include "engine/EventQueue.h"
#include "engine/FaultClock.h"
#include "engine/JobLife.h"
#include "engine/JobRun.h"
#include "engine/RunCore.h"
#include "engine/TransferTable.h"

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
        secondsLimit,
        rateTick,
        graphDone,
        fault,
        repair,
        commandDue,
    };
    /// What a transfer is for; by its Id.
    struct Payload {
        enum class Use { message, checkpoint, prepare };
        Use use = Use::message;
        std::uint32_t generation = 0; ///< of the job's start
        ParameterMessage message;
    };
    /// Copied with what it points to.
    struct OwnedRun : std::unique_ptr<JobRun> {
        using std::unique_ptr<JobRun>::unique_ptr;
        OwnedRun() = default;
        OwnedRun(const OwnedRun& o) : unique_ptr(o ? std::make_unique<JobRun>(*o) : nullptr) {}
        OwnedRun(OwnedRun&&) = default;
        OwnedRun& operator=(OwnedRun&&) = default;
    };
    /// A running analytic job under the rate model: it advances along a path (SpeedEstimator::Progress), not by tasks.
    struct RateRun {
        std::uint32_t generation = 0;
        UpdateTime update;
        std::vector<double> looks; ///< updates at which its loss is evaluated on the way
        double goal = 0;
        FinishReason reason = FinishReason::iterations;
        std::vector<std::pair<DirectedLink, double>> bytes; ///< per update, ascending
    };
    /// What a failure leaves of a job under the rate model: its last checkpoint.
    struct RateCheckpoint {
        double updates = 0, samples = 0;
    };
    struct Computing {
        SimTime end;
        std::uint32_t job = 0, worker = 0, task = 0;
        friend auto operator<=>(const Computing&, const Computing&) = default;
    };
    class Context; ///< ParameterContext over virtual time
    class Effects; ///< CoordinatorEffects over virtual time

    // SimulationCore.cpp
    /// What it was for is over: its job has ended, its task was cancelled, its timer replaced. It happens no
    /// more, and no time passes for it.
    bool isOver(const PendingEvent& event);
    void dropOver();
    void dispatch(const PendingEvent& event);
    void settleInstant();         ///< before the queue is asked for what comes next
    void advanceTo(SimTime time); ///< no event of an earlier time comes after this
    void endRun();
    void requestDecision();
    void decide();
    void startJob(JobId job, const Placement& placement) override;
    void resizeJob(JobId job, const Placement& placement) override;
    void arrive(JobId job);

    // JobProgress.cpp
    void createRun(JobId job, const Placement& placement, bool restored);
    void beginRun(JobRun& run);
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
    void removeWorkers(JobRun& run, MachineId machine);
    void finishJob(JobId job, FinishReason reason);
    void failJob(JobId job, FailReason reason);
    void endJobRun(JobId job);
    void stopClocks(JobId job);
    void startRate(JobId job, const Placement& before);
    void rateGoal(JobId job, RateRun& rate) const;
    void planLooks(JobId job, RateRun& rate) const;
    double preparationSeconds(JobId job, const Placement& before);
    std::vector<std::pair<DirectedLink, double>> bytesPerUpdate(JobId job, const UpdateTime& update);
    void rateTick(JobId job, std::uint16_t look);
    void advanceRate(JobId job, double updates);
    void takeRateCheckpoints(JobId job, double updates);
    void settle(JobId job);
    void startGraph(JobId job);
    bool advancesByRate(JobId job) const;

    // Transfers.cpp
    TransferTable::Id newTransfer(const JobRun& run, Payload::Use use, std::uint32_t from, std::uint32_t to,
                                  double bytes);
    Payload& payloadOf(TransferTable::Id transfer, const JobRun& run, Payload::Use use);
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
    void rerouteAfter(LinkId link, bool up);
    void completeFlows();
    void flushNetwork();
    void fireNodeTimer(JobRun& run, std::uint32_t index);
    std::uint32_t storageVertex() const;

    // Failures.cpp
    void scheduleFault(const FaultClock::Turn& turn);
    void fault(const PendingEvent& event, bool repair);
    void setMachine(std::uint32_t machine, bool up);
    void setLink(std::uint32_t link, bool up);
    void preempt(JobId job, PreemptReason reason) override;
    void takeCheckpoint(JobRun& run);
    void checkpointArrived(JobRun& run);
    void prepareTransfers(JobRun& run, bool restored);
    void carryOut(const Command& command);

    JobRun* runOf(JobId job) { return m_runs[job.index()].get(); }
    JobRun* runOf(JobId job, std::uint32_t generation) {
        JobRun* run = runOf(job);
        return run && run->generation == generation ? run : nullptr;
    }

    const SimTime m_horizon;
    EventQueue m_queue;
    TransferTable m_transfers;
    std::vector<Payload> m_payloads; ///< by transfer
    DelayModel m_delays;
    Parallel m_parallel;
    std::vector<OwnedRun> m_runs; ///< by job; null where not running task by task
    std::vector<std::optional<RateRun>> m_rates;
    std::vector<JobLife> m_lives;    ///< by job
    std::vector<OwnedRun> m_retired; ///< ended during this step
    std::vector<RateCheckpoint> m_rateCheckpoints; ///< by job
    /// Trained tasks that were begun, a heap, the first to end in front: with several threads gradients are
    /// evaluated a few at a time when first needed. Some may have been cancelled or evaluated since.
    std::vector<Computing> m_computing;
    FaultClock m_faults;
    std::uint32_t m_generation = 0;
    bool m_decisionPending = false;
    int m_idleWakes = 0; ///< wake-ups in a row at which nothing was decided and nothing else was pending
    std::uint64_t m_networkEvent = 0;
    SimTime m_networkAt = SimTime::never();
    std::vector<LinkReport> m_linkReports; ///< working memory
    std::vector<MachineId> m_previousServers; ///< during a resize: where the parameters come from
};

} // namespace trainyard
