// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which k is best, over the tail of the computing times and the share of communication: a map for as many
// workers as the job has, at the error of now where that is known.
#include "analysis/TailMap.h"
#include "analysis/TradeOffs.h"
#include "analysis/UpdateValues.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace best_k_view {

std::optional<ErrorNow> errorAt(const ViewRequest& request) {
    const ChoiceNow now = choiceAt(request.run, request.job, request.at);
    if (!now.choice) return std::nullopt;
    const double batch = batchOf(request.run.workload().job(request.job));
    const auto model = modelOf(*now.choice, batch);
    return model ? std::optional(ErrorNow{*model, now.error, batch}) : std::nullopt;
}

Text meaning(bool errorKnown) {
    if (errorKnown)
        return {TRAINYARD_TEXT("Best k if compute times are Pareto and communication exponential, with a fixed total "
                               "mean. Best: lowers the current error fastest, by the policy's model. The map changes "
                               "during training."),
                {}};
    return {TRAINYARD_TEXT("Best k if compute times are Pareto and communication exponential, with a fixed total "
                           "mean. Best: most gradients used per second; a model of the error is not known for this "
                           "job."),
            {}};
}

Axis numbers(const std::vector<double>& values, double scale, const char* unit) {
    Axis axis{.kind = Axis::Kind::categories};
    for (const double value : values) axis.categories.push_back({nameText(quantityText(scale * value, unit)), {}});
    return axis;
}

Series mapOf(const TailMap& map, const std::optional<ErrorNow>& now) {
    Series series{.kind = Series::Kind::cells, .key = "best-k", .label = {TRAINYARD_TEXT("best k"), {}}};
    Cells& cells = series.cells;
    cells.columns = map.tails.size();
    cells.rows = map.shares.size();
    cells.scale = {ColourScale::Kind::accent,
                   1,
                   static_cast<double>(std::max(2, map.workers)),
                   true,
                   {TRAINYARD_TEXT("best k"), {}}};
    cells.written = true;
    // The greatest share of communication is on top, where categories begin.
    for (std::size_t share = map.shares.size(); share-- > 0;)
        for (std::size_t tail = 0; tail < map.tails.size(); ++tail) {
            const auto& means = map.cell(tail, share);
            const int k = bestWait(means, now);
            cells.values.push_back(k > 0 ? k : std::numeric_limits<double>::quiet_NaN());
            series.notes.push_back(
                k < 1 ? Text{}
                      : Text{TRAINYARD_TEXT("α = {0}, communication {1} %: best k = {2} of {3}, on average after "
                                            "{4} mean response times"),
                             {quantityText(map.tails[tail]), quantityText(100 * map.shares[share]), std::to_string(k),
                              std::to_string(map.workers), quantityText(means[static_cast<std::size_t>(k) - 1])}});
        }
    return series;
}

std::vector<LegendItem> legendOf(int workers, const std::optional<ErrorNow>& now) {
    std::vector<LegendItem> items;
    int last = 0;
    for (const int k : {1, workers / 8, workers / 2, workers}) {
        if (k <= last) continue;
        items.push_back({.label = {TRAINYARD_TEXT("k = {0}"), {std::to_string(k)}},
                         .swatch = LegendItem::Swatch::cell,
                         .scaled = static_cast<double>(k)});
        last = k;
    }
    items.push_back(legendItem({TRAINYARD_TEXT("workers"), {}}, count(static_cast<std::size_t>(workers))));
    if (now) items.push_back(legendItem({TRAINYARD_TEXT("current error"), {}}, Quantity{now->error, ""}));
    return items;
}

Chart chartOf(const TailMap& map, const std::optional<ErrorNow>& now) {
    if (map.means.size() < map.tails.size() * map.shares.size()) return emptyChart(computingText());
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = numbers(map.tails, 1, "");
    plot.x.title = {TRAINYARD_TEXT("tail index α of the compute times (Pareto; lighter tail to the right)"), {}};
    plot.x.key = "tail_index";
    std::vector<double> shares(map.shares.rbegin(), map.shares.rend());
    plot.y = numbers(shares, 100, "%");
    plot.y.title = {TRAINYARD_TEXT("share of communication"), {}};
    plot.y.key = "communication_share";
    plot.series.push_back(mapOf(map, now));
    chart.legend = legendOf(map.workers, now);
    chart.meaning = meaning(now.has_value());
    return chart;
}

Computation compute(const ViewRequest& request) {
    const auto now = errorAt(request);
    const int workers =
        std::min(mostTailWorkers, static_cast<int>(request.run.jobs()[request.job.index()].workers.size()));
    const auto memo = request.run.memo();
    const std::string name = std::to_string(workers);
    if (const auto known = memo->find<TailMap>(name)) return chartOf(*known, now);
    return {emptyChart(computingText(), meaning(now.has_value())), [=](const std::stop_token& stop) -> Picture {
                TailMap map = tailMap(workers, stop);
                if (stop.stop_requested()) return emptyChart(computingText());
                return chartOf(*memo->keep(name, std::move(map)), now);
            }};
}

} // namespace best_k_view

View bestKView() {
    return {.id = "best-k",
            .group = waitingGroup(),
            .title = {TRAINYARD_TEXT("Best k, by tail and network"), {}},
            .summary = {TRAINYARD_TEXT("The best number of workers to wait for, by tail of the compute times and "
                                       "share of communication."),
                        {}},
            .concerns = hasGradients,
            .compute = best_k_view::compute};
}

} // namespace trainyard
