// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Roots.h"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {
constexpr double most = 1e290; // differences of values and products with distances stay finite
}

double rootBetween(double low, double high, const std::function<double(double)>& f) {
    bool undefined = !std::isfinite(low) || !std::isfinite(high);
    const auto value = [&](double x) {
        const double y = f(x);
        undefined = undefined || std::isnan(y);
        return std::isnan(y) ? 0 : std::clamp(y, -most, most); // 0 ends the search
    };
    const double atLow = undefined ? 0 : value(low), atHigh = undefined ? 0 : value(high);
    if (undefined) return std::numeric_limits<double>::quiet_NaN();
    if (!(low < high) || atLow == 0 || atHigh == 0 || (atLow < 0) == (atHigh < 0))
        return std::abs(atLow) <= std::abs(atHigh) ? low : high;
    boost::uintmax_t steps = 200;
    const double root = boost::math::tools::toms748_solve(value, low, high, atLow, atHigh,
                                                          boost::math::tools::eps_tolerance<double>(), steps)
                            .second;
    return undefined ? std::numeric_limits<double>::quiet_NaN() : root;
}

double leastPoint(double low, double high, int scan, const std::function<double(double)>& f) {
    double best = low, least = std::numeric_limits<double>::infinity();
    const auto offer = [&](double x, double value) {
        if (!(value < least)) return;
        least = value;
        best = x;
    };
    const double step = (high - low) / (scan - 1);
    for (int i = 0; i < scan; ++i) offer(low + i * step, f(low + i * step));
    const auto value = [&](double x) {
        const double y = f(x);
        return std::isnan(y) ? most : std::clamp(y, -most, most);
    };
    constexpr int bits = std::numeric_limits<double>::digits / 2;
    boost::uintmax_t steps = 200;
    const auto [x, y] = boost::math::tools::brent_find_minima(value, std::max(low, best - step),
                                                              std::min(high, best + step), bits, steps);
    if (y < most) offer(x, y);
    return best;
}

} // namespace trainyard
