// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How many jobs wait in the queue, and how many run, over time.
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace queue_view {

std::vector<LegendItem> readings(const ViewRequest& request) {
    const StepSeries &waiting = request.run.waitingJobs(), &running = request.run.runningJobs();
    return {legendLine({TRAINYARD_TEXT("waiting"), {}}, valueNow(request, waiting, "count"), {}, Dash::dashed),
            legendLine({TRAINYARD_TEXT("running"), {}}, valueNow(request, running, "count"), Role::accent())};
}

Computation compute(const ViewRequest& request) {
    const StepSeries &waiting = request.run.waitingJobs(), &running = request.run.runningJobs();
    Text meaning{TRAINYARD_TEXT("Jobs that have arrived or were preempted and have no machines, and jobs that run."),
                 {}};
    if (waiting.size() == 0)
        return emptyChart({TRAINYARD_TEXT("No job has arrived yet. Press play."), {}}, std::move(meaning));
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    Chart chart;
    Plot& plot = chart.plot();
    plot.series = {stepCurve(request, running, end, "running", {TRAINYARD_TEXT("running"), {}}, Role::accent()),
                   stepCurve(request, waiting, end, "waiting", {TRAINYARD_TEXT("waiting"), {}}, {}, Dash::dashed)};
    double most = 1;
    for (const StepSeries* series : {&waiting, &running})
        for (std::size_t i = 0; i < series->size(); ++i) most = std::max(most, series->value(i));
    plot.x = timeAxis(end);
    plot.y = {.title = {TRAINYARD_TEXT("jobs"), {}}, .key = "jobs", .whole = true};
    rangeFromZero(plot.y, most);
    if (request.mostEntries > 0) chart.legend = readings(request);
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace queue_view

View queueView() {
    return {.id = "queue",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("Queue"), {}},
            .summary = {TRAINYARD_TEXT("How many jobs wait and run, over time."), {}},
            .scope = View::Scope::run,
            .hasMeans = true,
            .readings = queue_view::readings,
            .compute = queue_view::compute};
}

} // namespace trainyard
