// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ChartAxes.h"

#include "base/RoundSteps.h"
#include "drawing/TimeScale.h"
#include "drawing/ValueTicks.h"
#include "theme/CoreText.h"

#include <QFontMetricsF>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace trainyard {

namespace chart_axes {

constexpr double wideNumber = 1.6; // of a number's width, from one tick to the next

bool isClock(const Axis& axis) {
    const QString unit = QString::fromStdString(axis.unit);
    return axis.kind == Axis::Kind::time && (unit.isEmpty() || unit == clockUnit(0) || unit == clockUnit(3600));
}

/// Ticks at round values, with words that fit: numbers, powers of ten, instants or names.
class Ticker final : public QCPAxisTicker {
public:
    Ticker(const Axis& axis, const QFont& font, bool vertical, double pixels, double widestLabel)
        : m_axis(axis), m_metrics(font), m_vertical(vertical), m_pixels(std::max(1.0, pixels)), m_widest(widestLabel) {}

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks,
                  QVector<QString>* labels) override {
        ticks.clear();
        if (subTicks) subTicks->clear();
        double step = 0;
        switch (m_axis.kind) {
        case Axis::Kind::categories: addCategories(range, ticks); break;
        case Axis::Kind::logarithmic: addPowers(range, ticks); break;
        case Axis::Kind::time:
            step = TimeScale{range.lower, range.upper, 0, m_pixels}.tickStep(84);
            add(multiplesWithin(range.lower, range.upper, step), ticks);
            break;
        case Axis::Kind::linear:
            step = roundStep(range.size() / wanted());
            if (m_axis.whole) step = std::max(1.0, step);
            add(multiplesWithin(range.lower, range.upper, step), ticks);
            // One number alone does not say how far the axis goes.
            for (int i = 0; ticks.size() < 2 && i < 2 && !(m_axis.whole && step <= 1); ++i) {
                step = roundStep(0.4 * step);
                ticks.clear();
                add(multiplesWithin(range.lower, range.upper, step), ticks);
            }
            keepApart(ticks);
            break;
        }
        if (!labels) return;
        labels->clear();
        for (const double tick : ticks) labels->append(label(tick, step));
        if (m_axis.kind == Axis::Kind::categories) shorten(*labels);
        if (m_axis.kind == Axis::Kind::logarithmic && !m_vertical) leaveOutTouching(range, ticks, *labels);
    }

private:
    int wanted() const {
        if (m_vertical) return std::clamp(static_cast<int>(m_pixels / (2 * m_metrics.height())), 1, 6);
        const double wide = wideNumber * m_metrics.horizontalAdvance(QStringLiteral("0.0000"));
        return std::clamp(static_cast<int>(m_pixels / wide), 1, 12);
    }

    static void add(const std::vector<double>& values, QVector<double>& ticks) {
        for (const double value : values) ticks.append(value);
    }

