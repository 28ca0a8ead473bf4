// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli verify DIR…: whether run directories are whole and hold one run.
#include "Commands.h"
#include "Common.h"

#include "run/files/RunFiles.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

int verifyDirectories(const std::vector<std::string>& directories) {
    int damaged = 0;
    for (const auto& directory : directories) {
        const Problems problems = verifyRunDirectory(directory);
        printProblems(problems);
        if (hasErrors(problems))
            ++damaged;
        else
            std::cout << readableName(directory) << ": whole\n";
    }
    return damaged == 0 ? exitDone : exitFailed;
}

} // namespace

void addVerify(CLI::App& app, int& status) {
    auto directories = std::make_shared<std::vector<std::string>>();
    CLI::App* command = app.add_subcommand("verify", "Check that run directories are whole and hold one run");
    command->add_option("DIR", *directories, "Directories written by run --out")->required()->type_name("DIR");
    command->callback([directories, &status] { status = verifyDirectories(*directories); });
}

} // namespace trainyard::cli
