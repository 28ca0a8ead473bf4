// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A file that appears whole or not at all: text goes to a temporary file of the same directory that commit() renames over the
// target. Used for everything a run leaves on disk, so that a full disk or Ctrl-C never leaves half a file.
#include "base/Result.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace trainyard {

/// What names begin with that this program chooses for what is not to stay.
constexpr std::string_view ownPrefix = ".trainyard-";

class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile(); ///< without commit(): leaves nothing behind
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view text);
    /// Whether anything has gone wrong so far; commit() says what. Long writers look at it to stop early.
    bool failed() const { return m_error != 0; }
    /// Waits until what was written is on the disk; errno of the first failure, or 0.
    int toDisk();
    Problems commit();

private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::filesystem::path m_target, m_temporary;
    std::unique_ptr<std::FILE, Closer> m_file;
    bool m_named = false; ///< the temporary file has its name
    int m_error = 0;      ///< errno of the first failure
};

/// A name is on disk only when the directory that holds it is. Some file systems cannot; then there is nothing to do.
void syncDirectory(const std::filesystem::path& directory);

Problems writeFileAtomically(const std::filesystem::path& target, std::string_view text);
/// The same for a name that a person gave. A link stays one, and the file that it leads to is replaced; devices and pipes (/dev/stdout) are
/// not replaced but written to.
Problems replaceFile(const std::filesystem::path& target, std::string_view text);

/// What would keep a run's files from being written here: asks before the run starts. Makes the directory if needed.
Problems probeDirectory(const std::filesystem::path& directory);

} // namespace trainyard
