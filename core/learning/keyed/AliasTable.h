// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Draws from a discrete distribution in constant time: Walker's alias method, table built as by Vose, A linear algorithm for generating
// random numbers with a given distribution, IEEE TSE 1991. Never changes; any thread draws, each from a stream of its own.
#include "base/Random.h"

#include <span>
#include <vector>

namespace trainyard {

class AliasTable {
public:
    AliasTable() = default;
    /// Weights ≥ 0 and finite, not all 0; at most 2³² − 1 of them. Need not add up to 1.
    explicit AliasTable(std::span<const double> weights);

    std::size_t size() const { return m_cells.size(); }
    /// Of 64 random bits: the upper half chooses a cell, the lower one between its two numbers.
    std::uint32_t at(std::uint64_t bits) const {
        const Cell& cell = m_cells[static_cast<std::size_t>((bits >> 32) * m_cells.size() >> 32)];
        return static_cast<std::uint32_t>(bits) < cell.threshold ? cell.own : cell.alias;
    }
    std::uint32_t draw(RandomStream& random) const { return at(random.bits()); }

private:
    struct Cell {
        std::uint32_t threshold = 0, own = 0, alias = 0; ///< own with probability threshold / 2³²
    };
    std::vector<Cell> m_cells;
};

} // namespace trainyard
