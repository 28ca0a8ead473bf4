// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ChartSeries.h"

#include "analysis/TimeSeries.h"
#include "charts/ChartAxes.h"
#include "charts/ChartMap.h"
#include "theme/CoreText.h"

#include <QFontMetricsF>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace chart_series {

constexpr std::size_t mostBoxes = 4096; ///< maps of more cells are colour maps
constexpr double leastWithGap = 12;     ///< pixels: between smaller cells gaps would be a pattern of their own

// --- Boxes --------------------------------------------------------------------------------------------

/// What is drawn as rectangles: never thinner than a pixel, and of those that share pixels not every one.
class Boxes : public QCPAbstractPlottable {
public:
    Boxes(QCPAxis& x, QCPAxis& y, const Plot& plot, const Series& series, const PictureStyle& look, std::size_t& items)
        : QCPAbstractPlottable(&x, &y), m_plot(plot), m_series(series), m_look(look), m_items(items) {
        setAntialiased(false);
    }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override {
        found = false;
        return {};
    }
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
        found = false;
        return {};
    }

protected:
    void draw(QCPPainter* painter) override {
        painter->setAntialiasing(false); // which would move everything by half a pixel
        LaneCanvas canvas(*painter, m_look.theme, m_look.font);
        canvas.vector = m_look.vector;
        canvas.lineWidth = m_look.lineWidth;
        painter->setFont(m_look.font);
        drawBoxes(canvas);
        m_items += canvas.items;
    }
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}
    virtual void drawBoxes(LaneCanvas& canvas) const = 0;

    double px(double v) const { return mKeyAxis->coordToPixel(v); }
    double py(double v) const { return mValueAxis->coordToPixel(v); }
    QRectF room() const { return mKeyAxis->axisRect()->rect(); }
    void outline(LaneCanvas& canvas, const QRectF& box, std::size_t element) const {
        constexpr double least = 8; // smaller ones would be all outline
        if (box.width() < least || box.height() < least || !isSelected(m_look, m_series.refOf(element))) return;
        canvas.painter.setPen(QPen(m_look.theme.accent, 1.5));
        canvas.painter.setBrush(Qt::NoBrush);
        canvas.painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    }

    const Plot& m_plot;
    const Series& m_series;
    const PictureStyle m_look;
    std::size_t& m_items;
};

class Bars final : public Boxes {
public:
    using Boxes::Boxes;

private:
    void drawBoxes(LaneCanvas& canvas) const override {
        const QColor colour = roleColour(m_look.theme, m_series.role);
        const auto texture = textureOf(m_series.role);
        const QRectF within = room();
        const QFontMetricsF metrics(canvas.font);
        double drawnTo = -1e9, highest = 1e9; // of those that share a pixel the longest is drawn
        for (std::size_t i = 0; i < m_series.y.size(); ++i) {
            const double a = px(m_series.x[i] - m_series.width / 2), b = px(m_series.x[i] + m_series.width / 2);
            const double from = py(i < m_series.base.size() ? m_series.base[i] : 0), to = py(m_series.y[i]);
            const double left = std::min(a, b), wide = std::abs(b - a), gap = wide > 5 ? 0.12 * wide : 0;
            if (!std::isfinite(to) || left > within.right() || left + wide < within.left() || from == to) continue;
            if (!m_look.vector && wide < 1 && std::round(left) == drawnTo && to >= highest) continue;
            drawnTo = std::round(left);
            highest = to;
            const QRectF box = QRectF(QPointF(left + gap, from), QPointF(left + wide - gap, to)).normalized();
            if (texture)
                canvas.activityBox(box, *texture);
            else
                canvas.box(box, colour);
            outline(canvas, box, i);
            if (i >= m_series.labels.size() || wide < 8) continue;
            const QString label = coreText(m_series.labels[i]);
            if (metrics.horizontalAdvance(label) > wide) continue;
            canvas.painter.setPen(m_look.theme.muted);
            canvas.painter.drawText(QRectF(left, box.top() - canvas.lineHeight(), wide, canvas.lineHeight()),
                                    Qt::AlignCenter, label);
        }
    }
};

