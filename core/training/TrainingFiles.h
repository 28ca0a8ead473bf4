// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a training leaves in its directory: checkpoint.json, replaced as a whole so that there is always a complete one, and at the end
// agent.json. One process at a time trains in a directory.
#include "training/AgentTraining.h"

#include <filesystem>

namespace trainyard {

inline constexpr const char* checkpointName = "checkpoint.json";
inline constexpr const char* agentName = "agent.json";
inline constexpr std::uintmax_t largestCheckpoint = std::uintmax_t{1} << 28; ///< bytes; none is near it

/// JSON; numbers of nets in full single precision.
std::string writeCheckpoint(const AgentPlan& plan, const TrainingCheckpoint& point);
/// Problems with file, line and pointer: syntax, "not-a-checkpoint", "unknown-version", keys, "damaged-checkpoint" (numbers that are no base64
/// or not finite), "another-training" (it was made by another plan).
Result<TrainingCheckpoint> parseCheckpoint(std::string_view text, const std::string& name, const AgentPlan& plan);

/// Puts the checkpoint of the training into the directory. Problems: the disk is full, …; the one before is then still whole.
Problems saveCheckpoint(const std::filesystem::path& directory, const AgentTraining& training);
Problem noCheckpoint(const std::filesystem::path& directory);
/// Continues from the directory's checkpoint. Problems as of parseCheckpoint(), "no-checkpoint", and "damaged-checkpoint" if it does not fit.
Problems resumeFrom(const std::filesystem::path& directory, AgentTraining& training);
/// Of a training that is done.
Problems saveAgent(const std::filesystem::path& directory, const AgentTraining& training);

} // namespace trainyard
