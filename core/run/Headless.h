// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One run from beginning to end, without frames or record: what comparisons, sweeps and the simulated twin of
// an executed run are made of. Returns when the run is over.
#include "engine/Executor.h"
#include "engine/Simulation.h"
#include "record/Metrics.h"
#include "run/LimitGuard.h"

#include <stop_token>

namespace trainyard {

struct RunOutcome {
    Metrics metrics;
    std::string digest;
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const EventLog> log;
};

/// Problems: what prevented the run, or made it fail ("run-failed"), or "stopped", or "limit" for one of the scenario's.
Result<RunOutcome> simulateOnce(SimulationOptions options, const std::stop_token& stop);
/// The same in real time, on threads of its own; problems alike.
Result<RunOutcome> executeOnce(SimulationOptions options, const std::stop_token& stop);

/// Runs an execution; the limit that ended it before all jobs were over, if one did.
std::optional<Problem> executeGuarded(Executor& executor, LimitGuard& guard, const std::function<void()>& publish);

/// "after event 12 (task-placed) at 3.5 s": where a run was when it failed. Code "limit" if it was for want of memory.
Problem runFailure(const EventLog& log, SimTime time, const std::exception& error);
/// A run that was never begun; codes alike.
Problem preparationFailure(const std::exception& error);

/// Measured against simulated, per job: x_measured / x_simulated − 1 for the mean iteration time; for the
/// loss, the difference of the final losses relative to the drop of the simulated one. Absent where either
/// run has no such number.
struct JobGap {
    std::optional<double> iterationTime, loss;
};
std::vector<JobGap> gapsBetween(const Metrics& measured, const Metrics& simulated);

} // namespace trainyard
