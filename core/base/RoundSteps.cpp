// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/RoundSteps.h"

#include <cmath>

namespace trainyard {

double roundStep(double least) {
    if (!(least > 0) || !std::isfinite(least)) return 0;
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= least * (1 - 1e-9)) return digit * power;
    return 10 * power;
}

double nearestRound(double value) {
    const double above = roundStep(value), below = roundStep(above / 3);
    return value * value < above * below ? below : above;
}

std::vector<double> multiplesWithin(double low, double high, double step) {
    std::vector<double> out;
    if (!(step > 0)) return out;
    const double first = std::ceil(low / step - 1e-9) + 0.0; // + 0.0: no "-0"
    for (int i = 0; i < 1000 && (first + i) * step <= high + 1e-9 * step; ++i) out.push_back((first + i) * step);
    return out;
}

std::vector<double> powersWithin(double low, double high, const std::vector<double>& digits, int every) {
    std::vector<double> out;
    if (!(low > 0) || !std::isfinite(low) || !std::isfinite(high)) return out;
    for (int p = static_cast<int>(std::floor(std::log10(low))); p <= std::log10(high) + 1e-9; ++p)
        for (const double digit : digits) {
            const double tick = digit * std::pow(10.0, p);
            if (p % every == 0 && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) out.push_back(tick);
        }
    return out;
}

} // namespace trainyard