class Spans final : public Boxes {
public:
    using Boxes::Boxes;

private:
    void drawBoxes(LaneCanvas& canvas) const override {
        const QRectF within = room();
        const double row = std::abs(py(1) - py(0)), gap = row >= 3 ? 1 : 0;
        const double finest = canvas.finest();
        // A pixel has room for one row only, and one row's pixel for one span.
        const auto every = static_cast<std::uint32_t>(std::max(1.0, std::floor(finest / std::max(row, 1e-6))));
        std::vector<double> drawnTo;
        for (std::size_t i = 0; i < m_series.spans.size(); ++i) {
            const Span& span = m_series.spans[i];
            if (span.row % every != 0) continue;
            const double from = std::max(px(span.from), within.left()), to = std::min(px(span.to), within.right());
            const double top = py(span.row) - row / 2;
            if (to <= from || top + row < within.top() || top > within.bottom()) continue;
            if (drawnTo.size() <= span.row) drawnTo.resize(span.row + 1, -1e9);
            if (to - from < finest && std::floor(from) <= drawnTo[span.row]) continue;
            drawnTo[span.row] = std::floor(to);
            drawSpan(canvas, span, QRectF(from, top, to - from, std::max(row - gap, finest)), i);
        }
    }
    void drawSpan(LaneCanvas& canvas, const Span& span, const QRectF& box, std::size_t element) const {
        const Theme& theme = m_look.theme;
        QColor ground = roleColour(theme, span.role);
        if (span.over) {
            ground = Theme::mix(ground, theme.surface, 0.4);
            const QColor line = Theme::mix(theme.activity(*span.over), ground, 0.6);
            canvas.texturedBox(box, ground, *span.over, line);
            if (box.height() < 5 && !canvas.vector) { // too low for a texture of its own: it shares one
                QBrush brush(theme.activityPattern(*span.over));
                brush.setColor(line);
                canvas.painter.fillRect(box.toRect(), brush);
            }
        } else if (const auto texture = textureOf(span.role)) {
            canvas.activityBox(box, *texture);
        } else {
            canvas.box(box, ground);
        }
        outline(canvas, box, element);
        if (element >= m_series.labels.size() || box.height() < 0.8 * canvas.lineHeight()) return;
        const QString label = coreText(m_series.labels[element]);
        if (QFontMetricsF(canvas.font).horizontalAdvance(label) + 6 > box.width()) return;
        canvas.painter.setPen(inkOn(theme, ground));
        canvas.painter.drawText(box, Qt::AlignCenter, label);
    }
};

class CellBoxes final : public Boxes {
public:
    using Boxes::Boxes;

private:
    void drawBoxes(LaneCanvas& canvas) const override {
        const Cells& cells = m_series.cells;
        for (std::size_t i = 0; i < cells.values.size(); ++i) {
            const QRectF place = cellOf(m_plot, cells, i);
            const QRectF box =
                QRectF(QPointF(px(place.left()), py(place.top())), QPointF(px(place.right()), py(place.bottom())))
                    .normalized();
            const QColor ground = scaleColour(m_look.theme, cells.scale, cells.values[i]);
            const double gap = box.width() >= leastWithGap && box.height() >= leastWithGap ? 1 : 0;
            // Edges that two cells share are rounded alike, also where they lie in the middle of a pixel but for an error of rounding.
            canvas.box(box.adjusted(0, 0, -gap, -gap).translated(1e-6, 1e-6), ground);
            outline(canvas, box, i);
            const bool given = i < m_series.labels.size();
            if ((!cells.written && !given) || box.height() < 0.8 * canvas.lineHeight() ||
                !std::isfinite(cells.values[i]))
                continue;
            const QString text = given ? coreText(m_series.labels[i]) : numberText(cells.values[i], 3);
            if (QFontMetricsF(canvas.font).horizontalAdvance(text) > box.width()) continue;
            canvas.painter.setPen(inkOn(m_look.theme, ground));
            canvas.painter.drawText(box, Qt::AlignCenter, text);
        }
    }
};

// --- Lines --------------------------------------------------------------------------------------------

struct Points {
    QVector<double> x, y;
};

/// In narrow parts where the look asks for it; dashes run on along the whole of it.
class LineGraph final : public QCPGraph {
public:
    LineGraph(QCPAxis& x, QCPAxis& y, bool pieces) : QCPGraph(&x, &y), m_pieces(pieces) {}

protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override {
        if (!m_pieces) return QCPGraph::drawLinePlot(painter, lines);
        if (lines.size() > mostJoined && painter->pen().style() == Qt::SolidLine) return drawSegments(painter, lines);
        painter->setMode(QCPPainter::pmNoCaching, true); // else they fall apart into segments
        QPen pen = painter->pen();
        double length = 0;
        for (const QPolygonF& piece : linePieces(lines, pieceWidth)) {
            if (pen.style() == Qt::CustomDashLine) {
                pen.setDashOffset(length / pen.widthF());
                painter->setPen(pen);
                for (qsizetype i = 1; i < piece.size(); ++i) length += QLineF(piece[i - 1], piece[i]).length();
            }
            drawPolyline(painter, piece);
        }
    }

private:
    static constexpr qsizetype mostJoined = 500; // corners: of more, joints are not seen, and take most of the time
    static constexpr double tolerance = 0.3;     // pixels, of corners left out

