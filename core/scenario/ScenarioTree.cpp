// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/ScenarioTree.h"

#include "scenario/FieldReader.h"
#include "scenario/FieldWriter.h"
#include "scenario/ScenarioFields.h"

namespace trainyard {

JsonNode scenarioTree(Scenario scenario) {
    JsonNode root = JsonNode::object();
    root.set("format", JsonNode::string("trainyard-scenario"));
    root.set("version", JsonNode::number(std::to_string(Scenario::formatVersion)));
    FieldWriter writer(root);
    scenarioFields(writer, scenario);
    return root;
}

Scenario scenarioOf(const JsonNode& root, Problems& problems, bool keepOutOfRange) {
    Scenario scenario;
    FieldReader reader(root, problems, keepOutOfRange);
    reader.knows("format");
    reader.knows("version");
    scenarioFields(reader, scenario);
    reader.finish();
    return scenario;
}

Problems structureProblems(const Scenario& scenario) {
    Problems problems;
    scenarioOf(scenarioTree(scenario), problems);
    for (auto& problem : problems) problem.line = 0;
    return problems;
}

} // namespace trainyard
