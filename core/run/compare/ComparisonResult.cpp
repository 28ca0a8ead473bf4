// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the runs of a comparison come to: means, paired differences and what is to be said of them.
#include "run/compare/Comparison.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard {

namespace {

constexpr double rounded = 1e-9;

double difference(double a, double b) {
    return std::abs(a - b) <= rounded * std::max(std::abs(a), std::abs(b)) ? 0 : a - b;
}

} // namespace

std::vector<double> observations(const std::vector<MetricValues>& runs, const std::string& metric,
                                 const std::vector<MetricValues>* baseline) {
    std::vector<double> out;
    const auto isLeftOut = [all = metric == "diverged_jobs"](const MetricValues& run) {
        return run.isDiverged() && !all;
    };
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto it = runs[i].find(metric);
        if (it == runs[i].end() || isLeftOut(runs[i]) || (baseline && isLeftOut((*baseline)[i]))) continue;
        if (!baseline) {
            out.push_back(it->second);
        } else if (const auto other = (*baseline)[i].find(metric); other != (*baseline)[i].end()) {
            out.push_back(difference(it->second, other->second));
        }
    }
    return out;
}

namespace {

bool endedEarly(const std::map<std::string, double>& metrics) {
    const auto count = [&](const char* name) {
        const auto it = metrics.find(name);
        return it == metrics.end() ? 0.0 : it->second;
    };
    return count("finished_jobs") + count("rejected_jobs") + count("failed_jobs") < count("arrived_jobs");
}

void correctTogether(ComparisonResult& result, std::size_t baseline, const std::string& metric) {
    std::vector<std::size_t> arms;
    std::vector<double> p;
    for (std::size_t a = 0; a < result.arms.size(); ++a) {
        if (a == baseline) continue;
        const auto paired = observations(result.arms[a].runs, metric, &result.arms[baseline].runs);
        if (const auto own = paired.empty() ? std::nullopt : pairedTest(paired)) {
            arms.push_back(a);
            p.push_back(std::min(1.0, *own * static_cast<double>(result.looks)));
        }
    }
    const auto adjusted = holmAdjusted(p);
    for (std::size_t i = 0; i < arms.size(); ++i) result.arms[arms[i]].pValues[metric] = adjusted[i];
}

} // namespace

std::size_t ArmResult::done() const {
    return static_cast<std::size_t>(std::ranges::count_if(runs, [](const auto& run) { return !run.empty(); }));
}

std::size_t ComparisonResult::done() const {
    std::size_t out = 0;
    for (const auto& arm : arms) out += arm.done();
    return out;
}

std::size_t ComparisonResult::failed() const {
    std::size_t out = 0;
    for (const auto& arm : arms) out += arm.failed;
    return out;
}

Problem ComparisonResult::named(const RunProblem& found) const {
    Problem out = found.problem;
    out.message = {"{0}, seed {1}: {2}",
                   {arms[found.arm].name, std::to_string(seeds[found.seed]), found.problem.message.english()}};
    return out;
}

Problems warningsOf(const ComparisonResult& result) {
    Problems out;
    for (const RunProblem& found : result.runProblems)
        if (!found.failed) out.push_back(result.named(found));
    return out;
}

ComparisonResult emptyResult(const ComparisonRequest& request) {
    ComparisonResult out;
    out.seeds = request.seeds;
    if (request.until) out.looks = HalfWidthRule::looks(request.seeds.size()).size();
    for (const auto& arm : request.arms) {
        out.arms.push_back({.name = arm.name});
        out.arms.back().runs.resize(request.seeds.size());
        if (request.traces) out.arms.back().traces.resize(request.seeds.size());
    }
    return out;
}

void addRun(ComparisonResult& result, const ComparisonRun& run) {
    ArmResult& arm = result.arms[run.arm];
    const auto named = [](const MetricValues& other) { return !other.empty(); };
    const auto like = std::ranges::find_if(arm.runs, named); // among the first there are
    arm.runs[run.seed] = MetricValues(run.metrics, like != arm.runs.end() ? *like : MetricValues());
    if (!arm.traces.empty()) arm.traces[run.seed] = run.trace;
    if (run.metrics.empty()) {
        ++arm.failed;
    } else {
        arm.unfinished += endedEarly(run.metrics);
        arm.diverged += isDiverged(run.metrics);
    }
    for (const Problem& problem : run.problems) {
        result.runProblems.push_back({run.arm, run.seed, true, problem});
        result.problems.push_back(result.named(result.runProblems.back()));
    }
    for (const Problem& problem : run.warnings) result.runProblems.push_back({run.arm, run.seed, false, problem});
}

void summarise(ComparisonResult& result, std::size_t baseline) {
    std::set<std::string> all;
    for (auto& arm : result.arms) {
        std::set<std::string> names;
        for (const auto& run : arm.runs)
            for (const auto& [name, value] : run) names.insert(name);
        arm.metrics.clear();
        arm.differences.clear();
        arm.pValues.clear();
        for (const auto& name : names) {
            const auto own = observations(arm.runs, name, nullptr);
            if (own.empty()) continue;
            arm.metrics[name] = estimateMean(own, result.confidence());
            const auto paired = observations(arm.runs, name, &result.arms[baseline].runs);
            if (!paired.empty()) arm.differences[name] = estimateMean(paired, result.confidence());
        }
        all.merge(names);
    }
    for (const auto& name : all) correctTogether(result, baseline, name);
}

} // namespace trainyard
