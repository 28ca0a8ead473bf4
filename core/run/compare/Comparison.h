// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The same scenario under several choices of policies, each with the same seeds: all arms meet the same arrivals, noise and batches
// (common random numbers), so their differences are paired by seed. Called by `trainyard-cli compare` and by the window's place Compare.
// A batch of runs (run/compare/RunBatch.h), seed by seed.
#include "run/Headless.h"
#include "run/compare/BatchProcesses.h"
#include "run/compare/HalfWidthRule.h"
#include "run/compare/MetricValues.h"
#include "run/compare/ResultStore.h"
#include "run/compare/Statistics.h"
#include "run/import/LossTrace.h"

#include <functional>

namespace trainyard {

struct PolicyChoice {
    PolicyFamily family = PolicyFamily::synchronization;
    Choice choice;
    friend bool operator==(const PolicyChoice&, const PolicyChoice&) = default;
};

struct ComparisonArm {
    std::string name;                        ///< policy id or variant name
    std::vector<PolicyChoice> choices;       ///< of other families: the scenario's
    std::optional<double> learningRate = {}; ///< of all trained jobs, instead of the scenario's
    std::string title = {};                  ///< given by the user, for charts and tables; empty: armTitles() makes one
    /// They run the same, whatever their titles.
    friend bool operator==(const ComparisonArm& a, const ComparisonArm& b) {
        return a.name == b.name && a.choices == b.choices && a.learningRate == b.learningRate;
    }
};

/// One run of a comparison, when it is over, whatever its end.
struct ComparisonRun {
    std::size_t arm = 0, seed = 0; ///< positions in the request
    std::map<std::string, double> metrics;
    std::shared_ptr<const LossAccounts> losses; ///< as in Metrics
    LossTrace trace;                            ///< if wanted
    Problems problems;                          ///< why it failed, or which limit ended it; then it has no metrics
    Problems warnings;  ///< what is doubtful about a run that came to its end (run/RunVerdict.h)
    bool found = false; ///< among those kept: it was not run
};

struct ComparisonResult;

struct ComparisonRequest {
    std::shared_ptr<const Scenario> scenario;
    std::shared_ptr<const Registry> registry;
    ResourcePaths resources;
    std::vector<ComparisonArm> arms;
    std::size_t baseline = 0;
    std::vector<std::uint64_t> seeds; ///< with `until`: at most these
    std::optional<HalfWidthRule>
        until;             ///< no more seeds once every arm that has the metric fulfils it; of a shard, about as many
    bool everyJob = false; ///< jobs that choose a policy for themselves take the arm's, too
    bool traces = false;   ///< losses over time are wanted
    int threads = 0;       ///< simulated runs at a time; 0 = all but one core
    RunMode mode = RunMode::simulate;
    std::size_t shard = 0, shards = 1; ///< runs with number mod shards == shard; seed by seed, arms fastest
    KeptResults kept;
    std::shared_ptr<BatchProcesses> processes = {}; ///< that share the runs; null: this one alone
    bool everywhere = false;                        ///< all of them need the result
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t all)> progress; ///< any thread, one at a time; may be empty
    /// Called with each run when it is over, or found among those kept; not for what was stopped; as `progress`. Where a job's limit is
    /// not known, once all runs with the same seed are over: they are measured by one minimum of each job's losses.
    std::function<void(const ComparisonRun& run)> finished;
    /// Called with what has come so far, not summarised, after each run is added; as `progress`.
    std::function<void(const ComparisonResult& soFar)> grown;
};

/// What is to be said of one run.
struct RunProblem {
    std::size_t arm = 0, seed = 0; ///< positions in the result
    bool failed = false;           ///< it has no metrics; else the problem is a warning
    Problem problem;
};

struct ArmResult {
    std::string name;
    std::vector<MetricValues> runs; ///< whole-run metrics by position in seeds; empty: failed, or not run
    std::vector<LossTrace> traces;  ///< as `runs`, if wanted
    std::size_t failed = 0;         ///< runs that failed or met a limit
    std::size_t done() const;       ///< runs with metrics
    std::size_t unfinished = 0; ///< runs that reached their horizon with jobs that were not over; they are among `runs`
    std::size_t diverged = 0; ///< runs whose numbers cannot be averaged (run/MetricValues.h); among `runs`, in no mean
    std::map<std::string, Estimate> metrics;
    std::map<std::string, Estimate> differences; ///< this − baseline, over the seeds where both have the metric
    /// That the difference is 0: Student's paired test, after Holm's correction over the arms that are compared with the baseline, and
    /// Bonferroni's over the looks.
    std::map<std::string, double> pValues;
};

struct ComparisonResult {
    std::vector<ArmResult> arms;
    std::vector<std::uint64_t> seeds;    ///< that were run, or were to be
    std::size_t looks = 1;               ///< at which `until` could have ended it
    std::optional<bool> reached;         ///< with `until`: whether the half-width is as small as wanted
    std::vector<RunProblem> runProblems; ///< by seed, then arm
    Problems problems;                   ///< of failed runs, each naming arm and seed, and of keeping results
    bool stopped = false;
    std::size_t missing = 0; ///< runs of other shards that are not among those kept

    double confidence() const { return HalfWidthRule::confidence(looks); } ///< of all intervals
    std::size_t done() const;                                              ///< runs with metrics
    std::size_t failed() const;                                            ///< runs without
    Problem named(const RunProblem& problem) const;                        ///< naming arm and seed
};

/// Resolves "full-sync" or a variant's name. Problems: neither, or parameters out of range.
Result<ComparisonArm> armNamed(const Scenario& scenario, const Registry& registry, PolicyFamily family,
                               const std::string& name);
/// "scheduler=drf,synchronization=async", or "scenario": the policies as they are.
Result<ComparisonArm> armFrom(const Scenario& scenario, const Registry& registry, const std::string& text);
/// The scenario that an arm runs. Problems: it cannot be run, or (warnings) no job would notice its choices.
Result<std::shared_ptr<const Scenario>> armScenario(const ComparisonRequest& request, std::size_t arm);
/// Jobs and templates that choose for themselves, of all that consult the family.
struct OwnChoices {
    std::size_t own = 0, all = 0;
};
OwnChoices ownChoices(const Scenario& scenario, PolicyFamily family);

/// An empty result to which runs are added one by one, as they come.
ComparisonResult emptyResult(const ComparisonRequest& request);
void addRun(ComparisonResult& result, const ComparisonRun& run);
/// The warnings about runs, each naming arm and seed.
Problems warningsOf(const ComparisonResult& result);
/// Values of one metric over the runs that have it and have not diverged (of the number of diverged jobs, over all); with a baseline,
/// paired differences to it. Differences of a billionth of the values or less, as between times that are whole nanoseconds, are 0.
std::vector<double> observations(const std::vector<MetricValues>& runs, const std::string& metric,
                                 const std::vector<MetricValues>* baseline);
/// Sets means, differences and p values from the runs that there are.
void summarise(ComparisonResult& result, std::size_t baseline);

ComparisonResult compare(const ComparisonRequest& request);

} // namespace trainyard
