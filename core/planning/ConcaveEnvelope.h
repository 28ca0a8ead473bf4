// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The least concave curve above points: what a budget brings at best where one may also aim at a point further on and take a share of
// the way there. Used by schedulers that divide workers by what they are worth.
#include <utility>
#include <vector>

namespace trainyard {

class ConcaveEnvelope {
public:
    /// Points in ascending order; one that is not to the right of the last is left out. O(1) amortised.
    void add(double x, double y);
    void clear() { m_corners.clear(); }
    /// Straight between corners, constant beyond the first and the last; 0 without points. O(log corners).
    double at(double x) const;
    const std::vector<std::pair<double, double>>& corners() const { return m_corners; }

private:
    std::vector<std::pair<double, double>> m_corners;
};

} // namespace trainyard
