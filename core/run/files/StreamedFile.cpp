// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/StreamedFile.h"

#include "run/files/AtomicFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace trainyard {

namespace streamed_file {

bool isWrittenInto(const std::filesystem::path& target) {
    using Type = std::filesystem::file_type;
    std::error_code error;
    const Type type = std::filesystem::status(target, error).type();
    return type == Type::character || type == Type::fifo || type == Type::socket;
}

/// The file that a link leads to.
std::filesystem::path meantFile(const std::filesystem::path& target) {
    std::error_code error;
    if (!std::filesystem::is_symlink(target, error)) return target;
    auto meant = std::filesystem::canonical(target, error);
    return error ? target : meant;
}

Problems cannotWrite(const std::string& shown, int error) {
    return {{.code = "cannot-write",
             .message = {TRAINYARD_TEXT("cannot be written: {0}"), {std::generic_category().message(error)}},
             .file = shown}};
}

} // namespace streamed_file

Problems streamDescriptor(int descriptor, const std::string& shown,
                          const std::function<Problems(const ByteSink& sink)>& write) {
    int failure = 0;
    const auto sink = [&](std::string_view bytes) {
        while (failure == 0 && !bytes.empty()) {
            const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
            if (written >= 0)
                bytes.remove_prefix(static_cast<std::size_t>(written));
            else if (errno != EINTR)
                failure = errno;
        }
    };
    if (Problems problems = write(sink); !problems.empty()) return problems;
    return failure == 0 ? Problems{} : streamed_file::cannotWrite(shown, failure);
}

Problems streamFile(const std::filesystem::path& target, const std::function<Problems(const ByteSink& sink)>& write) {
    if (streamed_file::isWrittenInto(target)) {
        const int file = open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (file < 0) return streamed_file::cannotWrite(target.string(), errno);
        Problems problems = streamDescriptor(file, target.string(), write);
        if (close(file) != 0 && problems.empty()) return streamed_file::cannotWrite(target.string(), errno);
        return problems;
    }
    AtomicFile file(streamed_file::meantFile(target));
    if (Problems problems = write([&](std::string_view bytes) { file.write(bytes); }); !problems.empty())
        return problems;
    return file.commit();
}

std::filesystem::path scratchDirectoryFor(const std::filesystem::path& target) {
    std::error_code error;
    if (target == "-" || streamed_file::isWrittenInto(target)) {
        auto directory = std::filesystem::temp_directory_path(error);
        return error ? std::filesystem::path(".") : directory;
    }
    const auto meant = streamed_file::meantFile(target);
    return meant.has_parent_path() ? meant.parent_path() : std::filesystem::path(".");
}

} // namespace trainyard
