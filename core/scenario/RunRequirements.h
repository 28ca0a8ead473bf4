// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a run of a scenario needs beyond a valid document: data sets that suit the models, memory, and threads where it is executed.
// The engine asks before a run, the reader before a user does, so that a valid scenario is one that runs.
#include "learning/TrainingProblem.h"
#include "scenario/Scenario.h"

#include <stop_token>

namespace trainyard {

/// By job of the workload that expandWorkload makes of the scenario with the seed; null for jobs that are not trained.
/// Problems: data that are not there or do not suit the model, an optimizer that does not, sizes beyond what a run may take;
/// one for all jobs of a template. May throw Stopped, between two jobs.
Result<std::vector<std::shared_ptr<const TrainingProblem>>>
makeTrainingProblems(const Scenario& scenario, const Workload& workload, std::uint64_t seed,
                     const ResourcePaths& resources, const std::stop_token& stop = {});

/// Threads of a job that is executed with so many tasks, on at most so many machines; graph jobs have none.
int executionThreads(const Job& job, int tasks, int machines);
constexpr int mostExecutionThreads = 1024; ///< of all jobs together, at any time of a run
/// Jobs that could never be executed for want of threads; one problem for all jobs of a template.
Problems threadProblems(const Scenario& scenario, const Workload& workload, std::uint64_t seed);

/// What a run in the scenario's mode would refuse of a document that may be wrong in other places: jobs whose model, data set or
/// optimizer is unknown, or has parameters out of range, are passed over.
Problems runRefusals(const Scenario& scenario, const ResourcePaths& resources);

} // namespace trainyard
