// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "drawing/LaneCanvas.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {
constexpr double leastLabelledShare = 0.65; // of a line: the least row that has a label, in smaller type
constexpr double leastNameShare = 0.75;     // of the type: smaller than this a name is shortened
} // namespace

double LaneCanvas::lineHeight() const { return QFontMetricsF(font).height(); }

void LaneCanvas::box(const QRectF& r, const QColor& colour) {
    ++items;
    if (vector) {
        painter.fillRect(r, colour);
        return;
    }
    // Whole pixels: neighbours touch without a seam, and nothing that happened is too short to be seen.
    const double left = std::round(r.left()), top = std::round(r.top());
    painter.fillRect(
        QRectF(left, top, std::max(1.0, std::round(r.right()) - left), std::max(1.0, std::round(r.bottom()) - top)),
        colour);
}

void LaneCanvas::texture(const QRectF& r, Activity activity, const QColor& line) {
    // Cut to the box by hand: not every vector format knows clipping. The pattern hangs on the whole canvas,
    // so that neighbouring boxes continue each other.
    const double step = 5;
    painter.save();
    if (activity == Activity::waiting) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(line);
        for (double y = std::ceil((r.top() - 1) / step) * step; y + 3 <= r.bottom(); y += step)
            for (double x = std::ceil((r.left() - 1) / step) * step; x + 3 <= r.right(); x += step)
                painter.drawEllipse(QPointF(x + 2, y + 2), 0.8, 0.8);
        painter.restore();
        return;
    }
    QPainterPath lines;
    const auto cut = [&](double s, double slope) { // x = s + slope·y, slope ±1
        const double a = slope * (r.left() - s), b = slope * (r.right() - s);
        const double y0 = std::max(r.top(), std::min(a, b)), y1 = std::min(r.bottom(), std::max(a, b));
        if (y1 - y0 < 0.5) return;
        lines.moveTo(s + slope * y0, y0);
        lines.lineTo(s + slope * y1, y1);
    };
    for (double s = std::ceil((r.left() + r.top()) / step) * step; s < r.right() + r.bottom(); s += step) cut(s, -1);
    if (activity == Activity::discarded || activity == Activity::failed)
        for (double s = std::ceil((r.left() - r.bottom()) / step) * step; s < r.right() - r.top(); s += step) cut(s, 1);
    painter.setPen(QPen(line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(lines);
    painter.restore();
}

void LaneCanvas::texturedBox(const QRectF& r, const QColor& ground, Activity activity, const QColor& line) {
    box(r, ground);
    const bool textured = activity != Activity::compute && activity != Activity::update;
    if (!textured || r.width() < 6 || r.height() < 5) return;
    ++items;
    if (vector) {
        texture(r, activity, line);
        return;
    }
    QBrush brush(theme.activityPattern(activity));
    brush.setColor(line);
    painter.fillRect(r.toRect(), brush);
}

void LaneCanvas::outline(const QRectF& r, const QColor& colour) {
    constexpr double least = 6, line = 1; // pixels
    if (r.height() < least) return;
    const double bottom = vector ? r.bottom() : std::round(r.bottom());
    box(QRectF(r.left(), r.top(), r.width(), line), colour);
    box(QRectF(r.left(), bottom - line, r.width(), line), colour);
}

void LaneCanvas::activityBox(const QRectF& r, Activity activity) {
    texturedBox(r, theme.activity(activity), activity, theme.activityPattern(activity).color());
}

void LaneCanvas::rowLabel(double y, double height, const QString& text, bool strong, bool dimmed) {
    QFont f = rowFont(height, strong);
    const double wanted = QFontMetricsF(f).horizontalAdvance(text), room = gutter.width() - 8;
    widestLabel = std::max(widestLabel, wanted);
    // A name that is a little too long is written smaller, before a part of it is left out.
    if (wanted > room)
        f.setPixelSize(std::clamp(static_cast<int>(f.pixelSize() * room / wanted),
                                  std::min(f.pixelSize(), static_cast<int>(leastNameShare * font.pixelSize())),
                                  f.pixelSize()));
    // A label of which a part would be cut off says less than none; above and below its letters there is some air.
    const double tall = QFontMetricsF(f).height(), air = 3 + tall / 5;
    const QRectF place(gutter.left(), y + height / 2 - tall / 2, room, tall);
    if (place.top() < gutter.top() - air || place.bottom() > gutter.bottom() + air) return;
    // Of "Machine 4 · w7" rather "w7" than "Mac… · w7".
    const auto part = text.lastIndexOf(QStringLiteral(" · "));
    const bool isCut = QFontMetricsF(f).horizontalAdvance(text) > room;
    const QString shown = isCut && part >= 0 ? text.mid(part + 3) : text;
    painter.setFont(f);
    painter.setPen(strong ? theme.text : dimmed ? Theme::mix(theme.muted, theme.surface, 0.5) : theme.muted);
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetricsF(f).elidedText(shown, Qt::ElideMiddle, place.width()));
}

double LaneCanvas::labelHeight(double rowHeight) const {
    const double line = lineHeight();
    return isLabelled(rowHeight) ? std::min(rowHeight, line) : line;
}

bool LaneCanvas::isLabelled(double rowHeight) const { return rowHeight >= leastLabelledShare * lineHeight(); }

