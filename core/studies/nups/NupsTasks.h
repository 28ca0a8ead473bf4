// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The tasks of NuPS, knowledge-graph embeddings, word vectors and factorization, at the size of the shipped scenarios: how long an epoch
// takes under a policy, and how long it takes to a stated quality.
#include "model/KeyedTask.h"
#include "scenario/Scenario.h"
#include "studies/Reproduction.h"
#include "studies/StudyRuns.h"

#include <array>

namespace trainyard::study {

struct NupsTask {
    const char* id;       ///< in ids of claims
    const char* name;     ///< in sentences
    const char* scenario; ///< below scenarios/
    const char* quality;
    double target;
    bool samples; ///< a step reads sampled keys
};
/// Targets are below what one machine comes to in the scenario's epochs, so that policies that learn a little less reach them, too.
inline constexpr std::array<NupsTask, 3> nupsTasks{
    {{"kge", "knowledge-graph embeddings", "papers/nups/knowledge-graph.json", "mrr", 0.4, true},
     {"wv", "word vectors", "papers/nups/word-vectors.json", "similarity", 0.4, true},
     {"mf", "factorization", "papers/nups/factorization.json", "rmse", 0.65, false}}};

/// How a task is run, where it is not as in its scenario.
struct TaskSettings {
    std::int64_t nodes = 4, threads = 2;
    Choice parameters, synchronization{"async", {}};
    KeyedSampling sampling;
    int lookAhead = 0, epochs = 0; ///< 0: the scenario's
};
Result<std::shared_ptr<const Scenario>> taskScenario(const StudyRequest& request, const NupsTask& task,
                                                     const TaskSettings& settings);

/// Its keys by how often an epoch reads them, with seed 1; null where it cannot be made.
std::shared_ptr<const KeyRanks> keysOf(const StudyRequest& request, const NupsTask& task);

/// What a run of a task came to.
struct TaskResult {
    double epochSeconds = 0;
    double toQuality = 0; ///< seconds; not a number: it was not reached
    double quality = 0;   ///< at last
    std::map<std::string, double> metrics;
};
struct TaskRun {
    const NupsTask* task = nullptr;
    TaskSettings settings;
    std::uint64_t seed = 1;
};
/// In the order of `runs`; nullopt: it failed, for instance as its model diverged, or was stopped, which the report says unless
/// `mayFail`.
std::vector<std::optional<TaskResult>> runTasks(const StudyRequest& request, const std::vector<TaskRun>& runs,
                                                StudyReport& report, bool mayFail = false);

/// 40 replicas, made equal 625 times a second: among what nupsManagement() measures, good for all three tasks.
Choice tunedNups();

/// Time per epoch and to quality of each task under each policy, and on one machine.
void nupsTaskTimes(const StudyRequest& request, StudyReport& report);
/// Epochs on 1 to 16 machines.
void nupsTaskScaling(const StudyRequest& request, StudyReport& report);
/// NuPS by the number of replicas and the rounds per second.
void nupsManagement(const StudyRequest& request, StudyReport& report);
/// Time and quality of each scheme of sampling.
void nupsSampling(const StudyRequest& request, StudyReport& report);
/// The tasks on threads, beside virtual time.
void nupsTasksExecuted(const StudyRequest& request, StudyReport& report);
/// How uneven the accesses of the tasks are.
void nupsSkew(const StudyRequest& request, StudyReport& report);
/// The adaptive policy against a grid of NuPS' parameters: time to quality of each task.
void nupsGrid(const StudyRequest& request, StudyReport& report);
/// The same with a zipf loop whose frequent keys change while it runs, or do not.
void nupsMovingKeys(const StudyRequest& request, StudyReport& report);

} // namespace trainyard::study
