// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What `run` prints of a run for people: a sentence with the outcome, then the metrics that matter for its jobs, in groups, with
// names and units. All metrics are for --all and --json.
#include "run/files/RunRecord.h"

#include <string>

namespace trainyard::cli {

/// "2 of 3 jobs finished, 1 was rejected, within 12.1 s; a job took 8 s on average." Ends without a line break.
std::string outcomeSentence(const RunRecord& record);
/// The groups that have something to say, each with a heading and a line per metric: name, value with unit, id.
std::string metricGroups(const RunRecord& record);
/// What follows a job's phase: " after 8 s, 2 s of them in the queue, 40 updates, loss 0.1"; `job` counts from 0.
std::string jobLine(const RunRecord& record, std::size_t job);

} // namespace trainyard::cli
