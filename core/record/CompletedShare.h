// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How far a job has come towards its end, for the bars of a run and of its jobs.
#include "record/ClusterState.h"

namespace trainyard {

/// 0…1: the furthest of its stopping rules that can be foreseen; 1 once it has finished. A job that failed or was
/// rejected stays where it was.
double progressOf(const Job& job, const JobState& state, SimTime now);

/// Of a run: the mean over its jobs, where those that failed or were rejected count as done, since nothing is left to do
/// for them. Exactly 1 when all are over.
double progressOf(const ClusterState& state);

} // namespace trainyard
