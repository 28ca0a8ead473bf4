// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Messages per iteration of a keyed job, by what they are for, as time goes on.
#include "analysis/KeyedCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace trainyard {

namespace key_messages {

constexpr std::array names{
    TRAINYARD_TEXT("pull requests"), TRAINYARD_TEXT("pull answers"),     TRAINYARD_TEXT("pushes"),
    TRAINYARD_TEXT("push answers"),  TRAINYARD_TEXT("localize"),         TRAINYARD_TEXT("hand over"),
    TRAINYARD_TEXT("transfer"),      TRAINYARD_TEXT("replica rounds"),   TRAINYARD_TEXT("clocks"),
    TRAINYARD_TEXT("intents"),       TRAINYARD_TEXT("ends of intents"),  TRAINYARD_TEXT("replicate"),
    TRAINYARD_TEXT("copies"),        TRAINYARD_TEXT("refresh requests"), TRAINYARD_TEXT("refresh answers")};
constexpr std::array keys{"pull-requests",   "pull-answers", "pushes",         "push-answers",     "localize",
                          "hand-over",       "transfer",     "replica-rounds", "clocks",           "intents",
                          "ends-of-intents", "replicate",    "copies",         "refresh-requests", "refresh-answers"};

Computation compute(const ViewRequest& request) {
    const auto intervals = request.run.fold<KeyedCourse>().merged(request.job);
    Text meaning{
        TRAINYARD_TEXT(
            "Messages between machines per iteration of the job, in each interval in which they were counted."),
        {}};
    if (intervals.empty())
        return emptyChart({TRAINYARD_TEXT("No messages have been counted yet. Press play."), {}}, std::move(meaning));
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = timeAxis(intervals.back().to);
    plot.y = {.title = {TRAINYARD_TEXT("messages per iteration"), {}}, .key = "messages_per_iteration"};
    double most = 0, all = 0, iterations = 0;
    for (const auto& interval : intervals)
        if (interval.from <= request.at.toSeconds()) {
            all += std::accumulate(interval.messages.begin(), interval.messages.end(), 0.0);
            iterations += interval.iterations;
        }
    chart.legend.push_back(
        legendItem({TRAINYARD_TEXT("all messages"), {}}, Quantity{iterations > 0 ? all / iterations : 0, ""}));
    for (std::size_t t = 0; t < keyMessageTypes; ++t) {
        Series line{.kind = Series::Kind::steps, .key = keys[t], .label = {names[t], {}}, .role = Role::hue(t)};
        // answers dashed, what moves keys long-dashed, replicas and clocks dotted
        constexpr std::array dashes{Dash::solid,      Dash::dashed,     Dash::solid,      Dash::dashed,
                                    Dash::longDashed, Dash::longDashed, Dash::longDashed, Dash::dotted,
                                    Dash::dotted,     Dash::solid,      Dash::dashed,     Dash::longDashed,
                                    Dash::longDashed, Dash::solid,      Dash::dashed};
        line.dash = dashes[t];
        double sum = 0;
        for (const auto& interval : intervals) {
            // a gap while the job is evaluated
            const double each = interval.iterations > 0 ? interval.messages[t] / interval.iterations
                                                        : std::numeric_limits<double>::quiet_NaN();
            line.x.push_back(interval.from);
            line.y.push_back(each);
            // in the first interval keys are asked for that are used in later ones
            if (&interval != &intervals.front() || intervals.size() < 4) most = std::max(most, each);
            if (interval.from > request.at.toSeconds()) continue;
            sum += interval.messages[t];
        }
        if (std::ranges::all_of(line.y, [](double y) { return !(y > 0); })) continue;
        line.x.push_back(intervals.back().to);
        chart.legend.push_back(
            legendLine(line.label, Quantity{iterations > 0 ? sum / iterations : 0, ""}, line.role, line.dash));
        plot.series.push_back(std::move(line));
    }
    rangeFromZero(plot.y, most);
    // What is higher is said where it leaves the plot.
    std::string above;
    for (const Series& line : plot.series)
        if (line.y.front() > *plot.y.to)
            above += (above.empty() ? "" : ", ") + line.label.english() + " " + quantityText(line.y.front());
    if (!above.empty())
        plot.annotations.push_back({.x = intervals.front().to,
                                    .y = *plot.y.to,
                                    .anchor = Annotation::Anchor::right,
                                    .text = {TRAINYARD_TEXT("↑ at first {0}"), {above}},
                                    .role = Role::muted()});
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace key_messages

View keyMessagesView() {
    return {.id = "key-messages",
            .group = keysGroup(),
            .title = {TRAINYARD_TEXT("Messages per iteration"), {}},
            .summary = {TRAINYARD_TEXT("Messages per iteration of a keyed job, by what they are for."), {}},
            .concerns = [](const RunIndex& run, JobId job) { return KeyedCourse::concerns(run, job); },
            .compute = key_messages::compute};
}

} // namespace trainyard
