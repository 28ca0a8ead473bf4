// The losses of a job beside those that its scheduler predicted, and how far the predictions were off.
#include "analysis/PredictionErrors.h"
#include "analysis/views/ViewParts.h"

namespace trainyard {

namespace predicted_loss_view {

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "Each dot is what the scheduler expected the loss to be after an update, when it divided the "
            "workers; the line is how the loss fell. The errors are means over predictions whose "
            "update has come, beside those of predicting that the loss stays as it is, or goes on as between its "
            "last two evaluations."),
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
    const PredictionErrors errors = predictionErrors(noted, losses, known);
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
        legendItem({TRAINYARD_TEXT("mean error of no change"), {}}, mean(errors.held)),
        legendItem({TRAINYARD_TEXT("mean error of the last change"), {}}, mean(errors.lastChange))};
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
        .concerns = [](const RunIndex& run, JobId job) { return !predictedLosses(run, job, SimTime::never()).empty(); },
        .compute = predicted_loss_view::compute};
}

} // namespace trainyard
