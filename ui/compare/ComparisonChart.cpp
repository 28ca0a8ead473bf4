// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ComparisonChart.h"

#include "analysis/PictureParts.h"
#include "base/RoundSteps.h"
#include "charts/ChartAxes.h"
#include "compare/ComparisonRange.h"
#include "export/Figure.h"
#include "theme/CoreText.h"

#include <QAreaSeries>
#include <QChart>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLineSeries>
#include <QLocale>
#include <QLogValueAxis>
#include <QPainter>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace comparison_chart {

constexpr double rowHalf = 0.3; ///< of a bar or box, in rows
constexpr int wrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

} // namespace comparison_chart

using namespace comparison_chart;

struct ComparisonChart::Impl {
    std::shared_ptr<const Chart> chart;
    ComparisonLook look;
    QSizeF size;
    QGraphicsScene scene;
    QChart* area = nullptr; ///< of the scene
    QRectF plotRect;
    double titleHeight = 0, captionHeight = 0;
    std::vector<ComparisonMark> marks;
    std::vector<LegendItem> legend;
    bool namesAtEnds = true;
    std::vector<QPointF> legendPlaces; ///< left end of each stroke
    static constexpr double legendStroke = 14, nameGap = 8;
    static constexpr double titleShare = 1.08; ///< of the type of labels
    static constexpr int nameLines = Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap;

    const Plot& plot() const { return chart->plots.front(); }
    QFont font(bool strong = false, double share = 1) const { return figureFont(look.pixels * share, strong); }

