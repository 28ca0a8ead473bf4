// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The policies that ship: the one visible list. To add a policy, write its file in the folder of its family, add its name
// here, and a test worked by hand. Each name is a function that the policy's own file defines; Registry.cpp calls them in
// this order.
#include "policy/Registry.h"

#define TRAINYARD_SCHEDULERS(entry)                                                                                    \
    entry(fifo) entry(srtf) entry(las) entry(drf) entry(fair) entry(slaq) entry(qualityRate) entry(maxLossFirst)       \
        entry(optimus) entry(dorm) entry(tetris) entry(gavel) entry(themis) entry(afs) entry(pollux) entry(asha)       \
            entry(hypersched) entry(pdors) entry(pdorsPlus) entry(oasis)

#define TRAINYARD_SYNCHRONIZATIONS(entry)                                                                              \
    entry(fullSync) entry(fastestK) entry(backupWorkers) entry(kBatchSync) entry(kAsync) entry(kBatchAsync)            \
        entry(async) entry(ssp) entry(dsag) entry(localSgd) entry(adaComm) entry(gradientCoding) entry(adaptiveK)      \
            entry(adaptiveLoad)

#define TRAINYARD_PARAMETERS(entry)                                                                                    \
    entry(staticParameters) entry(relocating) entry(nups) entry(adaptive) entry(replicated)

#define TRAINYARD_PARTITIONERS(entry)                                                                                  \
    entry(noPartitioning) entry(minPartitioning) entry(maxPartitioning) entry(randomPartitioning) entry(acceptableJct) \
        entry(constantPartitioning) entry(floorPartitioning) entry(rolloutPartitioning) entry(learnedPartitioning)

namespace trainyard::builtin {

#define TRAINYARD_SCHEDULER(name) SchedulerEntry name();
#define TRAINYARD_SYNCHRONIZATION(name) SynchronizationEntry name();
#define TRAINYARD_PARAMETER_POLICY(name) ParametersEntry name();
#define TRAINYARD_PARTITIONER(name) PartitionerEntry name();
TRAINYARD_SCHEDULERS(TRAINYARD_SCHEDULER)
TRAINYARD_SYNCHRONIZATIONS(TRAINYARD_SYNCHRONIZATION)
TRAINYARD_PARAMETERS(TRAINYARD_PARAMETER_POLICY)
TRAINYARD_PARTITIONERS(TRAINYARD_PARTITIONER)
#undef TRAINYARD_SCHEDULER
#undef TRAINYARD_SYNCHRONIZATION
#undef TRAINYARD_PARAMETER_POLICY
#undef TRAINYARD_PARTITIONER

} // namespace trainyard::builtin
