// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/ShownIndexes.h"

#include <vector>

namespace trainyard {

namespace shown_indexes {
/// Events folded at most per frame: about 10 ms of work, so that a long record does not freeze the window.
constexpr std::size_t eventsPerFrame = 600'000;
} // namespace shown_indexes

void ShownIndexes::show(const RunData& current, const RunData* ghost) {
    // What was current may be the ghost now, and the other way round.
    std::vector<std::unique_ptr<ShownIndex>> before;
    before.push_back(std::move(m_current));
    before.push_back(std::move(m_ghost));
    const auto foldOf = [&](const RunData* run) -> std::unique_ptr<ShownIndex> {
        if (!run || !run->log || !run->workload) return nullptr;
        for (auto& index : before)
            if (index && index->run().id == run->id && index->run().log == run->log) return std::move(index);
        auto index = std::make_unique<ShownIndex>(*run);
        index->onLate(m_late);
        return index;
    };
    m_current = foldOf(&current);
    m_ghost = foldOf(ghost);
}

void ShownIndexes::catchUp() {
    if (m_ghost) m_ghost->update(shown_indexes::eventsPerFrame);
    if (m_current) m_current->update(shown_indexes::eventsPerFrame);
}

} // namespace trainyard
