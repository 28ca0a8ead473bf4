// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the subcommands share: the common options, loading an input with them applied, printing problems, exit
// statuses.
#include "analysis/RunIndex.h"
#include "base/ReadableName.h"
#include "run/compare/BatchProcesses.h"
#include "run/compare/ResultStore.h"
#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace trainyard::cli {

constexpr int exitDone = 0, exitFailed = 1, exitBadInput = 2;

struct CommonOptions {
    std::string file;
    std::vector<std::string> sets; ///< POINTER=VALUE
    std::optional<std::uint64_t> seed;
    std::string mode; ///< empty = the scenario's
    int threads = 0;
    bool json = false;
    std::string out;
    RunLimits limits; ///< those given replace the scenario's
};

/// FILE, --set, --seed, --mode, --threads, --json, --out, --max-events, --max-wall, --max-memory.
void addCommonOptions(CLI::App& command, CommonOptions& options);
/// --max-wall and --max-memory; `what` happens there.
void addTimeAndMemory(CLI::App& command, RunLimits& limits, const std::string& what);

/// Only finite numbers, from 0 on: CLI11's ranges let NaN pass, and its unsigned numbers take -1 for 2^64 - 1.
void requireNonNegative(CLI::Option* option);
void requirePositive(CLI::Option* option); ///< above 0

/// --out DIR.
void addOutOption(CLI::App& command, std::string& out, const std::string& help);

/// Of comparisons, sweeps and studies: what is done is kept in OUT/results.db.
struct KeepOptions {
    bool resume = false;
    std::string shard;                         ///< I/N
    bool slurm = false, slurmScript = false;   ///< it is to be submitted, or only the scripts are wanted
    std::shared_ptr<BatchProcesses> processes; ///< that share the runs; null: this one alone
    std::vector<std::string> words;            ///< of the command line, after the program, without those about Slurm
    std::vector<std::string> sbatch;           ///< what follows --slurm

    bool usesSlurm() const { return slurm || slurmScript; }
    bool isInShards() const { return usesSlurm() || !shard.empty(); }
};
/// Of several processes, only the first is given a directory; each takes its share of the cores where --threads says nothing.
void shareCommand(KeepOptions& options, std::string& out, int& threads);
/// --resume, --shard, --slurm, --slurm-script.
void addKeepOptions(CLI::App& command, KeepOptions& options);
/// What a store that cannot be opened for writing is to `refuse`.
Problems unwritable(Problems problems);
/// Nothing is kept where `out` is empty. Problems: the store cannot be opened, or --resume without --out.
Result<KeptResults> keptResults(const KeepOptions& options, const std::string& out);
struct Shard {
    std::size_t index = 0, of = 1;
};
/// "2/8" is the second of eight; empty: the only one.
Result<Shard> shardOf(const std::string& text);

/// --seed alone.
void addSeedOption(CLI::App& command, std::optional<std::uint64_t>& seed);

/// A scenario file, or the provenance in a record or an exported file, with --set, --seed and --mode applied.
struct Input {
    std::shared_ptr<const Scenario> scenario;
    std::shared_ptr<const Registry> registry;
    ResourcePaths resources;
    std::string name;                       ///< of the scenario file
    std::string file;                       ///< as problems name it
    ScenarioText text;                      ///< of the file; empty where it is not the scenario itself
    std::vector<std::string> changedPlaces; ///< pointers of --set
    std::uint64_t seed = 1;
    RunMode mode = RunMode::simulate;
    std::vector<Command> commands;
    std::optional<std::string> digest; ///< that the run should have, if nothing was changed
    std::string recordedVersion;
    std::string comparison; ///< of a file of a comparison: what was compared (run/ComparisonFile.h)
};
/// FILE may be "-" for standard input, or a pipe. Problem "stopped": before all of a pipe was read.
Result<Input> loadInput(const CommonOptions& options, const std::stop_token& stop = {});
/// Problems with places in the scenario, with file and line where it is the file that was given, and --set has not changed it there.
Problems placedIn(const Input& input, Problems problems);

/// A person's scenario lies in the directory under a name that the command writes there. What the program has written before (records,
/// tables) is replaced as ever.
Problems replacesInput(const std::string& file, const Input& input, const std::string& directory,
                       const std::vector<std::string>& written);
/// The two are one file.
Problems replacesInput(const std::string& file, const std::string& output);
/// --set /seed where an option says which seeds.
Problems seedSetInVain(const Input& input, const std::string& option);

ResourcePaths resourcePaths();

/// A finite number, all of the text; nothing for anything else.
std::optional<double> numberIn(std::string_view text);
/// "a,b,c" without empty parts.
std::vector<std::string> splitList(const std::string& text);
/// As splitList, but commas inside brackets, braces and strings do not split: grid values are JSON.
std::vector<std::string> splitValues(const std::string& text);

/// One line each on standard error; of more than anybody reads, a hundred and how many there are beside them.
void printProblems(const Problems& problems);
/// One line on standard error, after the program's name.
void say(const std::string& text);
/// Prints them and gives the exit status: 1 for a run that failed and what cannot be written, else 2.
int refuse(const Problems& problems);

/// "12.3" with as many digits as help: for tables.
std::string tableNumber(double value);
/// How many columns a text takes on screen: the bytes that continue a character count nothing.
std::size_t columnsOf(std::string_view text);

/// What views are computed from.
RunSource sourceOf(const RunRecord& record);

} // namespace trainyard::cli
