// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/Decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace trainyard {

namespace {

constexpr int exponentLimit = 1'000'000; // far beyond any double; keeps sums of exponents from overflowing

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Appends digits while there are any; returns how many.
std::size_t takeDigits(std::string_view text, std::size_t& at, std::string& out) {
    const std::size_t begin = at;
    while (at < text.size() && isDigit(text[at])) out += text[at++];
    return at - begin;
}

int takeExponent(std::string_view text, std::size_t& at, bool& good) {
    ++at;
    bool minus = false;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) minus = text[at++] == '-';
    good = at < text.size() && isDigit(text[at]);
    int value = 0;
    for (; at < text.size() && isDigit(text[at]); ++at) value = std::min(value * 10 + (text[at] - '0'), exponentLimit);
    return minus ? -value : value;
}

template <class T>
std::string charsOf(T value) {
    std::array<char, 40> buffer;
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

} // namespace

std::optional<Decimal> Decimal::parse(std::string_view text) {
    Decimal out;
    std::size_t at = 0;
    if (at < text.size() && text[at] == '-') out.negative = ++at > 0;
    const std::size_t whole = at;
    if (takeDigits(text, at, out.digits) == 0) return std::nullopt;
    if (text[whole] == '0' && at - whole > 1) return std::nullopt;
    if (at < text.size() && text[at] == '.') {
        const auto fraction = takeDigits(text, ++at, out.digits);
        if (fraction == 0) return std::nullopt;
        out.exponent = -static_cast<int>(std::min<std::size_t>(fraction, std::numeric_limits<int>::max() / 2));
    }
    bool good = true;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) out.exponent += takeExponent(text, at, good);
    if (!good || at != text.size()) return std::nullopt;
    out.trim();
    return out;
}

void Decimal::trim() {
    const auto last = digits.find_last_not_of('0');
    if (last == std::string::npos) {
        *this = {};
        return;
    }
    exponent += static_cast<int>(digits.size() - last - 1);
    digits.resize(last + 1);
    digits.erase(0, digits.find_first_not_of('0'));
}

Decimal Decimal::of(double value) { return parse(charsOf(value)).value_or(Decimal{}); }
Decimal Decimal::of(std::int64_t value) { return parse(charsOf(value)).value_or(Decimal{}); }
Decimal Decimal::of(std::uint64_t value) { return parse(charsOf(value)).value_or(Decimal{}); }

Decimal Decimal::shifted(int power) const {
    Decimal out = *this;
    if (!digits.empty()) out.exponent += power;
    return out;
}

double Decimal::toDouble() const {
    if (digits.empty()) return 0;
    const std::string text = (negative ? "-" : "") + digits + "e" + charsOf(exponent);
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc{}) return value;
    const bool large = static_cast<long long>(digits.size()) + exponent > 0;
    const double magnitude = large ? std::numeric_limits<double>::infinity() : 0;
    return negative ? -magnitude : magnitude;
}

std::optional<std::int64_t> Decimal::toInteger() const {
    if (digits.empty()) return 0;
    const long long length = static_cast<long long>(digits.size()) + exponent; // digits before the point
    if (length < 0) return 0;
    if (length > 19) return std::nullopt;
    std::string whole = digits.substr(0, static_cast<std::size_t>(std::min<long long>(length, digits.size())));
    whole.append(static_cast<std::size_t>(length) - whole.size(), '0');
    std::uint64_t value = 0;
    std::from_chars(whole.data(), whole.data() + whole.size(), value);
    if (exponent < 0 && digits[static_cast<std::size_t>(length)] >= '5') ++value;
    constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value > limit) return std::nullopt;
    return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

std::string Decimal::text() const {
    if (digits.empty()) return "0";
    const int length = static_cast<int>(digits.size());
    const int point = length + exponent; // position of the decimal point relative to the first digit
    std::string scientific = digits.substr(0, 1);
    if (length > 1) scientific += "." + digits.substr(1);
    scientific += "e" + charsOf(point - 1);
    std::string plain;
    if (point > -8 && point < 24) {
        if (point <= 0)
            plain = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
        else if (point >= length)
            plain = digits + std::string(static_cast<std::size_t>(point - length), '0');
        else
            plain = digits.substr(0, static_cast<std::size_t>(point)) + "." +
                    digits.substr(static_cast<std::size_t>(point));
    }
    const bool usePlain = !plain.empty() && plain.size() <= std::max<std::size_t>(scientific.size(), 7);
    return (negative ? "-" : "") + (usePlain ? plain : scientific);
}

} // namespace trainyard
