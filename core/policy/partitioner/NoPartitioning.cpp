// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// none: operations are not split; a graph job runs on one device, if its bounds allow that.
#include "policy/Builtin.h"
#include "policy/partitioner/DegreeChoice.h"

namespace trainyard {

namespace {

class NoPartitioning final : public Partitioner {
public:
    struct Params {};
    explicit NoPartitioning(Params) {}
    std::unique_ptr<Partitioner> clone() const override { return std::make_unique<NoPartitioning>(*this); }

    std::optional<int> degree(const PolicyContext& context, const PartitionView& view) override {
        auto why = degreeExplanation("none", view);
        for (auto& candidate : why.candidates)
            candidate.checks.push_back({"parts", candidate.numbers.front().value, Comparison::atMost, 1});
        why.rule = Rule::firstFeasible;
        return chooseDegree(context, view, std::move(why),
                            {TRAINYARD_TEXT("operations stay whole: the job runs on one device"), {}});
    }
};

} // namespace

PartitionerEntry builtin::noPartitioning() {
    return policyEntry<Partitioner, NoPartitioning, NoPartitioning::Params>(
        {.id = "none",
         .label = "No partitioning",
         .summary = "Operations are not split: the job runs on one device, or is rejected if its bounds "
                    "exclude that."});
}

} // namespace trainyard
