// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// slaq beside fair on jobs that really train, simulated and executed: whether both modes agree, and whether they order the schedulers
// alike.
#include "run/studies/SlaqStudy.h"

#include <algorithm>
#include <map>

namespace trainyard::study {

namespace slaq_executed {

constexpr std::size_t simulatedSeeds = 20;
const std::vector<std::string> arms{"fair", "slaq-faithful", "slaq", "quality-rate"}; ///< variants of the scenario
const std::vector<std::pair<std::string, std::string>> measures{
    {"mean_active_loss", "mean normalised loss of active jobs"},
    {"time_to_90_s", "mean time to 90 % of the drop"},
    {"makespan_s", "makespan"}};

/// By metric, by seed.
using Runs = std::map<std::string, std::vector<double>>;

void add(Runs& runs, const std::map<std::string, double>& metrics, std::vector<std::string> row, StudyTable& table) {
    for (const auto& [metric, name] : measures) {
        const auto it = metrics.find(metric);
        if (it == metrics.end()) return;
        row.push_back(number(it->second));
    }
    for (const auto& [metric, name] : measures) runs[metric].push_back(metrics.at(metric));
    table.rows.push_back(std::move(row));
}

/// The relative change from one list to the other, seed by seed: data and first parameters are drawn by the run's seed, in both modes and
/// under all schedulers.
Estimate change(const std::vector<double>& from, const std::vector<double>& to) {
    std::vector<double> changes;
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) changes.push_back(to[i] / from[i] - 1);
    return estimateMean(changes);
}

Claim lessThanFair(const std::string& mode, const std::string& arm, const Estimate& change) {
    const auto interval = intervalOf(change);
    return {.id = "executed/order/" + mode + "/" + arm,
            .claim = "The mean normalised loss of active jobs that really train is less under " + arm +
                     " than under fair, " + mode + " (relative change, same seeds).",
            .source =
                arm == arms[3] ? "this program" : "Zhang, Stafman et al., SLAQ, SoCC 2017, abstract: the direction",
            .unit = "1",
            .expected = {},
            .measured = change.mean,
            .interval = interval,
            .n = change.n,
            .holds = interval.second < 0,
            .finding = interval.second < 0 ? "the whole interval is below zero" : "the interval holds zero or more"};
}

void judge(std::map<std::string, Runs>& simulated, std::map<std::string, Runs>& executed, StudyReport& report) {
    for (const std::string& arm : arms)
        for (const auto& [metric, name] : measures)
            if (const auto& a = simulated[arm][metric], &b = executed[arm][metric]; a.size() > 1 && b.size() > 1)
                report.claims.push_back(executedGap(
                    "executed/" + arm + "/" + metric,
                    "Under " + arm + " the executed " + name + " is the simulated one, within 5 %.", change(a, b),
                    "executed " + number(estimateMean(b).mean) + "; each run against the simulated one of its seed"));
    const std::string& metric = measures.front().first;
    for (auto* runs : {&simulated, &executed})
        for (const std::string& arm : {arms[1], arms[2], arms[3]})
            if (const auto& fair = (*runs)[arms[0]][metric], &own = (*runs)[arm][metric];
                fair.size() > 1 && own.size() > 1)
                report.claims.push_back(
                    lessThanFair(runs == &simulated ? "simulated" : "executed", arm, change(fair, own)));
}

} // namespace slaq_executed

void slaqExecuted(const StudyRequest& request, StudyReport& report) {
    using namespace slaq_executed;
    const auto trained = loadScenario(request, "papers/slaq/trained.json");
    StudyTable table{.name = "slaq-executed", .columns = {"scheduler", "mode", "seed"}, .rows = {}};
    for (const auto& [metric, name] : measures) table.columns.push_back(metric);
    std::map<std::string, Runs> simulated, executed;
    const std::size_t executions = request.quick ? 3 : 8;
    for (const std::string& arm : arms) {
        const auto scenario =
            trained ? withVariant(trained.value(), PolicyFamily::scheduler, arm, *request.registry) : trained;
        if (!scenario) {
            report.problems.insert(report.problems.end(), scenario.problems().begin(), scenario.problems().end());
            return;
        }
        std::vector<StudyRun> runs;
        for (std::uint64_t seed = 1; seed <= simulatedSeeds; ++seed) runs.push_back({scenario.value(), seed});
        std::size_t seed = 0;
        for (const auto& outcome : simulateAll(request, runs, {}, report))
            if (++seed; outcome.done)
                add(simulated[arm], outcome.metrics, {arm, "simulated", std::to_string(seed)}, table);
        for (seed = 1; seed <= executions && !report.stopped; ++seed)
            if (const auto metrics = executeMetrics(request, scenario.value(), seed, report))
                add(executed[arm], *metrics, {arm, "executed", std::to_string(seed)}, table);
        if (report.stopped) return;
    }
    judge(simulated, executed, report);
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