    static void drawSegments(QCPPainter* painter, const QVector<QPointF>& lines) {
        LinePoints line;
        line.x.reserve(static_cast<std::size_t>(lines.size()));
        line.y.reserve(static_cast<std::size_t>(lines.size()));
        for (const QPointF& corner : lines) {
            line.x.push_back(corner.x());
            line.y.push_back(corner.y());
        }
        const LinePoints seen = simplified(line, tolerance);
        QVector<QLineF> segments;
        segments.reserve(static_cast<qsizetype>(seen.x.size()));
        for (std::size_t i = 1; i < seen.x.size(); ++i) {
            const QLineF segment(seen.x[i - 1], seen.y[i - 1], seen.x[i], seen.y[i]);
            if (std::isfinite(segment.dx()) && std::isfinite(segment.dy())) segments.push_back(segment);
        }
        painter->drawLines(segments);
    }

    const bool m_pieces;
};

/// In order of x; false: they are not, in either direction.
bool ascending(const Series& series, std::size_t count, Points& out) {
    const auto end = series.x.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::is_sorted(series.x.begin(), end)) {
        out = {QVector<double>(series.x.begin(), end), QVector<double>(series.y.begin(), series.y.end())};
        return true;
    }
    if (!std::is_sorted(series.x.begin(), end, std::greater<>())) return false;
    out = {QVector<double>(std::make_reverse_iterator(end), series.x.rend()),
           QVector<double>(series.y.rbegin(), series.y.rend())};
    return true;
}

/// The last point before `from` stays: the line comes from there.
void leaveOutBefore(Points& points, double from) {
    const auto after = std::ranges::lower_bound(points.x, from) - points.x.begin();
    if (after < 2) return;
    points.x.remove(0, after - 1);
    points.y.remove(0, after - 1);
}

QColor fillOf(const Series& series, const PictureStyle& look) {
    QColor fill = roleColour(look.theme, series.role);
    fill.setAlphaF(static_cast<float>(series.fill));
    return fill;
}

void addGraph(QCPAxis& x, QCPAxis& y, const Plot& plot, const Series& series, const PictureStyle& look,
              std::size_t& items) {
    const std::size_t count = std::min(series.x.size(), series.y.size());
    items += count / 2 + 1;
    Points points;
    const bool dots = series.kind == Series::Kind::points;
    if (!dots && !ascending(series, count, points)) { // a curve may go back
        auto* curve = new QCPCurve(&x, &y);           // owned by the plot, as all others
        curve->setData(QVector<double>(series.x.begin(), series.x.end()),
                       QVector<double>(series.y.begin(), series.y.end()));
        curve->setPen(seriesPen(series, look, showsSelected(plot, look)));
        return;
    }
    if (dots)
        points = {QVector<double>(series.x.begin(), series.x.end()), QVector<double>(series.y.begin(), series.y.end())};
    const bool steps = series.kind == Series::Kind::steps;
    if (steps && !points.x.isEmpty()) { // the last value holds to the end
        const double end = series.x.size() > series.y.size() ? series.x.back() : wholeRange(plot.x, plot, true).to;
        if (end > points.x.back()) points.x << end, points.y << points.y.back();
    }
    const QPen pen = seriesPen(series, look, showsSelected(plot, look));
    if (!dots && pen.style() == Qt::SolidLine)
        leaveOutBefore(points, look.from); // dashes count from the first point on
    auto* graph = new LineGraph(x, y, look.pieces);
    graph->setLineStyle(dots ? QCPGraph::lsNone : steps ? QCPGraph::lsStepLeft : QCPGraph::lsLine);
    graph->setPen(pen);
    graph->setAdaptiveSampling(true);
    if (series.filled) graph->setBrush(fillOf(series, look));
    const QColor colour = roleColour(look.theme, series.role);
    if (dots)
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(look.theme.surface, 1.5), colour,
                                               6 * look.lineWidth * series.weight));
    else if (count == 1 && !steps) // a single value is a point, not a line
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, graph->pen().color(), 4));
    if (plot.y.from && plot.y.to) // what leaves the plot leaves it, however far: drawing cannot bear 1e300 pixels
        for (double& value : points.y) value = std::min(value, *plot.y.to + 1000 * std::abs(*plot.y.to - *plot.y.from));
    graph->setData(points.x, points.y, !dots);
}

