// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// constant: every job has the same number of parts, whatever its graph, its deadline and what is free. With the best number for a law of
// deadlines it is what the published PAC-ML policies come down to.
#include "policy/Builtin.h"
#include "policy/partitioner/DegreeChoice.h"

namespace trainyard {

namespace {

class ConstantPartitioning final : public Partitioner {
public:
    struct Params {
        int degree = 4;
    };
    explicit ConstantPartitioning(Params params) : m_params(params) {}
    std::unique_ptr<Partitioner> clone() const override { return std::make_unique<ConstantPartitioning>(*this); }

    std::optional<int> degree(const PolicyContext& context, const PartitionView& view) override {
        auto why = degreeExplanation("constant", view);
        checkEach(why, view, [&](const GraphOption& option) {
            return Check{"parts", double(option.degree), Comparison::equal, double(m_params.degree)};
        });
        why.rule = Rule::firstFeasible;
        return chooseDegree(context, view, std::move(why),
                            {TRAINYARD_TEXT("always {0} {0:part|parts}"), {std::to_string(m_params.degree)}});
    }

private:
    Params m_params;
};

} // namespace

PartitionerEntry builtin::constantPartitioning() {
    using P = ConstantPartitioning::Params;
    return policyEntry<Partitioner, ConstantPartitioning, P>(
        {.id = "constant",
         .label = "Always as many parts",
         .summary =
             "Every operation of every job is split into the same number of parts; a job that cannot have them is "
             "refused."},
        field(&P::degree, "degree", "Parts", {1, 64}, "", "How many parts every job has."));
}

} // namespace trainyard
