// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli import FORMAT TRACE -o SCENARIO: a trace of a real cluster as a scenario.
#include "Commands.h"
#include "Common.h"
#include "PipedFile.h"

#include "base/CsvTable.h"
#include "run/files/AtomicFile.h"
#include "run/import/TraceImport.h"
#include "scenario/ScenarioFile.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

namespace trainyard::cli {

namespace import_command {

struct Options {
    std::string format, file, out, curve;
    TraceOptions trace;
};

bool isStandardInput(const std::string& file) { return file == "-" || file == "/dev/stdin"; }

int run(Options options) {
    if (isStandardInput(options.file) && isStandardInput(options.curve))
        return refuse({{.code = "bad-usage",
                        .message = {TRAINYARD_TEXT("the trace and --curve cannot both be standard input"), {}}}});
    for (const std::string& read : {options.file, options.curve})
        if (const Problems problems = replacesInput(read, options.out); !problems.empty()) return refuse(problems);
    const PipedFile trace(options.file, mostCsvBytes);
    std::optional<PipedFile> curve;
    if (!options.curve.empty()) {
        curve.emplace(options.curve, mostCsvBytes);
        options.trace.curve = curve->path();
        options.trace.curveName =
            options.curve == "-" ? "curve" : readableName(std::filesystem::path(options.curve).stem().string());
    }
    const auto named = [&](Problems problems) {
        return trace.named(curve ? curve->named(std::move(problems)) : std::move(problems));
    };
    options.trace.name =
        options.file == "-" ? "standard input" : readableName(std::filesystem::path(options.file).filename().string());
    if (!options.trace.cluster.empty() && options.format != "philly")
        return refuse({{.code = "bad-usage",
                        .message = {TRAINYARD_TEXT("--cluster is of philly traces; those of {0} name no virtual "
                                                   "cluster"),
                                    {options.format}}}});
    const TraceFormat format = options.format == "philly" ? TraceFormat::philly : TraceFormat::tiresias;
    const auto scenario = importTrace(format, trace.path(), options.trace);
    if (!scenario) return refuse(named(scenario.problems()));
    printProblems(named(scenario.problems()));
    const std::string text = writeScenario(*scenario);
    // What is written must be read again: a trace may be longer than a scenario can be.
    if (const auto again = parseScenario(text, options.out); !again) return refuse(again.problems());
    if (const Problems wrong = validateScenario(*scenario, Registry::builtin()); hasErrors(wrong)) return refuse(wrong);
    if (options.out == "-") {
        std::cout << text;
        return std::cout.flush() ? exitDone : exitFailed;
    }
    if (const Problems problems = replaceFile(options.out, text); !problems.empty()) {
        printProblems(problems);
        return exitFailed;
    }
    std::cerr << readableName(options.out) << ": " << scenario->jobs.size() << " jobs\n";
    return exitDone;
}

} // namespace import_command

void addImport(CLI::App& app, int& status) {
    auto options = std::make_shared<import_command::Options>();
    CLI::App* command = app.add_subcommand("import", "Make a scenario of a trace of a real cluster");
    command->add_option("FORMAT", options->format, "tiresias, or philly (condensed)")
        ->required()
        ->check(CLI::IsMember({"tiresias", "philly"}));
    command->add_option("FILE", options->file, "The trace, comma separated; - for standard input")
        ->required()
        ->type_name("FILE");
    command->add_option("--machines", options->trace.machines, "Machines of the cluster, around one switch")
        ->required()
        ->check(CLI::Range(1, 100'000));
    command->add_option("--gpus", options->trace.gpus, "GPUs of each machine")->required()->check(CLI::Range(1, 1'000));
    command->add_option("-o,--output", options->out, "The scenario file; - for standard output")
        ->required()
        ->type_name("FILE");
    requirePositive(
        command->add_option("--jobs", options->trace.jobs, "Only the first so many jobs, by time of submission"));
    command->add_option("--cluster", options->trace.cluster, "philly: only the jobs of this virtual cluster");
    command
        ->add_option(
            "--curve", options->curve,
            "A loss curve for all jobs, a CSV file of updates and losses, - for standard input: the trace itself has none")
        ->type_name("FILE");
    command->callback([options, &status] { status = import_command::run(*options); });
}

} // namespace trainyard::cli
