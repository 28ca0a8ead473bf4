// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// acceptable-jct: the fewest parts with which the deadline would be met if splitting cost nothing: ⌈1/β⌉, else the most that there are.
// Para_min in PAC-ML (Parsonson et al., 2023).
#include "policy/Builtin.h"
#include "policy/partitioner/DegreeChoice.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

class AcceptableJct final : public Partitioner {
public:
    struct Params {};
    explicit AcceptableJct(Params) {}
    std::unique_ptr<Partitioner> clone() const override { return std::make_unique<AcceptableJct>(*this); }

    std::optional<int> degree(const PolicyContext& context, const PartitionView& view) override {
        auto why = degreeExplanation("acceptable-jct", view);
        const double needed = std::ceil(1 / view.deadlineFraction());
        const bool any = std::ranges::any_of(
            view.options(), [&](const GraphOption& option) { return option.allowed && option.degree >= needed; });
        why.rule = any ? Rule::firstFeasible : Rule::maximum;
        why.criterion = any ? "" : "parts";
        if (any)
            checkEach(why, view, [&](const GraphOption& option) {
                return Check{"parts", double(option.degree), Comparison::atLeast, needed};
            });
        const std::string parts = std::to_string(static_cast<long>(std::min(needed, 1e9)));
        return chooseDegree(context, view, std::move(why),
                            {any ? TRAINYARD_TEXT("the fewest parts that are at least 1/β, {0}")
                                 : TRAINYARD_TEXT("1/β, {0}, is more parts than there are: the most of them"),
                             {parts}});
    }
};

} // namespace

PartitionerEntry builtin::acceptableJct() {
    return policyEntry<Partitioner, AcceptableJct, AcceptableJct::Params>(
        {.id = "acceptable-jct",
         .label = "Acceptable completion time",
         .summary =
             "The fewest parts with which the deadline would be met if splitting cost nothing, ⌈1/β⌉; if there are not "
             "so many, the most.",
         .source = "Para_min in Parsonson et al., PAC-ML, 2023"});
}

} // namespace trainyard
