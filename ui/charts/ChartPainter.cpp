// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ChartPainter.h"

#include "canvas/NameFit.h"
#include "charts/ChartAxes.h"
#include "charts/ChartMarks.h"
#include "charts/ChartSeries.h"
#include "charts/ManyLines.h"
#include "theme/CoreText.h"

#include <QFontMetricsF>
#include <QPaintDevice>

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

namespace chart_painter {

constexpr double leastForTwo = 34;        // heights of a line: narrower, there is one column
constexpr double leastTitleShare = 0.8;   // of the type, of titles of low plots
constexpr double widestLabelShare = 0.24; // of the width, of names on a vertical axis

/// Never shown: a layout engine that draws on our devices. It stays laid out as last drawn.
class Canvas final : public QCustomPlot {
public:
    void layOut(const QRect& area) {
        setViewport(area);
        updateLayout();
    }
    void drawOn(QCPPainter& painter) { draw(&painter); }
};

/// A plot of the chart and its place in the layout.
struct Placed {
    std::size_t plot = 0;
    QCPAxisRect* rect = nullptr;
    bool last = false; ///< of its column: the numbers of the horizontal axis stand under it
    QCPAxis& x() const { return *rect->axis(QCPAxis::atBottom); }
    QCPAxis& y() const { return *rect->axis(QCPAxis::atLeft); }
};

/// What is told under the pointer and by keys: what has words, or stands alone.
bool isTold(const Plot& plot, const Series& series) {
    return !series.label.empty() || !series.notes.empty() || plot.series.size() == 1;
}

/// The part of a plot that the user looks at.
struct Part {
    AxisRange x, y;
};

/// In place of as many graphs: the picture of many lines.
class LinesPicture final : public QCPAbstractPlottable {
public:
    LinesPicture(const Placed& p, const ManyLines& lines, const ManyLines::Look& look)
        : QCPAbstractPlottable(&p.x(), &p.y()), m_lines(lines), m_look(look) {}
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
    void draw(QCPPainter* painter) override { m_lines.paint(*painter, m_look, rangeOf(*mValueAxis)); }
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    const ManyLines& m_lines;
    const ManyLines::Look& m_look;
};

} // namespace chart_painter

using namespace chart_painter;

struct ChartPainter::Impl {
    Canvas plot;
    std::shared_ptr<const Chart> chart = std::make_shared<Chart>();
    std::vector<Placed> placed;                          ///< empty: to be laid out anew
    std::vector<std::unique_ptr<QCPMarginGroup>> groups; ///< by column
    QRect area;                                          ///< as laid out
    PictureStyle look;                                   ///< as laid out
    std::map<std::size_t, Part> parts;                   ///< by plot, while the user has zoomed
    std::size_t items = 0, lines = 0;                    ///< drawn; lines: those that count the same in every painting
    ManyLines many;
    ManyLines::Look manyLook;
    std::size_t shown = 0, subject = 0; ///< charts so far, and what they were of
    bool unfinished = false;

    Impl();
    const Plot& valueOf(const Placed& p) const { return chart->plots[p.plot]; }
    void place(const PictureStyle& look, double width);
    void addRect(const Placed& p, const PictureStyle& look);
    void setRanges(const PictureStyle& look);
    void setUpAxes(const PictureStyle& look, double width);
    void shareHeight();
    void addAllSeries(const PictureStyle& look);
    bool isMany() const { return look.gradual && chart->plots.size() == 1 && areManyLines(chart->plots.front()); }
    void workOnLines(double pixelRatio);
    const Placed* plotAt(QPointF at) const;
    PictureHit hitOf(const Placed& p, std::size_t series, std::size_t element, QPointF at) const;
};

ChartPainter::Impl::Impl() {
    plot.setLocale(QLocale::c());
    plot.setBackground(QBrush(Qt::NoBrush));
    // Labels are not kept as pixmaps, which would be blurred where a pixel of ours is several of the screen's.
    plot.setPlottingHint(QCP::phFastPolylines, true);
    plot.setPlottingHint(QCP::phCacheLabels, false);
    plot.setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid);
    plot.setAntialiasedElements(QCP::aePlottables | QCP::aeScatters);
    plot.plotLayout()->setMargins(QMargins());
}

