// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/ClaimCharts.h"

#include "run/compare/ComparisonCharts.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace trainyard {

namespace claim_charts {

/// Of an id: what the rows of a chart share, and what tells them apart.
struct Place {
    std::string common, row;
};

Place placeOf(const std::string& id) {
    const auto first = id.find('/'), last = id.rfind('/');
    if (first == std::string::npos) return {"", id};
    if (first == last) return {id.substr(0, first), id.substr(first + 1)};
    return {id.substr(0, first) + ", " + id.substr(last + 1), id.substr(first + 1, last - first - 1)};
}

/// "Time to 0.1" of "time-to-0.1", and a metric's label; "1e-5" is a number.
std::string inWords(std::string id) {
    if (const auto slash = id.find('/'); slash != std::string::npos)
        return inWords(id.substr(0, slash)) + ": " + inWords(id.substr(slash + 1));
    if (const auto* metric = metricWithId(id)) return metric->label;
    std::ranges::replace(id, '_', ' ');
    const auto isLetter = [&](std::size_t i) {
        return i < id.size() && std::isalpha(static_cast<unsigned char>(id[i]));
    };
    const auto isDigit = [&](std::size_t i) {
        return i < id.size() && std::isdigit(static_cast<unsigned char>(id[i]));
    };
    for (std::size_t i = 1; i + 1 < id.size(); ++i) {
        const bool isExponent = id[i - 1] == 'e' && i > 1 && isDigit(i - 2);
        if (id[i] == '-' && (isLetter(i - 1) || isDigit(i - 1)) && (isLetter(i + 1) || isDigit(i + 1)) && !isExponent)
            id[i] = ' ';
    }
    if (isLetter(0) && isLetter(1)) id[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(id[0])));
    return id;
}

/// Spread over more than this, values are shown on a logarithmic axis.
constexpr double wide = 30;

void chooseScale(Axis& axis, const std::vector<double>& values) {
    const auto [low, high] = std::ranges::minmax(values);
    if (low > 0 && high > wide * low) axis.kind = Axis::Kind::logarithmic;
}

Series& add(Plot& plot, Series::Kind kind, std::string key, Role role) {
    Series& series = plot.series.emplace_back();
    series.kind = kind;
    series.key = std::move(key);
    series.role = role;
    return series;
}

void addRow(Plot& plot, const Claim& claim, std::size_t number, std::vector<double>& values) {
    const double row = static_cast<double>(number);
    const Role role = claim.holds ? Role::accent() : claim.undecided ? Role::muted() : Role{Role::Kind::problem};
    const auto& interval = claim.interval;
    if (interval && std::isfinite(interval->first) && std::isfinite(interval->second)) {
        Series& whiskers = add(plot, Series::Kind::line, "interval " + claim.id, role);
        whiskers.weight = 2;
        whiskers.x = {interval->first, interval->second};
        whiskers.y = {row, row};
        for (const double end : {interval->first, interval->second}) {
            whiskers.x.insert(whiskers.x.end(), {NAN, end, end});
            whiskers.y.insert(whiskers.y.end(), {NAN, row - 0.12, row + 0.12});
            values.push_back(end);
        }
    }
    if (claim.expected) {
        Series& expected = add(plot, Series::Kind::line, "expected " + claim.id, {Role::Kind::text});
        expected.weight = 1.5;
        expected.x = {*claim.expected, *claim.expected};
        expected.y = {row - 0.34, row + 0.34};
        values.push_back(*claim.expected);
    }
    Series& dot = add(plot, Series::Kind::points, "measured " + claim.id, role);
    dot.weight = 1.3;
    dot.x = {*claim.measured};
    dot.y = {row};
    dot.notes = {Text{TRAINYARD_TEXT("{0}"), {claim.claim}}};
    values.push_back(*claim.measured);
}

