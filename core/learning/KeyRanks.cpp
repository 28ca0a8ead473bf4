// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/KeyRanks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

namespace trainyard {

KeyRanks::KeyRanks(std::uint32_t keys, double exponent, std::uint64_t permutationSeed)
    : m_cumulated(keys), m_keyOfRank(keys) {
    double sum = 0;
    for (std::uint32_t r = 0; r < keys; ++r) m_cumulated[r] = sum += std::pow(static_cast<double>(r) + 1, -exponent);
    for (double& c : m_cumulated) c /= sum;
    std::iota(m_keyOfRank.begin(), m_keyOfRank.end(), 0u);
    std::mt19937_64 generator(permutationSeed);
    std::shuffle(m_keyOfRank.begin(), m_keyOfRank.end(), generator);
    makeGuide();
}

KeyRanks::KeyRanks(const std::vector<double>& frequencies)
    : m_cumulated(frequencies.size()), m_keyOfRank(frequencies.size()) {
    std::iota(m_keyOfRank.begin(), m_keyOfRank.end(), 0u);
    std::ranges::stable_sort(m_keyOfRank, std::greater{}, [&](std::uint32_t key) { return frequencies[key]; });
    double sum = 0;
    for (std::uint32_t r = 0; r < keys(); ++r) m_cumulated[r] = sum += frequencies[m_keyOfRank[r]];
    for (double& c : m_cumulated) c /= sum;
    makeGuide();
}

void KeyRanks::makeGuide() {
    // A draw then searches between two neighbours of the guide: a step or two instead of log2 K.
    const std::size_t parts = std::bit_ceil(std::size_t{keys()});
    m_guide.resize(parts + 1);
    std::uint32_t rank = 0;
    for (std::size_t p = 0; p <= parts; ++p) {
        const double u = static_cast<double>(p) / static_cast<double>(parts);
        while (rank + 1 < keys() && m_cumulated[rank] < u) ++rank;
        m_guide[p] = rank;
    }
}

std::uint32_t KeyRanks::rankOf(double u) const {
    const auto part = static_cast<std::size_t>(u * static_cast<double>(m_guide.size() - 1));
    const auto first = m_cumulated.begin() + m_guide[part], last = m_cumulated.begin() + m_guide[part + 1];
    return static_cast<std::uint32_t>(std::lower_bound(first, last, u) - m_cumulated.begin());
}

std::uint32_t KeyRanks::countAbove(double times) const {
    const double limit = times / static_cast<double>(keys());
    std::uint32_t count = 0; // probabilities fall with the rank
    while (count < keys() && probability(count) > limit) ++count;
    return count;
}

std::vector<std::uint32_t> KeyRanks::ranks() const {
    std::vector<std::uint32_t> out(m_keyOfRank.size());
    for (std::uint32_t r = 0; r < keys(); ++r) out[m_keyOfRank[r]] = r;
    return out;
}

} // namespace trainyard
