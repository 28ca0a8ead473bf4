// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/ComparisonCharts.h"

#include "base/Format.h"
#include "base/SampleStatistics.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace comparison_charts {

std::vector<double> valuesOf(const ArmResult& arm, const std::string& metric) {
    std::vector<double> out;
    for (const double value : observations(arm.runs, metric, nullptr))
        if (std::isfinite(value)) out.push_back(value);
    return out;
}

/// The same for the same run, so that points do not jump when more come.
double jitter(std::size_t run) { return 0.24 * (std::fmod(static_cast<double>(run) * 0.6180339887, 1.0) - 0.5); }

Text countsText(const ComparisonView& view, std::size_t least, std::size_t most) {
    if (least == most) return {TRAINYARD_TEXT("n = {0} {0:seed|seeds}"), {std::to_string(most)}};
    return {TRAINYARD_TEXT("n = {0} to {1} of {2} {2:seed|seeds}"),
            {std::to_string(least), std::to_string(most), std::to_string(view.result.seeds.size())}};
}

/// What speaks against believing it, in one text.
Text cautionOf(const ComparisonView& view, std::size_t least, std::size_t absent, bool equal) {
    const ComparisonResult& r = view.result;
    std::size_t failed = 0, unfinished = 0, diverged = 0;
    for (const auto& arm : r.arms) failed += arm.failed, unfinished += arm.unfinished, diverged += arm.diverged;
    std::vector<Text> parts;
    const std::size_t all = r.arms.size() * r.seeds.size();
    if (view.partial)
        parts.push_back({TRAINYARD_TEXT("Partial: {0} of {1} {1:run|runs} are done."),
                         {std::to_string(r.done() + failed), std::to_string(all)}});
    if (least == 1) parts.push_back({TRAINYARD_TEXT("One run is not evidence."), {}});
    if (equal) parts.push_back({TRAINYARD_TEXT("No seed changes it: intervals have no width."), {}});
    if (failed > 0) parts.push_back({TRAINYARD_TEXT("{0} {0:run|runs} failed."), {std::to_string(failed)}});
    if (unfinished > 0)
        parts.push_back({TRAINYARD_TEXT("{0} {0:run|runs} ended with unfinished jobs."), {std::to_string(unfinished)}});
    if (diverged > 0)
        parts.push_back(
            {TRAINYARD_TEXT("{0} {0:run|runs} diverged and {0:is|are} left out."), {std::to_string(diverged)}});
    if (absent > 0)
        parts.push_back({TRAINYARD_TEXT("{0} {0:run has|runs have} no such value and {0:is|are} left out."),
                         {std::to_string(absent)}});
    Text out;
    for (const Text& part : parts) {
        out.pattern += (out.pattern.empty() ? "{" : " {") + std::to_string(out.arguments.size()) + "}";
        out.arguments.push_back(part.english());
    }
    return out;
}

class Maker {
public:
    Maker(const ComparisonView& view, const std::string& metric) : m_view(view), m_metric(metric) {
        const auto* definition = metricWithId(metric);
        m_axis.title = definition ? Text{definition->label, {}} : nameText(metric);
        m_axis.unit = definition ? definition->unit : "";
        m_axis.key = metric;
        m_least = view.result.seeds.size();
        for (const auto& arm : view.result.arms) {
            m_values.push_back(valuesOf(arm, metric));
            const auto done = static_cast<std::size_t>(
                std::ranges::count_if(arm.runs, [](const auto& run) { return !run.empty() && !run.isDiverged(); }));
            m_absent += done - std::min(done, m_values.back().size());
            if (!m_values.back().empty()) {
                m_least = std::min(m_least, m_values.back().size());
                m_most = std::max(m_most, m_values.back().size());
            }
        }
    }

