// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/ConcaveEnvelope.h"

#include <algorithm>

namespace trainyard {

void ConcaveEnvelope::add(double x, double y) {
    if (!m_corners.empty() && !(x > m_corners.back().first)) return;
    while (m_corners.size() >= 2) { // a corner below the line from the one before it to the new point is none
        const auto& [x1, y1] = m_corners[m_corners.size() - 2];
        const auto& [x2, y2] = m_corners.back();
        if ((y2 - y1) * (x - x1) > (y - y1) * (x2 - x1)) break;
        m_corners.pop_back();
    }
    m_corners.emplace_back(x, y);
}

double ConcaveEnvelope::at(double x) const {
    if (m_corners.empty()) return 0;
    const auto next =
        std::lower_bound(m_corners.begin(), m_corners.end(), x, [](const auto& c, double v) { return c.first < v; });
    if (next == m_corners.begin()) return m_corners.front().second;
    if (next == m_corners.end()) return m_corners.back().second;
    const auto& [x1, y1] = *(next - 1);
    return y1 + (next->second - y1) * (x - x1) / (next->first - x1);
}

} // namespace trainyard
