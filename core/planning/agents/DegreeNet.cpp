// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/agents/DegreeNet.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

nets::Mlp<float> afterStateNet(std::size_t inputs, const std::vector<std::size_t>& hidden) {
    std::vector<std::size_t> widths{inputs};
    widths.insert(widths.end(), hidden.begin(), hidden.end());
    widths.push_back(1);
    return nets::Mlp<float>(widths);
}

DegreeScorer::DegreeScorer(std::shared_ptr<const AfterStates> states, std::shared_ptr<const DegreeNet> net)
    : m_states(std::move(states)), m_net(std::move(net)), m_mlp(afterStateNet(m_states->optionSize(), m_net->hidden)) {
    require(m_mlp.parameters() == m_net->parameters.size(), "a net has as many parameters as its layers say");
}

void DegreeScorer::score(const LossSystem& system, double now, const ExpectedLoad& load,
                         std::span<const GraphOption> options, std::vector<double>& out) {
    out.assign(options.size(), std::nan(""));
    const auto inTime = [](const GraphOption& option) { return option.state == OptionState::inTime; };
    const auto rows = static_cast<std::size_t>(std::ranges::count_if(options, inTime));
    if (rows == 0) return;
    m_rows.resize(rows, m_states->optionSize());
    std::size_t row = 0;
    for (std::size_t i = 0; i < options.size(); ++i)
        if (inTime(options[i]))
            m_states->writeOption(system, now, options, i, load, {m_rows.row(row++), m_rows.columns});
    const nets::Matrix<float>& scores = m_mlp.forward(m_net->parameters, m_rows, m_tape);
    row = 0;
    for (std::size_t i = 0; i < options.size(); ++i)
        if (inTime(options[i])) out[i] = scores.row(row++)[0];
}

std::optional<std::size_t> DegreeScorer::choose(const LossSystem& system, double now, const ExpectedLoad& load,
                                                std::span<const GraphOption> options) {
    std::optional<std::size_t> best;
    std::size_t count = 0;
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].state == OptionState::inTime && count++ == 0) best = i;
    if (count < 2) return best; // nothing to compare
    score(system, now, load, options, m_scores);
    for (std::size_t i = 0; i < options.size(); ++i)
        if (m_scores[i] > m_scores[*best]) best = i;
    return best;
}

} // namespace trainyard
