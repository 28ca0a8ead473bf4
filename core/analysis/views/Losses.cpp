// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The evaluated losses of all jobs, or the norms of their gradients, against time or against updates.
#include "analysis/LossCeiling.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace losses_view {

struct Options {
    std::string against = "time", values = "loss", scale = "automatic";
};

const BoundSchema<Options>& options() {
    static const auto schema = bindSchema<Options>(
        choice(&Options::against, "against", "Against", {"time", "updates"}, "What the curves are drawn against."),
        choice(&Options::values, "values", "Values", {"loss", "gradient-norm"}, "What is drawn."),
        choice(&Options::scale, "scale", "Scale", {"automatic", "linear", "logarithmic"},
               "Of the values; automatic: logarithmic where one falls to a tenth."));
    return schema;
}

struct Range {
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
    double ceiling = least; ///< what is above leaves the axis
    bool fallsTenfold = false;
};

std::vector<double> valuesOf(const LossSeries& losses, const Options& chosen) {
    return chosen.values == "loss" ? losses.loss : std::vector<double>(losses.norm.begin(), losses.norm.end());
}

Series curveOf(const ViewRequest& request, std::size_t job, const Options& chosen, Range& range) {
    const LossSeries& all = request.run.jobs()[job].losses;
    const bool byUpdate = chosen.against == "updates";
    // Updates go back only where a job was interrupted.
    const LossSeries kept = byUpdate && !all.breaks.empty() ? keptUpdates(all) : LossSeries{};
    const LossSeries& losses = kept.size() > 0 ? kept : all;
    const std::vector<double>& x = byUpdate ? losses.update : losses.time;
    const std::vector<double> y = valuesOf(losses, chosen);
    const double from = byUpdate ? 0 : request.from, to = byUpdate ? x.back() : std::min(request.to, x.back());
    const auto buckets = static_cast<int>(std::clamp<std::size_t>(request.mostPoints / 4, 1, 1 << 30));
    const LinePoints points = decimated(x, y, from, std::max(to, from + 1e-12), buckets, losses.breaks);
    double first = std::numeric_limits<double>::quiet_NaN();
    for (const double value : points.y) {
        if (!std::isfinite(value)) continue;
        if (std::isnan(first)) first = value;
        range.least = std::min({range.least, value, range.ceiling});
        range.greatest = std::max(range.greatest, std::min(value, range.ceiling));
        range.fallsTenfold = range.fallsTenfold || (value > 0 && first > 10 * value);
    }
    return {.key = request.run.workload().jobs[job].key,
            .label = nameText(request.run.jobName(JobId(job))),
            .role = Role::of(JobId(job)),
            .x = points.x,
            .y = points.y,
            .refs = {{.job = JobId(job)}}};
}

LossCeiling ceilingOf(const ViewRequest& request, const Options& chosen) {
    LossCeiling ceiling;
    for (const JobHistory& job : request.run.jobs()) ceiling.add(valuesOf(job.losses, chosen));
    return ceiling;
}

/// Where the job's curve leaves the axis for good, there is a mark.
void markLeaving(const ViewRequest& request, std::size_t job, const Options& chosen, double ceiling, Plot& plot) {
    const LossSeries& losses = request.run.jobs()[job].losses;
    const std::vector<double> values = valuesOf(losses, chosen);
    const std::size_t at = LossCeiling::leavesAt(values, ceiling);
    if (at >= values.size()) return;
    plot.annotations.push_back(
        {.x = chosen.against == "updates" ? losses.update[at] : losses.time[at],
         .y = ceiling,
         .anchor = Annotation::Anchor::right,
         .text = {TRAINYARD_TEXT("▲ {0}, up to {1}"),
                  {request.run.jobName(JobId(job)), quantityText(*std::ranges::max_element(values))}},
         .role = Role::of(JobId(job))});
}

void setRange(Axis& axis, const Range& range, const std::string& scale) {
    const bool logarithmic =
        range.least > 0 && (scale == "logarithmic" || (scale == "automatic" && range.fallsTenfold));
    if (logarithmic) {
        axis.kind = Axis::Kind::logarithmic;
        axis.from = range.least / 1.25, axis.to = std::min(range.greatest * 1.25, range.ceiling);
        return;
    }
    const double margin = range.greatest > range.least ? 0.06 * (range.greatest - range.least) : 1;
    axis.from = range.least - margin, axis.to = std::min(range.greatest + margin, range.ceiling);
}

Computation compute(const ViewRequest& request) {
    const Options chosen = options().read(request.options);
    Text meaning{
        TRAINYARD_TEXT(
            "The loss of each job wherever it was evaluated; between two of them it is not known. A line "
            "ends where its job is interrupted. The norm is that of the gradient that the last update applied. Losses a "
            "thousand times above all first ones leave the axis, which is marked."),
        {}};
    Chart chart;
    Plot& plot = chart.plot();
    Range range{.ceiling = ceilingOf(request, chosen).value()};
    double updates = 1;
    for (std::size_t j = 0; j < request.run.jobs().size(); ++j) {
        const LossSeries& losses = request.run.jobs()[j].losses;
        if (losses.size() == 0) continue;
        if (chosen.against == "updates") updates = std::max(updates, *std::ranges::max_element(losses.update));
        plot.series.push_back(curveOf(request, j, chosen, range));
        markLeaving(request, j, chosen, range.ceiling, plot);
        const std::size_t now = losses.indexAt(request.at.toSeconds());
        std::optional<Quantity> value;
        if (now < losses.size())
            value = Quantity{chosen.values == "loss" ? losses.loss[now] : static_cast<double>(losses.norm[now]), "", 4};
        LegendItem item = legendLine(plot.series.back().label, value, plot.series.back().role);
        item.ref = {.job = JobId(j)};
        chart.legend.push_back(std::move(item));
    }
    if (!(range.least <= range.greatest))
        return emptyChart({TRAINYARD_TEXT("No loss has been evaluated yet. Press play."), {}}, std::move(meaning));
    if (chosen.against == "time")
        plot.x = timeAxis(std::max(request.run.head().toSeconds(), 1e-9));
    else
        plot.x = {.title = {TRAINYARD_TEXT("updates"), {}}, .key = "update", .from = 0, .to = updates, .whole = true};
    plot.y = chosen.values == "loss"
                 ? Axis{.title = {TRAINYARD_TEXT("loss"), {}}, .key = "loss"}
                 : Axis{.title = {TRAINYARD_TEXT("norm of the gradient"), {}}, .key = "gradient_norm"};
    setRange(plot.y, range, chosen.scale);
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace losses_view

View lossView() {
    return {.id = "loss",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("Loss"), {}},
            .summary = {TRAINYARD_TEXT("Evaluated losses of all jobs, against time or updates."), {}},
            .scope = View::Scope::run,
            .options = losses_view::options().schema,
            .concerns = hasLosses,
            .compute = losses_view::compute};
}

} // namespace trainyard
