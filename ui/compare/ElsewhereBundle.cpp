// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ElsewhereBundle.h"

#include "compare/KeptComparisons.h"
#include "run/compare/ComparedFiles.h"
#include "run/compare/ResultStore.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"

#include <QDir>

#include <filesystem>

namespace trainyard {

namespace elsewhere_bundle {

namespace fs = std::filesystem;

constexpr const char* comparisonFile = "comparison.csv";

std::string command(const ComparisonRequest& request) {
    std::string files;
    for (const std::string& file : filesOf(request))
        if (fs::path(file).is_absolute())
            files += "# The scenario reads this file, which must be there, too: " + file + "\n";
    return "#!/bin/sh\n"
           "# Runs what comparison.csv says with Trainyard " TRAINYARD_VERSION
           ", which must be that version; keeps results in results/,\n"
           "# and goes on with what is missing there.\n"
           "#   One machine:       sh run.sh\n"
           "#   Slurm:             sh run.sh --slurm --array=1-8 --time=60\n"
           "#   Other schedulers:  sh run.sh --slurm-script (docs/cluster.md says what to change in the scripts)\n"
           "#   MPI:               mpirun -n 4 sh run.sh\n"
           "# Then bring results/ back: Compare, Run Elsewhere, Open Results.\n" +
           files +
           "cd \"$(dirname \"$0\")\" || exit 1\n"
           "exec trainyard-cli compare comparison.csv --losses --resume --out results \"$@\"\n";
}

} // namespace elsewhere_bundle

using namespace elsewhere_bundle;

Problems writeBundle(const QString& folder, const ComparisonRequest& request, const QString& scenarioName) {
    if (!QDir().mkdir(folder))
        return {{.code = "cannot-write",
                 .message = {TRAINYARD_TEXT("{0} is there already, or cannot be made"), {folder.toStdString()}}}};
    const fs::path place = folder.toStdString();
    const std::string name = scenarioName.toStdString();
    const RunProvenance provenance = comparisonProvenance(request, name);
    Problems problems = replaceFile(place / name, writeScenario(*request.scenario));
    if (problems.empty())
        problems = replaceFile(place / comparisonFile, provenanceAbove(provenance) + provenanceBelow(provenance));
    if (problems.empty()) problems = replaceFile(place / "run.sh", command(request));
    for (const std::string& file : filesOf(request)) {
        if (fs::path(file).is_absolute()) continue;
        const fs::path to = place / file;
        std::error_code error;
        fs::create_directories(to.parent_path(), error);
        fs::copy(file, to, fs::copy_options::recursive, error);
        if (error)
            problems.push_back({.code = "cannot-write",
                                .message = {TRAINYARD_TEXT("{0} cannot be copied: {1}"), {file, error.message()}}});
    }
    return problems;
}

Result<ComparisonRequest> takeResults(const QString& directory, const QString& folder) {
    const fs::path from = directory.toStdString(), into = folder.toStdString();
    const auto none = [&] {
        return Problem{
            .code = "bad-results",
            .message = {TRAINYARD_TEXT("{0} has no results of a comparison: comparison.csv and results.db"), {from}}};
    };
    std::error_code error;
    const auto read = readProvenance(from / comparisonFile);
    if (!read || !*read || (*read)->comparison.empty()) return none();
    const RunProvenance& provenance = **read;
    if (provenance.version != TRAINYARD_VERSION)
        return Problem{.code = "bad-results",
                       .message = {TRAINYARD_TEXT("these results are of Trainyard {0}, and this is {1}: run it again"),
                                   {provenance.version, TRAINYARD_VERSION}}};
    auto request = requestOf({.name = {}, .made = {}, .provenance = provenance});
    if (!request) return request;
    if (!fs::exists(from / ResultStore::fileName, error)) return none();
    QDir().mkpath(folder);
    auto store = ResultStore::open(into / ResultStore::fileName);
    if (!store) return store.problems();
    if (const Problems problems = (*store)->merge(from / ResultStore::fileName); !problems.empty()) return problems;
    return request;
}

} // namespace trainyard
