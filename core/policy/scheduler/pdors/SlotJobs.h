// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How schedulers that plan in slots see the machines and the jobs of a run: amounts in micro-units, work in updates times the
// samples of one, paces by the engine's speed model.
#include "policy/Scheduler.h"
#include "policy/scheduler/pdors/SlotModel.h"

#include <optional>

namespace trainyard {

/// All machines, whether up or down.
SlotCluster slotCluster(const Cluster& cluster, int horizon);

/// What does not change while a job waits or runs.
struct SlotJobShape {
    SlotJob job;                 ///< without arrival, samples and times
    double samplesPerUpdate = 1; ///< of one update
    /// It has a pace on the idle cluster, and an end that can be told.
    bool plannable = false;
};

/// With the most workers that the job may have and the idle cluster holds: on one machine if one has room, and spread. A job whose
/// updates do not get shorter with more workers (a batch for each worker, so many updates in all) is planned with its fewest.
SlotJobShape slotJobShape(const SchedulerView& view, JobId id, double slotSeconds);

/// The rest of its work, as of now, from the slot `first` on, which begins at `begin`.
SlotJob slotJob(const SchedulerView& view, JobId id, const SlotJobShape& shape, int first, SimTime begin,
                double slotSeconds);

Placement placementOf(const SlotTasks& tasks);

} // namespace trainyard
