// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What one training job asks for, as a value. Three kinds: trained (a real model on real data), analytic (times and losses
// by formula), graph (a computation graph with a deadline).
#include "base/Ids.h"
#include "base/SimTime.h"
#include "model/Choice.h"
#include "model/ComputationGraph.h"
#include "model/KeyedAccess.h"
#include "model/Resources.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace trainyard {

/// How many tasks a job may have; fixed when both are equal.
struct Bounds {
    int minimum = 1, maximum = 1;
    bool fixed() const { return minimum == maximum; }
    friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// The job ends when the first of these holds; at least one must be given.
struct StoppingRule {
    std::optional<std::int64_t> iterations; ///< parameter updates
    std::optional<double> epochs;           ///< passes over the data, counted in samples used
    std::optional<double> loss;             ///< evaluated loss at most this
    std::optional<double> seconds;          ///< of running time
    friend bool operator==(const StoppingRule&, const StoppingRule&) = default;
};

struct LossEvaluation {
    std::int64_t everyIterations = 1;
    bool costsTime = false; ///< true: the coordinator pays secondsPerSample × samples of the data set
    friend bool operator==(const LossEvaluation&, const LossEvaluation&) = default;
};

/// Which rows a worker's batches are drawn from. Every worker has an equal share, cut out of a fixed random order
/// (shuffled) or out of the rows in order of their target, of ratings by user (sorted: no two workers' shares are alike),
/// or draws from all rows (shared).
enum class Shards { shuffled, sorted, shared };

/// Whose the batch is: each worker's own, or the job's, divided evenly among the workers that it has (to whole samples, at least
/// one each): then more workers make an update shorter, not larger.
enum class BatchOf { worker, job };

/// By how much the step grows with the batch: not at all; in proportion; or by what the larger batch is worth by the measured noise
/// scale (AdaScale: Johnson, Agrawal, Gu and Guestrin, ICML 2020), so that an update goes as far as so many with the declared batch.
enum class StepWithBatch { same, linear, gain };

/// A real model, trained gradient by gradient.
struct TrainedWork {
    Choice model, dataset, optimizer;
    Shards shards = Shards::shuffled;
    int batch = 32; ///< samples per task of a worker, or of all (before a policy changes the load)
    BatchOf batchOf = BatchOf::worker;
    StepWithBatch stepWithBatch = StepWithBatch::same; ///< needs BatchOf::job, but for `same`
    double secondsPerSample = 1e-3;                    ///< forward and backward, one sample, device speed 1
    double secondsPerUpdate = 0;                       ///< at each server, per update
    double bytesPerParameter = 8;
    LossEvaluation evaluation;
    friend bool operator==(const TrainedWork&, const TrainedWork&) = default;
};

/// Where a job is on its loss curve after so many updates: updates with another batch than declared are worth more or less than one.
struct CurveCourse {
    double from = 0;  ///< updates done where the course begins
    double ahead = 0; ///< by how many updates with the declared batch it is ahead there
    double gain = 1;  ///< what each further update is worth; above 0
    double at(double updates) const { return updates + aheadAt(updates); }
    double aheadAt(double updates) const { return ahead + (updates - from) * (gain - 1); }
    /// The updates after which it is at this position.
    double updatesAt(double position) const {
        return ahead == 0 && gain == 1 ? position : from + (position - from - ahead) / gain;
    }
};

/// A loss that was measured once: straight between its points, and as at the last of them from there on.
struct RecordedCurve {
    std::string key;
    std::vector<double> updates, losses; ///< as many of both; updates from 0 on, rising
    double at(double update) const;
    /// On the course, the first of the multiples of `every`, from `from` on, at which it is at most `loss`; infinity if none is.
    double firstAtMost(double loss, double from, double every, const CurveCourse& course = {}) const;
    friend bool operator==(const RecordedCurve&, const RecordedCurve&) = default;
};

/// Loss by formula of the number of updates j: c + a/(b·j + 1)^p (power) or c + a·b^j (geometric), or as recorded.
struct LossCurve {
    enum class Family { power, geometric, recorded };
    Family family = Family::power;
    double a = 1, b = 1, c = 0, p = 1;
    std::string name;                              ///< of a recorded one, among the scenario's
    std::shared_ptr<const RecordedCurve> recorded; ///< that one, in the workload of a run
    double at(double updates) const;
    friend bool operator==(const LossCurve&, const LossCurve&) = default;
};

/// How long a task of one of `workers` takes that divide the job's batch, on a device of speed 1: t(a) = s + W/a + κ·a
/// (Venkataraman et al., Ernest, NSDI 2016, without its logarithmic term).
struct UpdateLaw {
    double fixedSeconds = 0;     ///< s
    double dividedSeconds = 1;   ///< W
    double perWorkerSeconds = 0; ///< κ
    /// `share`: of the declared batch, where the job has another.
    double at(double workers, double share = 1) const {
        return fixedSeconds + share * dividedSeconds / workers + perWorkerSeconds * workers;
    }
    friend bool operator==(const UpdateLaw&, const UpdateLaw&) = default;
};

/// What an update with a batch of so many samples is worth, in updates with the declared batch, where gradients have the noise scale φ
/// (samples; the trace of their covariance for one sample, over the squared norm of the true gradient): (m/m₀)·(φ + m₀)/(φ + m). McCandlish,
/// Kaplan, Amodei et al., An empirical model of large-batch training, 2018, section 2.2; the same as Pollux's statistical efficiency
/// times m/m₀. Without noise every update is worth one; with much, a sample is worth as much in any batch.
constexpr double batchGain(double samples, double declared, double noiseScale) {
    return noiseScale > 0 && samples > 0 ? samples / declared * ((noiseScale + declared) / (noiseScale + samples)) : 1;
}

/// Samples per second of a worker on a device of speed 1: all its servers are on its machine, or some are not.
struct LocalityRates {
    double local = 1, remote = 1;
    friend bool operator==(const LocalityRates&, const LocalityRates&) = default;
};

/// Which parameters an iteration reads: all of them, or the key that it needs.
enum class AccessKind { all, keyed };

/// A job whose arithmetic is formulas; cheap enough for tens of thousands.
struct AnalyticWork {
    double samples = 1e5; ///< in the data set
    double parameterBytes = 1e8;
    int batch = 32; ///< samples per task of a worker, or of all
    BatchOf batchOf = BatchOf::worker;
    double secondsPerSample = 1e-3;
    std::optional<UpdateLaw> law;       ///< of computing, instead of secondsPerSample
    std::optional<LocalityRates> rates; ///< of computing, instead of secondsPerSample
    double secondsPerUpdate = 0;
    LossCurve curve;
    double noiseScale = 0; ///< φ of its gradients, in samples; needs BatchOf::job
    LossEvaluation evaluation;
    AccessKind access = AccessKind::all;
    std::optional<KeyedAccess> keyed; ///< of access keyed, which needs it
    /// What an update of so many samples is worth, in updates with the declared batch.
    double gainOf(double samplesOfUpdate) const { return batchGain(samplesOfUpdate, batch, noiseScale); }
    friend bool operator==(const AnalyticWork&, const AnalyticWork&) = default;
};

/// queued: its partitioner gives the number of parts at arrival, and the scheduler its servers, some time. immediate: on a cluster with an
/// optical network it has its servers at arrival or never; there is no queue, and no scheduler touches it.
enum class Admission { queued, immediate };

/// A computation graph run for a number of steps, to be done within a fraction of its sequential time.
struct GraphWork {
    ComputationGraph graph;                        ///< its own, where it names none
    std::string name;                              ///< of one of the scenario's graphs; empty: it has its own
    std::shared_ptr<const ComputationGraph> named; ///< that one, in the workload of a run
    int steps = 50;
    double deadlineFraction = 1; ///< β: deadline = β × steps × sequential seconds, counted from arrival
    Admission admission = Admission::queued;
    const ComputationGraph& computation() const { return named ? *named : graph; }
    /// Of all steps on one device of speed 1.
    double sequentialSeconds() const { return steps * computation().sequentialSeconds(); }
    double deadlineSeconds() const { return deadlineFraction * sequentialSeconds(); }
    friend bool operator==(const GraphWork&, const GraphWork&) = default;
};

/// u(d) = θ1 / (1 + exp(θ2 (d − θ3))), d = completion time in seconds, or rounded up to whole slots.
struct Utility {
    double theta1 = 1, theta2 = 0, theta3 = 0;
    double slotSeconds = 0; ///< 0: no slots
    double at(double seconds) const;
    /// ln u, also where u is too small for a number.
    double logAt(double seconds) const;
    friend bool operator==(const Utility&, const Utility&) = default;
};

struct CheckpointRule {
    std::int64_t everyIterations = 0; ///< 0 = never: a failed job starts again from nothing
    friend bool operator==(const CheckpointRule&, const CheckpointRule&) = default;
};

enum class JobKind { trained, analytic, graph };
enum class LossFamilyHint {
    automatic,
    sublinear,
    linear
};                                              ///< the curve that its losses are said to follow: O(1/k), O(μ^k)
enum class FailureReaction { restart, shrink }; ///< shrink: go on without the lost workers while the minimum remains

/// Samples, of a job.
inline constexpr int mostBatch = 100'000'000;

struct Job {
    std::string key;  ///< unique, stable
    std::string name; ///< shown; empty = key
    SimTime arrival;
    double weight = 1;
    ResourceVector workerDemand, serverDemand;
    Bounds workers{1, 1};
    Bounds servers{1, 1};                         ///< 0 servers: parameters live on the workers (co-located)
    std::optional<std::int64_t> workersPerServer; ///< γ: n workers have ⌈n/γ⌉ servers
    double restartSeconds = 0; ///< before it computes again on another placement, or after it was interrupted
    StoppingRule stop;
    CheckpointRule checkpoint;
    FailureReaction onFailure = FailureReaction::restart;
    std::optional<Utility> utility;
    std::optional<double> deadlineSeconds; ///< after its arrival, by which it should be done; nobody is stopped by it
    std::optional<double> finalLoss;       ///< what its loss is expected to end at: a hint to schedulers that predict
    LossFamilyHint lossFamily = LossFamilyHint::automatic; ///< likewise
    std::variant<TrainedWork, AnalyticWork, GraphWork> work;
    /// Override the scenario's policy for this job alone; empty id = the scenario's.
    Choice synchronization, parameters, partitioner;

    JobKind kind() const { return static_cast<JobKind>(work.index()); }
    /// How it accesses its keys; null: it reads all parameters.
    const KeyedAccess* keyedAccess() const;
    int declaredBatch() const; ///< of a graph job 1
    /// Samples per task of one of so many workers, where the batch is another than declared (0: as declared); of a graph job 1.
    int taskSamples(std::size_t workers, int batch = 0) const;
    /// Servers that go with `count` of so many workers: by γ, else in proportion to where `count` lies within the bounds.
    int serversFor(int count, const Bounds& within) const;
    friend bool operator==(const Job&, const Job&) = default;
};

} // namespace trainyard
