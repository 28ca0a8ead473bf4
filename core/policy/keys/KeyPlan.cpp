// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/KeyPlan.h"

#include <algorithm>

namespace trainyard {

std::vector<std::uint32_t> KeyPlan::replicatedKeys(const KeyRanks& keys, std::size_t nodes) const {
    if (!replication || nodes < 2) return {};
    const std::uint32_t count =
        replication->timesMean > 0
            ? keys.countAbove(replication->timesMean)
            : static_cast<std::uint32_t>(std::min<std::int64_t>(replication->count, keys.keys()));
    std::vector<std::uint32_t> out;
    for (std::uint32_t rank = 0; rank < count; ++rank) out.push_back(keys.keyAt(rank));
    std::sort(out.begin(), out.end());
    return out;
}

KeyHomes::KeyHomes(KeyPlan::Homes rule, std::uint32_t keys, std::uint32_t nodes)
    : m_nodes(nodes), m_range((keys + nodes - 1) / nodes), m_hashed(rule == KeyPlan::Homes::hash) {}

std::uint32_t KeyHomes::mixed(std::uint32_t key) {
    std::uint32_t h = key + 0x9e3779b9u;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return h ^ (h >> 16);
}

} // namespace trainyard
