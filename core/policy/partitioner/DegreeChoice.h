// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the built-in partitioners share: the allowed degrees as candidates of an explanation, and the choice
// made from it.
#include "policy/Partitioner.h"

namespace trainyard {

/// One candidate per allowed degree with its numbers: parts, completion_s where it is finite, deadline_s.
Explanation degreeExplanation(std::string policy, const PartitionView& view);

/// Chooses by the explanation's rule, explains, and returns the degree; rejects (nullopt) if no candidate is
/// feasible.
std::optional<int> chooseDegree(const PolicyContext& context, const PartitionView& view, Explanation why, Text chosen);

} // namespace trainyard
