// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What kind of net an agent has; configurations, agents and trainers are told apart by it.
#include <cstdint>

namespace trainyard {

enum class NetShape : std::uint8_t {
    afterStates, ///< ours: scores the state that a decision would leave
    graphNetwork ///< of the paper's shape: values degrees from the job's graph
};
inline constexpr const char* netShapes[] = {"after-states", "graph-network"}; ///< names in files

} // namespace trainyard
