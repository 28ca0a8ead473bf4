// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Sums of powers, for shares of a power law without a table of its ranks.
#include <cstdint>

namespace trainyard {

/// Σ r^−exponent of r = first … last, from 1; 0 where last < first. The first thousand terms one by one, the others by
/// Euler–Maclaurin up to the first derivative: relative error below 1e-10 for exponents up to 20.
double powerSum(std::uint64_t first, std::uint64_t last, double exponent);

} // namespace trainyard
