#pragma once
// What outlives a start of a job: where it goes on when it is started again. One per job of a run, in both modes.
#include "engine/JobStore.h"

#include <optional>

namespace trainyard {

struct JobLife {
    std::optional<JobSnapshot> saved;      ///< where it goes on when it is started again
    std::optional<JobSnapshot> checkpoint; ///< the last complete one
    std::uint32_t lastTask = 0;            ///< highest task number used so far
    SimTime startedAt;
};

} // namespace trainyard