    /// In as many lines as it needs.
    QRectF titleRect() const {
        if (look.title.isEmpty()) return {};
        const QRectF room(0, 0, size.width(), 10'000);
        return {0, 0, size.width(),
                QFontMetricsF(font(true, titleShare)).boundingRect(room, wrapped, look.title).height()};
    }

    void make() {
        const QFontMetricsF metrics(font());
        const QRectF room(0, 0, size.width(), 10'000);
        titleHeight = titleRect().height() + (look.title.isEmpty() ? 0 : 0.5 * metrics.height());
        captionHeight = QFontMetricsF(font(false, 0.9)).boundingRect(room, wrapped, comparisonCaption(*chart)).height();
        chooseLegend();
        titleHeight += layOutLegend(titleHeight);
        if (chart->plots.empty()) return;
        const double high = std::max(20.0, size.height() - titleHeight - captionHeight - below() - 12);
        double left = metrics.horizontalAdvance(QStringLiteral("0.0000")) + 2.2 * metrics.height(), right = 12;
        if (plot().y.kind == Axis::Kind::categories) left = widthOfNames(high);
        for (const Series& s : plot().series)
            if (endLabelled(s)) right = std::max(right, endWidth(s));
        plotRect = QRectF(left, titleHeight + 4, std::max(20.0, size.width() - left - right), high);
        area = new QChart;
        area->setBackgroundVisible(false);
        area->legend()->hide();
        area->setLocale(QLocale(QLocale::English)); // as all numbers of pictures
        area->setLocalizeNumbers(true);
        area->setMargins({});
        scene.addItem(area);
        addAxes();
        for (std::size_t i = 0; i < plot().series.size(); ++i) add(i);
        for (const ReferenceLine& line : plot().lines) add(line);
        area->setPlotArea(plotRect); // before the size, which lays it out
        area->setGeometry(QRectF(QPointF(), size));
        area->layout()->invalidate();
        area->layout()->activate();
        findMarks();
    }

    /// Of the labels of the horizontal axis and its title.
    double below() const { return QFontMetricsF(font()).height() * 2.7; }

    /// As much as the names need, in two lines if these are as high as their rows.
    double widthOfNames(double high) const {
        const QFontMetricsF metrics(font());
        const auto& names = plot().y.categories;
        double widest = 0;
        for (const auto& each : names) widest = std::max(widest, metrics.horizontalAdvance(coreText(each.label)));
        double out = 0;
        for (const double share : {0.4, 0.5, 0.6}) {
            out = std::min(widest + 12, size.width() * share);
            const QRectF room(0, 0, out - nameGap, high / static_cast<double>(names.size()));
            if (std::ranges::all_of(names, [&](const auto& each) {
                    return room.contains(metrics.boundingRect(room, nameLines, coreText(each.label)));
                }))
                break;
        }
        return out;
    }

    /// As strong as lines need to be on this ground (3:1, WCAG 2.1): the palest hues are darkened, or lightened.
    QColor colourOf(const Role& role) const {
        QColor colour = roleColour(look.theme, role);
        for (int i = 0; i < 8 && Theme::contrast(colour, look.theme.surface) < 3; ++i)
            colour = Theme::mix(colour, look.theme.text, 0.8);
        return colour;
    }

    bool isNamedLine(const Series& s) const { return s.kind == Series::Kind::line && !s.label.empty(); }
    double endWidth(const Series& s) const { return QFontMetricsF(font()).horizontalAdvance(coreText(s.label)) + 12; }
    bool endLabelled(const Series& s) const { return namesAtEnds && isNamedLine(s); }

    /// Names of lines stand at their ends, or above the plot where they would take too much of its width.
    void chooseLegend() {
        legend = chart->legend;
        if (chart->plots.empty()) return;
        namesAtEnds = std::ranges::all_of(
            plot().series, [&](const Series& s) { return !isNamedLine(s) || endWidth(s) < 0.35 * size.width(); });
        for (const Series& s : plot().series)
            if (isNamedLine(s) && !namesAtEnds) {
                legend.emplace_back().label = s.label;
                legend.back().role = s.role;
            }
    }

    QAbstractAxis* makeAxis(bool horizontal) {
        const Axis& axis = horizontal ? plot().x : plot().y;
        const AxisRange range = comparisonRange(plot(), horizontal);
        QAbstractAxis* out = nullptr;
        if (axis.kind == Axis::Kind::logarithmic) {
            auto* log = new QLogValueAxis;
            log->setBase(10);
            log->setRange(range.from, range.to);
            log->setLabelFormat(QStringLiteral("%.7g")); // of formats without a precision Qt writes nothing
            out = log;
        } else {
            auto* value = new QValueAxis;
            const double length =
                horizontal ? plotRect.width() / (look.pixels * 6.5) : plotRect.height() / (look.pixels * 3);
            double step = std::max(roundStep((range.to - range.from) / std::max(1.0, std::floor(length))),
                                   axis.whole ? 1.0 : 0.0);
            // One number alone does not say how far the axis goes.
            for (int i = 0; i < 2 && !axis.whole && multiplesWithin(range.from, range.to, step).size() < 2; ++i)
                step = roundStep(0.4 * step);
            value->setRange(range.from, range.to);
            value->setTickType(QValueAxis::TicksDynamic);
            value->setTickAnchor(0);
            value->setTickInterval(step);
            const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
            value->setLabelFormat(step >= 1e6 || digits > 5 ? QStringLiteral("%.2g")
                                                            : QStringLiteral("%.%1f").arg(digits));
            out = value;
        }
        const bool names = axis.kind == Axis::Kind::categories;
        out->setLabelsVisible(!names);
        out->setGridLineVisible(!names);
        out->setReverse(names && !horizontal);
        out->setLabelsFont(font(false, 0.92));
        out->setLabelsColor(look.theme.muted);
        out->setGridLinePen(QPen(look.theme.grid, 1));
        out->setLinePen(QPen(look.theme.muted, 1));
        return out;
    }

    void addAxes() {
        area->addAxis(makeAxis(true), Qt::AlignBottom);
        area->addAxis(makeAxis(false), Qt::AlignLeft);
    }

    void attach(QAbstractSeries* series) {
        area->addSeries(series);
        for (QAbstractAxis* axis : area->axes()) series->attachAxis(axis);
    }

    bool canBeDrawn(double x, double y) const {
        return std::isfinite(x) && std::isfinite(y) && (plot().x.kind != Axis::Kind::logarithmic || x > 0) &&
               (plot().y.kind != Axis::Kind::logarithmic || y > 0);
    }

    /// A line for every stretch without gaps.
    void addLine(const std::vector<double>& x, const std::vector<double>& y, const QPen& pen) {
        QLineSeries* line = nullptr;
        for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
            if (!canBeDrawn(x[i], y[i])) {
                line = nullptr;
                continue;
            }
            if (!line) {
                line = new QLineSeries;
                line->setPen(pen);
                attach(line);
            }
            line->append(x[i], y[i]);
        }
        for (QAbstractSeries* each : area->series()) // Qt Charts sets its own colours when a series joins
            if (each == line) line->setPen(pen);
    }

    void addArea(const std::vector<double>& x, const std::vector<double>& low, const std::vector<double>& high,
                 const QColor& fill, const QPen& pen) {
        auto* lower = new QLineSeries(area);
        auto* upper = new QLineSeries(area);
        for (std::size_t i = 0; i < x.size(); ++i)
            if (canBeDrawn(x[i], low[i]) && canBeDrawn(x[i], high[i]))
                lower->append(x[i], low[i]), upper->append(x[i], high[i]);
        auto* filled = new QAreaSeries(upper, lower);
        attach(filled);
        filled->setBrush(fill);
        filled->setPen(pen);
    }

    void add(std::size_t number) {
        const Series& s = plot().series[number];
        const QColor colour = colourOf(s.role);
        QColor pale = colour;
        pale.setAlphaF(static_cast<float>(s.fill));
        const QPen pen = picturePen(colour, look.line * s.weight, s.dash);
        switch (s.kind) {
        case Series::Kind::line: addLine(s.x, s.y, pen); break;
        case Series::Kind::steps: {
            std::vector<double> x, y;
            for (std::size_t i = 0; i < s.y.size(); ++i) {
                if (i > 0) x.push_back(s.x[i]), y.push_back(s.y[i - 1]);
                x.push_back(s.x[i]), y.push_back(s.y[i]);
            }
            addLine(x, y, pen);
            break;
        }
        case Series::Kind::points: {
            auto* points = new QScatterSeries;
            for (std::size_t i = 0; i < s.x.size(); ++i)
                if (canBeDrawn(s.x[i], s.y[i])) points->append(s.x[i], s.y[i]);
            attach(points);
            points->setMarkerSize(look.pixels * 0.55 * s.weight);
            QColor fill = colour;
            if (s.weight < 1) fill.setAlphaF(0.55F); // many overlap
            points->setBrush(fill);
            points->setPen(s.weight < 1 ? QPen(Qt::NoPen) : QPen(look.theme.surface, 1));
            break;
        }
        case Series::Kind::spans:
            for (const Span& span : s.spans)
                addArea({span.from, span.to}, {span.row - rowHalf, span.row - rowHalf},
                        {span.row + rowHalf, span.row + rowHalf}, pale, QPen(Qt::NoPen));
            break;
        case Series::Kind::band: addArea(s.x, s.base, s.y, pale, QPen(Qt::NoPen)); break;
        case Series::Kind::cells: addCells(s.cells); break;
        case Series::Kind::bars: break; // no chart here has any
        }
    }

    void addCells(const Cells& c) {
        const double w = (c.x1 - c.x0) / static_cast<double>(c.columns),
                     h = (c.y1 - c.y0) / static_cast<double>(c.rows);
        for (std::size_t i = 0; i < c.values.size(); ++i) {
            if (!std::isfinite(c.values[i])) continue;
            const double x = c.x0 + w * static_cast<double>(i % c.columns),
                         y = c.y0 + h * static_cast<double>(i / c.columns);
            addArea({x, x + w}, {y, y}, {y + h, y + h}, scaleColour(look.theme, c.scale, c.values[i]), QPen(Qt::NoPen));
        }
    }

    void add(const ReferenceLine& line) {
        const AxisRange range = comparisonRange(plot(), line.way == ReferenceLine::Way::horizontal);
        const std::vector<double> along{range.from, range.to}, at{line.value, line.value};
        const auto draw = [&](const QPen& pen) {
            if (line.way == ReferenceLine::Way::vertical)
                addLine(at, along, pen);
            else
                addLine(along, at, pen);
        };
        // Of a map some cells are as dark as the line, others as light: it has a ground of its own.
        if (isMap()) draw(QPen(look.theme.surface, look.line * line.weight * 3));
        draw(picturePen(isMap() ? look.theme.text : colourOf(line.role), look.line * line.weight, line.dash));
    }

    bool isMap() const {
        return std::ranges::any_of(plot().series, [](const Series& s) { return s.kind == Series::Kind::cells; });
    }

    QPointF place(double x, double y) const { return area->mapToPosition({x, y}, area->series().value(0)); }

    void findMarks() {
        if (area->series().isEmpty()) return;
        for (std::size_t i = 0; i < plot().series.size(); ++i) {
            const Series& s = plot().series[i];
            if (s.kind == Series::Kind::points)
                for (std::size_t k = 0; k < s.x.size(); ++k) marks.push_back({i, k, place(s.x[k], s.y[k])});
            if (s.kind != Series::Kind::cells) continue;
            const Cells& c = s.cells;
            for (std::size_t k = 0; k < c.values.size(); ++k)
                marks.push_back({i, k,
                                 place(c.x0 + (c.x1 - c.x0) * (static_cast<double>(k % c.columns) + 0.5) /
                                                  static_cast<double>(c.columns),
                                       c.y0 + (c.y1 - c.y0) * (static_cast<double>(k / c.columns) + 0.5) /
                                                  static_cast<double>(c.rows))});
        }
    }

    /// In as many lines as it takes; how high these are.
    double layOutLegend(double top) {
        if (legend.empty()) return 0;
        const QFontMetricsF metrics(font());
        const double line = metrics.height() * 1.3;
        QPointF at(0, top + 0.6 * line);
        for (const LegendItem& item : legend) {
            const double width = legendStroke + 5 + metrics.horizontalAdvance(coreText(item.label));
            if (at.x() > 0 && at.x() + width > size.width()) at = {0, at.y() + line};
            legendPlaces.push_back(at);
            at.rx() += width + 14;
        }
        return at.y() - top + 0.4 * line;
    }

    void drawLegend(QPainter& painter) const {
        const QFontMetricsF metrics(font());
        for (std::size_t i = 0; i < legend.size(); ++i) {
            const LegendItem& item = legend[i];
            const QPointF at = legendPlaces[i];
            painter.setPen(QPen(colourOf(item.role), look.line * 1.5));
            painter.drawLine(at, at + QPointF(legendStroke, 0));
            painter.setPen(look.theme.text);
            painter.drawText(at + QPointF(legendStroke + 5, metrics.ascent() * 0.38), coreText(item.label));
        }
    }

    /// At the ends of curves, moved apart where they would touch.
    void drawEndLabels(QPainter& painter) const {
        struct Label {
            double y;
            const Series* series;
        };
        std::vector<Label> labels;
        for (const Series& s : plot().series) {
            if (!endLabelled(s)) continue;
            for (std::size_t i = s.x.size(); i-- > 0;)
                if (canBeDrawn(s.x[i], s.y[i])) {
                    labels.push_back({place(s.x[i], s.y[i]).y(), &s});
                    break;
                }
        }
        std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
        const QFontMetricsF metrics(font());
        const double room = metrics.height() * 0.95;
        double limit = plotRect.bottom();
        for (std::size_t i = labels.size(); i-- > 0;) {
            labels[i].y = std::min(labels[i].y, limit);
            limit = labels[i].y - room;
        }
        double least = plotRect.top() + metrics.ascent() / 2;
        for (Label& label : labels) {
            label.y = std::max(label.y, least);
            least = label.y + room;
            painter.setPen(colourOf(label.series->role));
            painter.drawText(
                QPointF(plotRect.right() + 6, label.y + metrics.ascent() * 0.38),
                metrics.elidedText(coreText(label.series->label), Qt::ElideRight, size.width() - plotRect.right() - 6));
        }
    }

    /// In the middle of the plot, and beyond its ends where they are longer: Qt Charts would cut them there.
    void drawAxisTitles(QPainter& painter) const {
        const QFontMetricsF metrics(font());
        painter.setPen(look.theme.text);
        const auto draw = [&](const Axis& axis, double middle, double from, double to, double baseline) {
            if (axis.kind == Axis::Kind::categories) return;
            const QString text = metrics.elidedText(axisTitle(axis), Qt::ElideRight, to - from);
            const double width = metrics.horizontalAdvance(text);
            painter.drawText(QPointF(std::clamp(middle - width / 2, from, std::max(from, to - width)), baseline), text);
        };
        draw(plot().x, plotRect.center().x(), 0, size.width(), plotRect.bottom() + below() - metrics.descent() - 2);
        painter.save();
        painter.rotate(-90); // to the left is down
        draw(plot().y, -plotRect.center().y(), captionHeight - size.height(), -titleHeight, metrics.ascent());
        painter.restore();
    }

    void drawNames(QPainter& painter) const {
        const QFontMetricsF metrics(font());
        const auto& names = plot().y.categories;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const double row = plotRect.top() + plotRect.height() * (static_cast<double>(i) + 0.6) /
                                                    (static_cast<double>(names.size()) + 0.2);
            const double high = plotRect.height() / static_cast<double>(names.size());
            const QRectF room(0, row - high / 2, plotRect.left() - nameGap, high);
            QString text = coreText(names[i].label);
            if (!room.contains(metrics.boundingRect(room, nameLines, text)))
                text = metrics.elidedText(text, Qt::ElideMiddle, room.width());
            painter.setPen(look.theme.text);
            painter.drawText(room, nameLines, text);
        }
    }

