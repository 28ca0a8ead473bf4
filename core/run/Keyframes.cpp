// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/Keyframes.h"

#include <algorithm>

namespace trainyard {

Keyframes::Keyframes(std::shared_ptr<const Workload> workload, std::size_t memoryLimit) : m_memoryLimit(memoryLimit) {
    m_entries.push_back({0, 0, std::make_shared<const ClusterState>(std::move(workload))});
    m_last = m_entries.front();
}

void Keyframes::offer(std::size_t position, const ClusterState& state) {
    // Only the run thread adds, so it may look without the lock.
    if (position < m_entries.back().position + m_spacing) return;
    auto copy = std::make_shared<const ClusterState>(state);
    const std::size_t bytes = copy->bytes();
    const std::scoped_lock lock(m_mutex);
    m_entries.push_back({position, bytes, std::move(copy)});
    const auto tooMany = [&] {
        std::size_t sum = 0;
        for (const Entry& entry : m_entries) sum += entry.bytes;
        return m_entries.size() > mostKept || (sum > m_memoryLimit && m_entries.size() > 2);
    };
    while (tooMany()) {
        std::vector<Entry> kept;
        for (std::size_t i = 0; i < m_entries.size(); i += 2) kept.push_back(std::move(m_entries[i]));
        m_entries = std::move(kept);
        m_spacing *= 2;
    }
}

std::shared_ptr<const ClusterState> Keyframes::stateAt(const EventLog& log, SimTime t) const {
    const std::size_t wanted = log.positionAfter(t);
    Entry nearest;
    {
        const std::scoped_lock lock(m_mutex);
        const auto after = std::upper_bound(m_entries.begin(), m_entries.end(), wanted,
                                            [](std::size_t p, const Entry& e) { return p < e.position; });
        nearest = *std::prev(after); // the entry at 0 is never later
        if (m_last.position <= wanted && m_last.position > nearest.position) nearest = m_last;
    }
    if (nearest.position == wanted) return nearest.state;
    auto state = std::make_shared<ClusterState>(*nearest.state);
    log.walk(nearest.position, wanted, [&](const Event& event) { state->apply(event); });
    const std::scoped_lock lock(m_mutex);
    m_last = {wanted, 0, state};
    return state;
}

std::size_t Keyframes::count() const {
    const std::scoped_lock lock(m_mutex);
    return m_entries.size();
}

} // namespace trainyard
