// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/EntityNames.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace trainyard {

namespace entity_names {

using Kind = EntityRef::Kind;

bool isInCluster(Kind kind) {
    return kind == Kind::machine || kind == Kind::switchNode || kind == Kind::rack || kind == Kind::link;
}

template <class Items>
void collect(std::vector<std::vector<EntityRef>>& groups, Kind kind, const Items& items,
             const std::set<std::string>& keys) {
    std::vector<EntityRef> found;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (keys.contains(items[i].key)) found.push_back({kind, i});
    if (!found.empty()) groups.push_back(std::move(found));
}

/// As the canvas and the tables call it; empty: it has no name.
std::string nameOf(const Scenario& s, EntityRef entity) {
    switch (entity.kind) {
    case Kind::rack: return s.cluster.racks[entity.index].name;
    case Kind::switchNode: return s.cluster.switches[entity.index].name;
    case Kind::machine: return s.cluster.machines[entity.index].name;
    case Kind::job: return s.jobs[entity.index].name;
    default: return {};
    }
}

/// Of the machine or switch that fails.
std::string faultyName(const Scenario& s, const std::string& key) {
    for (const Kind kind : {Kind::machine, Kind::switchNode})
        for (std::size_t i = 0; i < entityCount(s, kind); ++i)
            if (const EntityRef entity{kind, i}; keyOf(s, entity) == key && !nameOf(s, entity).empty())
                return nameOf(s, entity);
    return key;
}

} // namespace entity_names

QString kindText(EntityRef::Kind kind, std::size_t count) {
    using Kind = EntityRef::Kind;
    const auto say = [&](const char* one, const char* many) {
        return count == 1 ? Workspace::tr(one) : Workspace::tr(many).arg(count);
    };
    switch (kind) {
    case Kind::settings: return Workspace::tr("Scenario");
    case Kind::cluster: return Workspace::tr("Cluster");
    case Kind::device:
        return say(QT_TRANSLATE_NOOP("trainyard::Workspace", "Device"),
                   QT_TRANSLATE_NOOP("trainyard::Workspace", "%1 devices"));
    case Kind::rack:
        return say(QT_TRANSLATE_NOOP("trainyard::Workspace", "Rack"),
                   QT_TRANSLATE_NOOP("trainyard::Workspace", "%1 racks"));
    case Kind::switchNode:
        return say(QT_TRANSLATE_NOOP("trainyard::Workspace", "Switch"),
                   QT_TRANSLATE_NOOP("trainyard::Workspace", "%1 switches"));
    case Kind::machine:
        return say(QT_TRANSLATE_NOOP("trainyard::Workspace", "Machine"),
                   QT_TRANSLATE_NOOP("trainyard::Workspace", "%1 machines"));
    case Kind::link:
        return say(QT_TRANSLATE_NOOP("trainyard::Workspace", "Link"),
                   QT_TRANSLATE_NOOP("trainyard::Workspace", "%1 links"));
    case Kind::job:
        return say(QT_TRANSLATE_NOOP("trainyard::Workspace", "Job"),
                   QT_TRANSLATE_NOOP("trainyard::Workspace", "%1 jobs"));
    case Kind::generator:
        return say(QT_TRANSLATE_NOOP("trainyard::Workspace", "Generator"),
                   QT_TRANSLATE_NOOP("trainyard::Workspace", "%1 generators"));
    case Kind::fault:
        return say(QT_TRANSLATE_NOOP("trainyard::Workspace", "Fault"),
                   QT_TRANSLATE_NOOP("trainyard::Workspace", "%1 faults"));
    case Kind::variant:
        return say(QT_TRANSLATE_NOOP("trainyard::Workspace", "Variant"),
                   QT_TRANSLATE_NOOP("trainyard::Workspace", "%1 variants"));
    }
    return {};
}

std::string keyOf(const Scenario& s, EntityRef entity) {
    using Kind = EntityRef::Kind;
    const std::size_t i = entity.index;
    if (i >= entityCount(s, entity.kind)) return {};
    switch (entity.kind) {
    case Kind::device: return s.cluster.devices[i].key;
    case Kind::rack: return s.cluster.racks[i].key;
    case Kind::switchNode: return s.cluster.switches[i].key;
    case Kind::machine: return s.cluster.machines[i].key;
    case Kind::link: return s.cluster.links[i].key;
    case Kind::job: return s.jobs[i].key;
    case Kind::generator: return s.generators[i].key;
    case Kind::fault: return s.faults[i].key;
    case Kind::variant: return s.variants[i].name;
    case Kind::settings:
    case Kind::cluster: break;
    }
    return {};
}

QString entityTitle(const Scenario& s, const std::vector<EntityRef>& entities) {
    if (entities.empty()) return {};
    const QString kind = kindText(entities.front().kind, entities.size());
    if (entities.size() > 1) return kind;
    const std::string id = keyOf(s, entities.front());
    const QString key = QString::fromStdString(id);
    if (entities.front().kind == EntityRef::Kind::fault)
        return id.empty() ? kind
                          : Workspace::tr("Fault of %1").arg(QString::fromStdString(entity_names::faultyName(s, id)));
    if (entities.front().index < entityCount(s, entities.front().kind))
        if (const std::string name = entity_names::nameOf(s, entities.front()); !name.empty())
            return QString::fromStdString(name);
    return key.isEmpty() ? kind : QStringLiteral("%1 %2").arg(kind, key);
}

std::vector<std::vector<EntityRef>> selectedEntities(const Workspace& workspace) {
    using Kind = EntityRef::Kind;
    const Scenario& s = workspace.document().scenario();
    const Selection& selection = workspace.selection();
    std::vector<std::vector<EntityRef>> groups;
    std::map<Kind, std::vector<EntityRef>> parts;
    for (const EntityRef& part : selection.parts())
        if (part.index < entityCount(s, part.kind)) parts[part.kind].push_back(part);
    for (auto& [kind, found] : parts) groups.push_back(std::move(found));
    if (!groups.empty()) return groups;
    std::set<std::string> keys;
    for (const QString& key : selection.entities()) keys.insert(key.toStdString());
    entity_names::collect(groups, Kind::machine, s.cluster.machines, keys);
    entity_names::collect(groups, Kind::switchNode, s.cluster.switches, keys);
    entity_names::collect(groups, Kind::link, s.cluster.links, keys);
    entity_names::collect(groups, Kind::rack, s.cluster.racks, keys);
    if (const auto job = workspace.selectedJob()) groups.push_back({*job});
    return groups;
}

void selectEntities(Workspace& workspace, const std::vector<EntityRef>& entities) {
    using Kind = EntityRef::Kind;
    if (entities.empty()) return workspace.selection().clear();
    const Scenario& s = workspace.document().scenario();
    const Kind kind = entities.front().kind;
    QStringList keys;
    if (entity_names::isInCluster(kind) || kind == Kind::fault)
        for (const EntityRef& entity : entities)
            if (const std::string key = keyOf(s, entity); !key.empty()) keys << QString::fromStdString(key);
    keys.removeDuplicates();
    if (entity_names::isInCluster(kind)) return workspace.selection().select(keys, {}, {});
    JobId job;
    const auto& workload = workspace.runs().current().workload;
    if (kind == Kind::job && workload)
        for (std::size_t j = 0; j < workload->jobs.size() && !job.valid(); ++j)
            if (workload->jobs[j].key == keyOf(s, entities.front())) job = JobId(j);
    const bool known = job.valid() && entities.size() == 1;
    workspace.selection().select(keys, job, known ? std::vector<EntityRef>{} : entities);
}

} // namespace trainyard