    Chart make(ComparisonChartKind kind) {
        Chart chart;
        if (m_most == 0) {
            chart.empty = {TRAINYARD_TEXT("no run has this value yet"), {}};
            return chart;
        }
        Plot& plot = chart.plot();
        plot.x = m_axis;
        Text meaning;
        switch (kind) {
        case ComparisonChartKind::boxes: meaning = boxes(plot); break;
        case ComparisonChartKind::distribution: meaning = distributions(plot, chart.legend); break;
        default: meaning = means(plot);
        }
        chart.meaning = std::move(meaning);
        chart.caution = cautionOf(m_view, m_least, m_absent, m_least > 1 && seedsAgree());
        return chart;
    }

private:
    std::string count() const { return countsText(m_view, m_least, m_most).english(); }
    std::string percent() const { return formatNumber(100 * m_view.result.confidence(), 4); }

    /// Each arm has one value, but for rounding: the metric depends on nothing that is drawn.
    bool seedsAgree() const {
        return std::all_of(m_values.begin(), m_values.end(), [](const std::vector<double>& values) {
            if (values.empty()) return true;
            const auto [low, high] = std::minmax_element(values.begin(), values.end());
            return *high - *low <= 1e-12 * std::max(std::abs(*low), std::abs(*high));
        });
    }

    void nameRows(Plot& plot) const {
        plot.y.kind = Axis::Kind::categories;
        plot.y.key = "policy";
        for (std::size_t a = 0; a < m_values.size(); ++a) plot.y.categories.push_back({m_view.title(a), {}});
    }

    Series& add(Plot& plot, Series::Kind kind, const char* what, std::size_t arm) const {
        Series& series = plot.series.emplace_back();
        series.kind = kind;
        series.key = std::string(what) + " " + m_view.result.arms[arm].name;
        series.role = Role::hue(arm);
        return series;
    }

    void addRuns(Plot& plot, std::size_t arm, const std::vector<double>& values) const {
        Series& points = add(plot, Series::Kind::points, "run", arm);
        points.weight = 0.6;
        points.x = values;
        for (std::size_t i = 0; i < values.size(); ++i) points.y.push_back(static_cast<double>(arm) + 0.26 + jitter(i));
    }

    Text means(Plot& plot) const {
        nameRows(plot);
        double low = INFINITY, high = -INFINITY;
        for (const auto& values : m_values)
            for (const double v : values) low = std::min(low, v), high = std::max(high, v);
        const bool fromZero = !(low > 0.5 * high) || low < 0; // else bars would hide how they differ
        for (std::size_t a = 0; a < m_values.size(); ++a) {
            if (m_values[a].empty()) continue;
            const double row = static_cast<double>(a);
            const Estimate mean = estimateMean(m_values[a], m_view.result.confidence());
            if (fromZero) {
                Series& bar = add(plot, Series::Kind::spans, "bar", a);
                bar.spans.push_back(
                    {std::min(0.0, mean.mean), std::max(0.0, mean.mean), static_cast<std::uint32_t>(a), bar.role, {}});
                bar.fill = 0.35;
            }
            addRuns(plot, a, m_values[a]);
            if (mean.halfWidth) {
                Series& interval = add(plot, Series::Kind::line, "interval", a);
                interval.weight = 2;
                interval.x = {mean.mean - *mean.halfWidth, mean.mean + *mean.halfWidth};
                interval.y = {row - 0.12, row - 0.12};
                for (const double end : {mean.mean - *mean.halfWidth, mean.mean + *mean.halfWidth}) {
                    interval.x.insert(interval.x.end(), {NAN, end, end});
                    interval.y.insert(interval.y.end(), {NAN, row - 0.2, row - 0.04});
                }
            }
            Series& dot = add(plot, Series::Kind::points, "mean", a);
            dot.weight = 1.5;
            dot.x = {mean.mean};
            dot.y = {row - 0.12};
        }
        if (fromZero && low >= 0) plot.x.from = 0;
        return {fromZero
                    ? TRAINYARD_TEXT(
                          "Bars and large points: mean, {0}; whiskers: {1} % interval (Student's t); small points: "
                          "single runs.")
                    : TRAINYARD_TEXT(
                          "Large points: mean, {0}; whiskers: {1} % interval (Student's t); small points: single "
                          "runs. The axis does not begin at 0."),
                {count(), percent()}};
    }

