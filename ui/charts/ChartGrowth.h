// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How far a chart of a run that has gone on looks like the one before, so that only the rest is painted. Used by ChartLane.
#include "analysis/Chart.h"

namespace trainyard {

/// The seconds until which both look the same on a given time axis; infinity: wholly. Nothing: something else than the ends of lines
/// and steps differs, or an axis is not time.
std::optional<double> sameUntil(const std::vector<Plot>& before, const std::vector<Plot>& now);

} // namespace trainyard
