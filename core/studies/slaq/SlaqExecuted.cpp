// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// slaq beside fair on jobs that really train, simulated and executed: whether both modes agree, and whether they order the schedulers
// alike.
#include "studies/slaq/SlaqExecuted.h"

#include "studies/slaq/SlaqQuality.h"
#include "studies/slaq/SlaqStudy.h"

#include <algorithm>
#include <map>
#include <span>

namespace trainyard::study {

namespace slaq_executed {

using slaq_quality::Measure;

namespace {

constexpr std::size_t simulatedSeeds = 20;

/// What the modes are compared by: also the makespan.
std::vector<Measure> allMeasures() {
    auto all = slaq_quality::measures();
    all.push_back({"makespan_s", "makespan"});
    return all;
}

} // namespace

void measureTogether(const std::vector<Runs*>& modes) {
    std::map<std::size_t, LeastLosses> least; // by position of the seed
    const auto each = [&](auto&& what) {
        for (Runs* runs : modes)
            for (auto& [arm, bySeed] : runs->of)
                for (std::size_t s = 0; s < bySeed.size(); ++s)
                    if (bySeed[s] && bySeed[s]->losses) what(s, *bySeed[s]);
    };
    each([&](std::size_t s, const KeptMetrics& run) { lower(least[s], *run.losses); });
    each([&](std::size_t s, KeptMetrics& run) { measureBy(least[s], *run.losses, run.metrics); });
}

namespace {

void addRows(const Runs& runs, StudyTable& table) {
    for (const std::string& arm : arms)
        for (std::size_t s = 0; s < runs.of.at(arm).size(); ++s) {
            const auto& run = runs.of.at(arm)[s];
            if (!run) continue;
            std::vector<std::string> row{arm, runs.mode, std::to_string(s + 1)};
            for (const Measure& m : allMeasures()) {
                const auto it = run->metrics.find(m.metric);
                row.push_back(it == run->metrics.end() ? "" : number(it->second));
            }
            table.rows.push_back(std::move(row));
        }
}

/// Relative changes of a metric from one list of runs to another, over the seeds where both have it.
std::vector<double> changes(const std::vector<std::optional<KeptMetrics>>& from,
                            const std::vector<std::optional<KeptMetrics>>& to, const std::string& metric) {
    std::vector<double> out;
    for (std::size_t s = 0; s < std::min(from.size(), to.size()); ++s) {
        if (!from[s] || !to[s]) continue;
        const auto a = from[s]->metrics.find(metric), b = to[s]->metrics.find(metric);
        if (a != from[s]->metrics.end() && b != to[s]->metrics.end() && a->second > 0)
            out.push_back(b->second / a->second - 1);
    }
    return out;
}

std::optional<Estimate> change(const Runs& runs, const std::string& arm, const std::string& metric) {
    const auto all = changes(runs.of.at(arms[0]), runs.of.at(arm), metric);
    return all.size() > 1 ? std::optional(estimateMean(all)) : std::nullopt;
}

/// As the variant of the scenario is called.
const char* titleOf(const std::string& arm) {
    return arm == "slaq"            ? "SLAQ with safeguards"
           : arm == "slaq-faithful" ? "SLAQ without safeguards"
           : arm == "quality-rate"  ? "Most quality per work ahead"
                                    : "Fair share of cores";
}

Claim lessThanFair(const Runs& runs, const std::string& arm, const Measure& m, const Estimate& change) {
    const auto interval = intervalOf(change);
    const bool isPublished = m.metric == "mean_active_loss" && arm.starts_with("slaq");
    Claim claim{
        .id = "executed/order/" + runs.mode + "/" + arm + (m.metric == "mean_active_loss" ? "" : "/" + m.metric),
        .claim = "Of jobs that really train the " + m.name + " is less under " + titleOf(arm) + " than under " +
                 titleOf(arms[0]) + ", " + runs.mode + " (relative change, same seeds).",
        .source = isPublished ? "Zhang, Stafman et al., SLAQ, SoCC 2017, abstract: the direction" : "this program",
        .unit = "1",
        .expected = {},
        .measured = change.mean,
        .interval = interval,
        .n = change.n,
        .finding = interval.second < 0  ? "the whole interval is below zero"
                   : interval.first > 0 ? "the whole interval is above zero: it loses here"
                                        : "the interval holds zero"};
    const auto [low, high] = interval;
    setVerdict(claim, high < 0, 0 < low);
    return claim;
}

/// Whether executing orders an arm and fair as simulating does, where that finds a difference.
Claim sameOrder(const std::string& arm, const Measure& m, const Estimate& simulated, const Estimate& executed) {
    const auto a = intervalOf(simulated), b = intervalOf(executed);
    return {.id = "executed/same-order/" + arm + "/" + m.metric,
            .claim = std::string("Executed, ") + titleOf(arm) + " is on the same side of " + titleOf(arms[0]) +
                     " as simulated, by the " + m.name + ", in the mean (relative change).",
            .source = "this program",
            .unit = "1",
            .expected = simulated.mean,
            .measured = executed.mean,
            .interval = b,
            .n = executed.n,
            .holds = (simulated.mean < 0) == (executed.mean < 0),
            .finding =
                "simulated " + number(simulated.mean) + " (" + number(a.first) + " to " + number(a.second) + ")"};
}

bool isDecided(const Estimate& change) {
    const auto [low, high] = intervalOf(change);
    return low > 0 || high < 0;
}

} // namespace

void judge(const Runs& simulated, const Runs& executed, StudyReport& report) {
    for (const std::string& arm : arms)
        for (const Measure& m : allMeasures())
            if (const auto gaps = changes(simulated.of.at(arm), executed.of.at(arm), m.metric); gaps.size() > 1)
                report.claims.push_back(executedGap("executed/" + arm + "/" + m.metric,
                                                    std::string("Under ") + titleOf(arm) + " the executed " + m.name +
                                                        " is the simulated one, within 5 %.",
                                                    estimateMean(gaps),
                                                    "each executed run against the simulated one of its seed"));
    for (const Measure& m : slaq_quality::measures()) {
        for (const std::string& arm : std::span(arms).subspan(1)) {
            const auto a = change(simulated, arm, m.metric), b = change(executed, arm, m.metric);
            if (a) report.claims.push_back(lessThanFair(simulated, arm, m, *a));
            if (b) report.claims.push_back(lessThanFair(executed, arm, m, *b));
            if (a && b && isDecided(*a)) report.claims.push_back(sameOrder(arm, m, *a, *b));
        }
    }
}

} // namespace slaq_executed

void slaqExecuted(const StudyRequest& request, StudyReport& report) {
    using namespace slaq_executed;
    const auto trained = loadScenario(request, "papers/slaq/trained.json");
    StudyTable table{.name = "slaq-executed", .columns = {"scheduler", "mode", "seed"}, .rows = {}};
    for (const Measure& m : allMeasures()) table.columns.push_back(m.metric);
    Runs simulated{"simulated", {}}, executed{"executed", {}};
    const std::size_t executions = request.quick ? 3 : 8;
    for (const std::string& arm : arms) {
        const bool isExecuted = !request.quick || arm != arms.back();
        const auto scenario =
            trained ? withVariant(trained.value(), PolicyFamily::scheduler, arm, *request.registry) : trained;
        if (!scenario) {
            report.problems.insert(report.problems.end(), scenario.problems().begin(), scenario.problems().end());
            return;
        }
        std::vector<StudyRun> runs;
        for (std::uint64_t seed = 1; seed <= simulatedSeeds; ++seed) runs.push_back({scenario.value(), seed});
        for (const auto& outcome : simulateAll(request, runs, {}, report)) {
            auto& bySeed = simulated.of[arm];
            bySeed.emplace_back();
            if (outcome.done) bySeed.back() = KeptMetrics{.metrics = outcome.metrics, .losses = outcome.losses};
        }
        executed.of[arm] = {};
        for (std::uint64_t seed = 1; isExecuted && seed <= executions && !report.stopped; ++seed)
            executed.of[arm].push_back(executeMetrics(request, scenario.value(), seed, report));
        if (report.stopped) return;
    }
    measureTogether({&simulated, &executed});
    for (const Runs* runs : {&simulated, &executed}) addRows(*runs, table);
    judge(simulated, executed, report);
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
