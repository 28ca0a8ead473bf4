// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli: the command line. Parses arguments and calls run/; prints results on standard output,
// progress and problems on standard error. Exit status: 0 done, 1 a run failed or something could not be written, 2 bad usage
// or bad input, 128 + n stopped by signal n.
#include "Commands.h"
#include "Common.h"
#include "EscapedStream.h"
#include "MpiProcesses.h"
#include "base/StandardStreams.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>

namespace {

/// What a command was given and does not know: an option rather than a word, which may be its value.
std::string unexpected(const CLI::App& command) {
    const std::vector<std::string> rest = command.remaining(true);
    const auto option =
        std::ranges::find_if(rest, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
    return option != rest.end() ? *option : rest.empty() ? "" : rest.front();
}

/// program: what is wrong, as GNU programs say it.
std::string usageError(const CLI::App* app, const CLI::Error& error) {
    std::string command = "trainyard-cli";
    std::string why = error.what();
    for (const CLI::App* given : app->get_subcommands()) command += " " + given->get_name();
    // What is missing is no help where an option is wrong: it may have been meant.
    const bool missing = error.get_name() == "RequiredError";
    const std::string word = unexpected(*app);
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) || (missing && word.starts_with('-')))
        if (!word.empty()) why = "The following argument was not expected: " + word;
    return "trainyard-cli: " + why + "\nTry '" + command + " --help' for more information.\n";
}

/// An empty value is a variable that a script has not set, never a choice.
void refuseEmptyValues(CLI::App& app) {
    for (CLI::Option* option : app.get_options())
        if (option->get_items_expected_max() > 0 && !option->get_positional())
            option->check([](const std::string& given) {
                return given.empty() ? std::string("needs a value, got an empty one") : std::string();
            });
    for (CLI::App* command : app.get_subcommands({})) refuseEmptyValues(*command); // groups of options, too
}

bool sharesRuns(const std::string& command) {
    return command == "compare" || command == "sweep" || command == "reproduce";
}

/// What follows --slurm or --slurm-script, which is not for this program; it is taken from `words`.
std::vector<std::string> takeSbatchOptions(std::vector<std::string>& words) {
    const auto slurm = std::ranges::find_if(
        words, [](const std::string& word) { return word == "--slurm" || word == "--slurm-script"; });
    if (words.empty() || !sharesRuns(words.front()) || slurm == words.end()) return {};
    std::vector<std::string> out(slurm + 1, words.end());
    words.erase(slurm + 1, words.end());
    return out;
}

/// Those that share the command: null without a launcher. nullopt: several were started of what each would do by itself.
std::optional<std::shared_ptr<trainyard::BatchProcesses>> processesOf([[maybe_unused]] const std::string& command) {
    const std::size_t launched = trainyard::cli::launchedProcesses();
#ifdef TRAINYARD_MPI
    if (launched > 1 && sharesRuns(command)) return std::make_shared<trainyard::cli::MpiProcesses>();
    const char* why =
        "compare, sweep and reproduce share their runs among processes; other commands are not for mpirun";
#else
    const char* why = "this program was built without MPI (TRAINYARD_MPI): each process would do the same";
#endif
    if (launched > 1) {
        trainyard::cli::say(why);
        return std::nullopt;
    }
    return std::shared_ptr<trainyard::BatchProcesses>();
}

} // namespace

int main(int argc, char** argv) {
    trainyard::guardStandardStreams();
    // A reader that goes away (| head) and a limit on file sizes are errors to report, not reasons to die in
    // mid-file.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    const trainyard::cli::EscapedStream output(std::cout), errors(std::cerr);
    CLI::App app{"Explore how clusters schedule distributed machine learning", "trainyard-cli"};
    app.set_version_flag("--version", "trainyard-cli (Trainyard) " TRAINYARD_VERSION);
    app.require_subcommand(1);
    app.failure_message(usageError);
    int status = 0;
    auto processes = processesOf(argc > 1 ? argv[1] : "");
    if (!processes) return trainyard::cli::exitBadInput;
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    trainyard::cli::KeepOptions started{.processes = *processes, .words = {}, .sbatch = takeSbatchOptions(words)};
    started.words = words;
    trainyard::cli::addCommands(app, status, started);
    refuseEmptyValues(app);
    if (argc > 1 && argv[1][0] != '-' && !trainyard::cli::isCommand(app, argv[1])) {
        std::cerr << trainyard::cli::unknownCommand(app, argv[1]);
        return 2;
    }
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ParseError& error) {
        status = app.exit(error) == 0 ? 0 : 2;
    } catch (const trainyard::ProcessesApart& apart) {
        status = trainyard::cli::refuse({apart.problem});
    } catch (const std::bad_alloc&) {
        trainyard::cli::say("no memory is left");
        status = trainyard::cli::exitFailed;
    }
    if (!std::cout.flush()) { // full, or closed by its reader
        trainyard::cli::say("standard output could not be written");
        if (status == 0) status = trainyard::cli::exitFailed;
    }
    if (*processes && !(*processes)->isFirst()) status = trainyard::cli::exitDone; // the first one's counts
    return status;
}
