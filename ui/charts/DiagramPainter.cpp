// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/DiagramPainter.h"

#include "theme/CoreText.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trainyard {

namespace diagram_painter {

constexpr double arrow = 7;        // pixels
constexpr double leastType = 0.75; // of the type, before a label stands beneath its node

/// Where the line from the middle of a box towards a point leaves it.
QPointF edgeOf(const QRectF& box, QPointF towards, Node::Shape shape) {
    const QPointF middle = box.center(), away = towards - middle;
    const double length = std::hypot(away.x(), away.y());
    if (length < 1e-9) return middle;
    if (shape == Node::Shape::circle) return middle + away * (std::min(box.width(), box.height()) / 2 / length);
    const double wide = away.x() != 0 ? box.width() / 2 / std::abs(away.x()) : 1e9;
    const double high = away.y() != 0 ? box.height() / 2 / std::abs(away.y()) : 1e9;
    return middle + away * std::min({wide, high, 1.0});
}

/// From the nearest point of the path.
double distance(const QPolygonF& path, QPointF at) {
    double least = std::numeric_limits<double>::infinity();
    for (qsizetype i = 0; i + 1 < path.size(); ++i) {
        const QPointF along = path[i + 1] - path[i];
        const double square = QPointF::dotProduct(along, along);
        const double t = square > 0 ? std::clamp(QPointF::dotProduct(at - path[i], along) / square, 0.0, 1.0) : 0;
        const QPointF away = path[i] + t * along - at;
        least = std::min(least, std::hypot(away.x(), away.y()));
    }
    return least;
}

} // namespace diagram_painter

using namespace diagram_painter;

void DiagramPainter::show(std::shared_ptr<const Diagram> diagram) { m_diagram = std::move(diagram); }

void DiagramPainter::fit(const QRectF& area, double line) {
    QRectF bounds;
    for (const Node& node : m_diagram->nodes)
        bounds |= QRectF(node.x - node.width / 2, node.y - node.height / 2, node.width, node.height);
    for (const Edge& edge : m_diagram->edges)
        for (const Edge::Bend& bend : edge.bends) {
            bounds.setLeft(std::min(bounds.left(), bend.x));
            bounds.setRight(std::max(bounds.right(), bend.x));
            bounds.setTop(std::min(bounds.top(), bend.y));
            bounds.setBottom(std::max(bounds.bottom(), bend.y));
        }
    m_area = area;
    const QRectF room = area.adjusted(line, line, -line, -line);
    m_scale = bounds.isEmpty() ? 1 : std::min(room.width() / bounds.width(), room.height() / bounds.height());
    m_origin = room.center() - bounds.center() * m_scale;
}

QPointF DiagramPainter::pixelOf(double x, double y) const {
    return m_area.center() + (m_origin - m_area.center()) * m_zoom + m_moved + QPointF(x, y) * m_scale * m_zoom;
}

QRectF DiagramPainter::nodeRect(std::size_t i) const {
    const Node& node = m_diagram->nodes[i];
    const double scale = m_scale * m_zoom;
    const QPointF middle = pixelOf(node.x, node.y);
    const QSizeF size(node.width * scale, node.height * scale);
    return {middle - QPointF(size.width(), size.height()) / 2, size};
}

QPolygonF DiagramPainter::pathOf(const Edge& edge) const {
    const QRectF from = nodeRect(edge.from), to = nodeRect(edge.to);
    QPolygonF path;
    for (const Edge::Bend& bend : edge.bends) path << pixelOf(bend.x, bend.y);
    const QPointF first = path.isEmpty() ? to.center() : path.front();
    const QPointF last = path.isEmpty() ? from.center() : path.back();
    path.prepend(edgeOf(from, first, m_diagram->nodes[edge.from].shape));
    path << edgeOf(to, last, m_diagram->nodes[edge.to].shape);
    QPolygonF out; // without stretches of no length, which have no direction
    for (const QPointF& point : path)
        if (out.isEmpty() || QLineF(out.back(), point).length() > 0.5) out << point;
    return out;
}

