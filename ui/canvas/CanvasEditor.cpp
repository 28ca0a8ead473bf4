// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/CanvasEditor.h"

#include <QCursor>

#include <algorithm>

namespace trainyard {

CanvasEditor::CanvasEditor(Workspace& workspace, CanvasView& canvas)
    : QObject(&canvas), m_workspace(workspace), m_canvas(canvas) {
    connect(&workspace.selection(), &Selection::changed, this, &CanvasEditor::noteSelection);
}

/// The selection is a set; what a person picked last has to be remembered here.
void CanvasEditor::noteSelection() {
    const QStringList now = m_workspace.selection().entities();
    QStringList added;
    for (const QString& key : now)
        if (!m_selectedBefore.contains(key)) added << key;
    if (added.size() == 1) m_selectedLast = added.first();
    if (!now.contains(m_selectedLast)) m_selectedLast.clear();
    const std::string last = m_selectedLast.toStdString();
    if (std::ranges::find(cluster().machines, last, &Machine::key) != cluster().machines.end()) m_lastMachine = last;
    m_selectedBefore = now;
    QString said = tr("Machines, racks, switches and links, and the tasks that run on them");
    if (now.size() == 1) said = tr("Selected: %1").arg(nameOf(now.first().toStdString()));
    if (now.size() > 1) said = tr("Selected: %n items", nullptr, now.size());
    m_canvas.setAccessibleDescription(said);
}

KeySet CanvasEditor::selected() const {
    KeySet keys;
    for (const QString& key : m_workspace.selection().entities()) keys.insert(key.toStdString());
    return keys;
}

void CanvasEditor::select(const KeySet& keys) {
    QStringList list;
    for (const auto& key : keys) list << QString::fromStdString(key);
    m_workspace.selection().selectEntities(list);
}

QString CanvasEditor::nameOf(const std::string& key) const {
    const auto find = [&](const auto& list) {
        const auto it = std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.key == key; });
        return it == list.end() || it->name.empty() ? QString() : QString::fromStdString(it->name);
    };
    const Cluster& c = cluster();
    for (const QString& name : {find(c.machines), find(c.switches), find(c.racks)})
        if (!name.isEmpty()) return name;
    return QString::fromStdString(key);
}

QString CanvasEditor::namesOf(const KeySet& keys) const {
    return keys.size() == 1 ? nameOf(*keys.begin()) : tr("%n items", nullptr, keys.size());
}

std::optional<QPointF> CanvasEditor::targetInScene() const {
    if (m_at) return m_at;
    const QPoint at = m_canvas.viewport()->mapFromGlobal(QCursor::pos());
    if (!m_canvas.viewport()->rect().contains(at) || !m_canvas.viewport()->underMouse()) return {};
    return m_canvas.mapToScene(at);
}

// --- Adding
// ----------------------------------------------------------------------------------------------------------

QString CanvasEditor::add(Thing thing, QPointF scenePosition) {
    const QPointF at = m_canvas.snapped(scenePosition);
    const std::string rack = rackAround(cluster(), m_canvas.content().layout, at);
    const QString text = thing == Thing::machine      ? tr("Add machine")
                         : thing == Thing::switchNode ? tr("Add switch")
                                                      : tr("Add rack");
    std::string key;
    m_workspace.document().change(text, [&](Scenario& s) {
        pinPlaces(s.cluster);
        const Position place{at.x(), at.y()};
        if (thing == Thing::switchNode)
            key = addSwitch(s, place, rack);
        else
            key = addMachine(s, place, thing == Thing::rack ? std::string() : rack, m_lastMachine);
        if (thing == Thing::rack) key = addRack(s, {key});
    });
    select({key});
    return QString::fromStdString(key);
}

QString CanvasEditor::addHere(Thing thing) {
    const QPointF middle = m_canvas.mapToScene(m_canvas.viewport()->rect().center());
    const QPointF at = m_canvas.snapped(targetInScene().value_or(middle));
    const QSizeF size =
        thing == Thing::switchNode
            ? ClusterLayout::switchSize()
            : QSizeF(ClusterLayout::cardWidth, ClusterLayout::cardHeight(ClusterLayout::barsOf(cluster())));
    QRectF rect(QPointF(), size);
    rect.moveCenter(at);
    if (thing == Thing::rack) rect = ClusterLayout::frameAround(rect);
    const ClusterLayout& layout = m_canvas.content().layout;
    std::vector<QRectF> obstacles = layout.machines;
    obstacles.insert(obstacles.end(), layout.switches.begin(), layout.switches.end());
    if (thing == Thing::rack) obstacles.insert(obstacles.end(), layout.racks.begin(), layout.racks.end());
    return add(thing, at + clearingMove({rect}, obstacles, ClusterLayout::grid));
}

// --- Deleting, duplicating, selecting
// --------------------------------------------------------------------------------

void CanvasEditor::remove() {
    const KeySet keys = selected();
    if (keys.empty()) return;
    m_workspace.document().change(tr("Delete %1").arg(namesOf(keys)), [&](Scenario& s) {
        pinPlaces(s.cluster);
        removeWithMembers(s, keys);
    });
    m_workspace.selection().selectEntities({});
}

