// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A decimal number as written: digits × 10^exponent, without rounding. Files speak in people's units (Gbit/s,
// µs, s), the model in whole or binary ones (bytes/s, ns); a power of ten between them is then a shift of the
// exponent, so that what was written is read back to the same bytes and the other way round. Used by the
// scenario reader and writer only.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

struct Decimal {
    bool negative = false;
    std::string digits; ///< without zeros at either end; empty = 0
    int exponent = 0;

    /// A number in JSON's syntax; nothing else is accepted.
    static std::optional<Decimal> parse(std::string_view text);
    /// The shortest decimal that rounds to the double, which must be finite.
    static Decimal of(double value);
    static Decimal of(std::int64_t value);
    static Decimal of(std::uint64_t value);

    /// This × 10^power, exactly.
    Decimal shifted(int power) const;
    /// Nearest double; ±infinity beyond the greatest, 0 below the least.
    double toDouble() const;
    bool isWhole() const { return exponent >= 0; }
    /// Rounded to the nearest whole number (half away from zero); nothing if it does not fit.
    std::optional<std::int64_t> toInteger() const;
    /// The one canonical text: plain digits while they are short or no longer than the form with an exponent.
    std::string text() const;

    friend bool operator==(const Decimal&, const Decimal&) = default;

private:
    void trim();
};

} // namespace trainyard
