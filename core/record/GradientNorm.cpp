// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/GradientNorm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace trainyard {

namespace gradient_norm {
constexpr std::uint32_t spare = 15; // bits of a float's fraction that are rounded away
constexpr std::uint16_t unknown = 0, zero = 1, infinite = 0xff00;
} // namespace gradient_norm

using namespace gradient_norm;

std::uint16_t packGradientNorm(double norm) {
    if (!(norm >= 0)) return unknown;
    if (norm > static_cast<double>(std::numeric_limits<float>::max())) return infinite;
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(norm));
    const std::uint32_t rounded = (bits + (1u << (spare - 1)) - 1 + ((bits >> spare) & 1)) >> spare;
    return static_cast<std::uint16_t>(
        std::clamp(rounded, static_cast<std::uint32_t>(zero), static_cast<std::uint32_t>(infinite)));
}

double gradientNormOf(std::uint16_t packed) {
    if (packed == unknown) return std::numeric_limits<double>::quiet_NaN();
    if (packed == zero) return 0;
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(packed) << spare));
}

} // namespace trainyard
