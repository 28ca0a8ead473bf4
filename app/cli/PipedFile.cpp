// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "PipedFile.h"

#include "scenario/JsonTree.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

namespace trainyard::cli {

static_assert(PipedFile::scenarioBytes == JsonLimits::bytes);

PipedFile::PipedFile(const std::string& file, std::uintmax_t limit, const std::stop_token& stop)
    : m_given(file), m_path(file == "-" ? "/dev/stdin" : file) {
    std::error_code error;
    const auto status = std::filesystem::status(m_path, error);
    if (error || std::filesystem::is_regular_file(status) || std::filesystem::is_directory(status)) return;
    // Without waiting for a writer; a socket as standard input has no name that can be opened.
    const int from =
        m_path == "/dev/stdin" ? dup(STDIN_FILENO) : open(m_path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (from < 0) return;
    m_copy = memfd_create("piped", MFD_CLOEXEC);
    if (m_copy >= 0 && copy(from, limit, stop)) m_path = "/proc/self/fd/" + std::to_string(m_copy);
    close(from);
}

bool PipedFile::copy(int from, std::uintmax_t limit, const std::stop_token& stop) {
    constexpr int look = 50; // milliseconds between looks at `stop`
    std::array<char, 1 << 16> block{};
    for (std::uintmax_t all = 0; all <= limit;) {
        if (stop.stop_requested()) {
            m_stopped = true;
            return false;
        }
        pollfd ready{from, POLLIN, 0};
        const int answer = poll(&ready, 1, look);
        if (answer == 0 || (answer < 0 && errno == EINTR)) continue;
        const ssize_t got = read(from, block.data(), block.size());
        if (got == 0) return true;
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got < 0 || write(m_copy, block.data(), static_cast<std::size_t>(got)) != got) return false;
        all += static_cast<std::uintmax_t>(got);
    }
    return true;
}

PipedFile::~PipedFile() {
    if (m_copy >= 0) close(m_copy);
}

Problems PipedFile::named(Problems problems) const {
    for (Problem& problem : problems)
        if (problem.file == m_path) {
            problem.file = m_given == "-" ? "standard input" : m_given;
            if (m_copy >= 0 && problem.code == "too-large") problem.message = tooLargeText({}); // as far as it was read
        }
    return problems;
}

} // namespace trainyard::cli
