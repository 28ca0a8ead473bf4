// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How old copies, replicas and cached values of keys were when younger ones replaced them: a histogram by half decades.
#include "analysis/KeyedCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace copy_ages {

/// log10 of the seconds at which a bucket begins; of the first, one width before its end.
double beginOf(std::size_t bucket) { return -6.5 + 0.5 * static_cast<double>(bucket); }

std::string ageText(std::size_t bucket) { return quantityText(Quantity{std::pow(10, beginOf(bucket)), "s"}); }

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "Of all refreshes of copies, replicas and cached values so far, the share at each age: the time since the "
            "values that were replaced left their owner or were collected. Bars are half a decade wide."),
        {}};
    std::array<double, copyAgeBuckets> counts{};
    double ageSum = 0;
    for (const auto& interval : request.run.fold<KeyedCourse>().intervals(request.job)) {
        if (interval.to > request.at.toSeconds()) break;
        ageSum += interval.ageSum;
        for (std::size_t b = 0; b < counts.size(); ++b) counts[b] += interval.ages[b];
    }
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    if (all == 0) return emptyChart({TRAINYARD_TEXT("No copy has been refreshed yet."), {}}, std::move(meaning));
    Series bars{.kind = Series::Kind::steps,
                .key = "share",
                .label = {TRAINYARD_TEXT("refreshes"), {}},
                .role = Role::hue(0),
                .fill = 0.6,
                .filled = true};
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = {.kind = Axis::Kind::logarithmic,
              .title = {TRAINYARD_TEXT("age when refreshed"), {}},
              .unit = "s",
              .key = "age_s"};
    const auto isUsed = [](double c) { return c > 0; };
    // With an empty bar at either side.
    const auto used = static_cast<std::size_t>(std::ranges::find_if(counts, isUsed) - counts.begin());
    const auto first = used - std::min<std::size_t>(used, 1);
    const auto end = std::min(
        counts.size(),
        static_cast<std::size_t>(std::ranges::find_if(counts.rbegin(), counts.rend(), isUsed).base() - counts.begin()) +
            1);
    for (std::size_t b = first; b < end; ++b) {
        bars.x.push_back(std::pow(10, beginOf(b)));
        bars.y.push_back(counts[b] / all);
        bars.notes.push_back(
            {b == 0 ? TRAINYARD_TEXT("less than {1}: {2} {2:refresh|refreshes}, {3} %")
                    : TRAINYARD_TEXT("{0} to {1}: {2} {2:refresh|refreshes}, {3} %"),
             {ageText(b), ageText(b + 1), groupedText(counts[b], 15), quantityText(100 * counts[b] / all)}});
    }
    bars.x.push_back(std::pow(10, beginOf(end))); // where the last one ends
    plot.x.from = bars.x.front();
    plot.x.to = bars.x.back();
    plot.y = {.title = {TRAINYARD_TEXT("share of refreshes"), {}}, .key = "share"};
    rangeFromZero(plot.y, *std::ranges::max_element(bars.y));
    plot.series.push_back(std::move(bars));
    chart.legend = {
        legendBox({TRAINYARD_TEXT("refreshes"), {}}, count(static_cast<std::size_t>(std::llround(all))), Role::hue(0)),
        legendItem({TRAINYARD_TEXT("mean age"), {}}, Quantity{ageSum / all, "s"})};
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace copy_ages

View copyAgesView() {
    return {
        .id = "copy-ages",
        .group = keysGroup(),
        .title = {TRAINYARD_TEXT("Ages of copies"), {}},
        .summary = {TRAINYARD_TEXT("How old copies, replicas and cached values of keys were when they were refreshed."),
                    {}},
        .concerns = [](const RunIndex& run, JobId job) { return KeyedCourse::concerns(run, job); },
        .compute = copy_ages::compute};
}

} // namespace trainyard
