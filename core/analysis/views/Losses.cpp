// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The evaluated losses of all jobs, or the norms of their gradients, against time or against updates; smoothed, and beside what they
// would be had nobody waited.
#include "analysis/LossCeiling.h"
#include "analysis/LossValues.h"
#include "analysis/views/ViewParts.h"
#include "model/KnownLosses.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace trainyard {

namespace losses_view {

struct Options {
    std::string against = "time", values = "loss", scale = "automatic";
    double smoothing = 0;
    bool lostToWaiting = false, logarithmicAcross = false;

    bool byUpdate() const { return against == "updates"; }
    bool norms() const { return values == "gradient-norm"; }
};

const BoundSchema<Options>& options() {
    static const auto schema = bindSchema<Options>(
        choice(&Options::against, "against", "Against", {"time", "updates"}, "What the curves are drawn against."),
        choice(&Options::values, "values", "Values", {"loss", "gradient-norm"},
               "What is drawn. The norm is the Euclidean one of the gradient that the last update before each "
               "evaluation applied."),
        choice(&Options::scale, "scale", "Scale", {"automatic", "linear", "logarithmic"},
               "Of the values; automatic: logarithmic where one falls to a tenth, or where they begin far apart."),
        field(&Options::smoothing, "smoothing", "Smoothing", {0, 0.99}, "",
              "α of the exponential moving average: s₁ = y₁, sₙ = α·sₙ₋₁ + (1 − α)·yₙ over the evaluations yₙ, "
              "restarted after an interruption. The unsmoothed curve stays behind it, pale."),
        flag(&Options::lostToWaiting, "lost_to_waiting", "Loss lost to waiting",
             "The curve of the selected job, else of the first that has workers, if no worker had waited: each "
             "evaluation is moved earlier by the time lost to waiting until then (the integral of the share of waiting "
             "workers). Updates and their order stay the same; busier links and servers, other gradients and the time "
             "in the queue are ignored."),
        flag(&Options::logarithmicAcross, "logarithmic_across", "Logarithmic horizontal axis",
             "Time or updates on a logarithmic scale."));
    return schema;
}

Text whyIdle(const ParamValues& given, std::string_view option) {
    if (option != "lost_to_waiting") return {};
    const Options chosen = options().read(given);
    if (chosen.byUpdate()) return {TRAINYARD_TEXT("Not against updates: there the two curves are the same."), {}};
    if (chosen.norms()) return {TRAINYARD_TEXT("Of the loss only, not of the gradient's norm."), {}};
    return {};
}

/// One value per evaluation of a job, as chosen; those of the log where nothing is computed.
class Values {
public:
    Values(const LossSeries& losses, const Options& chosen, double smoothing) : m_losses(losses) {
        if (!chosen.norms() && smoothing <= 0) return;
        m_own = chosen.norms() ? std::vector<double>(losses.norm.begin(), losses.norm.end()) : losses.loss;
        if (smoothing > 0) m_own = smoothed(std::move(*m_own), losses.breaks, smoothing);
    }
    Values(const LossSeries& losses, const Options& chosen) : Values(losses, chosen, chosen.smoothing) {}
    const std::vector<double>& all() const { return m_own ? *m_own : m_losses.loss; }

private:
    const LossSeries& m_losses;
    std::optional<std::vector<double>> m_own;
};

/// In order of painting: those without a colour of their own beneath, the selected one on top.
std::vector<JobId> jobsToDraw(const RunIndex& run, JobId selected) {
    std::vector<JobId> jobs;
    for (const bool coloured : {false, true})
        for (std::size_t j = 0; j < run.jobs().size(); ++j)
            if (JobId(j) != selected && run.isColoured(JobId(j)) == coloured) jobs.emplace_back(j);
    if (selected.valid()) jobs.push_back(selected);
    std::erase_if(jobs, [&](JobId job) { return run.jobs()[job.index()].losses.size() == 0; });
    return jobs;
}

double ceilingOf(const RunIndex& run, const Options& chosen) {
    LossCeiling ceiling;
    for (const JobHistory& job : run.jobs())
        if (job.losses.size() > 0) ceiling.add(Values(job.losses, chosen).all());
    return ceiling.value();
}

/// The job whose loss lost to waiting is shown, the same as in the straggler strip; invalid: none.
JobId jobLostToWaiting(const ViewRequest& request, const Options& chosen) {
    if (!chosen.lostToWaiting || chosen.byUpdate() || chosen.norms() || request.isGhost) return {};
    const JobId job = request.job.valid() ? request.job : request.run.jobWithWorkers({});
    return job.valid() && request.run.jobs()[job.index()].losses.size() > 0 ? job : JobId{};
}

/// Of the whole run it is the last one.
std::size_t indexNow(const ViewRequest& request, const LossSeries& losses) {
    return request.wholeRun ? losses.size() - 1 : losses.indexAt(request.at.toSeconds());
}

LegendItem entryOf(const ViewRequest& request, JobId job, const Options& chosen,
                   const std::function<double()>& ceiling) {
    const LossSeries& losses = request.run.jobs()[job.index()].losses;
    const std::size_t now = indexNow(request, losses);
    const Values values(losses, chosen);
    const double value = now < losses.size() ? values.all()[now] : std::nan("");
    LegendItem item = legendLine(nameText(request.run.jobName(job)), {}, roleOf(request, job));
    if (std::isfinite(value)) item.value = Quantity{value, "", 3};
    // What has not grown since the first evaluation is below every ceiling, which all jobs would have to be looked at for.
    item.isAbove = std::isfinite(value) && value > std::abs(values.all().front()) && value > ceiling();
    item.ref = {.job = job};
    return item;
}

std::vector<LegendItem> legendOf(const ViewRequest& request, const Options& chosen,
                                 const std::function<double()>& ceiling) {
    std::vector<LegendItem> legend;
    legend.reserve(request.run.jobs().size() + 1);
    for (const bool coloured : {true, false})
        for (std::size_t j = 0; j < request.run.jobs().size(); ++j) {
            const JobId job(j);
            if (request.run.isColoured(job) != coloured || request.run.jobs()[j].losses.size() == 0) continue;
            if (legend.size() < request.mostEntries || job == request.job)
                legend.push_back(entryOf(request, job, chosen, ceiling));
            else
                legend.push_back({.ref = {.job = job}});
        }
    if (const JobId job = jobLostToWaiting(request, chosen); job.valid()) {
        const LossSeries& losses = request.run.jobs()[job.index()].losses;
        const auto cost = waitingCost(losses, Values(losses, chosen).all(), request.at.toSeconds());
        legend.push_back(legendBox({TRAINYARD_TEXT("lost to waiting"), {}},
                                   cost ? std::optional(Quantity{cost->loss, "", 2}) : std::nullopt,
                                   Role::of(Activity::waiting)));
    }
    return legend;
}

std::vector<LegendItem> readings(const ViewRequest& request) {
    const Options chosen = options().read(request.options);
    return legendOf(request, chosen, [&, known = std::optional<double>()]() mutable {
        if (!known) known = ceilingOf(request.run, chosen);
        return *known;
    });
}

std::vector<Text> notes(const ViewRequest& request, const ElementRef& of) {
    const Options chosen = options().read(request.options);
    std::vector<Text> out;
    const auto addJob = [&](JobId job) {
        const LossSeries& losses = request.run.jobs()[job.index()].losses;
        const std::size_t now = losses.indexAt(request.at.toSeconds());
        if (now >= losses.size()) return;
        const double value = Values(losses, chosen).all()[now];
        if (!std::isfinite(value)) return;
        const char* what = chosen.norms() ? TRAINYARD_TEXT("{0} · gradient norm {1} after {2} {2:update|updates}")
                                          : TRAINYARD_TEXT("{0} · loss {1} after {2} {2:update|updates}");
        out.push_back({what, {request.run.jobName(job), quantityText(value, {}, 4), groupedText(losses.update[now])}});
        if (value > ceilingOf(request.run, chosen)) out.push_back({TRAINYARD_TEXT("above the axis"), {}});
        if (chosen.smoothing > 0)
            out.push_back({TRAINYARD_TEXT("smoothed, {0} unsmoothed"),
                           {quantityText(Values(losses, chosen, 0).all()[now], {}, 4)}});
    };
    if (of.job.valid()) addJob(of.job);
    const JobId waiting = jobLostToWaiting(request, chosen);
    if (!waiting.valid() || (of.job.valid() && of.job != waiting)) return out;
    const LossSeries& losses = request.run.jobs()[waiting.index()].losses;
    const auto cost = waitingCost(losses, Values(losses, chosen).all(), request.at.toSeconds());
    if (!cost) return out;
    if (out.empty()) out.push_back(nameText(request.run.jobName(waiting)));
    out.push_back({TRAINYARD_TEXT("{0} of loss lost to waiting, {1} of it so far"),
                   {quantityText(cost->loss, {}, 2), quantityText(cost->seconds, "s")}});
    return out;
}

/// What the vertical axis holds.
struct Range {
    double ceiling = std::numeric_limits<double>::infinity(); ///< what is above leaves the axis
    double least = ceiling, greatest = -ceiling, leastPositive = ceiling;
    double leastFirst = ceiling, greatestFirst = 0; ///< of the first losses above zero
    bool fallsTenfold = false;

