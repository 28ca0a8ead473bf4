// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli import FORMAT FILE -o OUT: a trace of a real cluster, or a profile of a computation graph, as a scenario; triples, text and
// matrices as data for keyed models.
#include "Commands.h"
#include "Common.h"
#include "PipedFile.h"

#include "base/CsvTable.h"
#include "run/files/AtomicFile.h"
#include "run/files/StreamedFile.h"
#include "run/import/Importer.h"
#include "scenario/ScenarioFile.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

namespace trainyard::cli {

namespace import_command {

struct Options {
    std::string format, file, out, curve;
    TraceOptions trace;
    std::optional<std::uint64_t> seed;
    std::optional<double> testShare;
    std::optional<std::uint32_t> least, words;
};

bool isStandardInput(const std::string& file) { return file == "-" || file == "/dev/stdin"; }

Problems badUse(Text message) { return {{.code = "bad-usage", .message = std::move(message)}}; }

/// Options that this format does not take, or that it lacks.
Problems wrongUse(const CLI::App& command, const Importer& importer) {
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return std::ranges::find(names, name) != names.end();
    };
    const auto isOptional = [](const CLI::Option* option) {
        return option->nonpositional() && !option->get_required();
    };
    for (const CLI::Option* option : command.get_options(isOptional)) {
        const std::string name = "--" + option->get_lnames().front();
        const bool isRequired = has(importer.required, name);
        if (isRequired && option->count() == 0) return badUse({TRAINYARD_TEXT("{0} is required"), {name}});
        if (!isRequired && option->count() > 0 && !has(importer.options, name))
            return badUse({TRAINYARD_TEXT("{0} has no effect on format {1}"), {name, importer.name}});
    }
    return {};
}

/// A file that would be replaced although it is read, or is one of a directory that is read.
Problems replacesData(const Options& options) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(options.file, error))
        if (Problems problems = replacesInput(entry.path().string(), options.out); !problems.empty()) return problems;
    return replacesInput(options.file, options.out);
}

int runData(const Options& options, const Importer& importer) {
    if (options.out == "-" && isatty(STDOUT_FILENO) == 1)
        return refuse(badUse({TRAINYARD_TEXT("data are no text for a terminal; -o takes the name of a file"), {}}));
    if (const Problems problems = replacesData(options); !problems.empty()) return refuse(problems);
    const bool piped = isStandardInput(options.file);
    ImportRequest request{.file = piped ? "/dev/stdin" : options.file,
                          .shown = piped ? "standard input" : readableName(options.file),
                          .scratch = scratchDirectoryFor(options.out)};
    request.seed = options.seed.value_or(request.seed);
    request.testShare = options.testShare.value_or(request.testShare);
    request.least = options.least.value_or(request.least);
    request.most = options.words.value_or(request.most);
    const auto data = importer.read(request);
    if (!data) return refuse(data.problems());
    printProblems(data.problems());
    const auto write = [&](const ByteSink& sink) {
        KeyedDataWriter writer(data->header, sink);
        Problems problems = data->write(writer);
        if (problems.empty()) writer.finish();
        return problems;
    };
    if (const Problems problems = options.out == "-" ? streamDescriptor(STDOUT_FILENO, "standard output", write)
                                                     : streamFile(options.out, write);
        !problems.empty()) {
        printProblems(problems);
        return exitFailed;
    }
    std::cerr << readableName(options.out) << ": " << data->summary.english() << "\n";
    return exitDone;
}

int runScenario(Options options, const Importer& importer) {
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
    const auto scenario = importer.scenario({.file = trace.path(), .trace = options.trace});
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

int run(const CLI::App& command, const Options& options) {
    const Importer& importer = *findImporter(options.format);
    if (const Problems wrong = wrongUse(command, importer); !wrong.empty()) return refuse(wrong);
    return importer.scenario ? runScenario(options, importer) : runData(options, importer);
}

} // namespace import_command

void addImport(CLI::App& app, int& status) {
    auto options = std::make_shared<import_command::Options>();
    CLI::App* command =
        app.add_subcommand("import", "Make a scenario of a trace of a real cluster, or of a profile of a "
                                     "computation graph, or data for keyed models of triples, text, matrices");
    std::vector<std::string> formats;
    std::string scenarios = "Scenarios:";
    std::string data = "Data for keyed models, of files that may be larger than memory, plain or packed by gzip:";
    for (const Importer& importer : importers()) {
        formats.push_back(importer.name);
        (importer.scenario ? scenarios : data) += "\n  " + importer.name + ": " + importer.what;
    }
    command->footer(scenarios + "\n" + data);
    command->add_option("FORMAT", options->format, "What FILE is, as listed below")
        ->required()
        ->check(CLI::IsMember(formats));
    command
        ->add_option("FILE", options->file, "The trace, comma separated, the profile or the data; - for standard input")
        ->required()
        ->type_name("FILE");
    command->add_option("--machines", options->trace.machines, "Machines of the cluster, around one switch (traces)")
        ->check(CLI::Range(1, 100'000));
    command->add_option("--gpus", options->trace.gpus, "GPUs of each machine (traces)")->check(CLI::Range(1, 1'000));
    command->add_option("-o,--output", options->out, "The scenario or data file; - for standard output")
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
    addSeedOption(*command, options->seed);
    command->get_option("--seed")->description("Data: seed of the choice of what is put apart for tests (default: 1)");
    CLI::Option* share = command->add_option("--test-share", options->testShare,
                                             "Data: share that is put apart for tests, of triples as much again to "
                                             "validate, 0 to 0.4 (default: 0.05)");
    requireNonNegative(share); // NaN passes a range
    share->check(CLI::Range(0.0, 0.4));
    requirePositive(
        command->add_option("--least", options->least, "text: words met less often are left out (default: 5)"));
    requirePositive(command->add_option("--words", options->words,
                                        "text: only so many words, the most frequent ones (default: all)"));
    command->callback([command, options, &status] { status = import_command::run(*command, *options); });
}

} // namespace trainyard::cli
