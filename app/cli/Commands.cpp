// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "Commands.h"

#include "Common.h"
#include "scenario/Suggest.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace trainyard::cli {

void addCommands(CLI::App& app, int& status, const KeepOptions& started) {
    addRun(app, status);
    addCompare(app, status, started);
    addReproduce(app, status, started);
    addSweep(app, status, started);
    addMerge(app, status);
    addValidate(app, status);
    addVerify(app, status);
    addList(app, status);
    addBench(app, status);
    addExplain(app, status);
    addChart(app, status);
    addTrain(app, status);
    addFit(app, status);
    addImport(app, status);
    addCompletion(app, status);
}

namespace {

std::vector<std::string> commandNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({}))
        if (!command->get_group().empty()) names.push_back(command->get_name()); // not hidden
    return names;
}

} // namespace

bool isCommand(const CLI::App& app, const std::string& word) {
    const auto commands = app.get_subcommands({});
    return std::any_of(commands.begin(), commands.end(),
                       [&](const CLI::App* command) { return command->get_name() == word; });
}

std::string unknownCommand(const CLI::App& app, const std::string& word) {
    const std::vector<std::string> names = commandNames(app);
    const std::string near = nearestWord(word, names);
    return "trainyard-cli: there is no command " + readableName(word) +
           (near.empty() ? "; commands are " + joinWords(names, names.size()) : "; did you mean " + near + "?") + "\n";
}

} // namespace trainyard::cli
