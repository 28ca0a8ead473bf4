// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The cluster's state at the instant that is shown, folded forward from where it stood while time moves on,
// and taken from a keyframe when it jumps. Used by Workspace; views ask Workspace.
#include "session/RunModel.h"

#include <memory>

namespace trainyard {

class StateFold {
public:
    /// The state of the current run at t, or its latest if t is empty; null before there is one. The pointer
    /// changes when the state does.
    std::shared_ptr<const ClusterState> at(std::optional<SimTime> t, const RunModel& runs);

private:
    RunId m_run = 0;
    std::shared_ptr<ClusterState> m_state;
    std::size_t m_position = 0;
};

} // namespace trainyard
