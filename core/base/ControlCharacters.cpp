// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/ControlCharacters.h"

#include <cstdio>

namespace trainyard {

namespace {

struct Character {
    int code = -1; ///< of those that matter here; -1: another one
    std::size_t bytes = 1;
};

/// The first of the text, in UTF-8.
Character firstOf(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned a = byte(0), b = byte(1), c = byte(2);
    if (a < 0x20 || a == 0x7f) return {.code = static_cast<int>(a)};
    if (a == 0xc2 && b >= 0x80 && b < 0xa0) return {.code = static_cast<int>(b), .bytes = 2};
    if (a == 0xe2 && ((b == 0x80 && c >= 0xaa && c <= 0xae) || (b == 0x81 && c >= 0xa6 && c <= 0xa9)))
        return {.code = static_cast<int>(0x2000 + (b - 0x80) * 0x40 + (c - 0x80)), .bytes = 3};
    return {};
}

template <class Replace>
std::string replaced(std::string_view text, Replace&& replace) {
    std::string out;
    while (!text.empty()) {
        const Character first = firstOf(text);
        if (first.code < 0)
            out += text[0];
        else
            replace(out, first, text.substr(0, first.bytes));
        text.remove_prefix(first.bytes);
    }
    return out;
}

} // namespace

bool hasControls(std::string_view text) { return withoutControls(text) != text; }

std::string withoutControls(std::string_view text) {
    return replaced(text, [](std::string& out, Character c, std::string_view bytes) {
        out += c.code < 0x2000 ? std::string_view(" ") : bytes;
    });
}

std::string escapedControls(std::string_view text) {
    return replaced(text, [](std::string& out, Character c, std::string_view bytes) {
        char escape[16];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c.code));
        out += bytes == "\n" || bytes == "\t" ? bytes : std::string_view(escape);
    });
}

} // namespace trainyard
