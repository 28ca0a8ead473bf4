// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "MetricWords.h"

#include "model/ResourceLabel.h"

#include <cmath>

namespace trainyard::cli {

std::vector<MetricGroup> metricsByGroup(const std::vector<MetricDefinition>& metrics,
                                        const std::function<bool(const MetricDefinition&)>& matter, bool ungrouped) {
    using enum MetricDefinition::Group;
    std::vector<MetricGroup> groups;
    for (const auto& [group, heading] : {std::pair{time, "Time"},
                                         {training, "Training"},
                                         {graphJobs, "Graph jobs"},
                                         {keys, "Keys"},
                                         {cluster, "Cluster"},
                                         {none, "Others"}}) {
        if (group == none && !ungrouped) break;
        MetricGroup found{heading, {}};
        for (const MetricDefinition& metric : metrics)
            if (metric.group == group && matter(metric)) found.metrics.push_back(metric);
        if (!found.metrics.empty()) groups.push_back(std::move(found));
    }
    return groups;
}

std::string metricLabel(const MetricDefinition& metric) {
    for (const std::string several : {"a resource", "a quality"})
        if (const auto at = metric.label.find(several); at != std::string::npos) {
            const std::string name = resourceLabel(metric.id.substr(metric.id.find('_') + 1));
            return metric.label.substr(0, at) + name + metric.label.substr(at + several.size());
        }
    return metric.label;
}

bool isNegligible(const MetricDefinition& metric, double value) {
    const double least = metric.isShare ? 1e-5 : metric.unit == "bytes" ? 1e3 : 0;
    return value == 0 || std::abs(value) < least;
}

} // namespace trainyard::cli
