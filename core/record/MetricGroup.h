// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A group of metrics: a function of its own, and a line of the list in MetricDefinitions.cpp. What MetricsFold gathers of every run suffices
// for most; a group may also read the log itself.
#include "record/Metrics.h"

namespace trainyard {

class MetricReader {
public:
    virtual ~MetricReader() = default;
    virtual void apply(const Event& event) = 0;
    /// Adds its metrics if the run ended at `end`: those of jobs, and of the run's those that do not follow from them.
    virtual void write(Metrics& out, SimTime end) const = 0;
};

struct MetricGroup {
    std::vector<MetricDefinition> definitions;
    /// Null, or returns null: there is nothing to read. The workload is borrowed.
    std::unique_ptr<MetricReader> (*reader)(const Workload& workload) = nullptr;
};

const std::vector<MetricGroup>& metricGroups();

/// More of it is better.
inline MetricDefinition more(MetricDefinition metric) {
    metric.moreIsBetter = true;
    return metric;
}

} // namespace trainyard
