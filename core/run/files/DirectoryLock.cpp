// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/DirectoryLock.h"

#include "run/files/AtomicFile.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace trainyard {

DirectoryLock::DirectoryLock(const std::filesystem::path& directory, Wait wait)
    : m_file(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)) {
    m_held = m_file >= 0 && flock(m_file, LOCK_EX | (wait == Wait::no ? LOCK_NB : 0)) == 0;
}

DirectoryLock::~DirectoryLock() {
    if (m_file >= 0) close(m_file);
}

Problems replaceFiles(const std::filesystem::path& directory,
                      const std::vector<std::pair<std::string, std::string>>& files) {
    const DirectoryLock lock(directory);
    Problems problems;
    for (const auto& [name, text] : files)
        for (Problem& problem : replaceFile(directory / name, text)) problems.push_back(std::move(problem));
    return problems;
}

} // namespace trainyard