void DiagramPainter::drawEdge(LaneCanvas& canvas, const Edge& edge, const PictureStyle& look) const {
    const QPolygonF path = pathOf(edge);
    if (path.size() < 2) return;
    QColor colour =
        edge.value ? scaleColour(look.theme, m_diagram->scale, *edge.value) : roleColour(look.theme, edge.role);
    if (isSelected(look, edge.ref)) colour = look.theme.accent;
    canvas.painter.setPen(picturePen(colour, look.lineWidth * edge.weight, edge.dash));
    canvas.painter.setBrush(Qt::NoBrush);
    canvas.painter.drawPolyline(path);
    const QLineF line(path[path.size() - 2], path.back());
    if (edge.directed && line.length() > (path.size() > 2 ? 1 : 2) * arrow) {
        QLineF left = QLineF(line.p2(), line.p1()), right = left;
        const double head = arrow + look.lineWidth * edge.weight;
        left.setLength(head);
        right.setLength(head);
        left.setAngle(left.angle() + 24);
        right.setAngle(right.angle() - 24);
        canvas.painter.setPen(Qt::NoPen);
        canvas.painter.setBrush(colour);
        canvas.painter.drawPolygon(QPolygonF{line.p2(), left.p2(), right.p2()});
    }
    const QString text = coreText(edge.label);
    if (text.isEmpty() || QFontMetricsF(canvas.font).horizontalAdvance(text) > line.length()) return;
    canvas.painter.setPen(look.theme.muted);
    const double height = canvas.lineHeight(), steep = 0.4;
    if (std::abs(line.dy()) < steep * std::abs(line.dx())) { // above it
        canvas.painter.drawText(QRectF(line.center() - QPointF(200, height + 2), QSizeF(400, height)), Qt::AlignCenter,
                                text);
        return;
    }
    const bool rises = line.dx() * line.dy() < 0; // from left to right; then there is room to the right of it below
    canvas.painter.drawText(QRectF(line.center() + QPointF(6, rises ? 0 : -height), QSizeF(400, height)),
                            Qt::AlignLeft | Qt::AlignVCenter, text);
}

void DiagramPainter::drawNode(LaneCanvas& canvas, const Node& node, const QRectF& box, const PictureStyle& look) {
    const Theme& theme = look.theme;
    const bool block = node.shape == Node::Shape::block, chosen = isSelected(look, node.ref);
    QColor fill = node.value ? scaleColour(theme, m_diagram->scale, *node.value) : roleColour(theme, node.role);
    if (block && !node.value) fill = Theme::mix(fill, theme.surface, 0.08);
    if (node.ghost) fill = Theme::mix(fill, theme.surface, 0.3);
    const QColor rim = chosen ? theme.accent : block ? theme.hairline : Theme::mix(theme.text, fill, 0.35);
    canvas.painter.setPen(QPen(rim, chosen ? 2 : 1, node.ghost ? Qt::DashLine : Qt::SolidLine));
    canvas.painter.setBrush(fill);
    if (node.shape == Node::Shape::circle)
        canvas.painter.drawEllipse(box.center(), std::min(box.width(), box.height()) / 2,
                                   std::min(box.width(), box.height()) / 2);
    else
        canvas.painter.drawRoundedRect(box, block ? 6 : 3, block ? 6 : 3);
    if (node.role.kind == Role::Kind::job && theme.jobStriped(JobId(node.role.index)) && box.height() >= 8)
        canvas.painter.fillRect(QRectF(box.left() + 3, box.bottom() - 4, box.width() - 6, 2), theme.surface);
    const QString text = coreText(node.label);
    if (text.isEmpty()) return;
    const QFontMetricsF metrics(canvas.font);
    if (block) {
        canvas.painter.setPen(theme.muted);
        const bool low = box.height() < canvas.lineHeight() + 4; // then the label stands in its middle
        const double top = low ? box.center().y() - canvas.lineHeight() / 2 : box.top() + 2;
        canvas.painter.drawText(QRectF(box.left() + 6, top, box.width() - 12, canvas.lineHeight()),
                                Qt::AlignLeft | Qt::AlignVCenter,
                                metrics.elidedText(text, Qt::ElideMiddle, box.width() - 12));
    } else if (const double share = (box.width() - 4) / metrics.horizontalAdvance(text);
               share >= leastType && canvas.lineHeight() <= box.height()) {
        QFont font = canvas.font;
        if (share < 1) font.setPixelSize(static_cast<int>(share * font.pixelSize()));
        canvas.painter.setFont(font);
        canvas.painter.setPen(node.ghost ? theme.muted : inkOn(theme, fill));
        canvas.painter.drawText(box, Qt::AlignCenter, text);
        canvas.painter.setFont(canvas.font);
    } else if (m_scale * m_zoom * node.width >= 10) { // beneath it, where it may be wider, and overlaps nothing
        const double wide = metrics.horizontalAdvance(text);
        const QRectF place(box.center().x() - wide / 2, box.bottom() + 1, wide, canvas.lineHeight());
        if (isFree(place)) {
            m_words.push_back(place);
            QColor ground = theme.surface; // edges pass behind it
            ground.setAlphaF(0.8f);
            canvas.painter.fillRect(place, ground);
            canvas.painter.setPen(theme.muted);
            canvas.painter.drawText(place.adjusted(-2, 0, 2, 0), Qt::AlignHCenter | Qt::AlignTop, text);
        } else if (box.height() >= canvas.lineHeight() && box.width() >= 4 * metrics.height()) {
            canvas.painter.setPen(node.ghost ? theme.muted : inkOn(theme, fill));
            canvas.painter.drawText(box, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideMiddle, box.width() - 4));
        }
    }
}

