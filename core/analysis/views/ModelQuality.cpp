// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How good the models of keyed jobs are on examples that are not trained on, against time or against epochs: a plot for each quality.
#include "analysis/KeyedCourse.h"
#include "analysis/QualityCourse.h"
#include "analysis/views/ViewParts.h"
#include "learning/keyed/KeyedChoices.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace model_quality_view {

const std::string all = "all";

struct Options {
    std::string against = "time", quality = all;
};

std::vector<std::string> qualityIds() {
    std::vector<std::string> ids{all};
    for (const KeyedModelInfo& model : keyedModels())
        for (const QualityInfo& quality : model.qualities)
            if (std::ranges::find(ids, quality.id) == ids.end()) ids.push_back(quality.id);
    return ids;
}

const BoundSchema<Options>& options() {
    static const auto schema = bindSchema<Options>(
        choice(&Options::against, "against", "Against", {"time", "epochs"}, "What the curves are drawn against."),
        choice(&Options::quality, "quality", "Quality", qualityIds(),
               "Which one is drawn; all: those that jobs have."));
    return schema;
}

/// With a gap where the job was interrupted; against epochs, without what was lost there.
Series curveOf(const RunIndex& run, JobId job, const QualityCourse::Points& points, bool byEpoch) {
    Series line{.kind = Series::Kind::line,
                .key = run.workload().job(job).key,
                .label = nameText(run.jobName(job)),
                .role = Role::of(job),
                .refs = {{.job = job}}};
    std::size_t nextBreak = 0;
    for (std::size_t n = 0; n < points.values.size(); ++n) {
        const double x = byEpoch ? points.epochs[n] : points.seconds[n];
        if (nextBreak < points.breaks.size() && points.breaks[nextBreak] == n) {
            ++nextBreak;
            while (byEpoch && !line.x.empty() && line.x.back() >= x) line.x.pop_back(), line.y.pop_back();
            if (!byEpoch) {
                line.x.push_back(x);
                line.y.push_back(std::numeric_limits<double>::quiet_NaN());
            }
        }
        line.x.push_back(x);
        line.y.push_back(points.values[n]);
    }
    return line;
}

/// The points themselves: what lies between two evaluations is not known.
Series pointsOf(const Series& line) {
    Series dots = line;
    dots.kind = Series::Kind::points;
    dots.key += "-evaluations";
    return dots;
}

/// "hits at 10": short enough for an axis.
std::string shownId(std::string id) {
    if (id == "mrr") return "MRR";
    if (id == "rmse") return "RMSE";
    std::ranges::replace(id, '_', ' ');
    return id;
}

/// Whose qualities of one id are one plot.
struct OfQuality {
    QualityInfo info;
    std::vector<std::pair<JobId, const QualityCourse::Points*>> jobs;
};

std::vector<OfQuality> qualitiesOf(const RunIndex& run, const QualityCourse& course, const std::string& wanted) {
    std::vector<OfQuality> out;
    for (std::size_t j = 0; j < run.workload().jobs.size(); ++j) {
        const KeyedAccess* access = run.workload().jobs[j].keyedAccess();
        const KeyedModelInfo* model = access && access->task ? findKeyedModel(access->task->model.id) : nullptr;
        for (std::size_t q = 0; model && q < model->qualities.size(); ++q) {
            const QualityInfo& info = model->qualities[q];
            const auto* points = course.of(JobId(j), q);
            if (!points || (wanted != all && wanted != info.id)) continue;
            auto it = std::ranges::find(out, info.id, [](const OfQuality& each) { return each.info.id; });
            if (it == out.end()) it = out.insert(it, OfQuality{info, {}});
            it->jobs.emplace_back(JobId(j), points);
        }
    }
    return out;
}

Computation compute(const ViewRequest& request) {
    constexpr std::size_t mostDotted = 60; // evaluations of a curve that are told apart
    const Options chosen = options().read(request.options);
    const bool byEpoch = chosen.against == "epochs";
    Text meaning{
        TRAINYARD_TEXT(
            "How good the models of keyed jobs are on examples that are not trained on, each time that they are "
            "evaluated; between two of them it is not known. A line ends where its job is interrupted."),
        {}};
    if (!QualityCourse::concerns(request.run, {}))
        return emptyChart({TRAINYARD_TEXT("No keyed job of the run trains a model."), {}}, std::move(meaning));
    const auto& course = request.run.fold<QualityCourse>();
    const auto found = qualitiesOf(request.run, course, chosen.quality);
    if (found.empty())
        return emptyChart({TRAINYARD_TEXT("No model has been evaluated yet. Press play."), {}}, std::move(meaning));
    Chart chart;
    double epochs = 1;
    for (const OfQuality& each : found) {
        Plot& plot = chart.plots.emplace_back();
        plot.row = chart.plots.size() - 1;
        plot.y = {.title = nameText(shownId(each.info.id)), .key = each.info.id};
        for (const auto& [job, points] : each.jobs) {
            plot.series.push_back(curveOf(request.run, job, *points, byEpoch));
            if (points->values.size() <= mostDotted) plot.series.push_back(pointsOf(plot.series.back()));
            epochs = std::max(epochs, *std::ranges::max_element(points->epochs));
            const auto after = std::ranges::upper_bound(points->seconds, request.at.toSeconds() + 1e-12);
            std::optional<Quantity> value;
            if (after != points->seconds.begin())
                value = Quantity{points->values[static_cast<std::size_t>(after - points->seconds.begin()) - 1], "", 4};
            const Text label = chart.plots.size() == 1 && found.size() == 1
                                   ? nameText(request.run.jobName(job))
                                   : nameText(request.run.jobName(job) + ", " + shownId(each.info.id));
            chart.legend.push_back(legendLine(label, value, Role::of(job)));
            chart.legend.back().ref = {.job = job};
        }
    }
    for (Plot& plot : chart.plots)
        plot.x = byEpoch ? Axis{.title = {TRAINYARD_TEXT("epochs"), {}}, .key = "epoch", .from = 0, .to = epochs}
                         : timeAxis(std::max(request.run.head().toSeconds(), 1e-9));
    std::string labels;
    for (const OfQuality& each : found) {
        const std::string id = shownId(each.info.id);
        const bool isSaid =
            each.info.label.size() > id.size() && std::string_view(each.info.label).substr(1).starts_with(id.substr(1));
        labels += (labels.empty() ? "" : "; ") + (isSaid ? "" : id + ": ") + each.info.label;
    }
    chart.meaning = {
        TRAINYARD_TEXT(
            "How good the models of keyed jobs are on examples that are not trained on, each time that they are "
            "evaluated. A line ends where its job is interrupted. {0}."),
        {labels}};
    return chart;
}

} // namespace model_quality_view

View modelQualityView() {
    return {
        .id = "model-quality",
        .group = keysGroup(),
        .title = {TRAINYARD_TEXT("Quality of models"), {}},
        .summary = {TRAINYARD_TEXT("How good the models of keyed jobs are on test data, against time or epochs."), {}},
        .scope = View::Scope::run,
        .options = model_quality_view::options().schema,
        .concerns = [](const RunIndex& run, JobId job) { return QualityCourse::concerns(run, job); },
        .compute = model_quality_view::compute};
}

} // namespace trainyard
