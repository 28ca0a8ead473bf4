// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The metrics of a run as the window has them: what they are called, which of them can be followed over time, and how they are called
// as a history. Used by tables, lanes and exports.
#include "model/Workload.h"
#include "record/Metrics.h"
#include "session/Histories.h"

namespace trainyard {

/// What people call it.
QString metricLabel(const MetricDefinition& metric);

/// Why the values of a metric over time make no curve; empty if they do. `ofJob`: of one job, else of the
/// whole run.
QString whyNoSeries(const MetricDefinition& metric, bool ofJob);

/// A metric as what Histories keeps; `job`: its key, empty for the whole run.
HistorySubject metricSubject(const std::string& metric, const std::string& job);

/// "3.2 s", "1,234 samples": a metric's value with its unit.
QString metricText(double value, const std::string& unit);

} // namespace trainyard
