#pragma once
// What the views of waiting read from the fold of a run.
#include "analysis/UpdateValues.h"
#include "plots/RunFold.h"

namespace trainyard {

using PlacedJob = ResponseInputs;

inline QString workerText(const RunFold& run, JobId job, std::uint32_t worker) {
    return QString::fromStdString(workerName(run, job, worker));
}

/// "fastest-k", or nothing where the scenario is not known.
inline std::string synchronizationId(const RunFold& run, JobId job) {
    const Choice* choice = synchronizationOf(run, job);
    return choice ? choice->id : std::string();
}

} // namespace trainyard
