// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Shell scripts that complete the words of trainyard-cli: what does not depend on the commands stands here as text. Ids are
// asked of the program when they are wanted, so that they are those of the version that runs.
#include "CompletionTree.h"

#include <string_view>

namespace trainyard::cli {

namespace {

using Kind = CompletedValue::Kind;
using Commands = std::vector<CompletedCommand>;

constexpr std::string_view heading =
    "# SPDX-FileCopyrightText: 2026 The Trainyard authors\n"
    "# SPDX-"
    "License-Identifier: GPL-3.0-or-later\n" // apart, lest it be read as this file's own
    "# Made by trainyard-cli completion; changes belong to the program.\n";

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

/// In single quotes, as bash and zsh read them.
std::string shellQuoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string fishQuoted(const std::string& text) {
    return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// --- bash

std::string bashAction(const CompletedValue& value) {
    switch (value.kind) {
    case Kind::free: return "";
    case Kind::files: return "kind=files ";
    case Kind::directories: return "kind=directories ";
    case Kind::scenarios: return "kind=scenarios ";
    case Kind::choices: return "kind=words values=" + shellQuoted(joined(value.words)) + " ";
    case Kind::oneListed: return "kind=words values=$(_trainyard_cli_ids " + value.words.front() + ") ";
    case Kind::listed: return "kind=listed values=" + value.words.front() + " ";
    case Kind::vary: return "kind=vary values=" + shellQuoted(joined(value.words)) + " ";
    case Kind::arm: return "kind=arm values=" + shellQuoted(joined(value.words)) + " ";
    }
    return "";
}

constexpr std::string_view bashBegin = R"sh(_trainyard_cli_ids()
{
    trainyard-cli list "$1" 2>/dev/null | grep -v '^ ' | cut -f 1
}

# Scenarios that are installed, by what follows scenarios/ in their names.
_trainyard_cli_installed()
{
    local file
    while read -r file; do
        [[ $file == */scenarios/"$1"* ]] && printf '%s\n' "$file"
    done < <(trainyard-cli list scenarios --json 2>/dev/null | sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p')
}

_trainyard_cli()
{
    local cur command option kind= values= word i place=0
    local -a words=()
    COMPREPLY=()
    # To bash, = ends a word; to the program it does not.
    for ((i = 0; i <= COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        if ((i > 1)) && [[ $word == = || ${COMP_WORDS[i - 1]} == = ]] &&
            [[ -n $word || ${COMP_LINE:0:COMP_POINT} != *' ' ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
    done
    cur=${words[${#words[@]} - 1]}
    command=${words[1]}
)sh";

constexpr std::string_view bashEnd = R"sh(    local before=${cur%"${cur##*[,=]}"}
    case $kind in
        files | scenarios)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            [[ $kind == scenarios && -n $cur && ${#COMPREPLY[@]} -eq 0 ]] &&
                mapfile -t COMPREPLY < <(_trainyard_cli_installed "$cur")
            ;;
        directories)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "$cur")
            ;;
        words) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur") ;;
        listed) mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_trainyard_cli_ids "$values")" -- "${cur##*[,=]}") ;;
        vary | arm)
            compopt -o nospace 2>/dev/null
            word=${cur%=*}
            if [[ $cur != *=* || ($kind == arm && ${cur##*=} == *,*) ]]; then
                mapfile -t COMPREPLY < <(compgen -P "$before" -S = -W "$values" -- "${cur##*[,=]}")
            else
                mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_trainyard_cli_ids "${word##*,}")" -- "${cur##*[,=]}")
            fi
            ;;
    esac
    # bash puts what it is given after the last =.
    [[ $COMP_WORDBREAKS == *=* ]] && COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*=}"}"}")
    return 0
} && complete -F _trainyard_cli trainyard-cli
)sh";

std::string optionNames(const CompletedCommand& command) {
    std::vector<std::string> names;
    for (const auto& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
    return joined(names);
}

// --- zsh

/// Before words for a function stands a space: _arguments would put words of its own between.
std::string zshAction(const CompletedValue& value) {
    switch (value.kind) {
    case Kind::free: return " ";
    case Kind::files: return "_files";
    case Kind::directories: return "_files -/";
    case Kind::scenarios: return "_trainyard_cli_scenarios";
    case Kind::choices: return "(" + joined(value.words) + ")";
    case Kind::oneListed: return " _trainyard_cli_listed -1 " + value.words.front();
    case Kind::listed: return " _trainyard_cli_listed " + value.words.front();
    case Kind::vary: return " _trainyard_cli_policies " + joined(value.words);
    case Kind::arm: return " _trainyard_cli_policies -1 " + joined(value.words);
    }
    return " ";
}

/// Between brackets of _arguments.
std::string zshHelp(const std::string& text) {
    return replaced(replaced(replaced(replaced(text, "\\", "\\\\"), "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zshArguments(const CompletedCommand& command) {
    std::string out;
    for (const auto& option : command.options)
        for (const auto& name : option.names) {
            const std::string exclusive = option.repeats            ? "*"
                                          : option.names.size() > 1 ? "(" + joined(option.names) + ")"
                                                                    : "";
            std::string spec = exclusive + name;
            if (option.takesValue) spec += name.starts_with("--") ? "=" : "+";
            spec += "[" + zshHelp(option.help) + "]";
            if (option.takesValue) spec += ":" + zshHelp(option.value.name) + ":" + zshAction(option.value);
            out += " \\\n                " + shellQuoted(spec);
        }
    for (std::size_t i = 0; i < command.places.size(); ++i) {
        const auto& place = command.places[i];
        const std::string at = place.repeats ? "*" : std::to_string(i + 1);
        out +=
            " \\\n                " + shellQuoted(at + ":" + zshHelp(place.value.name) + ":" + zshAction(place.value));
    }
    return out;
}

constexpr std::string_view zshBegin = R"sh(
# -1: one of them; -2: one, after which more may follow; else several, separated by commas.
_trainyard_cli_listed()
{
    local -a follows=(-S '')
    case $1 in
        -1) shift; follows=() ;;
        -2) shift ;;
        *) compset -P '*,' ;;
    esac
    local -a ids=(${(f)"$(_call_program ids trainyard-cli list $1 2>/dev/null | grep -v '^ ' | cut -f 1)"})
    compadd "${follows[@]}" -a ids
}

# A family, then its policies. -1: one of them; after the comma comes the next family.
_trainyard_cli_policies()
{
    local one=
    if [[ $1 == -1 ]]; then one=-2; shift; compset -P '*,'; fi
    if compset -P '*='; then
        _trainyard_cli_listed $one ${${IPREFIX%=}##*[,=]}
    else
        compadd -S = -- "$@"
    fi
}

# Files, and scenarios that are installed, by what follows scenarios/ in their names.
_trainyard_cli_scenarios()
{
    _files && return
    [[ -n $PREFIX ]] || return 1
    local -a found=(${(M)${(f)"$(_call_program files trainyard-cli list scenarios --json 2>/dev/null |
        sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p')"}:#*/scenarios/${PREFIX}*})
    compadd -U -a found
}

_trainyard_cli()
{
    local curcontext=$curcontext state line
    typeset -A opt_args
)sh";

// --- fish

std::string fishAction(const CompletedValue& value) {
    switch (value.kind) {
    case Kind::free: return "";
    case Kind::files: return " -F";
    case Kind::directories: return " -a '(__fish_complete_directories)'";
    case Kind::scenarios: return " -F -a '(__trainyard_cli_installed)'";
    case Kind::choices: return " -a " + fishQuoted(joined(value.words));
    case Kind::oneListed: return " -a '(__trainyard_cli_ids " + value.words.front() + ")'";
    case Kind::listed: return " -a '(__trainyard_cli_listed " + value.words.front() + ")'";
    case Kind::vary: return " -a '(__trainyard_cli_policies " + joined(value.words) + ")'";
    case Kind::arm: return " -a '(__trainyard_cli_arm " + joined(value.words) + ")'";
    }
    return "";
}

constexpr std::string_view fishBegin = R"sh(
function __trainyard_cli_ids
    trainyard-cli list $argv[1] 2>/dev/null | string match -r '^\S+\t[^\t]*'
end

function __trainyard_cli_listed
    set -l before (commandline -ct | string replace -r '[^,=]*$' '')
    for line in (__trainyard_cli_ids $argv[1])
        echo $before$line
    end
end

function __trainyard_cli_policies
    set -l word (commandline -ct)
    if string match -q -r '=[^=]*$' -- $word
        __trainyard_cli_listed (string replace -r '^.*?([^,=]*)=[^=]*$' '$1' -- $word)
    else
        printf '%s=\n' $argv
    end
end

# Families, each with one policy.
function __trainyard_cli_arm
    set -l word (commandline -ct)
    if string match -q -r '(^|,)[^,=]+=[^,=]*$' -- $word
        __trainyard_cli_listed (string replace -r '^(.*,)?([^,=]*)=[^,=]*$' '$2' -- $word)
    else
        set -l before (string replace -r '[^,]*$' '' -- $word)
        for family in $argv
            echo $before$family=
        end
    end
end

# Scenarios that are installed, by what follows scenarios/ in their names.
function __trainyard_cli_installed
    set -l word (commandline -ct)
    test -n "$word"; or return
    trainyard-cli list scenarios --json 2>/dev/null | string replace -rf '^ *"file": "(.*/scenarios/'(string escape --style=regex -- $word)'.*)",?$' '$1'
end

complete -c trainyard-cli -f
)sh";

} // namespace

std::string bashCompletion(const Commands& commands) {
    std::string names, withValues, options, values;
    for (const auto& command : commands) {
        if (command.name.empty()) continue;
        if (!command.hidden) names += command.name + " ";
        options += "        " + command.name + ") echo " + shellQuoted(optionNames(command)) + " ;;\n";
        for (const auto& option : command.options) {
            if (!option.takesValue) continue;
            std::string pattern;
            for (const auto& name : option.names)
                pattern += (pattern.empty() ? "" : " | ") + shellQuoted(command.name + " " + name);
            withValues += (withValues.empty() ? "" : " | \\\n            ") + pattern;
            if (option.value.kind == Kind::free) continue; // nothing to offer, as below
            values += "        " + pattern + ") " + bashAction(option.value) + ";;\n";
        }
        for (std::size_t i = 0; i < command.places.size(); ++i)
            values += "        " +
                      (command.places[i].repeats ? shellQuoted(command.name + " ") + "[0-9]*"
                                                 : shellQuoted(command.name + " " + std::to_string(i))) +
                      ") " + bashAction(command.places[i].value) + ";;\n";
    }
    return std::string(heading) + "_trainyard_cli_options()\n{\n    case $1 in\n" + options + "    esac\n}\n\n" +
           std::string(bashBegin) +
           "    if ((${#words[@]} <= 2)); then\n"
           "        mapfile -t COMPREPLY < <(compgen -W " +
           shellQuoted(names + optionNames(commands.front())) +
           " -- \"$cur\")\n        return\n    fi\n"
           "    # The option that the word is the value of, or its place among the arguments.\n"
           "    for ((i = 2; i < ${#words[@]} - 1; ++i)); do\n"
           "        case \"$command ${words[i]}\" in\n            " +
           withValues +
           ") ((++i)) ;;\n"
           "            *' -'?*) ;;\n"
           "            *) ((++place)) ;;\n"
           "        esac\n"
           "    done\n"
           "    if ((i == ${#words[@]})); then\n"
           "        option=${words[i - 2]}\n"
           "    elif [[ $cur == --*=* ]]; then\n"
           "        option=${cur%%=*} cur=${cur#*=}\n"
           "    elif [[ $cur == -?* ]]; then\n"
           "        option=options\n"
           "    else\n"
           "        option=$place\n"
           "    fi\n"
           "    case \"$command $option\" in\n" +
           values +
           "        *' '-*) ;;\n        *) kind=words values=$(_trainyard_cli_options \"$command\") ;;\n    esac\n" +
           std::string(bashEnd);
}

std::string zshCompletion(const Commands& commands) {
    std::string names, cases;
    for (const auto& command : commands) {
        if (command.name.empty()) continue;
        if (!command.hidden)
            names += "                " + shellQuoted(command.name + ":" + zshHelp(command.help)) + "\n";
        cases += "        " + command.name + ")\n            _arguments" + zshArguments(command) + "\n            ;;\n";
    }
    return "#compdef trainyard-cli\n" + std::string(heading) + std::string(zshBegin) + "    _arguments -C" +
           zshArguments(commands.front()) +
           " \\\n                '1:command:->commands' '*::argument:->arguments' && return\n"
           "    if [[ $state == commands ]]; then\n"
           "        local -a commands=(\n" +
           names +
           "        )\n        _describe command commands\n        return\n    fi\n"
           "    case $words[1] in\n" +
           cases + "    esac\n}\n\n_trainyard_cli \"$@\"\n";
}

std::string fishCompletion(const Commands& commands) {
    std::string out = std::string(heading) + std::string(fishBegin);
    for (const auto& command : commands) {
        const bool program = command.name.empty();
        const std::string complete =
            "complete -c trainyard-cli -n " +
            (program ? std::string("__fish_use_subcommand") : "'__fish_seen_subcommand_from " + command.name + "'");
        if (!program && !command.hidden)
            out += "complete -c trainyard-cli -n __fish_use_subcommand -a " + command.name + " -d " +
                   fishQuoted(command.help) + "\n";
        for (const auto& option : command.options) {
            out += complete;
            for (const auto& name : option.names)
                out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (option.takesValue) {
                const bool files = option.value.kind == Kind::files || option.value.kind == Kind::scenarios;
                out += (files ? " -r" : " -x") + fishAction(option.value);
            }
            out += " -d " + fishQuoted(option.help) + "\n";
        }
        for (const auto& place : command.places)
            if (place.value.kind != Kind::free) out += complete + fishAction(place.value) + "\n";
    }
    return out;
}

} // namespace trainyard::cli
