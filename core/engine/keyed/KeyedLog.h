// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// When counters of a keyed job are logged, and where its most frequent keys are. In both modes.
#include "base/SimTime.h"
#include "policy/keys/KeyNode.h"
#include "record/Events.h"

namespace trainyard {

/// Counters are logged at the end of each interval. Intervals double when there are many.
struct KeyedIntervals {
    static constexpr int most = 256;
    Duration length = Duration::nanoseconds(1'000'000);
    int count = 0;
    void next() {
        if (++count < most) return;
        count /= 2;
        length = length + length;
    }
};

/// Of the most frequent keys it is logged where they are.
class ShownKeys {
public:
    static constexpr std::uint32_t count = 100;
    /// Of those whose node has changed since the last call; at the first, of all.
    std::vector<Event> moves(JobId job, const KeyJob& keys, const std::vector<const KeyNode*>& nodes);

private:
    std::vector<std::uint32_t> m_at; ///< by rank: the node that was logged
};

} // namespace trainyard
