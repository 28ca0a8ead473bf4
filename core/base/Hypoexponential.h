// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The sum of independent exponentials with arbitrary means, equal or not, without the alternating sums of the
// partial fractions (which lose all digits when two means are close). Used by base/Distribution only.
#include <span>

namespace trainyard {

/// P(X > x) for X = Σ Exp(mean means[i]); means > 0, at least one. Every term added is positive.
double hypoexponentialSurvival(std::span<const double> means, double x);

} // namespace trainyard
