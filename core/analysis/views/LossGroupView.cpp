// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which share of the workers the jobs with the highest losses have, over time, and those that have all but converged.
#include "analysis/LossCourse.h"
#include "analysis/LossGroups.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace loss_group_view {

constexpr std::size_t mostInstants = 400;

struct Layer {
    LossGroup group;
    const char* key;
    Text label;
    Role role;
};

const std::vector<Layer>& layers() {
    static const std::vector<Layer> all{
        {LossGroup::lowestHalf, "lowest-half", {TRAINYARD_TEXT("half with the lowest losses"), {}}, Role::hue(2)},
        {LossGroup::between, "between", {TRAINYARD_TEXT("quarter between"), {}}, Role::hue(1)},
        {LossGroup::highestQuarter,
         "highest-quarter",
         {TRAINYARD_TEXT("quarter with the highest losses"), {}},
         Role::hue(0)}};
    return all;
}

/// A stack of steps, each from the beginning of a part of the run to its end; of no height where there are no groups.
void addLayer(Plot& plot, const Layer& layer, const LossGroupShares& shares, double part, std::vector<double>& ground) {
    Series area{.kind = Series::Kind::band,
                .key = layer.key,
                .label = layer.label,
                .role = layer.role,
                .fill = 0.75,
                .layer = true,
                .refs = {}};
    Series edge{
        .kind = Series::Kind::steps, .key = std::string(layer.key) + "-edge", .role = layer.role, .weight = 1.4};
    for (std::size_t i = 0; i < shares.seconds.size(); ++i) {
        const double from = part * static_cast<double>(i), known = shares.of(layer.group)[i];
        const double share = std::isfinite(known) ? 100 * known : 0;
        for (const double x : {from, from + part}) {
            area.x.push_back(x);
            area.y.push_back(ground[i] + share);
            area.base.push_back(ground[i]);
        }
        ground[i] += share;
        edge.x.push_back(from);
        edge.y.push_back(ground[i]);
    }
    edge.x.push_back(part * static_cast<double>(shares.seconds.size()));
    plot.series.push_back(std::move(area));
    plot.series.push_back(std::move(edge));
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "Active jobs (arrived and not over) are sorted by their normalised loss, (L − L_min)/(L_first − L_min); the "
            "areas are the shares of the workers on machines that the highest quarter, the lowest half and those "
            "between hold. Equal division gives shares like those of the jobs: 25, 25 and 50 %. Fewer than four "
            "active jobs make no groups. The numbers are means over the run."),
        {}};
    const double end = request.run.head().toSeconds();
    const std::size_t parts = std::max<std::size_t>(1, std::min(mostInstants, request.mostPoints / 2));
    const LossGroupShares shares = lossGroupShares(request.run, parts);
    if (!std::isfinite(shares.mean(LossGroup::highestQuarter)))
        return emptyChart({TRAINYARD_TEXT("Fewer than four jobs were active at the same time so far."), {}},
                          std::move(meaning));
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = timeAxis(end);
    plot.y = {.title = {TRAINYARD_TEXT("share of the workers"), {}},
              .unit = "%",
              .key = "worker_share_percent",
              .from = 0,
              .to = 100};
    std::vector<double> ground(shares.seconds.size(), 0);
    for (const Layer& layer : layers()) {
        addLayer(plot, layer, shares, end / static_cast<double>(parts), ground);
        chart.legend.insert(chart.legend.begin(),
                            legendBox(layer.label, Quantity{100 * shares.mean(layer.group), "%"}, layer.role));
    }
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace loss_group_view

View lossGroupView() {
    return {
        .id = "loss-groups",
        .group = qualityGroup(),
        .title = {TRAINYARD_TEXT("Workers by loss group"), {}},
        .summary = {TRAINYARD_TEXT("Which share of the workers the jobs with the highest losses hold, over time."), {}},
        .scope = View::Scope::run,
        .concerns =
            [](const RunIndex& run, JobId) {
                return run.workload().jobs.size() >= LossGroupShares::fewestJobs && hasLosses(run, {});
            },
        .compute = loss_group_view::compute};
}

} // namespace trainyard
