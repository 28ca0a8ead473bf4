// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/DirectoryLock.h"

#include "run/AtomicFile.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trainyard {

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) {
    for (;;) {
        m_file = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (m_file < 0) return;
        struct stat opened {
        }, named{};
        if (flock(m_file, LOCK_EX) == 0 && fstat(m_file, &opened) == 0 && stat(directory.c_str(), &named) == 0 &&
            opened.st_ino == named.st_ino)
            return;
        close(m_file);
        m_file = -1;
        if (named.st_ino == 0) return; // otherwise another took its place meanwhile
    }
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
