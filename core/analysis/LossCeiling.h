// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How high an axis of losses reaches where a job diverges: its losses, up to 1e300, would press all other curves flat. Used by
// the view of losses, which marks where a curve leaves the axis.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace trainyard {

class LossCeiling {
public:
    /// The values of one curve, in order of time; of curves without values nothing is counted.
    void add(const std::vector<double>& values) {
        if (values.empty()) return;
        m_first = std::max(m_first, std::abs(values.front()));
        m_last = std::max(m_last, values.back());
    }
    /// Twice the greatest first value where a curve ends a thousand times higher than any began; else infinity.
    double value() const {
        const bool diverges = m_first > 0 && m_last > 1000 * m_first;
        return diverges ? 2 * m_first : std::numeric_limits<double>::infinity();
    }
    /// From which index on the curve stays above the ceiling; the number of values: it does not end there.
    static std::size_t leavesAt(const std::vector<double>& values, double ceiling) {
        std::size_t i = values.size();
        while (i > 0 && values[i - 1] > ceiling) --i;
        return i;
    }

private:
    double m_first = 0, m_last = 0;
};

} // namespace trainyard
