// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "Common.h"
#include "MpiProcesses.h"

#include "PipedFile.h"

#include "base/Format.h"
#include "base/ProblemLine.h"
#include "scenario/ProblemPlaces.h"
#include "scenario/ScenarioFile.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <span>

namespace trainyard::cli {

namespace {

std::optional<std::uint64_t> wholeNumber(std::string_view text) {
    std::uint64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

Problem usageProblem(const char* pattern, const std::string& what) {
    return {.code = "bad-usage", .message = {pattern, {what}}};
}

Result<Scenario> withSets(Scenario scenario, const std::vector<std::string>& sets, const Registry& registry) {
    for (const auto& set : sets) {
        const auto at = set.find('=');
        if (at == std::string::npos)
            return usageProblem(
                TRAINYARD_TEXT("--set takes POINTER=VALUE, for example /policies/scheduler/id=srtf; got {0}"), set);
        auto changed = setValue(scenario, set.substr(0, at), set.substr(at + 1));
        if (!changed) return changed.problems();
        scenario = std::move(changed).value();
    }
    if (sets.empty()) return scenario;
    const Problems problems = validateScenario(scenario, registry);
    if (hasErrors(problems)) return problems;
    return Result<Scenario>(std::move(scenario), problems);
}

bool isAmong(const Problems& problems, const Problem& problem) {
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& p) {
        return p.code == problem.code && p.pointer == problem.pointer && p.message == problem.message;
    });
}

/// The warnings of a file whose scenario was judged `before` --set and `after`: without those that no longer
/// hold, and with those that are new.
Problems warningsAfterSets(Problems ofFile, const Problems& before, const Problems& after) {
    std::erase_if(ofFile, [&](const Problem& p) { return isAmong(before, p) && !isAmong(after, p); });
    for (const Problem& p : after)
        if (!isAmong(ofFile, p)) ofFile.push_back(p);
    return ofFile;
}

Scenario withLimits(Scenario scenario, const RunLimits& given) {
    if (given.events) scenario.limits.events = given.events;
    if (given.wallSeconds) scenario.limits.wallSeconds = given.wallSeconds;
    if (given.memoryGigabytes) scenario.limits.memoryGigabytes = given.memoryGigabytes;
    return scenario;
}

Result<Input> loadFile(const CommonOptions& options) {
    Input input;
    input.registry = std::make_shared<const Registry>(Registry::builtin());
    input.resources = resourcePaths();
    auto provenance = readProvenance(options.file);
    if (!provenance) return provenance.problems();
    const bool recorded = provenance->has_value();
    std::error_code none;
    if (recorded && std::filesystem::is_directory(options.file, none))
        if (const auto record = readRecord(options.file); !record)
            return record.problems(); // damaged: its provenance may be, too
    auto loaded = recorded ? parseScenario((*provenance)->scenarioText, options.file)
                           : readScenario(options.file, *input.registry);
    if (!loaded) { // as `validate` says it, with what a run would lack
        const auto all = readScenario(options.file, *input.registry, &input.resources);
        return recorded || !hasErrors(all.problems()) ? loaded.problems() : all.problems();
    }
    auto scenario = withSets(loaded->scenario, options.sets, *input.registry);
    if (!scenario) return scenario.problems();
    Problems warnings = loaded.problems();
    if (!options.sets.empty())
        warnings = warningsAfterSets(std::move(warnings), validateScenario(loaded->scenario, *input.registry),
                                     scenario.problems());
    input.scenario = std::make_shared<const Scenario>(withLimits(std::move(scenario).value(), options.limits));
    for (const auto& set : options.sets) input.changedPlaces.push_back(set.substr(0, set.find('=')));
    input.name = readableName(std::filesystem::path(options.file).filename().string());
    input.seed = input.scenario->seed;
    input.mode = input.scenario->mode;
    if (!recorded) {
        input.file = options.file;
        input.text = std::move(loaded->file);
    }
    if (recorded) {
        const RunProvenance& from = **provenance;
        input.name = from.scenarioName;
        const auto isSet = [&](const char* place) {
            return std::ranges::find(input.changedPlaces, place) != input.changedPlaces.end();
        };
        if (!isSet("/seed")) input.seed = from.seed;
        if (!isSet("/mode")) input.mode = from.mode;
        input.commands = from.commands;
        input.comparison = from.comparison;
        if (!from.complete)
            warnings.push_back({.code = "incomplete-record",
                                .message = {TRAINYARD_TEXT("the recorded run did not come to its end ({0}): no digest "
                                                           "is compared"),
                                            {from.failure}},
                                .severity = Severity::note});
        input.recordedVersion = from.version;
        const RunLimits& limits = options.limits;
        const bool changed = !options.sets.empty() || (options.seed && *options.seed != from.seed) ||
                             (!options.mode.empty() && options.mode != modeName(from.mode)) || limits.events ||
                             limits.wallSeconds || limits.memoryGigabytes;
        // Real time never repeats itself: only simulated runs have a digest to agree with, and only those that came to their end.
        if (!changed && from.mode == RunMode::simulate && !from.digest.empty() && from.complete)
            input.digest = from.digest;
    }
    if (options.seed) input.seed = *options.seed;
    if (!options.mode.empty()) input.mode = options.mode == "execute" ? RunMode::execute : RunMode::simulate;
    return Result<Input>(std::move(input), warnings);
}

} // namespace

