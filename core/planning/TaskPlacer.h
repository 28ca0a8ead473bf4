// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Puts the tasks of one job on machines with room. Schedulers that do not plan placement themselves use it.
#include "model/Placement.h"
#include "planning/FreeCapacity.h"

#include <optional>
#include <span>

namespace trainyard {

enum class PlacingStrategy {
    pack,   ///< fewest machines: fullest first that still fits
    spread, ///< most free dominant resource first
    rack,   ///< as pack, within one rack if any rack can hold the job
};

/// Places workers and servers within `free`, which is reduced by what was taken. nullopt, and `free` untouched, if they do
/// not all fit. Ties go to the lower MachineId.
std::optional<Placement> placeTasks(const Workload& workload, const Job& job, int workers, int servers,
                                    FreeCapacity& free, PlacingStrategy strategy);
/// The same with amounts by machine; for single questions, since it groups all machines first.
std::optional<Placement> placeTasks(const Workload& workload, const Job& job, int workers, int servers,
                                    std::span<ResourceVector> free, PlacingStrategy strategy);

/// `wanted`, numbered so that tasks which stay on their machine keep the number that they have in `held`; newcomers take the
/// lowest numbers that are free. Where the job keeps its servers and `gaps` are allowed, numbers of workers that leave may stay
/// unused (invalid machines), so that nobody else is renumbered.
Placement keepingNumbers(const Placement& held, Placement wanted, bool gaps = true);

/// Adds what a placement of the job holds to `free`, or takes it away; tasks without a machine and machines that are down
/// are skipped.
void giveTasks(const Job& job, const Placement& placement, FreeCapacity& free);
void takeTasks(const Job& job, const Placement& placement, FreeCapacity& free);

} // namespace trainyard
