// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The norm of a gradient in the 16 bits that an event has to spare: a positive number with 8 bits of exponent
// (bias 127) and 8 of fraction, so that it is true to 0.2 %. 0 means that no norm is known, 1 the norm 0.
#include <cstdint>

namespace trainyard {

/// NaN: not known. Too large for the format: its infinity.
std::uint16_t packGradientNorm(double norm);
/// NaN where no norm is known.
double gradientNormOf(std::uint16_t packed);

} // namespace trainyard
