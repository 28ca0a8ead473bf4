// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A file of any size, plain or packed by gzip (also dictzip), in blocks or in lines: what importers read. A pipe is read as it comes.
#include "base/Result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

class TextBlocks {
public:
    static constexpr std::size_t blockBytes = std::size_t{1} << 18;

    /// `shown`: the file's name in problems.
    TextBlocks(const std::filesystem::path& file, std::string shown);
    ~TextBlocks();
    TextBlocks(const TextBlocks&) = delete;
    TextBlocks& operator=(const TextBlocks&) = delete;

    /// Valid until the next call; empty: that was all, or the file cannot be read.
    std::string_view next();
    /// "cannot-read", with the reason.
    const Problems& problems() const { return m_problems; }
    const std::string& shown() const { return m_shown; }

private:
    struct Stream;
    void fail(const std::string& why);

    std::unique_ptr<Stream> m_stream;
    std::string m_shown, m_block;
    Problems m_problems;
};

class TextLines {
public:
    static constexpr std::size_t mostBytes = std::size_t{1} << 20; ///< of a line

    TextLines(const std::filesystem::path& file, std::string shown) : m_blocks(file, std::move(shown)) {}
    /// The next line without its end (\n or \r\n), and without a byte-order mark; nullopt: there is none, or problems() has a reason, which
    /// may be "too-long". Valid until the next call.
    std::optional<std::string_view> next();
    std::uint64_t line() const { return m_line; } ///< of the last line given, from 1
    const Problems& problems() const { return m_tooLong.empty() ? m_blocks.problems() : m_tooLong; }
    /// At the last line.
    Problem problemHere(const char* code, Text message) const;

private:
    TextBlocks m_blocks;
    std::string_view m_rest;
    std::string m_carried; ///< of a line that spans blocks
    std::uint64_t m_line = 0;
    Problems m_tooLong;
};

/// A place in a problem: lines that no int can count are the greatest int.
int problemLine(std::uint64_t line);

} // namespace trainyard
