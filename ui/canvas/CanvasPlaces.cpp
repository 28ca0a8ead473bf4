// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The commands of CanvasEditor that move things: align, distribute, lay out, racks.
#include "canvas/CanvasEditor.h"

#include <algorithm>

namespace trainyard {

/// A selected rack is one thing; its members go with it.
std::vector<PlacedThing> CanvasEditor::selectedThings() const {
    const KeySet keys = selected();
    const ClusterLayout& layout = m_canvas.content().layout;
    std::vector<PlacedThing> things;
    const auto take = [&](const auto& list, const std::vector<QRectF>& rects) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            bool inSelectedRack = false;
            if constexpr (requires { list[i].rack; })
                inSelectedRack = !list[i].rack.empty() && keys.contains(list[i].rack);
            if (keys.contains(list[i].key) && !inSelectedRack && !rects[i].isNull())
                things.push_back({QString::fromStdString(list[i].key), rects[i]});
        }
    };
    take(cluster().machines, layout.machines);
    take(cluster().switches, layout.switches);
    take(cluster().racks, layout.racks);
    return things;
}

void CanvasEditor::move(const QString& text, const QHash<QString, QPointF>& by) {
    m_workspace.document().change(text, [&](Scenario& s) {
        Cluster before = s.cluster;
        pinPlaces(before);
        const auto place = [&](auto& nodes, const auto& pinned) {
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                const QPointF moved =
                    by.value(QString::fromStdString(nodes[i].key)) + by.value(QString::fromStdString(nodes[i].rack));
                if (!moved.isNull())
                    nodes[i].position = Position{pinned[i].position->x + moved.x(), pinned[i].position->y + moved.y()};
            }
        };
        place(s.cluster.machines, before.machines);
        place(s.cluster.switches, before.switches);
    });
}

void CanvasEditor::align(Alignment alignment) {
    if (whyNotArrange(2).isEmpty())
        move(tr("Align %n items", nullptr, selectedThings().size()), aligningMoves(selectedThings(), alignment));
}

void CanvasEditor::distribute(Qt::Orientation along) {
    if (whyNotArrange(3).isEmpty())
        move(tr("Distribute %n items", nullptr, selectedThings().size()), distributingMoves(selectedThings(), along));
}

void CanvasEditor::layOut() {
    const KeySet nodes = nodesOf(cluster(), selected());
    m_workspace.document().change(nodes.empty() ? tr("Lay out the cluster") : tr("Lay out %1").arg(namesOf(selected())),
                                  [&](Scenario& s) { clearPlaces(s.cluster, nodes); });
    if (nodes.empty()) m_canvas.fit();
}

void CanvasEditor::nudge(int right, int down) {
    const KeySet nodes = nodesOf(cluster(), selected());
    if (nodes.empty()) return;
    constexpr int heldMilliseconds = 400;
    if (!m_nudged.isValid() || m_nudged.elapsed() > heldMilliseconds) m_nudge = m_workspace.document().beginGesture();
    m_nudged.start();
    const double step = m_canvas.isSnapping() ? ClusterLayout::grid : 1;
    QHash<QString, Position> places;
    const ClusterLayout& layout = m_canvas.content().layout;
    const auto take = [&](const auto& list, const std::vector<QRectF>& rects) {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (nodes.contains(list[i].key))
                places.insert(QString::fromStdString(list[i].key),
                              {rects[i].center().x() + right * step, rects[i].center().y() + down * step});
    };
    take(cluster().machines, layout.machines);
    take(cluster().switches, layout.switches);
    m_workspace.document().moveEntities(places, m_nudge);
}

// --- Racks
// ------------------------------------------------------------------------------------------------------------

void CanvasEditor::groupIntoRack() {
    if (!whyNotGroup().isEmpty()) return;
    const KeySet nodes = nodesOf(cluster(), selected());
    std::string rack;
    m_workspace.document().change(tr("Group %1 into a rack").arg(namesOf(nodes)), [&](Scenario& s) {
        pinPlaces(s.cluster);
        rack = addRack(s, nodes);
    });
    select({rack});
}

void CanvasEditor::takeOutOfRack() {
    if (!whyNotTakeOut().isEmpty()) return;
    const KeySet nodes = nodesOf(cluster(), selected());
    m_workspace.document().change(tr("Take %1 out of its rack").arg(namesOf(nodes)), [&](Scenario& s) {
        pinPlaces(s.cluster);
        setRack(s, nodes, {});
    });
    select(nodes);
}

/// Moving and changing racks are one step: the drag's own step is replaced by one that does both.
void CanvasEditor::settle(const QStringList& keys, bool step, bool keep) {
    if (!step || keep) return;
    KeySet moved;
    for (const QString& key : keys) moved.insert(key.toStdString());
    const auto changes = rackChanges(cluster(), m_canvas.content().layout, moved);
    if (changes.empty()) return;
    const QString text = settlingText(keys);
    const Cluster dropped = cluster();
    ScenarioModel& document = m_workspace.document();
    document.undoStack().undo();
    document.change(text, [&](Scenario& s) {
        pinPlaces(s.cluster);
        const auto place = [&](auto& nodes, const auto& from) {
            for (std::size_t i = 0; i < nodes.size(); ++i)
                if (moved.contains(nodes[i].key)) nodes[i].position = from[i].position;
        };
        place(s.cluster.machines, dropped.machines);
        place(s.cluster.switches, dropped.switches);
        for (const RackChange& change : changes) setRack(s, {change.key}, change.to);
    });
}

QString CanvasEditor::settlingText(const QStringList& keys) const {
    KeySet moved;
    for (const QString& key : keys) moved.insert(key.toStdString());
    const auto changes = rackChanges(cluster(), m_canvas.content().layout, moved);
    if (changes.empty()) return {};
    KeySet changed;
    for (const RackChange& change : changes) changed.insert(change.key);
    const RackChange& first = changes.front();
    return first.to.empty() ? tr("Take %1 out of %2").arg(namesOf(changed), nameOf(first.from))
                            : tr("Put %1 into %2").arg(namesOf(changed), nameOf(first.to));
}

} // namespace trainyard