    /// Beneath the plot, where columns have names.
    void drawColumnNames(QPainter& painter) const {
        const QFontMetricsF metrics(font());
        const auto& names = plot().x.categories;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const double middle = plotRect.left() + plotRect.width() * (static_cast<double>(i) + 0.6) /
                                                        (static_cast<double>(names.size()) + 0.2);
            const double room = plotRect.width() / static_cast<double>(names.size());
            const QString text = metrics.elidedText(coreText(names[i].label), Qt::ElideMiddle, room);
            painter.setPen(look.theme.text);
            painter.drawText(
                QPointF(middle - metrics.horizontalAdvance(text) / 2, plotRect.bottom() + 6 + metrics.ascent()), text);
        }
    }

    void drawCellValues(QPainter& painter) const {
        const QFontMetricsF metrics(font());
        for (const ComparisonMark& mark : marks) {
            const Cells& cells = plot().series[mark.series].cells;
            if (!cells.written || !std::isfinite(cells.values[mark.element])) continue;
            const double value = cells.values[mark.element] == 0 ? 0 : cells.values[mark.element]; // no −0
            const QString text =
                QString::fromStdString(quantityText(value, {}, 2)).replace(QLatin1Char('-'), QChar(0x2212));
            const QColor ground = scaleColour(look.theme, cells.scale, cells.values[mark.element]);
            painter.setPen(qGray(ground.rgb()) > 128 ? Qt::black : Qt::white);
            painter.drawText(mark.at + QPointF(-metrics.horizontalAdvance(text) / 2, metrics.ascent() * 0.38), text);
        }
    }

    void drawLineLabels(QPainter& painter) const {
        const QFontMetricsF metrics(font(false, 0.92));
        painter.setFont(font(false, 0.92));
        for (const ReferenceLine& line : plot().lines) {
            if (line.label.empty() || line.way != ReferenceLine::Way::vertical) continue;
            const QString text = coreText(line.label);
            const double width = metrics.horizontalAdvance(text);
            double x = place(line.value, comparisonRange(plot(), false).to).x() + 4;
            if (x + width > plotRect.right()) x -= width + 8;
            if (isMap())
                painter.fillRect(QRectF(x - 3, plotRect.top(), width + 6, metrics.height()), look.theme.surface);
            painter.setPen(isMap() ? look.theme.text : colourOf(line.role));
            painter.drawText(QPointF(x, plotRect.top() + metrics.ascent()), text);
        }
        painter.setFont(font());
    }
};