/// Which plots there is room for, and a place in the layout for each.
void ChartPainter::Impl::place(const PictureStyle& look, double width) {
    const double line = QFontMetricsF(look.font).height();
    const bool oneColumn = width < leastForTwo * line;
    plot.clearPlottables();
    plot.plotLayout()->clear();
    plot.plotLayout()->simplify();
    placed.clear();
    groups.clear();
    for (std::size_t i = 0; i < chart->plots.size(); ++i)
        if (!oneColumn || chart->plots[i].column == 0) placed.push_back({.plot = i});
    plot.plotLayout()->setRowSpacing(static_cast<int>(0.6 * line));
    plot.plotLayout()->setColumnSpacing(8);
    for (Placed& p : placed) {
        const Plot& value = valueOf(p);
        p.last = std::none_of(placed.begin(), placed.end(), [&](const Placed& other) {
            return valueOf(other).column == value.column && valueOf(other).row > value.row;
        });
        p.rect = new QCPAxisRect(&plot);
        plot.plotLayout()->addElement(static_cast<int>(value.row), static_cast<int>(value.column), p.rect);
        plot.plotLayout()->setRowStretchFactor(static_cast<int>(value.row), std::max(0.01, value.share));
        while (groups.size() <= value.column) groups.push_back(std::make_unique<QCPMarginGroup>(&plot));
        p.rect->setMarginGroup(QCP::msLeft, groups[value.column].get());
        addRect(p, look);
    }
}

void ChartPainter::Impl::addRect(const Placed& p, const PictureStyle& look) {
    const double line = QFontMetricsF(look.font).height();
    const Plot& value = valueOf(p);
    p.rect->setAutoMargins(QCP::msLeft | QCP::msBottom);
    // Numbers at the ends of the axes need room beyond them.
    p.rect->setMargins(
        QMargins(0, static_cast<int>(needsRoomAbove(value) ? line + 5 : line / 2 + 4), static_cast<int>(line), 0));
    p.rect->setMinimumMargins(QMargins());
    p.rect->setMinimumSize(1, 1);
    p.rect->axis(QCPAxis::atTop)->setVisible(false);
    p.rect->axis(QCPAxis::atRight)->setVisible(false);
    p.x().setTickLabels(p.last);
    p.x().setLabel(p.last ? axisTitle(writtenAxis(value.x, look)) : QString());
    p.y().setLabel(axisTitle(value.y));
    p.x().setPadding(0);
    p.y().setPadding(0);
    for (QCPAxis* axis : {&p.x(), &p.y()}) axis->setVisible(true);
}

void ChartPainter::Impl::setRanges(const PictureStyle& look) {
    for (const Placed& p : placed) {
        const Plot& value = valueOf(p);
        Part part{wholeRange(value.x, value, true), wholeRange(value.y, value, false)};
        const auto seen = parts.find(p.plot);
        if (seen != parts.end()) {
            part = seen->second;
        } else if (value.y.kind == Axis::Kind::categories && !value.series.empty() &&
                   value.series.front().kind == Series::Kind::spans) { // few rows do not fill the height
            const double height = p.rect->height(), rows = part.y.from - part.y.to;
            if (height > 0 && height / rows > look.mostRow) part.y.from = part.y.to + height / look.mostRow;
        }
        setRange(p.x(), part.x);
        setRange(p.y(), part.y);
    }
}

void ChartPainter::Impl::setUpAxes(const PictureStyle& look, double width) {
    for (const Placed& p : placed) {
        const Plot& value = valueOf(p);
        setUpAxis(p.x(), value.x, look, p.rect->width(), width);
        setUpAxis(p.y(), value.y, look, p.rect->height(), widestLabelShare * width);
        const double along = p.rect->height(), line = QFontMetricsF(look.font).height();
        const NameFit title = NameFit::of(axisTitle(value.y), look.font, {along, line}, {along, 2.4 * line},
                                          leastTitleShare * look.font.pixelSize());
        const bool isToldInside =
            !value.title.empty() && title.text.contains(QChar(0x2026)); // what is cut tells nothing
        p.y().setLabel(isToldInside ? QString() : title.text);
        p.y().setLabelFont(title.font);
    }
}

