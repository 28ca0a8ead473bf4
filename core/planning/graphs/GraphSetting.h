// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// By which rules computation graphs are split and timed on an optical network: those of the published implementation with each of its
// oddities as a named switch, or corrected ones. Read by everything in planning/graphs.
#include "model/OpticalNetwork.h"

namespace trainyard {

struct GraphSetting {
    /// Operations are split no finer than so: n = max(1, min(2⌈⌈forward time/q⌉/2⌉, degree)).
    double quantumSeconds = 1e-5;
    /// Times of a graph are multiplied by this when it is read. 1000: profiles give milliseconds, and the published implementation takes
    /// them for seconds beside a network in true seconds, so that communication hardly counts.
    double timeScale = 1;
    /// All-reduce divides the bandwidth of a channel by the number of groups once more: a node's bandwidth is divided twice.
    bool bandwidthDividedTwice = false;
    /// All-reduce counts one contending rack, whatever the racks of its servers.
    bool oneContendingRack = false;
    /// The parts of a backward operation exchange activations too, not only the gradients of parameters.
    bool synchronizesActivations = false;
    /// A dependency carries activation and parameters of its source, and after a split those of the end that was split last: its child, in the
    /// order of the operations. Else it carries its share of the activation of its source.
    bool edgesCarryMemory = false;
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

    static GraphSetting faithful();
    static GraphSetting corrected() { return {}; }
    static GraphSetting of(GraphRules rules) { return rules == GraphRules::faithful ? faithful() : corrected(); }
    friend bool operator==(const GraphSetting&, const GraphSetting&) = default;
};

} // namespace trainyard
