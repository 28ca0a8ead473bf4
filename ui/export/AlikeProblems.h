// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Problems that many files of one export have for the same reason, such as a full disk: said once. Used by exports.
#include "base/Problem.h"

#include <filesystem>

namespace trainyard {

/// More than three alike become one of the directory, which counts them and names the first.
Problems bundled(const Problems& problems, const std::filesystem::path& directory);

} // namespace trainyard
