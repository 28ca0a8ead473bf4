// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How long it takes until k workers have answered, against k: for the workers as placed, for each of their
// laws, and for well-known laws of the same mean.
#include "analysis/UpdateValues.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace response_times_view {

using Curves = std::vector<ResponseTimeCurve>;
using Kind = ResponseTimeCurve::Kind;

/// What the chart needs of the run at the instant.
struct Now {
    std::size_t k = 0; ///< of the last update; 0: none yet
    double load = 1;
    std::vector<MeanTime> measured;
};

Text nameOf(const ResponseTimeCurve& curve) {
    if (curve.kind == Kind::placed) return {TRAINYARD_TEXT("as placed, β = {0}"), {quantityText(curve.load)}};
    if (curve.kind == Kind::alike) return {TRAINYARD_TEXT("all like {0}"), {curve.name}};
    if (curve.name == "constant") return {TRAINYARD_TEXT("constant, same mean"), {}};
    if (curve.name == "exponential") return {TRAINYARD_TEXT("exponential, same mean"), {}};
    return {TRAINYARD_TEXT("Pareto α = 2, same mean"), {}};
}

Dash dashOf(const ResponseTimeCurve& curve) {
    if (curve.kind != Kind::reference) return Dash::solid;
    if (curve.name == "constant") return Dash::longDashed;
    return curve.name == "exponential" ? Dash::dashed : Dash::dotted;
}

Role roleOf(const Curves& curves, std::size_t i) {
    if (curves[i].kind == Kind::placed) return Role::of(i == 0 ? Activity::compute : Activity::update);
    if (curves[i].kind == Kind::alike) return Role::hue(i + 1);
    std::size_t first = 0;
    while (curves[first].kind != Kind::reference) ++first;
    return Role::muted(i - first);
}

std::string keyOf(const ResponseTimeCurve& curve) {
    static const char* const kinds[] = {"as placed", "all like ", "same mean, "};
    const std::string kind = kinds[static_cast<std::size_t>(curve.kind)];
    return curve.kind == Kind::placed ? kind + ", load " + quantityText(curve.load) : kind + curve.name;
}

Series lineOf(const Curves& curves, std::size_t i) {
    const ResponseTimeCurve& curve = curves[i];
    const Text name = nameOf(curve);
    Series line{.key = keyOf(curve),
                .label = name,
                .role = roleOf(curves, i),
                .weight = curve.kind == Kind::placed ? 1.6 : 1,
                .dash = dashOf(curve),
                .inRange = curve.kind != Kind::reference};
    for (std::size_t k = 0; k < curve.means.size(); ++k) {
        line.x.push_back(static_cast<double>(k + 1));
        line.y.push_back(std::isfinite(curve.means[k]) ? curve.means[k] : std::numeric_limits<double>::quiet_NaN());
        line.notes.push_back({TRAINYARD_TEXT("{0} of {1} {1:response|responses} after {2} ({3})"),
                              {std::to_string(k + 1), std::to_string(curve.means.size()),
                               quantityText(curve.means[k], "s"), name.english()}});
    }
    return line;
}

/// Of the updates that waited for the same number of workers in synchronous rounds.
void addMeasured(Plot& plot, const Now& now) {
    Series whole{.kind = Series::Kind::points,
                 .key = "measured",
                 .label = {TRAINYARD_TEXT("measured"), {}},
                 .role = Role::of(Activity::compute),
                 .inRange = false};
    Series part = whole;
    part.key = "measured, load " + quantityText(now.load);
    part.role = Role::of(Activity::update);
    for (const MeanTime& mean : now.measured) {
        const bool isWhole = std::abs(mean.load - 1) < 1e-3;
        if (!isWhole && std::abs(mean.load - now.load) > 2e-3) continue;
        Series& series = isWhole ? whole : part;
        series.x.push_back(static_cast<double>(mean.k));
        series.y.push_back(mean.seconds);
        series.notes.push_back(
            {TRAINYARD_TEXT("measured: {0} {0:response|responses} after {1}, mean of {2} {2:update|updates}"),
             {std::to_string(mean.k), quantityText(mean.seconds, "s"), std::to_string(mean.updates)}});
    }
    for (Series* series : {&whole, &part})
        if (!series->x.empty()) plot.series.push_back(std::move(*series));
}

