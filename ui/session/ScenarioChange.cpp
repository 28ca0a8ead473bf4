// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/ScenarioChange.h"

namespace trainyard {

namespace scenario_change {

Scenario settingsOf(const Scenario& s) {
    Scenario head;
    copySettings(s, head);
    return head;
}

template <class T>
void keepIfOther(std::optional<T>& part, const T& mine, const T& theirs) {
    if (!(mine == theirs)) part = mine;
}

/// Calls f(mine, theirs) for every part.
template <class F>
void forEachPart(ScenarioParts& mine, const ScenarioParts& theirs, F&& f) {
    f(mine.cluster, theirs.cluster);
    f(mine.jobs, theirs.jobs);
    f(mine.generators, theirs.generators);
    f(mine.faults, theirs.faults);
    f(mine.variants, theirs.variants);
    f(mine.bookmarks, theirs.bookmarks);
    f(mine.settings, theirs.settings);
}

} // namespace scenario_change

ScenarioParts ScenarioParts::differing(const Scenario& scenario, const Scenario& other) {
    using namespace scenario_change;
    ScenarioParts parts;
    keepIfOther(parts.cluster, scenario.cluster, other.cluster);
    keepIfOther(parts.jobs, scenario.jobs, other.jobs);
    keepIfOther(parts.generators, scenario.generators, other.generators);
    keepIfOther(parts.faults, scenario.faults, other.faults);
    keepIfOther(parts.variants, scenario.variants, other.variants);
    keepIfOther(parts.bookmarks, scenario.bookmarks, other.bookmarks);
    keepIfOther(parts.settings, settingsOf(scenario), settingsOf(other));
    return parts;
}

void ScenarioParts::putInto(Scenario& s) const {
    if (settings) {
        Scenario whole = *settings;
        whole.cluster = std::move(s.cluster);
        whole.jobs = std::move(s.jobs);
        whole.generators = std::move(s.generators);
        whole.faults = std::move(s.faults);
        whole.variants = std::move(s.variants);
        whole.bookmarks = std::move(s.bookmarks);
        s = std::move(whole);
    }
    if (cluster) s.cluster = *cluster;
    if (jobs) s.jobs = *jobs;
    if (generators) s.generators = *generators;
    if (faults) s.faults = *faults;
    if (variants) s.variants = *variants;
    if (bookmarks) s.bookmarks = *bookmarks;
    const auto place = [&](auto& entities) {
        for (auto& entity : entities)
            if (const auto it = places.find(entity.key); it != places.end()) entity.position = it->second;
    };
    if (!places.empty()) place(s.cluster.machines), place(s.cluster.switches);
}

void ScenarioParts::complete(const ScenarioParts& other) {
    scenario_change::forEachPart(*this, other, [](auto& mine, const auto& theirs) {
        if (!mine) mine = theirs;
    });
    places.insert(other.places.begin(), other.places.end());
}

void ScenarioParts::overwrite(const ScenarioParts& other) {
    scenario_change::forEachPart(*this, other, [](auto& mine, const auto& theirs) {
        if (theirs) mine = theirs;
    });
    for (const auto& [key, place] : other.places) places.insert_or_assign(key, place);
}

bool ScenarioChange::mergeWith(const QUndoCommand* other) {
    const auto* next = dynamic_cast<const ScenarioChange*>(other);
    if (!next || next->m_target != m_target) return false;
    m_before.complete(next->m_before);
    m_after.overwrite(next->m_after);
    m_changes |= next->m_changes;
    setObsolete(m_before == m_after); // dragged back to the start
    return true;
}

std::unique_ptr<ScenarioChange> ScenarioChange::copy() const {
    return std::make_unique<ScenarioChange>(m_model, text(), m_target, m_before, m_after, m_changes, m_gesture);
}

void ScenarioChange::apply(const ScenarioParts& parts) {
    if (m_model.m_restacking) return;
    parts.putInto(m_model.m_scenario);
    m_model.applied(m_changes, m_gesture);
}

} // namespace trainyard
