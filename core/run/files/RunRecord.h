// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A finished run on disk: a directory with scenario.json, record.json (seed, mode, version, digest, commands,
// metrics), events.bin and explanations.json. Given back to either program it reproduces its run; so does
// every file exported from it, because each carries the provenance (docs/format/records.md).
#include "run/RunSession.h"

#include <filesystem>

namespace trainyard {

/// What it takes to run a run again, and the digest it should then have.
struct RunProvenance {
    std::string scenarioText; ///< canonical JSON
    std::string scenarioName; ///< file name it came from
    std::uint64_t seed = 1;
    RunMode mode = RunMode::simulate;
    std::string version; ///< of Trainyard
    std::string digest;
    std::vector<Command> commands;
    std::string comparison; ///< JSON of the comparison that the file is of (run/ComparisonFile.h); empty: of one run
    bool complete = true;   ///< false: the run was stopped or failed; what is written of it is valid up to there
    std::string failure;    ///< why it is not complete
};

struct RunRecord : RunProvenance {
    Metrics metrics;
    std::shared_ptr<const ExplanationLog> explanations = std::make_shared<const ExplanationLog>();
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const EventLog> log;
    std::shared_ptr<const ClusterState> state; ///< after the last event
};

std::string_view modeName(RunMode mode);

/// The session must have ended (finished, failed or stopped) and have been prepared.
RunRecord recordOf(const RunSession& session, const std::string& scenarioName);
/// Writes the directory (made if needed); atomic per file.
Problems writeRecord(const RunRecord& record, const std::filesystem::path& directory);
/// Verifies that the log is whole, belongs to the scenario, and has the recorded digest.
Result<RunRecord> readRecord(const std::filesystem::path& directory);

/// One line of ASCII that ties an exported file to its run and carries all that is needed to run it again:
/// "trainyard scenario=… seed=… mode=… version=… digest=… run={…}"; of a run that is not complete with "complete=false" before "run=".
std::string provenanceText(const RunProvenance& provenance);
/// The same as comments of a table: above it the line up to "run=", and of a run that is not complete a line that says why; beneath it the
/// rest, in lines that begin with "#+", none of them long.
std::string provenanceAbove(const RunProvenance& provenance);
std::string provenanceBelow(const RunProvenance& provenance);
/// The same as a JSON object, on one line.
std::string provenanceJsonText(const RunProvenance& provenance);
/// "# text", without control characters: a comment of a table.
std::string commentLine(std::string text);

/// The provenance in a record directory, in its record.json, or in any exported file (CSV, JSON, NDJSON, SVG,
/// PDF, PNG: wherever the line of provenanceText() stands in it, XML-escaped or not). nullopt: an ordinary file,
/// to be read as a scenario.
Result<std::optional<RunProvenance>> readProvenance(const std::filesystem::path& path);

} // namespace trainyard
