// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What makes scenarios of traces and profiles, and data for keyed models (learning/keyed/KeyedData.h), of files from elsewhere. A new
// importer is one file, one line of the list below and one test: `trainyard-cli import`, its help, its completion and the manual offer
// what is listed. Files of data may be larger than memory: their importers keep names in it, and put the rest aside in scratch files.
#include "learning/keyed/KeyedData.h"
#include "run/import/TraceImport.h"

#include <span>

// One line per importer, in the order in which they are offered, those of scenarios first; each is a function of that name in its own file.
#define TRAINYARD_IMPORTERS(IMPORTER)                                                                                  \
    IMPORTER(tiresiasImporter)                                                                                         \
    IMPORTER(phillyImporter)                                                                                           \
    IMPORTER(pipeDreamImporter)                                                                                        \
    IMPORTER(triplesImporter)                                                                                          \
    IMPORTER(wordNetImporter)                                                                                          \
    IMPORTER(textImporter)                                                                                             \
    IMPORTER(matrixMarketImporter)

namespace trainyard {

struct ImportRequest {
    std::filesystem::path file;    ///< plain or packed by gzip; may be a pipe
    std::string shown;             ///< its name in problems
    std::filesystem::path scratch; ///< a directory for what does not fit in memory
    std::uint64_t seed = 1;        ///< of the split into parts
    double testShare = 0.05;       ///< of what is put apart for tests, 0 … 0.4
    std::uint32_t least = 5;       ///< words met less often are left out
    std::uint32_t most = 0;        ///< words of the vocabulary at most, the most frequent; 0: no limit
    TraceOptions trace = {};       ///< of scenarios
};

struct ImportedData {
    KeyedHeader header;
    Text summary; ///< what there is, in one line
    /// The names and the body, in the order of the file. Problems: what was put aside cannot be read.
    std::function<Problems(KeyedDataWriter&)> write;
};

struct Importer {
    std::string name, what;            ///< `what`: of which files, and how much memory data take
    std::vector<std::string> required; ///< options of the command line without which it does nothing
    std::vector<std::string> options;  ///< others that it follows
    /// One of the two.
    Result<Scenario> (*scenario)(const ImportRequest& request) = nullptr;
    Result<ImportedData> (*read)(const ImportRequest& request) = nullptr;
};

/// A table of names of this many at most: beyond it, an import ends with "too-large".
constexpr std::uint32_t mostImportedNames = 100'000'000;
/// Problems of lines that are told before an import gives up.
constexpr std::size_t mostImportProblems = 20;

#define IMPORTER(name) Importer name();
TRAINYARD_IMPORTERS(IMPORTER)
#undef IMPORTER

/// Those of the list.
std::span<const Importer> importers();
/// nullptr: there is none of this name.
const Importer* findImporter(const std::string& name);

} // namespace trainyard
