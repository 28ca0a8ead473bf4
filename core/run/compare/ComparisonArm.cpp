// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Arms of a comparison: from names to choices, and to the scenarios that they run.
#include "run/compare/Comparison.h"
#include "run/compare/RateTuning.h"

#include <algorithm>
#include <array>

namespace trainyard {

namespace comparison_arm {

constexpr std::array families{PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                              PolicyFamily::partitioner};

/// What a job chooses for itself; null: schedulers are nobody's own.
Choice* own(Job& job, PolicyFamily family) {
    switch (family) {
    case PolicyFamily::scheduler: return nullptr;
    case PolicyFamily::synchronization: return &job.synchronization;
    case PolicyFamily::parameters: return &job.parameters;
    case PolicyFamily::partitioner: return &job.partitioner;
    }
    return nullptr;
}

bool consults(const Job& job, PolicyFamily family) {
    switch (family) {
    case PolicyFamily::scheduler: return true;
    case PolicyFamily::synchronization: return job.kind() != JobKind::graph;
    case PolicyFamily::parameters: return job.kind() == JobKind::trained || job.keyedAccess();
    case PolicyFamily::partitioner: return job.kind() == JobKind::graph;
    }
    return false;
}

void forEachJob(Scenario& scenario, const std::function<void(Job&)>& visit) {
    for (Job& job : scenario.jobs) visit(job);
    for (JobGenerator& generator : scenario.generators) {
        visit(generator.job);
        for (JobTemplate& other : generator.others) visit(other.job);
    }
}

} // namespace comparison_arm

OwnChoices ownChoices(const Scenario& scenario, PolicyFamily family) {
    OwnChoices out;
    for (const Job* job : jobsAndTemplates(scenario)) {
        if (!comparison_arm::consults(*job, family)) continue;
        ++out.all;
        Job copy = *job;
        const Choice* own = comparison_arm::own(copy, family);
        out.own += own && !own->id.empty();
    }
    return out;
}

Result<ComparisonArm> armNamed(const Scenario& scenario, const Registry& registry, PolicyFamily family,
                               const std::string& name) {
    for (const auto& variant : scenario.variants)
        if (variant.name == name && variant.family == family) return ComparisonArm{name, {{family, variant.choice}}};
    const Choice choice{name, {}};
    if (const Problems problems = registry.check(family, choice, {}); !problems.empty()) {
        std::string known;
        for (const auto& variant : scenario.variants)
            if (variant.family == family) known += (known.empty() ? "" : ", ") + variant.name;
        for (const auto* info : registry.list(family)) known += (known.empty() ? "" : ", ") + info->id;
        return Problem{.code = "unknown-policy",
                       .message = {TRAINYARD_TEXT("there is no {0} policy or variant \"{1}\"; known are {2}"),
                                   {std::string(familyName(family)), name, known}}};
    }
    return ComparisonArm{name, {{family, choice}}};
}

Result<ComparisonArm> armFrom(const Scenario& scenario, const Registry& registry, const std::string& text) {
    if (text == "scenario") return ComparisonArm{text, {}};
    ComparisonArm out;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        const std::string part = text.substr(from, to - from);
        from = to + 1;
        const auto at = part.find('=');
        const auto family = std::find_if(comparison_arm::families.begin(), comparison_arm::families.end(),
                                         [&](PolicyFamily f) { return part.substr(0, at) == familyName(f); });
        const bool twice = family != comparison_arm::families.end() &&
                           std::any_of(out.choices.begin(), out.choices.end(),
                                       [&](const PolicyChoice& c) { return c.family == *family; });
        if (at == std::string::npos || family == comparison_arm::families.end() || twice)
            return Problem{
                .code = "bad-usage",
                .message = {TRAINYARD_TEXT("an arm is FAMILY=NAME,… with each of scheduler, synchronization, "
                                           "parameters and partitioner once at most, or \"scenario\"; got {0}"),
                            {text}}};
        auto one = armNamed(scenario, registry, *family, part.substr(at + 1));
        if (!one) return one.problems();
        out.name += (out.name.empty() ? "" : " + ") + one->name;
        out.choices.push_back(one->choices.front());
    }
    return out;
}

Result<std::shared_ptr<const Scenario>> armScenario(const ComparisonRequest& request, std::size_t number) {
    const ComparisonArm& arm = request.arms[number];
    auto scenario = std::make_shared<Scenario>(*request.scenario);
    if (arm.learningRate) {
        auto changed = withLearningRate(*scenario, *arm.learningRate);
        if (!changed) return changed.problems();
        *scenario = std::move(changed).value();
    }
    for (const PolicyChoice& choice : arm.choices) {
        scenario->policies.of(choice.family) = choice.choice;
        if (request.everyJob)
            comparison_arm::forEachJob(*scenario, [&](Job& job) {
                if (Choice* own = comparison_arm::own(job, choice.family)) *own = {};
            });
    }
    scenario->explanations = WhyLevel::off; // nobody reads them here
    Problems problems = validateScenario(*scenario, *request.registry);
    std::erase_if(problems, [](const Problem& problem) { return problem.severity != Severity::error; });
    if (!problems.empty()) return problems;
    Problems idle;
    for (const PolicyChoice& choice : arm.choices)
        if (const OwnChoices own = ownChoices(*scenario, choice.family); own.own == own.all)
            idle.push_back(
                {.code = "unused-choice",
                 .message = {own.all == 0 ? TRAINYARD_TEXT("no job consults a {0} policy, so {1} changes nothing")
                                          : TRAINYARD_TEXT("every job has a {0} policy of its own, so {1} changes "
                                                           "nothing; replace those of the jobs, too"),
                             {std::string(familyName(choice.family)), arm.name}},
                 .severity = Severity::warning});
    return Result<std::shared_ptr<const Scenario>>(std::shared_ptr<const Scenario>(std::move(scenario)), idle);
}

} // namespace trainyard
