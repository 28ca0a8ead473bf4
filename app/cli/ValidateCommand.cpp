// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli validate FILE…: every problem of every file, or silence.
#include "Commands.h"
#include "Common.h"
#include "Interrupt.h"
#include "PipedFile.h"

#include "base/Memory.h"
#include "scenario/ScenarioFile.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

struct ValidateOptions {
    std::vector<std::string> files;
    RunLimits limits;
};

int validateFiles(const ValidateOptions& options) {
    Interrupt interrupt; // nothing is left behind: what takes too long ends with the process
    RunLimits limits = options.limits;
    if (!limits.memoryGigabytes) limits.memoryGigabytes = .75e-9 * memoryOfMachine();
    interrupt.hold(limits);
    const Registry registry = Registry::builtin();
    const ResourcePaths resources = resourcePaths();
    int bad = 0;
    for (const auto& file : options.files) {
        if (interrupt.requested()) break;
        const PipedFile piped(file, PipedFile::scenarioBytes, interrupt.token());
        if (piped.stopped()) break;
        const auto loaded = readScenario(piped.path(), registry, &resources);
        printProblems(piped.named(loaded.problems()));
        if (!loaded)
            ++bad;
        else
            std::cout << readableName(file) << ": valid" << (loaded->isCanonical() ? "" : "; saving would reformat it")
                      << "\n";
    }
    return interrupt.exitStatus(bad == 0 ? exitDone : exitBadInput);
}

} // namespace

void addValidate(CLI::App& app, int& status) {
    auto options = std::make_shared<ValidateOptions>();
    CLI::App* command = app.add_subcommand("validate", "Check scenario files");
    command->add_option("FILE", options->files, "Scenario files")->required()->type_name("SCENARIO");
    addTimeAndMemory(*command, options->limits, "Give up");
    command->callback([options, &status] { status = validateFiles(*options); });
}

} // namespace trainyard::cli
