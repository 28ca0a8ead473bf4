// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Reads the files that parameters of a scenario's policies name, once, before a run.
#include "learning/DataSet.h"
#include "policy/PolicyFiles.h"
#include "scenario/Scenario.h"

namespace trainyard {

/// Of the scenario's partitioner and of those of its jobs. Problems, with the pointer of the parameter: "bad-path", problems of the file
/// (scenario/agents/AgentFile.h), "unsuited-file": it does not suit the cluster. Choices that the registry refuses are passed over.
Result<PolicyFiles> readPolicyFiles(const Scenario& scenario, const Registry& registry, const ResourcePaths& resources);

/// The scenario with the digests of these files, and checksums of those of keyed data, in its notes, by which kept results tell it from one whose files had other contents. Itself
/// where none is named.
Scenario withFileDigests(const Scenario& scenario, const Registry& registry, const ResourcePaths& resources);

} // namespace trainyard