    void addPowers(const QCPRange& range, QVector<double>& ticks) const {
        const double decades = std::log10(range.upper / range.lower);
        const int every = std::max(1, static_cast<int>(std::ceil(decades / wanted())));
        const std::vector<double> digits = decades < 0.6 * wanted() ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0};
        add(powersWithin(range.lower, range.upper, digits, every), ticks);
        for (const std::vector<double>& closer : {std::vector{1.0}, std::vector{1.0, 2.0, 5.0}}) { // as above
            if (ticks.size() >= 2) break;
            const std::vector<double> more = powersWithin(range.lower, range.upper, closer, 1);
            if (more.size() < 2) continue;
            ticks.clear();
            add(more, ticks);
            keepApart(ticks);
        }
    }

    /// On an axis too low for all of them the first and the last say how far it goes.
    void keepApart(QVector<double>& ticks) const {
        if (m_vertical && ticks.size() > 2 && m_pixels < static_cast<double>(ticks.size()) * m_metrics.height())
            ticks = {ticks.front(), ticks.back()};
    }

    void addCategories(const QCPRange& range, QVector<double>& ticks) const {
        const auto count = static_cast<double>(m_axis.categories.size());
        const double each = m_pixels / std::max(range.size(), 1e-9);
        double room = 0.8 * m_metrics.height();
        if (!m_vertical) {
            QStringList names;
            for (const Axis::Category& category : m_axis.categories) names << coreText(category.label);
            leaveOutShared(names);
            for (const QString& name : names) room = std::max(room, m_metrics.horizontalAdvance(name) + 6);
        }
        const double every = std::max(1.0, std::ceil(room / each));
        for (double i = std::max(0.0, std::ceil(range.lower / every) * every); i < count && i <= range.upper;
             i += every)
            ticks.append(i);
    }

    /// "Machine 1 · w3", "Machine 1 · w4": what all have in common is not told.
    static void leaveOutShared(QList<QString>& names) {
        const QString mark = QStringLiteral(" · ");
        const auto end = names.isEmpty() ? -1 : names.front().lastIndexOf(mark);
        if (end < 0 || names.size() < 2) return;
        const QString shared = names.front().left(end + mark.size());
        if (!std::all_of(names.cbegin(), names.cend(), [&](const QString& n) { return n.startsWith(shared); })) return;
        for (QString& name : names) name.remove(0, shared.size());
    }
    void shorten(QVector<QString>& names) const {
        leaveOutShared(names);
        if (!m_vertical) return;
        // Where names are too long, "w7" after "Rack 1, Machine 4 · w6" is of the same.
        QString before;
        for (QString& name : names) {
            const QString front = name.left(name.lastIndexOf(QStringLiteral(" · ")) + 3);
            const bool isTold = front.size() > 3 && front == std::exchange(before, front);
            if (isTold && m_metrics.horizontalAdvance(name) > m_widest) name.remove(0, front.size());
            name = m_metrics.elidedText(name, Qt::ElideMiddle, m_widest);
        }
    }
    /// Powers of ten go before the numbers between them.
    void leaveOutTouching(const QCPRange& range, const QVector<double>& ticks, QVector<QString>& labels) const {
        std::vector<std::pair<double, double>> taken;
        for (const bool powers : {true, false})
            for (qsizetype i = 0; i < ticks.size(); ++i) {
                const double digits = std::log10(ticks[i]);
                if ((std::abs(digits - std::round(digits)) < 1e-9) != powers) continue;
                const double at = m_pixels * std::log(ticks[i] / range.lower) / std::log(range.upper / range.lower);
                const double half = m_metrics.horizontalAdvance(labels[i]) / 2 + 2;
                const bool touches = std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
                    return at - half < other.second && at + half > other.first;
                });
                if (touches)
                    labels[i].clear();
                else
                    taken.emplace_back(at - half, at + half);
            }
    }

    QString label(double tick, double step) const {
        if (m_axis.kind == Axis::Kind::categories)
            return coreText(m_axis.categories[static_cast<std::size_t>(tick)].label);
        if (isClock(m_axis)) return clockText(tick, step);
        return tickText(tick, step);
    }

    const Axis m_axis;
    const QFontMetricsF m_metrics;
    const bool m_vertical;
    const double m_pixels, m_widest;
};

struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    double least = low; ///< of the positive ones

    void add(double v) {
        if (!std::isfinite(v)) return;
        low = std::min(low, v);
        high = std::max(high, v);
        if (v > 0) least = std::min(least, v);
    }
    void add(const std::vector<double>& values) {
        for (const double v : values) add(v);
    }
};

void extend(Extent& extent, const Series& series, bool horizontal) {
    if (!horizontal) {
        extent.add(series.y);
        extent.add(series.base);
        if (series.kind == Series::Kind::bars && series.base.empty()) extent.add(0);
    } else if (series.kind == Series::Kind::bars) {
        for (const double x : series.x) extent.add(x - series.width / 2), extent.add(x + series.width / 2);
    } else {
        extent.add(series.x);
    }
    if (horizontal)
        for (const Span& span : series.spans) extent.add(span.from), extent.add(span.to);
    if (series.kind == Series::Kind::cells) {
        extent.add(horizontal ? series.cells.x0 : series.cells.y0);
        extent.add(horizontal ? series.cells.x1 : series.cells.y1);
    }
}

} // namespace chart_axes

using namespace chart_axes;

