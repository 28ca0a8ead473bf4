// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Files that may be pipes: what comes through one can be read only once; here it lies in memory, as often as wanted. Used by every command
// that reads a file which somebody may pipe.
#include "base/Problem.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace trainyard::cli {

class PipedFile {
public:
    static constexpr std::uintmax_t scenarioBytes = std::uintmax_t{64} << 20;

    /// Reads all of a pipe, up to a little over `limit` bytes, beyond which its reader refuses it; of other files nothing. "-": standard
    /// input. A stop ends the waiting for a pipe into which nobody writes.
    explicit PipedFile(const std::string& file, std::uintmax_t limit = scenarioBytes, const std::stop_token& stop = {});
    ~PipedFile();
    PipedFile(const PipedFile&) = delete;
    PipedFile& operator=(const PipedFile&) = delete;

    const std::string& path() const { return m_path; } ///< to be read instead, as long as this lives
    bool stopped() const { return m_stopped; }         ///< before all of it was read
    Problems named(Problems problems) const;           ///< with the name that was given

private:
    bool copy(int from, std::uintmax_t limit, const std::stop_token& stop);

    std::string m_given, m_path;
    int m_copy = -1;
    bool m_stopped = false;
};

} // namespace trainyard::cli
