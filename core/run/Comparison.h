#pragma once
// The same scenario under several choices of one policy family, each with the same seeds: all arms meet the
// same arrivals, noise and batches (common random numbers), so their differences are paired by seed.
// Simulated runs go in parallel, one thread each; executed ones one after another, so that none takes cores
// from another, seed by seed, so that what slows the machine down for a while slows all arms.
#include "base/Parallel.h"
#include "run/Headless.h"
#include "run/ResultStore.h"
#include "run/Statistics.h"

#include <functional>

namespace trainyard {

struct ComparisonArm {
    std::string name; ///< policy id or variant name
    Choice choice;
    std::optional<double> learningRate = {}; ///< of all trained jobs, instead of the scenario's
};

struct ComparisonRequest {
    std::shared_ptr<const Scenario> scenario;
    std::shared_ptr<const Registry> registry;
    ResourcePaths resources;
    PolicyFamily family = PolicyFamily::synchronization;
    std::vector<ComparisonArm> arms;
    std::size_t baseline = 0;
    std::vector<std::uint64_t> seeds;
    int threads = 0; ///< simulated runs at a time; 0 = all but one core
    RunMode mode = RunMode::simulate;
    std::size_t shard = 0, shards = 1; ///< runs with number mod shards == shard; seed by seed, arms fastest
    KeptResults kept;
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t all)> progress; ///< any thread, one at a time; may be empty
    /// Called with each run's metrics when it is done, or found among those kept; as `progress`.
    std::function<void(const ComparisonArm& arm, std::uint64_t seed, const std::map<std::string, double>& metrics)>
        finished;
};

struct ArmResult {
    std::string name;
    std::vector<std::map<std::string, double>> runs; ///< whole-run metrics by position in seeds; empty: that run failed
    std::map<std::string, Estimate> metrics;
    std::map<std::string, Estimate> differences; ///< this − baseline, over the seeds where both have the metric
};

struct ComparisonResult {
    std::vector<ArmResult> arms;
    Problems problems; ///< of failed runs, each naming arm and seed
    bool stopped = false;
    std::size_t missing = 0; ///< runs of other shards that are not among those kept
};

/// Resolves "full-sync" or a variant's name. Problems: neither, or parameters out of range.
Result<ComparisonArm> armNamed(const Scenario& scenario, const Registry& registry, PolicyFamily family,
                               const std::string& name);
ComparisonResult compare(const ComparisonRequest& request);

} // namespace trainyard
