// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// RAMP, a flat optical network of servers in communication groups and racks (Ottino, Benjamin and Zervas, arXiv
// 2211.15226), as a value: its shape and the constants of its times. Each pair of servers has a channel of its own.
#include <cstdint>

namespace trainyard {

/// By which rules graphs are split and timed on it: those of the published implementation, or without its oddities (GraphSetting).
enum class GraphRules { corrected, faithful };

struct OpticalNetwork {
    int groups = 4;                ///< communication groups, C
    int racks = 4;                 ///< of each group, R ≤ C
    int servers = 2;               ///< of each rack, S
    double nodeBandwidth = 1.6e12; ///< bytes per second into or out of a server, over all its channels
    double propagationSeconds = 50e-9;
    double ioSeconds = 100e-9; ///< of the sender and of the receiver, each
    double memoryBytes = 80e9; ///< of each server
    GraphRules rules = GraphRules::corrected;

    static constexpr int mostServers = 64; ///< in all: what one word of occupancy holds
    int serverCount() const { return groups * racks * servers; }
    double channelBandwidth() const { return nodeBandwidth / groups; }
    /// What every message takes however small it is.
    double messageSeconds() const { return propagationSeconds + 2 * ioSeconds; }
    friend bool operator==(const OpticalNetwork&, const OpticalNetwork&) = default;
};

/// Server number (group · racks + rack) · servers + place: machines of Topologies' rampCluster() have this order.
struct ServerPlace {
    int group = 0, rack = 0, place = 0;
};
inline ServerPlace placeOf(const OpticalNetwork& network, int server) {
    return {server / (network.racks * network.servers), server / network.servers % network.racks,
            server % network.servers};
}
inline int serverAt(const OpticalNetwork& network, ServerPlace at) {
    return (at.group * network.racks + at.rack) * network.servers + at.place;
}

} // namespace trainyard
