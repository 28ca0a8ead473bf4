// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/WholeFile.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace trainyard {

Result<std::string> readWholeFile(const std::filesystem::path& path, std::uintmax_t limit) {
    const auto cannot = [&](const std::string& why) {
        return Problem{
            .code = "cannot-read", .message = {TRAINYARD_TEXT("cannot be read: {0}"), {why}}, .file = path.string()};
    };
    std::error_code error;
    if (std::filesystem::is_other(path, error))
        return cannot("it is a pipe or a device, not a file"); // it might be waited for
    const auto size = std::filesystem::file_size(path, error);
    if (error) return cannot(error.message());
    if (size > limit) return cannot("it is larger than " + std::to_string(limit) + " bytes");
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) return cannot(std::generic_category().message(errno));
    std::string text(size, '\0');
    const std::size_t got = std::fread(text.data(), 1, text.size(), file.get());
    if (std::ferror(file.get())) return cannot(std::generic_category().message(errno));
    text.resize(got);
    return text;
}

} // namespace trainyard
