// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/partitioner/DegreeChoice.h"

#include <cmath>

namespace trainyard {

Explanation degreeExplanation(std::string policy, const PartitionView& view) {
    Explanation why{.family = PolicyFamily::partitioner, .policy = std::move(policy), .job = view.job()};
    for (int degree : view.degrees()) {
        Candidate candidate{.label = std::to_string(degree) + (degree == 1 ? " part" : " parts"),
                            .numbers = {{"parts", double(degree)}}};
        const double seconds = view.completionSeconds(degree);
        if (std::isfinite(seconds))
            candidate.numbers.push_back({"completion_s", seconds}); // else no links lead there now
        candidate.numbers.push_back({"deadline_s", view.deadlineSeconds()});
        why.candidates.push_back(std::move(candidate));
    }
    return why;
}

std::optional<int> chooseDegree(const PolicyContext& context, const PartitionView& view, Explanation why, Text chosen) {
    why.chosen = why.evaluate();
    std::optional<int> degree;
    if (!why.chosen.empty()) degree = view.degrees()[why.chosen.front()];
    if (degree)
        why.summary = std::move(chosen);
    else if (view.degrees().empty())
        why.summary = {TRAINYARD_TEXT("rejected: the job's bounds and the free machines allow no degree"), {}};
    else
        why.summary = {TRAINYARD_TEXT("rejected: this policy accepts none of the allowed degrees"), {}};
    context.explain(std::move(why));
    return degree;
}

} // namespace trainyard