ComparisonChart::ComparisonChart(std::shared_ptr<const Chart> chart, const ComparisonLook& look, QSizeF size)
    : m_impl(std::make_unique<Impl>()) {
    m_impl->chart = std::move(chart);
    m_impl->look = look;
    m_impl->size = size;
    m_impl->make();
}

ComparisonChart::~ComparisonChart() = default;

const std::vector<ComparisonMark>& ComparisonChart::marks() const { return m_impl->marks; }
QRectF ComparisonChart::plotRect() const { return m_impl->plotRect; }

void ComparisonChart::draw(QPainter& painter) const {
    Impl& d = *m_impl;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(d.font(true, d.titleShare));
    painter.setPen(d.look.theme.text);
    if (!d.look.title.isEmpty()) painter.drawText(d.titleRect(), wrapped, d.look.title);
    painter.setFont(d.font());
    if (d.area) {
        const QRectF all(QPointF(), d.size);
        d.scene.render(&painter, all, all, Qt::IgnoreAspectRatio);
        d.drawLegend(painter);
        d.drawAxisTitles(painter);
        if (d.plot().y.kind == Axis::Kind::categories) d.drawNames(painter);
        if (d.plot().x.kind == Axis::Kind::categories) d.drawColumnNames(painter);
        d.drawCellValues(painter);
        if (!d.area->series().isEmpty()) {
            d.drawEndLabels(painter);
            d.drawLineLabels(painter);
        }
    } else {
        painter.setPen(d.look.theme.muted);
        painter.drawText(QRectF(QPointF(0, d.titleHeight), d.size), wrapped, coreText(d.chart->empty));
    }
    painter.setFont(d.font(false, 0.9));
    painter.setPen(d.look.theme.muted);
    QRectF caption(0, d.size.height() - d.captionHeight, d.size.width(), d.captionHeight);
    if (!d.chart->caution.empty()) {
        const QString caution = coreText(d.chart->caution);
        painter.setPen(d.look.theme.warning);
        QRectF used;
        painter.drawText(caption, wrapped, caution, &used);
        caption.setTop(used.bottom());
        painter.setPen(d.look.theme.muted);
    }
    painter.drawText(caption, wrapped, coreText(d.chart->meaning));
    painter.restore();
}

QString comparisonCaption(const Chart& chart) {
    QStringList lines;
    if (!chart.caution.empty()) lines << coreText(chart.caution);
    if (!chart.meaning.empty()) lines << coreText(chart.meaning);
    return lines.join(QLatin1Char('\n'));
}

} // namespace trainyard
