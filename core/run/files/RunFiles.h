// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which files belong to a run's record: files.json in its directory lists them with their sizes and checksums, so that files of another
// run, missing and damaged ones are found.
#include "run/files/StagedDirectory.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

struct RunFile {
    std::string name; ///< within the directory: NAME or FOLDER/NAME
    std::uintmax_t bytes = 0;
    std::uint32_t crc32 = 0;
    friend bool operator==(const RunFile&, const RunFile&) = default;
};

constexpr const char* runFilesName = "files.json";
constexpr const char* picturesFolder = "pictures"; ///< in the directory of a record: its charts
constexpr const char* missingCharts = "charts";    ///< among what is missing; the record is whole without them

/// What `run --out` writes beside charts, files.json included.
const std::vector<std::string>& runFileNames();

struct RunFileList {
    std::string digest; ///< of the run
    std::vector<RunFile> files;
    std::vector<std::string> missing; ///< what could not be written when the run ended
};

/// Lists all files in the directory and its folders, but files.json itself, there. `digest`: of the run. Nobody else may be writing there.
Problems writeRunFiles(const std::filesystem::path& directory, const std::string& digest,
                       const std::vector<std::string>& missing = {});

/// Files that were written into the directory later, by name, are of the record from now on, where it has a list; others that are being
/// listed are waited for. Problem "other-record": the list is of another run. Without names, only that is asked.
Problems listRunFiles(const std::filesystem::path& directory, const std::vector<std::string>& names,
                      const std::string& digest);

/// The list; empty where there is none. Problems: it cannot be read.
Result<RunFileList> readRunFiles(const std::filesystem::path& directory);

/// Puts a run's files in place; those of an earlier run go that are still as its list says.
Problems placeRunFiles(StagedDirectory& staged, const std::filesystem::path& directory);

/// Whether the record is whole (readRecord), nothing but charts was missing when it was written, and all listed files are there, unchanged, and of a
/// run of this digest. A file that is not listed is named in a warning. Reads everything.
Problems verifyRunDirectory(const std::filesystem::path& directory);

} // namespace trainyard
