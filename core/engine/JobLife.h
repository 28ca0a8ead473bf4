// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What outlives a start of a job: where it goes on when it is started again. One per job of a run, in both modes.
#include "engine/JobStore.h"

#include <optional>

namespace trainyard {

struct JobLife {
    std::optional<JobSnapshot> saved;      ///< where it goes on when it is started again
    std::optional<JobSnapshot> checkpoint; ///< the last complete one
    std::uint32_t lastTask = 0;            ///< highest task number used so far
    std::uint32_t policyCalls = 0;         ///< of its synchronization so far
    SimTime startedAt;
    bool hasRun = false; ///< another start is a restart
    /// Of the parameters when the scheduler preempted it; empty: they are not with machines
    std::vector<MachineId> owners;
};

} // namespace trainyard
