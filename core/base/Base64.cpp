// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Base64.h"

namespace trainyard {

namespace {
constexpr std::string_view base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string toBase64(std::span<const std::uint8_t> bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = bytes.size() - i;
        const std::uint32_t three = static_cast<std::uint32_t>(bytes[i]) << 16 |
                                    (left > 1 ? static_cast<std::uint32_t>(bytes[i + 1]) << 8 : 0) |
                                    (left > 2 ? static_cast<std::uint32_t>(bytes[i + 2]) : 0);
        out += base64Digits[three >> 18];
        out += base64Digits[three >> 12 & 63];
        out += left > 1 ? base64Digits[three >> 6 & 63] : '=';
        out += left > 2 ? base64Digits[three & 63] : '=';
    }
    return out;
}

std::optional<std::vector<std::uint8_t>> fromBase64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::vector<std::uint8_t> out;
    out.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        const bool last = i + 4 == text.size();
        const std::size_t padding = !last ? 0 : text[i + 3] != '=' ? 0 : text[i + 2] != '=' ? 1 : 2;
        std::uint32_t four = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            const std::size_t digit = j < 4 - padding ? base64Digits.find(text[i + j]) : 0;
            if (digit == std::string_view::npos) return std::nullopt;
            four = four << 6 | static_cast<std::uint32_t>(digit);
        }
        if ((padding == 1 && (four & 0xff) != 0) || (padding == 2 && (four & 0xffff) != 0)) return std::nullopt;
        out.push_back(static_cast<std::uint8_t>(four >> 16));
        if (padding < 2) out.push_back(static_cast<std::uint8_t>(four >> 8));
        if (padding < 1) out.push_back(static_cast<std::uint8_t>(four));
    }
    return out;
}

} // namespace trainyard
