// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A training of a second, for tests: two graphs, two laws, eight servers.
#include "learning/DataSet.h"
#include "scenario/agents/AgentFile.h"
#include "training/AgentTraining.h"

namespace trainyard::test {

inline AgentPlan tinyPlan(int policyIterations = 2) {
    AgentPlan plan;
    plan.title = "tiny";
    plan.graphs = {"alexnet", "gnmt"};
    plan.network = {.groups = 2, .racks = 2, .servers = 2};
    plan.validation = {1001, 2};
    plan.validationArrivals = 60;
    AgentTask& task = plan.tasks.emplace_back();
    task.laws = {"beta-a", "beta-d"};
    task.copies = {2};
    task.validationLoads = {0.5};
    TrainingSettings& s = task.settings;
    s.hidden = {8};
    s.warmUp = 10;
    s.distillIterations = 2;
    s.distillEpisodes = s.episodes = 16;
    s.distillArrivals = s.arrivals = 8;
    s.futures = 2;
    s.futureArrivals = 6;
    s.valueIterations = 1;
    s.policyIterations = policyIterations;
    s.batch = 64;
    s.validateEvery = 2;
    return plan;
}

inline TrainingInputs inputsOf(const AgentPlan& plan) {
    return std::move(trainingInputs(plan, ResourcePaths::find({}).root, {})).value();
}

/// The same with jobs that may be refused.
inline AgentPlan tinyRefusingPlan() {
    AgentPlan plan = tinyPlan();
    plan.tasks[0].settings.mayRefuse = true;
    return plan;
}

/// The same with a graph network. The replay goes round twice.
inline AgentPlan tinyGraphPlan() {
    AgentPlan plan = tinyPlan();
    AgentTask& task = plan.tasks[0];
    task.net = NetShape::graphNetwork;
    task.copies.clear();
    task.learning = {.hidden = {8, 8},
                     .iterations = 7,
                     .demonstrations = 2,
                     .episodes = 16,
                     .arrivals = 8,
                     .warmUp = 6,
                     .replay = 3,
                     .updates = 2,
                     .batch = 32,
                     .targetEvery = 3,
                     .validateEvery = 4};
    return plan;
}

/// The agent's file, as the core trains it without a window.
inline std::string trained(const AgentPlan& plan, int threads = 1) {
    AgentTraining training(plan, inputsOf(plan));
    const Parallel parallel(threads);
    while (!training.done()) training.step(parallel);
    return writeAgent(training.agent());
}

} // namespace trainyard::test
