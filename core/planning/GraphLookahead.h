// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How long one step of a computation graph takes when every operation is split into `degree` equal parts,
// part p on device p. The engine answers partitioners (PartitionView) and runs graph jobs with it. A minimal
// model, in closed steps:
//   - forward operations run in topological order, then backward ones in the reverse order; a device runs its
//   parts in that
//     order, part p of operation v taking seconds(v) / (degree · speed_p);
//   - what an operation hands on (activationBytes of the earlier one, both ways) is spread evenly over the
//   devices, and
//     each part of the next needs all of it: latency + (degree − 1)/degree · bytes / bandwidth after the last
//     part is done (zero for one device). Transfers do not hinder each other and overlap with computation;
//   - the gradient of an operation's parameters is summed over the devices after its backward parts (ring
//   all-reduce):
//     2 · latency + 2 (degree − 1)/degree · parameterBytes / bandwidth. The step ends when computations and
//     sums have.
#include "model/ComputationGraph.h"
#include "model/Routes.h"
#include "model/Workload.h"

#include <span>

namespace trainyard {

struct LookaheadDevices {
    std::vector<double> speeds; ///< relative, at least `degree` of them
    double bandwidth = 0;       ///< bytes per second into each device; infinity = no cost
    double latencySeconds = 0;
};

/// Devices of a placement: speeds of the machines, least bandwidth and greatest latency between any two of
/// them (tasks on one machine: the cluster's local bandwidth). Bandwidth 0 if two machines cannot reach each
/// other.
LookaheadDevices lookaheadDevices(const Cluster& cluster, std::span<const MachineId> machines);
/// The same over the routes that there are now: links may be down.
LookaheadDevices lookaheadDevices(const Cluster& cluster, std::span<const MachineId> machines, RouteTable& routes);

/// Seconds of one step; infinity without bandwidth where some is needed. The graph must have no cycle.
double stepSeconds(const ComputationGraph& graph, int degree, const LookaheadDevices& devices);

} // namespace trainyard
