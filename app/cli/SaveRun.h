// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where `run --out` writes: the record, its exports and charts, all at once.
#include "run/files/RunRecord.h"

#include <stop_token>
#include <string>
#include <vector>

namespace trainyard::cli {

struct SavedRun {
    std::string directory;            ///< empty: nowhere
    std::vector<std::string> missing; ///< files that could not be written, or "charts"
    bool elsewhere = false;           ///< not in the directory that was asked for
};

struct SavedParts {
    bool exports = true, charts = true; ///< beside the record
};

/// In place of an earlier run there, which stays where not all of this one can be written: then, and where the directory has become
/// unusable, into a temporary one. An interrupted run has no charts. Says on standard error what is missing.
SavedRun saveRun(const RunRecord& record, const std::string& wanted, SavedParts parts, const std::stop_token& stop);

} // namespace trainyard::cli