    Text boxes(Plot& plot) const {
        nameRows(plot);
        for (std::size_t a = 0; a < m_values.size(); ++a) {
            std::vector<double> sorted = m_values[a];
            if (sorted.empty()) continue;
            std::sort(sorted.begin(), sorted.end());
            const double row = static_cast<double>(a), q1 = quantileOfSorted(sorted, 0.25),
                         q2 = quantileOfSorted(sorted, 0.5), q3 = quantileOfSorted(sorted, 0.75),
                         reach = 1.5 * (q3 - q1);
            const double low = *std::lower_bound(sorted.begin(), sorted.end(), q1 - reach);
            const double high = *(std::upper_bound(sorted.begin(), sorted.end(), q3 + reach) - 1);
            Series& box = add(plot, Series::Kind::spans, "box", a);
            box.fill = 0.35;
            box.spans.push_back({q1, q3, static_cast<std::uint32_t>(a), box.role, {}});
            Series& whiskers = add(plot, Series::Kind::line, "whiskers", a);
            whiskers.x = {low, q1, NAN, q3, high, NAN, low, low, NAN, high, high};
            whiskers.y = {row, row, NAN, row, row, NAN, row - 0.12, row + 0.12, NAN, row - 0.12, row + 0.12};
            Series& middle = add(plot, Series::Kind::line, "median", a);
            middle.weight = 2;
            middle.x = {q2, q2};
            middle.y = {row - 0.3, row + 0.3};
            Series& beyond = add(plot, Series::Kind::points, "beyond", a);
            beyond.weight = 0.7;
            for (const double v : sorted)
                if (v < low || v > high) beyond.x.push_back(v), beyond.y.push_back(row);
            if (beyond.x.empty()) plot.series.pop_back();
        }
        return {
            TRAINYARD_TEXT(
                "Boxes: quartiles and median, {0}; whiskers: the farthest run within 1.5 times the box; points: runs "
                "beyond. Neither is an interval of the mean."),
            {count()}};
    }

    Text distributions(Plot& plot, std::vector<LegendItem>& legend) const {
        plot.y.title = {TRAINYARD_TEXT("share of runs"), {}};
        plot.y.unit = "%";
        plot.y.key = "share_percent";
        plot.y.from = 0;
        plot.y.to = 100;
        for (std::size_t a = 0; a < m_values.size(); ++a) {
            std::vector<double> sorted = m_values[a];
            if (sorted.empty()) continue;
            std::sort(sorted.begin(), sorted.end());
            Series& steps = add(plot, Series::Kind::steps, "runs", a);
            steps.label = m_view.title(a);
            steps.x.push_back(sorted.front());
            steps.y.push_back(0);
            for (std::size_t i = 0; i < sorted.size(); ++i) {
                if (i + 1 < sorted.size() && sorted[i + 1] == sorted[i]) continue;
                steps.x.push_back(sorted[i]);
                steps.y.push_back(100 * static_cast<double>(i + 1) / static_cast<double>(sorted.size()));
            }
            legend.push_back({.label = steps.label, .swatch = LegendItem::Swatch::line, .role = steps.role});
        }
        return {TRAINYARD_TEXT("The share of runs at or below each value, {0}; no interval."), {count()}};
    }

    ComparisonView m_view;
    std::string m_metric;
    Axis m_axis;
    std::vector<std::vector<double>> m_values; ///< by arm
    std::size_t m_least = 0, m_most = 0, m_absent = 0;
};

