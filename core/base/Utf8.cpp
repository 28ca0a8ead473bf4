// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Utf8.h"

#include <cstdint>
#include <cstring>

namespace trainyard {

std::size_t utf8Length(std::string_view text) {
    if (text.empty()) return 0;
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

std::size_t firstInvalidUtf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        std::uint64_t eight = 0; // most text is ASCII: eight bytes at once
        if (at + 8 <= text.size()) {
            std::memcpy(&eight, text.data() + at, 8);
            if ((eight & 0x8080808080808080u) == 0) {
                at += 8;
                continue;
            }
        }
        const std::size_t length = utf8Length(text.substr(at));
        if (length == 0) return at;
        at += length;
    }
    return at;
}

} // namespace trainyard