    /// Some loss falls tenfold, or that of one job begins far above that of another, which would lie on the axis.
    bool spansDecades() const { return fallsTenfold || greatestFirst > 30 * leastFirst; }

    void include(const std::vector<double>& values, double first) {
        if (first > 0 && first <= ceiling) {
            leastFirst = std::min(leastFirst, first);
            greatestFirst = std::max(greatestFirst, first);
        }
        for (const double value : values) {
            if (!std::isfinite(value)) continue;
            least = std::min({least, value, ceiling});
            greatest = std::max(greatest, std::min(value, ceiling));
            if (value > 0) leastPositive = std::min(leastPositive, value);
            fallsTenfold = fallsTenfold || (value > 0 && first > 10 * value);
        }
    }
};

class LossChart {
public:
    LossChart(const ViewRequest& request, const Options& chosen)
        : m_request(request), m_chosen(chosen), m_jobs(jobsToDraw(request.run, request.job)) {
        m_range.ceiling = ceilingOf(request.run, chosen);
        if (chosen.byUpdate() || chosen.logarithmicAcross) findEnds(); // else the axis is that of time
        Plot& plot = m_chart.plot();
        plot.x = acrossAxis();
        plot.series.reserve(2 * m_jobs.size() + 2);
        constexpr std::size_t mostPale =
            24; // of more curves, the raw ones behind the smoothed would only blur the picture
        if (m_chosen.smoothing > 0 && m_jobs.size() <= mostPale && !m_request.isGhost)
            for (const JobId job : m_jobs) addPale(plot, job);
    }

