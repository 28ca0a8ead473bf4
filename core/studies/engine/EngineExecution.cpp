// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Starters and network-bound scenarios, simulated and executed: the mean iteration time of both, each with
// its own spread. Shortened, the same on both sides; an executed run draws other times than any simulated
// one.
#include "studies/engine/Engine.h"

#include "base/SampleStatistics.h"

#include <cmath>

namespace trainyard::study {

namespace engine_execution {

constexpr std::size_t simulatedSeeds = 64;

struct ExecutedCase {
    std::string name, file, variant; ///< variant: of the synchronization; empty: the scenario's own
    std::vector<std::pair<std::string, std::string>> values;
};

std::vector<std::pair<std::string, std::string>> ofJobs(int jobs, const std::string& rule, const std::string& value) {
    std::vector<std::pair<std::string, std::string>> out;
    for (int j = 0; j < jobs; ++j) out.emplace_back("/jobs/" + std::to_string(j) + "/stop/" + rule, value);
    return out;
}

std::vector<ExecutedCase> cases() {
    const auto bottleneck = ofJobs(1, "iterations", "12");
    auto fourServers = bottleneck;
    fourServers.emplace_back("/jobs/0/servers", "4");
    return {{"first-steps", "first-steps", "", ofJobs(2, "iterations", "50")},
            {"one-slow-worker", "one-slow-worker", "", ofJobs(1, "iterations", "100")},
            {"five-ways", "five-ways-to-wait", "", ofJobs(5, "seconds", "8")},
            {"two-racks", "two-racks", "", ofJobs(4, "iterations", "40")},
            {"failure-and-recovery",
             "failure-and-recovery",
             "",
             {{"/jobs/0/stop/iterations", "60"},
              {"/jobs/1/stop/iterations", "60"},
              {"/faults/0/at_s", "3"},
              {"/faults/0/repair_after_s", "2"},
              {"/faults/1/at_s", "3"},
              {"/faults/1/repair_after_s", "2"}}},
            {"bottleneck/full-sync", "bottleneck", "", bottleneck},
            {"bottleneck/four-servers", "bottleneck", "", fourServers},
            {"bottleneck/async", "bottleneck", "async", ofJobs(1, "iterations", "48")},
            {"bottleneck/fastest-2", "bottleneck", "fastest-2", bottleneck}};
}

Result<std::shared_ptr<const Scenario>> scenarioOf(const StudyRequest& request, const ExecutedCase& c) {
    auto loaded = loadScenario(request, "start/" + c.file + ".json");
    if (loaded) loaded = withValues(loaded.value(), c.values);
    if (loaded && !c.variant.empty())
        loaded = withVariant(loaded.value(), PolicyFamily::synchronization, c.variant, *request.registry);
    return loaded;
}

/// The interval of the gap is that of a ratio of independent means (delta method), each with its Student-t
/// interval.
Claim judged(const ExecutedCase& c, const std::vector<double>& executedRuns, const std::vector<double>& simulatedRuns) {
    const Estimate executed = estimateMean(executedRuns), simulated = estimateMean(simulatedRuns);
    Estimate gap{.n = executed.n, .mean = executed.mean / simulated.mean - 1};
    gap.halfWidth = (1 + gap.mean) * std::hypot(executed.halfWidth.value_or(0) / executed.mean,
                                                simulated.halfWidth.value_or(0) / simulated.mean);
    const double spread = sampleDeviation(simulatedRuns) / simulated.mean;
    return executedGap("executed/" + c.name,
                       "Executed iterations of " + c.name + " take as long as simulated ones, within 5 %.", gap,
                       "executed " + number(executed.mean) + " s, simulated " + number(simulated.mean) +
                           " s; simulated runs have a standard deviation of " + number(100 * spread) + " %");
}

/// What a jitter of 0.01 % changes where all times are constant and workers that do not wait for each other share a link: an
/// executed run always has some, and a simulated one has none.
void constantTimes(const StudyRequest& request, StudyReport& report, StudyTable& table) {
    ExecutedCase constant{"constant-times", "bottleneck", "async", ofJobs(1, "iterations", "400")}, jittered = constant;
    for (const char* worker : {"0", "1", "2", "3"}) {
        const std::string law = std::string("/cluster/machines/") + worker + "/straggler/factor";
        constant.values.emplace_back(law, "1");
        jittered.values.emplace_back(law, R"({"law": "uniform", "low": 0.9999, "high": 1.0001})");
    }
    std::vector<double> times[2];
    for (const auto* each : {&constant, &jittered}) {
        const bool jitter = each == &jittered;
        const auto scenario = scenarioOf(request, *each);
        if (!scenario) {
            for (const auto& problem : scenario.problems()) report.problems.push_back(problem);
            return;
        }
        std::vector<StudyRun> runs;
        for (std::uint64_t seed = 1; seed <= (jitter ? simulatedSeeds : 1); ++seed)
            runs.push_back({scenario.value(), seed});
        for (const auto& outcome : simulateAll(request, runs, {}, report)) {
            if (!outcome.done) continue;
            times[jitter].push_back(outcome.metrics.at("mean_iteration_s"));
            table.rows.push_back({each->name, jitter ? "simulated with a jitter of 0.01 %" : "simulated",
                                  std::to_string(times[jitter].size()), number(times[jitter].back())});
        }
    }
    if (report.stopped || times[0].empty() || times[1].size() < 2) return;
    const Estimate jitter = estimateMean(times[1]);
    Estimate change{.n = jitter.n, .mean = jitter.mean / times[0][0] - 1};
    change.halfWidth = jitter.halfWidth.value_or(0) / times[0][0];
    report.claims.push_back(executedGap(
        "simulated/constant-times",
        "A jitter of 0.01 % changes the iterations of four alike asynchronous workers with constant times, on one "
        "link, by less than 5 %.",
        change,
        "without it " + number(times[0][0]) + " s, with it " + number(jitter.mean) +
            " s: constant times keep the order in which workers began, and are no prediction of executed ones"));
}

} // namespace engine_execution

void executedAgainstSimulated(const StudyRequest& request, StudyReport& report) {
    using namespace engine_execution;
    StudyTable table{
        .name = "executed-against-simulated", .columns = {"case", "mode", "seed", "mean_iteration_s"}, .rows = {}};
    const std::size_t executions = request.quick ? 3 : 10;
    for (const ExecutedCase& c : cases()) {
        const auto scenario = scenarioOf(request, c);
        if (!scenario) {
            for (const auto& problem : scenario.problems()) report.problems.push_back(problem);
            continue;
        }
        std::vector<StudyRun> runs;
        for (std::uint64_t seed = 1; seed <= simulatedSeeds; ++seed) runs.push_back({scenario.value(), seed});
        std::vector<double> simulated, executed;
        for (const auto& outcome : simulateAll(request, runs, {}, report)) {
            if (!outcome.done) continue;
            simulated.push_back(outcome.metrics.at("mean_iteration_s"));
            table.rows.push_back({c.name, "simulated", std::to_string(simulated.size()), number(simulated.back())});
        }
        for (std::uint64_t seed = 1; seed <= executions && !report.stopped; ++seed)
            if (const auto metrics = executeMetrics(request, scenario.value(), seed, report)) {
                executed.push_back(metrics->metrics.at("mean_iteration_s"));
                table.rows.push_back({c.name, "executed", std::to_string(seed), number(executed.back())});
            }
        if (report.stopped) return;
        if (executed.size() > 1 && simulated.size() > 1) report.claims.push_back(judged(c, executed, simulated));
    }
    constantTimes(request, report, table);
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
