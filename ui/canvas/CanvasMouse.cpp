// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The mouse on the canvas: zoom, pan, click, drag, rubber band, and the tool's placing and linking. One state
// machine: what a press, a move, a release or Escape means depends on CanvasView::Mouse alone.
#include "canvas/CanvasTool.h"
#include "canvas/CanvasView.h"
#include "canvas/ClusterPainter.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace trainyard {

void CanvasView::wheelEvent(QWheelEvent* event) {
    m_workspace.interaction().moved();
    const QPointF before = mapToScene(event->position().toPoint());
    const double factor = std::pow(1.0015, event->angleDelta().y());
    const double wanted = std::clamp(zoom() * factor, leastZoom, mostZoom);
    setTransform(QTransform::fromScale(wanted, wanted));
    const QPointF after = mapToScene(event->position().toPoint());
    centerOn(mapToScene(viewport()->rect().center()) + before - after); // what is under the mouse stays there
    m_fitting = false;
    Q_EMIT zoomChanged();
    Q_EMIT viewChanged();
    event->accept();
}

void CanvasView::setMouse(Mouse state) {
    m_mouse = state;
    showCursor();
    viewport()->update();
}

void CanvasView::showCursor() {
    if (m_mouse == Mouse::panning)
        viewport()->setCursor(Qt::ClosedHandCursor);
    else if (m_mouse == Mouse::placing || m_mouse == Mouse::linking)
        viewport()->setCursor(Qt::CrossCursor);
    else if (m_spaceHeld)
        viewport()->setCursor(Qt::OpenHandCursor);
    else if (m_mouse == Mouse::idle && m_tool && m_tool->isOverPort())
        viewport()->setCursor(Qt::CrossCursor);
    else
        viewport()->unsetCursor();
}

void CanvasView::beginPlacing() {
    escape();
    setMouse(Mouse::placing);
}

void CanvasView::endPlacing() {
    if (m_mouse == Mouse::placing) setMouse(Mouse::idle);
}

void CanvasView::dropLink() {
    if (m_tool) m_tool->hover(std::nullopt);
    if (m_mouse == Mouse::linking) setMouse(Mouse::idle);
}

/// Gives up what is under way; false: nothing that could be given up.
bool CanvasView::escape() {
    switch (m_mouse) {
    case Mouse::moving: cancelDrag(); return true;
    case Mouse::placing:
    case Mouse::linking:
        setMouse(Mouse::idle);
        m_tool->cancel();
        return true;
    default: return false;
    }
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    m_spaceUsed = true;
    switch (m_mouse) {
    case Mouse::placing:
        if (event->button() == Qt::LeftButton) m_tool->placeAt(event->pos());
        if (event->button() != Qt::LeftButton || !event->modifiers().testFlag(Qt::ShiftModifier)) escape();
        break;
    case Mouse::linking: // another button gives the link up
        escape();
        break;
    default: pressAt(*event);
    }
}

void CanvasView::pressAt(QMouseEvent& event) {
    m_pressedAt = m_lastAt = event.pos();
    m_pressedOn = hitAt(event.pos());
    const bool left = event.button() == Qt::LeftButton;
    if (event.button() == Qt::MiddleButton ||
        (left && (m_spaceHeld || event.modifiers().testFlag(Qt::ControlModifier)))) {
        setMouse(Mouse::panning);
    } else if (left && m_tool && m_tool->beginLink(event.pos())) {
        setFocus();
        setMouse(Mouse::linking);
    } else if (left) {
        m_mouse = Mouse::pressed;
    } else if (event.button() == Qt::RightButton) { // its menu is about what it is on
        const std::string& key = m_content.keyOf(m_pressedOn);
        if (m_pressedOn.kind != ClusterLayout::Kind::nothing && !m_content.isSelected(key))
            m_workspace.selection().selectEntities({QString::fromStdString(key)});
    }
}

void CanvasView::hoverAt(QPoint at) {
    setHovered(hitAt(at));
    if (!m_tool || m_spaceHeld) return;
    m_tool->hover(at);
    showCursor();
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint moved = event->pos() - m_lastAt;
    m_lastAt = event->pos();
    if (m_mouse == Mouse::idle) return hoverAt(event->pos());
    if (m_mouse == Mouse::placing) return m_tool->follow(event->pos());
    m_workspace.interaction().moved();
    if (m_mouse == Mouse::pressed) {
        if ((event->pos() - m_pressedAt).manhattanLength() < QApplication::startDragDistance()) return;
        const bool movable = m_pressedOn.kind == ClusterLayout::Kind::machine ||
                             m_pressedOn.kind == ClusterLayout::Kind::switchNode ||
                             m_pressedOn.kind == ClusterLayout::Kind::rack;
        if (movable) beginDrag(m_pressedOn);
        m_mouse = movable ? Mouse::moving : Mouse::banding;
    }
    switch (m_mouse) {
    case Mouse::panning:
        m_fitting = false;
        centerOn(mapToScene(viewport()->rect().center() - moved));
        break;
    case Mouse::moving:
        if (m_tool) m_tool->follow(event->pos());
        dragTo(mapToScene(event->pos()));
        break;
    case Mouse::banding:
        m_band = QRectF(mapToScene(m_pressedAt), mapToScene(event->pos())).normalized();
        viewport()->update();
        break;
    case Mouse::linking: m_tool->moveLink(event->pos()); break;
    default: break;
    }
}

