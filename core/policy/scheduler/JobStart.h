// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the built-in schedulers share when they start a job: how many tasks, where, and how to explain that
// they fit.
#include "base/ParamSchema.h"
#include "planning/TaskPlacer.h"
#include "policy/Scheduler.h"

#include <string>

namespace trainyard {

/// The parameter "placing".
template <class P>
BoundField<P, std::string> placingField(std::string P::*member) {
    return choice(member, "placing", "Placing", {"pack", "spread", "rack"},
                  "Onto which machines: the fewest, the emptiest, or the fewest within one rack.");
}
PlacingStrategy placingStrategy(const std::string& name);

/// The parameter "size": how many workers, within the job's bounds, a job is started with.
template <class P>
BoundField<P, std::string> sizeField(std::string P::*member, const char* label = "Workers per job",
                                     const char* help = "How many workers a job with bounds starts with.") {
    return choice(member, "size", label, {"as-many-as-fit", "maximum", "minimum"}, help).of(ParamScope::elastic);
}

/// Places the job with the number of workers that `size` says, in `free` (reduced); nullopt if that does not
/// fit.
std::optional<Placement> placeJob(const SchedulerView& view, JobId job, FreeCapacity& free, PlacingStrategy strategy,
                                  const std::string& size);

/// What the job holds on machines that are up, without gaps; empty if it does not run.
Placement heldPlacement(const SchedulerView& view, JobId job);

/// Takes from `free` what the job holds, if all of it is there and up; false, and nothing taken, if not: for jobs whose room was
/// given away in plan.
bool placeAgain(const SchedulerView& view, JobId job, FreeCapacity& free);

/// Key of a job, for summaries and labels.
const std::string& jobLabel(const SchedulerView& view, JobId job);

/// Checks that tell why `workers` + `servers` tasks of a job fit or not: each resource in total against what
/// is free in total, the room on single machines, and whether all could be placed together (`placed`).
std::vector<Check> fitChecks(const SchedulerView& view, JobId job, int workers, int servers, FreeCapacity& free,
                             bool placed);

/// "worker on m1, m2" for summaries; long lists are cut.
std::string machineList(const SchedulerView& view, const Placement& placement);

} // namespace trainyard
