// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Time, computation and communication traded against each other: what the whole way to the target would cost
// if samples or messages had a price, and where the policy's own prices are.
#include "analysis/TradeOffs.h"
#include "analysis/UpdateValues.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace trade_off_view {

constexpr double slowest = 4; // trajectories that take longer than so many times the fastest are not shown

double shareOf(const TradeOffs& offs, const Trajectory& one, bool samples) {
    const double whole = samples ? offs.fastest.samples : offs.fastest.messages;
    return whole > 0 ? 100 * (samples ? one.samples : one.messages) / whole : 0;
}

Role roleOf(bool samples) { return Role::of(samples ? Activity::compute : Activity::transfer); }

Text labelOf(bool samples) {
    return samples ? Text{TRAINYARD_TEXT("samples assigned"), {}} : Text{TRAINYARD_TEXT("messages"), {}};
}

/// As the price of samples rises, or that of messages.
Series lineOf(const TradeOffs& offs, bool priceOfMessages, bool samples, JobId job) {
    Series line{.key = std::string(samples ? "samples" : "messages") +
                       (priceOfMessages ? ", price on messages" : ", price on samples"),
                .label = labelOf(samples),
                .role = roleOf(samples),
                .weight = 1.4,
                .dash = priceOfMessages ? Dash::dashed : Dash::solid,
                .refs = {{.job = job}}};
    for (const Trajectory& one : priceOfMessages ? offs.message : offs.sample) {
        if (one.seconds > slowest * offs.fastest.seconds) continue;
        line.x.push_back(one.seconds);
        line.y.push_back(shareOf(offs, one, samples));
        line.notes.push_back(
            {TRAINYARD_TEXT("{0} = {1} s: {2}, samples {3} %, messages {4} %"),
             {priceOfMessages ? "λ₂" : "λ₁", quantityText(priceOfMessages ? one.prices.message : one.prices.sample),
              quantityText(one.seconds, "s"), quantityText(shareOf(offs, one, true)),
              quantityText(shareOf(offs, one, false))}});
    }
    return line;
}

void addLegend(const TradeOffs& offs, Chart& chart) {
    for (const bool samples : {true, false})
        chart.legend.push_back(
            legendLine(labelOf(samples), Quantity{shareOf(offs, offs.now, samples), "%"}, roleOf(samples)));
    chart.legend.push_back(legendLine({TRAINYARD_TEXT("price on messages"), {}}, {}, {}, Dash::dashed));
    chart.legend.push_back(legendItem({TRAINYARD_TEXT("current time"), {}}, Quantity{offs.now.seconds, "s"}));
    const auto plain = [&](Text label, Text value) {
        chart.legend.push_back(legendItem(std::move(label)));
        chart.legend.back().text = std::move(value);
    };
    plain({TRAINYARD_TEXT("current λ₁, λ₂"), {}},
          nameText(quantityText(offs.now.prices.sample) + " s, " + quantityText(offs.now.prices.message) + " s"));
    plain(offs.ownTarget ? Text{TRAINYARD_TEXT("error, from and to"), {}}
                         : Text{TRAINYARD_TEXT("error, from and to (job has no target)"), {}},
          nameText(quantityText(offs.from) + " → " + quantityText(offs.to)));
}

Text meaning() {
    return {
        TRAINYARD_TEXT("Expected cost of training up to the target. Solid: with a price λ₁ per sample (cost "
                       "of computation), dashed: with a price λ₂ per message (cost of communication). The "
                       "price rises from left to right: training takes longer and needs fewer of them. The dots are "
                       "the current prices: move the sliders under Policies."),
        {}};
}

Chart chartOf(const std::optional<TradeOffs>& offs, JobId job) {
    if (!offs)
        return emptyChart(
            {TRAINYARD_TEXT("The values that the policy has recorded by now do not give a model of the error, or "
                            "no option reaches the target."),
             {}},
            meaning());
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = {.title = {TRAINYARD_TEXT("expected time to the target"), {}}, .unit = "s", .key = "seconds"};
    plot.y = {.title = {TRAINYARD_TEXT("of the fastest trajectory"), {}}, .unit = "%", .key = "percent"};
    double longest = 1.05 * offs->now.seconds, most = 105;
    for (const bool messages : {false, true})
        for (const bool samples : {true, false}) {
            plot.series.push_back(lineOf(*offs, messages, samples, job));
            for (const double x : plot.series.back().x) longest = std::max(longest, x);
            for (const double y : plot.series.back().y) most = std::max(most, y);
        }
    for (const bool samples : {true, false})
        plot.series.push_back({.kind = Series::Kind::points,
                               .key = samples ? "samples, now" : "messages, now",
                               .label = labelOf(samples),
                               .role = roleOf(samples),
                               .weight = 1.2,
                               .x = {offs->now.seconds},
                               .y = {shareOf(*offs, offs->now, samples)},
                               .refs = {{.job = job}}});
    plot.x.from = offs->fastest.seconds - 0.02 * (longest - offs->fastest.seconds);
    plot.x.to = std::max(longest, 1.02 * offs->fastest.seconds);
    rangeFromZero(plot.y, 1.03 * most);
    addLegend(*offs, chart);
    chart.meaning = meaning();
    return chart;
}

Computation compute(const ViewRequest& request) {
    if (Text why = whyNoRates(request.run, request.job, request.at); !why.empty())
        return emptyChart(std::move(why), meaning());
    const auto inputs = tradeOffInputs(request.run, request.job, request.at);
    if (!inputs) return chartOf(std::nullopt, request.job);
    using Value = std::optional<TradeOffs>;
    const auto memo = request.run.memo();
    const std::string job = std::to_string(request.job.value),
                      name = job + "/" + std::to_string(inputs->choice->number);
    if (const auto known = memo->find<Value>(name)) return chartOf(*known, request.job);
    // Of another choice of the same job, until that of now is there.
    const auto before = memo->find<Value>(job);
    return {before ? chartOf(*before, request.job) : emptyChart(computingText(), meaning()),
            [=, id = request.job](const std::stop_token&) -> Picture {
                const auto made = memo->keep(name, std::make_shared<const Value>(tradeOffs(*inputs)));
                memo->keep(job, made);
                return chartOf(*made, id);
            }};
}

} // namespace trade_off_view

View tradeOffView() {
    return {.id = "trade-off",
            .group = waitingGroup(),
            .title = {TRAINYARD_TEXT("Time against work"), {}},
            .summary = {TRAINYARD_TEXT(
                            "Cost of training in time, samples and messages if samples or messages had a price."),
                        {}},
            .concerns = choosesByRates,
            .compute = trade_off_view::compute};
}

} // namespace trainyard
