// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Traces of real clusters as scenarios: who arrives when, asks for how many GPUs and runs for how long. For `trainyard-cli
// import`.
#include "scenario/Scenario.h"

#include <filesystem>

namespace trainyard {

enum class TraceFormat {
    tiresias, ///< as the simulator of Gu et al., NSDI 2019, reads: columns num_gpu, submit_time, duration, perhaps job_id
    philly, ///< condensed Philly trace: columns timestamp (a date and a time, perhaps with a zone), duration, num_gpus, perhaps cluster
};

struct TraceOptions {
    int machines = 1, gpus = 1; ///< of each machine; at least 1
    std::string cluster;        ///< philly: the jobs of this virtual cluster alone; empty: all
    std::string name;           ///< of the trace, for the title; empty: its file's
    std::size_t jobs = 0;       ///< the first so many by time of submission; 0: all
    /// A loss curve for all jobs, in updates: chosen by who imports, since such traces have none. Empty: losses are 0 throughout.
    std::filesystem::path curve; ///< a file of two columns, update and loss
    std::string curveName;       ///< what jobs call it; empty: its file's name without the ending
};

/// Each job has one worker per GPU, anywhere in a cluster of machines around one switch, no servers and no parameters; it runs for its
/// duration, in as many equal iterations as that has whole seconds, at least one. Jobs come in order of submission, at equal times in that
/// of the file, the first at 0; the notes say where that is in the trace. Rate model, explanations off.
/// Problems, by line, at most 20: a column that is missing, a line of another length, values that are no numbers or out of range, zones
/// that are not known or are not given throughout, a job that asks for more GPUs than there are, a job that is there twice. Warnings, by
/// line: rows that come before their time, since they are sorted; durations of nothing, which count as a second; rows without GPUs, which
/// are left out.
Result<Scenario> importTrace(TraceFormat format, const std::filesystem::path& file, const TraceOptions& options);

} // namespace trainyard