QFont LaneCanvas::rowFont(double height, bool strong) const {
    QFont f = font;
    if (strong) f.setWeight(QFont::DemiBold);
    if (const double tall = labelHeight(height); tall < lineHeight())
        f.setPixelSize(std::max(8, static_cast<int>(std::round(font.pixelSize() * tall / lineHeight()))));
    return f;
}

void LaneCanvas::timeGrid(SimTime end) {
    const double head = time.x(end.toSeconds());
    if (head < plot.right())
        painter.fillRect(QRectF(QPointF(std::max(head, plot.left()), plot.top()), plot.bottomRight()), theme.window);
    painter.setPen(QPen(theme.grid, 1));
    for (const double t : time.ticks(time.tickStep(84))) {
        const double x = vector ? time.x(t) : std::floor(time.x(t)) + 0.5;
        if (x > plot.left() && x < plot.right()) painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
}

void LaneCanvas::valueTick(double y, const QString& text) {
    widestLabel = std::max(widestLabel, QFontMetricsF(font).horizontalAdvance(text));
    painter.setPen(QPen(theme.grid, 1));
    const double line = vector ? y : std::floor(y) + 0.5;
    painter.drawLine(QPointF(plot.left(), line), QPointF(plot.right(), line));
    painter.setFont(font);
    painter.setPen(theme.muted);
    const double top =
        std::clamp(y - lineHeight() / 2, gutter.top(), std::max(gutter.top(), gutter.bottom() - lineHeight()));
    painter.drawText(QRectF(gutter.left(), top, gutter.width() - 8, lineHeight()), Qt::AlignRight | Qt::AlignVCenter,
                     text);
}

std::size_t RowLayout::rowAt(double at) const {
    const double row = std::floor((at - top) / height);
    return row >= 0 && row < static_cast<double>(count) ? static_cast<std::size_t>(row) : count;
}

RowLayout RowLayout::of(const LaneCanvas& canvas, std::size_t count, double scroll) {
    RowLayout rows;
    rows.count = count;
    rows.height = std::clamp(canvas.plot.height() / static_cast<double>(std::max<std::size_t>(count, 1)),
                             canvas.leastRow, std::max(canvas.mostRow, canvas.leastRow));
    rows.top = canvas.plot.top() - scroll;
    return rows;
}

std::pair<std::size_t, std::size_t> RowLayout::visible(const QRectF& plot) const {
    const double first = std::max(0.0, std::floor((plot.top() - top) / height));
    const double last = std::max(first, std::ceil((plot.bottom() - top) / height));
    return {std::min(count, static_cast<std::size_t>(first)), std::min(count, static_cast<std::size_t>(last))};
}

std::vector<QPolygonF> linePieces(const QVector<QPointF>& line, double width) {
    std::vector<QPolygonF> pieces;
    QPolygonF part;
    double least = 0, most = 0; // how far the part may reach
    const auto start = [&](QPointF at) {
        part = {at};
        least = std::ceil(at.x() - width);
        most = std::floor(at.x() + width);
    };
    const auto finish = [&] {
        if (part.size() > 1) pieces.push_back(part);
        part.clear();
    };
    for (const QPointF& p : line) {
        if (!std::isfinite(p.x()) || !std::isfinite(p.y())) {
            finish();
            continue;
        }
        if (part.isEmpty()) {
            start(p);
            continue;
        }
        while (p.x() > most || p.x() < least) {
            const QPointF last = part.back();
            const double edge = p.x() > most ? most : least;
            const QPointF cut = last + (p - last) * ((edge - last.x()) / (p.x() - last.x()));
            part.push_back(cut);
            finish();
            start(cut);
        }
        part.push_back(p);
    }
    finish();
    return pieces;
}

QString activityName(Activity activity) {
    switch (activity) {
    case Activity::compute: return QCoreApplication::translate("Lane", "compute");
    case Activity::transfer: return QCoreApplication::translate("Lane", "transfer");
    case Activity::waiting: return QCoreApplication::translate("Lane", "waiting");
    case Activity::discarded: return QCoreApplication::translate("Lane", "discarded");
    case Activity::update: return QCoreApplication::translate("Lane", "server update");
    case Activity::failed: return QCoreApplication::translate("Lane", "failed");
    }
    return {};
}

QString workerPhaseText(WorkerPhase phase) {
    switch (phase) {
    case WorkerPhase::absent: return QCoreApplication::translate("Lane", "not placed");
    case WorkerPhase::idle: return QCoreApplication::translate("Lane", "placed, not started");
    case WorkerPhase::pulling: return QCoreApplication::translate("Lane", "reads parameters");
    case WorkerPhase::computing: return QCoreApplication::translate("Lane", "computes");
    case WorkerPhase::pushing: return QCoreApplication::translate("Lane", "sends its gradient");
    case WorkerPhase::waiting: return QCoreApplication::translate("Lane", "waits for the others");
    case WorkerPhase::blocked: return QCoreApplication::translate("Lane", "blocked by the synchronization");
    case WorkerPhase::updating: return QCoreApplication::translate("Lane", "waits for the server");
    case WorkerPhase::discarded: return QCoreApplication::translate("Lane", "computes, result discarded");
    case WorkerPhase::failed: return QCoreApplication::translate("Lane", "machine failed");
    }
    return {};
}

} // namespace trainyard
