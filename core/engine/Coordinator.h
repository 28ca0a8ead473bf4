// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The coordinator of one running job, the same in virtual and in real time: it holds the gradients that wait
// for a verdict, consults the synchronization policy one notice at a time, carries out its answers and
// applies updates. A copyable value. What it causes outside of itself goes through CoordinatorEffects, which
// SimulationCore implements on the event queue and JobExecution on threads.
#include "base/Cloned.h"
#include "engine/JobStore.h"
#include "model/Placement.h"
#include "policy/Synchronization.h"
#include "record/Events.h"

#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace trainyard {

struct HeldMessage {
    std::uint32_t worker = 0, task = 0;
    std::uint64_t readVersion = 0;
    std::int64_t samples = 0;
    /// Null: of an analytic job. Copies share it, so their views hold.
    std::shared_ptr<const std::vector<double>> message;
};

class CoordinatorEffects;

/// What a job has while it runs.
struct JobAllotment {
    const Placement& placement;
    int batch = 0;                         ///< 0: as declared
    std::vector<WorkerResponse> responses; ///< by worker
};

struct Coordinator {
    /// Something the policy has still to be told, in order.
    struct Notice {
        enum class Kind { start, arrival, membership, timer } kind;
        std::uint32_t worker = 0, task = 0; ///< arrival; timer: tag in task
    };
    /// What takes time by itself.
    enum class Step : std::uint8_t { update, evaluation, timer, secondsLimit, restart };

    JobId id;
    const Job* spec = nullptr; ///< in the workload of the run
    Placement placement;
    std::uint64_t seed = 0;
    std::shared_ptr<const TrainingProblem> problem; ///< null: analytic
    Cloned<Synchronization> synchronization;
    std::vector<WorkerResponse> responses; ///< by worker; borrows from the workload of the run
    std::vector<WorkerView> workers;
    std::vector<bool> hasRead;          ///< by worker: it has parameters that it can compute at again
    std::vector<std::uint32_t> shareOf; ///< by worker: which of `shares` parts of the data is its own
    std::uint32_t shares = 1;
    int batch = 0;               ///< of the job, where it is another than declared
    std::uint32_t present = 0;   ///< workers that are there; asked for each task, so it is counted along
    std::uint32_t firstTask = 0; ///< tasks of workers that come are numbered after it
    bool begun = false;          ///< the policy has been told of the start
    int busy = 0;                ///< of the workers
    std::vector<HeldMessage> held;
    std::vector<HeldGradient> heldViews; ///< of held, in its order
    std::deque<Notice> notices;
    std::vector<SyncActions::Action> actions; ///< those before nextAction have been carried out
    std::size_t nextAction = 0;
    bool advancing = false;        ///< inside the loop that carries out actions
    bool updating = false;         ///< servers are busy with an update or an evaluation; notices wait
    std::vector<double> aggregate; ///< of the update under way
    double aggregateSamples = 0;
    struct Gathered {
        std::uint32_t worker = 0, task = 0;
        double samples = 0, weight = 0;
    };
    std::vector<Gathered> gathered; ///< of the update under way, by worker and task
    Restoring restoring;
    double ranSeconds = 0;          ///< before this start
    std::uint32_t partsMissing = 0; ///< transfers of parameters under way: before it begins, then of a checkpoint
    std::optional<JobSnapshot> checkpointUnderWay, checkpoint; ///< the latter: the last complete one of this start

    std::uint64_t updates = 0;
    double samplesUsed = 0;
    double ahead = 0; ///< on its loss curve: CurveCourse
    bool measuresNoise = false;
    NoiseScale noise;
    JobStore store;
    std::vector<double> initialParameters;
    std::vector<double> lastGradient, previousGradient;
    double distance = 0, lastLoss = std::numeric_limits<double>::quiet_NaN(); ///< ‖w − w₀‖₂; as last evaluated
    std::uint64_t lastLossUpdate = 0;
    std::uint32_t policyCalls = 0;

    const StoreLayout& layout() const { return store.layout(); }
    JobSnapshot snapshot() const {
        return {store.parameters(), store.optimizerState(), updates, samplesUsed, ahead, noise, synchronization};
    }