void CanvasEditor::duplicate() {
    const KeySet keys = withWholeRacks(cluster(), selected()), nodes = nodesOf(cluster(), keys);
    if (nodes.empty()) return;
    const ClusterLayout& layout = m_canvas.content().layout;
    std::vector<QRectF> rects, obstacles;
    for (std::size_t i = 0; i < layout.machines.size(); ++i) {
        obstacles.push_back(layout.machines[i]);
        if (nodes.contains(cluster().machines[i].key)) rects.push_back(layout.machines[i]);
    }
    for (std::size_t i = 0; i < layout.switches.size(); ++i) {
        obstacles.push_back(layout.switches[i]);
        if (nodes.contains(cluster().switches[i].key)) rects.push_back(layout.switches[i]);
    }
    for (std::size_t i = 0; i < layout.racks.size(); ++i) {
        if (!keys.contains(cluster().racks[i].key)) continue;
        rects.push_back(layout.racks[i]);
        obstacles.push_back(layout.racks[i]);
    }
    const QPointF by = clearingMove(rects, obstacles, ClusterLayout::gap);
    KeySet copies;
    m_workspace.document().change(tr("Duplicate %1").arg(namesOf(keys)), [&](Scenario& s) {
        pinPlaces(s.cluster);
        copies = trainyard::duplicate(s, keys, {by.x(), by.y()});
    });
    select(copies);
}

void CanvasEditor::selectAll() {
    KeySet all;
    for (const auto& machine : cluster().machines) all.insert(machine.key);
    for (const auto& node : cluster().switches) all.insert(node.key);
    select(all);
}

// --- Links
// -----------------------------------------------------------------------------------------------------------

std::string CanvasEditor::linkHub() const {
    const KeySet nodes = nodesOf(cluster(), selected());
    std::vector<std::string> switches;
    for (const auto& node : cluster().switches)
        if (nodes.contains(node.key)) switches.push_back(node.key);
    if (switches.size() == 1) return switches.front();
    const std::string last = m_selectedLast.toStdString();
    if (nodes.contains(last)) return last;
    return switches.empty() ? *nodes.rbegin() : switches.back();
}

void CanvasEditor::linkSelected() {
    if (!whyNotLink().isEmpty()) return;
    const std::string hub = linkHub();
    const KeySet nodes = nodesOf(cluster(), selected());
    const QString text = nodes.size() == 2 ? tr("Link %1 with %2").arg(nameOf(*nodes.begin()), nameOf(*nodes.rbegin()))
                                           : tr("Link %n item(s) with %1", nullptr, nodes.size() - 1).arg(nameOf(hub));
    m_workspace.document().change(text, [&](Scenario& s) {
        for (const auto& node : unlinked(s.cluster, nodes, hub)) addLink(s, node, hub);
    });
}

void CanvasEditor::link(const QString& from, const QString& to) {
    if (!whyNotLink(from, to).isEmpty()) return;
    m_workspace.document().change(tr("Link %1 with %2").arg(nameOf(from.toStdString()), nameOf(to.toStdString())),
                                  [&](Scenario& s) { addLink(s, from.toStdString(), to.toStdString()); });
}

QString CanvasEditor::whyNotLink(const QString& from, const QString& to) const {
    switch (linkObstacle(cluster(), from.toStdString(), to.toStdString())) {
    case LinkObstacle::none: return {};
    case LinkObstacle::itself: return tr("A link leads to another machine or switch");
    case LinkObstacle::linkedAlready:
        return tr("%1 and %2 are linked already").arg(nameOf(from.toStdString()), nameOf(to.toStdString()));
    case LinkObstacle::noNode: break;
    }
    return tr("Links join machines and switches only");
}

// --- Why not
// ---------------------------------------------------------------------------------------------------------

QString CanvasEditor::whyNotSelection() const {
    return m_workspace.selection().entities().isEmpty() ? tr("Select machines, switches, racks or links first")
                                                        : QString();
}

QString CanvasEditor::whyNotCopy() const {
    return nodesOf(cluster(), selected()).empty() ? tr("Select machines, switches or racks first") : QString();
}

QString CanvasEditor::whyNotSelectAll() const {
    return cluster().machines.empty() && cluster().switches.empty() ? tr("The cluster is empty") : QString();
}

QString CanvasEditor::whyNotLink() const {
    const KeySet nodes = nodesOf(cluster(), selected());
    if (nodes.size() < 2) return tr("Select two machines or switches or more");
    const std::string hub = linkHub();
    return !unlinked(cluster(), nodes, hub).empty() ? QString()
                                                    : tr("They are linked with %1 already").arg(nameOf(hub));
}

QString CanvasEditor::whyNotArrange(std::size_t least) const {
    if (selectedThings().size() >= least) return {};
    return least == 2 ? tr("Select two items or more") : tr("Select three items or more");
}

QString CanvasEditor::whyNotLayOut() const {
    const KeySet nodes = nodesOf(cluster(), selected());
    const auto placed = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(), [&](const auto& node) {
            return node.position && (nodes.empty() || nodes.contains(node.key));
        });
    };
    if (placed(cluster().machines) || placed(cluster().switches)) return {};
    return whyNotSelectAll().isEmpty() ? tr("The layout is automatic already: nothing was placed by hand")
                                       : whyNotSelectAll();
}

QString CanvasEditor::whyNotGroup() const { return whyNotCopy(); }

QString CanvasEditor::whyNotTakeOut() const {
    const KeySet nodes = nodesOf(cluster(), selected());
    const auto racked = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(),
                           [&](const auto& node) { return !node.rack.empty() && nodes.contains(node.key); });
    };
    if (racked(cluster().machines) || racked(cluster().switches)) return {};
    return tr("Select a rack, or something in one");
}

QString CanvasEditor::whyNotRename() const {
    const QStringList keys = m_workspace.selection().entities();
    const auto is = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(),
                           [&](const auto& e) { return keys.contains(QString::fromStdString(e.key)); });
    };
    if (keys.size() == 1 && (is(cluster().machines) || is(cluster().switches) || is(cluster().racks))) return {};
    return tr("Select one machine, switch or rack");
}

} // namespace trainyard
