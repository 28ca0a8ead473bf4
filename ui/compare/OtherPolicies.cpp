// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/OtherPolicies.h"

#include "policy/Registry.h"
#include "run/compare/Comparison.h"

#include <algorithm>
#include <array>
#include <optional>

namespace trainyard {

namespace other_policies {

/// The most telling first. Where parameters live is what keyed jobs are about; others hardly notice.
std::array<PolicyFamily, 4> familiesFor(const Scenario& scenario) {
    using enum PolicyFamily;
    if (std::ranges::any_of(jobsAndTemplates(scenario), [](const Job* job) { return job->keyedAccess(); }))
        return {partitioner, parameters, synchronization, scheduler};
    return {partitioner, synchronization, parameters, scheduler};
}

std::optional<PolicyFamily> familyFor(const Scenario& scenario, const Registry& registry, bool everyJob) {
    const auto families = familiesFor(scenario);
    const auto all = [&](PolicyFamily family) { return ownChoices(scenario, family); };
    for (const PolicyFamily family : families)
        if (const OwnChoices own = all(family); everyJob && own.all > 0 && own.own == own.all) return family;
    // Who chooses an unusual scheduler is interested in schedulers.
    const auto schedulers = registry.list(PolicyFamily::scheduler);
    if (all(PolicyFamily::scheduler).all > 0 && scenario.policies.scheduler.id != schedulers.front()->id)
        return PolicyFamily::scheduler;
    for (const PolicyFamily family : families)
        if (const OwnChoices own = all(family); own.all > own.own) return family;
    return std::nullopt;
}

} // namespace other_policies

std::vector<std::string> otherPolicies(const Scenario& scenario, const Registry& registry, bool everyJob) {
    std::vector<std::string> out;
    const auto family = other_policies::familyFor(scenario, registry, everyJob);
    if (!family) return out;
    for (const PolicyInfo* info : registry.list(*family))
        if (everyJob || info->id != scenario.policies.of(*family).id)
            out.push_back(std::string(familyName(*family)) + "=" + info->id);
    return out;
}

} // namespace trainyard
