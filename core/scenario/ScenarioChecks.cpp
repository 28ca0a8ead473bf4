// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/ScenarioChecks.h"

#include "scenario/KeyedModels.h"
#include "scenario/ProblemPlaces.h"
#include "scenario/ScenarioTree.h"
#include "scenario/Suggest.h"

#include <algorithm>

namespace trainyard {

Problems ScenarioChecks::check() {
    checkCluster();
    checkFaults();
    checkChoices();
    checkRamp();
    checkCurves();
    checkGraphs();
    checkJobs();
    if (m_schedulerWarning && !m_hasUnwarned)
        report("doubtful", std::move(m_schedulerWarning->text),
               "/policies/scheduler/parameters/" + pointerToken(m_schedulerWarning->parameter), Severity::warning);
    checkExpectations();
    return std::move(m_problems);
}

void ScenarioChecks::report(const char* code, Text message, std::string pointer, Severity severity) {
    m_problems.push_back(
        {.code = code, .message = std::move(message), .severity = severity, .pointer = std::move(pointer)});
}

void ScenarioChecks::checkId(const std::string& key, std::set<std::string>& seen, const char* what,
                             const std::string& pointer) {
    if (key.empty())
        report("empty-id", {TRAINYARD_TEXT("the id of a {0} must not be empty"), {what}}, pointer);
    else if (!seen.insert(key).second)
        report("duplicate-id",
               {TRAINYARD_TEXT("the id \"{0}\" is used several times; each {1} needs its own"), {key, what}}, pointer);
}

void ScenarioChecks::checkReference(const std::string& key, const KnownIds& ids, const char* what,
                                    const std::string& pointer) {
    if (ids.contains(key)) return;
    const std::vector<std::string>& known = ids.inOrder();
    const std::string near = m_problems.size() < enoughProblems ? nearestWord(key, known) : std::string();
    report("unknown-id",
           {!near.empty()   ? TRAINYARD_TEXT("there is no {0} \"{1}\"; did you mean \"{2}\"?")
            : known.empty() ? TRAINYARD_TEXT("there is no {0} \"{1}\"; the scenario has none")
                            : TRAINYARD_TEXT("there is no {0} \"{1}\"; there are {3}"),
            {what, key, near, joinWords(known)}},
           pointer);
}

std::shared_ptr<const Synchronization> ScenarioChecks::synchronizationOf(const Choice& choice) {
    if (&choice != &m_scenario.policies.synchronization) return m_registry.makeSynchronization(choice);
    if (!m_common) m_common = m_registry.makeSynchronization(choice);
    return m_common;
}

std::string amountsKey(const ResourceVector& amounts) {
    std::string key;
    std::size_t size = amounts.size();
    while (size > 0 && amounts.micro(size - 1) == 0) --size; // a shorter vector means zeros
    for (std::size_t r = 0; r < size; ++r) key += std::to_string(amounts.micro(r)) + ",";
    return key;
}

void ScenarioChecks::checkExpectations() {
    std::vector<std::string> ids;
    for (const auto& metric : metricDefinitionsFor(m_scenario))
        if (metric.ofRun()) ids.push_back(metric.id);
    const KnownIds known(std::move(ids));
    for (const auto& expectation : m_scenario.expect)
        checkReference(expectation.metric, known, TRAINYARD_TEXT("metric"),
                       "/expect/" + pointerToken(expectation.metric));
}

void ScenarioChecks::checkChoices() {
    for (const auto family :
         {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters, PolicyFamily::partitioner})
        add(m_registry.check(family, m_scenario.policies.of(family), "/policies/" + std::string(familyName(family))));
    std::set<std::string> names;
    for (std::size_t i = 0; i < m_scenario.variants.size(); ++i) {
        const Variant& variant = m_scenario.variants[i];
        const std::string pointer = "/variants/" + std::to_string(i);
        checkId(variant.name, names, TRAINYARD_TEXT("variant"), pointer + "/name");
        add(m_registry.check(variant.family, variant.choice, pointer));
    }
}

Problems validateScenario(const Scenario& scenario, const Registry& registry) {
    Problems problems = structureProblems(scenario);
    Problems more = checkScenario(scenario, registry);
    problems.insert(problems.end(), more.begin(), more.end());
    return problems;
}

Problems checkScenario(const Scenario& scenario, const Registry& registry) {
    return ScenarioChecks(scenario, registry).check();
}

} // namespace trainyard
