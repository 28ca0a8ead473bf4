// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Keys ranked by how often they are accessed: drawn by a power law, rank r of 1 … K with probability r^−s / Σ and a fixed
// permutation that says which key has which rank, or those of a model that is trained. Draws are defined to the bit, so that other
// programs can repeat them: u = (g() >> 11) · 2⁻⁵³ of std::mt19937_64, the rank is std::lower_bound in the cumulated probabilities,
// the permutation is libstdc++'s std::shuffle of 0 … K − 1. Made once per job, shared by all its workers and by policies that
// replicate frequent keys; never changes.
#include <cstdint>
#include <random>
#include <vector>

namespace trainyard {

class KeyRanks {
public:
    /// keys ≥ 1; exponent ≥ 0 and finite.
    KeyRanks(std::uint32_t keys, double exponent, std::uint64_t permutationSeed);
    /// Ranks by how often each key is accessed, ties by its number. At least one frequency, not all 0.
    explicit KeyRanks(const std::vector<double>& frequencies);

    std::uint32_t keys() const { return static_cast<std::uint32_t>(m_keyOfRank.size()); }
    /// Rank from 0, of u in [0, 1).
    std::uint32_t rankOf(double u) const;
    std::uint32_t keyAt(std::uint32_t rank) const { return m_keyOfRank[rank]; }
    std::uint32_t draw(std::mt19937_64& generator) const {
        return m_keyOfRank[rankOf(static_cast<double>(generator() >> 11) * 0x1p-53)];
    }
    /// Of the key of this rank, per draw.
    double probability(std::uint32_t rank) const {
        return rank == 0 ? m_cumulated[0] : m_cumulated[rank] - m_cumulated[rank - 1];
    }
    /// Of the `ranks` most frequent keys together.
    double probabilityOfFirst(std::uint32_t ranks) const { return ranks == 0 ? 0 : m_cumulated[ranks - 1]; }
    /// How many keys are drawn more often than `times` the mean of all keys.
    std::uint32_t countAbove(double times) const;
    /// By key: its rank from 0.
    std::vector<std::uint32_t> ranks() const;

private:
    void makeGuide();

    std::vector<double> m_cumulated; ///< by rank
    std::vector<std::uint32_t> m_keyOfRank;
    std::vector<std::uint32_t> m_guide; ///< by equal parts of [0, 1): the rank of its beginning; one more at the end
};

} // namespace trainyard
