// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the workers of a keyed job have to do, where, and how long it takes them. In both modes.
#include "engine/DelayModel.h"
#include "engine/keyed/KeyedNode.h"
#include "engine/keyed/KeyedSnapshot.h"
#include "model/Job.h"
#include "model/Placement.h"

namespace trainyard {

/// The nodes of a job on this placement: its machines in order of their numbers.
std::vector<MachineId> keyedMachines(const Placement& placement);
/// A worker by its number among all of the job: workers are numbered node by node, on a node in the order of the placement.
KeyedWorker makeKeyedWorker(const KeyedAccess& access, std::shared_ptr<const ZipfKeys> keys, const KeyedSnapshot* saved,
                            std::uint32_t number);
/// Counts that workers with these counts are to come to so that `more` is done in all, as even as can be; none goes back.
std::vector<std::uint64_t> evenQuotas(std::vector<std::uint64_t> counts, std::uint64_t more);

struct KeyedGoal {
    std::uint64_t iterations = 0;
    FinishReason reason = FinishReason::iterations;
    /// Where the stretch after `done` iterations ends: at a checkpoint, or at the goal.
    std::uint64_t stretch(std::uint64_t done, std::uint64_t checkpointEvery) const {
        return checkpointEvery > 0 ? std::min(iterations, (done / checkpointEvery + 1) * checkpointEvery) : iterations;
    }
};
KeyedGoal keyedGoal(const Job& job);
/// By machine: of an iteration, where it does not vary; else negative.
std::vector<Duration> keyedComputeTimes(const Workload& workload, JobId job, DelayModel& delays, SimTime now);

} // namespace trainyard
