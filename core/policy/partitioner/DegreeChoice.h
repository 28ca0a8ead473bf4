// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the built-in partitioners share: the options as candidates of an explanation, and the choice
// made from it.
#include "policy/Partitioner.h"

namespace trainyard {

/// One candidate per option with its numbers: parts, completion_s where it is finite, deadline_s; of a job that is admitted at once also its
/// servers, and what is wrong with it in its label. Options that are not allowed have a check that fails.
Explanation degreeExplanation(std::string policy, const PartitionView& view);

/// Adds a check to each candidate, by its option.
template <class Make>
void checkEach(Explanation& why, const PartitionView& view, Make make) {
    for (std::size_t i = 0; i < why.candidates.size(); ++i) why.candidates[i].checks.push_back(make(view.options()[i]));
}

/// Chooses by the explanation's rule, explains, and returns the degree; rejects (nullopt) if no candidate is
/// feasible. `chosen` says why in its summary where that is in time, or the job is queued.
std::optional<int> chooseDegree(const PolicyContext& context, const PartitionView& view, Explanation why, Text chosen);

} // namespace trainyard
