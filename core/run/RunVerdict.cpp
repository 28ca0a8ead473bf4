// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/RunVerdict.h"

#include "base/Format.h"

#include <cmath>

namespace trainyard {

Problems brokenExpectations(const Scenario& scenario, const Metrics& metrics) {
    Problems problems;
    for (const Expectation& expected : scenario.expect) {
        const auto it = metrics.values.find(expected.metric);
        if (it != metrics.values.end() && it->second >= expected.minimum && it->second <= expected.maximum) continue;
        problems.push_back(
            {.code = "expectation",
             .message = {TRAINYARD_TEXT("{0} is {1}, expected were {2} to {3}"),
                         {expected.metric, it == metrics.values.end() ? "absent" : formatNumber(it->second, 6),
                          formatNumber(expected.minimum, 6), formatNumber(expected.maximum, 6)}}});
    }
    return problems;
}

Problems doubtfulJobs(const Workload& workload, const Metrics& metrics) {
    Problems problems;
    const auto numberOf = [](const std::map<std::string, double>& all, const char* name) {
        const auto it = all.find(name);
        return it == all.end() ? std::nan("") : it->second;
    };
    for (std::size_t j = 0; j < metrics.jobs.size() && j < workload.jobs.size(); ++j) {
        const double first = numberOf(metrics.jobs[j], "first_loss"), last = numberOf(metrics.jobs[j], "final_loss");
        if (!(last - first >= 10 * std::abs(first)) || last <= first) continue;
        problems.push_back({.code = "diverged",
                            .message = {TRAINYARD_TEXT("job {0} diverged: its loss rose from {1} to {2}"),
                                        {workload.jobs[j].key, formatNumber(first, 4), formatNumber(last, 4)}},
                            .severity = Severity::warning});
    }
    const double arrived = numberOf(metrics.values, "arrived_jobs");
    if (arrived > 0 && numberOf(metrics.values, "failed_jobs") + numberOf(metrics.values, "rejected_jobs") >= arrived)
        problems.push_back(
            {.code = "no-job-done",
             .message = {TRAINYARD_TEXT("all {0} jobs failed or were rejected"), {formatNumber(arrived)}}});
    return problems;
}

} // namespace trainyard
