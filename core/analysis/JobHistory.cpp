// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/JobHistory.h"

#include <algorithm>

namespace trainyard {

void JobHistory::arrive(SimTime at) {
    if (m_phase != Phase::future) return;
    m_phase = Phase::waiting;
    m_arrived = at;
    m_waits.push_back({at, SimTime::never()});
}

void JobHistory::begin(SimTime at) {
    if (!m_waits.empty() && m_waits.back().end == SimTime::never()) m_waits.back().end = at;
    if (!m_waits.empty() && m_waits.back().start == at) m_waits.pop_back();
    m_phase = Phase::running;
}

void JobHistory::preempt(SimTime at) {
    losses.interrupt();
    if (m_phase != Phase::running) return;
    m_phase = Phase::waiting;
    m_waits.push_back({at, SimTime::never()});
}

void JobHistory::finish(SimTime at, End how) {
    if (m_phase == Phase::over) return;
    if (m_phase == Phase::waiting) begin(at);
    m_phase = Phase::over;
    m_end = how;
    m_endedAt = at;
}

double JobHistory::waitedUntil(SimTime at) const {
    return m_waited + (m_placedNow > 0 ? (at - m_changed).toSeconds() * m_waitingNow / m_placedNow : 0.0);
}

void JobHistory::didNotWait(SimTime from, SimTime until) {
    const double begin = from.toSeconds(), end = until.toSeconds();
    const auto share = [&](double to) { // ∫ of one by the workers placed
        double sum = 0, at = begin;
        for (std::size_t i = m_placed.after(begin); at < to; ++i) {
            const double next = i < m_placed.size() ? std::min(m_placed.time(i), to) : to;
            if (const double placed = i > 0 ? m_placed.value(i - 1) : 0; placed > 0) sum += (next - at) / placed;
            at = next;
        }
        return sum;
    };
    m_waited -= share(end);
    for (std::size_t i = losses.size(); i-- > 0 && losses.time[i] > begin;)
        losses.waited[i] -= share(std::min(losses.time[i], end));
}

void JobHistory::change(SimTime at, int placed, int waiting) {
    m_waited = waitedUntil(at);
    m_changed = at;
    m_placedNow = std::max(0, m_placedNow + placed);
    m_waitingNow = std::clamp(m_waitingNow + waiting, 0, m_placedNow);
    m_mostPlaced = std::max(m_mostPlaced, m_placedNow);
    if (placed != 0) m_placed.set(at.toSeconds(), m_placedNow);
}

} // namespace trainyard
