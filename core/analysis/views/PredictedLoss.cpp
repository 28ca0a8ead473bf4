// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The losses of a job beside those that its scheduler predicted, how they are expected to go on, how far predictions were off, and how many
// workers the job has had.
#include "analysis/LossForecast.h"
#include "analysis/PredictionErrors.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace predicted_loss_view {

/// As the run's scheduler fits losses, where its parameters say.
PredictedGains::Rules rulesOf(const RunIndex& run) {
    PredictedGains::Rules rules;
    if (!run.source().scenario) return rules;
    const ParamValues& given = run.source().scenario->policies.scheduler.parameters;
    if (const auto it = given.find("curve"); it != given.end())
        if (const auto* curve = std::get_if<std::string>(&it->second); curve && *curve != "true") rules.curve = *curve;
    const auto numberOf = [&](const char* key, double otherwise) {
        const auto it = given.find(key);
        if (it == given.end()) return otherwise;
        if (const auto* whole = std::get_if<std::int64_t>(&it->second)) return static_cast<double>(*whole);
        const auto* real = std::get_if<double>(&it->second);
        return real ? *real : otherwise;
    };
    rules.decay = numberOf("decay", rules.decay);
    rules.window = static_cast<int>(numberOf("window", rules.window));
    return rules;
}

/// Of the first `known` losses, at most so many: of each of equal parts the first, the least, the greatest and the last.
std::vector<std::size_t> shown(const LossSeries& losses, std::size_t known, std::size_t most) {
    std::vector<std::size_t> out;
    const std::size_t parts = known > most ? std::max<std::size_t>(1, most / 4) : known;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t begin = known * part / parts, end = known * (part + 1) / parts;
        std::size_t least = begin, greatest = begin;
        for (std::size_t i = begin + 1; i < end; ++i) {
            if (losses.loss[i] < losses.loss[least]) least = i;
            if (losses.loss[i] > losses.loss[greatest]) greatest = i;
        }
        for (const std::size_t i : {begin, std::min(least, greatest), std::max(least, greatest), end - 1})
            if (out.empty() || i > out.back()) out.push_back(i);
    }
    return out;
}

/// Half as many updates as were done, ten at least, and not beyond the job's last.
LossForecast forecastOf(const ViewRequest& request, const LossSeries& losses, std::size_t known) {
    if (known == 0) return {};
    const Job& job = request.run.workload().job(request.job);
    const double done = losses.update[known - 1];
    double most = std::max(10.0, done / 2);
    if (job.stop.iterations) most = std::min(most, static_cast<double>(*job.stop.iterations) - done);
    if (most < 1 || request.run.jobs()[request.job.index()].endedAt() <= request.at) return {};
    return forecastLosses(losses, known, rulesOf(request.run).of(job), job.finalLoss, most);
}

void addForecast(Plot& plot, const LossForecast& forecast, double from) {
    Series line{
        .key = "expected", .label = {TRAINYARD_TEXT("expected"), {}}, .role = Role::hue(1), .dash = Dash::dashed};
    Series band{.kind = Series::Kind::band,
                .key = "expected-error",
                .label = {TRAINYARD_TEXT("twice the error so far ahead"), {}},
                .role = Role::hue(1)};
    for (std::size_t i = 0; i < forecast.ahead.size(); ++i) {
        line.x.push_back(from + forecast.ahead[i]);
        line.y.push_back(forecast.loss[i]);
        if (i >= forecast.error.size()) continue;
        band.x.push_back(line.x.back());
        band.y.push_back(forecast.loss[i] + 2 * forecast.error[i]);
        band.base.push_back(forecast.loss[i] - 2 * forecast.error[i]);
    }
    if (!band.x.empty()) plot.series.push_back(std::move(band));
    if (!line.x.empty()) plot.series.push_back(std::move(line));
}

