// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli sweep FILE --grid POINTER=v1,v2 …: one row of metrics per point of the grid and seed.
#include "Commands.h"
#include "Common.h"
#include "Interrupt.h"
#include "Progress.h"
#include "SlurmSubmission.h"

#include "base/CsvTable.h"
#include "base/Format.h"
#include "run/compare/MetricValues.h"
#include "run/compare/Seeds.h"
#include "run/compare/Sweep.h"
#include "run/files/AtomicFile.h"
#include "run/files/DirectoryLock.h"
#include "run/files/RecordJson.h"
#include "scenario/JsonTree.h"
#include "scenario/ScenarioFile.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>

namespace trainyard::cli {

namespace {

using Json = nlohmann::ordered_json;

struct SweepOptions : CommonOptions {
    std::vector<std::string> grid;
    KeepOptions keep;
    std::string seeds;
    bool rows = false;
};

Problem sweepProblem(const char* pattern, const std::string& what) {
    return {.code = "bad-usage", .message = {pattern, {what}}};
}

/// "1-20", which seeds may be and values not.
bool isRange(const std::string& value) {
    const auto dash = value.find('-');
    return dash != std::string::npos && dash > 0 && dash + 1 < value.size() &&
           value.find_first_not_of("0123456789", dash + 1) == std::string::npos &&
           value.find_first_not_of("0123456789") == dash;
}

Result<SweepRequest> sweepRequest(const SweepOptions& options, const Input& input) {
    SweepRequest request{.scenario = input.scenario,
                         .registry = input.registry,
                         .resources = input.resources,
                         .seeds = {input.seed},
                         .threads = options.threads,
                         .processes = options.keep.processes};
    Problems problems;
    for (const auto& axis : options.grid) {
        const auto at = axis.find('=');
        if (at == std::string::npos || at == 0 || at + 1 == axis.size())
            problems.push_back(sweepProblem(TRAINYARD_TEXT("--grid takes POINTER=v1,v2,…; got {0}"), axis));
        else if (axis.substr(0, at) == "/seed")
            problems.push_back(
                sweepProblem(TRAINYARD_TEXT("seeds are no axis; give --seeds instead of --grid {0}"), axis));
        else if (axis.substr(0, at) == "/mode")
            problems.push_back(sweepProblem(TRAINYARD_TEXT("sweeps are simulated; leave out --grid {0}"), axis));
        else if (std::any_of(request.axes.begin(), request.axes.end(),
                             [&](const SweepAxis& a) { return a.pointer == axis.substr(0, at); }))
            problems.push_back(sweepProblem(TRAINYARD_TEXT("two axes of --grid are {0}; give all its values in one"),
                                            axis.substr(0, at)));
        else
            request.axes.push_back({axis.substr(0, at), splitValues(axis.substr(at + 1))});
    }
    if (!options.seeds.empty() && options.seed)
        problems.push_back(sweepProblem(TRAINYARD_TEXT("give --seed or --seeds {0}, not both"), options.seeds));
    if (!options.seeds.empty()) {
        auto seeds = parseSeeds(options.seeds);
        if (seeds)
            request.seeds = std::move(seeds).value();
        else
            problems.insert(problems.end(), seeds.problems().begin(), seeds.problems().end());
    }
    if (const auto shard = shardOf(options.keep.shard)) {
        request.shard = shard->index;
        request.shards = shard->of;
    } else {
        problems.insert(problems.end(), shard.problems().begin(), shard.problems().end());
    }
    if (!problems.empty()) return problems;
    return request;
}

std::string sweepCsv(const SweepRequest& request, const SweepResult& result) {
    std::set<std::string> names;
    for (const auto& row : result.rows)
        for (const auto& [name, value] : row.metrics) names.insert(name);
    std::string text = "row";
    for (const auto& axis : request.axes) text += "," + csvField(axis.pointer);
    text += ",seed,digest";
    for (const auto& name : names) text += "," + csvField(name);
    text += "\n";
    for (const auto& row : result.rows) {
        text += std::to_string(row.number);
        for (const auto& value : row.values) text += "," + csvField(value);
        text += "," + std::to_string(row.seed) + "," + row.digest;
        for (const auto& name : names) {
            const auto it = row.metrics.find(name);
            text += ",";
            if (it != row.metrics.end() && std::isfinite(it->second)) text += formatNumber(it->second);
        }
        text += "\n";
    }
    return text;
}

/// Why rows or their metrics are missing, as a comment of the table; empty: all are there.
std::string missingRows(const SweepRequest& request, const SweepResult& result) {
    if (result.stopped) return commentLine("stopped before the end: rows are missing");
    std::size_t all = request.seeds.size();
    for (const auto& axis : request.axes) all *= axis.values.size();
    if (result.rows.size() < all) return commentLine("rows of other shards are missing");
    const bool whole = std::ranges::all_of(result.rows, [](const SweepRow& row) { return row.problems.empty(); });
    return whole ? "" : commentLine("rows of runs that failed or met a limit have no metrics");
}

/// What is to be said of rows, as comments of the table.
std::string warningComments(const SweepResult& result) {
    std::string text;
    for (const Problem& problem : result.problems) text += commentLine(problem.message.english());
    for (const Problem& warning : warningsOf(result))
        text += commentLine((warning.severity == Severity::warning ? "warning: " : "") + warning.message.english());
    return text;
}

/// Numbers and objects as such, words as text: as --set reads them.
Json valueJson(const std::string& value) try { return readJson(value); } catch (const std::exception&) {
    return value;
}

Json rowJson(const SweepRequest& request, const SweepRow& row) {
    Json values = Json::object();
    for (std::size_t a = 0; a < request.axes.size(); ++a) values[request.axes[a].pointer] = valueJson(row.values[a]);
    Json out{{"row", row.number},
             {"values", std::move(values)},
             {"seed", row.seed},
             {"digest", row.digest},
             {"metrics", numbersJson(row.metrics)}};
    if (isDiverged(row.metrics)) out["diverged"] = true;
    for (const Problems* problems : {&row.problems, &row.warnings})
        for (const Problem& problem : *problems) out["problems"].push_back(problemJson(problem));
    return out;
}

Json sweepJson(const SweepRequest& request, const SweepResult& result, const Input& input) {
    Json rows = Json::array(), axes = Json::array();
    for (const auto& axis : request.axes) {
        Json values = Json::array();
        for (const auto& value : axis.values) values.push_back(valueJson(value));
        axes.push_back({{"pointer", axis.pointer}, {"values", std::move(values)}});
    }
    for (const auto& row : result.rows) rows.push_back(rowJson(request, row));
    return {{"scenario", input.name},
            {"version", TRAINYARD_VERSION},
            {"complete", missingRows(request, result).empty()},
            {"axes", std::move(axes)},
            {"shard", {request.shard + 1, request.shards}},
            {"rows", std::move(rows)}};
}

/// With what may be meant by values that look like ranges.
Problems withRanges(Problems problems, const SweepRequest& request) {
    for (const auto& axis : request.axes)
        for (const auto& value : axis.values)
            if (isRange(value))
                problems.push_back({.code = "no-range",
                                    .message = {TRAINYARD_TEXT("--grid takes no ranges but each value, such as "
                                                               "1,2,3; got {0}"),
                                                {shownText(value)}},
                                    .severity = Severity::note});
    return problems;
}

int sweepCommand(const SweepOptions& options) {
    Interrupt interrupt;
    interrupt.hold(options.limits);
    auto input = loadInput(options, interrupt.token());
    if (!input) return interrupt.exitStatus(refuse(input.problems()));
    interrupt.hold({.memoryGigabytes = input->scenario->limits.memoryGigabytes}); // time is that of a run
    printProblems(input.problems());
    if (input->mode == RunMode::execute)
        return refuse(
            {options.mode.empty()
                 ? sweepProblem(TRAINYARD_TEXT("sweeps are simulated, and the scenario is to be executed; add "
                                               "--mode {0}"),
                                "simulate")
                 : sweepProblem(TRAINYARD_TEXT("sweeps are simulated; leave out --mode {0}"), "execute")});
    auto request = sweepRequest(options, *input);
    if (!request) return refuse(request.problems());
    Problems wrong = replacesInput(options.file, *input, options.out, {"sweep.json", "sweep.csv"});
    if (wrong.empty() && !options.seeds.empty()) wrong = seedSetInVain(*input, "--seeds");
    if (!wrong.empty()) return refuse(wrong);
    if (options.keep.usesSlurm()) {
        if (const auto made = sweepScenarios(*request); !made) return refuse(withRanges(made.problems(), *request));
        return submitToSlurm(options.keep, options.file, options.out);
    }
    if (!options.out.empty())
        if (const Problems problems = probeDirectory(options.out); !problems.empty()) return refuse(problems);
    auto kept = keptResults(options.keep, options.out);
    if (!kept) return refuse(kept.problems());
    request->kept = std::move(kept).value();
    if (options.rows)
        request->finished = [&](const SweepRow& row) {
            if (!(std::cout << rowJson(*request, row).dump() << std::endl)) interrupt.giveUp();
        };
    Progress progress;
    request->stop = interrupt.token();
    request->progress = [&](std::size_t done, std::size_t all) {
        progress.show(static_cast<double>(done) / static_cast<double>(all),
                      std::to_string(done) + " of " + std::to_string(all) + " runs");
    };
    const auto result = sweep(*request);
    if (!result) return refuse(withRanges(result.problems(), *request));
    const Problems warnings = warningsOf(*result);
    printProblems(result->problems);
    printProblems(warnings);
    const Json json = sweepJson(*request, *result, *input);
    const std::string csv = missingRows(*request, *result) + warningComments(*result) + sweepCsv(*request, *result);
    Problems problems;
    if (!options.out.empty()) {
        const RunProvenance provenance{.scenarioText = writeScenario(*input->scenario),
                                       .scenarioName = input->name,
                                       .seed = request->seeds.front(),
                                       .version = TRAINYARD_VERSION};
        problems =
            replaceFiles(options.out, {{"sweep.json", json.dump(2) + "\n"},
                                       {"sweep.csv", provenanceAbove(provenance) + csv + provenanceBelow(provenance)}});
        printProblems(problems);
    }
    if (!options.rows) std::cout << (options.json ? json.dump(2) + "\n" : csv);
    if (result->stopped) say("stopped");
    if (result->stopped) return interrupt.exitStatus(exitFailed);
    return !result->problems.empty() || !problems.empty() || hasErrors(warnings) ? exitFailed : exitDone;
}

} // namespace

void addSweep(CLI::App& app, int& status, const KeepOptions& started) {
    auto options = std::make_shared<SweepOptions>();
    options->keep = started;
    CLI::App* command = app.add_subcommand("sweep", "Run a scenario over a grid of values");
    addCommonOptions(*command, *options);
    command->add_option("--grid", options->grid, "POINTER=v1,v2,…: one axis; may be repeated")
        ->type_name("POINTER=VALUES")
        ->required()
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--seeds", options->seeds, "Seeds, for example 1-5; default: the scenario's");
    addKeepOptions(*command, options->keep);
    command
        ->add_flag("--rows", options->rows, "Each row as a line of JSON, as soon as it is done, instead of the table")
        ->excludes(command->get_option("--json"));
    command->callback([options, &status] {
        shareCommand(options->keep, options->out, options->threads);
        status = sweepCommand(*options);
    });
}

} // namespace trainyard::cli
