// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which workers an update waits for, and how much each computes. One object per running job, called by that job's
// coordinator: at the start (and after a restart), when a worker's gradient has reached the servers, when workers come or
// go, and at timers it asked for. It answers with actions, carried out in the order given.
#include "model/Job.h"
#include "planning/UpdateTimes.h"
#include "policy/Context.h"
#include "policy/keys/KeyPlan.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace trainyard {

/// What one worker is to do next: read parameters (unless told to keep its copy), compute, push.
struct Assignment {
    int samples = 0;     ///< 0: the job's batch
    int localSteps = 1;  ///< > 1: local SGD; the message is the sum of the gradients along the local path
    bool rereads = true; ///< false: compute again at the parameters read before
    /// Data shares and coefficients (gradient coding); empty: the worker's own share with coefficient 1.
    std::vector<std::pair<std::uint32_t, double>> partitions;
    /// With partitions: the number of the batch drawn from each, below 2^24; the same number gives every worker the same
    /// rows.
    std::uint32_t draw = 0;
    /// With partitions: into how many the data are cut.
    std::uint32_t cuts = 0;
    friend bool operator==(const Assignment&, const Assignment&) = default;
};

struct WorkerView {
    bool present = false;   ///< placed and alive
    bool busy = false;      ///< has a task that has neither arrived nor been cancelled
    std::uint32_t task = 0; ///< number of the current or last task, from 1
    /// Updates applied to the parameters that its last gradient was computed at; of several owners the oldest.
    std::uint64_t readVersion = 0;
    std::int64_t samples = 0; ///< of the current or last task
    SimTime assigned;
};

/// A gradient that has reached the servers and waits for the verdict.
struct HeldGradient {
    std::uint32_t worker = 0, task = 0;
    std::uint64_t readVersion =
        0; ///< updates applied to the parameters that it was computed at; of several owners the oldest
    std::int64_t samples = 0;
    std::span<const double> message;                                    ///< empty for analytic jobs
    std::size_t gradientSize = std::numeric_limits<std::size_t>::max(); ///< numbers of it that are the gradient
    /// The message without what some models send behind it: curvatures, levels of trees.
    std::span<const double> gradient() const { return message.first(std::min(gradientSize, message.size())); }
};

/// The job as its synchronization sees it. Spans are empty for analytic jobs and where gradients are not kept.
struct TrainingView {
    JobId job;
    const Job* spec = nullptr;
    int batch = 1;             ///< the job's samples per worker and task
    std::uint64_t updates = 0; ///< the version of the parameters
    std::span<const WorkerView> workers;
    int busy = 0;                       ///< present workers whose task has neither arrived nor been cancelled
    std::span<const HeldGradient> held; ///< in order of arrival
    double lastLoss = 0;                ///< NaN before the first evaluation
    std::span<const double> parameters;
    std::span<const double> lastGradient, previousGradient; ///< of the last two updates, aggregated
    double distanceFromStart = 0;                           ///< ‖w − w₀‖₂; 0 for analytic jobs
    double learningRate = 0;                                ///< 0 for analytic jobs
    std::span<const WorkerResponse> responses; ///< by worker, as declared by the cluster; measured by nobody

    int presentWorkers() const {
        int n = 0;
        for (const auto& w : workers) n += w.present;
        return n;
    }
};

struct WeightedGradient {
    std::uint32_t worker = 0, task = 0;
    double weight = 0;
};

class SyncActions {
public:
    struct Assign {
        std::uint32_t worker;
        Assignment assignment;
    };
    /// w ← step(w, Σ weight·gradient + remembered); the gradients leave `held`.
    struct Update {
        std::vector<WeightedGradient> gradients;
        std::vector<double> remembered; ///< of gradients that the policy has kept from earlier updates; empty: none
    };
    /// A held gradient is thrown away.
    struct Drop {
        std::uint32_t worker, task;
    };
    /// Its task in flight is abandoned at once.
    struct Cancel {
        std::uint32_t worker;
    };
    /// It must wait (shown as such).
    struct Block {
        std::uint32_t worker;
    };
    struct Timer {
        Duration after;
        std::uint32_t tag;
    };
    using Action = std::variant<Assign, Update, Drop, Cancel, Block, Timer>;