    /// So many more curves; true: there are no more.
    bool addCurves(std::size_t count) {
        for (; count > 0 && m_next < m_jobs.size(); --count) addCurve(m_chart.plot(), m_jobs[m_next++]);
        return m_next == m_jobs.size();
    }

    /// With all curves; without plots if there is nothing but NaN.
    Chart whole() {
        if (!(m_range.least <= m_range.greatest)) return {};
        Plot& plot = m_chart.plot();
        plot.y = m_chosen.norms() ? Axis{.title = {TRAINYARD_TEXT("norm of the gradient"), {}}, .key = "gradient_norm"}
                                  : Axis{.title = {TRAINYARD_TEXT("loss"), {}}, .key = "loss"};
        setRange(plot.y);
        if (const JobId job = jobLostToWaiting(m_request, m_chosen); job.valid()) addLost(plot, job);
        if (plot.y.kind == Axis::Kind::logarithmic) leaveOutWhatIsNotPositive(plot);
        if (m_request.mostEntries > 0)
            m_chart.legend = legendOf(m_request, m_chosen, [this] { return m_range.ceiling; });
        return std::move(m_chart);
    }

private:
    void findEnds() {
        const Options& chosen = m_chosen;
        for (const JobId job : m_jobs) {
            const LossSeries& losses = lossesOf(job);
            if (chosen.byUpdate())
                m_updates = std::max(m_updates, losses.breaks.empty() ? losses.update.back()
                                                                      : *std::ranges::max_element(losses.update));
            const std::vector<double>& x = acrossOf(losses);
            // Updates begin anew after a restore; the first above zero comes early all the same.
            if (const auto first = std::ranges::upper_bound(x, 0.0); first != x.end())
                m_leastAcross = std::min(m_leastAcross, *first);
        }
    }

