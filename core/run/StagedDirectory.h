// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A directory whose files change all together: they are written to a neighbour, which then takes its place in one step. Whenever the
// program is killed, and whoever else writes there, the directory has the files of one run.
#include "base/Result.h"

#include <filesystem>
#include <functional>
#include <string>

namespace trainyard {

class StagedDirectory {
public:
    /// Makes `target` if needed, and beside it `target`.part-PID; removes such neighbours of processes that are no more. Where the
    /// neighbour cannot be made (the parent is not ours), it lies within as .part-PID.
    explicit StagedDirectory(const std::filesystem::path& target);
    ~StagedDirectory(); ///< without commit(): the target is as it was
    StagedDirectory(const StagedDirectory&) = delete;
    StagedDirectory& operator=(const StagedDirectory&) = delete;

    /// Why there is nowhere to write to; empty: write to path().
    const Problems& problems() const { return m_problems; }
    const std::filesystem::path& path() const { return m_staging; }

    /// Puts everything in place. What else the target holds stays, but for names that are `outdated`: files of an earlier run. In one step
    /// (renameat2); one by one where the file system cannot do that, where the target holds directories, or where a process's working
    /// directory would be moved away: then `last` is removed first and put in place
    /// at the end. Commits of several processes follow one another. Problems name the files that could not be put in place.
    Problems commit(const std::string& last, const std::function<bool(const std::string&)>& outdated);

private:
    bool makeStaging(const std::filesystem::path& staging);
    bool exchange();
    Problems putInPlace(const std::string& last, const std::function<bool(const std::string&)>& outdated);
    Problems moveOneByOne(const std::string& last, const std::function<bool(const std::string&)>& outdated);

    std::filesystem::path m_target, m_staging; ///< absolute, links resolved
    int m_lock = -1;                           ///< of the staging directory, held as long as it is in use
    Problems m_problems;
};

} // namespace trainyard