    void assign(std::uint32_t worker, Assignment assignment = {}) {
        m_list.push_back(Assign{worker, std::move(assignment)});
    }
    void update(std::vector<WeightedGradient> gradients, std::vector<double> remembered = {}) {
        m_list.push_back(Update{std::move(gradients), std::move(remembered)});
    }
    void drop(std::uint32_t worker, std::uint32_t task) { m_list.push_back(Drop{worker, task}); }
    void cancel(std::uint32_t worker) { m_list.push_back(Cancel{worker}); }
    void block(std::uint32_t worker) { m_list.push_back(Block{worker}); }
    void timer(Duration after, std::uint32_t tag) { m_list.push_back(Timer{after, tag}); }
    const std::vector<Action>& list() const { return m_list; }
    std::vector<Action> take() { return std::move(m_list); }
    /// Room that an earlier list had.
    void reuse(std::vector<Action> list) {
        m_list = std::move(list);
        m_list.clear();
    }

private:
    std::vector<Action> m_list;
};

/// The shape of an iteration, for expected times: wait for `waitFor` of `launched` tasks, each of `load` × the batch.
struct IterationShape {
    int launched = 1, waitFor = 1;
    double load = 1;
    bool asynchronous = false; ///< workers never wait for each other: gradients come at the sum of their rates
    int gradients = 1;         ///< of an update, where asynchronous
    int localSteps = 1;        ///< of a task
    int partitions = 1;        ///< of a task (gradient coding)
};

/// What a synchronization that chooses by rates weighs: see planning/StepEnvelope.
struct RateRule {
    std::vector<double> loads;              ///< β of its options, rising to 1
    double sampleCost = 0, messageCost = 0; ///< seconds that it gives for one sample assigned, and for one message
    double leastLoss = 0;                   ///< what errors are counted from
};

/// Its state belongs to the job: a checkpoint keeps a clone of it beside the parameters, and a job goes on with the object that it
/// had when it stopped or, after a failure, with the clone of the checkpoint that it falls back to (without one: with a new
/// object, from update 0). Of that state, onStart() keeps what it knows of the training (local steps, F(w₀), estimates, a place in
/// a sequence of k) and forgets what it knows of workers and of tasks under way (rounds, clocks, timers, remembered gradients):
/// other workers may have their numbers. Numbers of tasks go on, past those of a lost stretch too.
class Synchronization {
public:
    virtual ~Synchronization() = default;
    virtual std::unique_ptr<Synchronization> clone() const = 0;
    /// All present workers are idle and nothing is held; assign the first tasks. Called again after a restart or a change of
    /// parameters' owner: view.updates is 0 where the job begins.
    virtual void onStart(const PolicyContext&, const TrainingView&, SyncActions&) = 0;
    /// `arrival` is the last entry of view.held.
    virtual void onArrival(const PolicyContext&, const TrainingView&, const HeldGradient& arrival, SyncActions&) = 0;
    /// Workers have come or gone (their tasks are already cancelled).
    virtual void onMembership(const PolicyContext&, const TrainingView&, SyncActions&) = 0;
    virtual void onTimer(const PolicyContext&, const TrainingView&, std::uint32_t /*tag*/, SyncActions&) {}
    virtual IterationShape shape(int workers) const = 0;
    /// Whether every worker's data count the same in the long run, however fast it is: what is trained is then the mean
    /// loss of all shares, even where they are unlike and some workers are always slow. Rounds with a timeout count as
    /// those without.
    virtual bool isUnbiased(int workers) const {
        const IterationShape s = shape(workers);
        return workers < 2 || (!s.asynchronous && s.waitFor >= s.launched);
    }
    /// The exact mean of the updates between a gradient's read and its use, once the start is forgotten, for any law of the times
    /// (renewal theory), where a request for parameters reaches the servers at once; nothing where no such law is known. What
    /// requests take on their way makes gradients less stale: workers read later.
    virtual std::optional<double> exactMeanStaleness(int /*workers*/) const {
        return stalenessBound() == 0u ? std::optional(0.0) : std::nullopt;
    }
    /// How it chooses among options (k, β) by the rates at which they lower the error; nothing: it does not.
    virtual std::optional<RateRule> rateRule() const { return std::nullopt; }
    /// Greatest number of updates between read and use that the policy allows; nullopt = no bound. Client caches ask it.
    virtual std::optional<std::uint64_t> stalenessBound() const { return std::nullopt; }
    /// How it paces keyed jobs; nothing: it needs the gradients of all parameters, and does not serve such jobs.
    virtual std::optional<KeyedPace> keyedPace() const { return std::nullopt; }
    /// What an update takes in the long run, where that is known in closed form. Else the engine lets a clone of the policy
    /// run on drawn times until it knows (engine/LoneJob): a policy need not override this.
    virtual std::optional<UpdateTime> updateTime(const JobTimes&) const { return std::nullopt; }
    /// Why a job has no one rate under this policy, so that the rate model cannot serve it.
    virtual std::optional<Text> hasNoRate() const { return std::nullopt; }
};

} // namespace trainyard
