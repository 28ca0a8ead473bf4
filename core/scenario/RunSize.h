// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How large what a scenario asks for becomes, counted before any of it is made.
#include "scenario/Scenario.h"

namespace trainyard {

/// Bytes that a run may fill: its limit of memory, or the machine's memory.
double memoryFor(const RunLimits& limits);

/// Jobs that expandWorkload() makes: of a scenario, of a generator.
double jobCount(const Scenario& scenario);
double jobCount(const JobGenerator& generator);

/// Of two runs the one with more probably takes longer to simulate: workers × iterations × samples of a task, of trained jobs; tasks of
/// others. Iterations that no stopping rule says count as one. No duration: it only orders runs.
double workAsked(const Scenario& scenario);

/// Problems "beyond-memory": jobs, failures or data sets of which the run's memory could not hold as many, each told with its number.
/// Lower bounds: what passes may still reach the limit.
Problems sizeRefusals(const Scenario& scenario);

} // namespace trainyard
