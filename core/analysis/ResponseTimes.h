// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How long it takes until k of a job's workers have answered, for every k: as the cluster declares their laws
// (the numbers that the synchronizations plan with), and as the same mean would give under other laws. For
// views.
#include "model/Placement.h"
#include "model/Workload.h"
#include "scenario/Scenario.h"

#include <memory>

namespace trainyard {

/// What the response times of a job follow from beside the cluster: where its tasks are, and the bytes of a
/// message.
struct ResponseInputs {
    Placement placement;
    double messageBytes = 0;
};

struct ResponseTimeCurve {
    enum class Kind { placed, alike, reference };
    Kind kind = Kind::placed;
    std::string name;          ///< alike: of the machine that all would be like; reference: of the law
    double load = 1;           ///< β: share of the job's batch that each computes
    std::vector<double> means; ///< seconds, E[k-th answer] at [k − 1]; infinite where there is no mean
};

/// `messageBytes`: of the parameters, as transferred. `loads`: one curve of the workers as placed for each;
/// the others are for the first load. Machines that differ give one curve each, the first few of them.
/// References have the mean answer of the first curve's workers: constant, exponential, Pareto with α = 2.
/// Milliseconds for a few hundred workers: not on the window's thread.
std::vector<ResponseTimeCurve> responseTimeCurves(const std::shared_ptr<const Workload>& workload, JobId job,
                                                  const Placement& placement, double messageBytes,
                                                  const std::vector<double>& loads);

/// Only the curves of the workers as placed, one for each load.
std::vector<ResponseTimeCurve> placedResponseTimes(const std::shared_ptr<const Workload>& workload, JobId job,
                                                   const Placement& placement, double messageBytes,
                                                   const std::vector<double>& loads);

/// The synchronization of a job: its own, else the scenario's.
const Choice& synchronizationOf(const Scenario& scenario, const Job& job);

/// Samples per worker and task that the job declares.
int batchOf(const Job& job);

} // namespace trainyard
