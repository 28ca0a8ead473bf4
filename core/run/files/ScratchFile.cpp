// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/ScratchFile.h"

#include "run/files/AtomicFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace trainyard {

namespace {

constexpr std::size_t scratchBlock = std::size_t{1} << 18, scratchReadBlock = std::size_t{1} << 16;

} // namespace

ScratchFile::ScratchFile(std::filesystem::path directory) : m_directory(std::move(directory)) {
    if (m_directory.empty()) m_directory = ".";
    m_file = open(m_directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (m_file < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES) {
        // A file system without nameless files: it has a name for a moment.
        std::string name = (m_directory / (std::string(ownPrefix) + "file-XXXXXX")).string();
        m_file = mkostemp(name.data(), O_CLOEXEC);
        if (m_file >= 0) unlink(name.c_str());
    }
    if (m_file < 0) m_error = errno;
}

ScratchFile::~ScratchFile() {
    if (m_file >= 0) close(m_file);
}

Problems ScratchFile::problems() const {
    if (m_error == 0) return {};
    return {{.code = "cannot-write",
             .message = {TRAINYARD_TEXT("what does not fit in memory cannot be put aside in this directory: {0}"),
                         {std::generic_category().message(m_error)}},
             .file = m_directory.string()}};
}

void ScratchFile::write(const char* bytes, std::size_t size) {
    m_block.append(bytes, size);
    m_bytes += size;
    if (m_block.size() >= scratchBlock) flush();
}

void ScratchFile::flush() {
    for (std::string_view rest = m_block; !rest.empty() && m_error == 0;) {
        const ssize_t written = ::write(m_file, rest.data(), rest.size());
        if (written >= 0)
            rest.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            m_error = errno;
    }
    m_block.clear();
}

ScratchFile::Reader::Reader(ScratchFile& file, std::uint64_t from, std::uint64_t to)
    : m_file(&file), m_at(from), m_to(to) {
    file.flush();
}

bool ScratchFile::Reader::fill() {
    const std::uint64_t wanted = std::min<std::uint64_t>(scratchReadBlock, m_to - m_at);
    m_block.resize(wanted);
    m_used = 0;
    std::size_t got = 0;
    while (got < wanted && m_file->m_error == 0) {
        const ssize_t part = pread(m_file->m_file, m_block.data() + got, wanted - got, static_cast<off_t>(m_at + got));
        if (part > 0)
            got += static_cast<std::size_t>(part);
        else if (part == 0)
            m_file->m_error = EIO;
        else if (errno != EINTR)
            m_file->m_error = errno;
    }
    m_at += got;
    m_block.resize(got);
    return got > 0 && m_file->m_error == 0;
}

bool ScratchFile::Reader::read(char* to, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
        if (m_used == m_block.size() && !fill()) return false;
        const std::size_t part = std::min(size - done, m_block.size() - m_used);
        std::memcpy(to + done, m_block.data() + m_used, part);
        done += part;
        m_used += part;
    }
    return true;
}

} // namespace trainyard
