// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/LaneBand.h"

#include "charts/ChartMarks.h"
#include "drawing/ValueTicks.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace lane_band {

double shareOf(const AxisRange& range, bool logarithmic, double value) {
    return logarithmic ? std::log(std::max(value, 1e-300) / range.from) / std::log(range.to / range.from)
                       : (value - range.from) / (range.to - range.from);
}

struct Ticks {
    std::vector<double> at;
    double step = 0; ///< between two of them; 0: it differs
};

/// `apart`: the least distance of two labels, as a share of the axis.
Ticks ticksOf(const AxisRange& range, bool logarithmic, double apart) {
    Ticks ticks{valueTicks(std::min(range.from, range.to), std::max(range.from, range.to), logarithmic, apart)};
    const bool powers = logarithmic && range.to >= 10 * range.from;
    if (!powers && ticks.at.size() > 1) ticks.step = ticks.at[1] - ticks.at[0];
    return ticks;
}

/// A line's value at a place between two of its points, for steps the one that holds there.
std::optional<double> valueOn(const Series& series, double across) {
    const std::size_t count = std::min(series.x.size(), series.y.size());
    const auto end = series.x.begin() + static_cast<std::ptrdiff_t>(count);
    const auto after = static_cast<std::size_t>(std::upper_bound(series.x.begin(), end, across) - series.x.begin());
    if (after == 0) return std::nullopt;
    if (series.kind == Series::Kind::steps) return series.y[after - 1];
    if (after == count) return across == series.x[count - 1] ? std::optional(series.y[count - 1]) : std::nullopt;
    const double share = (across - series.x[after - 1]) / (series.x[after] - series.x[after - 1]);
    return std::lerp(series.y[after - 1], series.y[after], share);
}

} // namespace lane_band

using namespace lane_band;

std::vector<const Plot*> lanePlots(const Chart& chart) {
    std::vector<const Plot*> plots;
    for (const Plot& plot : chart.plots)
        if (plot.column == 0) plots.push_back(&plot);
    const auto all = [&](auto holds) { return std::ranges::all_of(plots, holds); };
    const bool timed = all([](const Plot* p) { return p->x.kind == Axis::Kind::time; });
    const bool knowsInstants = all([](const Plot* p) { return !p->x.knots.empty(); });
    return timed || knowsInstants ? plots : std::vector<const Plot*>{};
}

double LaneBand::px(double value) const { return rect.left() + shareOf(x, logarithmicX(), value) * rect.width(); }
double LaneBand::py(double value) const { return rect.bottom() - shareOf(y, logarithmicY(), value) * rect.height(); }

double LaneBand::valueAt(double pixel) const {
    const double share = (pixel - rect.left()) / rect.width();
    return logarithmicX() ? x.from * std::pow(x.to / x.from, share) : std::lerp(x.from, x.to, share);
}

void LaneBand::paintTicks(LaneCanvas& canvas) const {
    const double line = canvas.lineHeight(), rows = std::abs(y.to - y.from);
    if (plot.y.kind == Axis::Kind::categories) {
        if (rect.height() / std::max(1.0, rows) >= line)
            for (std::size_t i = 0; i < plot.y.categories.size(); ++i)
                canvas.valueTick(py(static_cast<double>(i)), valueText(plot.y, static_cast<double>(i)));
    } else if (rect.height() >= 1.5 * line) {          // lower, they would lie on each other
        const double lines = logarithmicY() ? 1.3 : 2; // at round numbers; those between would be at uneven distances
        const Ticks ticks = ticksOf(y, logarithmicY(), lines * line / rect.height());
        for (const double tick : ticks.at)
            if (!plot.y.whole || tick == std::round(tick))
                canvas.valueTick(py(tick), plot.y.unit.empty() ? tickText(tick, ticks.step) : valueText(plot.y, tick));
    }
    if (isTimed()) return;
    constexpr double labelWidth = 90; // pixels
    QPainter& painter = canvas.painter;
    painter.setFont(canvas.font);
    const Ticks ticks = ticksOf(x, logarithmicX(), std::min(1.0, labelWidth / std::max(1.0, rect.width())));
    for (const double tick : ticks.at) {
        if (plot.x.whole && tick != std::round(tick)) continue;
        const double at = canvas.vector ? px(tick) : std::floor(px(tick)) + 0.5;
        painter.setPen(QPen(canvas.theme.grid, 1));
        painter.drawLine(QPointF(at, rect.top()), QPointF(at, rect.bottom()));
        const double half = labelWidth / 2,
                     left = std::clamp(at - half, canvas.gutter.left(), canvas.plot.right() - half);
        painter.setPen(canvas.theme.muted);
        painter.drawText(QRectF(left, rect.bottom() + 1, at + half - left, line), Qt::AlignHCenter | Qt::AlignTop,
                         tickText(tick, ticks.step));
    }
}

std::optional<QPointF> LaneBand::lastPoint(const Series& series, double across) const {
    const auto after = std::ranges::upper_bound(series.x, across);
    if (after == series.x.begin()) return std::nullopt;
    const std::size_t i = static_cast<std::size_t>(after - series.x.begin()) - 1;
    if (i >= series.y.size() || !std::isfinite(series.y[i])) return std::nullopt;
    return QPointF(px(series.x[i]), std::max(rect.top(), py(series.y[i])));
}

const Series* LaneBand::nearestLine(QPointF pixel) const {
    const double across = valueAt(pixel.x());
    double nearest = 14; // pixels
    const Series* found = nullptr;
    for (const Series& series : plot.series) { // of equals the later, which lies above
        if (series.kind != Series::Kind::line && series.kind != Series::Kind::steps) continue;
        const auto value = valueOn(series, across);
        if (!value || !std::isfinite(*value)) continue;
        const double distance = std::abs(std::clamp(py(*value), rect.top(), rect.bottom()) - pixel.y());
        if (distance > nearest) continue;
        nearest = distance;
        found = &series;
    }
    return found;
}

std::vector<LaneBand> laneBands(const Chart& chart, const LaneCanvas& canvas) {
    constexpr double margin = 4, between = 6; // pixels
    std::vector<LaneBand> bands;
    const auto plots = lanePlots(chart);
    if (plots.empty()) return bands;
    const double labels = plots.front()->x.kind == Axis::Kind::time ? 0 : std::ceil(canvas.lineHeight()) + 2;
    double shares = 0, top = canvas.plot.top() + margin;
    double room = canvas.plot.height() - 2 * margin - between * static_cast<double>(plots.size()) - labels;
    const auto above = [&](const Plot& plot) { return needsRoomAbove(plot) ? canvas.lineHeight() : 0; };
    for (const Plot* plot : plots) shares += plot->share, room -= above(*plot);
    for (const Plot* plot : plots) {
        const double height = std::max(1.0, room * plot->share / shares);
        top += above(*plot);
        const bool timed = plot->x.kind == Axis::Kind::time;
        bands.push_back({*plot, QRectF(canvas.plot.left(), top, canvas.plot.width(), height),
                         timed ? AxisRange{canvas.time.from, canvas.time.to} : wholeRange(plot->x, *plot, true),
                         wholeRange(plot->y, *plot, false)});
        top += height + between;
    }
    return bands;
}

} // namespace trainyard
