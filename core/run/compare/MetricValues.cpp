// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/MetricValues.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace trainyard {

bool isDiverged(const std::map<std::string, double>& metrics) {
    constexpr double most = 1e150;
    const auto jobs = metrics.find("diverged_jobs");
    return (jobs != metrics.end() && jobs->second > 0) ||
           std::ranges::any_of(metrics, [](const auto& metric) { return !(std::abs(metric.second) < most); });
}

MetricValues::MetricValues(const std::map<std::string, double>& metrics, const MetricValues& like)
    : m_isDiverged(trainyard::isDiverged(metrics)) {
    if (metrics.empty()) return;
    m_values.reserve(metrics.size());
    for (const auto& [name, value] : metrics) m_values.push_back(value);
    const auto nameOf = [](const auto& metric) -> const std::string& { return metric.first; };
    if (like.m_names && std::ranges::equal(*like.m_names, metrics, {}, {}, nameOf)) {
        m_names = like.m_names;
        return;
    }
    std::vector<std::string> names;
    names.reserve(metrics.size());
    for (const auto& [name, value] : metrics) names.push_back(name);
    m_names = std::make_shared<const std::vector<std::string>>(std::move(names));
}

MetricValues::Iterator MetricValues::find(const std::string& name) const {
    if (empty()) return end();
    const auto it = std::ranges::lower_bound(*m_names, name);
    return it != m_names->end() && *it == name ? Iterator(this, static_cast<std::size_t>(it - m_names->begin()))
                                               : end();
}

double MetricValues::at(const std::string& name) const {
    const Iterator it = find(name);
    if (it == end()) throw std::out_of_range("no metric " + name);
    return it->second;
}

bool operator==(const MetricValues& a, const MetricValues& b) {
    return a.m_values == b.m_values && (a.m_names == b.m_names || (a.m_names && b.m_names && *a.m_names == *b.m_names));
}

} // namespace trainyard
