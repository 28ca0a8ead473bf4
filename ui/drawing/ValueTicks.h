// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where the labels of a value axis go: round values, as many as have room and never one alone, on linear and
// logarithmic axes. Used by lanes of views; ChartAxes writes its numbers by tickText().
#include <QString>

#include <vector>

namespace trainyard {

/// Round values in [low, high], increasing; `apart`: the least distance of two labels, as a share of the axis. At least
/// two, but where low == high.
std::vector<double> valueTicks(double low, double high, bool logarithmic, double apart);

/// With digits enough to tell neighbours at this distance apart; `step` 0: four digits.
QString tickText(double tick, double step);

} // namespace trainyard
