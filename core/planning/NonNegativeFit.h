// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Least squares with coefficients that must not be negative, for small numbers of coefficients: fits of speeds and of losses.
#include <span>
#include <vector>

namespace trainyard {

/// The x ≥ 0 of the least ‖A x − b‖, by Lawson and Hanson's active set method (Solving Least Squares Problems, 1974, chapter 23).
/// `a`: row-major, b.size() rows of `columns` numbers, all finite. Columns that depend on others get 0. Exact but for rounding after at
/// most 3·columns exchanges, as a rule; it stops there.
std::vector<double> nonNegativeFit(std::span<const double> a, std::size_t columns, std::span<const double> b);

} // namespace trainyard