/// Over updates: what it was when each loss was evaluated, and where it changed between two.
Plot workersPlot(const ViewRequest& request, const Axis& updates, std::size_t known) {
    const JobHistory& job = request.run.jobs()[request.job.index()];
    Plot plot;
    plot.x = updates;
    plot.y = {.title = {TRAINYARD_TEXT("workers"), {}}, .key = "workers", .from = 0, .whole = true};
    plot.row = 1;
    plot.share = 0.45;
    Series steps{.kind = Series::Kind::steps,
                 .key = "workers",
                 .label = {TRAINYARD_TEXT("workers"), {}},
                 .role = Role::of(request.job)};
    const StepSeries& placed = job.placed();
    const double end = request.at.toSeconds();
    for (std::size_t i = 0; i < placed.size() && placed.time(i) <= end; ++i) {
        const auto value = known > 0 ? valueAt(updates, SimTime::seconds(placed.time(i))) : std::nullopt;
        steps.x.push_back(value.value_or(0));
        steps.y.push_back(placed.value(i));
        steps.refs.push_back({.job = request.job, .at = SimTime::seconds(placed.time(i))});
    }
    if (known > 0 && !steps.x.empty()) { // to the last loss
        steps.x.push_back(job.losses.update[known - 1]);
        steps.y.push_back(std::nan("")); // nobody knows further on
        steps.refs.push_back(steps.refs.back());
    }
    plot.series.push_back(std::move(steps));
    return plot;
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "Dots: the loss that the scheduler expected after an update when it divided the workers; line: the loss that came. "
            "Dashed: the fitted curve from here on, with twice the root mean square error of such predictions so far, of three or "
            "more. Below: the job's workers."),
        {}};
    const auto noted = predictedLosses(request.run, request.job, request.at);
    if (noted.empty())
        return emptyChart({TRAINYARD_TEXT("The scheduler has not predicted a loss of this job."), {}},
                          std::move(meaning));
    const LossSeries& losses = request.run.jobs()[request.job.index()].losses;
    const std::size_t last = losses.indexAt(request.at.toSeconds()), known = last < losses.size() ? last + 1 : 0;
    Series line{.key = "loss", .label = {TRAINYARD_TEXT("loss"), {}}, .role = Role::accent()};
    Series dots{.kind = Series::Kind::points,
                .key = "predicted",
                .label = {TRAINYARD_TEXT("predicted"), {}},
                .role = Role::hue(1),
                .weight = 0.7};
    Axis updates{.title = {TRAINYARD_TEXT("update"), {}}, .key = "update", .whole = true};
    updates.to = 0; // the same for both plots
    for (const std::size_t i : losses.breaks)
        if (i > 0 && i <= known) updates.to = std::max(*updates.to, losses.update[i - 1]); // lost since, perhaps
    for (const std::size_t i : shown(losses, known, request.mostPoints)) {
        line.x.push_back(losses.update[i]);
        line.y.push_back(losses.loss[i]);
        line.refs.push_back({.job = request.job, .at = SimTime::seconds(losses.time[i])});
        updates.to = std::max(*updates.to, losses.update[i]);
        if (updates.knots.empty() || losses.update[i] > updates.knots.back().value)
            updates.knots.push_back({losses.update[i], SimTime::seconds(losses.time[i])});
    }
    for (const NotedValue& p : noted) {
        dots.x.push_back(p.first);
        dots.y.push_back(p.value);
        dots.refs.push_back({.job = request.job, .at = p.at});
    }
    const PredictionErrors errors = predictionErrors(noted, losses, known);
    const auto mean = [&](double sum) {
        return errors.due > 0 ? std::optional(Quantity{sum / static_cast<double>(errors.due), ""}) : std::nullopt;
    };
    const LossForecast forecast = forecastOf(request, losses, known);
    updates.from = 0;
    if (!forecast.ahead.empty()) updates.to = std::max(*updates.to, line.x.back() + forecast.ahead.back());
    for (const double x : dots.x) updates.to = std::max(*updates.to, x);
    if (!(*updates.to > 0)) updates.to = 1;
    Chart chart;
    chart.plot().x = updates;
    chart.plot().y = {.title = {TRAINYARD_TEXT("loss"), {}}, .key = "loss"};
    chart.legend = {
        legendLine(line.label, known > 0 ? std::optional(Quantity{losses.loss[last], ""}) : std::nullopt, line.role),
        legendItem(dots.label, Quantity{noted.back().value, ""}, dots.role, LegendItem::Swatch::cell),
        legendItem({TRAINYARD_TEXT("predictions that came due"), {}}, count(errors.due)),
        legendItem({TRAINYARD_TEXT("their mean error"), {}}, mean(errors.predicted)),
        legendItem({TRAINYARD_TEXT("error if the loss stayed"), {}}, mean(errors.held)),
        legendItem({TRAINYARD_TEXT("error if it fell as before"), {}}, mean(errors.lastChange))};
    if (!forecast.loss.empty())
        chart.legend.insert(chart.legend.begin() + 2,
                            legendLine({TRAINYARD_TEXT("expected"), {}}, Quantity{forecast.loss.back(), ""},
                                       Role::hue(1), Dash::dashed));
    if (!forecast.error.empty())
        chart.legend.insert(
            chart.legend.begin() + 3,
            legendBox({TRAINYARD_TEXT("expected ± twice the error so far ahead"), {}}, std::nullopt, Role::hue(1)));
    addForecast(chart.plot(), forecast, known > 0 ? losses.update[last] : 0);
    chart.plot().series.push_back(std::move(line));
    chart.plot().series.push_back(std::move(dots));
    chart.plots.push_back(workersPlot(request, updates, known));
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace predicted_loss_view

View predictedLossView() {
    return {
        .id = "predicted-loss",
        .group = {TRAINYARD_TEXT("Jobs"), {}},
        .title = {TRAINYARD_TEXT("Predicted loss"), {}},
        .summary = {TRAINYARD_TEXT("Losses beside those that the scheduler predicted, and how far they were off."), {}},
        .concerns = [](const RunIndex& run, JobId job) { return !predictedLosses(run, job, SimTime::never()).empty(); },
        .compute = predicted_loss_view::compute};
}

} // namespace trainyard
