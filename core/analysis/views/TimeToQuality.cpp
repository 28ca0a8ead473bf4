// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How many jobs have come to 90, 95 and 99 % of the drop of their loss, by the time since their arrival.
#include "analysis/LossCourse.h"
#include "analysis/views/ViewParts.h"
#include "record/LossQuality.h"

#include <algorithm>

namespace trainyard {

namespace time_to_quality_view {

Series lineOf(std::vector<std::pair<double, JobId>> times, double share, std::size_t jobs, std::size_t hue) {
    std::sort(times.begin(), times.end());
    const std::string percent = quantityText(100 * share, "%");
    Series line{.kind = Series::Kind::steps,
                .key = "to-" + std::to_string(static_cast<int>(100 * share + 0.5)),
                .label = {TRAINYARD_TEXT("{0} of the drop"), {percent}},
                .role = Role::hue(hue),
                .weight = 1.6,
                .x = {0},
                .y = {0},
                .refs = {ElementRef{}}};
    for (std::size_t i = 0; i < times.size(); ++i) {
        line.x.push_back(times[i].first);
        line.y.push_back(static_cast<double>(i + 1) / static_cast<double>(jobs));
        line.refs.push_back({.job = times[i].second});
    }
    return line;
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "The share of the jobs that have arrived whose loss came down by 90, 95 and 99 % of the way from the first "
            "loss to L_min within so many seconds of their arrival. L_min is the limit of an analytic job's curve; of a "
            "trained job, the least of the run so far. Jobs that have not come so far keep a line below 1."),
        {}};
    const RunIndex& run = request.run;
    std::size_t arrived = 0;
    std::array<std::vector<std::pair<double, JobId>>, LossQuality::levels.size()> times;
    for (std::size_t j = 0; j < run.jobs().size(); ++j) {
        if (run.jobs()[j].arrived() == SimTime::never() || run.workload().jobs[j].kind() == JobKind::graph) continue;
        ++arrived;
        const auto seconds = secondsToShares(run, JobId(j), LossQuality::levels);
        for (std::size_t level = 0; level < times.size(); ++level)
            if (seconds[level]) times[level].emplace_back(*seconds[level], JobId(j));
    }
    if (times[0].empty())
        return emptyChart({TRAINYARD_TEXT("No job's loss has come down by 90 % yet."), {}}, std::move(meaning));
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = {.title = {TRAINYARD_TEXT("time since arrival"), {}}, .unit = "s", .key = "seconds_since_arrival"};
    plot.y = {.title = {TRAINYARD_TEXT("share of jobs"), {}}, .key = "share_of_jobs", .from = 0, .to = 1};
    double most = 0;
    for (std::size_t level = 0; level < times.size(); ++level) {
        plot.series.push_back(lineOf(times[level], LossQuality::levels[level], arrived, level));
        most = std::max(most, plot.series.back().x.back());
        const Series& line = plot.series.back();
        chart.legend.push_back(legendLine(line.label, Quantity{100 * line.y.back(), "%"}, line.role));
    }
    rangeFromZero(plot.x, std::max(most, 1e-9));
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace time_to_quality_view

View timeToQualityView() {
    return {.id = "time-to-quality",
            .group = qualityGroup(),
            .title = {TRAINYARD_TEXT("Time to 90, 95 and 99 %"), {}},
            .summary = {TRAINYARD_TEXT("How long jobs take until most of their loss is gone: distributions over jobs."),
                        {}},
            .scope = View::Scope::run,
            .concerns = [](const RunIndex& run, JobId) { return run.workload().jobs.size() > 1 && hasLosses(run, {}); },
            .compute = time_to_quality_view::compute};
}

} // namespace trainyard
