// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli reproduce STUDY: the claims of a published system, measured and judged.
#include "Commands.h"
#include "Common.h"
#include "Interrupt.h"
#include "Progress.h"
#include "SlurmSubmission.h"

#include "run/files/AtomicFile.h"
#include "scenario/Suggest.h"
#include "studies/ClaimsFile.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

namespace trainyard::cli {

namespace {

struct ReproduceOptions {
    KeepOptions keep;
    std::string study, part, out;
    std::map<std::string, std::string> given; ///< options and questions of studies, by name
    bool quick = false, json = false;
    int threads = 0;
};

void printReport(const StudyReport& report) {
    for (const Claim& claim : report.claims) {
        const std::string unit = claim.unit == "1" ? "" : " " + claim.unit;
        std::cout << (claim.holds       ? "holds         "
                      : claim.undecided ? "undecided     "
                                        : "DOES NOT HOLD ")
                  << claim.id << "\n  " << claim.claim << "\n  measured ";
        std::cout << (claim.measured ? tableNumber(*claim.measured) + unit : "nothing");
        if (claim.interval)
            std::cout << " [" << tableNumber(claim.interval->first) << ", " << tableNumber(claim.interval->second)
                      << "]";
        if (claim.n > 0) std::cout << ", n = " << claim.n;
        if (claim.expected) std::cout << "; expected " << tableNumber(*claim.expected) << unit;
        std::cout << "\n  " << claim.source << "\n";
        if (!claim.finding.empty()) std::cout << "  " << claim.finding << "\n";
    }
    const auto held =
        std::count_if(report.claims.begin(), report.claims.end(), [](const Claim& claim) { return claim.holds; });
    const auto undecided =
        std::count_if(report.claims.begin(), report.claims.end(), [](const Claim& claim) { return claim.undecided; });
    std::cout << held << " of " << report.claims.size() << " claims hold"
              << (undecided > 0 ? ", " + std::to_string(undecided) + " undecided" : std::string())
              << (report.stopped ? " so far: STOPPED BEFORE THE END" : "") << "\n";
}

template <class T>
std::string idsOf(const std::vector<T>& all) {
    std::string ids;
    for (const T& one : all) ids += (ids.empty() ? "" : ", ") + one.id;
    return ids;
}

/// A line for each instance of a list, or for each member of one object.
void printAnswer(const nlohmann::ordered_json& answer) {
    const auto text = [](const nlohmann::ordered_json& value) {
        return value.is_number()   ? tableNumber(value.get<double>())
               : value.is_string() ? value.get<std::string>()
                                   : value.dump();
    };
    if (answer.is_object())
        for (const auto& [key, value] : answer.items()) std::cout << key << "  " << text(value) << "\n";
    if (!answer.is_array()) return;
    for (const auto& instance : answer) {
        std::cout << "instance";
        for (const auto& [key, value] : instance.items())
            if (value.is_number()) std::cout << "  " << key << " " << text(value);
        std::cout << "\n";
    }
}

/// All of the answer with --json; with --out it is a file, too, named by the question.
int answerQuestion(const StudyQuestion& question, const StudyRequest& request, const ReproduceOptions& options,
                   const Interrupt& interrupt) {
    const auto answer = question.answer(request, options.given.at(question.name));
    if (!answer) return refuse(answer.problems());
    Problems unwritten;
    if (!options.out.empty())
        unwritten = replaceFile(std::filesystem::path(options.out) / (question.name + ".json"), *answer + "\n");
    printProblems(unwritten);
    if (options.json)
        std::cout << *answer << "\n";
    else
        printAnswer(nlohmann::ordered_json::parse(*answer));
    return interrupt.exitStatus(unwritten.empty() ? exitDone : exitFailed);
}

/// Options that the study does not have, that are not of what is asked, or that are no word of theirs.
Problems wrongOptions(const Study& study, const ReproduceOptions& options, const StudyQuestion* question) {
    Problems out;
    const auto wrong = [&](Text message) { out.push_back({.code = "bad-usage", .message = std::move(message)}); };
    for (const auto& [name, value] : options.given) {
        if (question && name == question->name) continue;
        const auto option = std::find_if(study.options.begin(), study.options.end(),
                                         [&](const StudyOption& o) { return o.name == name; });
        if (option == study.options.end())
            wrong({TRAINYARD_TEXT("study \"{0}\" has no option --{1}"), {study.id, name}});
        else if (option->question != (question ? question->name : ""))
            wrong(option->question.empty()
                      ? Text{TRAINYARD_TEXT("--{0} is of no use with --{1}"), {name, question->name}}
                      : Text{TRAINYARD_TEXT("--{0} is of use only with --{1}"), {name, option->question}});
        else if (!option->words.empty() &&
                 std::find(option->words.begin(), option->words.end(), value) == option->words.end())
            wrong({TRAINYARD_TEXT("--{0} is \"{1}\"; it must be one of: {2}"),
                   {name, value, joinWords(option->words, option->words.size())}});
    }
    return out;
}

int reproduceCommand(const ReproduceOptions& options) {
    const Interrupt interrupt;
    const auto& all = studies();
    const auto study = std::find_if(all.begin(), all.end(), [&](const Study& s) { return s.id == options.study; });
    if (study == all.end()) {
        return refuse({Problem{
            .code = "unknown-study",
            .message = {TRAINYARD_TEXT("there is no study \"{0}\"; known are {1}"), {options.study, idsOf(all)}}}});
    }
    const auto& parts = study->parts;
    const auto isAsked = [&](const StudyPart& p) { return p.id == options.part; };
    if (!options.part.empty() && std::none_of(parts.begin(), parts.end(), isAsked))
        return refuse({Problem{.code = "unknown-part",
                               .message = {TRAINYARD_TEXT("study \"{0}\" has no part \"{1}\"; it has {2}"),
                                           {study->id, options.part, idsOf(parts)}}}});
    const auto asked = std::find_if(study->questions.begin(), study->questions.end(),
                                    [&](const StudyQuestion& q) { return options.given.count(q.name) > 0; });
    const StudyQuestion* question = asked == study->questions.end() ? nullptr : &*asked;
    if (const Problems wrong = wrongOptions(*study, options, question); !wrong.empty()) return refuse(wrong);
    if (options.keep.usesSlurm()) return submitToSlurm(options.keep, {}, options.out);
    const auto shard = shardOf(options.keep.shard);
    if (!shard) return refuse(shard.problems());
    if (shard->of > 1 && options.out.empty())
        return refuse({Problem{
            .code = "bad-usage",
            .message = {TRAINYARD_TEXT("--shard needs --out DIR: what a shard of a study does is only kept"), {}}}});
    if (!options.out.empty())
        if (const Problems problems = probeDirectory(options.out); !problems.empty()) return refuse(problems);
    auto kept = keptResults(options.keep, options.out);
    if (!kept) return refuse(kept.problems());
    Progress progress;
    StudyRequest request{.registry = std::make_shared<const Registry>(Registry::builtin()),
                         .resources = resourcePaths(),
                         .scenarios = resourcePaths().root.parent_path() / "scenarios",
                         .out = options.out,
                         .quick = options.quick,
                         .threads = options.threads,
                         .options = options.given,
                         .shard = shard->index,
                         .shards = shard->of,
                         .processes = options.keep.processes,
                         .stop = interrupt.token()};
    if (question) return answerQuestion(*question, request, options, interrupt);
    request.kept = std::move(kept).value();
    request.progress = [&](std::size_t done, std::size_t runs) {
        progress.show(static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(runs, 1)),
                      std::to_string(done) + " of " + std::to_string(runs) + " runs");
    };
    const MeasuredStudy done = measured(*study, options.part, options.quick, study->run(request, options.part));
    const StudyReport& report = done.report;
    printProblems(report.problems);
    if (shard->of > 1) { // nothing is judged by some of the runs
        if (report.stopped) say("stopped");
        return report.stopped ? interrupt.exitStatus(exitFailed) : report.problems.empty() ? exitDone : exitFailed;
    }
    Problems unwritten;
    if (!options.out.empty()) unwritten = writeStudy(options.out, done);
    printProblems(unwritten);
    if (options.json)
        std::cout << claimsJson(done) << "\n";
    else
        printReport(report);
    if (report.stopped) say("stopped");
    if (report.stopped) return interrupt.exitStatus(exitFailed);
    return !report.problems.empty() || !unwritten.empty() ? exitFailed : exitDone;
}

/// Those of all studies; which study has which is checked when it is known.
void addStudyOptions(CLI::App& command, std::map<std::string, std::string>& given) {
    const auto add = [&](const std::string& name, const std::string& value, const std::string& help) {
        if (CLI::Option* known = command.get_option_no_throw("--" + name)) return known;
        return command
            .add_option_function<std::string>(
                "--" + name, [&given, name](const std::string& v) { given[name] = v; }, help)
            ->type_name(value);
    };
    for (const Study& study : studies()) {
        for (const StudyOption& o : study.options) add(o.name, o.value, o.help + " (study " + study.id + ")");
        for (const StudyQuestion& q : study.questions) {
            CLI::Option* question = add(q.name, q.value, q.help + " (study " + study.id + ")");
            for (const char* useless :
                 {"--part", "--quick", "--resume", "--shard", "--slurm", "--slurm-script", "--threads"})
                question->excludes(command.get_option(useless));
        }
    }
}

} // namespace

void addReproduce(CLI::App& app, int& status, const KeepOptions& started) {
    auto options = std::make_shared<ReproduceOptions>();
    options->keep = started;
    CLI::App* command = app.add_subcommand("reproduce", "Measure the claims of a published system and test them");
    command->add_option("STUDY", options->study, "One of: " + idsOf(studies()))->required()->type_name("STUDY");
    command->add_option("--part", options->part, "Only this part of the study");
    command->add_flag("--quick", options->quick, "Fewer seeds, wider confidence intervals");
    addOutOption(*command, options->out,
                 "Directory for claims.json and the measured numbers as CSV, or for the answer to a question");
    addKeepOptions(*command, options->keep);
    command->add_option("--threads", options->threads, "Runs in parallel; 0 = all cores but one")
        ->check(CLI::Range(0, 4096));
    command->add_flag("--json", options->json, "Print JSON");
    addStudyOptions(*command, options->given);
    command->callback([options, &status] {
        shareCommand(options->keep, options->out, options->threads);
        status = reproduceCommand(*options);
    });
}

} // namespace trainyard::cli
