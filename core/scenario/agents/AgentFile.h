// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Trained agents as files (docs/format/agents.md): JSON, parameters in half precision as base64. What ships lies in resources/agents.
#include "base/Result.h"
#include "planning/agents/DegreeAgent.h"

#include <filesystem>

namespace trainyard {

struct ResourcePaths;

/// Canonical JSON, ending in a newline. Parameters must have been rounded (roundToHalf).
std::string writeAgent(const DegreeAgent& agent);
/// Problems with file, line and pointer: syntax, "not-an-agent", "unknown-version", unknown and missing keys, "damaged-agent" (parameters that
/// are too few, too many, no base64, not finite, or not those that the digest was made of).
Result<std::shared_ptr<const DegreeAgent>> parseAgent(std::string_view text, const std::string& name);
Result<std::shared_ptr<const DegreeAgent>> readAgent(const std::filesystem::path& file);

/// Where a name of an agent leads: NAME.json of resources/agents if that is there, else the file of that name, which is relative and has no
/// ".." in it, so that a scenario does not reach beyond the directory that it is run in. Problem "bad-path".
Result<std::filesystem::path> agentPath(const std::string& name, const ResourcePaths& resources);
/// Names of those that ship, ascending.
std::vector<std::string> shippedAgents(const ResourcePaths& resources);

} // namespace trainyard
