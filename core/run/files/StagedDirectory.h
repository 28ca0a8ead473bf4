// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A directory whose files, and those of folders in it, change all together (docs/decisions/0010-files-of-others.md): new ones are staged
// in a directory of their own within it. Renaming the commit record there makes them current, and whoever comes next puts in place what is not in place yet.
// So whenever the program is killed, the directory has the files of one run.
#include "run/files/DirectoryLock.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// Names of files are NAME or FOLDER/NAME: this one is, and leads nowhere else.
bool isNameWithin(const std::string& name);
/// Of the regular files in the directory and in its folders, sorted; but for this program's own ones (ownPrefix).
Result<std::vector<std::string>> namesWithin(const std::filesystem::path& directory);

class StagedDirectory {
public:
    /// Makes `target` if needed, finishes commits there (finishCommits()), and stages in `target`/.trainyard-run-XXXXXX.
    explicit StagedDirectory(const std::filesystem::path& target);
    ~StagedDirectory(); ///< without commit(): the target is as it was
    StagedDirectory(const StagedDirectory&) = delete;
    StagedDirectory& operator=(const StagedDirectory&) = delete;

    /// Why there is nowhere to write to; empty: write to path().
    const Problems& problems() const { return m_problems; }
    const std::filesystem::path& path() const { return m_staging; }

    /// Puts all files in place, `last` at the end. What else the target holds stays, but for the files that `outdated` names, which is
    /// asked when no other process changes the target. Commits of several processes follow one another. Problems: nothing was changed, or
    /// it will be finished by whoever comes next.
    Problems commit(const std::string& last, const std::function<std::vector<std::string>()>& outdated);

private:
    std::filesystem::path m_target, m_staging; ///< absolute, links resolved
    std::optional<DirectoryLock> m_lock;       ///< of the staging directory, as long as it is in use
    bool m_committed = false;
    Problems m_problems;
};

/// Whoever reads or writes a directory of StagedDirectory calls this first: puts in place what killed processes had committed, and
/// removes what others had staged. Problems: a commit that cannot be finished, say without the right to write there.
Problems finishCommits(const std::filesystem::path& directory);

} // namespace trainyard
