// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What of the cluster is allocated, what of that is busy, and the load of the busiest link, over time.
#include "analysis/views/ViewParts.h"
#include "model/ResourceLabel.h"

#include <algorithm>

namespace trainyard {

namespace utilization_view {

class Curves {
public:
    Curves(const ViewRequest& request, Chart& chart)
        : m_request(request), m_chart(chart), m_end(std::max(request.run.head().toSeconds(), 1e-9)) {}

    void add(const StepSeries& values, const std::string& key, Text label, Role role, Dash dash = Dash::solid) {
        if (values.size() == 0) return;
        m_chart.legend.push_back(legendLine(label, valueNow(m_request, values, "%", 100), role, dash));
        m_chart.plot().series.push_back(stepCurve(m_request, values, m_end, key, std::move(label), role, dash, 100));
    }

    void addResource(const StepSeries& allocated, const StepSeries& busy, const std::string& name, Role role) {
        if (allocated.size() == 0) return;
        const std::string label = resourceLabel(name);
        add(allocated, name + " allocated", {TRAINYARD_TEXT("{0} allocated"), {label}}, role, Dash::dashed);
        add(busy, name + " busy", {TRAINYARD_TEXT("{0} busy"), {label}}, role);
    }

    double end() const { return m_end; }

private:
    const ViewRequest& m_request;
    Chart& m_chart;
    double m_end;
};

Computation compute(const ViewRequest& request) {
    const RunIndex& run = request.run;
    Text meaning{
        TRAINYARD_TEXT("Shares of the capacity of all machines. Allocated: held by placed tasks. Busy: by workers that "
                       "compute and servers that a worker reads from or sends to. Where more resources are used than "
                       "can be told apart, their means. The busiest link: its load by its bandwidth."),
        {}};
    Chart chart;
    Curves curves(request, chart);
    const auto& names = run.workload().cluster.resourceNames;
    if (run.meanUtilization().size() > 0) {
        curves.addResource(run.meanUtilization(), run.meanBusy(), "all resources", Role::accent());
    } else {
        std::size_t k = 0;
        for (std::size_t r = 0; r < run.utilization().size(); ++r) {
            if (run.utilization()[r].size() == 0) continue;
            curves.addResource(run.utilization()[r], run.busy()[r],
                               r < names.size() ? names[r] : "resource " + std::to_string(r + 1), resourceRole(k++));
        }
    }
    if (chart.plots.empty())
        return emptyChart({TRAINYARD_TEXT("Nothing has been allocated yet. Press play."), {}}, std::move(meaning));
    curves.add(run.busiestLink(), "busiest link", {TRAINYARD_TEXT("busiest link"), {}}, Role::of(Activity::transfer));
    Plot& plot = chart.plot();
    plot.x = timeAxis(curves.end());
    plot.y = {.title = {TRAINYARD_TEXT("capacity"), {}}, .unit = "%", .key = "share_percent", .from = 0, .to = 100};
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
            .compute = utilization_view::compute};
}

} // namespace trainyard
