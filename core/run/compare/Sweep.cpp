// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/Sweep.h"

#include "run/compare/RunBatch.h"
#include "scenario/ScenarioFile.h"

#include <map>

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

Result<std::vector<std::shared_ptr<const Scenario>>> sweepScenarios(const SweepRequest& request) {
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
    return scenarios;
}

Result<SweepResult> sweep(const SweepRequest& request) {
    const auto made = sweepScenarios(request);
    if (!made) return made.problems();
    const auto& scenarios = *made;
    SweepResult out;
    RunBatch batch({.registry = request.registry,
                    .resources = request.resources,
                    .shard = request.shard,
                    .shards = request.shards,
                    .threads = request.threads,
                    .kept = request.kept,
                    .stop = request.stop,
                    .progress = request.progress,
                    .processes = request.processes});
    for (std::size_t n = 0; n < scenarios.size() * request.seeds.size(); ++n) {
        const std::size_t point = n / request.seeds.size();
        const std::uint64_t seed = request.seeds[n % request.seeds.size()];
        out.rows.push_back({.number = n, .values = gridPoint(request.axes, point), .seed = seed});
        batch.runs.push_back({scenarios[point], seed});
    }
    std::vector<KeptMetrics> values(out.rows.size());
    std::vector<bool> left(out.rows.size()); // of other shards, or stopped
    std::map<std::size_t, Problems> unkept;
    batch.take = [&](std::size_t n, RunOutcome& outcome) { values[n] = keptMetrics(outcome); };
    batch.write = [&](std::size_t n) { return std::vector{metricsText(values[n])}; };
    batch.read = [&](std::size_t n, const std::vector<std::string>& texts) {
        auto known = metricsFrom(texts.front());
        if (known) values[n] = std::move(*known);
        return known.has_value();
    };
    batch.release = [&](std::size_t n) { values[n] = {}; };
    batch.ended = [&](EndedRun& run) {
        left[run.number] = run.how == EndedRun::How::stopped || run.how == EndedRun::How::ofOtherShard;
        out.stopped |= run.how == EndedRun::How::stopped;
        if (left[run.number]) return;
        SweepRow& row = out.rows[run.number];
        row.digest = std::move(values[run.number].digest);
        row.metrics = std::move(values[run.number].metrics);
        row.warnings = std::move(values[run.number].warnings);
        row.problems = std::move(run.problems);
        if (!run.unkept.empty()) unkept[run.number] = std::move(run.unkept);
        if (request.finished) request.finished(row);
    };
    out.problems = batch.run(0, out.rows.size());
    std::erase_if(out.rows, [&](const SweepRow& row) { return left[row.number]; });
    for (const SweepRow& row : out.rows)
        for (const Problems& problems : {unkept[row.number], row.problems})
            for (const Problem& problem : problems) out.problems.push_back(ofRow(problem, row.number));
    return out;
}

} // namespace trainyard
