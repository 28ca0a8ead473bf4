// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/Chart.h"

#include "base/RoundSteps.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace chart {

/// Between two knots, or held at the end that lies nearer.
template <class Less, class Between>
auto alongKnots(const std::vector<Axis::Knot>& knots, Less isBefore, Between between) {
    const auto it = std::partition_point(knots.begin(), knots.end(), isBefore);
    if (it == knots.begin()) return between(*it, *it);
    if (it == knots.end()) return between(knots.back(), knots.back());
    return between(*(it - 1), *it);
}

} // namespace chart

std::optional<SimTime> instantAt(const Axis& axis, double value) {
    if (axis.kind == Axis::Kind::time && axis.knots.empty()) return SimTime::seconds(std::max(0.0, value));
    if (axis.knots.empty() || !std::isfinite(value)) return std::nullopt;
    return chart::alongKnots(
        axis.knots, [&](const Axis::Knot& k) { return k.value < value; },
        [&](const Axis::Knot& a, const Axis::Knot& b) {
            if (!(b.value > a.value)) return a.at;
            return a.at + Duration::seconds((b.at - a.at).toSeconds() * (value - a.value) / (b.value - a.value));
        });
}

std::optional<double> valueAt(const Axis& axis, SimTime at) {
    if (axis.kind == Axis::Kind::time && axis.knots.empty()) return at.toSeconds();
    if (axis.knots.empty()) return std::nullopt;
    return chart::alongKnots(
        axis.knots, [&](const Axis::Knot& k) { return k.at < at; },
        [&](const Axis::Knot& a, const Axis::Knot& b) {
            if (!(b.at > a.at)) return a.value;
            return a.value + (b.value - a.value) * (at - a.at).toSeconds() / (b.at - a.at).toSeconds();
        });
}

std::size_t Series::size() const {
    switch (kind) {
    case Kind::spans: return spans.size();
    case Kind::cells: return cells.values.size();
    default: return y.size();
    }
}

ElementRef Series::refOf(std::size_t element) const {
    if (refs.size() == 1) return refs.front();
    return element < refs.size() ? refs[element] : ElementRef{};
}

Chart emptyChart(Text why, Text meaning) {
    Chart chart;
    chart.empty = std::move(why);
    chart.meaning = std::move(meaning);
    return chart;
}

void rangeFromZero(Axis& axis, double most) {
    axis.from = 0;
    axis.to = 1;
    if (!(most > 0) || !std::isfinite(most)) return;
    double step = roundStep(most / 4);
    if (axis.whole) step = std::max(1.0, step);
    axis.to = step * std::ceil(most / step - 1e-9);
}

} // namespace trainyard
