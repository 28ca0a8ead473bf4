// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One line on standard error that is rewritten in place, with the time left: only when a person is looking (a
// terminal).
#include <chrono>
#include <string>

namespace trainyard::cli {

class Progress {
public:
    Progress();
    ~Progress(); ///< erases the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// share: 0…1 of the work. At most ten times a second something is written.
    void show(double share, const std::string& detail);

private:
    int m_terminal; ///< file; −1: there is none
    bool m_written = false;
    std::chrono::steady_clock::time_point m_start, m_next;
};

} // namespace trainyard::cli
