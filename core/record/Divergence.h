// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// When a loss counts as diverged: one rule for the metric diverged_jobs and for what is said of a run.
#include <cmath>

namespace trainyard {

/// It rose by ten times its first value or more, or to no finite number.
inline bool hasRisenTooFar(double first, double last) { return last > first && !(last - first < 10 * std::abs(first)); }

} // namespace trainyard
