// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Reads measured times from a CSV file, for `trainyard-cli fit`.
#include "base/Result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

/// One column of a file of comma, semicolon or tab separated values. Empty lines and lines that begin with #
/// are skipped; the first other line may name the columns. `column`: a name, or a number from 1; empty where
/// there is only one. Problems name file and line: unreadable, no such column, a line of another length, a
/// value that is no time above 0 (at most 20 of them).
Result<std::vector<double>> readMeasuredTimes(const std::filesystem::path& file, const std::string& column);

} // namespace trainyard
