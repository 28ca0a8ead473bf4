// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A metric over the course of a run: at each instant what it would be had the run ended there.
#include "analysis/AdmissionCourse.h"
#include "analysis/MetricHistory.h"
#include "analysis/views/ViewParts.h"
#include "model/ResourceLabel.h"

#include <algorithm>
#include <string_view>

namespace trainyard {

namespace metric_course_view {

struct Options {
    std::string metric = "automatic"; ///< see metricFor()
    bool ofJob = false;
};

std::vector<std::string> metricIds() {
    std::vector<std::string> ids{"automatic"};
    for (const MetricDefinition& metric : metricDefinitions())
        if (!standsForSeveral(metric)) ids.push_back(metric.id);
    return ids;
}

constexpr const char* automatic = "automatic";

/// What its jobs are about: graph jobs that are admitted at once make no updates.
std::string metricFor(const Workload& workload) {
    if (hasAdmissions(workload)) return "blocking_rate_decided";
    const bool allGraphs =
        std::ranges::all_of(workload.jobs, [](const Job& job) { return job.kind() == JobKind::graph; });
    return allGraphs ? "finished_jobs" : "updates";
}

const BoundSchema<Options>& options() {
    static const auto schema = bindSchema<Options>(
        word(
            &Options::metric, "metric", "Metric",
            "Which one; trainyard-cli list metrics defines them. automatic: what the jobs are about, their updates or how "
            "many are blocked.",
            metricIds()),
        flag(&Options::ofJob, "of_job", "Of one job", "Of the job that is chosen, not of the whole run."));
    return schema;
}

/// What people call it; as it is written where there is none of that name.
Text labelOf(const std::string& id) {
    if (id == automatic) return {TRAINYARD_TEXT("A metric over time"), {}};
    const auto named = [&](std::string_view family, const char* text) -> std::optional<Text> {
        if (!id.starts_with(family)) return {};
        return Text{text, {resourceLabel(id.substr(family.size()))}};
    };
    if (auto label = named("utilization_", TRAINYARD_TEXT("Allocated share of {0}"))) return *label;
    if (auto label = named("busy_", TRAINYARD_TEXT("Busy share of {0}"))) return *label;
    for (const MetricDefinition& metric : metricDefinitions())
        if (metric.id == id) return {metric.label, {}};
    if (auto label = named("final_", TRAINYARD_TEXT("Last value of {0}"))) return *label;
    return nameText(id);
}

Computation compute(const ViewRequest& request) {
    Options chosen = options().read(request.options);
    if (chosen.metric == automatic) chosen.metric = metricFor(request.run.workload());
    Text meaning{TRAINYARD_TEXT("At each instant what the metric would be had the run ended there."), {}};
    const JobId job = !chosen.ofJob ? JobId{} : request.job.valid() ? request.job : request.run.jobWithWorkers({});
    if (chosen.ofJob && !job.valid())
        return emptyChart({TRAINYARD_TEXT("No job has workers yet. Jobs get them when the scheduler starts them."), {}},
                          std::move(meaning));
    const auto& history = request.run.foldSoFar<MetricHistory>(
        chosen.metric, job.valid() ? request.run.workload().job(job).key : std::string());
    if (!history.known())
        return emptyChart({TRAINYARD_TEXT("This run has no metric \"{0}\"."), {chosen.metric}}, std::move(meaning));
    const MetricDefinition& metric = history.definition();
    const LinePoints points = history.points();
    if (points.x.empty())
        return emptyChart(
            {TRAINYARD_TEXT("The metric \"{0}\" has no value in this run."), {labelOf(metric.id).english()}},
            std::move(meaning));
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    const bool behind = history.reached() < request.run.head(); // of what comes after it nothing is known yet
    Chart chart;
    Plot& plot = chart.plot();
    const std::string whose = history.jobName();
    const Text label = labelOf(metric.id);
    chart.title = whose.empty() ? label : nameText(label.english() + ", " + whose);
    const Role role = job.valid() ? Role::of(job) : Role::accent();
    plot.series.push_back({.key = metric.id,
                           .label = chart.title,
                           .role = role,
                           .x = points.x,
                           .y = points.y,
                           .refs = {ElementRef{.job = job}}});
    if (!behind && end > points.x.back()) { // the last value holds
        plot.series.back().x.push_back(end);
        plot.series.back().y.push_back(points.y.back());
    }
    plot.x = timeAxis(end);
    plot.y = {.title = label, .unit = metric.unit, .key = metric.id};
    std::optional<Quantity> now;
    if (!behind || request.at <= history.reached())
        if (const auto value = history.at(request.at.toSeconds())) now = Quantity{*value, metric.unit, 4};
    if (behind) chart.caution = {TRAINYARD_TEXT("The rest of the curve is still being worked out."), {}};
    chart.legend = {legendLine(chart.title, now, role)};
    chart.legend.back().ref = {.job = job};
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace metric_course_view

View metricView() {
    return {.id = "metric",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("A metric over time"), {}},
            .summary = {TRAINYARD_TEXT("What a metric would be had the run ended at each instant."), {}},
            .scope = View::Scope::run,
            .options = metric_course_view::options().schema,
            .name =
                [](const ParamValues& given) {
                    return metric_course_view::labelOf(metric_course_view::options().read(given).metric);
                },
            .compute = metric_course_view::compute};
}

} // namespace trainyard
