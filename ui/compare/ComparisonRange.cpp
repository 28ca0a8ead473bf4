// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ComparisonRange.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace comparison_range {

/// Wider than rounding: Qt's axes do not take a narrower one, and would fill what they keep with its ticks.
bool isRange(const AxisRange& range) {
    return range.to - range.from > std::max(1e-9 * std::max(std::abs(range.from), std::abs(range.to)), 1e-100);
}

} // namespace comparison_range

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
        const double room = exact                            ? 0
                            : comparison_range::isRange(out) ? 0.05 * (out.to - out.from)
                                                             : std::abs(out.to) * 0.1 + 0.5;
        out.from -= room, out.to += room;
    }
    if (axis.from) out.from = *axis.from;
    if (axis.to) out.to = *axis.to;
    if (!comparison_range::isRange(out)) out.to = out.from + std::abs(out.from) * 0.1 + 1;
    return out;
}

} // namespace trainyard
