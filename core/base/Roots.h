// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where a function of one variable is zero or least: quantiles of laws, fits that are linear once one parameter is given. A seam to
// Boost.Math, whose own behaviour without a change of sign or with NaN is to throw, or to return anything.
#include <functional>

namespace trainyard {

/// x in [low, high], both finite, where f changes its sign, to 4 units of the last place; of the two ends of that interval the upper one.
/// Without a change of sign: the end where |f| is less, the lower one of equals. NaN: an end is not finite, or f was NaN somewhere.
/// Alefeld, Potra and Shi, ACM Transactions on Mathematical Software, 1995.
double rootBetween(double low, double high, const std::function<double(double)>& f);

/// Where f is least over [low, high]: the best of `scan` ≥ 2 equally spaced values, then Brent's search between its neighbours, to
/// half the digits. The least of all if f falls and then rises between these neighbours. NaN is never least; `low` if nothing is finite.
double leastPoint(double low, double high, int scan, const std::function<double(double)>& f);

} // namespace trainyard
