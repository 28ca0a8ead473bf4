// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "Progress.h"

#include "base/ControlCharacters.h"
#include "base/Format.h"

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
void showOnTerminal(const std::string& text) {
    const std::string line = "\r\033[K" + text;
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return; // nobody looks
}

} // namespace

Progress::Progress()
    : m_terminal(isatty(STDERR_FILENO) != 0), m_start(std::chrono::steady_clock::now()), m_next(m_start) {}

Progress::~Progress() {
    if (m_written) showOnTerminal({});
}

void Progress::show(double share, const std::string& detail) {
    const auto now = std::chrono::steady_clock::now();
    if (!m_terminal || now < m_next) return;
    m_next = now + std::chrono::milliseconds(100);
    const double spent = std::chrono::duration<double>(now - m_start).count();
    std::string text = formatNumber(100 * share, 3) + " %";
    if (!detail.empty()) text += ", " + escapedControls(detail);
    if (share > 0.01 && share < 1 && spent > 1) text += ", " + spokenSeconds(spent * (1 - share) / share) + " left";
    showOnTerminal(text);
    m_written = true;
}

} // namespace trainyard::cli
