// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the studies share: scenario files with values set, runs of variants over seeds in parallel, and what a
// run had done when its first job's loss first fell to a level.
#include "run/Headless.h"
#include "run/compare/ResultStore.h"
#include "run/compare/Statistics.h"
#include "scenario/Scenario.h"
#include "studies/Reproduction.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace trainyard::study {

/// The scenario at scenarios/NAME with values set at JSON pointers; problems name the file.
Result<std::shared_ptr<const Scenario>> loadScenario(const StudyRequest& request, const std::string& name);
Result<std::shared_ptr<const Scenario>> withValues(const std::shared_ptr<const Scenario>& scenario,
                                                   const std::vector<std::pair<std::string, std::string>>& values);
/// The scenario under one of its variants, or a policy with its defaults.
Result<std::shared_ptr<const Scenario>> withVariant(const std::shared_ptr<const Scenario>& scenario,
                                                    PolicyFamily family, const std::string& name,
                                                    const Registry& registry);

/// When the first job's loss was first at most a level, and what had been done by then.
struct Hit {
    double seconds = 0;
    double executedSamples = 0, assignedSamples = 0, usedSamples = 0;
    double uplinks = 0; ///< gradients that reached the servers
    double updates = 0;
};

struct StudyRun {
    std::shared_ptr<const Scenario> scenario;
    std::uint64_t seed = 1;
    /// What else to measure of the whole run, beside its metrics; on any thread. Null: nothing.
    std::function<std::map<std::string, double>(const RunOutcome&)> further = {};
};

struct StudyOutcome {
    std::vector<std::optional<Hit>> hits; ///< by level
    double lateLoss = 0;                  ///< mean of the losses evaluated in the run's second half
    double lateStaleness = 0;  ///< mean over gradients used there of the updates since they read the parameters
    double settledSeconds = 0; ///< per update of the first job, without the first fifth of its updates
    std::map<std::string, double> metrics;           ///< of the whole run, and what `further` measured
    std::vector<std::map<std::string, double>> jobs; ///< the metrics of each
    std::shared_ptr<const LossAccounts> losses;      ///< as in Metrics
    bool done = false;                               ///< false: it failed or was stopped
};

/// Runs them all, in parallel; outcomes in the order of `runs`. `levels`: losses to watch for. Problems and
/// `stopped` go to the report. `done` of `all` runs of the study have been done before; it is moved on.
std::vector<StudyOutcome> simulateAll(const StudyRequest& request, const std::vector<StudyRun>& runs,
                                      const std::vector<double>& levels, StudyReport& report);

/// Executes the scenario once; its metrics. nullopt: it failed or was stopped, which goes to the report.
std::optional<KeptMetrics> executeMetrics(const StudyRequest& request, const std::shared_ptr<const Scenario>& scenario,
                                          std::uint64_t seed, StudyReport& report);

/// Whether executed runs give what simulated ones do, within 5 %; id and sentence are given. `gap`: relative, with its interval; the claim
/// does not hold where the whole interval is beyond, and is undecided where it is too wide to tell.
Claim executedGap(std::string id, std::string claim, const Estimate& gap, std::string finding);

/// `fails`: the measurement shows that the claim is wrong; where it shows neither, the claim is undecided.
void setVerdict(Claim& claim, bool holds, bool fails);

/// "1.234": for tables; empty where it is not a number.
std::string number(double value);
std::pair<double, double> intervalOf(const Estimate& estimate);

} // namespace trainyard::study
