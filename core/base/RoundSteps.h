// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Round numbers, 1, 2 or 5 times a power of ten, and where the ticks of an axis lie: for every chart, lane and ruler.
#include <vector>

namespace trainyard {

/// The first round number at or above `least`; 0 unless that is positive and finite.
double roundStep(double least);
/// The round number nearest on a logarithmic scale; 0 unless the value is positive and finite.
double nearestRound(double value);

/// Multiples of the step in [low, high], increasing, the first thousand; none unless the step is positive.
std::vector<double> multiplesWithin(double low, double high, double step);
/// These digits times every `every`-th power of ten in [low, high], increasing; none unless both are positive and finite.
std::vector<double> powersWithin(double low, double high, const std::vector<double>& digits, int every = 1);

} // namespace trainyard
