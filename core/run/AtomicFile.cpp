// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/AtomicFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace trainyard {

namespace {

Problem fileProblem(const char* code, const char* text, const std::filesystem::path& path, const std::string& why) {
    return {.code = code, .message = {text, {why}}, .file = path.string()};
}

std::string errorText(int error) { return std::generic_category().message(error); }

} // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : m_target(std::move(target)) {
    m_temporary = m_target;
    m_temporary += ".part-" + std::to_string(getpid());
    m_file.reset(std::fopen(m_temporary.c_str(), "wb"));
    if (!m_file)
        m_error = errno;
    else
        std::setvbuf(m_file.get(), nullptr, _IOFBF, 1 << 18);
}

AtomicFile::~AtomicFile() {
    if (!m_file) return;
    m_file.reset();
    std::error_code ignored;
    std::filesystem::remove(m_temporary, ignored);
}

void AtomicFile::write(std::string_view text) {
    if (m_error != 0) return;
    if (std::fwrite(text.data(), 1, text.size(), m_file.get()) != text.size()) m_error = errno;
}

Problems AtomicFile::commit() {
    if (m_error == 0 && std::fflush(m_file.get()) != 0) m_error = errno;
    // Without this a crash of the machine could leave the new name with old or no content.
    if (m_error == 0 && fsync(fileno(m_file.get())) != 0 && errno != EINVAL) m_error = errno;
    if (m_file) m_file.reset();
    std::error_code error;
    if (m_error == 0) {
        std::filesystem::rename(m_temporary, m_target, error);
        if (!error) {
            syncDirectory(m_target.has_parent_path() ? m_target.parent_path() : ".");
            return {};
        }
    }
    const std::string why = m_error != 0 ? errorText(m_error) : error.message();
    std::filesystem::remove(m_temporary, error);
    return {fileProblem("cannot-write", TRAINYARD_TEXT("cannot be written: {0}"), m_target, why)};
}

void syncDirectory(const std::filesystem::path& directory) {
    const int file = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

Problems writeFileAtomically(const std::filesystem::path& target, std::string_view text) {
    AtomicFile file(target);
    file.write(text);
    return file.commit();
}

Problems probeDirectory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
        return {fileProblem("cannot-make-directory", TRAINYARD_TEXT("the directory cannot be created: {0}"), directory,
                            error.message())};
    // A small file tells more than permission bits do: read-only file systems, quotas, a full disk.
    const auto probe = directory / (".trainyard-probe-" + std::to_string(getpid()));
    Problems problems = writeFileAtomically(probe, std::string(4096, ' '));
    std::filesystem::remove(probe, error);
    if (!problems.empty())
        return {fileProblem("cannot-write", TRAINYARD_TEXT("nothing can be written to this directory: {0}"), directory,
                            problems.front().message.arguments.front())};
    return {};
}

} // namespace trainyard
