// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whose gradients the updates were made of: a bar per worker, beside the equal share. Workers that are always
// slow hardly take part; where their data differ, the result is biased towards the others': how much above
// the least loss it ends so comes later.
#include "analysis/ShardBias.h"
#include "analysis/UpdateValues.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace participation_view {

using Risk = std::optional<ShardRisk>;

struct Values {
    std::vector<std::size_t> counts;
    std::size_t total = 0;
    ShardWeights weights = ShardWeights::alike;
    std::vector<Text> names;
    std::vector<ElementRef> refs;

    double equal() const {
        return counts.empty() ? 0 : static_cast<double>(total) / static_cast<double>(counts.size());
    }
    double percent(std::size_t worker) const {
        return total > 0 ? 100 * static_cast<double>(counts[worker]) / static_cast<double>(total) : 0;
    }
    bool isBiased() const { return weights == ShardWeights::asCounted && differBeyondChance(counts); }
};

/// The same or a little less, so that a run that goes on asks only a few times as it gets twice as long.
std::size_t roundedDown(std::size_t updates) {
    std::size_t unit = 1;
    while (updates / unit >= 16) unit *= 2;
    return updates / unit * unit;
}

Values valuesOf(const ViewRequest& request, std::size_t until) {
    Values values;
    addUsedByWorker(values.counts, request.run, request.job, 0, until);
    values.total = std::accumulate(values.counts.begin(), values.counts.end(), std::size_t{0});
    if (const auto& scenario = request.run.source().scenario)
        values.weights = shardWeights(*scenario, request.run.workload().job(request.job), values.counts.size());
    for (std::uint32_t w = 0; w < values.counts.size(); ++w) {
        values.names.push_back(nameText(workerName(request.run, request.job, w)));
        values.refs.push_back(workerRef(request.run, request.job, w));
    }
    return values;
}

Series barsOf(const Values& values) {
    Series bars{.kind = Series::Kind::bars,
                .key = "gradients",
                .label = {TRAINYARD_TEXT("gradients used"), {}},
                .role = Role::of(Activity::compute),
                .refs = values.refs};
    for (std::size_t w = 0; w < values.counts.size(); ++w) {
        const std::string number = std::to_string(values.counts[w]), percent = quantityText(values.percent(w));
        bars.x.push_back(static_cast<double>(w));
        bars.y.push_back(static_cast<double>(values.counts[w]));
        bars.labels.push_back(nameText(number));
        bars.notes.push_back({TRAINYARD_TEXT("{0}: {1} {1:gradient|gradients}, {2} % of all"),
                              {values.names[w].english(), number, percent}});
    }
    return bars;
}

void setMeaning(Chart& chart, const Values& values) {
    const char* counts =
        TRAINYARD_TEXT("Gradients of each worker that updates have used so far. The line is the equal share. "
                       "Workers that are always slow hardly take part: if data differ between workers, training "
                       "is biased towards the data of fast workers.");
    const char* even =
        TRAINYARD_TEXT("Gradients of each worker that updates have used so far. The line is the equal share. "
                       "Data differ between workers, but the synchronization corrects for rare gradients: all "
                       "data count equally.");
    chart.meaning = {values.weights == ShardWeights::evenedOut ? even : counts, {}};
    if (values.isBiased())
        chart.caution = {
            TRAINYARD_TEXT("Data differ between workers, and some take part more often than others. If this "
                           "continues, training ends above the minimum loss by the excess risk. Remedies: "
                           "more weight to gradients of workers that are rarely among the first, remembered "
                           "gradients of slow workers, or rows that all workers share."),
            {}};
}

