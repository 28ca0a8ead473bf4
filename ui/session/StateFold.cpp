// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/StateFold.h"

namespace trainyard {

namespace {
constexpr std::size_t mostFolded = 100'000; // events; beyond this a keyframe is nearer
}

std::shared_ptr<const ClusterState> StateFold::at(std::optional<SimTime> t, const RunModel& runs) {
    const auto frame = runs.latestFrame();
    if (frame && (!t || *t >= frame->now)) return frame->state;
    const auto& log = runs.current().log;
    if (!log || log->size() == 0) return nullptr;
    const SimTime wanted = t.value_or((*log)[log->size() - 1].time);
    const std::size_t end = log->positionAfter(wanted);
    if (m_run == runs.current().id && m_state && m_position == end) return m_state;
    const bool near = m_run == runs.current().id && m_state && m_position < end && end - m_position < mostFolded;
    if (!near) {
        const auto jumped = runs.stateAt(wanted);
        if (!jumped) return nullptr;
        m_state = std::make_shared<ClusterState>(*jumped);
    } else {
        // Somebody may still hold the last one.
        if (m_state.use_count() > 1) m_state = std::make_shared<ClusterState>(*m_state);
        for (std::size_t i = m_position; i < end; ++i) m_state->apply((*log)[i]);
    }
    m_run = runs.current().id;
    m_position = end;
    return m_state;
}

} // namespace trainyard