    /// Once its parameters are there, the first loss and the first tasks; a job that was moved while its last loss was
    /// being evaluated ends. A limit of seconds counts from the call on.
    void start(CoordinatorEffects& effects);
    /// A transfer that was begun by CoordinatorEffects::send() has arrived.
    void partArrived(CoordinatorEffects& effects);
    /// Tells the policy and carries out what it answers, one after the other, until the servers are busy or
    /// nothing is left.
    void notify(Notice notice, CoordinatorEffects& effects);
    /// A step that was begun by CoordinatorEffects::after() has taken its time.
    void proceed(Step step, std::uint32_t tag, CoordinatorEffects& effects);
    /// All parts of a worker's gradient are at their owners. `readVersion`: updates applied to the parameters that it was computed at,
    /// of several owners the oldest.
    void gradientArrived(std::uint32_t worker, std::uint64_t readVersion, std::vector<double> message,
                         CoordinatorEffects& effects);
    /// The job stops here: gradients that have arrived, those of an update under way too, are logged as dropped.
    void loseHeld(CoordinatorEffects& effects);
    /// A worker is no more: its task is lost, gradients of its that have arrived are not.
    void removeWorker(std::uint32_t worker, CoordinatorEffects& effects);
    /// After workers were removed: those come that `now` has besides the present ones, and tasks that begin have the batch that
    /// it gives (0: as declared). `resized`: the data are divided anew among all of them; else the shares of those who are gone
    /// are left alone.
    void changeWorkers(const JobAllotment& now, bool resized, CoordinatorEffects& effects);
    /// Which part of the data an assignment draws from, and how many parts there are.
    struct Share {
        std::uint32_t number = 0, of = 1;
    };
    Share shareFor(std::uint32_t worker, const Assignment& assignment) const;
    /// On a device of speed 1.
    double secondsPerSampleOf(std::uint32_t worker) const;
    struct Verdict {
        bool diverged = false, targetMet = false;
    };
    /// The loss at the parameters of `update`: logs it, and says whether the job is to end by it.
    Verdict evaluated(double loss, std::uint64_t update, double gradientNorm, CoordinatorEffects& effects);
    double currentLoss() const;
    /// Euclidean norm of the gradient that the last update applied (for models with a curvature: of the
    /// gradient alone); NaN before the first, and for analytic jobs.
    double gradientNorm() const;
    /// Whether the job has done its iterations or epochs.
    std::optional<FinishReason> reached() const;
    /// Measures the distance from the start.
    void measureDistance();

private:
    void restart(CoordinatorEffects& effects);
    void begin(CoordinatorEffects& effects);
    void takeCheckpoint(CoordinatorEffects& effects);
    void finishCheckpoint(CoordinatorEffects& effects);
    void advance(CoordinatorEffects& effects);
    void consult(const Notice& notice, CoordinatorEffects& effects);
    void tell(const Notice& notice, std::span<const HeldGradient> gradients, const PolicyContext& context,
              SyncActions& answer);
    void carryOut(const SyncActions::Action& action, CoordinatorEffects& effects);
    void assign(std::uint32_t worker, Assignment assignment, CoordinatorEffects& effects);
    void shareData();
    void cancel(std::uint32_t worker, CoordinatorEffects& effects);
    /// Removes a held gradient; throws InvariantError, saying `what` the policy did, if it is not held.
    HeldMessage takeHeld(std::uint32_t worker, std::uint32_t task, const char* what);
    /// Adds up the gradients of an update into `aggregate`, in order of worker and task, so that the sum does
    /// not depend on who came first, and what the policy remembers last.
    void gather(const SyncActions::Update& update);
    void measureNoise(const SyncActions::Update& update, std::span<const HeldMessage* const> used);
    /// By what the step is multiplied for the batch of the update under way.
    double stepFactor() const;
    void finishUpdate(CoordinatorEffects& effects);
    void goOn(CoordinatorEffects& effects);
};

class CoordinatorEffects {
public:
    virtual ~CoordinatorEffects() = default;
    virtual SimTime now() const = 0;
    /// False once the job has ended, as it may by the calls below: nothing more is carried out.
    virtual bool goesOn() const = 0;
    virtual void log(const Event& event) = 0; ///< at the present instant
    /// Lends `tell` the arena of explanations, and logs those that it adds.
    virtual void explain(const std::function<void(ExplanationArena&, std::vector<std::uint32_t>&)>& tell) = 0;
    /// A worker's next task, numbered as its view says; `reads`: it reads the parameters first.
    virtual void beginTask(std::uint32_t worker, const Assignment& assignment, bool reads) = 0;
    virtual void cancelTask(std::uint32_t worker) = 0;
    /// Coordinator::proceed(step, tag) after the time.
    virtual void after(Duration time, Coordinator::Step step, std::uint32_t tag = 0) = 0;
    /// Applies the aggregate to the store.
    virtual void applyUpdate() = 0;
    /// Coordinator::partArrived() for each of them once it is there.
    virtual void send(const std::vector<ParameterTransfer>& transfers) = 0;
    /// Where the checkpoints of the run go: a vertex; nullopt: each machine's own disk.
    virtual std::optional<std::uint32_t> storage() const = 0;
    /// Evaluates the loss at the present parameters; may end the job.
    virtual void evaluate() = 0;
    /// Ends the job, once the loss at its last parameters has been evaluated.
    virtual void finish(FinishReason reason) = 0;
};

const LossEvaluation& evaluationRule(const Job& spec);
/// Whether the loss after so many updates counts: one that is merely looked at again, after a restart, ends no job.
bool evaluationIsDue(const Job& spec, std::uint64_t updates);
StepWithBatch stepRule(const Job& spec);
/// Rows of the job's data set; 0 for a stream.
double dataRows(const Job& spec, const TrainingProblem* problem);

} // namespace trainyard
