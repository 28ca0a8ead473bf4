// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/ArmTitles.h"

#include <algorithm>

namespace trainyard {

namespace arm_titles {

Text titleOf(const Scenario& scenario, const Registry& registry, const ComparisonArm& arm) {
    if (!arm.title.empty()) return {"{0}", {arm.title}};
    if (arm.learningRate) return {"{0}", {arm.name}}; // which tells the rates apart
    if (arm.choices.empty()) return {TRAINYARD_TEXT("As in the scenario"), {}};
    std::vector<Text> parts;
    for (const PolicyChoice& choice : arm.choices) {
        const auto variant = std::ranges::find_if(scenario.variants, [&](const Variant& v) {
            return v.family == choice.family && v.choice == choice.choice && !v.title.empty();
        });
        const PolicyInfo* info =
            choice.choice.parameters.empty() ? registry.find(choice.family, choice.choice.id) : nullptr;
        if (variant != scenario.variants.end())
            parts.push_back({"{0}", {variant->title}});
        else if (info)
            parts.push_back({info->label, {}});
        else
            return {"{0}", {arm.name}};
    }
    if (parts.size() == 1) return parts.front();
    std::string all;
    for (const Text& part : parts) all += (all.empty() ? "" : " + ") + part.english();
    return {"{0}", {all}};
}

} // namespace arm_titles

std::vector<Text> armTitles(const Scenario& scenario, const Registry& registry,
                            const std::vector<ComparisonArm>& arms) {
    std::vector<Text> titles;
    for (const ComparisonArm& arm : arms) titles.push_back(arm_titles::titleOf(scenario, registry, arm));
    std::vector<Text> out = titles;
    std::vector<ComparisonArm> untitled = arms;
    for (ComparisonArm& arm : untitled) arm.title.clear();
    for (std::size_t a = 0; a < arms.size(); ++a) {
        const auto alike = [&](std::size_t b) { return titles[b].english() == titles[a].english(); };
        std::size_t all = 0, own = 0;
        for (std::size_t b = 0; b < arms.size(); ++b)
            if (alike(b)) ++all, own += arms[b].title.empty();
        if (!arms[a].title.empty() && all > 1)
            out[a] = {"{0} ({1})", {arms[a].title, armTitles(scenario, registry, untitled)[a].english()}};
        else if (arms[a].title.empty() && own > 1)
            out[a] = {"{0} ({1})", {titles[a].english(), arms[a].name}};
    }
    return out;
}

} // namespace trainyard