/// `risk`: null where it is not asked for, or not known yet.
Chart chartOf(const Values& values, const Risk* risk, bool computing) {
    Chart chart;
    setMeaning(chart, values);
    Plot& plot = chart.plot();
    plot.x = {.kind = Axis::Kind::categories, .title = {TRAINYARD_TEXT("worker"), {}}, .key = "worker"};
    for (std::size_t w = 0; w < values.counts.size(); ++w)
        plot.x.categories.push_back({values.names[w], values.refs[w]});
    plot.y = {.title = {TRAINYARD_TEXT("gradients used"), {}}, .key = "gradients", .whole = true};
    const auto [least, most] = std::minmax_element(values.counts.begin(), values.counts.end());
    const bool any = !values.counts.empty();
    rangeFromZero(plot.y, any ? static_cast<double>(*most) : 0);
    constexpr double withNumber = 1.1; // over the highest bar
    if (any) plot.y.to = std::max(*plot.y.to, withNumber * static_cast<double>(*most));
    plot.series.push_back(barsOf(values));
    plot.lines.push_back(
        {.way = ReferenceLine::Way::horizontal, .value = values.equal(), .weight = 1.3, .dash = Dash::dashed});
    auto& legend = chart.legend;
    legend.push_back(
        legendBox({TRAINYARD_TEXT("gradients used"), {}}, count(values.total), Role::of(Activity::compute)));
    legend.push_back(
        legendLine({TRAINYARD_TEXT("equal share"), {}}, Quantity{values.equal(), "", 4}, {}, Dash::dashed));
    legend.push_back(legendItem({TRAINYARD_TEXT("largest share"), {}}, count(any ? *most : 0)));
    legend.push_back(legendItem({TRAINYARD_TEXT("fewest"), {}}, count(any ? *least : 0)));
    if (risk && *risk) {
        const bool warning = values.isBiased();
        const Text label = (*risk)->exact || (*risk)->settled ? Text{TRAINYARD_TEXT("excess risk"), {}}
                                                              : Text{TRAINYARD_TEXT("excess risk, about"), {}};
        legend.push_back(legendItem(label, Quantity{(*risk)->excess, ""}, warning ? Role::warning() : Role{},
                                    warning ? LegendItem::Swatch::line : LegendItem::Swatch::none));
        legend.push_back(legendItem({TRAINYARD_TEXT("minimum loss"), {}}, Quantity{(*risk)->least, ""}));
    } else if (computing) {
        legend.push_back(legendItem({TRAINYARD_TEXT("excess risk"), {}}));
        legend.back().text = computingText();
    }
    return chart;
}

std::shared_ptr<const ShardBias> biasOf(const ViewRequest& request) {
    const auto memo = request.run.memo();
    const std::string name = std::to_string(request.job.value);
    if (auto known = memo->find<ShardBias>(name)) return known;
    const RunSource& run = request.run.source();
    return memo->keep(name, std::shared_ptr<const ShardBias>(
                                std::make_shared<ShardBias>(std::get<TrainedWork>(run.workload->job(request.job).work),
                                                            run.seed, request.job, ResourcePaths{run.resources})));
}

Computation compute(const ViewRequest& request) {
    if (updatesOf(request).gradients().empty()) return emptyChart(noGradientsText(request));
    const std::size_t until = updatesUntil(request.run, request.job, request.at);
    Values values = valuesOf(request, until);
    if (values.weights != ShardWeights::asCounted || values.total == 0) return chartOf(values, nullptr, false);
    const auto memo = request.run.memo();
    const std::string job = std::to_string(request.job.value), name = job + "/" + std::to_string(roundedDown(until));
    if (const auto known = memo->find<Risk>(name)) return chartOf(values, known.get(), false);
    // Of shares a little before, until those of now are there.
    const auto before = memo->find<Risk>(job);
    std::vector<std::size_t> used;
    addUsedByWorker(used, request.run, request.job, 0, roundedDown(until));
    Chart now = chartOf(values, before.get(), true);
    return {std::move(now),
            [=, values = std::move(values), used = std::move(used),
             bias = biasOf(request)](const std::stop_token& stop) -> Picture {
                Risk risk = bias->of(used, stop);
                if (stop.stop_requested()) return chartOf(values, nullptr, true);
                const auto made = memo->keep(name, std::move(risk));
                memo->keep(job, made);
                return chartOf(values, made.get(), false);
            }};
}

} // namespace participation_view

View participationView() {
    return {
        .id = "participation",
        .group = waitingGroup(),
        .title = {TRAINYARD_TEXT("Participation"), {}},
        .summary = {TRAINYARD_TEXT("Whose gradients the updates used, and the bias where data differ between workers."),
                    {}},
        .concerns = hasGradients,
        .compute = participation_view::compute};
}

} // namespace trainyard
