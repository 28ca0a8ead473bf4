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

/// Its keys by frequency: as they are drawn, or as the model that is trained accesses them.
std::shared_ptr<const KeyRanks> makeKeys(const KeyedAccess& access);
/// The nodes of a job on this placement: its machines in order of their numbers.
std::vector<MachineId> keyedMachines(const Placement& placement);
/// A worker by its number among all of the job: workers are numbered node by node, on a node in the order of the placement.
/// What its workers share that train a model; null: its keys are drawn.
std::shared_ptr<const TaskWork> makeTaskWork(const Job& job, bool relocates, std::uint64_t seed, std::size_t workers);
/// `mostAhead`: iterations that may be looked ahead, if more than the job declares. `task`: null unless a model is trained. A worker goes on from what is saved, if there were as many workers of a task.
KeyedWorker makeKeyedWorker(const KeyedAccess& access, std::shared_ptr<const KeyRanks> keys,
                            const std::shared_ptr<const TaskWork>& task, const KeyedSnapshot* saved,
                            std::uint32_t number, std::uint32_t mostAhead = 0);
/// Counts that workers with these counts are to come to so that `more` is done in all, as even as can be; none goes back.
std::vector<std::uint64_t> evenQuotas(std::vector<std::uint64_t> counts, std::uint64_t more);
/// The same, `more` divided in proportion to the examples that each has, so that epochs end for all together. Not all may be 0.
std::vector<std::uint64_t> quotasByShare(std::vector<std::uint64_t> counts, std::uint64_t more,
                                         const std::vector<std::size_t>& examples);
/// Of workers that are to do `more` together.
std::vector<std::uint64_t> quotasOf(const std::vector<const KeyedWorker*>& workers, std::uint64_t more);

struct KeyedGoal {
    std::uint64_t iterations = 0;
    FinishReason reason = FinishReason::iterations;
    std::uint64_t checkpointEvery = 0, evaluateEvery = 0; ///< iterations; 0: never
    /// Where the stretch after `done` iterations ends: at a checkpoint, an evaluation, or the goal.
    std::uint64_t stretch(std::uint64_t done) const {
        std::uint64_t end = iterations;
        for (const std::uint64_t every : {checkpointEvery, evaluateEvery})
            if (every > 0) end = std::min(end, (done / every + 1) * every);
        return end;
    }
    bool evaluatesAt(std::uint64_t done) const { return evaluateEvery > 0 && done % evaluateEvery == 0; }
    bool savesAt(std::uint64_t done) const { return checkpointEvery > 0 && done % checkpointEvery == 0; }
};
KeyedGoal keyedGoal(const Job& job);
/// By machine: of an iteration, where it does not vary; else negative.
std::vector<Duration> keyedComputeTimes(const Workload& workload, JobId job, DelayModel& delays, SimTime now);

} // namespace trainyard
