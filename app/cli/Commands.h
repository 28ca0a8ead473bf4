// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The subcommands. Each is one file that adds itself to the parser and writes its exit status.
#include <string>

namespace CLI {
class App;
}

namespace trainyard::cli {

struct CommonOptions;
struct KeepOptions;
struct Input;
class Interrupt;

/// What `run` does with a file of a comparison, which it has read.
int repeatComparison(const CommonOptions& common, const Input& input, Interrupt& interrupt);

/// `started`: how the program was started, for commands with many runs.
void addCommands(CLI::App& app, int& status, const KeepOptions& started);
bool isCommand(const CLI::App& app, const std::string& word);
/// What to say of a word that is no command: the nearest one, or all.
std::string unknownCommand(const CLI::App& app, const std::string& word);

void addRun(CLI::App& app, int& status);
void addCompare(CLI::App& app, int& status, const KeepOptions& started);
void addSweep(CLI::App& app, int& status, const KeepOptions& started);
void addMerge(CLI::App& app, int& status);
void addValidate(CLI::App& app, int& status);
void addVerify(CLI::App& app, int& status);
void addList(CLI::App& app, int& status);
void addBench(CLI::App& app, int& status);
void addReproduce(CLI::App& app, int& status, const KeepOptions& started);
void addExplain(CLI::App& app, int& status);
void addChart(CLI::App& app, int& status);
void addTrain(CLI::App& app, int& status);
void addFit(CLI::App& app, int& status);
void addImport(CLI::App& app, int& status);
void addCompletion(CLI::App& app, int& status);

} // namespace trainyard::cli
