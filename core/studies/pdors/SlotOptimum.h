// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The greatest total utility of jobs that are all known beforehand, on small instances: the reference that schedules made on
// arrival are measured against.
#include "planning/LpSolver.h"
#include "policy/scheduler/pdors/SlotModel.h"

namespace trainyard {

/// By enumeration: every division of the machines in a slot, reduced to the samples that it processes of each job, then forward
/// over slots, keeping what nothing else surpasses. Exact; no linear program takes part. For a handful of jobs, slots and machines: time
/// grows as the number of divisions of a machine to the power of the machines.
double offlineOptimumByEnumeration(const SlotCluster& cluster, std::span<const SlotJob> jobs);

/// The same as an integer program to be maximised: by job and slot, workers and servers on one machine or on several, and in
/// which slot the job is complete. Exact, since a worker's rate depends on locality alone.
LinearProgram offlineProgram(const SlotCluster& cluster, std::span<const SlotJob> jobs);

} // namespace trainyard
