#pragma once
// The coordinator of one running job, the same in virtual and in real time: it holds the gradients that wait
// for a verdict, consults the synchronization policy one notice at a time, and gathers updates. A copyable
// value; SimulationCore and JobExecution carry out its actions.
#include "learning/TrainingProblem.h"
#include "policy/Synchronization.h"
#include "record/Event.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace trainyard {

struct HeldMessage {
    std::uint32_t worker = 0, task = 0;
    std::uint64_t readVersion = 0;
    int samples = 0;
    std::vector<double> message;
};

struct Coordinator {
    /// Something the policy has still to be told, in order.
    struct Notice {
        enum class Kind { start, arrival, membership, timer } kind;
        std::uint32_t worker = 0, task = 0; ///< arrival; timer: tag in task
    };
    struct Consultation {
        const Job& spec;
        std::uint64_t seed;
        SimTime now;
        ExplanationArena& why;
        std::vector<std::uint32_t>& explained;
    };

    JobId id;
    std::shared_ptr<const TrainingProblem> problem; ///< null: analytic
    std::unique_ptr<Synchronization> synchronization;
    std::vector<WorkerResponse> responses; ///< by worker; borrows from the workload of the run
    std::vector<HeldMessage> held;
    std::vector<HeldGradient> heldViews; ///< of held, in its order
    std::deque<Notice> notices;
    std::vector<SyncActions::Action> actions; ///< those before nextAction have been carried out
    std::size_t nextAction = 0;
    bool advancing = false;        ///< inside the loop that carries out actions
    bool updating = false;         ///< servers are busy with an update or an evaluation; notices wait
    std::vector<double> aggregate; ///< of the update under way
    double aggregateSamples = 0;

    std::uint64_t updates = 0;
    double samplesUsed = 0;
    std::vector<double> parameters; ///< mirror of the stores after the last update
    std::vector<double> initialParameters;
    std::vector<double> lastGradient, previousGradient;
    double distance = 0, lastLoss;
    std::uint64_t lastLossUpdate = 0;
    std::uint32_t policyCalls = 0;

    Coordinator();
    Coordinator(const Coordinator& other);
    Coordinator(Coordinator&&) = default;
    Coordinator& operator=(const Coordinator&) = delete;

    /// Tells the policy the notice; its actions are appended to `actions`. `busy`: of the workers, those with
    /// a task.
    void consult(const Notice& notice, const Consultation& consultation, std::span<const WorkerView> workers,
                 int busy);
    bool hasAction() const { return nextAction < actions.size(); }
    SyncActions::Action takeAction() { return std::move(actions[nextAction++]); }
    /// A gradient has arrived and waits for its verdict.
    void hold(HeldMessage message);
    /// Removes a held gradient; throws InvariantError, saying `what` the policy did, if it is not held.
    HeldMessage takeHeld(std::uint32_t worker, std::uint32_t task, const char* what);
    /// Adds up the gradients of an update into `aggregate`, in order of worker and task, so that the sum does
    /// not depend on who came first, and what the policy remembers last; calls `used` for each.
    void gather(const SyncActions::Update& update, const std::function<void(const WeightedGradient&)>& used);
    /// After the servers have applied `aggregate`: counts it, and keeps it as the last gradient.
    void countUpdate();
    /// `parameters` has been refreshed: measures the distance from the start.
    void measureDistance();
    double currentLoss(const Job& spec) const;
    /// Euclidean norm of the gradient that the last update applied (for models with a curvature: of the
    /// gradient alone); NaN before the first, and for analytic jobs.
    double gradientNorm() const;
    bool evaluationDue(const Job& spec) const;
    /// Whether the job has done its iterations or epochs.
    std::optional<FinishReason> reached(const Job& spec) const;
};

const LossEvaluation& evaluationRule(const Job& spec);
/// Rows of the job's data set; 0 for a stream.
double dataRows(const Job& spec, const TrainingProblem* problem);

} // namespace trainyard
