// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Format.h"

#include <array>
#include <charconv>

namespace trainyard {

std::string formatNumber(double value) {
    std::array<char, 32> buffer;
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

std::string formatNumber(double value, int digits) {
    std::array<char, 64> buffer;
    const auto result =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
    return {buffer.data(), result.ptr};
}

std::string shortCount(double count) {
    static constexpr std::array units{"", " k", " M", " G", " T"};
    std::size_t unit = 0;
    while (count >= 999.5 && unit + 1 < units.size()) {
        count /= 1000;
        ++unit;
    }
    std::array<char, 400> buffer;
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), count, std::chars_format::fixed,
                                      unit > 0 && count < 9.95 ? 1 : 0);
    return std::string(buffer.data(), result.ptr) + units[unit];
}

std::optional<double> parseNumber(std::string_view text) {
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

} // namespace trainyard
