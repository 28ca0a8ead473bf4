// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a partitioner thought of each number of parts when a graph job arrived, as it noted it by degree: scores of a trained agent, jobs in time
// of rollouts. Beside each number stand the simple rules that would have taken it.
#include "analysis/AdmissionCourse.h"
#include "analysis/PolicyNotes.h"
#include "analysis/views/ViewParts.h"
#include "planning/graphs/DegreeRules.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace degree_values_view {

/// The series by degree that the partitioner of a job declares first, and its number.
std::optional<std::pair<std::uint16_t, const SeriesInfo*>> seriesByDegree(const RunIndex& run, JobId job) {
    static const Registry all = Registry::builtin();
    const auto& scenario = run.source().scenario;
    const PolicyInfo* policy =
        scenario ? policyOf(*scenario, all, PolicyFamily::partitioner, job.valid() ? &run.workload().job(job) : nullptr)
                 : nullptr;
    if (!policy) return std::nullopt;
    for (std::size_t s = 0; s < policy->series.size(); ++s)
        if (policy->series[s].first == "degree") return {{static_cast<std::uint16_t>(s), &policy->series[s]}};
    return std::nullopt;
}

/// "floor 4, max": those that would have taken the option.
std::string rulesFor(std::size_t option, const GraphArrivalOptions& priced, double beta) {
    using Kind = DegreeRule::Kind;
    std::string out;
    RandomStream unused(0, Purpose::policy);
    for (const auto& [name, rule] : {std::pair<const char*, DegreeRule>{"floor 2", {Kind::floor, 2}},
                                     {"floor 4", {Kind::floor, 4}},
                                     {"floor 6", {Kind::floor, 6}},
                                     {"floor 8", {Kind::floor, 8}},
                                     {"acceptable", {Kind::acceptableJct, 0}},
                                     {"max", {Kind::max, 0}}})
        if (chosenOption(rule, priced.options, beta, unused) == option)
            out += (out.empty() ? "" : ", ") + std::string(name);
    return out;
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "What the partitioner thought of each number of parts when the job arrived; higher is better, and what "
            "it took is highlighted. Numbers without a point would have missed the deadline or had no "
            "block. Beside each stand simple rules that would have taken it."),
        {}};
    const auto& course = request.run.foldSoFar<AdmissionCourse>();
    const auto* arrival = course.arrivalOf(request.job, request.at);
    if (!arrival)
        return emptyChart({TRAINYARD_TEXT("No job that is admitted at once has arrived by now."), {}},
                          std::move(meaning));
    const auto declared = seriesByDegree(request.run, arrival->job);
    const auto noted =
        declared ? request.run.fold<PolicyNotes>().of({PolicyFamily::partitioner, declared->first}, arrival->job)
                 : std::span<const NotedValue>();
    if (noted.empty())
        return emptyChart(
            {TRAINYARD_TEXT("The partitioner noted nothing of this job: it compares no numbers of parts, or "
                            "there was none to compare."),
             {}},
            std::move(meaning));
    Chart chart;
    chart.title = {request.run.jobName(arrival->job), {}};
    Plot& plot = chart.plot();
    plot.x = {.kind = Axis::Kind::categories, .title = {TRAINYARD_TEXT("parts"), {}}, .key = "parts"};
    plot.y = {.title = {declared->second->label, {}}, .unit = declared->second->unit, .key = declared->second->name};
    Series others{.kind = Series::Kind::points,
                  .key = "values",
                  .label = {TRAINYARD_TEXT("other options"), {}},
                  .role = Role::muted(1),
                  .weight = 2};
    Series chosen = others;
    chosen.key = "chosen";
    chosen.label = {TRAINYARD_TEXT("what it took"), {}};
    chosen.role = Role::accent();
    const auto& options = arrival->priced.options;
    const double beta = std::get<GraphWork>(request.run.workload().job(arrival->job).work).deadlineFraction;
    for (std::size_t i = 0; i < options.size(); ++i) {
        plot.x.categories.push_back({{std::to_string(options[i].degree), {}}, {}});
        const auto value = std::ranges::find(noted, static_cast<std::uint32_t>(options[i].degree), &NotedValue::first);
        if (value == noted.end()) continue;
        Series& series = options[i].degree == arrival->degree ? chosen : others;
        series.x.push_back(static_cast<double>(i));
        series.y.push_back(value->value);
        series.labels.push_back({TRAINYARD_TEXT("{0}"), {rulesFor(i, arrival->priced, beta)}});
    }
    chart.legend = {legendBox(chosen.label, {}, chosen.role), legendBox(others.label, {}, others.role)};
    plot.series = {std::move(others), std::move(chosen)};
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace degree_values_view

View degreeValuesView() {
    return {
        .id = "degree-values",
        .group = graphsGroup(),
        .title = {TRAINYARD_TEXT("Worth of each number of parts"), {}},
        .summary = {TRAINYARD_TEXT("What the partitioner thought of each number of parts when a graph job arrived."),
                    {}},
        .scope = View::Scope::run,
        .concerns =
            [](const RunIndex& run, JobId) {
                return hasAdmissions(run.workload()) && degree_values_view::seriesByDegree(run, JobId()).has_value();
            },
        .compute = degree_values_view::compute};
}

} // namespace trainyard
