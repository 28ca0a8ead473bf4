// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What of the cluster is allocated, what of that is busy, and the load of the busiest link, over time.
#include "analysis/views/ViewParts.h"
#include "model/ResourceLabel.h"

#include <algorithm>

namespace trainyard {

namespace utilization_view {

struct Curve {
    const StepSeries& values;
    std::string key;
    Text label;
    Role role;
    Dash dash = Dash::solid;
};

/// What has values: of each resource what is allocated and what is busy, then the busiest link.
std::vector<Curve> curvesOf(const RunIndex& run) {
    std::vector<Curve> curves;
    const auto add = [&](Curve curve) {
        if (curve.values.size() > 0) curves.push_back(std::move(curve));
    };
    const auto addResource = [&](const StepSeries& allocated, const StepSeries& busy, const std::string& name,
                                 Role role) {
        if (allocated.size() == 0) return;
        const std::string label = resourceLabel(name);
        add({allocated, name + " allocated", {TRAINYARD_TEXT("{0} allocated"), {label}}, role, Dash::dashed});
        add({busy, name + " busy", {TRAINYARD_TEXT("{0} busy"), {label}}, role});
    };
    const auto& names = run.workload().cluster.resourceNames;
    if (run.meanUtilization().size() > 0) {
        addResource(run.meanUtilization(), run.meanBusy(), "all resources", Role::accent());
    } else {
        std::size_t k = 0;
        for (std::size_t r = 0; r < run.utilization().size(); ++r) {
            if (run.utilization()[r].size() == 0) continue;
            addResource(run.utilization()[r], run.busy()[r],
                        r < names.size() ? names[r] : "resource " + std::to_string(r + 1), resourceRole(k++));
        }
    }
    if (!curves.empty())
        add({run.busiestLink(), "busiest link", {TRAINYARD_TEXT("busiest link"), {}}, Role::of(Activity::transfer)});
    return curves;
}

std::vector<LegendItem> readings(const ViewRequest& request) {
    std::vector<LegendItem> legend;
    for (const Curve& curve : curvesOf(request.run))
        legend.push_back(legendLine(curve.label, valueNow(request, curve.values, "%", 100), curve.role, curve.dash));
    return legend;
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT("Shares of the capacity of all machines. Allocated: held by placed tasks. Busy: by workers that "
                       "compute and servers that a worker reads from or sends to. Where more resources are used than "
                       "can be told apart, their means. The busiest link: its load by its bandwidth."),
        {}};
    const std::vector<Curve> curves = curvesOf(request.run);
    if (curves.empty())
        return emptyChart({TRAINYARD_TEXT("Nothing has been allocated yet. Press play."), {}}, std::move(meaning));
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    Chart chart;
    Plot& plot = chart.plot();
    for (const Curve& curve : curves)
        plot.series.push_back(
            stepCurve(request, curve.values, end, curve.key, curve.label, curve.role, curve.dash, 100));
    plot.x = timeAxis(end);
    plot.y = {.title = {TRAINYARD_TEXT("capacity"), {}}, .unit = "%", .key = "share_percent", .from = 0, .to = 100};
    if (request.mostEntries > 0) chart.legend = readings(request);
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace utilization_view

View utilizationView() {
    return {.id = "utilization",
            .group = courseGroup(),
            .title = {TRAINYARD_TEXT("Utilization"), {}},
            .summary = {TRAINYARD_TEXT("What of the cluster is allocated and what is busy, over time."), {}},
            .scope = View::Scope::run,
            .hasMeans = true,
            .readings = utilization_view::readings,
            .compute = utilization_view::compute};
}

} // namespace trainyard
