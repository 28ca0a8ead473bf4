// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a node of a keyed job has counted since it was logged, and the events that say so. In both modes.
#include "engine/keyed/KeyedRoutes.h"
#include "policy/keys/KeyMessage.h"
#include "record/Events.h"
#include "record/KeyCounters.h"

#include <array>

namespace trainyard {

struct KeyedCounts {
    std::array<std::array<std::uint64_t, rankBuckets>, 3> pulls{}; ///< local, remote, waiting
    std::array<std::uint64_t, 3> pushes{};
    std::array<std::uint64_t, keyMessageTypes> messages{}, bytes{};
    std::int64_t serverNs = 0, sendingNs = 0, receivingNs = 0;
    std::uint64_t received = 0, rounds = 0;
};

/// Without what is 0.
std::vector<Event> countEvents(JobId job, std::uint32_t node, const KeyedCounts& counts);
/// Of links that carried something. `bytes`: by pair of nodes, sender first; `links`: of the cluster.
std::vector<Event> byteEvents(JobId job, const KeyedRoutes& routes, const std::vector<std::uint64_t>& bytes,
                              std::size_t links);

} // namespace trainyard
