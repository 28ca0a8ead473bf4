// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The schedules that an arriving job was weighed by: what it would be worth in each slot in which it could end, and what the
// cheapest schedule that ends there costs.
#include "analysis/SlotNotes.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace schedules_view {

/// Those of the last time that the job was weighed.
std::span<const NotedValue> latest(std::span<const NotedValue> noted) {
    if (noted.empty()) return noted;
    const auto from = std::lower_bound(noted.begin(), noted.end(), noted.back().at,
                                       [](const NotedValue& value, SimTime at) { return value.at < at; });
    return noted.subspan(static_cast<std::size_t>(from - noted.begin()));
}

/// The job asked for, if it has been weighed; else the one that was weighed last. It need not have run.
JobId weighedJob(const ViewRequest& request, const SlotNotes& notes) {
    if (request.job.valid() && !notes.series("payoff", request.at, request.job).empty()) return request.job;
    JobId last;
    SimTime at;
    for (std::size_t j = 0; j < request.run.workload().jobs.size(); ++j)
        if (const auto payoff = notes.series("payoff", request.at, JobId(j));
            !payoff.empty() && payoff.back().at >= at) {
            last = JobId(j);
            at = payoff.back().at;
        }
    return last;
}

Series lineOf(std::span<const NotedValue> values, const char* key, Text label, Role role) {
    Series line{.kind = Series::Kind::line, .key = key, .label = std::move(label), .role = role};
    for (const NotedValue& value : values) {
        line.x.push_back(value.first);
        line.y.push_back(value.value);
    }
    return line;
}

Computation compute(const ViewRequest& request) {
    const SlotNotes notes(request.run);
    Text meaning{TRAINYARD_TEXT("At the job's arrival: its utility if it ends in a slot, and the cost of the cheapest "
                                "schedule that ends there, at the prices of that time. The schedule with the highest "
                                "payoff (utility less cost) is reserved; if none is positive, the job is rejected."),
                 {}};
    if (!notes.declares("candidate_cost")) return emptyChart(noSlotsText(), std::move(meaning));
    const JobId job = weighedJob(request, notes);
    if (!job.valid())
        return emptyChart({TRAINYARD_TEXT("No job has been considered yet. Press play."), {}}, std::move(meaning));
    const auto payoff = latest(notes.series("payoff", request.at, job));
    const auto weighedAt = payoff.back().at;
    auto utility = latest(notes.series("candidate_utility", request.at, job)),
         cost = latest(notes.series("candidate_cost", request.at, job));
    if (utility.empty() || utility.back().at < weighedAt)
        return emptyChart({TRAINYARD_TEXT("No schedule of {0} ends within the planned slots: it was rejected."),
                           {request.run.jobName(job)}},
                          std::move(meaning));
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = {.title = {TRAINYARD_TEXT("slot in which it ends"), {}}, .key = "slot", .whole = true};
    plot.x.from = static_cast<double>(utility.front().first) - 0.5;
    plot.x.to = static_cast<double>(utility.back().first) + 0.5;
    plot.y = {.title = {TRAINYARD_TEXT("utility and cost"), {}}, .key = "value"};
    double most = 0;
    for (const auto& values : {utility, cost})
        for (const NotedValue& value : values) most = std::max(most, value.value);
    rangeFromZero(plot.y, most);
    plot.series.push_back(lineOf(utility, "utility", {TRAINYARD_TEXT("utility"), {}}, Role::accent()));
    plot.series.push_back(lineOf(cost, "cost", {TRAINYARD_TEXT("cost"), {}}, Role::warning()));
    const bool admitted = payoff.back().value > 0;
    if (admitted)
        plot.lines.push_back({.value = static_cast<double>(payoff.back().first),
                              .role = Role::of(job),
                              .label = {TRAINYARD_TEXT("promised"), {}},
                              .strong = true});
    const auto at = [&](std::span<const NotedValue> values) -> std::optional<Quantity> {
        for (const NotedValue& value : values)
            if (admitted && value.first == payoff.back().first) return Quantity{value.value, ""};
        return std::nullopt;
    };
    chart.legend = {{.label = nameText(request.run.jobName(job)), .role = Role::of(job), .ref = {.job = job}},
                    legendLine({TRAINYARD_TEXT("utility"), {}}, at(utility), Role::accent()),
                    legendLine({TRAINYARD_TEXT("cost"), {}}, at(cost), Role::warning())};
    if (admitted)
        chart.legend.push_back(legendItem({TRAINYARD_TEXT("payoff"), {}}, Quantity{payoff.back().value, ""}));
    else
        chart.caution = {TRAINYARD_TEXT("Rejected: every schedule costs at least its utility."), {}};
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace schedules_view

View schedulesView() {
    return {.id = "schedules",
            .group = slotsGroup(),
            .title = {TRAINYARD_TEXT("Utility against cost"), {}},
            .summary = {TRAINYARD_TEXT("Utility and cost of a job's schedules when it arrived."), {}},
            .scope = View::Scope::run,
            .concerns = [](const RunIndex& run, JobId) { return SlotNotes(run).declares("candidate_cost"); },
            .compute = schedules_view::compute};
}

} // namespace trainyard
