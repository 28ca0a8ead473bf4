// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How old the gradients were that updates were made of, as a histogram, beside what theory says of their
// mean.
#include "analysis/UpdateValues.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace staleness_view {

Series barsOf(const StalenessCounts& counts) {
    Series bars{.kind = Series::Kind::bars,
                .key = "share",
                .label = {TRAINYARD_TEXT("gradients used"), {}},
                .role = Role::of(Activity::compute)};
    for (std::size_t i = 0; i < counts.gradients.size(); ++i) {
        if (counts.gradients[i] == 0) continue;
        const double share = static_cast<double>(counts.gradients[i]) / static_cast<double>(counts.total);
        bars.x.push_back(static_cast<double>(i));
        bars.y.push_back(share);
        bars.notes.push_back({TRAINYARD_TEXT("{0} {0:update|updates} old: {1} {1:gradient|gradients}, {2} %"),
                              {std::to_string(i), std::to_string(counts.gradients[i]), quantityText(100 * share)}});
    }
    return bars;
}

Computation compute(const ViewRequest& request) {
    Chart chart;
    chart.meaning = {
        TRAINYARD_TEXT(
            "Updates applied between the parameters that a gradient was computed at (as the servers read "
            "them; of several servers the oldest) and its use, for all gradients used so far. Dashed: the "
            "exact mean, where it is known for any law of the times and requests reach the servers at once: "
            "0 in rounds; (n − k)/k where k gradients make an update and only their workers go on; (n − 1)/k where "
            "all go on; n − 1 where each gradient is an update."),
        {}};
    if (updatesOf(request).gradients().empty()) {
        chart.empty = noGradientsText(request);
        return chart;
    }
    const std::size_t until = updatesUntil(request.run, request.job, request.at);
    const StalenessCounts counts = stalenessOf(request.run, request.job, 0, until);
    const auto policy = synchronizationPolicyOf(request.run, request.job);
    const auto exact =
        policy ? policy->exactMeanStaleness(static_cast<int>(request.run.jobs()[request.job.index()].workers.size()))
               : std::nullopt;
    Plot& plot = chart.plot();
    const double right = std::max({4.0, exact.value_or(0) * 1.2, static_cast<double>(counts.gradients.size())});
    plot.x = {.title = {TRAINYARD_TEXT("staleness (updates between read and use)"), {}},
              .key = "staleness",
              .from = -0.5,
              .to = right + 0.5,
              .whole = true};
    plot.y = {.title = {TRAINYARD_TEXT("share of the gradients used"), {}}, .key = "share"};
    plot.series.push_back(barsOf(counts));
    double most = 0;
    for (const double share : plot.series[0].y) most = std::max(most, share);
    rangeFromZero(plot.y, most);
    chart.legend.push_back(
        legendBox({TRAINYARD_TEXT("gradients used"), {}}, count(counts.total), Role::of(Activity::compute)));
    if (counts.total > 0)
        plot.lines.push_back({.value = counts.mean, .role = Role::of(Activity::waiting), .weight = 1.6});
    chart.legend.push_back(
        legendLine({TRAINYARD_TEXT("mean, measured"), {}}, Quantity{counts.mean, ""}, Role::of(Activity::waiting)));
    if (exact) {
        plot.lines.push_back({.value = *exact, .weight = 1.4, .dash = Dash::dashed});
        chart.legend.push_back(legendLine({TRAINYARD_TEXT("mean, exact"), {}}, Quantity{*exact, ""}, {}, Dash::dashed));
    }
    if (!counts.gradients.empty())
        chart.legend.push_back(legendItem({TRAINYARD_TEXT("greatest"), {}}, count(counts.gradients.size() - 1)));
    return chart;
}

} // namespace staleness_view

View stalenessView() {
    return {.id = "staleness",
            .group = waitingGroup(),
            .title = {TRAINYARD_TEXT("Staleness"), {}},
            .summary = {TRAINYARD_TEXT("How stale the gradients were that updates used."), {}},
            .concerns = hasGradients,
            .compute = staleness_view::compute};
}

} // namespace trainyard
