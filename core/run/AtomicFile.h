// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A file that appears whole or not at all: text goes to a temporary neighbour that commit() renames over the
// target. Used for everything a run leaves on disk, so that a full disk or Ctrl-C never leaves half a file.
#include "base/Result.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace trainyard {

class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile(); ///< without commit(): leaves nothing behind
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view text);
    /// Whether anything has gone wrong so far; commit() says what. Long writers look at it to stop early.
    bool failed() const { return m_error != 0; }
    Problems commit();

private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void open();

    std::filesystem::path m_target, m_temporary; ///< the second is locked while it is written
    std::unique_ptr<std::FILE, Closer> m_file;
    int m_error = 0; ///< errno of the first failure
};

/// A name is on disk only when the directory that holds it is. Some file systems cannot; then there is nothing to do.
void syncDirectory(const std::filesystem::path& directory);

Problems writeFileAtomically(const std::filesystem::path& target, std::string_view text);
/// The same, and removes what killed processes have left of writing this file. Looks through the directory: for single files. A link stays
/// one, and the file that it leads to is replaced; devices and pipes (/dev/stdout) are not replaced but written to.
Problems replaceFile(const std::filesystem::path& target, std::string_view text);

/// What would keep a run's files from being written here: asks before the run starts. Makes the directory if
/// needed, and removes what killed processes have left of asking.
Problems probeDirectory(const std::filesystem::path& directory);

} // namespace trainyard
