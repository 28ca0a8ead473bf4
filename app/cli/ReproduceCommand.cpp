// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli reproduce STUDY: the claims of a published system, measured and judged.
#include "Commands.h"
#include "Common.h"
#include "Interrupt.h"
#include "Progress.h"

#include "run/files/AtomicFile.h"
#include "studies/ClaimsFile.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

struct ReproduceOptions {
    KeepOptions keep;
    std::string study, part, out, instances;
    bool quick = false, json = false;
    int threads = 0;
};

void printReport(const StudyReport& report) {
    for (const Claim& claim : report.claims) {
        std::cout << (claim.holds ? "holds         " : "DOES NOT HOLD ") << claim.id << "\n  " << claim.claim
                  << "\n  measured ";
        std::cout << (claim.measured ? tableNumber(*claim.measured) + " " + claim.unit : "nothing");
        if (claim.interval)
            std::cout << " [" << tableNumber(claim.interval->first) << ", " << tableNumber(claim.interval->second)
                      << "]";
        if (claim.n > 0) std::cout << ", n = " << claim.n;
        if (claim.expected) std::cout << "; expected " << tableNumber(*claim.expected) << " " << claim.unit;
        std::cout << "\n  " << claim.source << "\n";
        if (!claim.finding.empty()) std::cout << "  " << claim.finding << "\n";
    }
    const auto held =
        std::count_if(report.claims.begin(), report.claims.end(), [](const Claim& claim) { return claim.holds; });
    std::cout << held << " of " << report.claims.size() << " claims hold"
              << (report.stopped ? " so far: STOPPED BEFORE THE END" : "") << "\n";
}

template <class T>
std::string idsOf(const std::vector<T>& all) {
    std::string ids;
    for (const T& one : all) ids += (ids.empty() ? "" : ", ") + one.id;
    return ids;
}

/// The whole list with --json, else a line for each instance; with --out the list as a file, too.
int solveInstances(const Study& study, const ReproduceOptions& options, const Interrupt& interrupt) {
    if (!study.instances)
        return refuse({Problem{.code = "no-instances",
                               .message = {TRAINYARD_TEXT("study \"{0}\" reads no instances"), {study.id}}}});
    const auto solved = study.instances(options.instances, interrupt.token());
    if (!solved) return refuse(solved.problems());
    Problems unwritten;
    if (!options.out.empty())
        unwritten = replaceFile(std::filesystem::path(options.out) / "instances.json", *solved + "\n");
    printProblems(unwritten);
    const int status = interrupt.exitStatus(unwritten.empty() ? exitDone : exitFailed);
    if (options.json) {
        std::cout << *solved << "\n";
        return status;
    }
    for (const auto& instance : nlohmann::ordered_json::parse(*solved)) {
        std::cout << "instance";
        for (const auto& [key, value] : instance.items())
            if (value.is_number()) std::cout << "  " << key << " " << tableNumber(value.get<double>());
        std::cout << "\n";
    }
    return status;
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
    if (!options.out.empty())
        if (const Problems problems = probeDirectory(options.out); !problems.empty()) return refuse(problems);
    if (!options.instances.empty()) return solveInstances(*study, options, interrupt);
    auto kept = keptResults(options.keep, options.out);
    if (!kept) return refuse(kept.problems());
    Progress progress;
    StudyRequest request{.registry = std::make_shared<const Registry>(Registry::builtin()),
                         .resources = resourcePaths(),
                         .quick = options.quick,
                         .threads = options.threads,
                         .stop = interrupt.token()};
    request.kept = std::move(kept).value();
    request.scenarios = request.resources.root.parent_path() / "scenarios";
    request.progress = [&](std::size_t done, std::size_t runs) {
        progress.show(static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(runs, 1)),
                      std::to_string(done) + " of " + std::to_string(runs) + " runs");
    };
    const MeasuredStudy done = measured(*study, options.part, options.quick, study->run(request, options.part));
    const StudyReport& report = done.report;
    printProblems(report.problems);
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

} // namespace

void addReproduce(CLI::App& app, int& status) {
    auto options = std::make_shared<ReproduceOptions>();
    CLI::App* command = app.add_subcommand("reproduce", "Measure the claims of a published system and test them");
    command->add_option("STUDY", options->study, "One of: " + idsOf(studies()))->required()->type_name("STUDY");
    command->add_option("--part", options->part, "Only this part of the study");
    CLI::Option* instances =
        command->add_option("--instances", options->instances, "Solve the instances in this file instead (study pdors)")
            ->type_name("FILE");
    command->add_flag("--quick", options->quick, "Fewer seeds, wider confidence intervals");
    addOutOption(*command, options->out,
                 "Directory for claims.json and the measured numbers as CSV, or for instances.json");
    addKeepOptions(*command, options->keep, false);
    command->add_option("--threads", options->threads, "Runs in parallel; 0 = all cores but one")
        ->check(CLI::Range(0, 4096));
    command->add_flag("--json", options->json, "Print JSON");
    for (const char* useless : {"--part", "--quick", "--resume", "--threads"})
        instances->excludes(command->get_option(useless));
    command->callback([options, &status] { status = reproduceCommand(*options); });
}

} // namespace trainyard::cli
