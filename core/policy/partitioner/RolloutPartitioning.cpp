// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// rollout: each number of parts that is in time is tried in thought: the same drawn futures are played on after each with a base rule, and
// the one with most jobs in time is taken, or none where refusing leaves more of them. Bertsekas, Tsitsiklis and Wu, Rollout algorithms
// for combinatorial optimization, 1997.
#include "planning/graphs/DegreeRollout.h"
#include "policy/Builtin.h"
#include "policy/partitioner/DegreeChoice.h"

namespace trainyard {

namespace {

class RolloutPartitioning final : public Partitioner {
public:
    struct Params {
        int futures = 48;
        int arrivals = 50;
        std::string base = "floor";
        int degree = 4;
    };
    static constexpr std::uint16_t served = 0; ///< number of the series

    explicit RolloutPartitioning(Params params) : m_params(params) {}
    std::unique_ptr<Partitioner> clone() const override { return std::make_unique<RolloutPartitioning>(*this); }

    std::optional<int> degree(const PolicyContext& context, const PartitionView& view) override {
        auto why = degreeExplanation("rollout", view);
        const auto outlook = view.outlook();
        if (!outlook) return byBase(context, view, std::move(why));
        const RolloutChoice choice = rolledOut(
            {base(), m_params.futures, m_params.arrivals}, outlook->pricer, outlook->system, outlook->expected,
            view.options(), context.now.toSeconds(), view.deadlineFraction(), context.random.bits(), view.job().value);
        for (std::size_t i = 0; i < why.candidates.size(); ++i) {
            Candidate& candidate = why.candidates[i];
            candidate.checks.push_back(
                {"in time", view.options()[i].state == OptionState::inTime ? 1.0 : 0.0, Comparison::atLeast, 1});
            candidate.checks.push_back(
                {"chosen", double(i), Comparison::equal, choice.option ? double(*choice.option) : -1});
            if (choice.values[i] < 0) continue;
            candidate.numbers.push_back({"jobs_in_time", choice.values[i]});
            candidate.numbers.push_back({"jobs_in_time_if_refused", choice.refusing});
            context.note(served, choice.values[i], static_cast<std::uint32_t>(view.options()[i].degree), 0, view.job());
        }
        why.rule = Rule::firstFeasible;
        return chooseDegree(
            context, view, std::move(why),
            {TRAINYARD_TEXT("most jobs in time over {0} {0:future|futures} of {1} {1:arrival|arrivals}"),
             {std::to_string(m_params.futures), std::to_string(m_params.arrivals)}});
    }

private:
    DegreeRule base() const {
        const auto kind = m_params.base == "floor"      ? DegreeRule::Kind::floor
                          : m_params.base == "constant" ? DegreeRule::Kind::constant
                                                        : DegreeRule::Kind::max;
        return {kind, m_params.degree};
    }

    /// Of a queued job: nothing is known of what it would hinder.
    std::optional<int> byBase(const PolicyContext& context, const PartitionView& view, Explanation why) const {
        const auto chosen = chosenOption(base(), view.options(), view.deadlineFraction(), context.random);
        checkEach(why, view, [&](const GraphOption& option) {
            return Check{"parts", double(option.degree), Comparison::equal,
                         chosen ? double(view.options()[*chosen].degree) : 0.0};
        });
        return chooseDegree(context, view, std::move(why),
                            {TRAINYARD_TEXT("as the base rule says of queued jobs"), {}});
    }

    Params m_params;
};

} // namespace

PartitionerEntry builtin::rolloutPartitioning() {
    using P = RolloutPartitioning::Params;
    return policyEntry<Partitioner, RolloutPartitioning, P>(
        {.id = "rollout",
         .label = "Rollout",
         .summary =
             "Each number of parts in time is tried on drawn futures that a base rule plays on; the one with most jobs in "
             "time is taken; a job is refused where that leaves more.",
         .source = "Bertsekas, Tsitsiklis and Wu, J. Heuristics 1997",
         .series = {{.name = "jobs_in_time",
                     .label = "Jobs in time by degree",
                     .unit = "",
                     .meaning = "Jobs of a future that are in time after this degree, the one at hand included.",
                     .first = "degree",
                     .second = ""}}},
        field(&P::futures, "futures", "Futures", {1, 500}, "",
              "How many are drawn for each arrival; fewer than 48 hurt."),
        field(&P::arrivals, "arrivals", "Arrivals of each", {1, 500}, "", "How far a future goes."),
        choice(&P::base, "base", "Base rule", {"floor", "constant", "max"}, "Which rule plays the futures on."),
        field(&P::degree, "degree", "Its degree", {1, 64}, "", "Of the base rule: k of floor-k, or the constant."));
}

} // namespace trainyard
