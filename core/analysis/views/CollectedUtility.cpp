// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The utility of the jobs that have ended, added up over time, whoever schedules them.
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace collected_utility_view {

struct Earned {
    double seconds = 0, utility = 0;
    JobId job;
};

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT("Utility of the jobs that have ended, added up. A job earns its utility when it ends, by "
                       "its completion time; one that is rejected, or has not ended, earns nothing."),
        {}};
    std::vector<Earned> earned;
    bool any = false;
    for (std::size_t j = 0; j < request.run.workload().jobs.size(); ++j) {
        const Job& job = request.run.workload().jobs[j];
        if (!job.utility) continue;
        any = true;
        const JobHistory& history = request.run.jobs()[j];
        if (history.end() != JobHistory::End::finished) continue;
        earned.push_back(
            {history.endedAt().toSeconds(), job.utility->at((history.endedAt() - job.arrival).toSeconds()), JobId(j)});
    }
    if (!any) return emptyChart({TRAINYARD_TEXT("No job has a utility."), {}}, std::move(meaning));
    std::sort(earned.begin(), earned.end(), [](const Earned& a, const Earned& b) { return a.seconds < b.seconds; });
    Series line{.kind = Series::Kind::steps,
                .key = "utility",
                .label = {TRAINYARD_TEXT("utility"), {}},
                .role = Role::accent(),
                .x = {0},
                .y = {0},
                .refs = {ElementRef{}}};
    double sum = 0, now = 0;
    for (const Earned& one : earned) {
        sum += one.utility;
        if (one.seconds <= request.at.toSeconds()) now = sum;
        line.x.push_back(one.seconds);
        line.y.push_back(sum);
        line.refs.push_back({.job = one.job, .at = SimTime::seconds(one.seconds)});
    }
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = timeAxis(std::max(request.run.head().toSeconds(), 1e-9));
    line.x.push_back(*plot.x.to);
    plot.y = {.title = {TRAINYARD_TEXT("utility"), {}}, .key = "utility"};
    rangeFromZero(plot.y, std::max(sum, 1e-9));
    plot.series.push_back(std::move(line));
    chart.legend = {legendLine({TRAINYARD_TEXT("utility"), {}}, Quantity{now, ""}, Role::accent()),
                    legendItem({TRAINYARD_TEXT("jobs ended"), {}}, count(earned.size()))};
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace collected_utility_view

View collectedUtilityView() {
    return {.id = "utility",
            .group = {TRAINYARD_TEXT("Jobs"), {}},
            .title = {TRAINYARD_TEXT("Utility collected"), {}},
            .summary = {TRAINYARD_TEXT("The utility of the jobs that have ended, added up over time."), {}},
            .scope = View::Scope::run,
            .concerns =
                [](const RunIndex& run, JobId) {
                    const auto& jobs = run.workload().jobs;
                    return std::any_of(jobs.begin(), jobs.end(),
                                       [](const Job& job) { return job.utility.has_value(); });
                },
            .compute = collected_utility_view::compute};
}

} // namespace trainyard