    const LossSeries& lossesOf(JobId job) const { return m_request.run.jobs()[job.index()].losses; }
    const std::vector<double>& acrossOf(const LossSeries& losses) const {
        return m_chosen.byUpdate() ? losses.update : losses.time;
    }

    Axis acrossAxis() const {
        const double end = m_chosen.byUpdate()           ? m_updates
                           : std::isfinite(m_request.to) ? m_request.to
                                                         : m_request.run.head().toSeconds();
        Axis axis = timeAxis(std::max(m_request.run.head().toSeconds(), 1e-9));
        if (m_chosen.byUpdate()) {
            axis = {.title = {TRAINYARD_TEXT("updates"), {}}, .key = "update", .from = 0, .to = end, .whole = true};
            axis.knots = knots();
        }
        if (!m_chosen.logarithmicAcross) return axis;
        axis.kind = Axis::Kind::logarithmic;
        axis.whole = false;
        axis.to = std::max(end, 1e-9);
        const double least = m_leastAcross < *axis.to ? m_leastAcross : *axis.to / 10;
        axis.from = std::max({m_chosen.byUpdate() ? 0 : m_request.from, least, *axis.to * 1e-9});
        if (axis.knots.empty())
            axis.knots = {{*axis.from, SimTime::seconds(*axis.from)}, {*axis.to, SimTime::seconds(*axis.to)}};
        return axis;
    }

    /// When the selected job, or the first, had made each update; of many some, evenly.
    std::vector<Axis::Knot> knots() const {
        constexpr std::size_t most = 1000;
        std::vector<Axis::Knot> all;
        const JobId job = m_request.job.valid() && lossesOf(m_request.job).size() > 0 ? m_request.job
                          : m_jobs.empty()                                            ? JobId{}
                                           : *std::ranges::min_element(m_jobs);
        if (!job.valid()) return all;
        const LossSeries kept = lossesOf(job).breaks.empty() ? LossSeries{} : keptUpdates(lossesOf(job));
        const LossSeries& losses = kept.size() > 0 ? kept : lossesOf(job);
        const std::size_t step = std::max<std::size_t>(1, losses.size() / most);
        const auto add = [&](std::size_t i) {
            if (all.empty() || losses.update[i] > all.back().value)
                all.push_back({losses.update[i], SimTime::seconds(losses.time[i])});
        };
        for (std::size_t i = 0; i < losses.size(); i += step) add(i);
        add(losses.size() - 1);
        return all;
    }

    /// `own`: the losses that x and y are of; null: they have been worked out.
    LinePoints thinned(const std::vector<double>& x, const std::vector<double>& y, std::span<const std::size_t> breaks,
                       const LossSeries* own = nullptr) const {
        const std::size_t each = m_request.mostPointsOfAll / std::max<std::size_t>(1, m_jobs.size());
        const std::size_t most = std::min(m_request.mostPoints, std::max<std::size_t>(each, 64));
        const auto buckets = static_cast<int>(std::clamp<std::size_t>(most / 4, 1, 1 << 30));
        const double seen = m_chosen.byUpdate() ? m_updates : m_request.to;
        // Where buckets are narrow they stay where they are while the run goes on; of many curves each has only some.
        const bool stay = std::isfinite(seen) && each >= m_request.mostPoints;
        const double end = stay ? seen : std::min(seen, x.back());
        const double from = m_chosen.byUpdate() ? 0 : m_request.from, to = std::max(end, from + 1e-12);
        if (!m_chosen.logarithmicAcross) {
            const Extremes* extremes = own ? &own->extremes : nullptr;
            return own && &x == &own->time && each < m_request.mostPoints
                       ? own->thinned.of(x, y, from, to, buckets, breaks, extremes)
                       : decimated(x, y, from, to, buckets, breaks, extremes);
        }
        // A zero has no place on a logarithmic axis: what is not after it is left out.
        const auto skipped = std::ranges::upper_bound(x, 0.0) - x.begin();
        std::vector<double> across(x.begin() + skipped, x.end());
        for (double& value : across) value = std::log10(value);
        std::vector<std::size_t> moved;
        for (const std::size_t at : breaks)
            if (at >= static_cast<std::size_t>(skipped)) moved.push_back(at - static_cast<std::size_t>(skipped));
        const double least = across.empty() ? 0 : across.front();
        LinePoints points =
            decimated(across, std::vector<double>(y.begin() + skipped, y.end()), from > 0 ? std::log10(from) : least,
                      std::log10(std::max(to, 1e-12)), buckets, moved);
        for (double& value : points.x) value = std::pow(10.0, value);
        return points;
    }

