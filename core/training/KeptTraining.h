// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A training that keeps itself in a directory of its own: begun there or resumed, with checkpoints on the way and the agent at the end.
// The command line and the window train by it. Not for several threads at once.
#include "run/files/DirectoryLock.h"
#include "training/TrainingFiles.h"

#include <chrono>
#include <functional>

namespace trainyard {

class KeptTraining {
public:
    enum class Begin { anew, fromCheckpoint };

    /// Nothing else trains in the directory until this is gone. Problems: those of probeDirectory(), "in-use" (another training goes on
    /// there); anew: "training-there", "agent-there" (an agent that would be replaced); from a checkpoint: those of resumeFrom().
    static Result<std::unique_ptr<KeptTraining>> open(AgentPlan plan, TrainingInputs inputs,
                                                      const std::filesystem::path& directory, Begin begin);

    /// Iterations until it is done or stopped; a checkpoint every ten seconds and at the end, and the agent if it is done. `after` is
    /// called after each. Problems: something could not be written; the training is as it was, and may go on.
    Problems train(const Parallel& parallel, const std::stop_token& stop, const std::function<void()>& after);

    const AgentTraining& training() const { return m_training; }
    const std::filesystem::path& directory() const { return m_directory; }
    std::filesystem::path agentFile() const { return m_directory / agentName; }

private:
    KeptTraining(AgentPlan plan, TrainingInputs inputs, std::filesystem::path directory);

    std::filesystem::path m_directory;
    DirectoryLock m_lock;
    AgentTraining m_training;
};

/// What the training of a directory was begun with.
struct BegunTraining {
    AgentPlan plan;    ///< with its seed
    bool done = false; ///< nothing is left to train
};
/// Problems: "no-checkpoint", problems of the checkpoint as of parseCheckpoint().
Result<BegunTraining> begunTraining(const std::filesystem::path& directory);

} // namespace trainyard
