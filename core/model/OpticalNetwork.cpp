// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/OpticalNetwork.h"

namespace trainyard {

GraphSwitches GraphSwitches::of(GraphRules rules) {
    if (rules == GraphRules::corrected) return {};
    return {.quantumSeconds = 0.01,
            .bandwidthDividedTwice = true,
            .oneContendingRack = true,
            .synchronizesActivations = true,
            .edgesCarryMemory = true,
            .exchangesCountAsPredecessors = true,
            .timesIgnorePlacement = true,
            .impossibleDegreesOffered = true,
            .exactDeadlines = true,
            .endingJobsHoldServers = true};
}

} // namespace trainyard
