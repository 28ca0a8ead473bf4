#pragma once
// From older versions of the format to the current one: a chain of steps, each from one version to the next,
// on the JSON tree (lines survive, so that problems found later still name the line of the old file). Used by
// ScenarioFile.
#include "scenario/JsonTree.h"

namespace trainyard {

/// Checks "format" and "version"; the version found, or nothing if the document is not for this program.
std::optional<int> scenarioVersion(const JsonNode& root, Problems& problems);
/// Applies the steps from `version` to Scenario::formatVersion.
void migrateScenario(JsonNode& root, int version);

} // namespace trainyard
