// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What can be done with a job that arrives at an optical cluster: its degrees with their blocks and completion times, priced once. Rules,
// rollouts, explanations and views read the same array.
#include "planning/graphs/ServerBlocks.h"
#include "record/Event.h"

#include <limits>

namespace trainyard {

enum class OptionState : std::uint8_t {
    inTime,     ///< there is a block, and the deadline is met
    late,       ///< there is a block, and the deadline is not met
    noBlock,    ///< enough servers are free, but no block of a shape that is needed
    tooFewFree, ///< more parts than free servers
    impossible, ///< not even the empty cluster has the blocks or the memory, or the split graph is too large
};

struct GraphOption {
    int degree = 0;
    OptionState state = OptionState::tooFewFree;
    bool allowed = false;   ///< offered to rules that do not look at blocks: not more parts than free servers
    ServerMask servers = 0; ///< that the job would hold; 0: there is no block
    double seconds = std::numeric_limits<double>::infinity(); ///< from arrival to completion; infinite without a block

    bool placeable() const { return state == OptionState::inTime || state == OptionState::late; }
};

/// Why an arrival is not served, as far as the options tell: whatever rule decides.
enum class BlockedReason : std::uint8_t {
    impossible, ///< no degree meets the deadline even on the empty cluster
    noBlock,    ///< no degree has a free block
    tooSlow,    ///< those that have one are late
    byChoice,   ///< some degree would have met the deadline
    inFlight,   ///< accepted, and still running when the observation ends
};
inline constexpr int blockedReasons = 5;
/// As events say it; not of inFlight, which no event tells.
inline RejectReason rejectReasonOf(BlockedReason reason) {
    return static_cast<RejectReason>(static_cast<int>(reason) + 1);
}
static_assert(static_cast<int>(RejectReason::byChoice) == static_cast<int>(BlockedReason::byChoice) + 1);

} // namespace trainyard
