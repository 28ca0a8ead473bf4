// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How many updates a job makes per second as time goes on: what stragglers, failures and another k do to its
// pace.
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace updates_per_second_view {

struct Options {
    int bins = 100;
};

const BoundSchema<Options>& options() {
    static const auto schema = bindSchema<Options>(
        field(&Options::bins, "bins", "Bins", {2, 10000}, "", "Number of equal parts of the job's time."));
    return schema;
}

Computation compute(const ViewRequest& request) {
    const JobHistory& job = request.run.jobs()[request.job.index()];
    const auto& times = job.updateTimes;
    Text meaning{TRAINYARD_TEXT("Updates of the parameters in each bin, divided by its length."), {}};
    if (times.empty())
        return emptyChart({TRAINYARD_TEXT("No update has been made yet. Press play."), {}}, std::move(meaning));
    const int bins = options().read(request.options).bins;
    const double end = std::max(std::min(request.run.head(), job.endedAt()).toSeconds(), 1e-9), width = end / bins;
    Series rate{.kind = Series::Kind::steps,
                .key = "updates-per-second",
                .role = Role::of(request.job),
                .refs = {{.job = request.job}}};
    const auto before = [&](double seconds) { return std::lower_bound(times.begin(), times.end(), seconds); };
    for (int b = 0; b < bins; ++b) {
        const auto last = b + 1 < bins ? before((b + 1) * width) : times.end();
        rate.x.push_back(b * width);
        rate.y.push_back(static_cast<double>(last - before(b * width)) / width);
    }
    rate.x.push_back(end);
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = timeAxis(end);
    plot.y = {.title = {TRAINYARD_TEXT("updates per second"), {}}, .key = "updates_per_s"};
    rangeFromZero(plot.y, *std::max_element(rate.y.begin(), rate.y.end()));
    const auto now = static_cast<std::size_t>(std::clamp(request.at.toSeconds() / width, 0.0, bins - 1.0));
    chart.legend = {legendLine({TRAINYARD_TEXT("updates per second"), {}}, Quantity{rate.y[now], ""}, rate.role),
                    legendItem({TRAINYARD_TEXT("mean"), {}}, Quantity{static_cast<double>(times.size()) / end, ""})};
    chart.meaning = std::move(meaning);
    plot.series.push_back(std::move(rate));
    return chart;
}

} // namespace updates_per_second_view

View updatesPerSecondView() {
    return {.id = "updates-per-second",
            .group = waitingGroup(),
            .title = {TRAINYARD_TEXT("Updates per second"), {}},
            .summary = {TRAINYARD_TEXT("How many updates a job makes per second, over time."), {}},
            .options = updates_per_second_view::options().schema,
            .concerns = hasGradients,
            .compute = updates_per_second_view::compute};
}

} // namespace trainyard