void CanvasView::beginDrag(ClusterLayout::Hit hit) {
    m_fitting = false; // the view must not move beneath the mouse
    m_gesture = m_workspace.document().beginGesture();
    m_dragFrom.clear();
    const Cluster& cluster = m_content.cluster;
    const std::string& key = m_content.keyOf(hit);
    const bool whole = m_content.isSelected(key);
    const auto taken = [&](const std::string& own, const std::string& rack) {
        if (hit.kind == ClusterLayout::Kind::rack && rack == key) return true;
        return own == key || (whole && (m_content.isSelected(own) || (!rack.empty() && m_content.isSelected(rack))));
    };
    for (std::size_t i = 0; i < cluster.machines.size(); ++i)
        if (taken(cluster.machines[i].key, cluster.machines[i].rack))
            m_dragFrom.insert(QString::fromStdString(cluster.machines[i].key), m_content.layout.machines[i].center());
    for (std::size_t i = 0; i < cluster.switches.size(); ++i)
        if (taken(cluster.switches[i].key, cluster.switches[i].rack))
            m_dragFrom.insert(QString::fromStdString(cluster.switches[i].key), m_content.layout.switches[i].center());
    m_grabbed =
        m_dragFrom.value(QString::fromStdString(key), m_dragFrom.isEmpty() ? QPointF() : *m_dragFrom.constBegin());
    std::set<std::string, std::less<>> keys;
    for (auto it = m_dragFrom.begin(); it != m_dragFrom.end(); ++it) keys.insert(it.key().toStdString());
    m_content.lift(keys);
}

/// What the mouse holds goes to the grid, and all that is dragged keeps its distance to it.
void CanvasView::dragTo(QPointF scenePosition) {
    const QPointF by = snapped(m_grabbed + scenePosition - mapToScene(m_pressedAt)) - m_grabbed;
    QHash<QString, Position> places;
    for (auto it = m_dragFrom.begin(); it != m_dragFrom.end(); ++it)
        places.insert(it.key(), {it->x() + by.x(), it->y() + by.y()});
    m_workspace.document().moveEntities(places, m_gesture);
    Q_EMIT dragged(m_dragFrom.keys());
}

void CanvasView::endDrag(Qt::KeyboardModifiers modifiers) {
    m_content.lift({});
    Q_EMIT dropped(m_dragFrom.keys(), m_workspace.document().hasChanged(m_gesture), modifiers);
}

void CanvasView::cancelDrag() {
    setMouse(Mouse::idle);
    m_content.lift({});
    ScenarioModel& document = m_workspace.document();
    if (document.hasChanged(m_gesture)) document.undoStack().undo();
    Q_EMIT dropped({}, false, {});
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_mouse == Mouse::placing || (m_mouse == Mouse::linking && event->button() != Qt::LeftButton)) return;
    const Mouse was = m_mouse;
    setMouse(Mouse::idle);
    const bool extend = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (was) {
    case Mouse::pressed: clickAt(m_pressedOn, mapToScene(event->pos()), extend); break;
    case Mouse::moving: endDrag(event->modifiers()); break;
    case Mouse::banding: band(extend); break;
    case Mouse::linking: m_tool->endLink(event->pos()); break;
    default: break;
    }
}

void CanvasView::band(bool extend) {
    QStringList keys = extend ? m_workspace.selection().entities() : QStringList();
    const auto take = [&](const auto& entities, const std::vector<QRectF>& rects) {
        for (std::size_t i = 0; i < rects.size(); ++i)
            if (m_band.intersects(rects[i])) keys << QString::fromStdString(entities[i].key);
    };
    take(m_content.cluster.machines, m_content.layout.machines);
    take(m_content.cluster.switches, m_content.layout.switches);
    keys.removeDuplicates();
    m_workspace.selection().selectEntities(keys);
    viewport()->update();
}

void CanvasView::clickAt(ClusterLayout::Hit hit, QPointF scenePosition, bool extend) {
    Selection& selection = m_workspace.selection();
    if (hit.kind == ClusterLayout::Kind::nothing) {
        if (!extend) selection.clear();
        return;
    }
    // A slot on a card is its job.
    if (hit.kind == ClusterLayout::Kind::machine && detailAt(zoom()) <= Detail::shapes)
        if (const auto job = ClusterPainter::jobAt(m_content, hit.index, scenePosition); job.valid()) {
            selection.selectJob(job == selection.job() ? JobId() : job);
            return;
        }
    const QString key = QString::fromStdString(m_content.keyOf(hit));
    QStringList keys = extend ? selection.entities() : QStringList();
    if (extend && keys.contains(key))
        keys.removeAll(key);
    else
        keys << key;
    selection.selectEntities(keys);
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (m_mouse != Mouse::idle || (m_tool && m_tool->isOverPort())) return mousePressEvent(event);
    const ClusterLayout::Hit hit = hitAt(event->pos());
    if (hit.kind == ClusterLayout::Kind::nothing)
        fit();
    else if (hit.kind == ClusterLayout::Kind::link)
        Q_EMIT inspectRequested();
    else
        Q_EMIT renameRequested(QString::fromStdString(m_content.keyOf(hit)));
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) {
        Q_EMIT contextMenuRequested(hitAt(viewport()->mapFromGlobal(event->globalPos())), event->globalPos());
        return;
    }
    // By key: for what is selected, beside it.
    const QStringList keys = m_workspace.selection().entities();
    const QPoint at = keys.isEmpty() ? viewport()->rect().center() : screenPositionOf(keys.first());
    Q_EMIT contextMenuRequested(keys.isEmpty() ? ClusterLayout::Hit{} : hitAt(at), viewport()->mapToGlobal(at));
}

} // namespace trainyard
