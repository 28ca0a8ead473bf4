// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A command with many runs as two jobs of Slurm: an array, of which each task does a shard of the runs in a directory of its own, and a job
// after it that puts the results together and runs the command again, which computes what is missing and writes the exports.
#include "base/Result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace trainyard {

struct SlurmJobs {
    static constexpr const char* arrayFile = "array.sbatch"; ///< names of the scripts
    static constexpr const char* mergeFile = "merge.sbatch";

    std::string program = "trainyard-cli";
    std::vector<std::string> command; ///< its words after the program, without --out, --resume and --shard
    std::string directory;            ///< where the command is run; empty: where the jobs are submitted
    std::string out;                  ///< directory of the results; the tasks' are in out/shards/I
    std::size_t tasks = 8;
    std::string atATime;              ///< "%4": at most four tasks at a time; empty: as many as there is room for
    std::vector<std::string> options; ///< of sbatch, for both jobs

    /// Takes options of sbatch; --array=1-N or 1-N%M says how many tasks. Problems: another array.
    Problems take(const std::vector<std::string>& given);
    /// What tasks do: the same where two arrays have the same runs in the same places.
    std::string taskLine() const;
    std::string arrayScript() const; ///< ends with taskLine()
    std::string mergeScript() const;
};

/// One word for a shell.
std::string shellWord(const std::string& word);

} // namespace trainyard
