// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a run leaves for other programs, beside its record: metrics.json and .csv, events.csv and .ndjson,
// trace.json (opens in Perfetto and chrome://tracing), losses.csv. Each carries the provenance of its run.
// Formats: docs/format/records.md and events.md.
#include "run/files/RunRecord.h"

#include <filesystem>

namespace trainyard {

/// All of them, in the directory, which must exist; atomic per file. Goes on after a problem.
Problems exportAll(const RunRecord& record, const std::filesystem::path& directory);

Problems exportMetricsJson(const RunRecord& record, const std::filesystem::path& file);
Problems exportMetricsCsv(const RunRecord& record, const std::filesystem::path& file);
Problems exportLossesCsv(const RunRecord& record, const std::filesystem::path& file);
Problems exportEventsCsv(const RunRecord& record, const std::filesystem::path& file);
Problems exportEventsNdjson(const RunRecord& record, const std::filesystem::path& file);
Problems exportTrace(const RunRecord& record, const std::filesystem::path& file);

/// JSON Schema of a line of events.ndjson; docs/format/events.schema.json is this text.
std::string eventsSchema();
/// The fields of an event in events.csv, not quoted, and their names.
std::vector<std::string> eventCells(const Event& event, const Workload& workload);
const std::vector<std::string>& eventCellNames();

} // namespace trainyard
