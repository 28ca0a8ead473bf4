// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli merge DIR… --out DIR: the results that shards have kept, in one place.
#include "Commands.h"
#include "Common.h"

#include "run/files/AtomicFile.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

struct MergeOptions {
    std::vector<std::string> directories;
    std::string out;
};

int mergeResults(const MergeOptions& options) {
    Problems same;
    std::error_code error;
    for (const auto& directory : options.directories)
        if (std::filesystem::equivalent(directory, options.out, error))
            same.push_back({.code = "bad-usage",
                            .message = {TRAINYARD_TEXT("{0} cannot be merged into itself; leave it out"),
                                        {readableName(directory)}}});
    if (!same.empty()) return refuse(same);
    if (const Problems problems = probeDirectory(options.out); !problems.empty()) return refuse(problems);
    auto store = ResultStore::open(std::filesystem::path(options.out) / ResultStore::fileName,
                                   [](const Problem& locked) { say(locked.message.english()); });
    if (!store) return refuse(unwritable(store.problems()));
    Problems problems;
    for (const auto& directory : options.directories)
        for (auto& problem : (*store)->merge(std::filesystem::path(directory) / ResultStore::fileName))
            problems.push_back(std::move(problem));
    const int status = problems.empty() ? exitDone : refuse(problems);
    std::cout << (*store)->size() << " results in " << readableName(options.out)
              << "; run the command again with --resume --out " << readableName(options.out) << "\n";
    return status;
}

} // namespace

void addMerge(CLI::App& app, int& status) {
    auto options = std::make_shared<MergeOptions>();
    CLI::App* command =
        app.add_subcommand("merge", "Put results together that shards have kept in directories of their own");
    command->add_option("DIR", options->directories, "Directories written by compare, sweep or reproduce --out")
        ->required()
        ->type_name("DIR");
    command->add_option("--out", options->out, "Directory to put them into")->required()->type_name("DIR");
    command->callback([options, &status] { status = mergeResults(*options); });
}

} // namespace trainyard::cli
