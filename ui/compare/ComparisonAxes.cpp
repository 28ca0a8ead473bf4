// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ComparisonAxes.h"

#include "base/RoundSteps.h"
#include "export/Figure.h"

#include <QLogValueAxis>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace comparison_axes {

/// Wider than rounding: Qt's axes do not take a narrower one, and would fill what they keep with its ticks.
bool isRange(const AxisRange& range) {
    return range.to - range.from > std::max(1e-9 * std::max(std::abs(range.from), std::abs(range.to)), 1e-100);
}

} // namespace comparison_axes

AxisRange comparisonRange(const Plot& plot, bool horizontal) {
    const Axis& axis = horizontal ? plot.x : plot.y;
    if (axis.kind == Axis::Kind::categories) return {-0.6, static_cast<double>(axis.categories.size()) - 0.4};
    AxisRange out{INFINITY, -INFINITY};
    const bool logarithmic = axis.kind == Axis::Kind::logarithmic;
    const auto hold = [&](double v) {
        if (std::isfinite(v) && (!logarithmic || v > 0)) out = {std::min(out.from, v), std::max(out.to, v)};
    };
    for (const Series& s : plot.series) {
        if (!s.inRange) continue;
        for (const double v : horizontal ? s.x : s.y) hold(v);
        if (!horizontal)
            for (const double v : s.base) hold(v);
        for (const Span& span : s.spans)
            if (horizontal) hold(span.from), hold(span.to);
        if (s.kind == Series::Kind::cells) {
            hold(horizontal ? s.cells.x0 : s.cells.y0);
            hold(horizontal ? s.cells.x1 : s.cells.y1);
        }
    }
    for (const ReferenceLine& line : plot.lines)
        if ((line.way == ReferenceLine::Way::vertical) == horizontal) hold(line.value);
    if (!(out.from <= out.to)) out = {0, 1};
    if (logarithmic) {
        out.from /= 1.1, out.to *= 1.1;
    } else {
        const bool exact = std::any_of(plot.series.begin(), plot.series.end(),
                                       [](const Series& s) { return s.kind == Series::Kind::cells; });
        const double room = exact                           ? 0
                            : comparison_axes::isRange(out) ? 0.05 * (out.to - out.from)
                                                            : std::abs(out.to) * 0.1 + 0.5;
        out.from -= room, out.to += room;
    }
    if (axis.from) out.from = *axis.from;
    if (axis.to) out.to = *axis.to;
    if (!comparison_axes::isRange(out)) out.to = out.from + std::abs(out.from) * 0.1 + 1;
    return out;
}

QAbstractAxis* makeAxis(const Plot& plot, bool horizontal, QSizeF size, const ComparisonLook& look) {
    const Axis& axis = horizontal ? plot.x : plot.y;
    const AxisRange range = comparisonRange(plot, horizontal);
    QAbstractAxis* out = nullptr;
    if (axis.kind == Axis::Kind::logarithmic) {
        auto* log = new QLogValueAxis;
        log->setBase(10);
        log->setRange(range.from, range.to);
        log->setLabelFormat(QStringLiteral("%.7g")); // of formats without a precision Qt writes nothing
        out = log;
    } else {
        auto* value = new QValueAxis;
        const double length = horizontal ? size.width() / (look.pixels * 6.5) : size.height() / (look.pixels * 3);
        double step =
            std::max(roundStep((range.to - range.from) / std::max(1.0, std::floor(length))), axis.whole ? 1.0 : 0.0);
        // One number alone does not say how far the axis goes.
        for (int i = 0; i < 2 && !axis.whole && multiplesWithin(range.from, range.to, step).size() < 2; ++i)
            step = roundStep(0.4 * step);
        value->setRange(range.from, range.to);
        value->setTickType(QValueAxis::TicksDynamic);
        value->setTickAnchor(0);
        value->setTickInterval(step);
        const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
        value->setLabelFormat(step >= 1e6 || digits > 5 ? QStringLiteral("%.2g") : QStringLiteral("%.%1f").arg(digits));
        out = value;
    }
    const bool names = axis.kind == Axis::Kind::categories;
    out->setLabelsVisible(!names);
    out->setGridLineVisible(!names);
    out->setReverse(names && !horizontal);
    out->setLabelsFont(figureFont(0.92 * look.pixels));
    out->setLabelsColor(look.theme.muted);
    out->setGridLinePen(QPen(look.theme.grid, 1));
    out->setLinePen(QPen(look.theme.muted, 1));
    return out;
}

} // namespace trainyard
