// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/StagedDirectory.h"

#include "base/WholeFile.h"
#include "run/files/AtomicFile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

namespace trainyard {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view stagingPrefix = ".trainyard-run-";
constexpr const char *ownerName = ".trainyard-owner", *commitName = ".trainyard-commit";

Problem directoryProblem(const char* code, const char* text, const fs::path& path, int error) {
    return {.code = code, .message = {text, {std::generic_category().message(error)}}, .file = path.string()};
}

Problem unfinished(const fs::path& path, int error) {
    return directoryProblem(
        "cannot-write", TRAINYARD_TEXT("a run that was saved here is not all in place, and cannot be put there: {0}"),
        path, error);
}

/// Which file this is, not which name: inode and time of birth, which can be neither copied nor foreseen; 0: there is none.
std::string fileIdentity(const fs::path& path) {
    struct statx status {};
    if (statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &status) != 0) return "0";
    const auto number = [](auto n) { return std::to_string(n); };
    return number(status.stx_ino) + "." + number(status.stx_btime.tv_sec) + "." + number(status.stx_btime.tv_nsec);
}

/// What the owner's file in a staging directory says.
std::string ownerText(const fs::path& staging) { return staging.filename().string() + " " + fileIdentity(staging); }

/// In the directory, those that this program has made and that say so.
std::vector<fs::path> stagingsIn(const fs::path& directory) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
        if (!it->path().filename().string().starts_with(stagingPrefix)) continue;
        if (!fs::is_directory(it->symlink_status(error))) continue;
        const auto owner = readWholeFile(it->path() / ownerName, 1000);
        if (owner && *owner == ownerText(it->path())) found.push_back(it->path());
    }
    return found;
}

/// What says whose it is goes last, so that a removal that is killed goes on.
void removeStaging(const fs::path& staging) {
    std::error_code error;
    std::vector<fs::path> within;
    for (fs::directory_iterator it(staging, error), end; !error && it != end; it.increment(error))
        if (it->path().filename() != ownerName) within.push_back(it->path());
    for (const fs::path& path : within) fs::remove_all(path, error);
    fs::remove(staging / ownerName, error);
    fs::remove(staging, error);
}

/// The folder of a file in the target, made if needed; its error: 0, or why there is none. A link would lead elsewhere.
int makeFolder(const fs::path& folder) {
    if (mkdir(folder.c_str(), 0777) == 0) return 0;
    const int error = errno;
    std::error_code none;
    if (error != EEXIST) return error;
    return fs::is_directory(fs::symlink_status(folder, none)) ? 0 : ENOTDIR;
}

/// Moves a staged file into place; its error, or 0. What is not staged any more is in place.
int putInPlace(const fs::path& staging, const fs::path& target, const fs::path& name) {
    if (name.has_parent_path())
        if (const int error = makeFolder(target / name.parent_path())) return error;
    return rename((staging / name).c_str(), (target / name).c_str()) == 0 || errno == ENOENT ? 0 : errno;
}

/// A commit record has an entry for each change, each ended by a zero byte: "+NAME" is a staged file that comes, "-IDENTITY NAME" a file of
/// the target that goes. All can be carried out again. A name that leads out of the two directories is nobody's that this program wrote:
/// nothing is done.
Problems rollForward(const fs::path& staging, const fs::path& target) {
    const auto record = readWholeFile(staging / commitName, std::uintmax_t{1} << 28);
    if (!record) return record.problems();
    std::vector<std::pair<std::string, std::string>> changes; // name, and the identity of a file that goes
    for (std::string_view rest = *record; !rest.empty(); rest.remove_prefix(rest.find('\0') + 1)) {
        const std::string entry(rest.substr(1, rest.find('\0') - 1));
        const auto space = rest[0] == '+' ? std::string::npos : entry.find(' ');
        changes.emplace_back(space == std::string::npos ? entry : entry.substr(space + 1),
                             space == std::string::npos ? std::string() : entry.substr(0, space));
        if (!isNameWithin(changes.back().first)) return {unfinished(staging / commitName, EINVAL)};
    }
    std::set<fs::path> folders;
    for (const auto& [name, identity] : changes) {
        const fs::path path = target / name;
        folders.insert(path.parent_path());
        if (identity.empty()) {
            if (const int error = putInPlace(staging, target, name)) return {unfinished(path, error)};
        } else if (fileIdentity(path) == identity) {
            unlink(path.c_str());
        }
    }
    for (const fs::path& folder : folders)
        if (folder != target && rmdir(folder.c_str()) != 0) syncDirectory(folder); // only an empty one can be removed
    syncDirectory(target);
    if (unlink((staging / commitName).c_str()) != 0) return {unfinished(target, errno)};
    removeStaging(staging);
    return {};
}

