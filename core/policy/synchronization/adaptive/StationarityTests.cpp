// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/synchronization/adaptive/StationarityTests.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

bool ReflectedSignTest::observe(double product) {
    if (m_skip) {
        m_skip = false;
        return false;
    }
    ++m_observed;
    m_counter = std::max(0, m_counter + (product < 0 ? 1 : -1));
    return m_counter > m_threshold && m_observed > m_burnIn;
}

void ReflectedSignTest::restart() {
    m_counter = m_observed = 0;
    m_skip = true;
}

bool DistanceTest::observe(std::span<const double> parameters) {
    if (m_origin.size() != parameters.size()) {
        m_origin.assign(parameters.begin(), parameters.end());
        return false;
    }
    const auto n = static_cast<double>(++m_observed);
    if (n < m_nextLook) return false;
    double distance = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        distance += (parameters[i] - m_origin[i]) * (parameters[i] - m_origin[i]);
    bool stationary = false;
    if (m_lastDistance > 0 && distance > 0) {
        m_slope = std::log(distance / m_lastDistance) / std::log(n / m_lastLook);
        stationary = *m_slope < m_least;
    }
    m_lastDistance = distance;
    m_lastLook = n;
    m_nextLook = std::max(n + 1, std::ceil(n * m_ratio));
    return stationary;
}

void DistanceTest::restart() {
    m_origin.clear();
    m_observed = 0;
    m_nextLook = m_start;
    m_lastLook = m_lastDistance = 0;
    m_slope.reset();
}

} // namespace trainyard
