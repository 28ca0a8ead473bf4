// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ChartMarks.h"

#include "theme/CoreText.h"

#include <QFontMetricsF>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace chart_marks {

constexpr double apart = 3; // pixels, from a line to the words beside it

struct Frame {
    const Plot& plot;
    QRectF within;
    const QCPAxis &x, &y;
};

void drawSelected(LaneCanvas& canvas, const Frame& p, const PictureStyle& look) {
    const Axis& axis = p.plot.y;
    QColor band = look.theme.accent;
    band.setAlphaF(0.14f);
    for (std::size_t i = 0; i < axis.categories.size(); ++i) {
        if (!isSelected(look, axis.categories[i].ref)) continue;
        const double a = p.y.coordToPixel(double(i) - 0.5), b = p.y.coordToPixel(double(i) + 0.5);
        canvas.painter.fillRect(QRectF(p.within.left() - 4, a, 3, b - a), look.theme.accent);
        canvas.painter.fillRect(QRectF(p.within.left(), a, p.within.width(), b - a), band);
    }
}

double textWidth(const LaneCanvas& canvas, const QString& text, bool strong) {
    QFont font = canvas.font;
    if (strong) font.setWeight(QFont::DemiBold);
    return QFontMetricsF(font).horizontalAdvance(text) + 2;
}

/// The words over bars: a line across the plot does not strike them through.
std::vector<QRectF> wordsOverBars(const LaneCanvas& canvas, const Frame& p) {
    std::vector<QRectF> places;
    for (const Series& series : p.plot.series)
        for (std::size_t i = 0; series.kind == Series::Kind::bars && i < series.labels.size(); ++i) {
            const double wide = QFontMetricsF(canvas.font).horizontalAdvance(coreText(series.labels[i])) + 6;
            const double middle = p.x.coordToPixel(series.x[i]), top = p.y.coordToPixel(series.y[i]);
            if (wide - 6 > std::abs(p.x.coordToPixel(series.width) - p.x.coordToPixel(0))) continue; // left out
            places.emplace_back(middle - wide / 2, top - canvas.lineHeight(), wide, canvas.lineHeight());
        }
    std::ranges::sort(places, {}, &QRectF::left);
    return places;
}

/// Where a label lies about its vertical line: in its middle (0.5), or to the left (1) or right (0) of it, away from the
/// next line that has one.
double besideOthers(const LaneCanvas& canvas, const Frame& p, const ReferenceLine& line, double wide) {
    for (const ReferenceLine& other : p.plot.lines) {
        if (&other == &line || other.way != ReferenceLine::Way::vertical || other.label.empty()) continue;
        const double between = p.x.coordToPixel(other.value) - p.x.coordToPixel(line.value);
        const double room = (wide + textWidth(canvas, coreText(other.label), other.strong)) / 2 + 2 * apart;
        if (std::abs(between) < room) return between > 0 || (between == 0 && &line < &other) ? 1 : 0;
    }
    return 0.5;
}

void drawText(LaneCanvas& canvas, QRectF within, QPointF at, double anchorX, const QString& text, const QColor& colour,
              bool strong) {
    QFont font = canvas.font;
    if (strong) font.setWeight(QFont::DemiBold);
    const double wide = textWidth(canvas, text, strong), line = canvas.lineHeight();
    const double left =
        std::clamp(at.x() - anchorX * wide, within.left(), std::max(within.left(), within.right() - wide));
    canvas.painter.setFont(font);
    canvas.painter.setPen(colour);
    canvas.painter.drawText(QRectF(left, at.y(), wide, line), Qt::AlignLeft | Qt::AlignVCenter, text);
}

void drawLines(LaneCanvas& canvas, const Frame& p, const PictureStyle& look) {
    const QRectF& within = p.within;
    const auto crisp = [&](double v) { return canvas.vector ? v : std::floor(v) + 0.5; };
    const std::vector<QRectF> words = wordsOverBars(canvas, p);
    std::vector<std::pair<double, double>> taken; // above the plot
    for (const ReferenceLine& line : p.plot.lines) {
        const bool vertical = line.way == ReferenceLine::Way::vertical;
        const double at = crisp((vertical ? p.x : p.y).coordToPixel(line.value));
        const bool seen = vertical ? at >= within.left() - 1 && at <= within.right() + 1
                                   : at >= within.top() - 1 && at <= within.bottom() + 1;
        if (!seen || !std::isfinite(at)) continue;
        QPointF from(vertical ? at : within.left(), vertical ? within.bottom() : at);
        QPointF to(vertical ? at : within.right(), vertical ? within.top() : at);
        if (line.until) {
            constexpr double beside = 6; // what stands there is not struck through
            const double end = (vertical ? p.y : p.x).coordToPixel(*line.until) + (vertical ? beside : -beside);
            if (vertical)
                to.setY(std::clamp(end, within.top(), within.bottom()));
            else
                to.setX(std::clamp(end, within.left(), within.right()));
        }
        canvas.painter.setPen(picturePen(roleColour(look.theme, line.role), look.lineWidth * line.weight, line.dash));
        for (const QRectF& word : words) {
            if (vertical || word.top() > at || word.bottom() < at || word.right() <= from.x() || word.left() >= to.x())
                continue;
            if (word.left() > from.x()) canvas.painter.drawLine(from, QPointF(word.left(), at));
            from.setX(word.right());
        }
        if (vertical || from.x() < to.x()) canvas.painter.drawLine(from, to);
        if (line.label.empty()) continue;
        const QString label = coreText(line.label);
        QPointF place = vertical ? QPointF(at, within.top() - canvas.lineHeight() - 2)
                                 : QPointF(within.right(), at - canvas.lineHeight() - 1);
        double anchor = vertical ? 0.5 : 1;
        if (vertical) { // beside its line, where another's label would stand over it, too
            const double wide = textWidth(canvas, label, line.strong);
            anchor = besideOthers(canvas, p, line, wide);
            place.rx() += 2 * apart * (0.5 - anchor);
            const double left =
                std::clamp(place.x() - anchor * wide, within.left(), std::max(within.left(), within.right() - wide));
            if (std::ranges::any_of(
                    taken, [&](const auto& other) { return left < other.second && left + wide > other.first; }))
                continue; // what it is, the legend says
            taken.emplace_back(left, left + wide);
        }
        drawText(canvas, within, place, anchor, label,
                 line.strong ? look.theme.text : roleColour(look.theme, line.role), line.strong);
    }
}

