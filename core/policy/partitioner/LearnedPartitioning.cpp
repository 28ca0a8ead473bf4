// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// learned: a trained net scores the state that each number of parts in time, or refusing the job, would leave, and the best is taken. After Parsonson et al.,
// Partitioning distributed compute jobs with reinforcement learning and graph neural networks (PAC-ML), 2023; what it sees, and how it is
// trained, is Trainyard's own: free blocks now and later, how long each server stays taken, and the expected load. An agent of the paper's
// shape values each number of parts from the job's graph instead, and may choose one that is late.
#include "base/Cloned.h"
#include "policy/Builtin.h"
#include "policy/partitioner/DegreeChoice.h"

#include <cmath>

namespace trainyard {

namespace {

class LearnedPartitioning final : public Partitioner {
public:
    struct Params {
        std::string agent = "own-graphs";
    };
    static constexpr std::uint16_t scores = 0, contents = 1; ///< numbers of the series

    LearnedPartitioning(Params params, const PolicyFiles& files) : m_agent(files.agent(params.agent)) {}
    std::unique_ptr<Partitioner> clone() const override { return std::make_unique<LearnedPartitioning>(*this); }

    std::optional<int> degree(const PolicyContext& context, const PartitionView& view) override {
        auto why = degreeExplanation("learned", view);
        const auto outlook = view.outlook();
        if (!outlook || !prepare(*outlook)) return fewestInTime(context, view, std::move(why));
        const double now = context.now.toSeconds();
        if (!m_noted && !m_agent->digest.empty()) // so that the log's digest covers what the agent's file holds
            context.note(contents, static_cast<double>(std::stoull(m_agent->digest.substr(0, 12), nullptr, 16)), 0, 0,
                         view.job());
        m_noted = true;
        m_scorer->score({outlook->system, now, outlook->graph, view.deadlineFraction(), view.options()}, m_scores);
        const std::optional<std::size_t> best = m_scorer->best(m_scores);
        const double refusing = m_scorer->refusal();
        if (!std::isnan(refusing)) context.note(scores, refusing, 0, 0, view.job());
        for (std::size_t i = 0; i < why.candidates.size(); ++i) {
            const GraphOption& option = view.options()[i];
            Candidate& candidate = why.candidates[i];
            if (m_shape == NetShape::afterStates)
                candidate.checks.push_back(
                    {"in time", option.state == OptionState::inTime ? 1.0 : 0.0, Comparison::atLeast, 1});
            candidate.checks.push_back({"chosen", double(i), Comparison::equal, best ? double(*best) : -1});
            if (std::isnan(m_scores[i])) continue;
            candidate.numbers.push_back({"score", m_scores[i]});
            if (!std::isnan(refusing)) candidate.numbers.push_back({"score_if_refused", refusing});
            context.note(scores, m_scores[i], static_cast<std::uint32_t>(option.degree), 0, view.job());
            if (context.explaining()) describe(candidate, *outlook, now, option);
        }
        why.rule = Rule::firstFeasible;
        return chooseDegree(
            context, view, std::move(why),
            {m_shape == NetShape::afterStates
                 ? TRAINYARD_TEXT("leaves the best state, as the agent scores it (trained for law {0})")
                 : TRAINYARD_TEXT("has the highest value by the agent's graph network (trained for law {0})"),
             {m_law}});
    }

private:
    /// The scorer for this run's rules and law, made at its first decision. False: the agent has no net for them.
    bool prepare(const LossOutlook& outlook) {
        if (m_prepared) return static_cast<bool>(m_scorer);
        m_prepared = true;
        if (!m_agent || !m_agent->fits(outlook.pricer.blocks().network()) || outlook.expected.beta.values.empty())
            return false;
        const AgentMember* member = m_agent->memberFor(outlook.pricer.blocks().network().rules, outlook.expected.beta);
        if (!member) return false;
        GraphWorkload expected = outlook.expected;
        if (!(expected.gapSeconds > 0)) expected.gapSeconds = 1; // all at one instant: nothing is left to expect
        GraphPricer own = outlook.pricer;                        // what the run's own knows stays as it is
        own.forget();
        m_states = std::make_shared<const AfterStates>(
            std::make_shared<const ServerBlocks>(outlook.pricer.blocks().network()));
        m_scorer = makeScorer(m_states, member->net, own, expected);
        m_shape = member->net->shape;
        m_law = member->law;
        return true;
    }

