// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/PictureParts.h"

#include "base/Format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

namespace picture_parts {

struct Unit {
    double least, seconds;
    const char* name;
};
constexpr std::array<Unit, 6> units{{{3600, 3600, " h"},
                                     {100, 60, " min"},
                                     {0.9995, 1, " s"},
                                     {0.9995e-3, 1e-3, " ms"},
                                     {0.9995e-6, 1e-6, " µs"},
                                     {0, 1e-9, " ns"}}};

/// "3.09×10³⁰¹" of "3.09e+301", as axes and tables have it.
std::string withPower(std::string number) {
    static constexpr std::array raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const std::size_t e = number.find('e');
    if (e == std::string::npos) return number;
    std::string power = number[e + 1] == '-' ? "⁻" : "";
    const std::size_t first = std::min(number.find_first_not_of("+-0", e + 1), number.size() - 1);
    for (std::size_t i = first; i < number.size(); ++i) power += raised[static_cast<std::size_t>(number[i] - '0')];
    return number.substr(0, e) + "×10" + power;
}

} // namespace picture_parts

std::string quantityText(const Quantity& q) {
    if (!std::isfinite(q.value)) return q.value > 0 ? "∞" : q.value < 0 ? "−∞" : "–";
    if (q.unit == "count") return std::to_string(std::llround(q.value));
    if (q.unit == "s") {
        if (q.value == 0) return "0 s";
        for (const auto& unit : picture_parts::units)
            if (std::abs(q.value) >= unit.least) return formatNumber(q.value / unit.seconds, q.digits) + unit.name;
    }
    // 5000, not 5e+03
    const bool whole = std::abs(q.value) >= 1000 && std::abs(q.value) < 1e6;
    const std::string number =
        whole ? std::to_string(std::llround(q.value)) : picture_parts::withPower(formatNumber(q.value, q.digits));
    return q.unit.empty() ? number : number + " " + q.unit;
}

std::string groupedText(double value, int digits) {
    if (!(std::abs(value) >= 999.5 && std::abs(value) < 1e15)) return formatNumber(value, digits);
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::abs(value))) + 1 - digits));
    std::string text = std::to_string(std::llround(std::round(value / unit) * unit));
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
        text.insert(static_cast<std::size_t>(at), 1, ',');
    return text;
}

std::string quantityText(double value, std::string unit, int digits) {
    return quantityText(Quantity{value, std::move(unit), digits});
}

} // namespace trainyard