void drawAnnotations(LaneCanvas& canvas, const Frame& p, const PictureStyle& look) {
    const QRectF& within = p.within;
    const double line = canvas.lineHeight();
    double free = within.left();
    for (const Annotation& note : p.plot.annotations) {
        const QPointF at(p.x.coordToPixel(note.x), p.y.coordToPixel(note.y));
        const double end = note.until ? p.x.coordToPixel(*note.until) : at.x();
        const double left = std::max(within.left(), std::min(at.x(), end));
        const double right = std::min(within.right(), std::max(at.x(), end));
        if (note.until && (right - left < line || left < free)) continue; // room for no word at all
        const QString text = coreText(note.text);
        const QColor colour = roleColour(look.theme, note.role);
        if (note.anchor == Annotation::Anchor::top) {
            const double wide = QFontMetricsF(canvas.font).horizontalAdvance(text) + 10;
            if (note.until && right - left < wide) continue;
            drawText(canvas, within, {(left + right) / 2, within.top() - line - 1}, 0.5, text, colour, note.strong);
            free = right;
            continue;
        }
        if (!within.adjusted(-1, -1, 1, 1).contains(QPointF(at.x(), std::clamp(at.y(), within.top(), within.bottom()))))
            continue;
        const auto inside = [&](double y) {
            return std::clamp(y, within.top(), std::max(within.top(), within.bottom() - line));
        };
        const auto put = [&](double x, double anchor, double y) {
            drawText(canvas, within, {x, inside(y)}, anchor, text, colour, note.strong);
        };
        if (p.plot.x.kind == Axis::Kind::categories && note.anchor == Annotation::Anchor::above) { // in its own column
            const double wide = std::abs(p.x.coordToPixel(1) - p.x.coordToPixel(0)) - 4;
            canvas.painter.setFont(canvas.font);
            canvas.painter.setPen(colour);
            canvas.painter.drawText(QRectF(at.x() - wide / 2, within.top(), wide, at.y() - 2 - within.top()),
                                    Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap, text);
            continue;
        }
        switch (note.anchor) {
        case Annotation::Anchor::above: put(at.x(), 0.5, at.y() - line - 4); break;
        case Annotation::Anchor::below: put(at.x(), 0.5, at.y() + 4); break;
        case Annotation::Anchor::left: put(at.x() - 8, 1, at.y() - line / 2); break;
        default: put(at.x() + 10, 0, at.y() - line);
        }
    }
    for (const Series& series : p.plot.series) // above points; below those that lie too high
        for (std::size_t i = 0; series.kind == Series::Kind::points && i < series.labels.size(); ++i) {
            const QPointF at(p.x.coordToPixel(series.x[i]), p.y.coordToPixel(series.y[i]));
            if (!within.contains(at)) continue;
            const double gap = 4 + 4 * series.weight;
            const double y = at.y() - gap - line < within.top() ? at.y() + gap : at.y() - gap - line;
            drawText(canvas, within, {at.x(), y}, 0.5, coreText(series.labels[i]), look.theme.muted, false);
        }
    if (const QString title = coreText(p.plot.title); !title.isEmpty()) {
        const QRectF room = within.adjusted(6, 0, -8, 0);
        const double wide = std::min(room.width(), textWidth(canvas, title, false)) + 6;
        QColor ground = look.theme.surface; // what lies under it does not strike it through
        ground.setAlphaF(0.6f);
        canvas.painter.fillRect(QRectF(room.right() - wide, within.top() + 1, wide + 6, line), ground);
        drawText(canvas, room, {within.right(), within.top() + 1}, 1, title, look.theme.text, false);
    }
}

} // namespace chart_marks

bool needsRoomAbove(const Plot& plot) {
    return std::any_of(plot.annotations.begin(), plot.annotations.end(),
                       [](const Annotation& a) { return a.anchor == Annotation::Anchor::top; }) ||
           std::any_of(plot.lines.begin(), plot.lines.end(), [](const ReferenceLine& l) {
               return l.way == ReferenceLine::Way::vertical && !l.label.empty();
           });
}

void drawMarks(LaneCanvas& canvas, const QCPAxisRect& rect, const Plot& plot, const PictureStyle& look) {
    using namespace chart_marks;
    const Frame frame{plot, rect.rect(), *rect.axis(QCPAxis::atBottom), *rect.axis(QCPAxis::atLeft)};
    drawSelected(canvas, frame, look);
    drawLines(canvas, frame, look);
    drawAnnotations(canvas, frame, look);
}

} // namespace trainyard