Text meaning() {
    return {TRAINYARD_TEXT("μ(k), the expected time until k of n workers have responded: reading, computing β of "
                           "the batch, sending, by the laws declared in the cluster. Dashed: the same mean under "
                           "other laws. Dots: measured, mean time between updates that waited for k."),
            {}};
}

Chart chartOf(const Curves& curves, const Now& now) {
    Chart chart;
    Plot& plot = chart.plot();
    double most = 0;
    std::size_t n = 1;
    for (const ResponseTimeCurve& curve : curves) {
        n = std::max(n, curve.means.size());
        if (curve.kind == Kind::reference) continue;
        for (const double mean : curve.means)
            if (std::isfinite(mean)) most = std::max(most, mean);
    }
    plot.x = {.title = {TRAINYARD_TEXT("responses waited for, k"), {}}, .key = "k", .whole = true};
    plot.x.from = n > 1 ? 1 : 0.5;
    plot.x.to = n > 1 ? static_cast<double>(n) : 1.5;
    plot.y = {.title = {TRAINYARD_TEXT("expected time"), {}}, .unit = "s", .key = "mean_s"};
    rangeFromZero(plot.y, 1.05 * most);
    for (std::size_t i = curves.size(); i-- > 0;) plot.series.push_back(lineOf(curves, i)); // as placed on top
    if (now.k > 0) plot.lines.push_back({.value = static_cast<double>(now.k), .weight = 2.0 / 3, .dash = Dash::dotted});
    addMeasured(plot, now);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        std::optional<Quantity> mean;
        if (now.k >= 1 && now.k <= curves[i].means.size()) mean = Quantity{curves[i].means[now.k - 1], "s"};
        chart.legend.push_back(legendLine(nameOf(curves[i]), mean, roleOf(curves, i), dashOf(curves[i])));
    }
    std::optional<Quantity> k;
    if (now.k > 0) k = count(now.k);
    chart.legend.push_back(legendLine({TRAINYARD_TEXT("current k"), {}}, k, {}, Dash::dotted));
    chart.meaning = meaning();
    return chart;
}

Computation compute(const ViewRequest& request) {
    const UpdateLog& updates = updatesOf(request);
    if (updates.gradients().empty()) return emptyChart(noGradientsText(request), meaning());
    const std::size_t until = updatesUntil(request.run, request.job, request.at);
    Now now{.measured = meanTimes(request.run, request.job, until)};
    if (until > 0) {
        now.k = updates.gradientsOf(until - 1);
        now.load = loadOfUpdate(request.run, request.job, until - 1);
    } else if (updates.size() > 0) {
        now.load = loadOfUpdate(request.run, request.job, 0);
    }
    if (!(now.load > 0)) now.load = 1;
    const std::vector<double> loads = now.load < 1 ? std::vector<double>{1, now.load} : std::vector<double>{1};
    const auto memo = request.run.memo();
    const std::string job = std::to_string(request.job.value), name = job + "/" + quantityText(now.load, "", 9);
    if (const auto known = memo->find<Curves>(name)) return chartOf(*known, now);
    // Those of another load of the same job stay until the new ones are there.
    const auto before = memo->find<Curves>(job);
    return {before ? chartOf(*before, now) : emptyChart(computingText(), meaning()),
            [=, workload = request.run.source().workload, id = request.job,
             inputs = responseInputs(request.run, request.job)](const std::stop_token&) -> Picture {
                const auto made =
                    memo->keep(name, responseTimeCurves(workload, id, inputs.placement, inputs.messageBytes, loads));
                memo->keep(job, made);
                return chartOf(*made, now);
            }};
}

} // namespace response_times_view

View responseTimesView() {
    return {.id = "response-times",
            .group = waitingGroup(),
            .title = {TRAINYARD_TEXT("Time until k responses"), {}},
            .summary = {TRAINYARD_TEXT("Time until k workers have responded, expected and measured, against k."), {}},
            .concerns = hasGradients,
            .compute = response_times_view::compute};
}

} // namespace trainyard