/// Of a directory that is locked.
Problems finishLocked(const fs::path& directory) {
    for (const fs::path& staging : stagingsIn(directory)) {
        std::error_code none;
        if (fs::exists(staging / commitName, none)) {
            if (Problems problems = rollForward(staging, directory); !problems.empty()) return problems;
        } else if (const DirectoryLock owner(staging, DirectoryLock::Wait::no); owner.held()) {
            removeStaging(staging);
        }
    }
    return {};
}

} // namespace

bool isNameWithin(const std::string& name) {
    const auto isPart = [](std::string_view part) {
        return !part.empty() && part != "." && part != ".." && part.find('/') == std::string_view::npos;
    };
    const auto slash = name.find('/');
    if (slash == std::string::npos) return isPart(name);
    return isPart(std::string_view(name).substr(0, slash)) && isPart(std::string_view(name).substr(slash + 1));
}

Result<std::vector<std::string>> namesWithin(const fs::path& directory) {
    std::vector<std::string> names;
    std::error_code error, none;
    const auto list = [&](const fs::path& folder, const std::string& prefix, const auto& takeFolder) {
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            const std::string name = it->path().filename().string();
            if (name.starts_with(ownPrefix)) continue;
            if (it->is_regular_file(none)) names.push_back(prefix + name);
            if (fs::is_directory(it->symlink_status(none))) takeFolder(it->path(), name);
        }
    };
    list(directory, {}, [&](const fs::path& folder, const std::string& name) {
        list(folder, name + "/", [](const fs::path&, const std::string&) {});
    });
    if (error) return directoryProblem("cannot-read", TRAINYARD_TEXT("cannot be read: {0}"), directory, error.value());
    std::ranges::sort(names);
    return names;
}

Problems finishCommits(const fs::path& directory) {
    if (stagingsIn(directory).empty()) return {};
    const DirectoryLock lock(directory);
    return finishLocked(directory);
}

StagedDirectory::StagedDirectory(const fs::path& target) {
    std::error_code error;
    fs::create_directories(target, error);
    if (!error) m_target = fs::canonical(target, error);
    if (error) {
        m_problems = {directoryProblem("cannot-make-directory", TRAINYARD_TEXT("the directory cannot be created: {0}"),
                                       target, error.value())};
        return;
    }
    if (m_problems = finishCommits(m_target); !m_problems.empty()) return;
    std::string name = (m_target / stagingPrefix).string() + "XXXXXX";
    if (!mkdtemp(name.data())) {
        m_problems = {directoryProblem("cannot-write", TRAINYARD_TEXT("nothing can be written to this directory: {0}"),
                                       target, errno)};
        return;
    }
    m_staging = name;
    fs::permissions(m_staging, fs::status(m_target, error).permissions(), error); // others may have to finish
    m_lock.emplace(m_staging, DirectoryLock::Wait::no);
    m_problems = writeFileAtomically(m_staging / ownerName, ownerText(m_staging));
}

StagedDirectory::~StagedDirectory() {
    if (!m_staging.empty() && !m_committed) removeStaging(m_staging);
}

Problems StagedDirectory::commit(const std::string& last, const std::function<std::vector<std::string>()>& outdated) {
    const DirectoryLock lock(m_target);
    if (Problems problems = finishLocked(m_target); !problems.empty())
        return problems; // before this one, in their order
    const auto staged = namesWithin(m_staging);
    if (!staged) return staged.problems();
    std::string record, lastEntry;
    for (const std::string& name : *staged) {
        const fs::path folder = fs::path(name).parent_path();
        std::error_code none;
        const int error = fs::is_directory(fs::symlink_status(m_target / name, none)) ? EISDIR
                          : folder.empty()                                            ? 0
                                                                                      : makeFolder(m_target / folder);
        if (error)
            return {directoryProblem("cannot-write", TRAINYARD_TEXT("cannot be written: {0}"), m_target / name, error)};
        (name == last ? lastEntry : record) += "+" + name + '\0';
    }
    for (const std::string& name : outdated()) {
        const fs::path path = m_target / name;
        std::error_code none; // a folder that is a link leads elsewhere
        if (isNameWithin(name) && fs::is_directory(fs::symlink_status(path.parent_path(), none)) &&
            !std::ranges::binary_search(*staged, name))
            record += "-" + fileIdentity(path) + " " + name + '\0';
    }
    syncDirectory(m_target);
    if (Problems problems = writeFileAtomically(m_staging / commitName, record + lastEntry); !problems.empty())
        return problems;
    m_committed = true;
    return rollForward(m_staging, m_target);
}

} // namespace trainyard