void addBand(QCPAxis& x, QCPAxis& y, const Series& series, const PictureStyle& look, std::size_t& items) {
    items += series.y.size() + 1;
    const QVector<double> at(series.x.begin(), series.x.end());
    auto *low = new QCPGraph(&x, &y), *high = new QCPGraph(&x, &y);
    low->setData(at, QVector<double>(series.base.begin(), series.base.end()), true);
    high->setData(at, QVector<double>(series.y.begin(), series.y.end()), true);
    low->setPen(Qt::NoPen);
    high->setPen(Qt::NoPen);
    high->setBrush(fillOf(series, look));
    high->setChannelFillGraph(low);
}

} // namespace chart_series

using namespace chart_series;

QRectF cellOf(const Plot& plot, const Cells& cells, std::size_t element) {
    QRectF all(QPointF(cells.x0, cells.y0), QPointF(cells.x1, cells.y1));
    if (all.isNull()) {
        const AxisRange x = wholeRange(plot.x, plot, true), y = wholeRange(plot.y, plot, false);
        all = QRectF(QPointF(x.from, std::min(y.from, y.to)), QPointF(x.to, std::max(y.from, y.to)));
    }
    const double wide = all.width() / static_cast<double>(cells.columns);
    const double high = all.height() / static_cast<double>(cells.rows);
    return {all.left() + wide * static_cast<double>(element % cells.columns),
            all.top() + high * static_cast<double>(element / cells.columns), wide, high};
}

bool showsSelected(const Plot& plot, const PictureStyle& look) {
    return look.job.valid() && std::ranges::any_of(plot.series, [&](const Series& each) {
               return each.refs.size() == 1 && each.refs.front().job == look.job;
           });
}

QPen seriesPen(const Series& series, const PictureStyle& look, bool plotShowsSelected, bool dashes) {
    const JobId job = series.refs.size() == 1 ? series.refs.front().job : JobId{};
    const bool isLine = series.kind == Series::Kind::line, ofJob = series.role.kind == Role::Kind::job;
    const bool selected = look.job.valid() && job == look.job && isLine && ofJob;
    QColor colour = roleColour(look.theme, series.role);
    if (series.ghost) colour = look.theme.ghost(colour);
    double strength = series.strength;
    if (isLine && plotShowsSelected && job.valid() && job != look.job) strength *= 0.32;
    if (strength < 1) colour = Theme::mix(colour, look.theme.surface, strength);
    const bool thicker = selected && !series.ghost && series.strength == 1;
    QPen pen = picturePen(colour, look.lineWidth * series.weight * (thicker ? 4.0 / 3 : 1),
                          dashes ? series.dash : Dash::solid);
    if (dashes && isLine && ofJob && series.dash == Dash::solid && look.theme.jobStriped(JobId(series.role.index)))
        pen.setDashPattern({10, 2});
    if (series.weight >= 2 && series.dash == Dash::solid) pen.setCapStyle(Qt::RoundCap);
    // Round joins of every dash take most of the time that dashed curves of many points do.
    pen.setJoinStyle(series.kind == Series::Kind::steps ? Qt::MiterJoin
                     : pen.style() == Qt::SolidLine     ? Qt::RoundJoin
                                                        : Qt::BevelJoin);
    return pen;
}

void addSeries(QCPAxis& x, QCPAxis& y, const Plot& plot, const Series& series, const PictureStyle& look,
               std::size_t& items) {
    switch (series.kind) {
    case Series::Kind::line:
    case Series::Kind::steps:
    case Series::Kind::points: addGraph(x, y, plot, series, look, items); break;
    case Series::Kind::band: addBand(x, y, series, look, items); break;
    case Series::Kind::bars: new Bars(x, y, plot, series, look, items); break;
    case Series::Kind::spans: new Spans(x, y, plot, series, look, items); break;
    case Series::Kind::cells:
        if (series.cells.values.empty()) break;
        if (series.cells.values.size() <= mostBoxes)
            new CellBoxes(x, y, plot, series, look, items);
        else
            addMap(x, y,
                   cellOf(plot, series.cells, 0).united(cellOf(plot, series.cells, series.cells.values.size() - 1)),
                   series.cells, look.theme);
        ++items;
        break;
    }
}

