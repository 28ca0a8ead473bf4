// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/RunVerdict.h"

#include "base/Format.h"
#include "model/KnownLosses.h"
#include "record/Divergence.h"
#include "record/LossQuality.h"

#include <cmath>
#include <functional>

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

namespace run_verdict {

Problem divergedWarning(const Job& job, double first, double last) {
    return {.code = "diverged",
            .message = {last > first ? TRAINYARD_TEXT("job {0} diverged: its loss rose from {1} to {2}")
                                     : TRAINYARD_TEXT("job {0} diverged: its loss was no finite number any more"),
                        {job.key, formatNumber(first, 4), formatNumber(last, 4)}},
            .severity = Severity::warning};
}

} // namespace run_verdict

Problems divergedJobs(const Workload& workload, const EventLog& log) {
    struct Losses {
        double first = std::nan(""), last = 0;
        bool failed = false;
    };
    std::vector<Losses> jobs(workload.jobs.size());
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& event = log[i];
        const bool lost =
            event.type == EventType::jobFailed && event.aux == static_cast<std::uint16_t>(FailReason::diverged);
        if (!lost && event.type != EventType::lossEvaluated) continue;
        Losses& job = jobs[event.jobId().index()];
        job.failed = job.failed || lost;
        if (lost) continue;
        if (std::isnan(job.first)) job.first = event.value;
        job.last = event.value;
    }
    Problems problems;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const auto& [first, last, failed] = jobs[j];
        if (failed || hasRisenTooFar(first, last))
            problems.push_back(run_verdict::divergedWarning(workload.jobs[j], first, last));
    }
    return problems;
}

Problems jobWarnings(const Workload& workload, const Metrics& metrics) {
    Problems problems;
    const auto numberOf = [](const std::map<std::string, double>& all, const char* name) {
        const auto it = all.find(name);
        return it == all.end() ? std::nan("") : it->second;
    };
    for (std::size_t j = 0; j < metrics.jobs.size() && j < workload.jobs.size(); ++j) {
        if (!(numberOf(metrics.jobs[j], "diverged_jobs") > 0)) continue;
        problems.push_back(run_verdict::divergedWarning(workload.jobs[j], numberOf(metrics.jobs[j], "first_loss"),
                                                        numberOf(metrics.jobs[j], "final_loss")));
    }
    const double arrived = numberOf(metrics.values, "arrived_jobs");
    if (arrived > 0 && numberOf(metrics.values, "failed_jobs") + numberOf(metrics.values, "rejected_jobs") >= arrived)
        problems.push_back(
            {.code = "no-job-done",
             .message = {TRAINYARD_TEXT("all {0} jobs failed or were rejected"), {formatNumber(arrived)}}});
    return problems;
}

std::map<std::string, std::size_t> jobsBehindMeans(const Workload& workload, const Metrics& metrics) {
    std::map<std::string, std::size_t> out;
    const auto add = [&](const std::string& name, const std::function<bool(std::size_t)>& counts) {
        if (!metrics.values.contains(name)) return;
        std::size_t count = 0;
        for (std::size_t j = 0; j < metrics.jobs.size(); ++j) count += counts(j);
        out[name] = count;
    };
    const auto arrived = [&](std::size_t j) { return !metrics.jobs[j].empty(); };
    for (const char* name : {"mean_jct_s", "median_jct_s", "p95_jct_s"})
        add(name, [&](std::size_t j) { return metrics.jobs[j].contains("jct_s"); });
    for (const char* name : {"mean_queueing_s", "training_time_s"}) add(name, arrived);
    add("mean_active_loss", [&](std::size_t j) { return arrived(j) && mayHaveLosses(workload.jobs[j]); });
    for (const std::string name : {"first_loss", "final_loss", "best_loss", "mean_normalised_loss", "time_to_target_s",
                                   timesToLevels[0], timesToLevels[1], timesToLevels[2]})
        add(name, [&](std::size_t j) { return metrics.jobs[j].contains(name); });
    return out;
}

} // namespace trainyard