    LinePoints pointsOf(JobId job, const std::vector<double>& values) const {
        const LossSeries& losses = lossesOf(job);
        // Updates go back only where a job was interrupted.
        if (!m_chosen.byUpdate() || losses.breaks.empty())
            return thinned(acrossOf(losses), values, losses.breaks, &values == &losses.loss ? &losses : nullptr);
        const LossSeries kept = keptUpdates({.time = losses.time, .update = losses.update, .loss = values});
        return thinned(kept.update, kept.loss, {});
    }

    Series curve(JobId job, LinePoints points) const {
        return {.key = m_request.run.workload().jobs[job.index()].key,
                .label = nameText(m_request.run.jobName(job)),
                .role = roleOf(m_request, job),
                .x = std::move(points.x),
                .y = std::move(points.y),
                .refs = {{.job = job}}};
    }

    void addCurve(Plot& plot, JobId job) {
        if (lossesOf(job).size() == 0) return; // the index has begun anew between two parts
        const Values values(lossesOf(job), m_chosen);
        plot.series.push_back(curve(job, pointsOf(job, values.all())));
        m_range.include(plot.series.back().y, values.all().front());
        markLeaving(plot, job, values.all());
    }

    void addPale(Plot& plot, JobId job) {
        const Values values(lossesOf(job), m_chosen, 0);
        Series& series = plot.series.emplace_back(curve(job, pointsOf(job, values.all())));
        series.key += " unsmoothed";
        series.label = {TRAINYARD_TEXT("{0}, unsmoothed"), {m_request.run.jobName(job)}};
        series.strength = 0.3;
        m_range.include(series.y, values.all().front());
    }

    void addLost(Plot& plot, JobId job) {
        const LossSeries& losses = lossesOf(job);
        const Values values(losses, m_chosen);
        LinePair area = lostToWaiting(losses, values.all(), std::max(m_request.from, 0.0), m_request.to);
        plot.series.push_back({.kind = Series::Kind::band,
                               .key = "lost to waiting",
                               .label = {TRAINYARD_TEXT("lost to waiting"), {}},
                               .role = Role::of(Activity::waiting),
                               .fill = 0.3,
                               .layer = true,
                               .x = std::move(area.x),
                               .y = std::move(area.high),
                               .base = std::move(area.low),
                               .refs = {{.job = job}}});
        const LinePoints line = withoutWaiting(losses, values.all());
        Series& series = plot.series.emplace_back(curve(job, thinned(line.x, line.y, {})));
        series.key += " without waiting";
        series.label = {TRAINYARD_TEXT("{0}, had nobody waited"), {m_request.run.jobName(job)}};
        series.role = Role::of(Activity::waiting);
        series.dash = Dash::dotted;
    }

    /// Where the job's curve leaves the axis for good, there is a mark.
    void markLeaving(Plot& plot, JobId job, const std::vector<double>& values) const {
        if (std::isinf(m_range.ceiling)) return; // none does
        const std::size_t at = LossCeiling::leavesAt(values, m_range.ceiling);
        if (at >= values.size()) return;
        plot.annotations.push_back(
            {.x = acrossOf(lossesOf(job))[at],
             .y = m_range.ceiling,
             .anchor = Annotation::Anchor::right,
             .text = {TRAINYARD_TEXT("▲ {0}, up to {1}"),
                      {m_request.run.jobName(job), quantityText(*std::ranges::max_element(values))}},
             .role = Role::of(job)});
    }