/// Plots of equal shares are equally high, whatever words stand above and beneath them.
void ChartPainter::Impl::shareHeight() {
    struct Row {
        double share = 0, around = 0;
    };
    std::map<std::size_t, Row> rows;
    double shares = 0, room = area.height();
    for (const Placed& p : placed) {
        Row& row = rows[valueOf(p).row];
        row.share = std::max(row.share, valueOf(p).share);
        row.around = std::max(row.around, 0.0 + p.rect->margins().top() + p.rect->margins().bottom());
    }
    for (const auto& [number, row] : rows) shares += row.share, room -= row.around + plot.plotLayout()->rowSpacing();
    for (const auto& [number, row] : rows)
        plot.plotLayout()->setRowStretchFactor(static_cast<int>(number),
                                               row.around + std::max(1.0, room * row.share / shares));
}

/// Many lines are painted beside the window's thread.
void ChartPainter::Impl::workOnLines(double pixelRatio) {
    unfinished = false;
    if (!isMany()) return many.clear();
    const Placed& p = placed.front();
    const Plot& value = valueOf(p);
    manyLook = {.subject = QString::number(subject),
                .dark = look.theme.dark,
                .logarithmicX = p.x().scaleType() == QCPAxis::stLogarithmic,
                .logarithmicY = p.y().scaleType() == QCPAxis::stLogarithmic,
                .position = shown,
                .job = look.job,
                .x = rangeOf(p.x()),
                .y = parts.contains(p.plot) ? std::optional(rangeOf(p.y())) : std::nullopt,
                .plot = p.rect->rect(),
                .pixelRatio = pixelRatio,
                .lineWidth = look.lineWidth};
    if (many.wants(manyLook)) many.begin(manyLook, bundleOf(chart, value, rangeOf(p.x()), rangeOf(p.y()), look));
    unfinished = !many.shows(manyLook);
}

void ChartPainter::Impl::addAllSeries(const PictureStyle& look) {
    if (isMany() && (many.vertical() || valueOf(placed.front()).series.size() > mostLinesAtOnce)) {
        new LinesPicture(placed.front(), many, manyLook); // owned by the plot, as all others
        items += valueOf(placed.front()).series.size();
        return;
    }
    for (const Placed& p : placed)
        for (const Series& series : valueOf(p).series) addSeries(p.x(), p.y(), valueOf(p), series, look, items);
}

const Placed* ChartPainter::Impl::plotAt(QPointF at) const {
    for (const Placed& p : placed)
        if (QRectF(p.rect->rect()).adjusted(-1, -1, 1, 1).contains(at)) return &p;
    return nullptr;
}

PictureHit ChartPainter::Impl::hitOf(const Placed& p, std::size_t index, std::size_t element, QPointF at) const {
    const Plot& value = valueOf(p);
    const Series& series = value.series[index];
    PictureHit hit{p.plot, index, element, at, {}, series.refOf(element)};
    if (element < series.notes.size()) {
        hit.text = coreText(series.notes[element]);
        return hit;
    }
    const auto named = [&](const Axis& axis, double v) {
        const QString title = coreText(axis.title).section(QStringLiteral(" ("), 0, 0),
                      text = valueText(writtenAxis(axis, look), v);
        return title.isEmpty() || axis.kind == Axis::Kind::categories ? text : QStringLiteral("%1 %2").arg(title, text);
    };
    QStringList parts;
    if (!series.label.empty()) parts << coreText(series.label);
    if (series.kind == Series::Kind::cells) {
        const QPointF middle = cellOf(value, series.cells, element).center();
        parts << named(value.x, middle.x()) << named(value.y, middle.y());
        const double v = series.cells.values[element];
        const QString title = coreText(series.cells.scale.title), number = numberText(v, 4);
        parts << (title.isEmpty() ? number : QStringLiteral("%1 %2").arg(title, number));
    } else if (series.kind == Series::Kind::spans) {
        const Span& span = series.spans[element];
        parts << valueText(value.y, span.row) << durationText(span.to - span.from);
    } else if (series.kind == Series::Kind::band) {
        const double low = series.base[element], high = series.y[element];
        parts << named(value.x, series.x[element]);
        parts << (series.layer ? named(value.y, high - low)
                               : QStringLiteral("%1 – %2").arg(named(value.y, low), valueText(value.y, high)));
    } else {
        parts << named(value.x, series.x[element]) << named(value.y, series.y[element]);
    }
    hit.text = parts.join(QStringLiteral(" · "));
    return hit;
}

