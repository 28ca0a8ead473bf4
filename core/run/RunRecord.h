#pragma once
// A finished run on disk: a directory with scenario.json, record.json (seed, mode, version, digest, commands, metrics),
// events.bin and explanations.json. Given back to either program it reproduces its run.
#include "run/RunSession.h"

#include <filesystem>

namespace trainyard {

struct RunRecord {
    std::string scenarioText;  ///< canonical JSON
    std::string scenarioName;  ///< file name it came from
    std::uint64_t seed = 1;
    RunMode mode = RunMode::simulate;
    std::string version;       ///< of Trainyard
    std::string digest;
    std::vector<Command> commands;
    Metrics metrics;
    std::vector<Explanation> explanations;
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const EventLog> log;
    bool complete = true;      ///< false: the run was stopped or failed; the log is valid up to there
    std::string failure;
};

RunRecord recordOf(const RunSession& session, const std::string& scenarioName);
/// Writes the directory (made if needed); atomic per file.
Problems writeRecord(const RunRecord& record, const std::filesystem::path& directory);
Result<RunRecord> readRecord(const std::filesystem::path& directory, const Registry& registry);

/// One line that ties an exported file to its run: "scenario=… seed=… mode=… version=… digest=…".
std::string provenance(const RunRecord& record);

} // namespace trainyard