Chart chartOf(const std::vector<Claim>& claims, const std::vector<std::size_t>& rows) {
    Chart chart;
    Plot& plot = chart.plot();
    plot.x.title = {TRAINYARD_TEXT("measured"), {}};
    plot.x.unit = claims[rows.front()].unit == "1" ? "" : claims[rows.front()].unit;
    plot.x.key = "measured";
    plot.y.kind = Axis::Kind::categories;
    plot.y.key = "claim";
    std::vector<double> values;
    std::size_t failing = 0, undecided = 0, least = static_cast<std::size_t>(-1), most = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Claim& claim = claims[rows[i]];
        plot.y.categories.push_back({Text{TRAINYARD_TEXT("{0}"),
                                          {inWords(placeOf(claim.id).row) + (claim.holds       ? ""
                                                                             : claim.undecided ? " ?"
                                                                                               : " ✗")}},
                                     {}});
        addRow(plot, claim, i, values);
        undecided += claim.undecided;
        failing += !claim.holds && !claim.undecided;
        least = std::min(least, claim.n);
        most = std::max(most, claim.n);
    }
    chooseScale(plot.x, values);
    const std::string n = least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
    const bool isExpected = std::ranges::any_of(rows, [&](std::size_t i) { return claims[i].expected.has_value(); });
    if (most == 0)
        chart.meaning = {TRAINYARD_TEXT("Points: computed; strokes: expected."), {}};
    else if (isExpected)
        chart.meaning = {TRAINYARD_TEXT("Points: measured, n = {0}; whiskers: 95 % interval; strokes: expected."), {n}};
    else
        chart.meaning = {TRAINYARD_TEXT("Points: measured, n = {0}; whiskers: 95 % interval."), {n}};
    const std::vector<std::string> counts{std::to_string(rows.size()), std::to_string(failing),
                                          std::to_string(undecided)};
    if (failing > 0 && undecided > 0)
        chart.caution = {TRAINYARD_TEXT("{1} of {0} {1:does|do} not hold (✗), {2} {2:is|are} undecided (?)."), counts};
    else if (failing > 0)
        chart.caution = {TRAINYARD_TEXT("{1} of {0} {1:does|do} not hold (✗)."), counts};
    else if (undecided > 0)
        chart.caution = {TRAINYARD_TEXT("{2} of {0} {2:is|are} undecided (?)."), counts};
    return chart;
}

} // namespace claim_charts

using namespace claim_charts;

std::vector<ClaimChart> claimCharts(const std::vector<Claim>& claims) {
    struct Group {
        std::string title, unit;
        std::vector<std::size_t> claims;
    };
    std::vector<Group> groups;
    for (std::size_t i = 0; i < claims.size(); ++i) {
        const Claim& claim = claims[i];
        if (!claim.measured || !std::isfinite(*claim.measured)) continue;
        const std::string common = placeOf(claim.id).common;
        auto group = std::ranges::find_if(groups, [&](const Group& g) {
            return g.title == common && g.unit == claim.unit && g.claims.size() < mostClaimRows;
        });
        if (group == groups.end()) group = groups.insert(groups.end(), {common, claim.unit, {}});
        group->claims.push_back(i);
    }
    std::vector<ClaimChart> out;
    // Other units, and what did not fit into the chart before, have charts of their own.
    std::map<std::string, int> titled;
    for (Group& group : groups) {
        if (group.claims.size() < 2) continue;
        const int number = ++titled[group.title];
        const std::string title = inWords(group.title) + (number > 1 ? " (" + std::to_string(number) + ")" : "");
        out.push_back({title, group.claims.size(), group.claims, chartOf(claims, group.claims)});
    }
    return out;
}

std::vector<ClaimChart> mapCharts(const std::vector<StudyMap>& maps) {
    std::vector<ClaimChart> out;
    for (const StudyMap& map : maps) {
        Chart chart;
        Plot& plot = chart.plot();
        plot.x = {.kind = Axis::Kind::categories, .key = "column"};
        plot.y = {.kind = Axis::Kind::categories, .key = "row"};
        for (const std::string& column : map.columns)
            plot.x.categories.push_back({{TRAINYARD_TEXT("{0}"), {column}}, {}});
        for (const std::string& row : map.rows) plot.y.categories.push_back({{TRAINYARD_TEXT("{0}"), {row}}, {}});
        Series series{.kind = Series::Kind::cells, .key = "value"};
        series.cells = {.columns = map.columns.size(), .rows = map.rows.size(), .values = map.values};
        series.cells.written = true;
        series.cells.x0 = series.cells.y0 = -0.5; // a cell around each category
        series.cells.x1 = static_cast<double>(map.columns.size()) - 0.5;
        series.cells.y1 = static_cast<double>(map.rows.size()) - 0.5;
        double least = INFINITY, most = -INFINITY;
        for (const double value : map.values) {
            if (!std::isfinite(value)) continue;
            least = std::min(least, value);
            most = std::max(most, value);
        }
        if (!(least <= most)) continue; // nothing was measured
        series.cells.scale.from = least;
        series.cells.scale.to = most;
        for (const std::string& note : map.notes) series.notes.push_back({TRAINYARD_TEXT("{0}"), {note}});
        plot.series.push_back(std::move(series));
        chart.meaning = {TRAINYARD_TEXT("{0}"), {map.meaning}};
        out.push_back({map.title, map.rows.size(), {}, std::move(chart)});
    }
    return out;
}

} // namespace trainyard
