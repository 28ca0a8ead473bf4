// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Measures of a run, each a fold of its log with a definition that the command line can print. Names carry
// units.
#include "model/Workload.h"
#include "record/EventLog.h"
#include "record/LossAccounts.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

struct MetricDefinition {
    /// What it is of: the run, single jobs, or both. The run's may follow from those of its jobs: their sum (0 without any; absent unless a
    /// job has one) or the mean over those that have one.
    enum class Of { run, job, both, sum, sumWhereAny, mean };
    /// Where it stands in the summary that people read, in this order; within a group in the order of the definitions.
    enum class Group { none, time, training, graphJobs, keys, cluster };

    std::string id;    ///< "mean_jct_s"
    std::string label; ///< "Mean job completion time"
    std::string unit;
    std::string definition; ///< one or two sentences, formula included
    Of of = Of::run;
    Group group = Group::none;
    bool isShare = false; ///< of one: the summary shows it in percent
    /// Ids: it is one metric over another, wherever that is above 0; empty: it is computed otherwise.
    std::string numerator = {}, denominator = {};
    bool moreIsBetter = false; ///< of all others less is, where either is

    bool perJob() const { return of != Of::run; }
    bool ofRun() const { return of != Of::job; }
};

/// Ids that end with RESOURCE or QUALITY stand for one metric per resource of the cluster, or per quality of keyed models.
const std::vector<MetricDefinition>& metricDefinitions();
bool standsForSeveral(const MetricDefinition& metric);
/// With the cluster's resources in place of RESOURCE, and these qualities in place of QUALITY.
std::vector<MetricDefinition> metricDefinitionsFor(const Cluster& cluster, const std::vector<std::string>& qualities);
/// Of a run.
std::vector<MetricDefinition> metricDefinitionsFor(const Workload& workload);
/// The metric of a quality, by its id.
std::string finalQuality(const std::string& quality);

struct Metrics {
    std::map<std::string, double> values;            ///< whole run; a metric that has no value is absent
    std::vector<std::map<std::string, double>> jobs; ///< by JobId
    /// By computeMetrics: for runs that are compared by one minimum of each job's losses. Null: each job's limit is known.
    std::shared_ptr<const LossAccounts> losses = nullptr;
};

/// Folds events [0, size) of the log; `end` closes open intervals (utilization, waiting).
Metrics computeMetrics(const Workload& workload, const EventLog& log, SimTime end);

} // namespace trainyard