Chart lossChart(const ComparisonView& view) {
    Chart chart;
    Plot plot;
    plot.x = {.title = {TRAINYARD_TEXT("time"), {}}, .unit = "s", .key = "time_s"};
    plot.y = {.title = {TRAINYARD_TEXT("loss"), {}}, .unit = "", .key = "loss"};
    std::size_t least = view.result.seeds.size(), most = 0;
    double low = INFINITY, high = -INFINITY;
    bool normalised = false;
    for (std::size_t a = 0; a < view.result.arms.size(); ++a) {
        std::vector<const LossTrace*> traces;
        for (const auto& trace : view.result.arms[a].traces)
            if (!trace.empty()) traces.push_back(&trace);
        if (traces.empty()) continue;
        normalised = traces.front()->normalised;
        least = std::min(least, traces.size());
        most = std::max(most, traces.size());
        const LossBand band = lossBand(traces);
        Series area{.kind = Series::Kind::band, .key = "middle half " + view.result.arms[a].name, .role = Role::hue(a)};
        area.x = band.seconds;
        area.y = band.high;
        area.base = band.low;
        Series median{.kind = Series::Kind::line, .key = "median " + view.result.arms[a].name, .role = Role::hue(a)};
        median.label = view.title(a);
        median.x = band.seconds;
        median.y = band.median;
        for (const double v : band.low) low = std::fmin(low, v);
        for (const double v : band.high) high = std::fmax(high, v);
        plot.series.push_back(std::move(area));
        plot.series.push_back(std::move(median));
    }
    if (most == 0) {
        chart.empty = {TRAINYARD_TEXT("no run has losses yet: only trained and analytic jobs have some"), {}};
        return chart;
    }
    if (normalised)
        plot.y = {.title = {TRAINYARD_TEXT("mean normalised loss"), {}},
                  .key = "mean_normalised_loss",
                  .from = 0,
                  .to = high > 0 ? high : 1};
    else if (low > 0 && high > 10 * low)
        plot.y.kind = Axis::Kind::logarithmic;
    chart.plots.push_back(std::move(plot));
    chart.meaning = {
        normalised
            ? TRAINYARD_TEXT("Lines: median over runs, {0}, of the mean normalised loss of the jobs that have arrived "
                             "(1: nothing learnt, 0: all, by a job's curve or else the least loss of its run); bands: "
                             "the middle half of the runs, not an interval of the mean.")
            : TRAINYARD_TEXT("Lines: median over runs of the loss, {0}; bands: the middle half of the runs, "
                             "not an interval of the mean."),
        {countsText(view, least, most).english()}};
    chart.caution = cautionOf(view, least, 0, false);
    return chart;
}

} // namespace comparison_charts

const MetricDefinition* metricWithId(const std::string& id) {
    const MetricDefinition* family = nullptr;
    for (const auto& m : metricDefinitions()) {
        if (m.id == id) return &m;
        if (standsForSeveral(m) && id.starts_with(m.id.substr(0, m.id.rfind('_') + 1))) family = &m;
    }
    return family;
}

bool varies(const ComparisonResult& result, const std::string& metric) {
    const auto& first = result.arms.front().runs;
    if (result.arms.size() == 1) {
        const auto values = observations(first, metric, nullptr);
        return std::ranges::any_of(values, [&](double v) { return v != values.front(); });
    }
    return std::ranges::any_of(result.arms, [&](const ArmResult& arm) {
        const auto paired = observations(arm.runs, metric, &first);
        return std::ranges::any_of(paired, [](double d) { return d != 0; });
    });
}

std::vector<std::string> varyingMetrics(const ComparisonResult& result) {
    std::vector<std::string> out;
    for (const auto& definition : metricDefinitions())
        if (varies(result, definition.id)) out.push_back(definition.id);
    return out;
}

Text ComparisonView::title(std::size_t arm) const {
    return arm < titles.size() ? titles[arm] : nameText(result.arms[arm].name);
}

Chart comparisonChart(const ComparisonView& view, const std::string& metric, ComparisonChartKind kind) {
    if (kind == ComparisonChartKind::losses) return comparison_charts::lossChart(view);
    return comparison_charts::Maker(view, metric).make(kind);
}

} // namespace trainyard
