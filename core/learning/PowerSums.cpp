// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/PowerSums.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

double powerSum(std::uint64_t first, std::uint64_t last, double exponent) {
    constexpr std::uint64_t oneByOne = 1000;
    double sum = 0;
    for (std::uint64_t r = first; r <= std::min(last, oneByOne); ++r)
        sum += std::pow(static_cast<double>(r), -exponent);
    if (last <= oneByOne || last < first) return sum;
    const auto a = static_cast<double>(std::max(first, oneByOne + 1)), b = static_cast<double>(last);
    const auto power = [exponent](double r) { return std::pow(r, -exponent); };
    const double integral =
        exponent == 1 ? std::log(b / a) : (std::pow(b, 1 - exponent) - std::pow(a, 1 - exponent)) / (1 - exponent);
    const double slopes = exponent * (power(a) / a - power(b) / b);
    return sum + integral + (power(a) + power(b)) / 2 + slopes / 12;
}

} // namespace trainyard
