// The mouse on the canvas: zoom, pan, click, drag, rubber band.
#include "canvas/CanvasView.h"
#include "canvas/ClusterPainter.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {

void CanvasView::wheelEvent(QWheelEvent* event) {
    m_workspace.hand().moved();
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

void CanvasView::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = m_lastAt = event->pos();
    m_pressedOn = hitAt(event->pos());
    const bool pans = event->button() == Qt::MiddleButton ||
                      (event->button() == Qt::LeftButton &&
                       (m_panHeld || event->modifiers().testFlag(Qt::ControlModifier)));
    if (pans) {
        m_mode = Mode::panning;
        viewport()->setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        m_mode = Mode::pressed;
    }
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint moved = event->pos() - m_lastAt;
    m_lastAt = event->pos();
    if (m_mode == Mode::none) {
        setHovered(hitAt(event->pos()));
        return;
    }
    m_workspace.hand().moved();
    if (m_mode == Mode::panning) {
        m_fitting = false;
        centerOn(mapToScene(viewport()->rect().center() - moved));
        return;
    }
    if (m_mode == Mode::pressed) {
        if ((event->pos() - m_pressedAt).manhattanLength() < QApplication::startDragDistance()) return;
        const bool movable = m_pressedOn.kind == ClusterLayout::Kind::machine ||
                             m_pressedOn.kind == ClusterLayout::Kind::switchNode ||
                             m_pressedOn.kind == ClusterLayout::Kind::rack;
        if (movable) beginDrag(m_pressedOn);
        m_mode = movable ? Mode::dragging : Mode::banding;
    }
    if (m_mode == Mode::dragging) dragTo(mapToScene(event->pos()));
    if (m_mode == Mode::banding) {
        m_band = QRectF(mapToScene(m_pressedAt), mapToScene(event->pos())).normalized();
        viewport()->update();
    }
}

void CanvasView::beginDrag(ClusterLayout::Hit hit) {
    m_fitting = false; // the view must not move beneath the mouse
    m_gesture = m_workspace.document().beginGesture();
    m_stepsBeforeDrag = m_workspace.document().undoStack().index();
    m_dragFrom.clear();
    const Cluster& cluster = m_content.cluster;
    const std::string& key = m_content.keyOf(hit);
    const bool whole = m_content.isSelected(key);
    const auto taken = [&](const std::string& own, const std::string& rack) {
        if (hit.kind == ClusterLayout::Kind::rack && rack == key) return true;
        return own == key ||
               (whole && (m_content.isSelected(own) || (!rack.empty() && m_content.isSelected(rack))));
    };
    for (std::size_t i = 0; i < cluster.machines.size(); ++i)
        if (taken(cluster.machines[i].key, cluster.machines[i].rack))
            m_dragFrom.insert(QString::fromStdString(cluster.machines[i].key),
                              m_content.layout.machines[i].center());
    for (std::size_t i = 0; i < cluster.switches.size(); ++i)
        if (taken(cluster.switches[i].key, cluster.switches[i].rack))
            m_dragFrom.insert(QString::fromStdString(cluster.switches[i].key),
                              m_content.layout.switches[i].center());
    m_grabbed = m_dragFrom.value(QString::fromStdString(key),
                                 m_dragFrom.isEmpty() ? QPointF() : *m_dragFrom.constBegin());
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
    const bool step = m_workspace.document().undoStack().index() > m_stepsBeforeDrag;
    m_content.lift({});
    Q_EMIT dropped(m_dragFrom.keys(), step, modifiers);
}

void CanvasView::cancelDrag() {
    m_mode = Mode::none;
    m_content.lift({});
    QUndoStack& stack = m_workspace.document().undoStack();
    if (stack.index() > m_stepsBeforeDrag) stack.undo();
    Q_EMIT dropped({}, false, {});
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    const Mode mode = std::exchange(m_mode, Mode::none);
    viewport()->unsetCursor();
    const bool extend = event->modifiers().testFlag(Qt::ShiftModifier);
    if (mode == Mode::pressed) clickAt(m_pressedOn, mapToScene(event->pos()), extend);
    if (mode == Mode::dragging) endDrag(event->modifiers());
    if (mode == Mode::banding) band(extend);
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
    const ClusterLayout::Hit hit = hitAt(event->pos());
    if (hit.kind == ClusterLayout::Kind::nothing)
        fit();
    else if (hit.kind == ClusterLayout::Kind::link)
        Q_EMIT inspectRequested();
    else
        Q_EMIT renameRequested(QString::fromStdString(m_content.keyOf(hit)));
}

} // namespace trainyard
