// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// max: every operation is split into as many parts as the job's bounds and the free machines allow.
// The "maximum parallelism" baseline: SiP-ML, Khani et al., SIGCOMM 2021; Para_max in PAC-ML.
#include "policy/Builtin.h"
#include "policy/partitioner/DegreeChoice.h"

namespace trainyard {

namespace {

class MaxPartitioning final : public Partitioner {
public:
    struct Params {};
    explicit MaxPartitioning(Params) {}
    std::unique_ptr<Partitioner> clone() const override { return std::make_unique<MaxPartitioning>(*this); }

    std::optional<int> degree(const PolicyContext& context, const PartitionView& view) override {
        auto why = degreeExplanation("max", view);
        why.rule = Rule::maximum;
        why.criterion = "parts";
        return chooseDegree(context, view, std::move(why),
                            {TRAINYARD_TEXT("as many parts as the bounds and the free machines allow"), {}});
    }
};

} // namespace

PartitionerEntry builtin::maxPartitioning() {
    return policyEntry<Partitioner, MaxPartitioning, MaxPartitioning::Params>(
        {.id = "max",
         .label = "Most parts",
         .summary = "Every operation is split into as many parts as the job's bounds and the free machines allow.",
         .source = "Khani et al., SiP-ML, SIGCOMM 2021"});
}

} // namespace trainyard
