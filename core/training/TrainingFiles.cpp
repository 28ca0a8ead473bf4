// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/TrainingFiles.h"

#include "base/WholeFile.h"
#include "run/files/AtomicFile.h"
#include "scenario/agents/AgentFile.h"
#include "scenario/agents/CheckpointFile.h"

namespace trainyard {

namespace {

StoredAdam storedAdam(const nets::Adam<float>& adam) { return {adam.first, adam.second, adam.steps}; }
nets::Adam<float> adamOf(StoredAdam stored) {
    nets::Adam<float> out;
    out.first = std::move(stored.first);
    out.second = std::move(stored.second);
    out.steps = stored.steps;
    return out;
}

} // namespace

std::string writeCheckpoint(const AgentPlan& plan, const TrainingCheckpoint& point) {
    StoredCheckpoint out{.plan = writeAgentPlan(plan),
                         .stage = point.stage,
                         .iteration = point.state.iteration,
                         .steps = point.state.steps,
                         .reward = point.state.reward,
                         .loss = point.state.loss,
                         .entropy = point.state.entropy,
                         .policy = point.state.policy,
                         .value = point.state.value,
                         .policyAdam = storedAdam(point.state.policyAdam),
                         .valueAdam = storedAdam(point.state.valueAdam),
                         .actions = point.state.actions,
                         .priorities = point.state.priorities,
                         .distilled = point.distilled,
                         .best = {},
                         .curves = {}};
    for (const TrainedCandidate& best : point.best) out.best.push_back({best.name, best.blocking, best.parameters});
    for (const auto& curve : point.curves) {
        StoredCurve& stored = out.curves.emplace_back();
        for (const TrainingPoint& at : curve) {
            stored.steps.push_back(static_cast<double>(at.steps));
            stored.rewards.push_back(at.reward);
            stored.blockings.push_back(at.blocking.value_or(-1));
        }
    }
    return writeStoredCheckpoint(out);
}

Result<TrainingCheckpoint> parseCheckpoint(std::string_view text, const std::string& name, const AgentPlan& plan) {
    auto read = parseStoredCheckpoint(text, name);
    if (!read) return read.problems();
    StoredCheckpoint& stored = read.value();
    if (stored.plan != writeAgentPlan(plan))
        return Problem{
            .code = "another-training",
            .message = {TRAINYARD_TEXT("this checkpoint was made by another configuration or seed; resume with "
                                       "those that it was begun with"),
                        {}},
            .file = name,
            .pointer = "/plan"};
    TrainingCheckpoint out;
    out.stage = stored.stage;
    out.distilled = std::move(stored.distilled);
    out.state.iteration = stored.iteration;
    out.state.steps = stored.steps;
    out.state.policy = std::move(stored.policy);
    out.state.value = std::move(stored.value);
    out.state.policyAdam = adamOf(std::move(stored.policyAdam));
    out.state.valueAdam = adamOf(std::move(stored.valueAdam));
    out.state.actions = std::move(stored.actions);
    out.state.priorities = std::move(stored.priorities);
    out.state.reward = stored.reward;
    out.state.loss = stored.loss;
    out.state.entropy = stored.entropy;
    for (StoredCandidate& best : stored.best)
        out.best.push_back({std::move(best.parameters), std::move(best.name), best.blocking});
    for (const StoredCurve& curve : stored.curves) {
        auto& points = out.curves.emplace_back();
        for (std::size_t i = 0; i < curve.steps.size(); ++i)
            points.push_back({static_cast<std::uint64_t>(curve.steps[i]), curve.rewards[i],
                              curve.blockings[i] < 0 ? std::nullopt : std::optional(curve.blockings[i])});
    }
    return out;
}

Problems saveCheckpoint(const std::filesystem::path& directory, const AgentTraining& training) {
    return writeFileAtomically(directory / checkpointName, writeCheckpoint(training.plan(), training.checkpoint()));
}

Problem noCheckpoint(const std::filesystem::path& directory) {
    return {.code = "no-checkpoint",
            .message = {TRAINYARD_TEXT("there is no {0} to go on from"), {checkpointName}},
            .file = directory.string()};
}

Problems resumeFrom(const std::filesystem::path& directory, AgentTraining& training) {
    const std::filesystem::path file = directory / checkpointName;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {noCheckpoint(directory)};
    const auto text = readWholeFile(file, largestCheckpoint);
    if (!text) return text.problems();
    auto point = parseCheckpoint(*text, file.string(), training.plan());
    if (!point) return point.problems();
    if (training.restore(std::move(*point))) return {};
    return {{.code = "damaged-checkpoint",
             .message = {TRAINYARD_TEXT("the checkpoint does not fit its own configuration"), {}},
             .file = file.string()}};
}

Problems saveAgent(const std::filesystem::path& directory, const AgentTraining& training) {
    return writeFileAtomically(directory / agentName, writeAgent(training.agent()));
}

} // namespace trainyard
