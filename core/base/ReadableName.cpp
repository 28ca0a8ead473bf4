// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/ReadableName.h"

#include <string_view>

namespace trainyard {

namespace {

/// Of the character that the text begins with, in bytes; 0: it is no UTF-8 (RFC 3629).
std::size_t utf8Length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(0), second = byte(1);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xc2 && first < 0xe0 ? 2
                               : (first & 0xf0) == 0xe0      ? 3
                               : (first & 0xf8) == 0xf0      ? 4
                                                             : 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool noCharacter = (first == 0xed && second >= 0xa0) || first > 0xf4 || (first == 0xf4 && second >= 0x90);
    return overlong || noCharacter ? 0 : length;
}

} // namespace

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
