// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How long scheduling takes on this computer: by losses, and of a trace. Used by `bench slaq`, and by the study to measure decisions
// against jobs and cores.
#include "run/import/TraceImport.h"

#include <cstddef>

namespace trainyard::study {

/// Seconds of wall time that one decision of slaq (its default parameters) takes on so many threads, when so many jobs run on so many
/// cores: the slowest of six at the ends of epochs, after fifty epochs, so that each job has fifty losses, one of them new, and all are
/// fitted anew. What was decided has been carried out each time: jobs hold what they were given and get on accordingly, and a change
/// costs them the update under way, as it does where they really train. Carrying out is not timed.
/// The cores are those of machines of 32, the last of which may have fewer; each job may have 1 to 32 of them. Where there are more
/// jobs than cores, the last ones wait. At least one job and one core; 0 threads: as in Parallel. Throws InvariantError if a decision
/// cannot be carried out.
double slaqDecisionSeconds(std::size_t jobs, int cores, int threads);

/// Jobs of a trace in Tiresias' format (`num_gpu`, `submit_time`, `duration`) per second of processor time, under las (faithful): of
/// its simulation alone on one thread, the least of so many runs, one at least; reading and metrics are left out. Problems as of the import, or of the
/// scenario that it yields.
Result<double> traceJobsPerSecond(const std::filesystem::path& trace, const TraceOptions& options, int runs);

} // namespace trainyard::study
