// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Names of files that a scenario, which may be a stranger's, may have read.
#include <algorithm>
#include <filesystem>
#include <string>

namespace trainyard {

/// Whether it names a file in the working directory or below, as far as the name says.
inline bool isLocalPath(const std::string& name) {
    const std::filesystem::path path(name);
    return !name.empty() && !path.is_absolute() && std::ranges::find(path, "..") == path.end();
}

} // namespace trainyard
