// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "Progress.h"

#include "MpiProcesses.h"

#include "base/ControlCharacters.h"
#include "base/Format.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace trainyard::cli {

namespace {

std::string spokenSeconds(double seconds) {
    const auto whole = static_cast<long long>(seconds + 0.5);
    if (whole < 60) return std::to_string(whole) + " s";
    if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

/// Past std::cerr, which lets no control characters through.
void showOnTerminal(int terminal, const std::string& text) {
    const std::string line = "\r\033[K" + text;
    if (write(terminal, line.data(), line.size()) < 0) return; // nobody looks
}

/// mpirun reads standard error itself, perhaps at a terminal. −1: nobody looks.
int terminalOfErrors() {
    if (isatty(STDERR_FILENO)) return dup(STDERR_FILENO);
    return launchedProcesses() > 1 ? open("/dev/tty", O_WRONLY | O_CLOEXEC) : -1;
}

} // namespace

Progress::Progress() : m_terminal(terminalOfErrors()), m_start(std::chrono::steady_clock::now()), m_next(m_start) {}

Progress::~Progress() {
    if (m_written) showOnTerminal(m_terminal, {});
    if (m_terminal >= 0) close(m_terminal);
}

void Progress::show(double share, const std::string& detail) {
    const auto now = std::chrono::steady_clock::now();
    if (m_terminal < 0 || now < m_next) return;
    m_next = now + std::chrono::milliseconds(100);
    const double spent = std::chrono::duration<double>(now - m_start).count();
    std::string text = formatNumber(100 * share, 3) + " %";
    if (!detail.empty()) text += ", " + escapedControls(detail);
    if (share > 0.01 && share < 1 && spent > 1) text += ", " + spokenSeconds(spent * (1 - share) / share) + " left";
    showOnTerminal(m_terminal, text);
    m_written = true;
}

} // namespace trainyard::cli
