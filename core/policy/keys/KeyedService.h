// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which policies serve which jobs, keyed ones and others: derived from what policies of both families say of keyed jobs. Asked by
// Registry::incompatible().
#include "base/Problem.h"
#include "model/Job.h"
#include "policy/Parameters.h"

#include <optional>

namespace trainyard {

struct Registry;

/// Why these do not serve the job: a synchronization without a pace for keyed jobs, a parameters policy without a plan for them, or
/// one whose plan is of no use to a job that reads everything. Unknown policies, and parameters out of range, are no reason.
std::optional<Text> keysAreNotServed(const Registry& registry, const Job& job, const Choice& synchronization,
                                     const Choice& parameters);
/// In place of a node that reads everything, of policies that never run one: where keys are at the start, for estimates.
std::unique_ptr<ParameterNode> makeHomeNode(SharedLayout layout, NodeIndex self);

} // namespace trainyard
