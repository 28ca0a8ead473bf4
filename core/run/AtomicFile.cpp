// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/AtomicFile.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace trainyard {

namespace {

Problem fileProblem(const char* code, const char* text, const std::filesystem::path& path, const std::string& why) {
    return {.code = code, .message = {text, {why}}, .file = path.string()};
}

std::string errorText(int error) { return std::generic_category().message(error); }

/// Locks the open file if it is still the one of this name.
bool lockIfNamed(int file, const std::filesystem::path& name) {
    struct stat opened {
    }, named{};
    return flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &opened) == 0 && lstat(name.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/// Removes files PREFIX… whose rest `isOurs`, and which nobody writes: their processes are no more.
void removeAbandoned(const std::filesystem::path& directory, const std::string& prefix,
                     bool (*isOurs)(std::string_view rest)) {
    std::error_code error;
    std::vector<std::filesystem::path> left;
    for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with(prefix) && isOurs(std::string_view(name).substr(prefix.size())) &&
            it->symlink_status(error).type() == std::filesystem::file_type::regular)
            left.push_back(it->path());
    }
    for (const auto& path : left) {
        const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (file < 0) continue;
        if (lockIfNamed(file, path)) std::filesystem::remove(path, error);
        close(file);
    }
}

bool isProcess(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

constexpr std::string_view probeName = ".trainyard-probe-", partName = ".part-";

/// PID, or PID.part-PID while it is written.
bool isProbe(std::string_view text) {
    const auto at = text.find(partName);
    return isProcess(text.substr(0, at)) &&
           (at == std::string_view::npos || isProcess(text.substr(at + partName.size())));
}

} // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : m_target(std::move(target)) {
    m_temporary = m_target;
    m_temporary += std::string(partName) + std::to_string(getpid());
    open();
    if (m_file) std::setvbuf(m_file.get(), nullptr, _IOFBF, 1 << 18);
}

/// Another process may hold or remove it for a moment, as one that was left behind; where there are no locks, it is not locked.
void AtomicFile::open() {
    for (int attempt = 0; attempt < 10; ++attempt) {
        const int file = ::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (file < 0) {
            m_error = errno;
            return;
        }
        if (lockIfNamed(file, m_temporary) || attempt == 9) {
            m_file.reset(fdopen(file, "wb"));
            if (!m_file) m_error = errno;
            return;
        }
        close(file);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
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
    std::error_code error;
    if (m_error == 0) { // still open, and locked: else it would look abandoned
        std::filesystem::rename(m_temporary, m_target, error);
        if (!error) {
            m_file.reset();
            syncDirectory(m_target.has_parent_path() ? m_target.parent_path() : ".");
            return {};
        }
    }
    const std::string why = m_error != 0 ? errorText(m_error) : error.message();
    m_file.reset();
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
    const auto directory = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    removeAbandoned(directory, target.filename().string() + std::string(partName), isProcess);
    return writeFileAtomically(target, text);
}

Problems probeDirectory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
        return {fileProblem("cannot-make-directory", TRAINYARD_TEXT("the directory cannot be created: {0}"), directory,
                            error.message())};
    // A small file tells more than permission bits do: read-only file systems, quotas, a full disk.
    removeAbandoned(directory, std::string(probeName), isProbe);
    const auto probe = directory / (std::string(probeName) + std::to_string(getpid()));
    Problems problems = writeFileAtomically(probe, std::string(4096, ' '));
    std::filesystem::remove(probe, error);
    if (!problems.empty())
        return {fileProblem("cannot-write", TRAINYARD_TEXT("nothing can be written to this directory: {0}"), directory,
                            problems.front().message.arguments.front())};
    return {};
}

} // namespace trainyard
