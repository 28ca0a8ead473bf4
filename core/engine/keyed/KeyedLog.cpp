// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/keyed/KeyedLog.h"

#include "engine/keyed/KeyedSnapshot.h"

namespace trainyard {

std::vector<Event> ShownKeys::moves(JobId job, const KeyJob& keys, const std::vector<const KeyNode*>& nodes) {
    std::vector<Event> out;
    for (std::uint32_t rank = 0; rank < std::min(count, keys.keys->keys()); ++rank) {
        const std::uint32_t key = keys.keys->keyAt(rank), owner = keyOwner(keys, nodes, key);
        if (rank < m_at.size() && m_at[rank] == owner) continue;
        m_at.resize(std::max<std::size_t>(m_at.size(), rank + 1));
        m_at[rank] = owner;
        out.push_back(events::keyLocated(job, key, owner));
    }
    return out;
}

} // namespace trainyard
