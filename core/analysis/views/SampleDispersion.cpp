// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How unevenly keyed jobs have sampled keys, over time: what a scheme of sampling pays with for its speed.
#include "analysis/KeyedCourse.h"
#include "analysis/views/ViewParts.h"
#include "learning/keyed/KeyedModel.h"

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace sample_dispersion_view {

/// Of all samples so far, the mean over machines, at the end of each interval.
Series curveOf(const RunIndex& run, JobId job) {
    Series line{.kind = Series::Kind::line,
                .key = run.workload().job(job).key,
                .label = nameText(run.jobName(job)),
                .role = Role::of(job),
                .refs = {{.job = job}}};
    for (const auto& interval : run.fold<KeyedCourse>().merged(job)) {
        const auto& nodes = interval.dispersion;
        if (nodes.empty()) continue;
        line.x.push_back(interval.to);
        line.y.push_back(std::accumulate(nodes.begin(), nodes.end(), 0.0) / static_cast<double>(nodes.size()));
    }
    return line;
}

bool samplesOf(const RunIndex& run, JobId job) {
    const KeyedAccess* access = run.workload().job(job).keyedAccess();
    return access && access->task && access->model && access->model->samplesPerExample() > 0;
}

/// Of the job, or of any.
bool samples(const RunIndex& run, JobId job) {
    if (job.valid()) return samplesOf(run, job);
    for (std::size_t n = 0; n < run.workload().jobs.size(); ++n)
        if (samplesOf(run, JobId(n))) return true;
    return false;
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "How unevenly keys were sampled so far: about 1 for independent samples, U where groups are used U times; it "
            "grows where samples are biased, as local and repurposed ones are. Σ (n − N·p)²/(N·p) over the keys that can be "
            "sampled, over their number less one: n samples of a key with probability p among all N of a worker."),
        {}};
    if (!samples(request.run, {}))
        return emptyChart({TRAINYARD_TEXT("No keyed job of the run samples keys."), {}}, std::move(meaning));
    Chart chart;
    Plot& plot = chart.plot();
    double least = 1, most = 2, end = 0;
    for (std::size_t n = 0; n < request.run.workload().jobs.size(); ++n) {
        const JobId job(n);
        if (!samples(request.run, job)) continue;
        Series line = curveOf(request.run, job);
        if (line.x.empty()) continue;
        end = std::max(end, line.x.back());
        for (const double y : line.y) least = std::min(least, y), most = std::max(most, y);
        const auto after = std::ranges::upper_bound(line.x, request.at.toSeconds());
        const auto now = std::max<std::ptrdiff_t>(after - line.x.begin(), 1) - 1;
        chart.legend.push_back(legendLine(line.label, Quantity{line.y[static_cast<std::size_t>(now)], ""}, line.role));
        plot.series.push_back(std::move(line));
    }
    if (plot.series.empty())
        return emptyChart({TRAINYARD_TEXT("No samples have been counted yet."), {}}, std::move(meaning));
    plot.x = timeAxis(end);
    plot.y = {
        .kind = Axis::Kind::logarithmic, .title = {TRAINYARD_TEXT("dispersion of samples"), {}}, .key = "dispersion"};
    plot.y.from = std::max(least * 0.8, 0.01);
    plot.y.to = most * 1.25;
    plot.lines.push_back({.way = ReferenceLine::Way::horizontal, .value = 1, .weight = 1.2, .dash = Dash::dashed});
    chart.legend.push_back(legendLine({TRAINYARD_TEXT("independent samples"), {}}, Quantity{1, ""}, {}, Dash::dashed));
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace sample_dispersion_view

View sampleDispersionView() {
    return {.id = "sample-dispersion",
            .group = keysGroup(),
            .title = {TRAINYARD_TEXT("Dispersion of samples"), {}},
            .summary = {TRAINYARD_TEXT("How unevenly keyed jobs have sampled keys, by the scheme of sampling."), {}},
            .scope = View::Scope::run,
            .concerns = sample_dispersion_view::samples,
            .compute = sample_dispersion_view::compute};
}

} // namespace trainyard