void addOutOption(CLI::App& command, std::string& out, const std::string& help) {
    command.add_option("--out", out, help)->type_name("DIR");
}

void addKeepOptions(CLI::App& command, KeepOptions& options) {
    command.add_flag("--resume", options.resume,
                     "Take runs that are done from --out DIR (results.db, written as runs end), and do the others");
    command.add_option(
        "--shard", options.shard,
        "I/N: do only every N-th run, beginning with the I-th; trainyard-cli merge puts shards together");
    auto* slurm =
        command.add_flag("--slurm", options.slurm,
                         "Submit the runs as an array of jobs of Slurm, and a job that puts their results "
                         "into --out DIR. What follows are options for sbatch, such as --array=1-8 --time=60");
    command
        .add_flag("--slurm-script", options.slurmScript,
                  "As --slurm, but only write the scripts, array.sbatch and merge.sbatch, into --out DIR")
        ->excludes(slurm);
}

Problems unwritable(Problems problems) {
    for (Problem& problem : problems) problem.code = "cannot-write";
    return problems;
}

void shareCommand([[maybe_unused]] KeepOptions& options, [[maybe_unused]] std::string& out,
                  [[maybe_unused]] int& threads) {
#ifdef TRAINYARD_MPI
    const auto* processes = dynamic_cast<const MpiProcesses*>(options.processes.get());
    if (!processes) return;
    const int share = processes->threads(); // asked of all
    if (threads == 0) threads = share;
    if (processes->isFirst()) return;
    out.clear();
    options.resume = false;
#endif
}

Result<KeptResults> keptResults(const KeepOptions& options, const std::string& out) {
    if (out.empty() && options.resume)
        return Problem{.code = "bad-usage",
                       .message = {TRAINYARD_TEXT("--resume needs --out DIR, where earlier runs were kept"), {}}};
    if (out.empty()) return KeptResults();
    auto store = ResultStore::open(std::filesystem::path(out) / ResultStore::fileName,
                                   [](const Problem& locked) { say(locked.message.english()); });
    if (!store) return unwritable(store.problems());
    return KeptResults(std::move(store).value(), options.resume);
}

