// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The metrics of the run at the instant and at its end as a table; files have those of each job as well.
#include "analysis/views/TableViews.h"
#include "base/Format.h"
#include "record/MetricsFold.h"

#include <algorithm>

namespace trainyard {

namespace metrics_at_instant {

using Values = std::map<std::string, double>;

Table::Cell cellOf(const Values& values, const MetricDefinition& metric) {
    const auto it = values.find(metric.id);
    if (it == values.end()) return {};
    return {.raw = formatNumber(it->second), .text = {}, .value = Quantity{it->second, metric.unit, 4}};
}

Table::Row rowOf(const MetricDefinition& metric, const std::string& of, const Values& at, const Values& end) {
    return {.cells = {{.raw = metric.id, .text = {metric.label, {}}},
                      {.raw = of},
                      cellOf(at, metric),
                      cellOf(end, metric),
                      {.raw = metric.unit},
                      {.raw = metric.definition}}};
}

/// `both`: the instant is not the end.
Table tableOf(const Metrics& at, const Metrics& end, const Workload& workload, bool both) {
    Table table;
    table.columns = {{.key = "metric", .title = {TRAINYARD_TEXT("Metric"), {}}},
                     {.key = "of"},
                     {.key = "at_cursor", .title = {}, .isNumber = true},
                     {.key = "at_end", .title = {TRAINYARD_TEXT("At the end"), {}}, .isNumber = true},
                     {.key = "unit"},
                     {.key = "meaning"}};
    if (both) table.columns[2].title = {TRAINYARD_TEXT("At the cursor"), {}};
    const std::vector<MetricDefinition> definitions = metricDefinitionsFor(workload);
    for (const MetricDefinition& each : definitions) {
        table.rows.push_back(rowOf(each, "whole run", at.values, end.values));
        table.rows.back().isShown = at.values.contains(each.id) || end.values.contains(each.id);
    }
    for (std::size_t j = 0; j < std::min(at.jobs.size(), end.jobs.size()); ++j)
        for (const MetricDefinition& each : definitions) {
            if (!each.perJob()) continue;
            table.rows.push_back(rowOf(each, workload.jobs[j].key, at.jobs[j], end.jobs[j]));
            table.rows.back().isShown = false;
            table.rows.back().ref.job = JobId(j);
        }
    return table;
}

Computation compute(const ViewRequest& request) {
    return tableLater(
        request,
        {TRAINYARD_TEXT(
             "The metrics of the run, from its beginning to the cursor and to its end. A file also has those of each job."),
         {}},
        [at = request.at, head = request.run.head()](const RunSource& run, std::size_t size,
                                                     const std::stop_token& stop) {
            MetricsFold fold(*run.workload);
            const std::size_t now = std::min(size, run.log->positionAfter(at));
            if (!applyUntil(fold, *run.log, now, stop)) return Table{};
            const Metrics then = fold.at(std::min(at, head));
            if (!applyUntil(fold, *run.log, size, stop, now)) return Table{};
            return tableOf(then, fold.at(head), *run.workload, at < head);
        });
}

} // namespace metrics_at_instant

View metricsView() {
    return {.id = "metrics",
            .group = tablesGroup(),
            .title = {TRAINYARD_TEXT("Metrics"), {}},
            .summary = {TRAINYARD_TEXT("The metrics at the instant and at the end, as a table."), {}},
            .scope = View::Scope::run,
            .isTable = true,
            .special = true,
            .compute = metrics_at_instant::compute};
}

} // namespace trainyard
