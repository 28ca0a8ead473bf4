// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How many blocks of 16, 8 and 4 servers of the optical network are free over time: enough servers may be free, and no block.
#include "analysis/AdmissionCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace free_blocks_view {

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "Blocks of 16, 8 and 4 servers that are free, each counted even where they share servers, and the servers that "
            "are free. Where many servers are free and no large block is, the network is fragmented: jobs that need "
            "many parts are blocked."),
        {}};
    if (!hasAdmissions(request.run.workload()))
        return emptyChart(
            {TRAINYARD_TEXT("No job is admitted at once: jobs say so by \"admission\", and the cluster needs "
                            "\"ramp\"."),
             {}},
            std::move(meaning));
    const auto& course = request.run.foldSoFar<AdmissionCourse>();
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    Chart chart;
    const auto addPlot = [&](const StepSeries& series, std::string key, Text label, Text title, Role role) {
        Plot& plot = chart.plots.emplace_back();
        plot.row = chart.plots.size() - 1;
        plot.x = timeAxis(end);
        plot.y = {.title = std::move(title), .key = key, .whole = true};
        double most = 1;
        for (std::size_t i = 0; i < series.size(); ++i) most = std::max(most, series.value(i));
        rangeFromZero(plot.y, most);
        plot.series = {stepCurve(request, series, end, key, label, role)};
        chart.legend.push_back(legendLine(std::move(label), valueNow(request, series, "count"), role));
    };
    for (std::size_t i = 0; i < AdmissionCourse::blockSizes.size(); ++i) {
        const std::string size = std::to_string(AdmissionCourse::blockSizes[i]);
        addPlot(course.freeBlocks(i), "blocks-" + size, {TRAINYARD_TEXT("free blocks of {0}"), {size}},
                {TRAINYARD_TEXT("of {0}"), {size}}, Role::hue(i));
    }
    addPlot(course.freeServers(), "servers", {TRAINYARD_TEXT("free servers"), {}}, {TRAINYARD_TEXT("servers"), {}},
            Role::accent());
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace free_blocks_view

View freeBlocksView() {
    return {
        .id = "free-blocks",
        .group = graphsGroup(),
        .title = {TRAINYARD_TEXT("Free blocks"), {}},
        .summary = {TRAINYARD_TEXT("Free blocks of 16, 8 and 4 servers over time: how fragmented the network is."), {}},
        .scope = View::Scope::run,
        .concerns = [](const RunIndex& run, JobId) { return hasAdmissions(run.workload()); },
        .compute = free_blocks_view::compute};
}

} // namespace trainyard
