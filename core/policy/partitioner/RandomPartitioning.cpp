// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// random: a degree drawn uniformly from those that the job's bounds and the free machines allow. A baseline.
#include "planning/graphs/DegreeRules.h"
#include "policy/Builtin.h"
#include "policy/partitioner/DegreeChoice.h"

#include <algorithm>

namespace trainyard {

namespace {

class RandomPartitioning final : public Partitioner {
public:
    struct Params {};
    explicit RandomPartitioning(Params) {}
    std::unique_ptr<Partitioner> clone() const override { return std::make_unique<RandomPartitioning>(*this); }

    std::optional<int> degree(const PolicyContext& context, const PartitionView& view) override {
        auto why = degreeExplanation("random", view);
        const auto chosen =
            chosenOption({DegreeRule::Kind::random, 0}, view.options(), view.deadlineFraction(), context.random);
        const auto n = static_cast<std::size_t>(std::ranges::count_if(view.options(), &GraphOption::allowed));
        for (std::size_t i = 0; i < why.candidates.size(); ++i)
            why.candidates[i].checks.push_back(
                {"drawn", static_cast<double>(i), Comparison::equal, static_cast<double>(chosen.value_or(0))});
        why.rule = Rule::firstFeasible;
        return chooseDegree(context, view, std::move(why),
                            {TRAINYARD_TEXT("drawn uniformly from {0} allowed degrees"), {std::to_string(n)}});
    }
};

} // namespace

PartitionerEntry builtin::randomPartitioning() {
    return policyEntry<Partitioner, RandomPartitioning, RandomPartitioning::Params>(
        {.id = "random",
         .label = "Random",
         .summary = "The number of parts is drawn uniformly from those that the bounds and the free machines "
                    "allow."});
}

} // namespace trainyard
