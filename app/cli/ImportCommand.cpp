// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli import FORMAT FILE -o SCENARIO: a trace of a real cluster, or a profile of a computation graph, as a scenario.
#include "Commands.h"
#include "Common.h"
#include "PipedFile.h"

#include "base/CsvTable.h"
#include "run/files/AtomicFile.h"
#include "run/import/PipeDreamProfile.h"
#include "run/import/ProfileScenario.h"
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

/// Options that are of the other kind of format, or missing.
Problems wrongUse(const Options& options) {
    const auto wrong = [](Text message) { return Problems{{.code = "bad-usage", .message = std::move(message)}}; };
    const TraceOptions& t = options.trace;
    if (options.format == "pipedream")
        return t.machines > 0 || t.gpus > 0 || t.jobs > 0 || !t.cluster.empty() || !options.curve.empty()
                   ? wrong({TRAINYARD_TEXT(
                                "--machines, --gpus, --jobs, --cluster and --curve are of traces; a profile comes "
                                "with a cluster of its own"),
                            {}})
                   : Problems{};
    if (t.machines < 1) return wrong({TRAINYARD_TEXT("--machines is required"), {}});
    if (t.gpus < 1) return wrong({TRAINYARD_TEXT("--gpus is required"), {}});
    if (!t.cluster.empty() && options.format != "philly")
        return wrong(
            {TRAINYARD_TEXT("--cluster is of philly traces; those of {0} name no virtual cluster"), {options.format}});
    return {};
}

/// Of a file, or of what came through a pipe into one.
Result<Scenario> imported(const Options& options, const std::filesystem::path& file) {
    if (options.format == "philly") return importTrace(TraceFormat::philly, file, options.trace);
    if (options.format == "tiresias") return importTrace(TraceFormat::tiresias, file, options.trace);
    auto graph = readPipeDreamProfile(file);
    if (!graph) return graph.problems();
    return {profileScenario(std::move(*graph), options.trace.name), graph.problems()};
}

int run(Options options) {
    if (const Problems wrong = wrongUse(options); !wrong.empty()) return refuse(wrong);
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
    const auto scenario = imported(options, trace.path());
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
    options->trace.machines = options->trace.gpus = 0; // not given
    CLI::App* command = app.add_subcommand(
        "import", "Make a scenario of a trace of a real cluster, or of a profile of a computation graph");
    command
        ->add_option("FORMAT", options->format,
                     "tiresias, philly (condensed), or pipedream (a profile of one training step)")
        ->required()
        ->check(CLI::IsMember({"tiresias", "philly", "pipedream"}));
    command->add_option("FILE", options->file, "The trace, comma separated, or the profile; - for standard input")
        ->required()
        ->type_name("FILE");
    command->add_option("--machines", options->trace.machines, "Machines of the cluster, around one switch (traces)")
        ->check(CLI::Range(1, 100'000));
    command->add_option("--gpus", options->trace.gpus, "GPUs of each machine (traces)")->check(CLI::Range(1, 1'000));
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
