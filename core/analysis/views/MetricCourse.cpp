// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A metric over the course of a run: at each instant what it would be had the run ended there.
#include "analysis/MetricHistory.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace metric_course_view {

struct Options {
    std::string metric = "updates";
    bool ofJob = false;
};

std::vector<std::string> metricIds() {
    std::vector<std::string> ids;
    for (const MetricDefinition& metric : metricDefinitions())
        if (metric.id.find("RESOURCE") == std::string::npos) ids.push_back(metric.id);
    return ids;
}

const BoundSchema<Options>& options() {
    static const auto schema = bindSchema<Options>(
        choice(&Options::metric, "metric", "Metric", metricIds(),
               "Which one; trainyard-cli list metrics defines them."),
        flag(&Options::ofJob, "of_job", "Of one job", "Of the job that is chosen, not of the whole run."));
    return schema;
}

Chart drawn(const MetricHistory& history, SimTime at, double end, Text meaning) {
    const MetricDefinition& metric = history.definition();
    const LinePoints points = history.points();
    if (points.x.empty())
        return emptyChart({TRAINYARD_TEXT("The metric \"{0}\" has no value in this run."), {metric.label}},
                          std::move(meaning));
    Chart chart;
    Plot& plot = chart.plot();
    const std::string whose = history.jobName();
    const Text label = whose.empty() ? Text{metric.label, {}} : nameText(metric.label + ", " + whose);
    const Role role = history.job() ? Role::of(JobId(*history.job())) : Role::accent();
    plot.series.push_back({.key = metric.id, .label = label, .role = role, .x = points.x, .y = points.y});
    plot.x = timeAxis(end);
    plot.y = {.title = {metric.label, {}}, .unit = metric.unit, .key = metric.id};
    std::optional<Quantity> now;
    if (const auto value = history.at(at.toSeconds())) now = Quantity{*value, metric.unit};
    chart.legend = {legendLine(label, now, role)};
    chart.meaning = std::move(meaning);
    return chart;
}

Computation compute(const ViewRequest& request) {
    const Options chosen = options().read(request.options);
    Text meaning{TRAINYARD_TEXT("At each instant what the metric would be had the run ended there."), {}};
    const RunSource& run = request.run.source();
    const JobId job = chosen.ofJob ? request.run.jobWithWorkers(request.job) : JobId{};
    if (chosen.ofJob && !job.valid())
        return emptyChart({TRAINYARD_TEXT("No job has workers yet. Jobs get them when the scheduler starts them."), {}},
                          std::move(meaning));
    const auto history = std::make_shared<MetricHistory>(run.workload, run.log, chosen.metric,
                                                         job.valid() ? run.workload->job(job).key : std::string());
    if (!history->known())
        return emptyChart({TRAINYARD_TEXT("This run has no metric \"{0}\"."), {chosen.metric}}, std::move(meaning));
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    return {emptyChart(computingText(), meaning),
            [history, at = request.at, end, meaning](const std::stop_token& stop) -> Picture {
                constexpr std::size_t piece = 1 << 20;
                for (std::size_t done = 0, next = 0; !stop.stop_requested(); done = next)
                    if ((next = history->update(done, piece)) == done) break;
                return drawn(*history, at, end, meaning);
            }};
}

} // namespace metric_course_view

View metricView() {
    return {.id = "metric",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("A metric over time"), {}},
            .summary = {TRAINYARD_TEXT("What a metric would be had the run ended at each instant."), {}},
            .scope = View::Scope::run,
            .options = metric_course_view::options().schema,
            .compute = metric_course_view::compute};
}

} // namespace trainyard
