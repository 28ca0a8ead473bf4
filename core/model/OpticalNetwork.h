// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// RAMP, a flat optical network of servers in communication groups and racks (Ottino, Benjamin and Zervas, arXiv
// 2211.15226), as a value: its shape and the constants of its times. Each pair of servers has a channel of its own.
#include <cstdint>
#include <optional>

namespace trainyard {

/// By which rules graphs are split and timed on it: those of the published implementation, or without most of its oddities.
enum class GraphRules { corrected, faithful };

/// The oddities of the published implementation, each by a name of its own (decision 0012).
struct GraphSwitches {
    /// Operations are split no finer than so, in seconds: n = max(1, min(2⌈⌈forward time/q⌉/2⌉, degree)).
    double quantumSeconds = 1e-5;
    /// All-reduce divides the bandwidth of a channel by the number of groups once more: a node's bandwidth is divided twice.
    bool bandwidthDividedTwice = false;
    /// All-reduce counts one contending rack, whatever the racks of its servers.
    bool oneContendingRack = false;
    /// The parts of a backward operation exchange activations too, not only the gradients of parameters.
    bool synchronizesActivations = false;
    /// A dependency carries activation and parameters of its source, and after a split its share of those of the end that was split last, in
    /// the order of the operations; else its share of the activation of its source. On in both rules: see decision 0012.
    bool edgesCarryMemory = true;
    /// A finished exchange between parts counts as a finished predecessor of the part that it leads to.
    bool exchangesCountAsPredecessors = false;
    /// A completion time is kept by graph and degree, whatever the block: that of the first placement.
    bool timesIgnorePlacement = false;
    /// Degrees at which a graph needs a block that the network has no shape for are offered like others, and block the job.
    bool impossibleDegreesOffered = false;
    /// Rounding of sums may decide whether a deadline is met.
    bool exactDeadlines = false;
    /// A job that ends at the instant of an arrival still counts as running for the degrees that are allowed.
    bool endingJobsHoldServers = false;

    static GraphSwitches of(GraphRules rules);
    friend bool operator==(const GraphSwitches&, const GraphSwitches&) = default;
};

struct OpticalNetwork {
    int groups = 4;                ///< communication groups, C
    int racks = 4;                 ///< of each group, R ≤ C
    int servers = 2;               ///< of each rack, S
    double nodeBandwidth = 1.6e12; ///< bytes per second into or out of a server, over all its channels
    double propagationSeconds = 50e-9;
    double ioSeconds = 100e-9; ///< of the sender and of the receiver, each
    double memoryBytes = 80e9; ///< of each server
    GraphRules rules = GraphRules::corrected;
    std::optional<GraphSwitches> switches; ///< instead of those of the rules

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