QPointF placeOf(const QCPAxis& x, const QCPAxis& y, const Plot& plot, const Series& series, std::size_t i) {
    switch (series.kind) {
    case Series::Kind::spans: {
        const Span& span = series.spans[i];
        return {x.coordToPixel((span.from + span.to) / 2), y.coordToPixel(span.row)};
    }
    case Series::Kind::cells: {
        const QPointF middle = cellOf(plot, series.cells, i).center();
        return {x.coordToPixel(middle.x()), y.coordToPixel(middle.y())};
    }
    default: return {x.coordToPixel(i < series.x.size() ? series.x[i] : 0), y.coordToPixel(series.y[i])};
    }
}

constexpr double withinBand = 8; // pixels: lines and dots nearer than that are meant

std::optional<NearElement> nearestElement(const QCPAxis& x, const QCPAxis& y, const Plot& plot, const Series& series,
                                          QPointF to) {
    const double vx = x.pixelToCoord(to.x()), vy = y.pixelToCoord(to.y());
    std::optional<NearElement> found;
    const auto take = [&](std::size_t i, double distance) {
        if (found && distance >= found->distance) return;
        found = NearElement{i, placeOf(x, y, plot, series, i), distance};
    };
    switch (series.kind) {
    case Series::Kind::spans: // of the row: that under the pointer, else the one before it
        for (std::size_t i = 0; i < series.spans.size(); ++i) {
            const Span& span = series.spans[i];
            if (std::abs(vy - span.row) > 0.5) continue;
            take(i, vx >= span.from && vx <= span.to ? 0
                    : vx > span.to                   ? 1 + (vx - span.to) / std::max(1e-12, vx - span.from)
                                                     : 3);
        }
        break;
    case Series::Kind::cells: {
        if (series.cells.values.empty()) break;
        const QRectF first = cellOf(plot, series.cells, 0);
        const double column = std::floor((vx - first.left()) / first.width());
        const double row = std::floor((vy - first.top()) / first.height());
        if (column >= 0 && row >= 0 && column < static_cast<double>(series.cells.columns) &&
            row < static_cast<double>(series.cells.rows))
            take(static_cast<std::size_t>(row) * series.cells.columns + static_cast<std::size_t>(column), 0);
        break;
    }
    case Series::Kind::bars:
        for (std::size_t i = 0; i < series.y.size(); ++i)
            if (std::abs(series.x[i] - vx) <= series.width / 2) take(i, 0);
        break;
    case Series::Kind::band: // that under the pointer, if it has a height there; what lies on it comes first
        for (std::size_t i = 0; i + 1 < std::min({series.x.size(), series.y.size(), series.base.size()}); ++i) {
            if (vx < series.x[i] || vx >= series.x[i + 1]) continue;
            const double t = (vx - series.x[i]) / (series.x[i + 1] - series.x[i]);
            const double top = std::lerp(series.y[i], series.y[i + 1], t);
            const double low = std::lerp(series.base[i], series.base[i + 1], t);
            if (top != low && vy >= std::min(low, top) && vy <= std::max(low, top)) take(i, withinBand);
        }
        break;
    case Series::Kind::steps: {
        const auto after = std::upper_bound(series.x.begin(), series.x.end(), vx);
        if (after == series.x.begin() || series.y.empty()) break;
        const auto i = std::min(series.y.size() - 1, static_cast<std::size_t>(after - series.x.begin()) - 1);
        if (!std::isfinite(series.y[i])) break;
        found = NearElement{i, {to.x(), y.coordToPixel(series.y[i])}, std::abs(y.coordToPixel(series.y[i]) - to.y())};
        break;
    }
    default:
        for (std::size_t i = 0, n = std::min(series.x.size(), series.y.size()); i < n; ++i) {
            const QPointF at(x.coordToPixel(series.x[i]), y.coordToPixel(series.y[i]));
            if (!std::isfinite(at.x()) || !std::isfinite(at.y())) continue;
            const double near = std::hypot(at.x() - to.x(), at.y() - to.y());
            // Dots are aimed at; of a line any part counts.
            double distance = series.kind == Series::Kind::points ? 0.5 * near : near;
            if (series.kind == Series::Kind::line && i + 1 < n) {
                const QPointF next(x.coordToPixel(series.x[i + 1]), y.coordToPixel(series.y[i + 1]));
                const QPointF along = next - at;
                const double square = QPointF::dotProduct(along, along);
                if (square > 0 && std::isfinite(square)) {
                    const double t = std::clamp(QPointF::dotProduct(to - at, along) / square, 0.0, 1.0);
                    const QPointF foot = at + t * along - to;
                    const double here = std::hypot(foot.x(), foot.y());
                    if (here < distance) {
                        take(t < 0.5 ? i : i + 1, here);
                        continue;
                    }
                }
            }
            take(i, distance);
        }
    }
    return found;
}

} // namespace trainyard
