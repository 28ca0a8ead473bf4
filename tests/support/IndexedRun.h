// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Runs of scenarios as views get them: simulated to the end, or some seconds of it, and folded. For tests
// without a window.
#include "analysis/RunIndex.h"
#include "run/RunSession.h"
#include "scenario/ScenarioFile.h"

#include <string>

namespace trainyard::test {

inline const char* canonicalStragglerRun = TRAINYARD_SOURCE_DIR "/scenarios/papers/stragglers/c1.json";

inline RunSource sourceOfRun(Scenario scenario) {
    auto registry = std::make_shared<const Registry>(Registry::builtin());
    auto shared = std::make_shared<const Scenario>(std::move(scenario));
    RunSession session({.scenario = shared, .registry = registry, .seed = shared->seed});
    session.wait();
    return {.scenario = shared,
            .seed = shared->seed,
            .workload = session.workload(),
            .log = session.log(),
            .explanations = session.explanations()};
}

/// The canonical scenario of straggler-tolerant SGD with the variant of that name, else the policy of that
/// id.
inline RunSource stragglerSource(const std::string& synchronization, double seconds) {
    const Registry registry = Registry::builtin();
    Scenario scenario = readScenario(canonicalStragglerRun, registry).value().scenario;
    scenario.policies.synchronization = {synchronization, {}};
    for (const Variant& variant : scenario.variants)
        if (variant.name == synchronization) scenario.policies.synchronization = variant.choice;
    scenario.horizonSeconds = seconds;
    return sourceOfRun(std::move(scenario));
}

} // namespace trainyard::test
