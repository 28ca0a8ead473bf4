// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ChartGrowth.h"

#include "charts/ChartAxes.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace chart_growth {

bool isLine(const Series& series) { return series.kind == Series::Kind::line || series.kind == Series::Kind::steps; }

/// All but the points.
bool sameButPoints(Series a, Series b) {
    for (Series* series : {&a, &b}) series->x.clear(), series->y.clear();
    return a == b;
}

/// All but the series and how far time goes.
bool sameGround(const Plot& a, const Plot& b) {
    const AxisRange before = wholeRange(a.y, a, false), now = wholeRange(b.y, b, false);
    return a.x.kind == Axis::Kind::time && b.x.kind == Axis::Kind::time && a.y == b.y && before.from == now.from &&
           before.to == now.to && a.lines == b.lines && a.annotations == b.annotations && a.title == b.title &&
           a.column == b.column && a.row == b.row && a.share == b.share && a.series.size() == b.series.size();
}

/// Of points in order of x: the last one up to which both go the same way.
std::optional<double> samePoints(const Series& a, const Series& b) {
    const auto differ = [](const std::vector<double>& p, const std::vector<double>& q) {
        const auto same = [](double u, double v) { return u == v || (u != u && v != v); };
        return static_cast<std::size_t>(std::ranges::mismatch(p, q, same).in1 - p.begin());
    };
    const std::size_t sameX = differ(a.x, b.x), sameY = differ(a.y, b.y), same = std::min(sameX, sameY);
    if (sameX == a.x.size() && sameX == b.x.size() && sameY == a.y.size() && sameY == b.y.size())
        return std::numeric_limits<double>::infinity();
    if (same == 0) return std::nullopt;
    const bool holds = a.kind == Series::Kind::steps && same < std::min(a.x.size(), b.x.size()); // the step before
    return holds ? std::min(a.x[same], b.x[same]) : a.x[same - 1];
}

} // namespace chart_growth

std::optional<double> sameUntil(const std::vector<Plot>& before, const std::vector<Plot>& now) {
    using namespace chart_growth;
    double until = std::numeric_limits<double>::infinity();
    if (before.size() != now.size()) return std::nullopt;
    for (std::size_t p = 0; p < now.size(); ++p) {
        if (!sameGround(before[p], now[p])) return std::nullopt;
        for (std::size_t s = 0; s < now[p].series.size(); ++s) {
            const Series &a = before[p].series[s], &b = now[p].series[s];
            if (!isLine(a) && a == b) continue;
            if (!isLine(a) || !sameButPoints(a, b)) return std::nullopt;
            const auto same = samePoints(a, b);
            if (!same) return std::nullopt;
            until = std::min(until, *same);
        }
    }
    return until;
}

} // namespace trainyard
