#pragma once
// The state of a simulation and what moves it on: everything that is needed to continue from an instant, as
// one copyable value (Simulation::clone). Split by concern: SimulationCore.cpp (loop, scheduling),
// JobProgress.cpp (beginnings, updates, ends), TaskProgress.cpp (tasks), RateProgress.cpp (analytic jobs
// under the rate model), Transfers.cpp (messages and links), Failures.cpp (faults, checkpoints, commands).
// Only Simulation.cpp uses it.
#include "engine/DelayModel.h"
#include "engine/EventQueue.h"
#include "engine/FaultClock.h"
#include "engine/FlowNetwork.h"
#include "engine/JobRun.h"
#include "engine/RunCore.h"

#include <map>
#include <unordered_map>

namespace trainyard {

class SimulationCore final : public RunCore {
public:
    SimulationCore(SimulationOptions options, std::shared_ptr<const Workload> workload,
                   std::vector<std::shared_ptr<const TrainingProblem>> problems);
    SimulationCore(const SimulationCore& other);
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
        updateDone,
        evaluationDone,
        syncTimer,
        nodeTimer,
        secondsLimit,
        rateTick,
        graphDone,
        fault,
        repair,
        commandDue,
    };
    /// A transfer on its way; `serial` guards against reuse.
    struct Slot {
        enum class Use { message, checkpoint, prepare };
        bool live = false, inFlow = false, blocked = false;
        Use use = Use::message;
        std::uint32_t serial = 0;
        JobId job;
        std::uint32_t generation = 0;
        ParameterMessage message;
        std::uint32_t from = 0, to = 0; ///< vertices
        double bytes = 0;
        Duration latency{};
        FlowId flow = 0;
        std::vector<DirectedLink> links;
    };
    /// An analytic job under the rate model: it advances by a rate, not by tasks.
    struct RateRun {
        std::uint32_t generation = 0;
        SimTime since;
        double secondsPerUpdate = 0, updatesAtStart = 0, updatesGoal = 0, samplesPerUpdate = 0;
        double bytesPerUpdate = 0;
        std::vector<DirectedLink> links; ///< of every worker–server pair, both ways, repeated
        FinishReason reason = FinishReason::iterations;
        int ticks = 0;
    };
    struct Carried {
        JobId job;
        DirectedLink link;
        double bytes = 0;
    };
    struct Computing {
        SimTime end;
        std::uint32_t job = 0, worker = 0, task = 0;
        friend auto operator<=>(const Computing&, const Computing&) = default;
    };
    class Context; ///< ParameterContext over virtual time

    // SimulationCore.cpp
    /// What it was for is over: its job has ended, its task was cancelled, its timer replaced. It happens no
    /// more, and no time passes for it.
    bool isOver(const PendingEvent& event);
    void dropOver();
    void dispatch(const PendingEvent& event);
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
    void notify(JobRun& run, JobRun::Notice notice);
    void advance(JobRun& run);
    void callSynchronization(JobRun& run, const JobRun::Notice& notice);
    void applyAction(JobRun& run, const SyncActions::Action& action);
    void assign(JobRun& run, std::uint32_t worker, const Assignment& assignment);
    void startCompute(JobRun& run, std::uint32_t worker);
    void finishCompute(JobRun& run, std::uint32_t worker);
    void ensureComputed(JobRun& run, std::uint32_t worker);
    void pulled(JobRun& run, NodeIndex node, std::uint64_t operation, PulledValues read);
    static void takeParameters(JobRun& run, WorkerRun& worker, PulledValues read);
    void arrived(JobRun& run, NodeIndex worker, std::uint64_t operation, std::span<const Key> keys,
                 std::span<const double> values);
    void cancelTask(JobRun& run, std::uint32_t worker);
    void beginUpdate(JobRun& run, const SyncActions::Update& update);
    void applyAggregate(JobRun& run);
    void finishUpdate(JobRun& run);
    void refreshParameters(JobRun& run);
    void evaluate(JobRun& run);
    bool reachedEnd(JobRun& run);
    void finishJob(JobId job, FinishReason reason);
    void failJob(JobId job, FailReason reason);
    void endJobRun(JobId job);
    void stopClocks(JobId job);
    void startRate(JobId job);
    void advanceRate(JobId job, bool final);
    void startGraph(JobId job);

    // Transfers.cpp
    std::uint32_t newSlot(JobId job, std::uint32_t generation, Slot::Use use, std::uint32_t from,
                          std::uint32_t to, double bytes);
    void sendMessage(JobRun& run, ParameterMessage&& message, double holdSeconds);
    void launch(std::uint32_t slot);
    void carry(JobId job, DirectedLink link, double bytes);
    void logCarried();
    void deliver(std::uint32_t slot);
    void deliverMessage(JobRun& run, ParameterMessage&& message);
    static WorkerRun* workerOf(JobRun& run, const ParameterMessage& message);
    void releaseSlot(std::uint32_t slot);
    const std::optional<RouteTable::Route>& routeBetween(std::uint32_t from, std::uint32_t to);
    void cancelSlots(JobId job);
    void cancelMessages(JobRun& run, std::uint32_t worker);
    void cancelSlot(std::uint32_t slot);
    void rerouteAfter(LinkId link, bool up);
    void completeFlows();
    void flushNetwork();
    void fireNodeTimer(JobRun& run, std::uint32_t index);
    std::uint32_t vertexOfNode(const JobRun& run, NodeIndex node) const;
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
    FlowNetwork m_network;
    RouteTable m_routes;
    std::unordered_map<std::uint64_t, std::optional<RouteTable::Route>> m_knownRoutes; ///< asked for so far
    DelayModel m_delays;
    Parallel m_parallel;
    std::vector<std::unique_ptr<JobRun>> m_runs; ///< by job; null where not running task by task
    std::vector<std::optional<RateRun>> m_rates;
    std::vector<std::optional<JobSnapshot>> m_saved;       ///< by job: where it continues when started again
    std::vector<std::optional<JobSnapshot>> m_checkpoints; ///< by job: the last complete checkpoint
    std::vector<std::uint32_t> m_taskNumbers; ///< by job: highest task number used before the current start
    std::vector<std::unique_ptr<JobRun>> m_retired; ///< ended during this step
    std::vector<double> m_ranSeconds;               ///< by job, before the current start
    std::vector<SimTime> m_startedAt;
    std::vector<double> m_graphLeft; ///< by job: share of a graph job's steps still to do
    std::vector<Slot> m_slots;
    std::vector<std::uint32_t> m_freeSlots;
    /// Trained tasks that were begun, a heap, the first to end in front: with several threads gradients are
    /// evaluated a few at a time when first needed. Some may have been cancelled or evaluated since.
    std::vector<Computing> m_computing;
    FaultClock m_faults;
    std::uint32_t m_generation = 0, m_serial = 0;
    bool m_decisionPending = false;
    int m_idleWakes = 0; ///< wake-ups in a row at which nothing was decided and nothing else was pending
    bool m_networkTouched = false;
    std::uint64_t m_networkEvent = 0;
    SimTime m_networkAt = SimTime::never();
    std::vector<double> m_loggedLoads;
    std::vector<Carried> m_carried;           ///< at the present instant, not logged yet
    std::vector<std::uint32_t> m_carriedAt;   ///< by directed link: its last entry there, if it still is one
    std::vector<MachineId> m_previousServers; ///< during a resize: where the parameters come from
};

} // namespace trainyard
