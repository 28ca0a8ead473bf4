// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// floor-k: of the numbers of parts that have a free block and meet the deadline, the smallest that is at least k, else the largest below. It
// looks at the deadline, takes no more servers than it must, and never wastes a job that could be served.
#include "policy/Builtin.h"
#include "policy/partitioner/DegreeChoice.h"

#include <algorithm>

namespace trainyard {

namespace {

class FloorPartitioning final : public Partitioner {
public:
    struct Params {
        int k = 4;
    };
    explicit FloorPartitioning(Params params) : m_params(params) {}
    std::unique_ptr<Partitioner> clone() const override { return std::make_unique<FloorPartitioning>(*this); }

    std::optional<int> degree(const PolicyContext& context, const PartitionView& view) override {
        auto why = degreeExplanation("floor-k", view);
        checkEach(why, view, [&](const GraphOption& option) {
            return option.placeable() ? Check{"completion_s", option.seconds, Comparison::atMost,
                                              option.state == OptionState::inTime // rounding may have decided
                                                  ? std::max(view.deadlineSeconds(), option.seconds)
                                                  : view.deadlineSeconds()}
                                      : Check{"free blocks", 0, Comparison::atLeast, 1};
        });
        // From k upwards, then downwards: 1 is the first choice.
        const auto cost = [&](int degree) { return degree >= m_params.k ? degree : 1'000'000 - degree; };
        for (std::size_t i = 0; i < why.candidates.size(); ++i) {
            const auto better = std::ranges::count_if(view.options(), [&](const GraphOption& other) {
                return cost(other.degree) < cost(view.options()[i].degree);
            });
            why.candidates[i].numbers.push_back({"preference", static_cast<double>(better + 1)});
        }
        why.rule = Rule::minimum;
        why.criterion = "preference";
        return chooseDegree(context, view, std::move(why),
                            {TRAINYARD_TEXT("the fewest parts in time that are at least {0}, else the most below"),
                             {std::to_string(m_params.k)}});
    }

private:
    Params m_params;
};

} // namespace

PartitionerEntry builtin::floorPartitioning() {
    using P = FloorPartitioning::Params;
    return policyEntry<Partitioner, FloorPartitioning, P>(
        {.id = "floor-k",
         .label = "Fewest parts in time, from k on",
         .summary =
             "Of the numbers of parts that have a free block and meet the deadline, the smallest that is at least k; if "
             "there is none, the largest below."},
        field(&P::k, "k", "Least number of parts", {1, 64}, "",
              "Fewer parts are taken only where no more are in time."));
}

} // namespace trainyard
