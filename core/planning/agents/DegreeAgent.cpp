// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/agents/DegreeAgent.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

std::vector<double> lawQuantiles(const DiscreteLaw& law) {
    std::vector<double> out;
    for (int i = 1; i < 20; ++i) out.push_back(law.quantile(0.05 * i));
    return out;
}

const AgentMember* DegreeAgent::memberFor(GraphRules rules, const DiscreteLaw& law) const {
    const std::vector<double> wanted = lawQuantiles(law);
    const AgentMember* best = nullptr;
    double least = 0;
    for (const AgentMember& member : members) {
        if (member.rules != rules) continue;
        double distance = 0;
        for (std::size_t i = 0; i < std::min(wanted.size(), member.quantiles.size()); ++i)
            distance += std::abs(wanted[i] - member.quantiles[i]);
        if (best && distance >= least) continue;
        best = &member;
        least = distance;
    }
    return best;
}

// Exponent and fraction are found by arithmetic: 2^e · (1 + f / 1024), or f · 2^-24 below 2^-14. Halves go to even.
std::uint16_t toHalf(float number) {
    constexpr double largest = 65504;
    const std::uint16_t sign = std::signbit(number) ? 0x8000 : 0;
    const double size = std::min(std::abs(static_cast<double>(number)), largest);
    if (size == 0) return sign;
    int exponent = 0;
    std::frexp(size, &exponent); // size = m · 2^exponent, 0.5 ≤ m < 1
    const int scale = std::max(exponent - 1, -14);
    const auto units = static_cast<int>(std::nearbyint(std::ldexp(size, 10 - scale)));
    // A unit more than the fraction holds carries into the exponent.
    return static_cast<std::uint16_t>(sign + ((scale + 14) << 10) + units);
}

float fromHalf(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return static_cast<float>((bits & 0x8000) != 0 ? -size : size);
}

void roundToHalf(std::vector<float>& numbers) {
    for (float& number : numbers) number = fromHalf(toHalf(number));
}

} // namespace trainyard
