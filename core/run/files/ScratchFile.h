// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a program puts aside because it does not fit into memory: a file without a name in the directory that its output will go to. It is
// gone with this object, and with the process. Used by importers of large files.
#include "base/Result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>

namespace trainyard {

class ScratchFile {
public:
    explicit ScratchFile(std::filesystem::path directory);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    template <class Record>
    void add(const Record& record) {
        static_assert(std::is_trivially_copyable_v<Record>);
        write(reinterpret_cast<const char*>(&record), sizeof record);
    }
    std::uint64_t bytes() const { return m_bytes; } ///< written so far
    /// Nothing, or why it could not be written or read ("cannot-write", the directory as file).
    Problems problems() const;
    bool failed() const { return m_error != 0; }

    /// Reads records in the order in which they were written. Several may read one file; all writing comes before.
    class Reader {
    public:
        explicit Reader(ScratchFile& file) : Reader(file, 0, file.m_bytes) {}
        Reader(ScratchFile& file, std::uint64_t from, std::uint64_t to); ///< of these bytes
        /// false: there are no more, or the file has failed.
        template <class Record>
        bool next(Record& record) {
            return read(reinterpret_cast<char*>(&record), sizeof record);
        }

    private:
        bool read(char* to, std::size_t size);
        bool fill();

        ScratchFile* m_file;
        std::uint64_t m_at, m_to;
        std::string m_block;
        std::size_t m_used = 0;
    };

private:
    void write(const char* bytes, std::size_t size);
    void flush();

    std::filesystem::path m_directory;
    std::string m_block;
    int m_file = -1, m_error = 0;
    std::uint64_t m_bytes = 0;
};

} // namespace trainyard