    void setRange(Axis& axis) const {
        const double least = m_range.least, greatest = m_range.greatest;
        const bool asked = m_chosen.scale == "logarithmic" && m_range.leastPositive <= greatest;
        if (asked || (m_chosen.scale == "automatic" && m_range.spansDecades() && least > 0)) {
            axis.kind = Axis::Kind::logarithmic;
            const double pad = greatest > m_range.leastPositive ? std::pow(greatest / m_range.leastPositive, 0.06) : 2;
            axis.from = m_range.leastPositive / pad, axis.to = std::min(greatest * pad, m_range.ceiling);
            return;
        }
        const double margin = greatest > least ? 0.06 * (greatest - least) : std::max(0.1, 0.1 * std::abs(least));
        const bool nearZero = least >= 0 && least < 0.35 * greatest;
        axis.from = nearZero ? 0 : least - margin;
        axis.to = std::min(greatest + margin, m_range.ceiling);
    }

    static void leaveOutWhatIsNotPositive(Plot& plot) {
        for (Series& series : plot.series)
            for (std::vector<double>* values : {&series.y, &series.base})
                for (double& value : *values)
                    if (!(value > 0)) value = std::nan("");
    }

    const ViewRequest m_request;
    const Options m_chosen;
    const std::vector<JobId> m_jobs;
    std::size_t m_next = 0; ///< of them, to be added
    Chart m_chart;
    double m_updates = 1, m_leastAcross = std::numeric_limits<double>::infinity();
    Range m_range;
};

Text whyEmpty(const ViewRequest& request, const Options& chosen) {
    const auto& jobs = request.run.jobs();
    if (!jobs.empty() && std::ranges::none_of(request.run.workload().jobs, mayHaveLosses))
        return {TRAINYARD_TEXT("No job here has a loss: graph jobs, keyed jobs without a model, and jobs of a trace "
                               "whose losses are not known only take time."),
                {}};
    if (std::ranges::any_of(jobs, [&](const JobHistory& job) {
            return job.losses.size() > 0 && (!chosen.norms() || hasNorms(job.losses));
        }))
        return {};
    if (jobs.empty()) return {TRAINYARD_TEXT("There are no jobs."), {}};
    if (chosen.norms())
        return {TRAINYARD_TEXT("No gradient has been evaluated yet. Only trained jobs have gradients."), {}};
    return {TRAINYARD_TEXT("No job has evaluated its loss yet."), {}};
}

Computation compute(const ViewRequest& request) {
    const Options chosen = options().read(request.options);
    Text meaning{
        TRAINYARD_TEXT(
            "The loss of each job wherever it was evaluated; between two of them it is not known. A line "
            "ends where its job is interrupted. The norm is that of the gradient that the last update applied. Losses a "
            "thousand times above all first ones leave the axis, which is marked."),
        {}};
    if (Text why = whyEmpty(request, chosen); !why.empty()) return emptyChart(std::move(why), std::move(meaning));
    constexpr std::size_t together = 256; // curves that are worked out in one go where parts are asked for
    Computation computation;
    computation.more = [losses = std::make_shared<LossChart>(request, chosen),
                        meaning = std::move(meaning)](Picture& whole) {
        if (!losses->addCurves(together)) return false;
        Chart chart = losses->whole();
        if (chart.plots.empty()) chart.empty = {TRAINYARD_TEXT("No job has evaluated its loss yet."), {}};
        chart.meaning = meaning;
        whole = std::move(chart);
        return true;
    };
    if (request.inParts) return computation;
    while (!computation.more(computation.picture)) {}
    computation.more = {};
    return computation;
}

} // namespace losses_view

View lossView() {
    using namespace losses_view;
    const auto isLogarithmic = [](const Chart& chart) {
        return !chart.plots.empty() && chart.plots.front().y.kind == Axis::Kind::logarithmic;
    };
    return {
        .id = "loss",
        .group = courseGroup(),
        .title = {TRAINYARD_TEXT("Loss"), {}},
        .summary = {TRAINYARD_TEXT("Evaluated losses of all jobs, against time or updates."), {}},
        .scope = View::Scope::run,
        .options = losses_view::options().schema,
        .concerns = hasLosses,
        .switches =
            {{"scale", std::string("logarithmic"), std::string("linear"), {TRAINYARD_TEXT("log"), {}}, isLogarithmic},
             {"against", std::string("updates"), std::string("time"), {TRAINYARD_TEXT("updates"), {}}},
             {"lost_to_waiting", true, false, {TRAINYARD_TEXT("waiting"), {}}}},
        .whyIdle = whyIdle,
        .readings = readings,
        .notes = notes,
        .compute = losses_view::compute};
}

} // namespace trainyard
