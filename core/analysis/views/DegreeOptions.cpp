// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The options that a graph job had when it arrived: completion time by number of parts beside its deadline, and what is wrong with the others.
#include "analysis/AdmissionCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace trainyard {

namespace degree_options_view {

Text remarkOn(const GraphOption& option) {
    switch (option.state) {
    case OptionState::inTime: return {};
    case OptionState::late: return {TRAINYARD_TEXT("late"), {}};
    case OptionState::noBlock: return {TRAINYARD_TEXT("no block free"), {}};
    case OptionState::tooFewFree: return {TRAINYARD_TEXT("too few servers free"), {}};
    case OptionState::impossible: return {TRAINYARD_TEXT("no block on the empty cluster"), {}};
    }
    return {};
}

/// "6.51 s", "12.3 s, late"
Text labelOf(const GraphOption& option) {
    const std::string seconds = quantityText(option.seconds, "s");
    return option.state == OptionState::inTime ? nameText(seconds) : Text{TRAINYARD_TEXT("{0}, late"), {seconds}};
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "Completion time of the job by number of parts, with the block of servers that was free for it when it arrived, "
            "and its deadline; what it got is highlighted. Numbers without a bar could not be placed, for the reason "
            "written. The partitioner and \"Why here?\" use the same times."),
        {}};
    const auto& course = request.run.foldSoFar<AdmissionCourse>();
    const auto* arrival = course.arrivalOf(request.job, request.at);
    if (!arrival)
        return emptyChart({TRAINYARD_TEXT("No job that is admitted at once has arrived by now."), {}},
                          std::move(meaning));
    Chart chart;
    chart.title = {request.run.jobName(arrival->job), {}};
    Plot& plot = chart.plot();
    plot.x = {.kind = Axis::Kind::categories, .title = {TRAINYARD_TEXT("parts"), {}}, .key = "parts"};
    plot.y = {.title = {TRAINYARD_TEXT("completion time"), {}}, .unit = "s", .key = "completion_s"};
    Series others{.kind = Series::Kind::bars,
                  .key = "options",
                  .label = {TRAINYARD_TEXT("other options"), {}},
                  .role = Role::muted(1),
                  .width = 0.7};
    Series chosen = others;
    chosen.key = "chosen";
    chosen.label = {TRAINYARD_TEXT("what it got"), {}};
    chosen.role = Role::accent();
    const auto& priced = arrival->priced;
    double most = priced.deadlineSeconds;
    std::size_t serversOfChosen = 0;
    bool moreServers = false; // than parts
    for (std::size_t i = 0; i < priced.options.size(); ++i) {
        const GraphOption& option = priced.options[i];
        plot.x.categories.push_back({{std::to_string(option.degree), {}}, {}});
        if (std::isfinite(option.seconds)) {
            Series& series = option.degree == arrival->degree ? chosen : others;
            series.x.push_back(static_cast<double>(i));
            series.y.push_back(option.seconds);
            series.labels.push_back(labelOf(option));
            series.notes.push_back({TRAINYARD_TEXT("{0} {0:part|parts} on {1} {1:server|servers}: {2}"),
                                    {std::to_string(option.degree), std::to_string(std::popcount(option.servers)),
                                     labelOf(option).english()}});
            moreServers = moreServers || std::popcount(option.servers) > option.degree;
            if (&series == &chosen) serversOfChosen = static_cast<std::size_t>(std::popcount(option.servers));
            most = std::max(most, option.seconds);
        } else {
            plot.annotations.push_back(
                {.x = static_cast<double>(i), .y = 0, .text = remarkOn(option), .role = Role::warning()});
        }
    }
    plot.lines.push_back({.way = ReferenceLine::Way::horizontal,
                          .value = priced.deadlineSeconds,
                          .role = Role::warning(),
                          .dash = Dash::dashed,
                          .label = {TRAINYARD_TEXT("deadline"), {}}});
    rangeFromZero(plot.y, 1.08 * most); // with room for words above the highest
    chart.legend = {legendBox(chosen.label, {}, chosen.role), legendBox(others.label, {}, others.role),
                    legendLine({TRAINYARD_TEXT("deadline"), {}}, Quantity{priced.deadlineSeconds, "s"}, Role::warning(),
                               Dash::dashed)};
    if (serversOfChosen > 0)
        chart.legend.push_back(legendItem({TRAINYARD_TEXT("servers that it got"), {}}, count(serversOfChosen)));
    if (moreServers)
        meaning = {
            TRAINYARD_TEXT("{0} A job may hold more servers than it has parts: operations that may not be split as far "
                           "have a block of servers of their own."),
            {meaning.english()}};
    plot.series = {std::move(others), std::move(chosen)};
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace degree_options_view

View degreeOptionsView() {
    return {
        .id = "degree-options",
        .group = graphsGroup(),
        .title = {TRAINYARD_TEXT("Time per number of parts"), {}},
        .summary = {TRAINYARD_TEXT("What each number of parts would have meant for a graph job when it arrived."), {}},
        .scope = View::Scope::run,
        .concerns = [](const RunIndex& run, JobId) { return hasAdmissions(run.workload()); },
        .compute = degree_options_view::compute};
}

} // namespace trainyard
