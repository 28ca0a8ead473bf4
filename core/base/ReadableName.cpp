// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/ReadableName.h"

#include "base/Utf8.h"

#include <string_view>

namespace trainyard {

std::string readableName(const std::string& fileName) {
    std::string out;
    for (std::size_t i = 0; i < fileName.size();) {
        if (const std::size_t length = utf8Length(std::string_view(fileName).substr(i)); length > 0) {
            out += fileName.substr(i, length);
            i += length;
            continue;
        }
        constexpr char digits[] = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(fileName[i++]);
        out += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    }
    return out;
}

} // namespace trainyard
