// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/GraphSetting.h"

namespace trainyard {

GraphSetting GraphSetting::faithful() {
    return {.quantumSeconds = 0.01,
            .timeScale = 1000,
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
