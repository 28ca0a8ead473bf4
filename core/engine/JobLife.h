#pragma once
// What outlives a start of a job: where it goes on when it is started again, and the time it has had. One per
// job of a run, in both modes.
#include "engine/JobStore.h"

#include <algorithm>
#include <optional>

namespace trainyard {

struct JobLife {
    std::optional<JobSnapshot> saved;      ///< where it goes on when it is started again
    std::optional<JobSnapshot> checkpoint; ///< the last complete one
    std::uint32_t lastTask = 0;            ///< highest task number used so far
    double ranSeconds = 0;                 ///< before the current start
    SimTime startedAt;
    double graphLeft = 1; ///< share of a graph job's steps still to do at the current start

    /// It stops running now. `graphSeconds`: of all steps of a graph job where it ran; 0 for others.
    void stopClock(SimTime now, double graphSeconds) {
        const double ran = (now - startedAt).toSeconds();
        ranSeconds += ran;
        if (graphSeconds > 0) graphLeft = std::max(0.0, graphLeft - ran / graphSeconds);
    }
};

} // namespace trainyard
