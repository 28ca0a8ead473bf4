// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Graph jobs that are admitted at once: how many were accepted, and how many blocked for which reason, over time.
#include "analysis/AdmissionCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace admissions_view {

struct Part {
    RejectReason reason;
    const char* key;
    const char* label;
};
constexpr std::array<Part, 4> parts{
    {{RejectReason::impossible, "impossible", TRAINYARD_TEXT("impossible even on the empty cluster")},
     {RejectReason::noBlock, "no-block", TRAINYARD_TEXT("no block free")},
     {RejectReason::tooSlow, "too-slow", TRAINYARD_TEXT("free blocks too slow")},
     {RejectReason::byChoice, "by-choice", TRAINYARD_TEXT("by choice")}}};

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "Arrivals of graph jobs that are admitted at once, added up: those that got their servers, and those that were "
            "blocked, by the reason: no number of parts would have met the deadline even on the empty cluster; none had a "
            "free block of servers; those that had one were too slow; or some number would have done."),
        {}};
    if (!hasAdmissions(request.run.workload()))
        return emptyChart(
            {TRAINYARD_TEXT("No job is admitted at once: jobs say so by \"admission\", and the cluster needs "
                            "\"ramp\"."),
             {}},
            std::move(meaning));
    const auto& course = request.run.foldSoFar<AdmissionCourse>();
    if (course.arrivals().empty())
        return emptyChart({TRAINYARD_TEXT("No such job has arrived yet."), {}}, std::move(meaning));
    const double end = std::max(request.run.head().toSeconds(), 1e-9);
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = timeAxis(end);
    plot.y = {.title = {TRAINYARD_TEXT("arrivals"), {}}, .key = "arrivals", .whole = true};
    double most = 1;
    const auto add = [&](const StepSeries& series, const char* key, const char* label, Role role, Dash dash) {
        const Text text{label, {}};
        plot.series.push_back(stepCurve(request, series, end, key, text, role, dash));
        plot.series.back().filled = false;
        chart.legend.push_back(legendLine(text, valueNow(request, series, "count"), role, dash));
        most = std::max(most, series.at(end));
    };
    add(course.accepted(), "accepted", TRAINYARD_TEXT("accepted"), Role::accent(), Dash::solid);
    for (std::size_t i = 0; i < parts.size(); ++i)
        add(course.blocked(parts[i].reason), parts[i].key, parts[i].label, Role::hue(i), Dash::dashed);
    rangeFromZero(plot.y, most);
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace admissions_view

View admissionsView() {
    return {
        .id = "admissions",
        .group = graphsGroup(),
        .title = {TRAINYARD_TEXT("Accepted and blocked"), {}},
        .summary = {TRAINYARD_TEXT("Arrivals of graph jobs that were accepted, and blocked by reason, over time."), {}},
        .scope = View::Scope::run,
        .concerns = [](const RunIndex& run, JobId) { return hasAdmissions(run.workload()); },
        .compute = admissions_view::compute};
}

} // namespace trainyard
