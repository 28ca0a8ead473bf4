// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The edits of ScenarioModel: each finds out what it changed and keeps only that for undo.
#include "scenario/Fragment.h"
#include "scenario/References.h"
#include "session/ScenarioChange.h"
#include "session/ScenarioModel.h"
#include "theme/CoreText.h"

#include <QSignalBlocker>

#include <algorithm>

namespace trainyard {

namespace scenario_model_edits {

using Kind = EntityRef::Kind;

/// What views have to look at again. Places and names alone change no run.
ScenarioModel::Changes changesOf(const ScenarioParts& before, const ScenarioParts& after) {
    ScenarioModel::Changes changes;
    if (!before.places.empty()) changes |= ScenarioModel::layout;
    if (before.cluster && after.cluster) {
        const auto without = [](Cluster cluster, bool names) {
            const auto clear = [&](auto& entity) {
                if constexpr (requires { entity.position; }) entity.position.reset();
                if (names) entity.name.clear();
            };
            for (auto& machine : cluster.machines) clear(machine);
            for (auto& node : cluster.switches) clear(node);
            for (auto& rack : cluster.racks) clear(rack);
            return cluster;
        };
        changes |= ScenarioModel::layout;
        if (without(*before.cluster, false) != without(*after.cluster, false)) changes |= ScenarioModel::texts;
        if (without(*before.cluster, true) != without(*after.cluster, true)) changes |= ScenarioModel::structure;
    }
    if (before.jobs || before.generators || before.faults)
        changes |= ScenarioModel::Changes(ScenarioModel::texts) | ScenarioModel::structure;
    if (before.variants || before.bookmarks) changes |= ScenarioModel::texts;
    if (before.settings && after.settings) {
        const Scenario &a = *before.settings, &b = *after.settings;
        if (a.title != b.title || a.notes != b.notes || a.lookFor != b.lookFor || a.expect != b.expect ||
            a.playbackSpeed != b.playbackSpeed)
            changes |= ScenarioModel::texts;
        if (a.policies != b.policies) changes |= ScenarioModel::policies;
        if (a.seed != b.seed || a.mode != b.mode || a.network != b.network || a.horizonSeconds != b.horizonSeconds ||
            a.limits != b.limits || a.explanations != b.explanations)
            changes |= ScenarioModel::settings;
    }
    return changes;
}

QString nameOf(const Scenario& s, EntityRef entity) {
    for (const FieldInfo& field : fieldsOf(s, entity))
        if (field.path == "/id" || field.path == "/name") {
            QString name = QString::fromStdString(field.value);
            return name.remove(QLatin1Char('"'));
        }
    return {};
}

template <class Items>
void eraseAt(Items& items, std::size_t index) {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
}

void removeElement(Scenario& s, EntityRef element) {
    switch (element.kind) {
    case Kind::machine: return removeFromCluster(s, {s.cluster.machines[element.index].key});
    case Kind::switchNode: return removeFromCluster(s, {s.cluster.switches[element.index].key});
    case Kind::rack:
        renameRack(s, s.cluster.racks[element.index].key, {});
        return eraseAt(s.cluster.racks, element.index);
    case Kind::link: return removeFromCluster(s, {s.cluster.links[element.index].key});
    case Kind::device:
        renameDevice(s, s.cluster.devices[element.index].key, {});
        return eraseAt(s.cluster.devices, element.index);
    case Kind::job: return eraseAt(s.jobs, element.index);
    case Kind::generator: return eraseAt(s.generators, element.index);
    case Kind::fault: return eraseAt(s.faults, element.index);
    case Kind::variant: return eraseAt(s.variants, element.index);
    case Kind::settings:
    case Kind::cluster: break;
    }
}

} // namespace scenario_model_edits

void ScenarioModel::change(const QString& text, const std::function<void(Scenario&)>& how, Gesture gesture,
                           const QString& target) {
    tryChange(
        text,
        [&](Scenario& s) {
            how(s);
            return true;
        },
        gesture, target);
}

void ScenarioModel::tryChange(const QString& text, const std::function<bool(Scenario&)>& how, Gesture gesture,
                              const QString& target) {
    Scenario after = m_scenario;
    if (!how(after)) return;
    ScenarioParts was = ScenarioParts::differing(m_scenario, after), is = ScenarioParts::differing(after, m_scenario);
    if (was.empty()) return;
    const Changes changes = scenario_model_edits::changesOf(was, is);
    m_undo.push(new ScenarioChange(*this, text, target, std::move(was), std::move(is), changes, gesture));
}

void ScenarioModel::choosePolicy(PolicyFamily family, const Choice& choice) {
    const PolicyInfo* info = m_registry->find(family, choice.id);
    const QString label = info ? coreText(info->label) : QString::fromStdString(choice.id);
    change(tr("Choose %1").arg(label), [&](Scenario& s) { s.policies.of(family) = choice; });
}

void ScenarioModel::setPolicyParameter(PolicyFamily family, const std::string& key, const ParamValue& value,
                                       Gesture gesture) {
    const PolicyInfo* info = m_registry->find(family, m_scenario.policies.of(family).id);
    const ParamField* field = info ? info->schema.find(key) : nullptr;
    const QString name = QString::fromStdString(key);
    change(
        tr("Change %1").arg(field ? coreText(field->label) : name),
        [&](Scenario& s) {
            ParamValues& parameters = s.policies.of(family).parameters;
            if (field && field->defaultValue == value)
                parameters.erase(key); // files name only what differs
            else
                parameters.insert_or_assign(key, value);
        },
        gesture, QStringLiteral("policy/%1/%2").arg(static_cast<int>(family)).arg(name));
}

void ScenarioModel::setSeed(std::uint64_t seed, Gesture gesture) {
    change(
        tr("Change seed"), [&](Scenario& s) { s.seed = seed; }, gesture, QStringLiteral("seed"));
}

void ScenarioModel::setMode(RunMode mode) {
    change(mode == RunMode::execute ? tr("Execute in real time") : tr("Simulate"), [&](Scenario& s) { s.mode = mode; });
}

void ScenarioModel::setTitle(const QString& title) {
    change(tr("Change title"), [&](Scenario& s) { s.title = title.toStdString(); });
}

/// Not by change(): a drag moves a few things many times a second, and does not look through all others.
void ScenarioModel::moveEntities(const QHash<QString, Position>& places, Gesture gesture) {
    std::map<std::string, Position> wanted;
    for (auto it = places.begin(); it != places.end(); ++it) wanted.emplace(it.key().toStdString(), it.value());
    ScenarioParts was, is;
    const auto move = [&](const auto& entities) {
        for (const auto& entity : entities) {
            const auto to = wanted.find(entity.key);
            if (to == wanted.end()) continue;
            was.places.emplace(entity.key, entity.position);
            is.places.emplace(entity.key, to->second);
        }
    };
    move(m_scenario.cluster.machines);
    move(m_scenario.cluster.switches);
    if (was == is) return;
    QStringList keys;
    for (const auto& [key, place] : is.places) keys << QString::fromStdString(key);
    const QString text = keys.size() == 1 ? tr("Move %1").arg(keys.first()) : tr("Move %n items", nullptr, keys.size());
    m_undo.push(new ScenarioChange(*this, text, QStringLiteral("move/") + keys.join(QLatin1Char(' ')), std::move(was),
                                   std::move(is), layout, gesture));
}

void ScenarioModel::renameEntity(const QString& key, const QString& name) {
    change(tr("Rename %1").arg(key), [&](Scenario& s) {
        const auto rename = [&](auto& entities) {
            const auto it = std::find_if(entities.begin(), entities.end(),
                                         [&](const auto& e) { return e.key == key.toStdString(); });
            if (it != entities.end()) it->name = name.toStdString();
            return it != entities.end();
        };
        rename(s.cluster.machines) || rename(s.cluster.racks) || rename(s.cluster.switches);
    });
}

bool ScenarioModel::hasChanged(Gesture gesture) const {
    const QUndoCommand* last = m_undo.command(m_undo.index() - 1);
    return last && gesture != 0 && last->id() == gesture;
}

void ScenarioModel::applied(Changes changes, Gesture gesture) { Q_EMIT edited(changes, gesture); }

Problems ScenarioModel::setField(const std::vector<EntityRef>& entities, const std::string& path,
                                 const std::string& json, Gesture gesture) {
    Problems problems;
    QString label = QString::fromStdString(path), first;
    if (!entities.empty()) {
        for (const FieldInfo& field : fieldsOf(m_scenario, entities.front()))
            if (field.path == path) label = coreText(field.label).toLower();
        first = scenario_model_edits::nameOf(m_scenario, entities.front());
    }
    const QString text = entities.size() > 1 ? tr("Change %1 of %n items", nullptr, entities.size()).arg(label)
                         : first.isEmpty()   ? tr("Change %1").arg(label)
                                             : tr("Change %1 of %2").arg(label, first);
    QString target = QStringLiteral("field") + QString::fromStdString(path);
    for (const EntityRef& entity : entities) target += QString::fromStdString(pointerTo(entity));
    tryChange(
        text,
        [&](Scenario& s) {
            for (const EntityRef& entity : entities) {
                problems = trainyard::setField(s, entity, path, json);
                if (!problems.empty()) return false;
            }
            return true;
        },
        gesture, target);
    return problems;
}

/// Qt's stack takes another limit only while it is empty: the steps to be kept leave it and come back.
void ScenarioModel::setUndoLimit(int steps) {
    if (m_undo.undoLimit() == steps) return;
    const int index = m_undo.index(), clean = m_undo.cleanIndex();
    const int from = steps == 0 ? 0 : std::max(0, index - steps);
    const int to = steps == 0 ? m_undo.count() : std::min(m_undo.count(), from + steps);
    std::vector<std::unique_ptr<ScenarioChange>> kept;
    for (int i = from; i < to; ++i) kept.push_back(static_cast<const ScenarioChange*>(m_undo.command(i))->copy());
    {
        const QSignalBlocker quiet(m_undo);
        m_restacking = true;
        m_undo.clear();
        m_undo.setUndoLimit(steps);
        for (auto& command : kept) m_undo.push(command.release());
        if (clean >= from && clean <= to) {
            m_undo.setIndex(clean - from);
            m_undo.setClean();
        } else {
            m_undo.resetClean();
        }
        m_undo.setIndex(index - from);
        m_restacking = false;
    }
    Q_EMIT m_undo.indexChanged(m_undo.index());
    Q_EMIT m_undo.canUndoChanged(m_undo.canUndo());
    Q_EMIT m_undo.canRedoChanged(m_undo.canRedo());
    Q_EMIT m_undo.undoTextChanged(m_undo.undoText());
    Q_EMIT m_undo.redoTextChanged(m_undo.redoText());
}

QStringList ScenarioModel::insert(const QString& text, const Scenario& piece, Position offset) {
    QStringList keys;
    change(text, [&](Scenario& s) {
        for (const auto& key : insertFragment(s, piece, offset).keys) keys << QString::fromStdString(key);
    });
    return keys;
}

void ScenarioModel::removeElements(std::vector<EntityRef> elements) {
    if (elements.empty()) return;
    const QString text = elements.size() == 1
                             ? tr("Delete %1").arg(scenario_model_edits::nameOf(m_scenario, elements.front()))
                             : tr("Delete %n items", nullptr, elements.size());
    // From the back, links before what they join, so that positions stay those that were asked for.
    const auto order = [](const EntityRef& e) { return std::pair(e.kind == EntityRef::Kind::link ? 1 : 0, e); };
    std::sort(elements.begin(), elements.end(),
              [&](const EntityRef& a, const EntityRef& b) { return order(b) < order(a); });
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    change(text, [&](Scenario& s) {
        for (const EntityRef& element : elements)
            if (element.index < entityCount(s, element.kind)) scenario_model_edits::removeElement(s, element);
    });
}

} // namespace trainyard
