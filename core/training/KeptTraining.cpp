// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/KeptTraining.h"

#include "base/WholeFile.h"
#include "run/files/AtomicFile.h"
#include "scenario/agents/CheckpointFile.h"

namespace trainyard {

namespace {

/// Why a training cannot begin anew here: what would be replaced.
Problems inTheWay(const std::filesystem::path& directory) {
    std::error_code ignored;
    if (std::filesystem::exists(directory / checkpointName, ignored))
        return {
            {.code = "training-there",
             .message = {TRAINYARD_TEXT("there is a training already: resume it (trainyard-cli train CONFIG --resume "
                                        "{0}), or choose another directory"),
                         {directory.string()}},
             .file = directory.string()}};
    if (std::filesystem::exists(directory / agentName, ignored))
        return {
            {.code = "agent-there",
             .message = {TRAINYARD_TEXT("there is an {0} already, which would be replaced: choose another directory"),
                         {agentName}},
             .file = directory.string()}};
    return {};
}

} // namespace

KeptTraining::KeptTraining(AgentPlan plan, TrainingInputs inputs, std::filesystem::path directory)
    : m_directory(std::move(directory)), m_lock(m_directory, DirectoryLock::Wait::no),
      m_training(std::move(plan), std::move(inputs)) {}

Result<std::unique_ptr<KeptTraining>> KeptTraining::open(AgentPlan plan, TrainingInputs inputs,
                                                         const std::filesystem::path& directory, Begin begin) {
    if (Problems problems = probeDirectory(directory); !problems.empty()) return problems;
    std::unique_ptr<KeptTraining> out(new KeptTraining(std::move(plan), std::move(inputs), directory));
    if (!out->m_lock.held())
        return Problem{.code = "in-use",
                       .message = {TRAINYARD_TEXT("another training goes on in this directory"), {}},
                       .file = directory.string()};
    Problems problems = begin == Begin::anew ? inTheWay(directory) : resumeFrom(directory, out->m_training);
    if (!problems.empty()) return problems;
    return out;
}

Problems KeptTraining::train(const Parallel& parallel, const std::stop_token& stop,
                             const std::function<void()>& after) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds every(10);
    Clock::time_point due = Clock::now() + every;
    while (!m_training.done() && m_training.step(parallel, stop)) {
        after();
        if (Clock::now() < due) continue;
        if (Problems unwritten = saveCheckpoint(m_directory, m_training); !unwritten.empty()) return unwritten;
        due = Clock::now() + every;
    }
    Problems unwritten = saveCheckpoint(m_directory, m_training);
    if (unwritten.empty() && m_training.done()) unwritten = saveAgent(m_directory, m_training);
    return unwritten;
}

Result<BegunTraining> begunTraining(const std::filesystem::path& directory) {
    const std::filesystem::path file = directory / checkpointName;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return noCheckpoint(directory);
    const auto text = readWholeFile(file, largestCheckpoint);
    if (!text) return text.problems();
    auto stored = parseStoredCheckpoint(*text, file.string());
    if (!stored) return stored.problems();
    auto plan = parseAgentPlan(stored->plan, file.string());
    if (!plan) return plan.problems();
    std::size_t stages = 0;
    for (const AgentTask& task : plan->tasks) stages += task.stages();
    return BegunTraining{std::move(*plan), stored->stage >= stages};
}

} // namespace trainyard
