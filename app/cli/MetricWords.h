// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which metrics `run` and `compare` print for people, and under which headings: those of a group that say something. All are for --all
// and --json.
#include "record/Metrics.h"

#include <functional>
#include <string>
#include <vector>

namespace trainyard::cli {

struct MetricGroup {
    std::string heading;
    std::vector<MetricDefinition> metrics;
};

/// Of the metrics those that `matter`, in the order of their groups; none is empty. With `ungrouped` those of no group come last.
std::vector<MetricGroup> metricsByGroup(const std::vector<MetricDefinition>& metrics,
                                        const std::function<bool(const MetricDefinition&)>& matter,
                                        bool ungrouped = false);
/// "Allocated share of cpu", where one stands for several.
std::string metricLabel(const MetricDefinition& metric);
/// Zero, or what rounds to it: a share below 0.001 %, less than a kilobyte.
bool isNegligible(const MetricDefinition& metric, double value);

} // namespace trainyard::cli
