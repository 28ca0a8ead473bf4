// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where the tasks of a job go once their numbers are chosen: the placement of Optimus (Peng et al., EuroSys 2018, section 4.2).
#include "model/Placement.h"
#include "planning/FreeCapacity.h"

#include <optional>

namespace trainyard {

/// Workers and servers are dealt evenly over the fewest of the least loaded machines that hold them so: machines in falling order
/// of what they have free of the job's dominant resource (then by number), those left out that hold none of its tasks. Where no
/// even division fits, as TaskPlacer packs. `free` is reduced by what was taken; nullopt, and `free` untouched, if they do not fit.
/// `capacity`: of all machines, by which the dominant resource is told.
std::optional<Placement> placeEvenly(const Workload& workload, const Job& job, int workers, int servers,
                                     FreeCapacity& free, const ResourceVector& capacity);

} // namespace trainyard
