// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli validate FILE…: every problem of every file, or silence.
#include "Commands.h"
#include "Common.h"
#include "PipedFile.h"

#include "scenario/ScenarioFile.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

int validateFiles(const std::vector<std::string>& files) {
    const Registry registry = Registry::builtin();
    const ResourcePaths resources = resourcePaths();
    int bad = 0;
    for (const auto& file : files) {
        const PipedFile piped(file);
        const auto loaded = readScenario(piped.path(), registry, &resources);
        printProblems(piped.named(loaded.problems()));
        if (!loaded)
            ++bad;
        else
            std::cout << readableName(file) << ": valid" << (loaded->isCanonical() ? "" : "; saving would reformat it")
                      << "\n";
    }
    return bad == 0 ? exitDone : exitBadInput;
}

} // namespace

void addValidate(CLI::App& app, int& status) {
    auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* command = app.add_subcommand("validate", "Check scenario files");
    command->add_option("FILE", *files, "Scenario files")->required()->type_name("SCENARIO");
    command->callback([files, &status] { status = validateFiles(*files); });
}

} // namespace trainyard::cli