Result<Shard> shardOf(const std::string& text) {
    if (text.empty()) return Shard{};
    const auto at = text.find('/');
    const auto part = wholeNumber(std::string_view(text).substr(0, at));
    const auto of = at == std::string::npos ? std::nullopt : wholeNumber(std::string_view(text).substr(at + 1));
    if (!part || !of || *part < 1 || *of < *part || *of > 1'000'000)
        return Problem{.code = "bad-usage",
                       .message = {TRAINYARD_TEXT("--shard takes I/N with 1 ≤ I ≤ N; got {0}"), {text}}};
    return Shard{static_cast<std::size_t>(*part) - 1, static_cast<std::size_t>(*of)};
}

void addSeedOption(CLI::App& command, std::optional<std::uint64_t>& seed) {
    command
        .add_option_function<std::string>(
            "--seed",
            [&seed](const std::string& text) {
                seed = wholeNumber(text);
                if (!seed) throw CLI::ValidationError("--seed", "takes a whole number from 0 to 2^64 - 1; got " + text);
            },
            "Seed; default: the scenario's")
        ->type_name("UINT");
}

void requireNonNegative(CLI::Option* option) {
    option->check([](const std::string& text) -> std::string {
        const auto number = numberIn(text);
        return number && *number >= 0 ? "" : (text.empty() ? "nothing" : text) + " is no number from 0 on";
    });
}

void requirePositive(CLI::Option* option) {
    option->check([](const std::string& text) -> std::string {
        const auto number = numberIn(text);
        return number && *number > 0 ? "" : (text.empty() ? "nothing" : text) + " is no number above 0";
    });
}

void addCommonOptions(CLI::App& command, CommonOptions& options) {
    command
        .add_option("FILE", options.file,
                    "A scenario (- for standard input), a run record (directory), or a file exported from a run")
        ->required()
        ->type_name("SCENARIO");
    command.add_option("--set", options.sets, "POINTER=VALUE: changes the scenario; may be repeated")
        ->type_name("POINTER=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    addSeedOption(command, options.seed);
    command.add_option("--mode", options.mode, "simulate or execute; default: the scenario's mode")
        ->check(CLI::IsMember({"simulate", "execute"}));
    command.add_option("--threads", options.threads, "Number of threads; 0 = all cores but one")
        ->check(CLI::Range(0, 4096));
    command.add_flag("--json", options.json, "One JSON object on standard output");
    addOutOption(command, options.out, "Directory for the files of the run");
    command.add_option("--max-events", options.limits.events, "Stop a run at so many events; what it has done is kept")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}));
    addTimeAndMemory(command, options.limits, "Stop a run");
}

void addTimeAndMemory(CLI::App& command, RunLimits& limits, const std::string& what) {
    requirePositive(command.add_option("--max-wall", limits.wallSeconds, what + " after so many seconds of computing"));
    requirePositive(
        command.add_option("--max-memory", limits.memoryGigabytes,
                           what + " where the program takes so many GB; default: three quarters of the machine's"));
}

Problems replacesInput(const std::string& file, const std::string& output) {
    std::error_code none;
    if (output.empty() || !std::filesystem::is_regular_file(output, none) ||
        !std::filesystem::equivalent(file == "-" ? "/dev/stdin" : file, output, none))
        return {};
    return {{.code = "bad-usage",
             .message = {TRAINYARD_TEXT("this file is read, and would be replaced; choose another name or directory "
                                        "for what is written"),
                         {}},
             .file = output}};
}

Problems replacesInput(const std::string& file, const Input& input, const std::string& directory,
                       const std::vector<std::string>& written) {
    if (directory.empty() || !input.recordedVersion.empty() || !input.comparison.empty()) return {};
    for (const std::string& name : written)
        if (Problems problems = replacesInput(file, (std::filesystem::path(directory) / name).string());
            !problems.empty())
            return problems;
    return {};
}

Problems seedSetInVain(const Input& input, const std::string& option) {
    if (std::ranges::find(input.changedPlaces, "/seed") == input.changedPlaces.end()) return {};
    return {usageProblem(TRAINYARD_TEXT("--set /seed has no effect: seeds come from {0}"), option)};
}

