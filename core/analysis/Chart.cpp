// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/Chart.h"

#include "base/RoundSteps.h"

#include <algorithm>
#include <cmath>
#include <map>

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

namespace chart {

bool isLine(const LegendItem& item) {
    using enum LegendItem::Swatch;
    return item.swatch == line || item.swatch == dashes || item.swatch == longDashes || item.swatch == dots;
}

/// So that it holds both; what one of them leaves to its series is left to those of both.
void widen(Axis& axis, const Axis& other) {
    const bool mixed = axis.kind != other.kind;
    if (other.kind == Axis::Kind::logarithmic) axis.kind = other.kind;
    const bool known = !mixed && axis.from && axis.to && other.from && other.to;
    axis.from = known ? std::optional(std::min(*axis.from, *other.from)) : std::nullopt;
    axis.to = known ? std::optional(std::max(*axis.to, *other.to)) : std::nullopt;
}

void addGhost(Plot& plot, const Plot& ghost) {
    if (plot.y.kind == Axis::Kind::categories || plot.y.key != ghost.y.key) return;
    std::vector<Series> all;
    for (const Series& series : ghost.series) {
        if (series.kind != Series::Kind::line && series.kind != Series::Kind::steps) continue;
        Series& beneath = all.emplace_back(series);
        beneath.ghost = true;
        beneath.dash = series.dash == Dash::solid ? Dash::dashed : Dash::dotted;
        beneath.filled = false;
    }
    if (all.empty()) return;
    all.insert(all.end(), std::make_move_iterator(plot.series.begin()), std::make_move_iterator(plot.series.end()));
    plot.series = std::move(all);
    widen(plot.y, ghost.y);
    if (plot.x.kind != Axis::Kind::time) widen(plot.x, ghost.x);
    plot.annotations.insert(plot.annotations.end(), ghost.annotations.begin(), ghost.annotations.end());
}

} // namespace chart

Chart withGhost(Chart chart, const Chart& ghost) {
    for (std::size_t p = 0; p < std::min(chart.plots.size(), ghost.plots.size()); ++p)
        chart::addGhost(chart.plots[p], ghost.plots[p]);
    chart.legend = withGhost(std::move(chart.legend), ghost.legend);
    return chart;
}

std::vector<LegendItem> withGhost(std::vector<LegendItem> legend, const std::vector<LegendItem>& ghost) {
    std::vector<LegendItem> all;
    std::multimap<std::string, LegendItem> left;
    for (const LegendItem& item : ghost)
        if (chart::isLine(item)) left.emplace(item.label.english(), item);
    const auto take = [&](auto node) {
        LegendItem& item = all.emplace_back(std::move(node.mapped()));
        item.ghost = true;
        item.swatch = item.swatch == LegendItem::Swatch::line ? LegendItem::Swatch::dashes : LegendItem::Swatch::dots;
    };
    for (LegendItem& item : legend) {
        const std::string label = item.label.english();
        all.push_back(std::move(item));
        if (auto node = left.extract(label)) take(std::move(node));
    }
    while (!left.empty()) take(left.extract(left.begin()));
    return all;
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
