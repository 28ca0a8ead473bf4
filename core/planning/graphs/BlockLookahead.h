// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How long one training step of a split graph takes where each operation has its block of servers. Each server works on the shortest of
// its parts that are ready, and messages between two servers go shortest first; but a message that is ready moves on beside the others of
// its channel, and one that is done before the shortest of its channel is seen to be done with the next event: the rules of the published
// implementation, kept in both settings. A dependency within a server, or of no bytes, takes no time.
#include "planning/graphs/CollectiveTimes.h"
#include "planning/graphs/SplitGraph.h"

#include <array>

namespace trainyard {

/// The servers of each forward operation, in order of its parts; its backward operation has the same.
using GraphPlacement = std::vector<std::span<const std::uint8_t>>;

struct StepTimes {
    double seconds = 0;
    double communicationSeconds = 0; ///< during which some message was under way
    double computationSeconds = 0;   ///< during which some server worked
};

/// Seconds that a dependency between parts on different servers takes, by edge of `graph` (SplitGraph::edgeIndex): as an all-reduce, where all
/// that leaves the parts of a forward operation, or reaches those of a backward one, leaves and reaches the same servers; else one to one.
std::vector<double> messageSeconds(const SplitGraph& graph, const GraphPlacement& placement,
                                   const OpticalNetwork& network, const GraphSetting& setting);

/// What happened when in a step, for timelines.
struct PartTime {
    std::uint32_t operation = 0;
    std::uint16_t part = 0;
    std::uint8_t server = 0;
    double begin = 0, end = 0; ///< while it is worked on without interruption
};

/// `parts`: filled where given.
StepTimes lookAhead(const SplitGraph& graph, const GraphPlacement& placement, const OpticalNetwork& network,
                    const GraphSetting& setting, std::vector<PartTime>* parts = nullptr);

} // namespace trainyard
