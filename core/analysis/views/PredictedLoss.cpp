// The losses of a job beside those that its scheduler predicted, and how far the predictions were off.
#include "analysis/PolicyNotes.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace predicted_loss_view {

const Registry& registry() {
    static const Registry all = Registry::builtin();
    return all;
}

/// Of the scheduler's series of that name until the cursor: predicted for update `first`.
std::span<const NotedValue> predictions(const ViewRequest& request) {
    const auto& scenario = request.run.source().scenario;
    const PolicyInfo* info = scenario ? policyOf(*scenario, registry(), PolicyFamily::scheduler, nullptr) : nullptr;
    if (!info) return {};
    for (std::size_t n = 0; n < info->series.size(); ++n) {
        if (info->series[n].name != "predicted_loss") continue;
        const auto all =
            request.run.fold<PolicyNotes>().of({PolicyFamily::scheduler, static_cast<std::uint16_t>(n)}, request.job);
        const auto end = std::upper_bound(all.begin(), all.end(), request.at,
                                          [](SimTime t, const NotedValue& v) { return t < v.at; });
        return all.first(static_cast<std::size_t>(end - all.begin()));
    }
    return {};
}

/// Between the evaluations on both sides; nullopt: the job has not come so far.
std::optional<double> lossAt(const LossSeries& losses, std::size_t known, double update) {
    const auto begin = losses.update.begin(), end = begin + static_cast<std::ptrdiff_t>(known);
    const auto next = std::lower_bound(begin, end, update);
    if (next == end || known == 0) return std::nullopt;
    const auto i = static_cast<std::size_t>(next - begin);
    if (*next == update || i == 0) return losses.loss[i];
    const double share = (update - losses.update[i - 1]) / (losses.update[i] - losses.update[i - 1]);
    return losses.loss[i - 1] + share * (losses.loss[i] - losses.loss[i - 1]);
}

struct Errors {
    std::size_t due = 0;
    double predicted = 0, held = 0; ///< sums of absolute errors; held: of predicting no change
};

Errors errorsOf(std::span<const NotedValue> predictions, const LossSeries& losses, std::size_t known) {
    Errors out;
    for (const NotedValue& p : predictions) {
        const auto came = lossAt(losses, known, p.first);
        const std::size_t then = losses.indexAt(p.at.toSeconds());
        if (!came || then >= known) continue;
        ++out.due;
        out.predicted += std::abs(p.value - *came);
        out.held += std::abs(losses.loss[then] - *came);
    }
    return out;
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT("Each dot is what the scheduler expected the loss to be after an update, when it divided the "
                       "workers; the line is how the loss fell. The errors are means over predictions whose "
                       "update has come, beside those of predicting that the loss stays as it is."),
        {}};
    const auto noted = predictions(request);
    if (noted.empty())
        return emptyChart({TRAINYARD_TEXT("The scheduler has not predicted a loss of this job."), {}},
                          std::move(meaning));
    const LossSeries& losses = request.run.jobs()[request.job.index()].losses;
    const std::size_t last = losses.indexAt(request.at.toSeconds()), known = last < losses.size() ? last + 1 : 0;
    Series line{.key = "loss", .label = {TRAINYARD_TEXT("loss"), {}}, .role = Role::accent()};
    Series dots{.kind = Series::Kind::points,
                .key = "predicted",
                .label = {TRAINYARD_TEXT("predicted"), {}},
                .role = Role::hue(1)};
    for (std::size_t i = 0; i < known; ++i) {
        line.x.push_back(losses.update[i]);
        line.y.push_back(losses.loss[i]);
        line.refs.push_back({.job = request.job, .at = SimTime::seconds(losses.time[i])});
    }
    for (const NotedValue& p : noted) {
        dots.x.push_back(p.first);
        dots.y.push_back(p.value);
        dots.refs.push_back({.job = request.job, .at = p.at});
    }
    const Errors errors = errorsOf(noted, losses, known);
    const auto mean = [&](double sum) {
        return errors.due > 0 ? std::optional(Quantity{sum / static_cast<double>(errors.due), ""}) : std::nullopt;
    };
    Chart chart;
    chart.plot().x = {.title = {TRAINYARD_TEXT("update"), {}}, .key = "update", .whole = true};
    chart.plot().y = {.title = {TRAINYARD_TEXT("loss"), {}}, .key = "loss"};
    chart.legend = {
        legendLine(line.label, known > 0 ? std::optional(Quantity{losses.loss[last], ""}) : std::nullopt, line.role),
        legendItem(dots.label, Quantity{noted.back().value, ""}, dots.role, LegendItem::Swatch::cell),
        legendItem({TRAINYARD_TEXT("predictions that came due"), {}}, count(errors.due)),
        legendItem({TRAINYARD_TEXT("mean error"), {}}, mean(errors.predicted)),
        legendItem({TRAINYARD_TEXT("mean error of no change"), {}}, mean(errors.held))};
    chart.plot().series = {std::move(line), std::move(dots)};
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
        .concerns =
            [](const RunIndex& run, JobId job) {
                return !predicted_loss_view::predictions({.run = run, .job = job, .at = SimTime::never()}).empty();
            },
        .compute = predicted_loss_view::compute};
}

} // namespace trainyard
