// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/AtomicFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>

namespace trainyard {

namespace {

Problem fileProblem(const char* code, const char* text, const std::filesystem::path& path, const std::string& why) {
    return {.code = code, .message = {text, {why}}, .file = path.string()};
}

std::string errorText(int error) { return std::generic_category().message(error); }

std::filesystem::path directoryOf(const std::filesystem::path& file) {
    return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// A name that nobody can foresee.
std::string temporaryName() {
    std::random_device random;
    return std::string(ownPrefix) + "file-" + std::to_string(random()) + std::to_string(random());
}

} // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : m_target(std::move(target)) {
    const auto directory = directoryOf(m_target);
    m_temporary = directory / temporaryName();
    // Where the file system can do it, the file has no name until it is whole: the end of the process removes it.
    int file = open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    m_named = file < 0;
    if (m_named) file = open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0) m_file.reset(fdopen(file, "wb"));
    if (m_file)
        std::setvbuf(m_file.get(), nullptr, _IOFBF, 1 << 18);
    else
        m_error = errno;
}

AtomicFile::~AtomicFile() {
    if (m_file && m_named) unlink(m_temporary.c_str());
}

void AtomicFile::write(std::string_view text) {
    if (m_error != 0) return;
    if (std::fwrite(text.data(), 1, text.size(), m_file.get()) != text.size()) m_error = errno;
}

int AtomicFile::toDisk() {
    if (m_error == 0 && std::fflush(m_file.get()) != 0) m_error = errno;
    // Without this a crash of the machine could leave the new name with old or no content.
    if (m_error == 0 && fsync(fileno(m_file.get())) != 0 && errno != EINVAL) m_error = errno;
    return m_error;
}

Problems AtomicFile::commit() {
    if (toDisk() == 0 && !m_named) {
        const std::string nameless = "/proc/self/fd/" + std::to_string(fileno(m_file.get()));
        m_named = linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, m_temporary.c_str(), AT_SYMLINK_FOLLOW) == 0;
        if (!m_named) m_error = errno;
    }
    if (m_error == 0 && rename(m_temporary.c_str(), m_target.c_str()) != 0) m_error = errno;
    if (m_error != 0)
        return {fileProblem("cannot-write", TRAINYARD_TEXT("cannot be written: {0}"), m_target, errorText(m_error))};
    m_file.reset();
    syncDirectory(directoryOf(m_target));
    return {};
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

namespace {

/// Into what is there: a device, a pipe.
Problems writeInto(const std::filesystem::path& target, std::string_view text) {
    const int file = open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    int failure = file < 0 ? errno : 0;
    while (failure == 0 && !text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written >= 0)
            text.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            failure = errno;
    }
    if (file >= 0 && close(file) != 0 && failure == 0) failure = errno;
    if (failure == 0) return {};
    return {fileProblem("cannot-write", TRAINYARD_TEXT("cannot be written: {0}"), target, errorText(failure))};
}

} // namespace

Problems replaceFile(const std::filesystem::path& target, std::string_view text) {
    using Type = std::filesystem::file_type;
    std::error_code error;
    const Type type = std::filesystem::status(target, error).type();
    if (type == Type::character || type == Type::fifo || type == Type::socket) return writeInto(target, text);
    if (type == Type::regular && std::filesystem::is_symlink(target, error))
        if (const auto meant = std::filesystem::canonical(target, error); !error) return replaceFile(meant, text);
    return writeFileAtomically(target, text);
}

Problems probeDirectory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
        return {fileProblem("cannot-make-directory", TRAINYARD_TEXT("the directory cannot be created: {0}"), directory,
                            error.message())};
    // A small file tells more than permission bits do: read-only file systems, quotas, a full disk.
    AtomicFile probe(directory / "probe");
    probe.write(std::string(4096, ' '));
    if (const int why = probe.toDisk(); why != 0)
        return {fileProblem("cannot-write", TRAINYARD_TEXT("nothing can be written to this directory: {0}"), directory,
                            errorText(why))};
    return {};
}

} // namespace trainyard
