// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/synchronization/Averaging.h"

namespace trainyard {

void explainGathering(const PolicyContext& context, const TrainingView& view, const char* policy,
                      std::span<const HeldGradient> gradients, int enough) {
    if (!explainingFully(context)) return;
    Explanation why{.family = PolicyFamily::synchronization, .policy = policy, .job = view.job};
    why.summary = {
        TRAINYARD_TEXT(
            "{0} {0:gradient has|gradients have} arrived and {1} {1:suffices|suffice}: {0:it is|they are} averaged"),
        {std::to_string(gradients.size()), std::to_string(enough)}};
    why.rule = Rule::everyFeasible;
    for (const auto& gradient : gradients) {
        why.chosen.push_back(why.candidates.size());
        why.candidates.push_back({.label = "worker " + std::to_string(gradient.worker),
                                  .numbers = {{"task", static_cast<double>(gradient.task)},
                                              {"staleness", static_cast<double>(view.updates - gradient.readVersion)},
                                              {"weight", 1.0 / static_cast<double>(gradients.size())}}});
    }
    context.explain(std::move(why));
}

} // namespace trainyard
