// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "drawing/ValueTicks.h"

#include "base/RoundSteps.h"
#include "drawing/TimeScale.h"
#include "theme/TimeText.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace value_ticks {

/// From many ticks to few.
std::vector<std::vector<double>> candidates(double low, double high, bool logarithmic) {
    std::vector<std::vector<double>> all;
    if (logarithmic && high / low >= 10) {
        all.push_back(powersWithin(low, high, {1, 2, 5}));
        all.push_back(powersWithin(low, high, {1, 3}));
        const int decades = static_cast<int>(std::ceil(std::log10(high / low)));
        for (int every = 1; every <= decades; ++every) all.push_back(powersWithin(low, high, {1}, every));
        return all;
    }
    constexpr int most = 16;
    for (double step = roundStep((high - low) / most); step < high - low; step = roundStep(1.01 * step))
        all.push_back(multiplesWithin(low, high, step));
    return all;
}

} // namespace value_ticks

using namespace value_ticks;

std::vector<double> valueTicks(double low, double high, bool logarithmic, double apart) {
    if (!(high > low) || (logarithmic && !(low > 0))) return {low};
    const auto at = [&](double v) {
        return logarithmic ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
    };
    std::vector<double> fewest{low, high};
    double furthest = 0;
    for (const std::vector<double>& ticks : candidates(low, high, logarithmic)) {
        if (ticks.size() < 2) continue;
        // Two alone may be closer: the roundest, which come last, of those that lie apart; else those furthest apart.
        const double reach = at(ticks.back()) - at(ticks.front());
        if (reach >= std::min(0.8 * apart, furthest) - 1e-9) fewest = {ticks.front(), ticks.back()};
        furthest = std::max(furthest, reach);
        double least = 1;
        for (std::size_t i = 1; i < ticks.size(); ++i) least = std::min(least, at(ticks[i]) - at(ticks[i - 1]));
        if (least >= apart - 1e-9) return ticks;
    }
    return fewest;
}

QString tickText(double tick, double step) {
    if (std::abs(tick) < 1e-9 * step) return QStringLiteral("0");
    if (step <= 0) return numberText(tick, 4);
    const int digits = static_cast<int>(std::ceil(std::log10(std::abs(tick) / step) - 1e-9)) + 1;
    const int whole = static_cast<int>(std::floor(std::log10(std::abs(tick)) + 1e-9)) + 1; // digits before the point
    constexpr int longest = 6;                                                             // of numbers without ×10ⁿ
    const QString text = numberText(tick, std::max({4, digits, whole <= longest ? whole : 0}));
    const bool isPlain =
        whole > 3 && tick == std::round(tick) && std::ranges::none_of(text, [](QChar c) { return c == u'×'; });
    return isPlain ? countText(tick) : text;
}

} // namespace trainyard
