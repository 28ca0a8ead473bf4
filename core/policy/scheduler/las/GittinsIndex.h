// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The Gittins index of a job whose size is only known by a distribution: how soon it may be expected to end for the service
// that is put into it. Used by schedulers that rank by it.
#include <span>

namespace trainyard {

/// G(a) = P(S ≤ a + Δ | S > a) / E[min(S − a, Δ) | S > a], with a the service that the job has attained, S drawn from `sizes`
/// (ascending, in the unit of a) and Δ > 0 the `window`; 0 where no size is above a. Gittins, Bandit processes and dynamic
/// allocation indices, 1979; with Δ as in Gu et al., NSDI 2019. `absolute`: with S instead of S − a in the denominator, as the
/// public simulator of the latter has it.
double gittinsIndex(std::span<const double> sizes, double attained, double window, bool absolute = false);

} // namespace trainyard
