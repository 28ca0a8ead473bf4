// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "CompletionTree.h"

#include "Common.h"
#include "policy/Registry.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace trainyard::cli {

namespace {

CompletedValue valueOf(const CLI::Option& option) {
    using Kind = CompletedValue::Kind;
    // "TEXT:{simulate,execute}" where the parser checks that a value is one of these.
    const std::string type = option.get_type_name();
    CompletedValue value{.name = type.substr(0, type.find(':'))};
    if (const auto open = type.find('{'), close = type.find('}'); open < close && close != std::string::npos) {
        value.kind = Kind::choices;
        value.words = splitList(type.substr(open + 1, close - open - 1));
    } else if (value.name == "FILE") {
        value.kind = Kind::files;
    } else if (value.name == "DIR") {
        value.kind = Kind::directories;
    } else if (value.name == "SCENARIO") {
        value.kind = Kind::scenarios;
    } else if (value.name == "METRIC" || value.name == "STUDY") {
        value.kind = value.name == "METRIC" ? Kind::listed : Kind::oneListed;
        value.words = {value.name == "METRIC" ? "metrics" : "studies"};
    } else if (value.name.starts_with("FAMILY=")) {
        value.kind = value.name.find("FAMILY", 1) == std::string::npos ? Kind::vary : Kind::arm;
        for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                                  PolicyFamily::partitioner})
            value.words.emplace_back(familyName(family));
    }
    return value;
}

void addOptions(const CLI::App& app, CompletedCommand& command) {
    for (const CLI::Option* option : app.get_options()) {
        const bool repeats = option->get_expected_max() > 1;
        if (!option->nonpositional()) {
            command.places.push_back({.value = valueOf(*option), .repeats = repeats});
            continue;
        }
        CompletedOption out{
            .help = option->get_description(), .takesValue = option->get_items_expected_max() > 0, .repeats = repeats};
        for (const auto& name : option->get_snames()) out.names.push_back("-" + name);
        for (const auto& name : option->get_lnames()) out.names.push_back("--" + name);
        if (out.takesValue) out.value = valueOf(*option);
        command.options.push_back(std::move(out));
    }
    for (const CLI::App* group :
         app.get_subcommands({})) // whose options belong to the command; each has another --help
        if (group->get_name().empty()) {
            const auto before = static_cast<std::ptrdiff_t>(command.options.size());
            addOptions(*group, command);
            command.options.erase(std::remove_if(command.options.begin() + before, command.options.end(),
                                                 [](const auto& o) { return o.names.back() == "--help"; }),
                                  command.options.end());
        }
}

} // namespace

std::vector<CompletedCommand> completionTree(const CLI::App& app) {
    std::vector<CompletedCommand> commands(1);
    addOptions(app, commands.front());
    for (const CLI::App* subcommand : app.get_subcommands({})) {
        CompletedCommand command{.name = subcommand->get_name(),
                                 .help = subcommand->get_description(),
                                 .hidden = subcommand->get_group().empty()};
        addOptions(*subcommand, command);
        commands.push_back(std::move(command));
    }
    return commands;
}

} // namespace trainyard::cli
