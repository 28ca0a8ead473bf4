// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Reading a file at once: records, provenances, tables of separated values.
#include "base/Result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace trainyard {

/// The whole file; Problem "cannot-read": why not. At most `limit` bytes are accepted.
Result<std::string> readWholeFile(const std::filesystem::path& path, std::uintmax_t limit);

} // namespace trainyard
