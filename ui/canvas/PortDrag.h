// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Drawing a link with the mouse: ports on the edges of what is under it, a line that follows, what the line
// may end at, and in words why not elsewhere. Steered by CanvasTools.
#include "canvas/CanvasEditor.h"

class QPainter;

namespace trainyard {

struct Theme;

class PortDrag {
public:
    explicit PortDrag(CanvasEditor& editor) : m_editor(editor) {}

    /// Shows the ports of what is under the mouse; true if that has changed the picture.
    bool hover(QPoint viewportPosition);
    bool isOnPort() const { return m_port >= 0; }
    /// Begins a link if the mouse is on a port.
    bool press(QPoint viewportPosition);
    void move(QPoint viewportPosition);
    /// Links, if it may; on empty canvas nothing happens.
    void release(QPoint viewportPosition);
    void cancel();
    bool isActive() const { return m_active; }
    /// What the link under way would do, or why it cannot; empty over empty canvas.
    QString hint() const { return m_hint; }
    bool mayEndHere() const { return m_allowed; }
    void paint(QPainter& painter, const Theme& theme) const;

    /// Ports of a card or switch, in scene pixels: the middles of its sides (of two, where it is small).
    static std::vector<QPointF> portsOf(const QRectF& rect, double zoom);

private:
    ClusterLayout::Hit nodeNear(QPoint viewportPosition, double reach) const;
    int portAt(QPoint viewportPosition) const;
    void paintPorts(QPainter& painter, const Theme& theme) const;
    void paintTargets(QPainter& painter, const Theme& theme) const;
    void paintLine(QPainter& painter, const Theme& theme) const;

    CanvasEditor& m_editor;
    ClusterLayout::Hit m_node; ///< whose ports are shown
    int m_port = -1;
    bool m_active = false, m_allowed = false;
    QString m_from; ///< id
    QPointF m_start, m_mouse;
    ClusterLayout::Hit m_target;
    QString m_hint;
    std::set<std::string> m_neighbours; ///< of m_from, and itself
};

} // namespace trainyard
