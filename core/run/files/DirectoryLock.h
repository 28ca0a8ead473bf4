// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Processes that put files into the same directory do so one after another.
#include "base/Result.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// Held until it is destroyed, or the process ends; where there are no locks, or no directory, there is none.
class DirectoryLock {
public:
    enum class Wait { yes, no }; ///< for others that hold it
    explicit DirectoryLock(const std::filesystem::path& directory, Wait wait = Wait::yes);
    ~DirectoryLock();
    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;

    bool held() const { return m_held; }

private:
    int m_file = -1;
    bool m_held = false;
};

/// Replaces files (name, text) of one result, as replaceFile() does, so that none of another process's result comes between.
Problems replaceFiles(const std::filesystem::path& directory,
                      const std::vector<std::pair<std::string, std::string>>& files);

} // namespace trainyard
