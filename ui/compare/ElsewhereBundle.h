// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A comparison that is run on another machine or a cluster: a folder with all that this needs, and the way back of its results.
#include "run/compare/Comparison.h"

#include <QString>

namespace trainyard {

/// Writes the scenario, files that it names by relative paths, what is compared, and the command, run.sh, into a folder, which is made. Problems: it is there already, or cannot
/// be written.
Problems writeBundle(const QString& folder, const ComparisonRequest& request, const QString& scenarioName);
/// Takes the results in `directory`, written by `compare --out`, over into those kept in `folder`. Gives what was compared. Problems: there are
/// none, or they are of another version of the program, whose results are not taken for this one's.
Result<ComparisonRequest> takeResults(const QString& directory, const QString& folder);

} // namespace trainyard
