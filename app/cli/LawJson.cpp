// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "LawJson.h"

#include "scenario/ScenarioFile.h"

#include <nlohmann/json.hpp>

namespace trainyard::cli {

// The scenario writer itself: what is printed can be pasted.
nlohmann::ordered_json lawJson(const Distribution& law) {
    Scenario scenario;
    Machine machine{.key = "m"};
    machine.straggler.delay = law;
    scenario.cluster.machines.push_back(std::move(machine));
    return nlohmann::ordered_json::parse(writeScenario(scenario))
        .at(nlohmann::ordered_json::json_pointer("/cluster/machines/0/straggler/delay_s"));
}

} // namespace trainyard::cli
