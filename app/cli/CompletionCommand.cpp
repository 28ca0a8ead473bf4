// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli completion SHELL: the script that completes its words, as packages install it. Hidden: people have no need of it.
#include "Commands.h"
#include "Common.h"
#include "CompletionTree.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

int printCompletion(const CLI::App& app, const std::string& shell) {
    const auto tree = completionTree(app);
    if (shell == "commands") { // for scripts that choose between programs
        for (const auto& command : tree)
            if (!command.name.empty()) std::cout << command.name << "\n";
        return exitDone;
    }
    std::cout << (shell == "bash" ? bashCompletion(tree) : shell == "zsh" ? zshCompletion(tree) : fishCompletion(tree));
    return exitDone;
}

} // namespace

void addCompletion(CLI::App& app, int& status) {
    auto shell = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("completion", "Print the script that completes this program's words");
    command->group("");
    command->add_option("SHELL", *shell, "bash, zsh or fish; commands: the names of the commands, one per line")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish", "commands"}));
    command->callback([&app, shell, &status] { status = printCompletion(app, *shell); });
}

} // namespace trainyard::cli
