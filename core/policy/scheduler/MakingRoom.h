// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which running jobs have to give way so that another one fits: for schedulers that preempt.
#include "policy/scheduler/JobStart.h"

#include <functional>

namespace trainyard {

/// The i-th job that may be preempted, in the order in which they are; nullopt if there are no more.
using Preemptible = std::function<std::optional<JobId>(std::size_t i)>;

/// Preempts job after job until `newcomer` fits with so many workers and their servers, then spares those, last first, whose room is not needed.
/// Returns the places in the order of those to be preempted, ascending, whose room has been given to view.free(); empty,
/// and nothing given, if not even all of them make room.
std::vector<std::size_t> makeRoom(const SchedulerView& view, JobId newcomer, int workers, PlacingStrategy strategy,
                                  const Preemptible& preemptible);

} // namespace trainyard
