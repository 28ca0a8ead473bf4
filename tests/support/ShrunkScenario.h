// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Makes a scenario that breaks a property smaller while it still breaks it: leaves out jobs, machines, faults and other elements,
// then members, which take their defaults. For property tests, which print what is left.
#include "scenario/EntityFields.h"
#include "scenario/RunRequirements.h"
#include "scenario/ScenarioFile.h"

#include <functional>

namespace trainyard::test {

namespace shrinking {

template <class T>
void forEachWithout(Scenario& scenario, std::vector<T> Scenario::*list,
                    const std::function<bool(const Scenario&)>& keep) {
    for (std::size_t i = (scenario.*list).size(); i-- > 0;) {
        Scenario smaller = scenario;
        (smaller.*list).erase((smaller.*list).begin() + static_cast<std::ptrdiff_t>(i));
        if (keep(smaller)) scenario = std::move(smaller);
    }
}

inline void withoutMachines(Scenario& scenario, const std::function<bool(const Scenario&)>& keep) {
    for (std::size_t i = scenario.cluster.machines.size(); i-- > 0;) {
        Scenario smaller = scenario;
        const std::string key = smaller.cluster.machines[i].key;
        smaller.cluster.machines.erase(smaller.cluster.machines.begin() + static_cast<std::ptrdiff_t>(i));
        std::erase_if(smaller.cluster.links, [&](const Link& link) { return link.from == key || link.to == key; });
        if (keep(smaller)) scenario = std::move(smaller);
    }
}

inline void withoutMembers(Scenario& scenario, EntityRef entity, const std::function<bool(const Scenario&)>& keep) {
    for (const FieldInfo& field : fieldsOf(scenario, entity)) {
        if (!field.present || field.required) continue;
        Scenario smaller = scenario;
        if (setField(smaller, entity, field.path, "").empty() && !(smaller == scenario) && keep(smaller))
            scenario = std::move(smaller);
    }
}

} // namespace shrinking

/// `fails`: whether a valid scenario breaks the property. What does not pass validation is never tried.
inline Scenario shrunk(Scenario scenario, const Registry& registry, const std::function<bool(const Scenario&)>& fails) {
    using Kind = EntityRef::Kind;
    const std::function<bool(const Scenario&)> keep = [&](const Scenario& smaller) {
        return !hasErrors(validateScenario(smaller, registry)) &&
               !hasErrors(runRefusals(smaller, ResourcePaths::find({}))) && fails(smaller);
    };
    for (bool smaller = true; smaller;) {
        const Scenario before = scenario;
        shrinking::forEachWithout(scenario, &Scenario::generators, keep);
        shrinking::forEachWithout(scenario, &Scenario::jobs, keep);
        shrinking::forEachWithout(scenario, &Scenario::faults, keep);
        shrinking::forEachWithout(scenario, &Scenario::variants, keep);
        shrinking::forEachWithout(scenario, &Scenario::bookmarks, keep);
        shrinking::forEachWithout(scenario, &Scenario::curves, keep);
        shrinking::withoutMachines(scenario, keep);
        for (const Kind kind :
             {Kind::settings, Kind::cluster, Kind::machine, Kind::link, Kind::job, Kind::generator, Kind::fault})
            for (std::size_t i = 0; i < entityCount(scenario, kind); ++i)
                shrinking::withoutMembers(scenario, {kind, i}, keep);
        smaller = !(scenario == before);
    }
    return scenario;
}

} // namespace trainyard::test
