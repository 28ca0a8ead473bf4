// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/SimTime.h"

#include <cmath>

namespace trainyard {

Duration Duration::seconds(double s) {
    if (std::isnan(s)) return {};
    const double ns = s * 1e9;
    constexpr double limit = 9.2e18;
    if (ns >= limit) return {std::numeric_limits<std::int64_t>::max()};
    if (ns <= -limit) return {std::numeric_limits<std::int64_t>::min()};
    // As llround(), which is a call: half away from zero. Both steps are exact below 2^51.
    if (std::abs(ns) < 0x1p51) {
        auto whole = static_cast<std::int64_t>(ns);
        const double rest = ns - static_cast<double>(whole);
        if (rest >= 0.5) ++whole;
        if (rest <= -0.5) --whole;
        return {whole};
    }
    return {std::llround(ns)};
}

Duration Duration::secondsUp(double s) {
    const Duration nearest = seconds(s);
    if (nearest.ns < 1) return {1};
    if (nearest == max() || nearest.toSeconds() >= s) return nearest;
    return {nearest.ns + 1};
}

} // namespace trainyard
