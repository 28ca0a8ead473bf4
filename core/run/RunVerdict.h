// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What is to be said of a run that came to its end: jobs that diverged, no job that got anywhere, expectations of the scenario that do not
// hold. For the command line, whose exit status follows from it, and for the window's list of problems.
#include "record/EventLog.h"
#include "record/Metrics.h"
#include "scenario/Scenario.h"

namespace trainyard {

/// Expectations whose metric is absent or out of its range: errors.
Problems brokenExpectations(const Scenario& scenario, const Metrics& metrics);
/// A warning for each job that diverged (the metric diverged_jobs), by the name of the job; an error if jobs arrived and all of them failed
/// or were rejected.
Problems jobWarnings(const Workload& workload, const Metrics& metrics);
/// The same warnings from the log of a run that is over, without the other metrics.
Problems divergedJobs(const Workload& workload, const EventLog& log);
/// Over how many jobs each mean, median and percentile of the run is, by metric.
std::map<std::string, std::size_t> jobsBehindMeans(const Workload& workload, const Metrics& metrics);

} // namespace trainyard