ResourcePaths resourcePaths() {
    std::error_code error;
    return ResourcePaths::find(std::filesystem::read_symlink("/proc/self/exe", error));
}

Result<Input> loadInput(const CommonOptions& given, const std::stop_token& stop) {
    const PipedFile piped(given.file, PipedFile::scenarioBytes, stop);
    if (piped.stopped()) return Problem{.code = "stopped", .message = {TRAINYARD_TEXT("stopped"), {}}};
    CommonOptions options = given;
    options.file = piped.path();
    auto input = loadFile(options);
    if (!input) return piped.named(input.problems());
    if (options.file != given.file && !input->recordedVersion.size()) {
        input->file = given.file == "-" ? "standard input" : given.file;
        input->name =
            given.file == "-" ? "standard input" : readableName(std::filesystem::path(given.file).filename().string());
    }
    return Result<Input>(std::move(input).value(), piped.named(input.problems()));
}

namespace {

bool isAtOrBelow(std::string_view place, std::string_view other) {
    return place.starts_with(other) && (place.size() == other.size() || place[other.size()] == '/');
}

} // namespace

Problems placedIn(const Input& input, Problems problems) {
    for (Problem& problem : problems) {
        if (problem.pointer.empty() || input.text.empty()) continue;
        if (std::ranges::any_of(input.changedPlaces, [&](const std::string& place) {
                return isAtOrBelow(problem.pointer, place) || isAtOrBelow(place, problem.pointer);
            }))
            continue; // the file says something else there
        problem.file = input.file;
        problem.line = input.text.lineOf(problem.pointer);
    }
    return problems;
}

std::optional<double> numberIn(std::string_view text) {
    double value = 0;
    const auto end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (text.empty() || result.ec != std::errc{} || result.ptr != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::vector<std::string> splitList(const std::string& text) {
    std::vector<std::string> out;
    for (auto& part : splitValues(text))
        if (!part.empty()) out.push_back(std::move(part));
    return out;
}

std::vector<std::string> splitValues(const std::string& text) {
    std::vector<std::string> out(1);
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ',' && depth == 0 && !inString) {
            out.emplace_back();
            continue;
        }
        if (inString && c == '\\' && i + 1 < text.size())
            out.back() += text[i++];
        else if (c == '"')
            inString = !inString;
        else if (!inString)
            depth += (c == '[' || c == '{') - (c == ']' || c == '}');
        out.back() += text[i];
    }
    return out;
}

void printProblems(const Problems& problems) {
    const std::size_t shown = problems.size() > readableProblems + 10 ? readableProblems : problems.size();
    for (const auto& problem : std::span(problems).first(shown))
        std::cerr << problemLine(problem, "trainyard-cli") << "\n";
    if (shown < problems.size()) say("and " + std::to_string(problems.size() - shown) + " more problems");
}

void say(const std::string& text) { std::cerr << "trainyard-cli: " << text << "\n"; }

int refuse(const Problems& problems) {
    printProblems(problems);
    const bool failed = std::any_of(problems.begin(), problems.end(), [](const Problem& p) {
        return p.code == "run-failed" || p.code == "stopped" || p.code == "limit" || p.code == "cannot-write" ||
               p.code == "cannot-make-directory";
    });
    return failed ? exitFailed : exitBadInput;
}

std::size_t columnsOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string tableNumber(double value) { return formatNumber(value, 6); }

RunSource sourceOf(const RunRecord& record) {
    RunSource source{.scenario = nullptr,
                     .seed = record.seed,
                     .workload = record.workload,
                     .log = record.log,
                     .explanations = record.explanations,
                     .resources = resourcePaths().root};
    auto parsed = parseScenario(record.scenarioText, record.scenarioName);
    if (parsed) source.scenario = std::make_shared<const Scenario>(std::move(parsed).value().scenario);
    return source;
}

} // namespace trainyard::cli
