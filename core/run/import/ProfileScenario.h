// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A profile of PipeDream as a scenario: one graph job at the start, on an optical network of 32 machines.
#include "model/ComputationGraph.h"
#include "scenario/Scenario.h"

namespace trainyard {

/// `name`: of the file, for the title. A part of an operation takes one GPU; the job is split up to 16 ways.
Scenario profileScenario(ComputationGraph graph, const std::string& name);

} // namespace trainyard
