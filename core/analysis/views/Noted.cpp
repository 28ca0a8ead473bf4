// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the policies of a job have noted: a plot per series that changes over time, a line per value of its first index; of the others the
// last value.
#include "analysis/PolicyNotes.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <map>
#include <set>

namespace trainyard {

namespace noted_view {

constexpr std::size_t mostLines = 8;     // of a series; more could not be told apart
constexpr std::uint16_t mostSeries = 64; // of a policy, that are looked for

const Registry& registry() {
    static const Registry all = Registry::builtin();
    return all;
}

struct Noted {
    NoteSeries series;
    std::span<const NotedValue> values;
    bool ofAll = false; ///< jobs of the run, which are several
};

/// Those of the job, then those of its policies as a whole. A series that no policy of the registry declares has no name, and is
/// shown all the same.
std::vector<Noted> seriesOf(const ViewRequest& request) {
    std::vector<Noted> out;
    const auto& notes = request.run.fold<PolicyNotes>();
    for (const JobId job : {request.job, JobId()})
        for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                                  PolicyFamily::partitioner})
            for (std::uint16_t n = 0; n < mostSeries; ++n)
                if (const auto values = notes.of({family, n}, job); !values.empty())
                    out.push_back({{family, n}, values, !job.valid() && request.run.workload().jobs.size() > 1});
    return out;
}

void addLines(Plot& plot, const SeriesInfo* info, std::span<const NotedValue> values) {
    std::set<std::uint32_t> indexes;
    for (const NotedValue& v : values)
        if (indexes.size() <= mostLines) indexes.insert(v.first);
    // As of rounds, each of which is noted once: all are one.
    const bool once = indexes.size() > 1 && indexes.size() == values.size() &&
                      std::ranges::adjacent_find(values, {}, &NotedValue::at) == values.end();
    const bool apart = indexes.size() <= mostLines && !once; // of more none could be told apart
    std::map<std::uint32_t, Series> lines;
    for (const NotedValue& v : values) {
        Series& line = lines[apart ? v.first : 0];
        line.x.push_back(v.at.toSeconds());
        line.y.push_back(v.value);
        line.refs.push_back({.at = v.at});
    }
    std::size_t hue = 0;
    for (auto& [index, line] : lines) {
        line.kind = Series::Kind::points;
        line.key = apart ? "index-" + std::to_string(index) : "values";
        if (apart && info && !info->first.empty()) line.label = nameText(info->first + " " + std::to_string(index));
        line.role = lines.size() == 1 ? Role::accent() : Role::hue(hue++);
        plot.series.push_back(std::move(line));
    }
}

/// Noted at more than one instant: there is something to see of it.
bool isCourse(std::span<const NotedValue> values) { return values.front().at != values.back().at; }

Computation compute(const ViewRequest& request) {
    const auto noted = seriesOf(request);
    Text meaning{std::ranges::any_of(noted, &Noted::ofAll)
                     ? TRAINYARD_TEXT("Values that the job's policies recorded over time, some of them of all jobs "
                                      "together; the legend shows the last ones up to the cursor.{0}")
                     : TRAINYARD_TEXT("Values that the job's policies recorded over time; the legend shows the last "
                                      "ones up to the cursor.{0}"),
                 {std::string()}};
    if (noted.empty())
        return emptyChart(
            {TRAINYARD_TEXT("The policies of this job record no values. trainyard-cli list shows those that do."), {}},
            meaning);
    Chart chart;
    const auto& scenario = request.run.source().scenario;
    const Job& job = request.run.workload().job(request.job);
    const bool anyCourse = std::ranges::any_of(noted, isCourse, &Noted::values);
    for (const auto& [series, values, ofAll] : noted) {
        const SeriesInfo* info = scenario ? trainyard::seriesOf(*scenario, registry(), series, &job) : nullptr;
        const std::string key = std::string(familyName(series.family)) + "_" + std::to_string(series.number);
        const std::string label = info ? info->label : key;
        const Text title = ofAll ? Text{TRAINYARD_TEXT("{0}, of all jobs"), {label}} : nameText(label);
        const auto now = std::upper_bound(values.begin(), values.end(), request.at,
                                          [](SimTime at, const NotedValue& v) { return at < v.at; });
        if (now != values.begin())
            chart.legend.push_back(legendItem(title, Quantity{std::prev(now)->value, info ? info->unit : ""}));
        if (anyCourse && !isCourse(values)) continue;
        Plot plot;
        plot.row = chart.plots.size();
        plot.x = timeAxis(std::max(request.run.head().toSeconds(), 1e-9));
        plot.y = {.title = nameText(label), .unit = info ? info->unit : "", .key = info ? info->name : key};
        plot.title = title; // the axis may be too low for it
        meaning.arguments.front() +=
            " " + (info ? info->label + ": " + info->meaning : key); // in a plot: on its points
        addLines(plot, info, values);
        chart.plots.push_back(std::move(plot));
    }
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace noted_view

View notedView() {
    return {.id = "noted",
            .group = {TRAINYARD_TEXT("Policies"), {}},
            .title = {TRAINYARD_TEXT("Noted values"), {}},
            .summary = {TRAINYARD_TEXT("Values that the policies of a job record: prices, rates, predictions."), {}},
            .concerns = [](const RunIndex& run, JobId job) { return run.fold<PolicyNotes>().concern(job); },
            .special = true,
            .compute = noted_view::compute};
}

} // namespace trainyard
