// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "SaveRun.h"

#include "Common.h"
#include "RenderCharts.h"

#include "run/files/Export.h"
#include "run/files/RunFiles.h"
#include "run/files/StagedDirectory.h"

#include <algorithm>
#include <filesystem>

namespace trainyard::cli {

namespace {

namespace fs = std::filesystem;

/// Problems name the files of the directory, not those of its neighbour where they were written.
void printProblemsOf(Problems problems, const StagedDirectory& staged, const std::string& directory) {
    const std::string from = staged.path().string();
    for (Problem& problem : problems)
        if (!from.empty() && problem.file.starts_with(from)) problem.file.replace(0, from.size(), directory);
    printProblems(problems);
}

std::vector<std::string> filesOf(const Problems& problems) {
    std::vector<std::string> names;
    for (const Problem& problem : problems) names.push_back(fs::path(problem.file).filename().string());
    return names;
}

bool holdsRun(const std::string& directory) {
    std::error_code none;
    return fs::exists(fs::path(directory) / "record.json", none);
}

SavedRun saveRunTo(const RunRecord& record, const std::string& directory, SavedParts parts,
                   const std::stop_token& stop) {
    StagedDirectory staged(directory);
    const bool hasEarlier = holdsRun(directory);
    Problems problems = staged.problems();
    if (problems.empty()) problems = writeRecord(record, staged.path());
    if (!problems.empty()) {
        printProblemsOf(std::move(problems), staged, directory);
        return {};
    }
    if (parts.exports) problems = exportAll(record, staged.path());
    SavedRun saved{.directory = directory, .missing = filesOf(problems)};
    if (parts.charts && !stop.stop_requested())
        if (!problems.empty() || !renderCharts(staged.path().string(), directory, stop))
            saved.missing.push_back(missingCharts);
    for (Problem& problem : writeRunFiles(staged.path(), record.digest, saved.missing)) {
        saved.missing.push_back(runFilesName);
        problems.push_back(std::move(problem));
    }
    const bool isWanting =
        !problems.empty() || (!saved.missing.empty() && !stop.stop_requested()); // charts, but for a stop
    if (hasEarlier && isWanting) {
        printProblemsOf(std::move(problems), staged, directory);
        say("not all of this run could be written: " + readableName(directory) + " keeps the run that was there");
        return {};
    }
    for (Problem& problem : placeRunFiles(staged, directory)) {
        problems.push_back(std::move(problem));
        saved.directory.clear();
    }
    printProblemsOf(std::move(problems), staged, directory);
    return saved;
}

} // namespace

SavedRun saveRun(const RunRecord& record, const std::string& wanted, SavedParts parts, const std::stop_token& stop) {
    SavedRun saved = saveRunTo(record, wanted, parts, stop);
    if (!saved.directory.empty()) return saved;
    std::string pattern = (fs::temp_directory_path() / "trainyard-run-XXXXXX").string();
    if (!mkdtemp(pattern.data())) return {};
    saved = saveRunTo(record, pattern, parts, stop);
    if (saved.directory.empty()) {
        std::error_code ignored;
        fs::remove_all(pattern, ignored);
        say("the finished run could not be written anywhere");
        return {};
    }
    say("the finished run was written to " + pattern + " instead");
    saved.elsewhere = true;
    return saved;
}

} // namespace trainyard::cli
