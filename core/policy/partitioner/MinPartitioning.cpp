// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// min: every operation is split into as few parts as splitting allows: two, or the least that the job's bounds allow. The "minimum
// parallelism" baseline of PAC-ML's published implementation.
#include "policy/Builtin.h"
#include "policy/partitioner/DegreeChoice.h"

namespace trainyard {

namespace {

class MinPartitioning final : public Partitioner {
public:
    struct Params {};
    explicit MinPartitioning(Params) {}
    std::unique_ptr<Partitioner> clone() const override { return std::make_unique<MinPartitioning>(*this); }

    std::optional<int> degree(const PolicyContext& context, const PartitionView& view) override {
        auto why = degreeExplanation("min", view);
        checkEach(why, view, [](const GraphOption& option) {
            return Check{"parts", double(option.degree), Comparison::atLeast, 2};
        });
        why.rule = Rule::firstFeasible;
        return chooseDegree(context, view, std::move(why), {TRAINYARD_TEXT("the fewest parts that are a split"), {}});
    }
};

} // namespace

PartitionerEntry builtin::minPartitioning() {
    return policyEntry<Partitioner, MinPartitioning, MinPartitioning::Params>(
        {.id = "min",
         .label = "Fewest parts",
         .summary =
             "Every operation is split into two parts, or the least number above one that the bounds and the free "
             "machines allow."});
}

} // namespace trainyard
