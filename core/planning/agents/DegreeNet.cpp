// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/agents/DegreeNet.h"

namespace trainyard {

nets::Mlp<float> afterStateNet(std::size_t inputs, const std::vector<std::size_t>& hidden) {
    std::vector<std::size_t> widths{inputs};
    widths.insert(widths.end(), hidden.begin(), hidden.end());
    widths.push_back(1);
    return nets::Mlp<float>(widths);
}

std::size_t parameterCount(NetShape shape, const std::vector<std::size_t>& hidden, const AfterStates& states) {
    return shape == NetShape::afterStates ? afterStateNet(states.optionSize(), hidden).parameters()
                                          : nets::DuelingGraphNet<float>(JobObservation::widths(hidden)).parameters();
}

} // namespace trainyard
