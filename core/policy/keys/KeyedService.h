// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which policies serve which keyed jobs: asked of both families by Registry::incompatible(), and by the files of policies.
#include "base/Problem.h"
#include "model/Job.h"
#include "policy/Parameters.h"

#include <optional>

namespace trainyard {

/// Why a policy that moves or copies single keys does not serve the job.
std::optional<Text> readsEverything(const Job& job);
/// In place of a node that reads everything, of policies that never run one: where keys are at the start, for estimates.
std::unique_ptr<ParameterNode> makeHomeNode(SharedLayout layout, NodeIndex self);
/// Why, as readsEverything(), of one that relocates keys ahead of their use.
std::optional<Text> cannotRelocate(const Job& job);

} // namespace trainyard
