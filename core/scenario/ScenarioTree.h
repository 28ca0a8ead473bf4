// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Between a Scenario and its JSON tree. Internal to scenario/.
#include "scenario/JsonTree.h"
#include "scenario/Scenario.h"

namespace trainyard {

JsonNode scenarioTree(Scenario scenario);
/// keepOutOfRange: see FieldReader.
Scenario scenarioOf(const JsonNode& root, Problems& problems, bool keepOutOfRange = false);
/// What the reader would say of the scenario if it were written and read: values out of range that the
/// program has set.
Problems structureProblems(const Scenario& scenario);
/// validateScenario without the structure, which the reader has just checked.
Problems checkScenario(const Scenario& scenario, const Registry& registry);

} // namespace trainyard