/// Of other words and of nodes.
bool DiagramPainter::isFree(const QRectF& place) const {
    for (std::size_t i = 0; i < m_diagram->nodes.size(); ++i)
        if (m_diagram->nodes[i].shape != Node::Shape::block && nodeRect(i).intersects(place)) return false;
    return std::ranges::none_of(m_words, [&](const QRectF& other) { return other.intersects(place); });
}

void DiagramPainter::paint(QPaintDevice& device, const QRectF& area, const PictureStyle& look) {
    m_items = 0;
    m_words.clear();
    QPainter painter(&device);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setRenderHint(QPainter::TextAntialiasing, true);
    painter.setFont(look.font);
    painter.setClipRect(area);
    LaneCanvas canvas(painter, look.theme, look.font);
    canvas.vector = look.vector;
    fit(area, canvas.lineHeight());
    std::vector<std::size_t> order(m_diagram->nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return m_diagram->nodes[a].depth > m_diagram->nodes[b].depth;
    });
    const auto draw = [&](bool blocks) {
        for (const std::size_t i : order) {
            const Node& node = m_diagram->nodes[i];
            const QRectF box = nodeRect(i);
            if ((node.shape == Node::Shape::block) != blocks || !box.intersects(area)) continue;
            drawNode(canvas, node, box, look);
            ++m_items;
        }
    };
    draw(true);
    for (const Edge& edge : m_diagram->edges) {
        drawEdge(canvas, edge, look);
        ++m_items;
    }
    draw(false);
}

PictureHit DiagramPainter::hitOf(std::size_t i) const {
    const Node& node = m_diagram->nodes[i];
    QString text = coreText(node.note.empty() ? node.label : node.note);
    if (node.note.empty() && node.value) text = QStringLiteral("%1: %2").arg(text, numberText(*node.value, 4));
    return {0, 0, i, nodeRect(i).center(), text, node.ref};
}

std::optional<PictureHit> DiagramPainter::hitAt(QPointF at) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < m_diagram->nodes.size(); ++i) {
        const Node& node = m_diagram->nodes[i];
        if (!nodeRect(i).adjusted(-2, -2, 2, 2).contains(at)) continue;
        const bool block = node.shape == Node::Shape::block;
        if (found && (block || m_diagram->nodes[*found].depth < node.depth)) continue;
        found = i;
    }
    if (found && m_diagram->nodes[*found].shape != Node::Shape::block) return hitOf(*found);
    for (const Edge& edge : m_diagram->edges) {
        if (edge.note.empty() || distance(pathOf(edge), at) > 5) continue;
        return PictureHit{
            0, 1, static_cast<std::size_t>(&edge - m_diagram->edges.data()), at, coreText(edge.note), edge.ref};
    }
    return found ? std::optional(hitOf(*found)) : std::nullopt;
}

std::optional<PictureHit> DiagramPainter::neighbour(const PictureHit* from, int along, int across) const {
    const auto count = static_cast<std::int64_t>(m_diagram->nodes.size());
    if (count == 0) return std::nullopt;
    const std::int64_t at = from && from->series == 0 ? static_cast<std::int64_t>(from->element) + along + across : 0;
    return hitOf(static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, count - 1)));
}

void DiagramPainter::zoom(QPointF about, double factor) {
    const double wanted = std::clamp(m_zoom * factor, 0.2, 40.0);
    const QPointF middle = m_area.center();
    m_moved = about - middle - (about - middle - m_moved) * (wanted / m_zoom);
    m_zoom = wanted;
}

void DiagramPainter::showAll() {
    m_zoom = 1;
    m_moved = {};
}

} // namespace trainyard
