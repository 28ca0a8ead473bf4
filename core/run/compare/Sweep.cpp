// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/Sweep.h"

#include "engine/UpdateTimeMemo.h"
#include "run/RunVerdict.h"
#include "scenario/ScenarioFile.h"
#include "scenario/agents/PolicyFileReading.h"

#include <mutex>

namespace trainyard {

namespace {

/// The values of point `index`; the last axis varies fastest.
std::vector<std::string> gridPoint(const std::vector<SweepAxis>& axes, std::size_t index) {
    std::vector<std::string> out(axes.size());
    for (std::size_t a = axes.size(); a-- > 0;) {
        out[a] = axes[a].values[index % axes[a].values.size()];
        index /= axes[a].values.size();
    }
    return out;
}

Result<std::shared_ptr<const Scenario>> scenarioAt(const SweepRequest& request,
                                                   const std::vector<std::string>& values) {
    Scenario scenario = *request.scenario;
    for (std::size_t a = 0; a < values.size(); ++a) {
        auto changed = setValue(scenario, request.axes[a].pointer, values[a]);
        if (!changed) return changed.problems();
        scenario = std::move(changed).value();
    }
    const Problems problems = validateScenario(scenario, *request.registry);
    if (hasErrors(problems)) return problems;
    scenario.explanations = WhyLevel::off;
    return std::make_shared<const Scenario>(std::move(scenario));
}

/// Axes whose values change nothing, because a later axis sets the same place by another name, or what it lies in: their rows would
/// say what was not run. `scenarios`: by point.
Problems axesThatChangeNothing(const SweepRequest& request,
                               const std::vector<std::shared_ptr<const Scenario>>& scenarios) {
    Problems problems;
    std::size_t stride = scenarios.size();
    for (const SweepAxis& axis : request.axes) {
        stride /= axis.values.size();
        std::string before = writeScenario(*scenarios.front());
        for (std::size_t v = 1; v < axis.values.size(); ++v) {
            std::string text = writeScenario(*scenarios[v * stride]);
            if (text == before) {
                problems.push_back(
                    {.code = "same-scenario",
                     .message = {TRAINYARD_TEXT("{0} and {1} make the same scenario; does another axis set this, too?"),
                                 {axis.values[v - 1], axis.values[v]}},
                     .pointer = axis.pointer});
                break;
            }
            before = std::move(text);
        }
    }
    return problems;
}

bool wasStopped(const SweepRow& row) { return !row.problems.empty() && row.problems.front().code == "stopped"; }

Problem ofRow(Problem problem, std::size_t number) {
    problem.message = {"row {0}: {1}", {std::to_string(number), problem.message.english()}};
    return problem;
}

} // namespace

Problems warningsOf(const SweepResult& result) {
    Problems out;
    for (const SweepRow& row : result.rows)
        for (const Problem& warning : row.warnings) out.push_back(ofRow(warning, row.number));
    return out;
}

Result<SweepResult> sweep(const SweepRequest& request) {
    std::size_t points = 1;
    for (const auto& axis : request.axes) points *= axis.values.size();
    std::vector<std::shared_ptr<const Scenario>> scenarios;
    Problems invalid;
    for (std::size_t p = 0; p < points; ++p) {
        auto scenario = scenarioAt(request, gridPoint(request.axes, p));
        if (scenario)
            scenarios.push_back(*scenario);
        else
            invalid.insert(invalid.end(), scenario.problems().begin(), scenario.problems().end());
    }
    if (invalid.empty()) invalid = axesThatChangeNothing(request, scenarios);
    if (!invalid.empty()) return invalid;

    SweepResult out;
    std::vector<std::int64_t> numbers;
    for (const auto& scenario : scenarios)
        numbers.push_back(
            request.kept.keeps()
                ? request.kept.numberOf(withFileDigests(*scenario, *request.registry, request.resources), out.problems)
                : 0);
    std::vector<bool> known;
    for (std::size_t n = 0; n < points * request.seeds.size(); ++n) {
        SweepRow row{.number = n,
                     .values = gridPoint(request.axes, n / request.seeds.size()),
                     .seed = request.seeds[n % request.seeds.size()]};
        const auto kept = request.kept.found({.scenario = numbers[n / request.seeds.size()], .seed = row.seed});
        const auto found = kept ? metricsFrom(*kept) : std::nullopt;
        if (found) {
            row.digest = found->digest;
            row.metrics = found->metrics;
            row.warnings = found->warnings;
        } else if (n % request.shards != request.shard) {
            continue;
        }
        out.rows.push_back(std::move(row));
        known.push_back(found.has_value());
    }
    std::vector<Problems> unkept(out.rows.size());
    std::mutex mutex;
    std::size_t done = 0;
    const auto updateTimes = std::make_shared<UpdateTimeMemo>();
    Parallel(request.threads).forEach(out.rows.size(), [&](std::size_t i) {
        SweepRow& row = out.rows[i];
        const std::size_t point = row.number / request.seeds.size();
        if (!known[i]) {
            auto outcome = simulateOnce({.scenario = scenarios[point],
                                         .registry = request.registry,
                                         .resources = request.resources,
                                         .seed = row.seed,
                                         .threads = 1,
                                         .commands = {},
                                         .updateTimes = updateTimes},
                                        request.stop);
            if (outcome) {
                row.digest = outcome->digest;
                row.warnings = jobWarnings(*outcome->workload, outcome->metrics);
                row.metrics = std::move(outcome->metrics.values);
                unkept[i] =
                    request.kept.keep({.scenario = numbers[point], .seed = row.seed},
                                      metricsText({row.metrics, row.digest, row.warnings, outcome->metrics.losses}));
            } else {
                row.problems = outcome.problems();
            }
        }
        const std::scoped_lock lock(mutex);
        if (request.finished && !wasStopped(row)) request.finished(row);
        if (request.progress) request.progress(++done, out.rows.size());
    });
    for (std::size_t i = 0; i < out.rows.size(); ++i)
        for (const Problems* problems : {&unkept[i], &out.rows[i].problems})
            for (const Problem& problem : *problems)
                if (problem.code != "stopped") out.problems.push_back(ofRow(problem, out.rows[i].number));
    out.stopped = std::erase_if(out.rows, wasStopped) > 0;
    return out;
}

} // namespace trainyard