ChartPainter::ChartPainter() : m_impl(std::make_unique<Impl>()) {}
ChartPainter::~ChartPainter() = default;

void ChartPainter::show(std::shared_ptr<const Chart> chart, bool goesOn) {
    Impl& d = *m_impl;
    d.plot.clearPlottables(); // they know the value that goes
    d.chart = std::move(chart);
    ++d.shown;
    if (!goesOn) ++d.subject;
    std::erase_if(d.parts, [&](const auto& part) { return part.first >= d.chart->plots.size(); });
    d.placed.clear();
}

void ChartPainter::paint(QPaintDevice& device, const QRectF& area, const PictureStyle& look) {
    Impl& d = *m_impl;
    if (area.width() < 20 || area.height() < 20) return;
    const QRect pixels = area.toAlignedRect();
    const bool anew = d.placed.empty() || d.area != pixels || d.look != look; // else only ranges may be others
    if (anew) {
        d.area = pixels;
        d.look = look;
        d.place(look, area.width());
    }
    // How high plots are depends on their words, and which words there are on how high they are.
    for (int pass = 0; pass < (anew ? 2 : 0); ++pass) {
        d.setRanges(look);
        d.setUpAxes(look, area.width());
        d.plot.layOut(pixels);
        d.shareHeight();
    }
    d.setRanges(look);
    d.setUpAxes(look, area.width());
    d.workOnLines(device.devicePixelRatioF());
    if (anew) {
        d.items = 0;
        d.addAllSeries(look);
        d.lines = d.items;
    }
    d.items = d.lines;
    QCPPainter painter(&device);
    if (look.vector) painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    painter.setRenderHint(QPainter::TextAntialiasing, true);
    d.plot.drawOn(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    LaneCanvas canvas(painter, look.theme, look.font);
    canvas.vector = look.vector;
    canvas.lineWidth = look.lineWidth;
    for (const Placed& p : d.placed) drawMarks(canvas, *p.rect, d.valueOf(p), look);
}

bool ChartPainter::unfinished() const { return m_impl->unfinished; }

std::optional<PictureHit> ChartPainter::hitAt(QPointF at) const {
    const Impl& d = *m_impl;
    const Placed* p = d.plotAt(at);
    if (!p) return std::nullopt;
    const Plot& value = d.valueOf(*p);
    std::optional<NearElement> nearest;
    std::size_t which = 0;
    for (std::size_t s = 0; s < value.series.size(); ++s) { // of equals the later, which lies above
        if (!isTold(value, value.series[s])) continue;
        const auto found = nearestElement(p->x(), p->y(), value, value.series[s], at);
        if (found && (!nearest || found->distance <= nearest->distance)) nearest = found, which = s;
    }
    if (!nearest) return std::nullopt;
    return d.hitOf(*p, which, nearest->element, nearest->at);
}

std::optional<PictureHit> ChartPainter::neighbour(const PictureHit* from, int along, int across) const {
    const Impl& d = *m_impl;
    struct Place {
        const Placed* plot;
        std::size_t series;
    };
    std::vector<Place> all;
    for (const Placed& p : d.placed)
        for (std::size_t s = 0; s < d.valueOf(p).series.size(); ++s)
            if (const Series& series = d.valueOf(p).series[s]; series.size() > 0 && isTold(d.valueOf(p), series))
                all.push_back({&p, s});
    if (all.empty()) return std::nullopt;
    std::size_t place = 0, element = 0;
    if (from) {
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].plot->plot == from->plot && all[i].series == from->series) place = i;
        element = from->element;
        const auto moved = [](std::size_t at, int by, std::size_t size) {
            return static_cast<std::size_t>(
                std::clamp<std::int64_t>(static_cast<std::int64_t>(at) + by, 0, static_cast<std::int64_t>(size) - 1));
        };
        place = moved(place, across, all.size());
        element = moved(element, along, d.valueOf(*all[place].plot).series[all[place].series].size());
    }
    const auto& [plot, series] = all[place];
    const Plot& value = d.valueOf(*plot);
    return d.hitOf(*plot, series, element, placeOf(plot->x(), plot->y(), value, value.series[series], element));
}