AxisRange wholeRange(const Axis& axis, const Plot& plot, bool horizontal) {
    if (axis.kind == Axis::Kind::categories) {
        const double last = std::max(1.0, static_cast<double>(axis.categories.size())) - 0.5;
        return horizontal ? AxisRange{-0.5, last} : AxisRange{last, -0.5};
    }
    if (axis.from && axis.to) return {*axis.from, *axis.to};
    Extent extent;
    for (const Series& series : plot.series)
        if (series.inRange) extend(extent, series, horizontal);
    const bool logarithmic = axis.kind == Axis::Kind::logarithmic;
    double low = logarithmic ? extent.least : extent.low, high = extent.high;
    if (!(low <= high)) low = logarithmic ? 1 : 0, high = logarithmic ? 10 : 1;
    // A little room around the data, but not along time, and not beneath bars.
    const double room = horizontal ? 0 : 0.05;
    if (logarithmic) {
        const double ratio = high > low ? std::pow(high / low, room) : 2;
        low /= ratio;
        high *= ratio;
    } else {
        const double by = high > low                ? room * (high - low)
                          : axis.whole || high == 0 ? std::max(1.0, 0.1 * std::abs(high))
                                                    : 0.1 * std::abs(high);
        low = low == 0 ? 0 : low - by;
        high += by;
    }
    return {axis.from.value_or(low), axis.to.value_or(high)};
}

void setRange(QCPAxis& axis, const AxisRange& range) {
    axis.setRangeReversed(range.from > range.to);
    const double low = std::min(range.from, range.to), high = std::max(range.from, range.to);
    axis.setRange(low, high > low ? high : low + std::max(1e-12, 1e-9 * std::abs(low)));
}

AxisRange rangeOf(const QCPAxis& axis) {
    return axis.rangeReversed() ? AxisRange{axis.range().upper, axis.range().lower}
                                : AxisRange{axis.range().lower, axis.range().upper};
}

void setUpAxis(QCPAxis& to, const Axis& axis, const PictureStyle& look, double pixels, double widestLabel) {
    const bool vertical = to.orientation() == Qt::Vertical, names = axis.kind == Axis::Kind::categories;
    QFont font = look.font;
    if (vertical && names && !axis.categories.empty()) { // rows a little lower than a line get smaller text
        const double row = pixels / std::max(1.0, to.range().size()), line = QFontMetricsF(font).height();
        if (row < line && row >= 0.72 * line)
            font.setPixelSize(std::max(8, static_cast<int>(std::round(font.pixelSize() * row / line))));
    }
    to.setScaleType(axis.kind == Axis::Kind::logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    to.setTicker(
        QSharedPointer<QCPAxisTicker>(new Ticker(writtenAxis(axis, look), font, vertical, pixels, widestLabel)));
    to.setSubTicks(false);
    to.setTickLength(0, 0);
    to.setTickPen(QPen(Qt::transparent)); // no marks: setTicks(false) would take the labels too
    to.setTickLabelFont(font);
    to.setTickLabelColor(look.theme.muted);
    to.setTickLabelPadding(vertical ? 8 : 6); // below the lowest number of the other axis
    to.setLabelFont(look.font);
    to.setLabelColor(look.theme.text);
    to.setLabelPadding(vertical ? 6 : 1);
    to.setBasePen(vertical ? QPen(Qt::NoPen) : QPen(look.theme.hairline, 1));
    to.grid()->setPen(QPen(look.theme.grid, 1));
    to.grid()->setZeroLinePen(Qt::NoPen);
    to.grid()->setVisible(!names);
}

Axis writtenAxis(const Axis& axis, const PictureStyle& look) {
    Axis written = axis;
    if (look.clock && axis.kind == Axis::Kind::time && axis.unit == "s")
        written.unit = clockUnit(axis.to.value_or(0)).toStdString();
    return written;
}

QString axisTitle(const Axis& axis) {
    QString title = coreText(axis.title);
    if (title.size() > 1) title[0] = title[0].toUpper(); // k and β are symbols
    if (axis.unit.empty()) return title;
    const QString unit = coreText(axis.unit);
    return title.isEmpty() ? unit : QStringLiteral("%1 (%2)").arg(title, unit);
}

QString valueText(const Axis& axis, double value) {
    if (axis.kind == Axis::Kind::categories) {
        const double i = std::round(value);
        return i >= 0 && i < static_cast<double>(axis.categories.size())
                   ? coreText(axis.categories[static_cast<std::size_t>(i)].label)
                   : QString();
    }
    if (isClock(axis)) return clockText(value, 1e-3);
    return quantityWords(value, axis.unit, 4);
}

} // namespace trainyard
