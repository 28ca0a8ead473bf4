#include "waiting/ChartArea.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace chart_area {

std::vector<double> logarithmicTicks(double low, double high, int wanted) {
    std::vector<double> ticks;
    const double decades = std::log10(high / low);
    const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, wanted))));
    const bool between = decades < 0.6 * wanted;
    for (int p = static_cast<int>(std::floor(std::log10(low))); p <= std::log10(high) + 1e-9; ++p) {
        if (p % every != 0) continue;
        for (const double digit : {1.0, 2.0, 5.0}) {
            if (digit > 1 && !between) continue;
            const double tick = digit * std::pow(10.0, p);
            if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
        }
    }
    return ticks;
}

} // namespace chart_area

double ChartAxis::share(double v) const {
    if (logarithmic) return std::log(v / from) / std::log(to / from);
    return (v - from) / (to - from);
}

double ChartAxis::value(double s) const {
    return logarithmic ? from * std::pow(to / from, s) : from + s * (to - from);
}

std::vector<double> ChartAxis::ticks(int wanted) const {
    const double low = std::min(from, to), high = std::max(from, to);
    if (!(high > low)) return {};
    if (logarithmic) return chart_area::logarithmicTicks(low, high, wanted);
    double step = roundStep((high - low) / std::max(1, wanted));
    if (whole) step = std::max(1.0, step);
    std::vector<double> ticks;
    for (double i = std::ceil(low / step - 1e-9) + 0.0; i * step <= high + 1e-9 * step; ++i)
        ticks.push_back(i * step);
    return ticks;
}

void ChartArea::drawAxes(LaneCanvas& canvas, bool numbersBeneath) const {
    QPainter& p = canvas.painter;
    const QFontMetricsF metrics(canvas.font);
    p.setFont(canvas.font);
    const double line = canvas.lineHeight();
    for (const double tick : y.ticks(std::clamp(static_cast<int>(rect.height() / (2 * line)), 1, 6))) {
        const double at = canvas.vector ? py(tick) : std::floor(py(tick)) + 0.5;
        p.setPen(QPen(canvas.theme.grid, 1));
        p.drawLine(QPointF(rect.left(), at), QPointF(rect.right(), at));
        const QString text = numberText(tick, 4);
        canvas.widestLabel = std::max(canvas.widestLabel, metrics.horizontalAdvance(text));
        p.setPen(canvas.theme.muted);
        p.drawText(QRectF(rect.left() - 108, at - line / 2, 100, line), Qt::AlignRight | Qt::AlignVCenter,
                   text);
    }
    const double wide = metrics.horizontalAdvance(QStringLiteral("0.0000"));
    double free = rect.left() - wide;
    auto ticks = x.ticks(std::clamp(static_cast<int>(rect.width() / (1.6 * wide)), 1, 12));
    if (x.from > x.to) std::reverse(ticks.begin(), ticks.end());
    for (const double tick : ticks) {
        const double at = canvas.vector ? px(tick) : std::floor(px(tick)) + 0.5;
        p.setPen(QPen(canvas.theme.grid, 1));
        p.drawLine(QPointF(at, rect.top()), QPointF(at, rect.bottom()));
        const QString text = numberText(tick, 4);
        const double half = metrics.horizontalAdvance(text) / 2;
        if (!numbersBeneath || at - half < free) continue;
        p.setPen(canvas.theme.muted);
        const double right = canvas.plot.right();
        const double middle = std::min(at, std::max(rect.center().x(), right - half));
        p.drawText(QRectF(middle - half - 2, rect.bottom() + 2, 2 * half + 4, line), Qt::AlignCenter, text);
        free = at + half + 8;
    }
    p.setPen(QPen(canvas.theme.hairline, 1));
    p.drawLine(QPointF(rect.left(), std::floor(rect.bottom()) + 0.5),
               QPointF(rect.right(), std::floor(rect.bottom()) + 0.5));
}

void ChartArea::drawLine(LaneCanvas& canvas, const QPolygonF& line, QPen pen) const {
    pen.setCapStyle(Qt::FlatCap); // it is drawn in pieces, whose ends must not show
    QPainter& p = canvas.painter;
    p.save();
    p.setClipRect(rect.adjusted(-1, -1, 1, 1), Qt::IntersectClip);
    p.setRenderHint(QPainter::Antialiasing, true);
    QPolygonF part;
    const auto flush = [&] {
        if (part.size() > 1) canvas.polyline(part, pen);
        part.clear();
    };
    // Far outside there is nothing to see, and too large numbers to draw with.
    const double top = rect.top() - 4 * rect.height(), bottom = rect.bottom() + 4 * rect.height();
    for (const QPointF& point : line) {
        if (!std::isfinite(point.x()) || !std::isfinite(point.y()))
            flush();
        else
            part << QPointF(point.x(), std::clamp(point.y(), top, bottom));
    }
    flush();
    p.restore();
    canvas.items += static_cast<std::size_t>(line.size()) / 2;
}

void ChartArea::drawVertical(LaneCanvas& canvas, double value, const QPen& pen) const {
    const double at = canvas.vector ? px(value) : std::floor(px(value)) + 0.5;
    if (!(at >= rect.left() - 1 && at <= rect.right() + 1)) return;
    canvas.painter.setPen(pen);
    canvas.painter.drawLine(QPointF(at, rect.top()), QPointF(at, rect.bottom()));
}

void ChartArea::drawText(LaneCanvas& canvas, double pixel, double top, const QString& text,
                         const QColor& colour, bool strong) const {
    QFont font = canvas.font;
    if (strong) font.setWeight(QFont::DemiBold);
    const double wide = QFontMetricsF(font).horizontalAdvance(text) + 2;
    const double left = std::clamp(pixel - wide / 2, rect.left(), std::max(rect.left(), rect.right() - wide));
    canvas.painter.setFont(font);
    canvas.painter.setPen(colour);
    canvas.painter.drawText(QRectF(left, top, wide, canvas.lineHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                            text);
}

double numbersHeight(const LaneCanvas& canvas) {
    return canvas.lineHeight() + 4;
}

ChartAxis axisFromZero(double most, bool whole) {
    if (!(most > 0)) return {0, 1, false, whole};
    double step = roundStep(most / 4);
    if (whole) step = std::max(1.0, step);
    return {0, step * std::ceil(most / step - 1e-9), false, whole};
}

} // namespace trainyard
