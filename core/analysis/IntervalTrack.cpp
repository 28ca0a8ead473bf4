// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/IntervalTrack.h"

#include "base/Grow.h"
#include <algorithm>

namespace trainyard {

void IntervalTrack::enter(SimTime at, WorkerPhase phase, std::uint32_t task) {
    if (!m_start.empty()) {
        if (m_phase.back() == phase && m_task.back() == task) return;
        if (m_start.back() >= at.ns) {
            m_phase.back() = phase;
            m_task.back() = task;
            return;
        }
    }
    const std::size_t i = m_start.size();
    if (i % block == 0) {
        Sums sums{};
        if (i > 0) {
            sums = m_blocks.back();
            for (std::size_t k = i - block; k < i; ++k)
                sums[static_cast<std::size_t>(m_phase[k])] += (k + 1 < i ? m_start[k + 1] : at.ns) - m_start[k];
        }
        append(m_blocks, sums);
    }
    append(m_start, at.ns);
    append(m_phase, phase);
    append(m_task, task);
}

std::optional<SimTime> IntervalTrack::discard(std::uint32_t task) {
    for (std::size_t i = m_start.size(); i-- > 0;) {
        // Tasks of a worker count upwards; intervals without a task carry 0.
        if (m_task[i] != 0 && m_task[i] < task) return std::nullopt;
        if (m_task[i] != task || m_phase[i] != WorkerPhase::computing) continue;
        m_phase[i] = WorkerPhase::discarded;
        if (i + 1 < m_start.size()) {
            const std::int64_t length = m_start[i + 1] - m_start[i];
            for (std::size_t k = i / block + 1; k < m_blocks.size(); ++k) {
                m_blocks[k][static_cast<std::size_t>(WorkerPhase::computing)] -= length;
                m_blocks[k][static_cast<std::size_t>(WorkerPhase::discarded)] += length;
            }
        }
        return SimTime{m_start[i]};
    }
    return std::nullopt;
}

std::size_t IntervalTrack::indexAt(SimTime t, std::size_t hint) const {
    if (m_start.empty() || t.ns < m_start.front()) return none;
    // Galloping: neighbouring pixel columns are close, so that a scan over a row costs little more than its
    // columns.
    std::size_t low = hint, step = 1;
    while (low + step < m_start.size() && m_start[low + step] <= t.ns) {
        low += step;
        step *= 2;
    }
    const auto from = m_start.begin() + static_cast<std::ptrdiff_t>(low);
    const auto to = m_start.begin() + static_cast<std::ptrdiff_t>(std::min(low + step, m_start.size()));
    return static_cast<std::size_t>(std::upper_bound(from, to, t.ns) - m_start.begin()) - 1;
}

IntervalTrack::Sums IntervalTrack::sumsUntil(SimTime t, std::size_t i) const {
    Sums sums{};
    if (i == none) return sums;
    sums = m_blocks[i / block];
    for (std::size_t k = i - i % block; k < i; ++k)
        sums[static_cast<std::size_t>(m_phase[k])] += m_start[k + 1] - m_start[k];
    sums[static_cast<std::size_t>(m_phase[i])] += t.ns - m_start[i];
    return sums;
}

} // namespace trainyard
