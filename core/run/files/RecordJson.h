// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How the parts of a run look as JSON: one place for records, exports and the command line. The shapes are
// part of the public interface (docs/format/records.md).
#include "run/files/RunRecord.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard {

/// All JSON that is read, but for scenarios, whose reader (scenario/JsonTree.h) has the same limit: throws a std::exception that says why
/// where the text is no JSON, or is nested so deeply that working with it would overflow the stack.
nlohmann::ordered_json readJson(std::string_view text);
/// A whole number up to `most`, of JSON that anybody may have written; throws std::out_of_range where it is none.
std::uint64_t wholeNumber(const nlohmann::ordered_json& json, std::uint64_t most = static_cast<std::uint64_t>(-1));
/// The same with a sign, of 64 bits.
std::int64_t signedNumber(const nlohmann::ordered_json& json);

/// {"scenario_name", "seed", "mode", "version", "digest", "commands", "scenario": {…}}; of a run that is not complete besides "complete": false and "failure"
nlohmann::ordered_json provenanceJson(const RunProvenance& provenance);
Result<RunProvenance> provenanceFrom(const nlohmann::ordered_json& json);
/// Of a record directory: record.json and scenario.json.
Result<RunProvenance> readRecordProvenance(const std::filesystem::path& directory);

/// {name: value} with only finite values.
nlohmann::ordered_json numbersJson(const std::map<std::string, double>& values);
std::map<std::string, double> numbersFrom(const nlohmann::ordered_json& json);
/// [{"id": key, "phase": …, metric: value, …}, …] by JobId.
nlohmann::ordered_json jobsJson(const RunRecord& record);

/// {"code", "severity": "error" | "warning" | "note", "text"} of a problem without a place, and back; what is missing is empty.
nlohmann::ordered_json problemJson(const Problem& problem);
Problem problemFrom(const nlohmann::ordered_json& json);

nlohmann::ordered_json explanationJson(const Explanation& explanation);
Explanation explanationFrom(const nlohmann::ordered_json& json); ///< throws nlohmann exceptions on another shape

} // namespace trainyard
