// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/PortDrag.h"

#include "theme/Theme.h"

#include <QPainter>

#include <cmath>

namespace trainyard {

namespace port_drag {

constexpr double radius = 4.5, reach = 8; // screen pixels
constexpr double leastZoom = 0.3;         // below, cards are blocks
constexpr std::size_t mostTargetsShown = 400;

bool isNode(ClusterLayout::Hit hit) {
    return hit.kind == ClusterLayout::Kind::machine || hit.kind == ClusterLayout::Kind::switchNode;
}

bool same(ClusterLayout::Hit a, ClusterLayout::Hit b) {
    return a.kind == b.kind && (a.kind == ClusterLayout::Kind::nothing || a.index == b.index);
}

void outline(QPainter& painter, const QRectF& rect, ClusterLayout::Kind kind, double by) {
    const QRectF box = rect.adjusted(-by, -by, by, by);
    const double corner = kind == ClusterLayout::Kind::switchNode ? box.height() / 2 : 8 + by;
    painter.drawRoundedRect(box, corner, corner);
}

} // namespace port_drag

std::vector<QPointF> PortDrag::portsOf(const QRectF& rect, double zoom) {
    constexpr double small = 28; // screen pixels: no room left to take hold of the thing itself
    const QPointF c = rect.center();
    std::vector<QPointF> ports{{rect.left(), c.y()}, {rect.right(), c.y()}};
    if (rect.height() * zoom >= small) {
        ports.emplace_back(c.x(), rect.top());
        ports.emplace_back(c.x(), rect.bottom());
    }
    return ports;
}

ClusterLayout::Hit PortDrag::nodeNear(QPoint at, double by) const {
    const CanvasView& canvas = m_editor.canvas();
    const QPointF scene = canvas.mapToScene(at);
    const ClusterLayout& layout = canvas.content().layout;
    const double r = by / canvas.zoom();
    const auto near = [&](const QRectF& rect) { return rect.adjusted(-r, -r, r, r).contains(scene); };
    for (std::size_t i = layout.switches.size(); i-- > 0;)
        if (near(layout.switches[i])) return {ClusterLayout::Kind::switchNode, i};
    for (std::size_t i = layout.machines.size(); i-- > 0;)
        if (near(layout.machines[i])) return {ClusterLayout::Kind::machine, i};
    return {};
}

int PortDrag::portAt(QPoint at) const {
    const CanvasView& canvas = m_editor.canvas();
    const auto ports = portsOf(canvas.rectOf(m_node), canvas.zoom());
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const QPointF away = QPointF(at) - QPointF(canvas.mapFromScene(ports[i]));
        if (std::hypot(away.x(), away.y()) <= port_drag::reach) return static_cast<int>(i);
    }
    return -1;
}

bool PortDrag::hover(QPoint at) {
    const ClusterLayout::Hit before = m_node;
    const int portBefore = m_port;
    m_node = {};
    m_port = -1;
    if (m_editor.canvas().zoom() >= port_drag::leastZoom && !m_editor.canvas().isDragging())
        m_node = nodeNear(at, port_drag::reach + 2);
    if (port_drag::isNode(m_node)) m_port = portAt(at);
    return !port_drag::same(before, m_node) || portBefore != m_port;
}

bool PortDrag::press(QPoint at) {
    hover(at);
    if (m_port < 0) return false;
    const CanvasView& canvas = m_editor.canvas();
    m_active = true;
    m_from = QString::fromStdString(canvas.content().keyOf(m_node));
    m_start = portsOf(canvas.rectOf(m_node), canvas.zoom())[static_cast<std::size_t>(m_port)];
    m_neighbours = {m_from.toStdString()};
    for (const Link& link : canvas.content().cluster.links) {
        if (link.from == m_from.toStdString()) m_neighbours.insert(link.to);
        if (link.to == m_from.toStdString()) m_neighbours.insert(link.from);
    }
    move(at);
    return true;
}

