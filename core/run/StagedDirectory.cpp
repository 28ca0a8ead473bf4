// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/StagedDirectory.h"

#include "run/AtomicFile.h"
#include "run/DirectoryLock.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard {

namespace fs = std::filesystem;

namespace {

Problem directoryProblem(const char* code, const char* text, const fs::path& path, const std::string& why) {
    return {.code = code, .message = {text, {why}}, .file = path.string()};
}

/// A lock on the directory, which goes with the process; −1: somebody else has it, or it is gone.
int lockDirectory(const fs::path& directory) {
    const int file = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return -1;
    struct stat opened {
    }, named{};
    const bool ours = flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &opened) == 0 &&
                      stat(directory.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
    if (ours) return file;
    close(file);
    return -1;
}

/// Removes staging directories whose processes are no more.
void sweep(const fs::path& parent, const std::string& prefix) {
    std::error_code error;
    std::vector<fs::path> left;
    for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error))
        if (it->path().filename().string().starts_with(prefix) &&
            it->symlink_status(error).type() == fs::file_type::directory)
            left.push_back(it->path());
    for (const fs::path& path : left)
        if (const int lock = lockDirectory(path); lock >= 0) {
            fs::remove_all(path, error);
            close(lock);
        }
}

bool isWithin(const fs::path& path, const fs::path& directory) {
    const auto [end, rest] = std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
    return end == directory.end();
}

} // namespace

StagedDirectory::StagedDirectory(const fs::path& target) {
    std::error_code error;
    fs::create_directories(target, error);
    if (!error) m_target = fs::canonical(target, error);
    if (error) {
        m_problems = {directoryProblem("cannot-make-directory", TRAINYARD_TEXT("the directory cannot be created: {0}"),
                                       target, error.message())};
        return;
    }
    const std::string part = ".part-", name = m_target.filename().string() + part;
    sweep(m_target.parent_path(), name);
    sweep(m_target, part);
    const std::string own = std::to_string(getpid());
    if (!makeStaging(m_target.parent_path() / (name + own)) && !makeStaging(m_target / (part + own)))
        m_problems = {directoryProblem("cannot-write", TRAINYARD_TEXT("nothing can be written to this directory: {0}"),
                                       target, std::generic_category().message(errno))};
}

StagedDirectory::~StagedDirectory() {
    std::error_code ignored;
    if (!m_staging.empty()) fs::remove_all(m_staging, ignored);
    if (m_lock >= 0) close(m_lock);
}

bool StagedDirectory::makeStaging(const fs::path& staging) {
    struct stat status {};
    if (stat(m_target.c_str(), &status) != 0) return false;
    for (int attempt = 0; attempt < 10; ++attempt) { // another process may take it for one that was left behind
        if (mkdir(staging.c_str(), 0700) != 0 && errno != EEXIST) return false;
        m_lock = lockDirectory(staging);
        if (m_lock < 0) continue;
        chmod(staging.c_str(), status.st_mode & 07777);
        m_staging = staging;
        return true;
    }
    return false;
}

bool StagedDirectory::exchange() {
    if (m_staging.parent_path() == m_target) return false;
    std::error_code error;
    const fs::path here = fs::current_path(error);
    if (error || isWithin(here, m_target)) return false;
    return renameat2(AT_FDCWD, m_staging.c_str(), AT_FDCWD, m_target.c_str(), RENAME_EXCHANGE) == 0;
}

Problems StagedDirectory::moveOneByOne(const std::string& last,
                                       const std::function<bool(const std::string&)>& outdated) {
    std::error_code error;
    std::vector<fs::path> old;
    fs::remove(m_target / last, error);
    for (fs::directory_iterator it(m_target, error), end; !error && it != end; it.increment(error))
        if (outdated(it->path().filename().string()) && !it->is_directory(error)) old.push_back(it->path());
    for (const fs::path& path : old) fs::remove(path, error);
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(m_staging, error)) files.push_back(entry.path().filename());
    std::sort(files.begin(), files.end(),
              [&](const fs::path& a, const fs::path& b) { return std::pair(a == last, a) < std::pair(b == last, b); });
    Problems problems;
    for (const fs::path& file : files) {
        fs::rename(m_staging / file, m_target / file, error);
        if (error)
            problems.push_back(directoryProblem("cannot-write", TRAINYARD_TEXT("cannot be written: {0}"),
                                                m_target / file, error.message()));
    }
    syncDirectory(m_target);
    return problems;
}

Problems StagedDirectory::commit(const std::string& last, const std::function<bool(const std::string&)>& outdated) {
    const DirectoryLock lock(m_target);
    return putInPlace(last, outdated);
}

Problems StagedDirectory::putInPlace(const std::string& last, const std::function<bool(const std::string&)>& outdated) {
    std::error_code error;
    bool asOne = true;
    std::vector<fs::path> linked;
    for (fs::directory_iterator it(m_target, error), end; !error && it != end && asOne; it.increment(error)) {
        const fs::path name = it->path().filename();
        if (it->symlink_status(error).type() == fs::file_type::directory) asOne = it->path() == m_staging;
        if (!asOne || it->path() == m_staging) continue;
        if (fs::exists(m_staging / name, error) || outdated(name.string())) continue;
        asOne = linkat(AT_FDCWD, it->path().c_str(), AT_FDCWD, (m_staging / name).c_str(), 0) == 0;
        if (asOne) linked.push_back(m_staging / name);
    }
    syncDirectory(m_staging);
    if (asOne && exchange()) {
        syncDirectory(m_target.parent_path());
        close(m_lock); // what it locks is the target now
        m_lock = -1;
        return {};
    }
    for (const fs::path& link : linked) fs::remove(link, error); // they are in the target anyway
    return moveOneByOne(last, outdated);
}

} // namespace trainyard
