// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/ScenarioFields.h"

#include <algorithm>
#include <array>

namespace trainyard {

namespace {

constexpr std::array<const char*, 3> kindWords{"trained", "analytic", "graph"};
constexpr std::array<const char*, 3> curveWords{"power", "geometric", "recorded"};
constexpr std::array<const char*, 2> admissionWords{"queued", "immediate"};
constexpr std::array<const char*, 2> accessWords{"all", "keyed"};
constexpr std::array<const char*, 2> keyedOptimizers{"sgd", "adagrad"};
constexpr std::array<const char*, 4> conformityWords{"conform", "bounded", "long-term", "non-conform"};
constexpr std::array<const char*, 7> schemeWords{"by-level",  "independent", "pre-localized", "reuse",
                                                 "postponed", "local",       "repurposed"};
constexpr std::array<const char*, 2> reactionWords{"restart", "shrink"};
constexpr std::array<const char*, 3> familyWords{"automatic", "sublinear", "linear"};
constexpr std::array<const char*, 2> batchWords{"worker", "job"};
constexpr std::array<const char*, 3> stepWords{"same", "linear", "gain"};
constexpr std::array<const char*, 3> shardWords{"shuffled", "sorted", "shared"};

NumberRule seconds(double fallback) { return {.maximum = 1e9, .fallback = fallback, .unit = "s"}; }
NumberRule bytes(double fallback) { return {.maximum = 1e18, .fallback = fallback, .unit = "bytes"}; }

void evaluationFields(Fields& f, LossEvaluation& evaluation) {
    f.object({"evaluation", "When the loss over the whole data set is evaluated"}, "evaluation", [&] {
        f.integer({"every_iterations", "Number of updates between evaluations"}, evaluation.everyIterations,
                  {.minimum = 1, .fallback = 1});
        f.flag({"costs_time", "Whether an evaluation takes time: seconds_per_sample for every sample of the data set"},
               evaluation.costsTime, false);
    });
}

void loadFields(Fields& f, int& batch, BatchOf& batchOf, double& perSample, double& perUpdate) {
    f.count({"batch", "Samples per task of a worker, or of all workers together: see batch_of"}, batch,
            {.minimum = 1, .maximum = mostBatch, .fallback = 32});
    f.word({"batch_of", "worker: every task computes a batch; job: the workers divide a batch evenly, so that "
                        "more workers make an update shorter"},
           batchOf, batchWords, BatchOf::worker);
    f.number({"seconds_per_sample", "Forward and backward pass of one sample on a device of speed 1"}, perSample,
             seconds(1e-3));
    f.number({"seconds_per_update", "At each server, per update"}, perUpdate, seconds(0));
}

void trainedFields(Fields& f, TrainedWork& work) {
    f.choice({"model", "The model; see trainyard-cli list models", true}, work.model);
    f.choice({"dataset", "The data set; see trainyard-cli list datasets", true}, work.dataset);
    f.choice({"optimizer", "The rule by which gradients change the parameters", true}, work.optimizer);
    f.word({"shards", "Which rows a worker has. shuffled: an equal share of a fixed random order; sorted: an "
                      "equal share of the rows in order of their target (ratings: by user), so that data "
                      "differ between workers; shared: all rows"},
           work.shards, shardWords, Shards::shuffled);
    loadFields(f, work.batch, work.batchOf, work.secondsPerSample, work.secondsPerUpdate);
    f.word({"step_with_batch",
            "How the step grows where a scheduler changes the job's batch. same: not at all; linear: in proportion; "
            "gain: by what the batch is worth by the noise scale that is measured (AdaScale). Needs batch_of: job"},
           work.stepWithBatch, stepWords, StepWithBatch::same);
    f.number({"bytes_per_parameter", "Size of a parameter in messages"}, work.bytesPerParameter,
             {.maximum = 1e9, .fallback = 8, .unit = "bytes"});
    evaluationFields(f, work.evaluation);
}

void keyedTaskFields(Fields& f, KeyedTask& task) {
    f.choice({"keyed_model", "The model; see trainyard-cli list keyed-models", true}, task.model);
    f.choice({"keyed_data", "What it is trained on; see trainyard-cli list keyed-data", true}, task.data);
    f.count({"evaluate_every", "Epochs between evaluations; workers wait for each other there"}, task.evaluateEvery,
            {.minimum = 1, .maximum = 1'000'000, .fallback = 1});
    f.object({"sampling", "How keys are drawn that a step needs besides those of its example"}, "keyed-sampling", [&] {
        KeyedSampling& sampling = task.sampling;
        f.word({"level",
                "What samples keep to. conform: drawn independently by the model's law; bounded: each by the law, and "
                "independent of those further away than a bound; long-term: the law's frequencies in the long run; "
                "non-conform: nothing"},
               sampling.level, conformityWords, Conformity::conform);
        f.word({"scheme",
                "by-level: the fastest one that the level allows; independent; pre-localized: drawn ahead, and moved "
                "to the machine; reuse: groups, each used several times in another order; postponed: the same, and "
                "samples that are not there yet are put off; local: among keys that the machine has; repurposed: keys "
                "of the worker's last examples"},
               sampling.scheme, schemeWords, SamplingScheme::byLevel);
        f.count({"group_size", "G: samples that are drawn at a time, of reuse and postponed"}, sampling.group,
                {.minimum = 1, .maximum = 10'000'000, .fallback = 250});
        f.count({"reuse", "U: how often each is used, of reuse and postponed"}, sampling.reuse,
                {.minimum = 1, .maximum = 1'000'000, .fallback = 16});
    });
}

void keyedFields(Fields& f, AnalyticWork& work) {
    f.word({"access", "all: every iteration reads all parameters; keyed: only the key that it needs (see keyed)"},
           work.access, accessWords, AccessKind::all);
    f.optionalObject(
        {"keyed", "Keys of the parameters and how iterations access them; of access keyed"}, "keyed", work.keyed,
        [&](KeyedAccess& access) {
            f.optionalObject({"task", "A model that is trained, instead of keys that are drawn"}, "keyed-task",
                             access.task, [&](KeyedTask& task) { keyedTaskFields(f, task); });
            f.integer({"keys", "Number of keys"}, access.keys,
                      {.minimum = 1, .maximum = KeyedAccess::mostKeys, .fallback = 100'000});
            f.count({"values_per_key", "float32 values of each key"}, access.valuesPerKey,
                    {.minimum = 1, .maximum = 1'000'000, .fallback = 100});
            f.number({"exponent", "s: the key of rank r is drawn with probability proportional to 1/r^s; 0: all alike"},
                     access.exponent, {.maximum = 20, .fallback = 1.1});
            f.wholeSeed({"permutation_seed", "Which key has which rank"}, access.permutationSeed, 5);
            f.wholeSeed({"worker_seed", "Worker w draws from the generator of seed worker_seed + 7919·w"},
                        access.workerSeed, 1234);
            f.integer({"shift_every",
                       "Iterations of a worker after which other keys become frequent: ranks are shifted by a "
                       "sixteenth of the keys; 0: never"},
                      access.shiftEvery, {.minimum = 0, .maximum = 1'000'000'000'000, .fallback = 0});
            f.number({"push", "Added to each value of the key"}, access.push,
                     {.minimum = -1e6, .maximum = 1e6, .fallback = 0.5});
            f.word({"optimizer",
                    "What push does, of those whose steps add up. sgd: it is added; adagrad: push·step/√(Σ push²) "
                    "is, with the sum kept beside each value"},
                   access.optimizer, keyedOptimizers, KeyedOptimizer::sgd);
            f.number({"step", "η of adagrad"}, access.step, {.maximum = 1e6, .fallback = 0.1});
            f.count({"look_ahead", "Iterations ahead of which keys are localized, where they relocate"},
                    access.lookAhead, {.minimum = 0, .maximum = 100'000, .fallback = 64});
            f.count({"localize_every", "Keys of so many iterations are localized together"}, access.localizeEvery,
                    {.minimum = 1, .maximum = 100'000, .fallback = 16});
            f.number({"pull_s", "Of a worker, to read a key that its machine holds"}, access.costs.pullSeconds,
                     seconds(KeyedCosts{}.pullSeconds));
            f.number({"push_s", "Of a worker, to add to a key that its machine holds"}, access.costs.pushSeconds,
                     seconds(KeyedCosts{}.pushSeconds));
            f.number({"message_s", "Of a machine's server thread, per message"}, access.costs.messageSeconds,
                     seconds(KeyedCosts{}.messageSeconds));
            f.number({"key_s", "Of a machine's server thread, per key of a message"}, access.costs.perKeySeconds,
                     seconds(KeyedCosts{}.perKeySeconds));
            f.numbers({"watched_ranks", "Ranks, from 1, of keys whose messages are logged one by one"},
                      access.watchedRanks, {.minimum = 1, .maximum = static_cast<double>(KeyedAccess::mostKeys)});
        });
}

void analyticFields(Fields& f, AnalyticWork& work) {
    f.number({"samples", "Samples in the data set"}, work.samples,
             {.maximum = 1e15, .fallback = 1e5, .aboveMinimum = true});
    f.number({"parameter_bytes", "Size of the model, and of a gradient"}, work.parameterBytes, bytes(1e8));
    loadFields(f, work.batch, work.batchOf, work.secondsPerSample, work.secondsPerUpdate);
    f.optionalObject(
        {"update_law",
         "Compute time of each of a workers that divide the job's batch, instead of seconds_per_sample: s + W/a + κ·a"},
        "update-law", work.law, [&](UpdateLaw& law) {
            f.number({"fixed_s", "s: independent of the number of workers"}, law.fixedSeconds, seconds(0));
            f.number({"divided_s", "W: divided among the workers", true}, law.dividedSeconds,
                     {.maximum = 1e9, .fallback = 1, .unit = "s", .aboveMinimum = true});
            f.number({"per_worker_s", "κ: for each worker"}, law.perWorkerSeconds, seconds(0));
        });
    f.optionalObject({"locality_rates", "Samples per second of a worker, instead of seconds_per_sample"},
                     "locality-rates", work.rates, [&](LocalityRates& rates) {
                         f.number({"local_per_s", "If all its servers are on its machine", true}, rates.local,
                                  {.maximum = 1e12, .fallback = 1, .unit = "1/s", .aboveMinimum = true});
                         f.number({"remote_per_s", "If some of them are not", true}, rates.remote,
                                  {.maximum = 1e12, .fallback = 1, .unit = "1/s", .aboveMinimum = true});
                     });
    f.object(
        {"loss_curve", "Loss after j updates: c + a/(b·j + 1)^p (power), c + a·b^j (geometric), or as recorded"},
        "loss-curve", [&] {
            LossCurve& curve = work.curve;
            f.word({"family", "Which formula"}, curve.family, curveWords, LossCurve::Family::power);
            f.number({"a", "Height above the limit at the start"}, curve.a, {.maximum = 1e12, .fallback = 1});
            f.number({"b", "Speed (power) or base (geometric, at most 1)"}, curve.b, {.maximum = 1e12, .fallback = 1});
            f.number({"c", "Limit"}, curve.c, {.minimum = -1e12, .maximum = 1e12, .fallback = 0});
            f.number({"p", "Power"}, curve.p, {.maximum = 100, .fallback = 1, .aboveMinimum = true});
            f.text({"curve", "Id of one of the scenario's curves (recorded)"}, curve.name);
        });
    f.number({"noise_scale",
              "φ of its gradients, in samples: an update with a batch of m instead of the declared m₀ moves along the "
              "loss curve by (m/m₀)·(φ + m₀)/(φ + m) updates. 0: by one, whatever the batch. Needs batch_of: job"},
             work.noiseScale, {.maximum = 1e12, .fallback = 0});
    evaluationFields(f, work.evaluation);
    keyedFields(f, work);
}

void graphFields(Fields& f, GraphWork& work) {
    f.text({"graph_id", "Id of one of the scenario's graphs, instead of a graph of its own"}, work.name);
    if (work.name.empty() || f.describing())
        f.object({"graph", "Operations of one training step and what each needs; of a job without graph_id"}, "graph",
                 [&] { computationFields(f, work.graph, true); });
    f.count({"steps", "Number of training steps"}, work.steps,
            {.minimum = 1, .maximum = 1'000'000'000, .fallback = 50});
    f.number({"deadline_fraction", "β: the deadline is β × steps × the step's sequential time after arrival"},
             work.deadlineFraction, {.maximum = 1e6, .fallback = 1, .aboveMinimum = true});
    f.word({"admission",
            "queued: the partitioner decides at arrival, the scheduler places it when it wants; immediate: on "
            "a cluster with ramp, it is placed at arrival on whole servers, or refused for good"},
           work.admission, admissionWords, Admission::queued);
}

} // namespace

void computationFields(Fields& f, ComputationGraph& graph, bool required) {
    f.list({"operations", "Operations", required}, "operation", graph.operations, [&](Operation& op) {
        f.text({"name", "Shown, and used by dependencies"}, op.name);
        f.number({"forward_s", "Time of the forward pass on a device of speed 1"}, op.forwardSeconds, seconds(0));
        f.number({"backward_s", "Time of the backward pass"}, op.backwardSeconds, seconds(0));
        f.number({"activation_bytes", "Output that dependent operations read"}, op.activationBytes, bytes(0));
        f.number({"parameter_bytes", "Parameters of the operation"}, op.parameterBytes, bytes(0));
    });
    f.dependencies({"dependencies", "Pairs [before, after] of operations, by name or by position from 0"},
                   graph.dependencies, graph.operations);
    std::optional<std::int64_t> output = graph.output;
    f.optionalInteger({"output",
                       "Position of the operation after whose forward pass the backward pass begins; left out = the "
                       "last that no other depends on"},
                      output, {.maximum = static_cast<std::int64_t>(ComputationGraph::mostOperations)});
    graph.output.reset();
    if (output) graph.output = static_cast<std::uint32_t>(std::clamp<std::int64_t>(*output, 0, 1'000'000'000));
}

namespace {

template <class Work, class Body>
void workAlternative(Fields& f, Job& job, JobKind kind, bool active, Body body) {
    f.alternative("kind", kindWords[static_cast<std::size_t>(kind)], active, [&] {
        if (job.kind() != kind) job.work.emplace<Work>();
        body(f, std::get<Work>(job.work));
    });
}

void workFields(Fields& f, Job& job) {
    const auto kind = job.kind();
    int wanted = static_cast<int>(kind);
    f.word({"kind", "trained: a real model on real data; analytic: formulas; graph: operations with a deadline", true},
           wanted, WordList{kindWords, 0});
    const auto is = [&](JobKind k) { return wanted == static_cast<int>(k); };
    workAlternative<TrainedWork>(f, job, JobKind::trained, is(JobKind::trained), trainedFields);
    workAlternative<AnalyticWork>(f, job, JobKind::analytic, is(JobKind::analytic), analyticFields);
    workAlternative<GraphWork>(f, job, JobKind::graph, is(JobKind::graph), graphFields);
}

void stopFields(Fields& f, StoppingRule& stop) {
    f.object({"stop", "The job ends when the first of these holds; graph jobs end after their steps"}, "stop", [&] {
        f.optionalInteger({"iterations", "Updates of the parameters"}, stop.iterations, {.minimum = 1});
        f.optionalNumber({"epochs", "Passes over the data set, counted in samples used"}, stop.epochs,
                         {.maximum = 1e9, .aboveMinimum = true});
        f.optionalNumber({"loss", "Evaluated loss at most this"}, stop.loss, {.minimum = -1e15, .maximum = 1e15});
        f.optionalNumber({"seconds", "Of running time; moves and restarts count"}, stop.seconds,
                         {.maximum = 1e9, .unit = "s", .aboveMinimum = true});
    });
}

} // namespace

void jobFields(Fields& f, Job& job, const std::vector<std::string>& resources, bool isTemplate) {
    if (!isTemplate) f.text({"id", "Unique among jobs", true}, job.key);
    f.text({"name", "Shown instead of the id"}, job.name);
    if (!isTemplate)
        f.scaled({"arrival_s", "When it is submitted; whole nanoseconds"}, job.arrival.ns,
                 {.power = 9, .minimum = 0, .maximum = 9e9, .fallback = 0, .unit = "s"});
    f.number({"weight", "Weight of the job in schedulers that use weights"}, job.weight,
             {.maximum = 1e9, .fallback = 1, .aboveMinimum = true});
    f.bounds({"workers", "Number of workers, or bounds within which the scheduler chooses"}, job.workers, {1, 1}, 1);
    f.amounts({"worker_demand", "Resources that each worker needs"}, job.workerDemand, resources);
    f.bounds({"servers", "Number of parameter servers; 0 = parameters live on the workers"}, job.servers, {1, 1}, 0);
    f.optionalInteger({"workers_per_server", "γ: n workers have n/γ servers, rounded up; the bounds must allow them"},
                      job.workersPerServer, {.minimum = 1, .maximum = 1'000'000});
    f.amounts({"server_demand", "Resources that each server needs"}, job.serverDemand, resources);
    workFields(f, job);
    stopFields(f, job.stop);
    f.object({"checkpoint", "Checkpoints of parameters and optimizer state"}, "checkpoint", [&] {
        f.integer({"every_iterations", "Number of updates between checkpoints; 0 = never: a failed job starts "
                                       "from the beginning"},
                  job.checkpoint.everyIterations, {.minimum = 0, .fallback = 0});
    });
    f.number({"restart_s", "Restart time on another placement or after an interruption, besides moving its "
                           "parameters; such a job stops to be resized"},
             job.restartSeconds, seconds(0));
    f.word({"on_failure", "restart: wait for a new placement; shrink: continue without the lost workers while "
                          "the minimum remains"},
           job.onFailure, reactionWords, FailureReaction::restart);
    f.optionalObject(
        {"utility", "Utility of finishing after d seconds: θ1 / (1 + exp(θ2 (d − θ3)))"}, "utility", job.utility,
        [&](Utility& utility) {
            f.number({"theta1", "θ1: maximum utility", true}, utility.theta1, {.maximum = 1e12, .fallback = 1});
            f.number({"theta2_per_s", "θ2: steepness of the decrease", true}, utility.theta2,
                     {.maximum = 1e6, .unit = "1/s"});
            f.number({"theta3_s", "θ3: time of the decrease", true}, utility.theta3, {.maximum = 1e9, .unit = "s"});
            f.number({"slot_s", "Above 0: d counts whole slots of this length, and so do θ2 and θ3"},
                     utility.slotSeconds, {.maximum = 1e9, .unit = "s"});
        });
    f.optionalNumber({"deadline_s", "Deadline after its arrival; schedulers may use it"}, job.deadlineSeconds,
                     {.maximum = 9e9, .unit = "s", .aboveMinimum = true});
    f.optionalNumber({"final_loss", "Expected final loss, as a hint to schedulers that predict"}, job.finalLoss,
                     {.minimum = -1e15, .maximum = 1e15});
    f.word({"loss_family",
            "Curve that schedulers fit to its losses: sublinear, O(1/k), as of gradient methods; linear, O(μ^k), "
            "as of Newton-like methods and EM; automatic: as the scheduler says"},
           job.lossFamily, familyWords, LossFamilyHint::automatic);
    f.choice({"synchronization", "This job's own synchronization instead of the scenario's"}, job.synchronization);
    f.choice({"parameters", "This job's own parameter policy instead of the scenario's"}, job.parameters);
    f.choice({"partitioner", "This job's own partitioner instead of the scenario's"}, job.partitioner);
}

} // namespace trainyard
