// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How many workers each job has, as a stack of areas over time.
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace workers_by_job_view {

constexpr std::size_t mostLayers = 12; // more could not be told apart; the smallest are one layer

Text meaningFor(const Workload& workload) {
    if (std::ranges::any_of(workload.jobs, [](const Job& job) { return job.kind() == JobKind::graph; }))
        return {
            TRAINYARD_TEXT(
                "How many workers each job has on machines, stacked: a layer's height is its job's number of workers, "
                "the upper edge is all of them. The first job lies lowest. Workers of a graph job are the servers that "
                "have parts of it: operations that are split less than others may be on servers of their own, so there "
                "can be more servers than parts."),
            {}};
    return {
        TRAINYARD_TEXT(
            "How many workers each job has on machines, stacked: a layer's height is its job's number of workers, the "
            "upper edge is all of them. The first job lies lowest."),
        {}};
}

/// Where the number of workers of any job changes; where that is too often, an even grid.
std::vector<double> instants(const RunIndex& run, std::size_t most) {
    std::vector<double> out{0};
    for (const JobHistory& job : run.jobs())
        for (std::size_t i = 0; i < job.placed().size(); ++i) out.push_back(job.placed().time(i));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    const double end = run.head().toSeconds();
    if (out.size() > most) {
        out.clear();
        for (std::size_t i = 0; i < most; ++i) out.push_back(end * static_cast<double>(i) / static_cast<double>(most));
    }
    return out;
}

/// The mean number of workers from each instant to the next: what it is, where it changes only there.
std::vector<double> workersOf(const StepSeries& placed, const std::vector<double>& at, double end) {
    std::vector<double> out;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double next = i + 1 < at.size() ? at[i + 1] : end;
        out.push_back(next > at[i] ? placed.mean(at[i], next) : placed.at(at[i]));
    }
    return out;
}

struct Layer {
    Text label;
    Role role;
    JobId job; ///< invalid: the others
    std::vector<double> workers;
    double now = 0;
};

/// Jobs in order of arrival; beyond mostLayers those with most worker-seconds, the selected one, and the others together.
std::vector<Layer> layersOf(const ViewRequest& request, const std::vector<double>& at, double end) {
    const RunIndex& run = request.run;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t j = 0; j < run.jobs().size(); ++j)
        if (run.jobs()[j].mostPlaced() > 0) order.emplace_back(-run.jobs()[j].placed().integral(end), j);
    std::sort(order.begin(), order.end());
    const std::size_t own = std::min(order.size(), mostLayers);
    const auto selected = std::ranges::find(order, request.job.valid() ? request.job.index() : run.jobs().size(),
                                            &std::pair<double, std::size_t>::second);
    if (selected != order.end() && selected - order.begin() >= static_cast<std::ptrdiff_t>(own))
        std::iter_swap(selected, order.begin() + static_cast<std::ptrdiff_t>(own) - 1);
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(own),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const JobId job(order[i].second);
        const StepSeries& placed = run.jobs()[job.index()].placed();
        const auto workers = workersOf(placed, at, end);
        const double now = valueNow(request, placed, "count").value;
        if (i < own) {
            layers.push_back({nameText(run.jobName(job)), Role::of(job), job, workers, now});
            continue;
        }
        if (i == own)
            layers.push_back({{TRAINYARD_TEXT("{0} other jobs"), {std::to_string(order.size() - own)}},
                              Role::muted(),
                              {},
                              std::vector<double>(at.size(), 0),
                              0});
        for (std::size_t k = 0; k < at.size(); ++k) layers.back().workers[k] += workers[k];
        layers.back().now += now;
    }
    return layers;
}

/// A stack of steps: bands have corners where they change.
void addLayer(Plot& plot, const Layer& layer, const std::vector<double>& at, double end, std::vector<double>& ground) {
    const std::string key = layer.job.valid() ? "job-" + std::to_string(layer.job.value + 1) : "others";
    Series area{
        .kind = Series::Kind::band, .key = key, .label = layer.label, .role = layer.role, .fill = 0.75, .layer = true};
    Series edge{.kind = Series::Kind::steps,
                .key = key + "-edge",
                .role = layer.role,
                .weight = 1.4,
                .x = at,
                .y = {},
                .refs = {ElementRef{.job = layer.job}}};
    for (std::size_t k = 0; k < at.size(); ++k) {
        const double top = ground[k] + layer.workers[k];
        for (const double x : {at[k], k + 1 < at.size() ? at[k + 1] : end}) {
            area.x.push_back(x);
            area.y.push_back(top);
            area.base.push_back(ground[k]);
        }
        ground[k] = top;
        edge.y.push_back(layer.workers[k] > 0 ? top : std::numeric_limits<double>::quiet_NaN());
    }
    area.refs = edge.refs;
    edge.x.push_back(end);
    plot.series.push_back(std::move(area));
    plot.series.push_back(std::move(edge));
}

Computation compute(const ViewRequest& request) {
    Text meaning = meaningFor(request.run.workload());
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    const auto at = instants(request.run, std::max<std::size_t>(request.mostPoints / 2, 2));
    const auto layers = layersOf(request, at, end);
    if (layers.empty())
        return emptyChart({TRAINYARD_TEXT("No job has workers yet. Jobs get them when the scheduler starts them."), {}},
                          std::move(meaning));
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = timeAxis(end);
    plot.y = {.title = {TRAINYARD_TEXT("workers"), {}}, .key = "workers"};
    std::vector<double> ground(at.size(), 0);
    for (const Layer& layer : layers) {
        addLayer(plot, layer, at, end, ground);
        LegendItem item = legendBox(layer.label, Quantity{layer.now, request.wholeRun ? "" : "count"}, layer.role);
        item.ref.job = layer.job;
        chart.legend.push_back(std::move(item));
    }
    rangeFromZero(plot.y, std::max(*std::max_element(ground.begin(), ground.end()), 1e-9));
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace workers_by_job_view

View workersByJobView() {
    return {.id = "workers-by-job",
            .group = {TRAINYARD_TEXT("Jobs"), {}},
            .title = {TRAINYARD_TEXT("Workers by job"), {}},
            .summary = {TRAINYARD_TEXT("How the workers are divided among the jobs, over time."), {}},
            .scope = View::Scope::run,
            .concerns = [](const RunIndex& run, JobId) { return run.workload().jobs.size() > 1; },
            .hasMeans = true,
            .compute = workers_by_job_view::compute};
}

} // namespace trainyard
