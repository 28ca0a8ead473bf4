// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// --slurm and --slurm-script of the commands with many runs.
#include <string>

namespace trainyard::cli {

struct KeepOptions;

/// Writes the scripts of the command (run/compare/SlurmScripts.h) into `out` and, without --slurm-script, submits them by sbatch; prints
/// how to watch and end the jobs. `file`: of the scenario, which the jobs read again; empty: there is none. Gives the exit status. To be
/// called when the command has been found to be right.
int submitToSlurm(const KeepOptions& keep, const std::string& file, const std::string& out);

} // namespace trainyard::cli