ElementRef ChartPainter::labelAt(QPointF at) const {
    for (const Placed& p : m_impl->placed) {
        const Axis& axis = m_impl->valueOf(p).y;
        const QRectF within = p.rect->rect();
        if (axis.kind != Axis::Kind::categories || at.x() >= within.left() || at.y() < within.top() ||
            at.y() > within.bottom())
            continue;
        const double row = std::round(p.y().pixelToCoord(at.y()));
        if (row >= 0 && row < static_cast<double>(axis.categories.size()))
            return axis.categories[static_cast<std::size_t>(row)].ref;
    }
    return {};
}

std::optional<SimTime> ChartPainter::instantAt(QPointF at) const {
    const Placed* p = m_impl->plotAt(at);
    return p ? trainyard::instantAt(m_impl->valueOf(*p).x, p->x().pixelToCoord(at.x())) : std::nullopt;
}

std::vector<QLineF> ChartPainter::cursorLines(SimTime at) const {
    std::vector<QLineF> lines;
    for (const Placed& p : m_impl->placed) {
        const auto value = valueAt(m_impl->valueOf(p).x, at);
        const QRectF within = p.rect->rect();
        const double x = value ? p.x().coordToPixel(*value) : -1;
        if (value && x >= within.left() - 1 && x <= within.right() + 1)
            lines.emplace_back(x, within.top(), x, within.bottom());
    }
    return lines;
}

void ChartPainter::zoom(QPointF about, double factor) {
    const Placed* p = m_impl->plotAt(about);
    if (!p) return;
    const auto zoomed = [factor](QCPAxis& axis, double pixel) {
        axis.scaleRange(1 / factor, axis.pixelToCoord(pixel));
        return rangeOf(axis);
    };
    Part part{rangeOf(p->x()), rangeOf(p->y())};
    part.x = zoomed(p->x(), about.x());
    const Plot& value = m_impl->valueOf(*p);
    const bool flat = std::none_of(value.series.begin(), value.series.end(),
                                   [](const Series& s) { return s.kind == Series::Kind::bars; });
    if (flat) part.y = zoomed(p->y(), about.y());
    m_impl->parts[p->plot] = part;
}

void ChartPainter::pan(QPointF by) {
    for (const Placed& p : m_impl->placed) {
        const auto moved = [&](QCPAxis& axis, double pixels) {
            const double from = axis.coordToPixel(rangeOf(axis).from), to = axis.coordToPixel(rangeOf(axis).to);
            return AxisRange{axis.pixelToCoord(from - pixels), axis.pixelToCoord(to - pixels)};
        };
        if (!m_impl->parts.contains(p.plot)) continue; // all of it is seen
        m_impl->parts[p.plot] = {moved(p.x(), by.x()), moved(p.y(), by.y())};
        setRange(p.x(), m_impl->parts[p.plot].x);
        setRange(p.y(), m_impl->parts[p.plot].y);
    }
}

void ChartPainter::showAll() { m_impl->parts.clear(); }

bool ChartPainter::isZoomed() const { return !m_impl->parts.empty(); }

std::optional<std::pair<double, double>> ChartPainter::seenSeconds() const {
    const auto& plots = m_impl->chart->plots;
    const auto part = m_impl->parts.find(0);
    if (plots.size() != 1 || plots[0].x.kind != Axis::Kind::time || part == m_impl->parts.end()) return std::nullopt;
    return std::pair(part->second.x.from, part->second.x.to);
}

std::size_t ChartPainter::items() const { return m_impl->items; }

std::vector<QRectF> ChartPainter::plotRects() const {
    std::vector<QRectF> rects(m_impl->chart->plots.size());
    for (const Placed& p : m_impl->placed) rects[p.plot] = p.rect->rect();
    return rects;
}

} // namespace trainyard
