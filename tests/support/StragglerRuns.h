#pragma once
// Runs of the canonical scenario of straggler-tolerant SGD under any of its variants, with the choices that
// were explained, for tests of the views of waiting.
#include "analysis/RateChoices.h"
#include "run/RunSession.h"
#include "scenario/ScenarioFile.h"
#include "session/RunData.h"

#include <string>

namespace trainyard::test {

inline const char* canonicalStragglers = TRAINYARD_SOURCE_DIR "/scenarios/papers/stragglers/c1.json";

struct StragglerRun {
    RunData data;
    std::vector<Explanation> explanations;
};

/// With the variant of that name, else the policy of that id; ended after so many simulated seconds.
inline StragglerRun stragglerRun(const std::string& synchronization, double seconds) {
    auto registry = std::make_shared<const Registry>(Registry::builtin());
    auto scenario = std::make_shared<Scenario>(readScenario(canonicalStragglers, *registry).value().scenario);
    scenario->policies.synchronization = {synchronization, {}};
    for (const Variant& variant : scenario->variants)
        if (variant.name == synchronization) scenario->policies.synchronization = variant.choice;
    scenario->horizonSeconds = seconds;
    RunSession session({.scenario = scenario, .registry = registry, .seed = scenario->seed});
    session.wait();
    StragglerRun run{{.id = 1,
                      .label = QString::fromStdString(synchronization),
                      .scenario = scenario,
                      .seed = scenario->seed,
                      .workload = session.workload(),
                      .log = session.log()},
                     session.explanations(0)};
    run.data.explanations = std::make_shared<const ExplanationLog>(run.explanations);
    return run;
}

} // namespace trainyard::test