    /// What is left: jobs of 16 and of 4 parts that could be placed, and how long until a block for 16 is free.
    void describe(Candidate& candidate, const LossOutlook& outlook, double now, const GraphOption& option) const {
        const AfterStates::Glance left = m_states->glance(outlook.system, now, option.servers, option.seconds);
        for (std::size_t k = 0; k < std::size(AfterStates::sizes); ++k) {
            const int size = AfterStates::sizes[k];
            if (size == 4 || size == 16)
                candidate.numbers.push_back({"blocks_of_" + std::to_string(size) + "_left", double(left.free[k])});
            if (size == 16 && std::isfinite(left.wait[k]))
                candidate.numbers.push_back({"until_a_block_of_16_s", left.wait[k]});
        }
    }

    /// Of a queued job nothing is known of what it would hinder; of other rules the agent has learned nothing.
    std::optional<int> fewestInTime(const PolicyContext& context, const PartitionView& view, Explanation why) const {
        checkEach(why, view, [&](const GraphOption& option) {
            return Check{"in time", option.state == OptionState::inTime ? 1.0 : 0.0, Comparison::atLeast, 1};
        });
        why.rule = Rule::minimum;
        why.criterion = "parts";
        return chooseDegree(context, view, std::move(why),
                            {TRAINYARD_TEXT("the fewest parts in time: the agent has no net for this case"), {}});
    }

    std::shared_ptr<const DegreeAgent> m_agent;
    bool m_prepared = false, m_noted = false;
    std::shared_ptr<const AfterStates> m_states;
    Cloned<DegreeScorer> m_scorer;
    NetShape m_shape = NetShape::afterStates;
    std::string m_law;
    std::vector<double> m_scores;
};

std::optional<Text> unsuitedAgent(const ParamValues& values, const PolicyFiles& files, const Cluster& cluster) {
    const auto at = values.find("agent");
    const auto agent = files.agent(at == values.end() ? "own-graphs" : std::get<std::string>(at->second));
    if (!agent || !cluster.ramp || agent->fits(*cluster.ramp)) return std::nullopt;
    const auto shape = [](const OpticalNetwork& network) {
        return std::to_string(network.groups) + " × " + std::to_string(network.racks) + " × " +
               std::to_string(network.servers);
    };
    return Text{
        TRAINYARD_TEXT("the agent was trained for an optical network of {0} {0:server|servers}; this one has {1}"),
        {shape(agent->network), shape(*cluster.ramp)}};
}

} // namespace

PartitionerEntry builtin::learnedPartitioning() {
    using P = LearnedPartitioning::Params;
    return fileEntry<Partitioner, LearnedPartitioning, P>(
        {.id = "learned",
         .label = "Learned (PAC-ML)",
         .summary =
             "A trained net scores the states that numbers of parts in time, or refusing, would leave; the best is taken.",
         .source = "Parsonson et al., PAC-ML, 2023; trained by Trainyard",
         .series = {{.name = "score",
                     .label = "Score by degree",
                     .unit = "",
                     .meaning =
                         "What the agent thinks of the state that this degree would leave, or of the degree; higher "
                         "is better. 0 is refusing.",
                     .first = "degree",
                     .second = ""},
                    {.name = "agent_digest",
                     .label = "Agent",
                     .unit = "",
                     .meaning = "The first twelve hexadecimal digits of the digest of the agent's file, as a number.",
                     .first = "",
                     .second = ""}},
         .unsuited = unsuitedAgent},
        file(&P::agent, "agent", "Agent", "A trained agent: one that ships, or a file made by trainyard-cli train.",
             {"own-graphs", "paper-graphs", "paper-shape"}));
}

} // namespace trainyard
