// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A run's log folded as far as the frame of a movie in hand: an index for the lanes, a state for the cluster. Time
// only goes on. Used by movies and by their preview.
#include "session/ShownIndex.h"

#include <functional>
#include <memory>

namespace trainyard {

class ClusterState;

class MovieRun {
public:
    explicit MovieRun(RunData run);

    const RunData& run() const { return m_run; }
    SimTime at() const { return m_at; } ///< where it has come to
    /// `going`: asked during long work; false gives up on the way.
    void advanceTo(SimTime at, const std::function<bool()>& going = {});
    const ShownIndex& index() const { return m_index; }
    std::shared_ptr<const ClusterState> state() const { return m_state; }

private:
    RunData m_run;
    ShownIndex m_index;
    std::shared_ptr<ClusterState> m_state;
    std::size_t m_position = 0;
    SimTime m_at;
};

} // namespace trainyard
