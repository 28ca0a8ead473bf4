// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/HalfWidthRule.h"

#include "run/compare/Statistics.h"

#include <cmath>

namespace trainyard {

std::vector<std::size_t> HalfWidthRule::looks(std::size_t most) {
    std::vector<std::size_t> out;
    for (std::size_t n = first; n < most; n *= 2) out.push_back(n);
    out.push_back(most);
    return out;
}

double HalfWidthRule::confidence(std::size_t looks) { return 1 - 0.05 / static_cast<double>(looks); }

bool HalfWidthRule::isReached(std::span<const double> values, std::size_t looks) const {
    if (values.size() < 2) return false;
    const Estimate estimate = estimateMean(values, confidence(looks));
    return *estimate.halfWidth <= relative * std::abs(estimate.mean);
}

} // namespace trainyard
