// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The commands as shells complete them, read from the parser itself, so that no list of them is kept beside it. What a value is
// shows in its type: choices are those that the parser checks, FILE, DIR, SCENARIO, METRIC, STUDY and FAMILY=… say what to look up.
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace trainyard::cli {

struct CompletedValue {
    enum class Kind {
        free,
        files,
        directories,
        scenarios, ///< files, and those that are installed
        choices,
        oneListed, ///< one of what `list` says of words.front()
        listed,    ///< the same, several separated by commas
        vary,      ///< a family, then its policies
        arm        ///< families, each with one policy
    };
    Kind kind = Kind::free;
    std::vector<std::string> words; ///< of choices; what is listed; the families
    std::string name;               ///< as the help calls it
};

struct CompletedOption {
    std::vector<std::string> names; ///< "-o", "--output"
    std::string help;
    bool takesValue = false, repeats = false;
    CompletedValue value;
};

struct CompletedPlace {
    CompletedValue value;
    bool repeats = false;
};

struct CompletedCommand {
    std::string name, help;
    std::vector<CompletedOption> options;
    std::vector<CompletedPlace> places; ///< arguments that are no options, in order
    bool hidden = false;
};

/// The first is the program itself, without a name.
std::vector<CompletedCommand> completionTree(const CLI::App& app);

std::string bashCompletion(const std::vector<CompletedCommand>& commands);
std::string zshCompletion(const std::vector<CompletedCommand>& commands);
std::string fishCompletion(const std::vector<CompletedCommand>& commands);

} // namespace trainyard::cli
