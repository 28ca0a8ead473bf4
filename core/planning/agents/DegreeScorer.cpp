// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/agents/DegreeScorer.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

bool isInTime(const GraphOption& option) { return option.state == OptionState::inTime; }

class AfterStateScorer final : public DegreeScorer {
public:
    AfterStateScorer(std::shared_ptr<const AfterStates> states, std::shared_ptr<const DegreeNet> net, ExpectedLoad load)
        : m_states(std::move(states)), m_net(std::move(net)), m_load(std::move(load)),
          m_mlp(afterStateNet(m_states->optionSize(), m_net->hidden)) {}
    std::shared_ptr<DegreeScorer> clone() const override { return std::make_shared<AfterStateScorer>(*this); }

    void score(const DegreeQuestion& asked, std::vector<double>& out) override {
        out.assign(asked.options.size(), std::nan(""));
        m_refusal = std::nan("");
        const auto inTime = static_cast<std::size_t>(std::ranges::count_if(asked.options, isInTime));
        if (inTime == 0) return;
        m_rows.resize(inTime + (m_net->mayRefuse ? 1 : 0), m_states->optionSize());
        std::size_t row = 0;
        for (std::size_t i = 0; i < out.size(); ++i)
            if (isInTime(asked.options[i]))
                m_states->writeOption(asked.system, asked.now, asked.options, i, m_load,
                                      {m_rows.row(row++), m_rows.columns});
        if (m_net->mayRefuse)
            m_states->writeRefusal(asked.system, asked.now, m_load, {m_rows.row(row), m_rows.columns});
        const nets::Matrix<float>& scores = m_mlp.forward(m_net->parameters, m_rows, m_tape);
        row = 0;
        for (std::size_t i = 0; i < out.size(); ++i)
            if (isInTime(asked.options[i])) out[i] = scores.row(row++)[0];
        if (m_net->mayRefuse) m_refusal = scores.row(row)[0];
    }
    double refusal() const override { return m_refusal; }

    std::optional<std::size_t> choose(const DegreeQuestion& asked) override {
        if (m_net->mayRefuse || std::ranges::count_if(asked.options, isInTime) > 1) return DegreeScorer::choose(asked);
        const auto only = std::ranges::find_if(asked.options, isInTime); // nothing to compare
        return only == asked.options.end() ? std::nullopt
                                           : std::optional(static_cast<std::size_t>(only - asked.options.begin()));
    }

private:
    std::shared_ptr<const AfterStates> m_states;
    std::shared_ptr<const DegreeNet> m_net;
    ExpectedLoad m_load;
    nets::Mlp<float> m_mlp;
    nets::Mlp<float>::Tape m_tape;
    nets::Matrix<float> m_rows;
    double m_refusal = std::nan("");
};

class GraphScorer final : public DegreeScorer {
public:
    using Net = nets::DuelingGraphNet<float>;
    GraphScorer(std::shared_ptr<const DegreeNet> net, JobObservation observation)
        : m_parameters(std::move(net)), m_observation(std::move(observation)),
          m_net(JobObservation::widths(m_parameters->hidden)) {
        std::vector<Net::GraphTape> embedded(m_observation.graphs().count());
        for (std::size_t g = 0; g < embedded.size(); ++g)
            m_net.embed(m_parameters->parameters, m_observation.graphs().graph(g), embedded[g]);
        m_embedded = std::make_shared<const std::vector<Net::GraphTape>>(std::move(embedded));
    }
    std::shared_ptr<DegreeScorer> clone() const override { return std::make_shared<GraphScorer>(*this); }

    void score(const DegreeQuestion& asked, std::vector<double>& out) override {
        m_row.resize(1, JobObservation::size);
        m_observation.write(asked.graph, asked.beta, asked.system, asked.options, m_row.numbers);
        const nets::Matrix<float>& values =
            m_net.forward(m_parameters->parameters, *m_embedded, {&asked.graph, 1}, m_row, m_tape);
        out.assign(asked.options.size(), std::nan(""));
        for (std::size_t i = 0; i < out.size(); ++i)
            if (const GraphOption& option = asked.options[i];
                option.allowed && option.degree <= JobObservation::mostDegree)
                out[i] = values.row(0)[option.degree];
        m_refusal = values.row(0)[0];
    }
    double refusal() const override { return m_refusal; }

private:
    std::shared_ptr<const DegreeNet> m_parameters;
    JobObservation m_observation;
    Net m_net;
    std::shared_ptr<const std::vector<Net::GraphTape>> m_embedded; ///< by graph of the pricer
    Net::Tape m_tape;
    nets::Matrix<float> m_row;
    double m_refusal = 0;
};

} // namespace

std::optional<std::size_t> DegreeScorer::best(std::span<const double> scores) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (!std::isnan(scores[i]) && (!best || scores[i] > scores[*best])) best = i;
    return best && refusal() > scores[*best] ? std::nullopt : best;
}

std::optional<std::size_t> DegreeScorer::choose(const DegreeQuestion& question) {
    score(question, m_scores);
    return best(m_scores);
}

std::shared_ptr<DegreeScorer> makeScorer(std::shared_ptr<const AfterStates> states,
                                         std::shared_ptr<const DegreeNet> net, GraphPricer& pricer,
                                         const GraphWorkload& expected) {
    require(net->parameters.size() == parameterCount(net->shape, net->hidden, *states),
            "a net has as many parameters as its layers say");
    if (net->shape == NetShape::graphNetwork)
        return std::make_shared<GraphScorer>(std::move(net),
                                             JobObservation(std::make_shared<const JobGraphs>(pricer), expected));
    return std::make_shared<AfterStateScorer>(std::move(states), std::move(net), AfterStates::expect(pricer, expected));
}

} // namespace trainyard
