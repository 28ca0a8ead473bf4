// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/data/TextBlocks.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>

namespace trainyard {

struct TextBlocks::Stream {
    explicit Stream(gzFile of) : file(of) {}
    ~Stream() { gzclose(file); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    gzFile file;
};

TextBlocks::TextBlocks(const std::filesystem::path& file, std::string shown) : m_shown(std::move(shown)) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) {
        fail("it is a directory");
        return;
    }
    errno = 0;
    const gzFile opened = gzopen(file.c_str(), "rbe");
    if (!opened) {
        fail(errno != 0 ? std::generic_category().message(errno) : "there is not enough memory");
        return;
    }
    m_stream = std::make_unique<Stream>(opened);
    gzbuffer(opened, blockBytes);
    m_block.resize(blockBytes);
}

TextBlocks::~TextBlocks() = default;

void TextBlocks::fail(const std::string& why) {
    m_problems.push_back(
        {.code = "cannot-read", .message = {TRAINYARD_TEXT("cannot be read: {0}"), {why}}, .file = m_shown});
    m_stream.reset();
}

std::string_view TextBlocks::next() {
    if (!m_stream) return {};
    errno = 0;
    const int got = gzread(m_stream->file, m_block.data(), static_cast<unsigned>(m_block.size()));
    const int reason = errno;
    int status = Z_OK;
    const std::string message = gzerror(m_stream->file, &status);
    // The end of packed data that lacks is told only when all before it was given.
    if (got > 0) return {m_block.data(), static_cast<std::size_t>(got)};
    if (status == Z_ERRNO)
        fail(std::generic_category().message(reason));
    else if (status == Z_BUF_ERROR)
        fail("the packed data end too early");
    else if (status != Z_OK)
        fail("the packed data are damaged (" + message + ")");
    return {};
}

std::optional<std::string_view> TextLines::next() {
    m_carried.clear();
    bool carries = false;
    if (!m_tooLong.empty()) return std::nullopt;
    for (;;) {
        if (m_rest.empty()) m_rest = m_blocks.next();
        if (m_rest.empty() && (!carries || !m_blocks.problems().empty())) return std::nullopt;
        const std::size_t end = m_rest.find('\n');
        const std::string_view part = m_rest.substr(0, end);
        if (m_carried.size() + part.size() > mostBytes) {
            ++m_line;
            m_tooLong.push_back(problemHere(
                "too-long", {TRAINYARD_TEXT("the line is longer than {0} bytes"), {std::to_string(mostBytes)}}));
            return std::nullopt;
        }
        const bool whole = end != m_rest.npos || m_rest.empty();
        std::string_view line = part;
        if (!whole || carries) {
            m_carried += part;
            line = m_carried;
        }
        carries = carries || !whole;
        m_rest.remove_prefix(std::min(part.size() + 1, m_rest.size()));
        if (!whole) continue;
        ++m_line;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (m_line == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
        return line;
    }
}

Problem TextLines::problemHere(const char* code, Text message) const {
    return {.code = code, .message = std::move(message), .file = m_blocks.shown(), .line = problemLine(m_line)};
}

int problemLine(std::uint64_t line) {
    return static_cast<int>(std::min<std::uint64_t>(line, std::numeric_limits<int>::max()));
}

} // namespace trainyard
