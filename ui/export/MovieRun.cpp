// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/MovieRun.h"

#include "record/ClusterState.h"

#include <algorithm>

namespace trainyard {

namespace movie_run {
constexpr std::size_t stretch = 1 << 16; // events between two questions whether to go on
} // namespace movie_run

MovieRun::MovieRun(RunData run)
    : m_run(std::move(run)), m_index(m_run), m_state(std::make_shared<ClusterState>(m_run.workload)) {}

void MovieRun::advanceTo(SimTime at, const std::function<bool()>& going) {
    const std::size_t end = m_run.log->positionAfter(at);
    // The painter of the frame before may hold the state; it is not changed under it.
    if (end > m_position && m_state.use_count() > 1) m_state = std::make_shared<ClusterState>(*m_state);
    while (m_position < end) {
        if (going && !going()) return;
        const std::size_t next = std::min(end, m_position + movie_run::stretch);
        m_index.update(next - m_position);
        for (; m_position < next; ++m_position) m_state->apply((*m_run.log)[m_position]);
    }
    m_at = std::max(m_at, at);
}

} // namespace trainyard