void PortDrag::move(QPoint at) {
    const CanvasView& canvas = m_editor.canvas();
    m_mouse = canvas.mapToScene(at);
    m_target = nodeNear(at, 4);
    m_hint.clear();
    m_allowed = false;
    if (!port_drag::isNode(m_target)) return;
    const QString to = QString::fromStdString(canvas.content().keyOf(m_target));
    m_hint = m_editor.whyNotLink(m_from, to);
    m_allowed = m_hint.isEmpty();
    if (m_allowed) m_hint = CanvasEditor::tr("Link with %1").arg(canvas.content().nameOf(m_target));
    // On the way out of the port nothing has gone wrong yet.
    if (to == m_from && QLineF(m_start, m_mouse).length() * canvas.zoom() < 2 * port_drag::reach) m_hint.clear();
}

void PortDrag::release(QPoint at) {
    move(at);
    const bool links = m_allowed;
    const QString from = m_from,
                  to = links ? QString::fromStdString(m_editor.canvas().content().keyOf(m_target)) : QString();
    cancel();
    if (links) m_editor.link(from, to);
}

void PortDrag::cancel() {
    m_active = m_allowed = false;
    m_port = -1;
    m_node = m_target = {};
    m_hint.clear();
    m_neighbours.clear();
}

void PortDrag::paint(QPainter& painter, const Theme& theme) const {
    if (m_active) {
        paintTargets(painter, theme);
        paintLine(painter, theme);
    } else if (port_drag::isNode(m_node)) {
        paintPorts(painter, theme);
    }
}

void PortDrag::paintPorts(QPainter& painter, const Theme& theme) const {
    const CanvasView& canvas = m_editor.canvas();
    const QRectF rect = canvas.rectOf(m_node);
    if (rect.isNull()) return; // gone since
    const auto ports = portsOf(rect, canvas.zoom());
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const bool on = static_cast<int>(i) == m_port;
        const double r = (on ? port_drag::radius + 1.5 : port_drag::radius) / canvas.zoom();
        QPen pen(theme.accent, 1.5);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.setBrush(on ? theme.accent : theme.raised);
        painter.drawEllipse(ports[i], r, r);
    }
}

void PortDrag::paintTargets(QPainter& painter, const Theme& theme) const {
    const CanvasContent& content = m_editor.canvas().content();
    const auto& machines = content.layout.machines;
    const auto& switches = content.layout.switches;
    painter.setBrush(Qt::NoBrush);
    QColor glow = theme.accent;
    glow.setAlpha(130);
    QPen pen(glow, 1.5);
    pen.setCosmetic(true);
    painter.setPen(pen);
    if (machines.size() + switches.size() <= port_drag::mostTargetsShown) {
        for (std::size_t i = 0; i < machines.size(); ++i)
            if (!m_neighbours.contains(content.cluster.machines[i].key))
                port_drag::outline(painter, machines[i], ClusterLayout::Kind::machine, 3);
        for (std::size_t i = 0; i < switches.size(); ++i)
            if (!m_neighbours.contains(content.cluster.switches[i].key))
                port_drag::outline(painter, switches[i], ClusterLayout::Kind::switchNode, 3);
    }
    if (!port_drag::isNode(m_target) || m_hint.isEmpty()) return;
    const QColor colour = m_allowed ? theme.accent : theme.problem;
    QPen strong(colour, 2.5, m_allowed ? Qt::SolidLine : Qt::DashLine);
    strong.setCosmetic(true);
    painter.setPen(strong);
    QColor fill = colour;
    fill.setAlpha(28);
    painter.setBrush(fill);
    port_drag::outline(painter, m_editor.canvas().rectOf(m_target), m_target.kind, 3);
}

void PortDrag::paintLine(QPainter& painter, const Theme& theme) const {
    const double zoom = m_editor.canvas().zoom();
    QPointF end = m_mouse;
    if (m_allowed) {
        double best = 1e300;
        for (const QPointF& port : portsOf(m_editor.canvas().rectOf(m_target), zoom))
            if (const double d = QLineF(port, m_mouse).length(); d < best) {
                best = d;
                end = port;
            }
    }
    QPen pen(m_allowed || m_hint.isEmpty() ? theme.accent : theme.problem, 2, m_allowed ? Qt::SolidLine : Qt::DashLine,
             Qt::RoundCap);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.drawLine(m_start, end);
    painter.setBrush(pen.color());
    painter.setPen(Qt::NoPen);
    const double r = port_drag::radius / zoom;
    painter.drawEllipse(m_start, r, r);
    painter.drawEllipse(end, r, r);
}

} // namespace trainyard
