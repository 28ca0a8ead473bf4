// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/LineBundle.h"

#include "analysis/TimeSeries.h"
#include "charts/ChartSeries.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace trainyard {

namespace line_bundle {

constexpr std::size_t many = 24;
constexpr double dot = 4;         // pixels across, of a line that is one point
constexpr double tolerance = 0.3; // pixels, of corners left out
constexpr double mostAway = 1000; // heights of the plot: what leaves it, however far, is drawn no further

/// From values to pixels of a plot at the origin.
class Places {
public:
    Places(const LineBundle& bundle, QSizeF size)
        : m_x(bundle.x), m_y(bundle.y), m_logX(bundle.logarithmicX), m_logY(bundle.logarithmicY), m_size(size) {}
    double x(double value) const { return m_size.width() * share(m_x, m_logX, value); }
    double y(double value) const {
        return m_size.height() * std::clamp(1 - share(m_y, m_logY, value), -mostAway, mostAway);
    }

private:
    static double share(const AxisRange& range, bool logarithmic, double value) {
        return logarithmic ? std::log(value / range.from) / std::log(range.to / range.from)
                           : (value - range.from) / (range.to - range.from);
    }
    const AxisRange m_x, m_y;
    const bool m_logX, m_logY;
    const QSizeF m_size;
};

/// Dashes run on along each part of the line.
void drawDashed(QPainter& painter, const LinePoints& line) {
    QPolygonF part;
    for (std::size_t i = 0; i <= line.x.size(); ++i) {
        if (i < line.x.size() && std::isfinite(line.x[i]) && std::isfinite(line.y[i])) {
            part << QPointF(line.x[i], line.y[i]);
            continue;
        }
        if (part.size() > 1) painter.drawPolyline(part);
        part.clear();
    }
}

} // namespace line_bundle

bool areManyLines(const Plot& plot) {
    return plot.series.size() > line_bundle::many &&
           std::ranges::all_of(plot.series, [](const Series& series) { return series.kind == Series::Kind::line; });
}

LineBundle bundleOf(std::shared_ptr<const Chart> chart, const Plot& plot, const AxisRange& x, const AxisRange& y,
                    const PictureStyle& look) {
    const auto isLogarithmic = [](const Axis& axis, const AxisRange& range) {
        return axis.kind == Axis::Kind::logarithmic && range.from > 0 && range.to > range.from;
    };
    LineBundle bundle{.lines = {},
                      .x = x,
                      .y = y,
                      .logarithmicX = isLogarithmic(plot.x, x),
                      .logarithmicY = isLogarithmic(plot.y, y),
                      .chart = std::move(chart)};
    bundle.lines.reserve(plot.series.size());
    const bool selected = showsSelected(plot, look), dashes = plot.series.size() <= mostLinesAtOnce;
    const auto isLike = [&](const Series& a, const Series& b) { // of very many most are pale alike
        return a.role == b.role && a.ghost == b.ghost && a.strength == b.strength && a.weight == b.weight &&
               a.dash == b.dash && !look.job.valid();
    };
    const Series* before = nullptr;
    for (const Series& series : plot.series) {
        QPen pen =
            before && isLike(*before, series) ? bundle.lines.back().pen : seriesPen(series, look, selected, dashes);
        bundle.lines.push_back({series.x, series.y, std::move(pen)});
        before = &series;
    }
    return bundle;
}

void paintBundle(QPainter& painter, const QRectF& plot, const LineBundle& bundle, const std::stop_token& stop) {
    using namespace line_bundle;
    const Places places(bundle, plot.size());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(plot, Qt::IntersectClip);
    painter.translate(plot.topLeft());
    QVector<QLineF> segments;
    LinePoints points;
    for (const LineBundle::Line& line : bundle.lines) {
        if (stop.stop_requested()) break;
        points.x.clear(), points.y.clear();
        for (const double x : line.x) points.x.push_back(places.x(x));
        for (const double y : line.y) points.y.push_back(places.y(y));
        const LinePoints seen = simplified(points, tolerance);
        painter.setPen(line.pen);
        if (seen.x.size() == 1 && std::isfinite(seen.y.front())) { // a single value is a point, not a line
            painter.setBrush(line.pen.color());
            painter.drawEllipse(QPointF(seen.x.front(), seen.y.front()), dot / 2, dot / 2);
            continue;
        }
        if (line.pen.style() != Qt::SolidLine) {
            drawDashed(painter, seen);
            continue;
        }
        segments.clear();
        std::optional<QPointF> before;
        for (std::size_t i = 0; i < seen.x.size(); ++i) {
            std::optional<QPointF> here;
            if (std::isfinite(seen.x[i]) && std::isfinite(seen.y[i])) here = QPointF(seen.x[i], seen.y[i]);
            if (before && here) segments.push_back({*before, *here});
            before = here;
        }
        painter.drawLines(segments);
    }
    painter.restore();
}

} // namespace trainyard
