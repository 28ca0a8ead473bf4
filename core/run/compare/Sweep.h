// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A scenario at every point of a grid of values, for every seed: one row each. Rows are numbered the same on
// every machine, so that shards (row mod N) can be computed apart and put together.
#include "run/Headless.h"
#include "run/compare/BatchProcesses.h"
#include "run/compare/ResultStore.h"

#include <functional>

namespace trainyard {

struct SweepAxis {
    std::string pointer;             ///< JSON pointer into the scenario file
    std::vector<std::string> values; ///< as for --set
};

struct SweepRow {
    std::size_t number = 0;
    std::vector<std::string> values; ///< by axis
    std::uint64_t seed = 1;
    std::string digest; ///< empty: the run failed or met a limit
    std::map<std::string, double> metrics;
    Problems problems; ///< why it has no metrics
    Problems warnings; ///< what is doubtful about a run that came to its end (run/RunVerdict.h)
};

struct SweepRequest {
    std::shared_ptr<const Scenario> scenario;
    std::shared_ptr<const Registry> registry;
    ResourcePaths resources;
    std::vector<SweepAxis> axes;
    std::vector<std::uint64_t> seeds;
    std::size_t shard = 0, shards = 1; ///< rows with number mod shards == shard
    int threads = 0;
    KeptResults kept;
    std::shared_ptr<BatchProcesses> processes = {}; ///< that share the runs; only the first has the result
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t all)> progress; ///< any thread, one at a time; may be empty
    std::function<void(const SweepRow& row)>
        finished; ///< each row when it is over, or found among those kept; as `progress`
};

struct SweepResult {
    std::vector<SweepRow>
        rows; ///< of this shard, and those of others that are among those kept; by number. None for what was stopped
    Problems problems; ///< of failed runs, each naming its row, and of keeping results
    bool stopped = false;
};

/// The warnings about rows, each naming its row.
Problems warningsOf(const SweepResult& result);

/// By point of the grid; the last axis varies fastest. Problems: a point that is not a valid scenario, or an axis that changes nothing.
Result<std::vector<std::shared_ptr<const Scenario>>> sweepScenarios(const SweepRequest& request);
/// Problems: of sweepScenarios(), before anything runs.
Result<SweepResult> sweep(const SweepRequest& request);

} // namespace trainyard
