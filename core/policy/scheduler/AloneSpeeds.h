// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How fast each job would be if it were alone: at the placement that it gets on the idle cluster, so that waiting and running jobs
// are compared alike. Kept from call to call by schedulers that know what jobs have left.
#include "policy/scheduler/JobStart.h"

#include <vector>

namespace trainyard {

class AloneSpeeds {
public:
    /// No end in sight, or no room even on the idle cluster.
    static constexpr double unknownSeconds = 1e18;

    /// `size`: workers of a job with bounds, as in placeJob().
    AloneSpeeds(PlacingStrategy strategy, std::string size) : m_strategy(strategy), m_size(std::move(size)) {}

    /// Before others are asked in a call. true: nothing of before holds, since machines or links have come or gone, or it is the
    /// first call.
    bool follow(const SchedulerView& view, std::span<const Event> since);
    /// Still to run; at most unknownSeconds.
    double remainingSeconds(const SchedulerView& view, JobId job);
    /// Workers of that placement; 0: there is none.
    int workers(const SchedulerView& view, JobId job);
    /// Of all machines that are up, when they are empty.
    const ResourceVector& capacity() const { return m_idle.total(); }

private:
    struct Known {
        double secondsPerUpdate = -1; ///< negative: not computed yet
        int workers = 0;
    };
    const Known& known(const SchedulerView& view, JobId job);

    PlacingStrategy m_strategy;
    std::string m_size;
    FreeCapacity m_idle; ///< the machines that are up, empty
    std::vector<Known> m_known;
};

} // namespace trainyard
