// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Reads profiles of training steps as PipeDream writes them (Narayanan et al., SOSP 2019; profiler/*/profiles/*/graph.txt): a line per
// operation, "nodeID -- DESCRIPTION -- forward_compute_time=…, backward_compute_time=…, activation_size=…, parameter_size=…", times in
// milliseconds, sizes in bytes, an activation also as a list "[a; b]"; then a line "\tnodeID -- nodeID" per dependency.
#include "base/Result.h"
#include "model/ComputationGraph.h"

#include <filesystem>

namespace trainyard {

/// Operations in the order of the file, the output being that of the greatest id. Times are multiplied by `timeScale`
/// (planning/graphs/GraphSetting.h). At most 16 MiB and ComputationGraph's limits. Problems with their line: "bad-profile", "cyclic",
/// "too-large"; of the file: "cannot-read". A dependency that is given twice counts once, with a warning.
Result<ComputationGraph> readPipeDreamProfile(const std::filesystem::path& file, double timeScale = 1);
/// The same of text; `name` is the file in problems.
Result<ComputationGraph> parsePipeDreamProfile(std::string_view text, const std::string& name, double timeScale = 1);

} // namespace trainyard
