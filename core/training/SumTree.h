// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Weights with their sums by pairs, so that an item is drawn in proportion to its weight in logarithmic time. Sums are functions of the
// weights alone, whatever order they were set in.
#include <bit>
#include <cstddef>
#include <vector>

namespace trainyard {

class SumTree {
public:
    explicit SumTree(std::size_t items)
        : m_leaves(std::bit_ceil(std::max<std::size_t>(items, 1))), m_sums(2 * m_leaves) {}

    double total() const { return m_sums[1]; }
    double weight(std::size_t item) const { return m_sums[m_leaves + item]; }
    void set(std::size_t item, double weight) {
        std::size_t at = m_leaves + item;
        m_sums[at] = weight;
        while ((at /= 2) > 0) m_sums[at] = m_sums[2 * at] + m_sums[2 * at + 1];
    }
    /// The item at which the running sum passes `sum`, 0 ≤ sum < total(); of weight greater than 0.
    std::size_t find(double sum) const {
        std::size_t at = 1;
        while (at < m_leaves) {
            at *= 2;
            if (sum >= m_sums[at] && m_sums[at + 1] > 0) sum -= m_sums[at++];
        }
        return at - m_leaves;
    }

private:
    std::size_t m_leaves;
    std::vector<double> m_sums; ///< of node i: those of 2i and 2i + 1; leaves last
};

} // namespace trainyard
