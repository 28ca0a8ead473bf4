#pragma once
// Puts the tasks of one job on machines with room. Schedulers that do not plan placement themselves use it.
#include "model/Placement.h"
#include "model/Workload.h"

#include <optional>
#include <span>

namespace trainyard {

enum class PlacingStrategy {
    pack,   ///< fewest machines: fullest first that still fits
    spread, ///< most free dominant resource first
    rack,   ///< as pack, within one rack if any rack can hold the job
};

/// Places workers and servers within `free` (indexed by MachineId; machines that are down have nothing free), which is
/// reduced by what was taken. nullopt, and `free` untouched, if they do not all fit. Ties go to the lower MachineId.
std::optional<Placement> placeTasks(const Workload& workload, const Job& job, int workers, int servers,
                                    std::span<ResourceVector> free, PlacingStrategy strategy);

} // namespace trainyard
