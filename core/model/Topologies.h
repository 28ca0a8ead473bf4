// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Clusters of regular shape, as values: what the window offers as templates, and what tests and benchmarks
// run on. Keys are stable ("m1" …, "s1" …, "r1" …). Positions are centres of cards of about 160×96 pixels on
// the canvas' 8-pixel grid.
#include "model/Cluster.h"

#include <span>

namespace trainyard {

/// What all machines and links of a generated cluster have in common.
struct TopologyParts {
    std::vector<std::string> resourceNames{"cpu", "gpu", "memory_gb"};
    ResourceVector capacity = ResourceVector::of({16, 4, 64}); ///< of each machine
    double bandwidth = 1.25e9;                                 ///< of each link, bytes per second and direction
    Duration latency{};                                        ///< of each link
};

/// `machines` ≥ 1 around one switch.
Cluster starCluster(int machines, const TopologyParts& parts = {});

/// Two tiers: one switch per rack, one switch above them, whose links have `uplinkFactor` times the
/// bandwidth.
Cluster treeCluster(int racks, int machinesPerRack, double uplinkFactor = 1, const TopologyParts& parts = {});

/// An extended generalised fat tree, XGFT(h; m1 … mh; w1 … wh) of Öhring et al., IPPS 1995: a node of level i
/// has down[i] children (down[0]: machines per leaf switch) and a node below it up[i] parents. Equal lengths,
/// entries ≥ 1. Machines are numbered leaf by leaf and links up-link by up-link, so that RouteTable's choice
/// is D-mod-k. One rack per leaf switch.
Cluster fatTreeCluster(std::span<const int> down, std::span<const int> up, const TopologyParts& parts = {});

/// The three-level fat tree of k-port switches: k³/4 machines, 5k²/4 switches, k even (Al-Fares et al.,
/// SIGCOMM 2008).
Cluster fatTreeCluster(int ports, const TopologyParts& parts = {});

/// Machines in a circle, each linked to the next; two machines share one link.
Cluster ringCluster(int machines, const TopologyParts& parts = {});

/// columns × rows machines, each linked to its right and its lower neighbour, around the edges too (not where
/// a side has fewer than three, whose ends are neighbours already).
Cluster torusCluster(int columns, int rows, const TopologyParts& parts = {});

/// Every machine linked to every other.
Cluster meshCluster(int machines, const TopologyParts& parts = {});

/// RAMP, a flat optical network: `groups` communication groups of `racks` racks of `nodes` machines, racks ≤
/// groups. Passive couplers give each pair of machines a channel of its own, so all are one hop apart: a mesh
/// whose links have the bandwidth of one channel. One rack per group and rack (Ottino, Benjamin and Zervas,
/// arXiv 2211.15226).
Cluster rampCluster(int groups, int racks, int nodes, const TopologyParts& parts = {});

} // namespace trainyard
