// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/KeyShares.h"

#include "learning/KeyRanks.h"
#include "learning/PowerSums.h"

#include <algorithm>

namespace trainyard {

KeyShares::KeyShares(const KeyedAccess& access) : m_ranks(access.ranks), m_exponent(access.exponent) {
    if (!m_ranks) m_all = powerSum(1, static_cast<std::uint64_t>(access.keys), m_exponent);
}

double KeyShares::of(std::uint64_t first, std::uint64_t last) const {
    if (!m_ranks) return powerSum(first, last, m_exponent) / m_all;
    const auto upTo = [&](std::uint64_t rank) {
        return m_ranks->probabilityOfFirst(static_cast<std::uint32_t>(std::min<std::uint64_t>(rank, m_ranks->keys())));
    };
    return upTo(last) - upTo(first - 1);
}

} // namespace trainyard
