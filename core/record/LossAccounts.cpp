// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/LossAccounts.h"

#include "record/LossQuality.h"

#include <algorithm>

namespace trainyard {

namespace {

/// A loss that is greater than a level by this share of the whole drop has reached it: limits by formula are rounded.
constexpr double roundedDrop = 1e-9;

void set(std::map<std::string, double>& metrics, const char* name, double sum, double count) {
    if (count > 0)
        metrics[name] = sum / count;
    else
        metrics.erase(name);
}

} // namespace

void LossAccounts::Sum::add(std::optional<double> value) {
    if (!value) return;
    sum += *value;
    ++jobs;
}

void lower(LeastLosses& least, const LossAccounts& of) {
    for (const auto& job : of.jobs) {
        const auto [it, isNew] = least.try_emplace(job.job, job.least);
        if (!isNew) it->second = std::min(it->second, job.least);
    }
}

void measureBy(const LeastLosses& least, const LossAccounts& of, std::map<std::string, double>& metrics) {
    double active = of.settled;
    auto times = of.times;
    auto normalised = of.normalised;
    for (const auto& job : of.jobs) {
        const auto it = least.find(job.job);
        const double limit = it == least.end() ? job.least : std::min(it->second, job.least);
        active += job.before + normalisedSum(job.since, job.lossSince, job.first, limit);
        for (std::size_t level = 0; level < times.size(); ++level)
            times[level].add(secondsToShare(job.records, job.first, limit, LossQuality::levels[level]));
        if (job.inSystem > 0 && job.first > limit)
            normalised.add((job.lossIntegral / job.inSystem - limit) / (job.first - limit));
    }
    set(metrics, "mean_active_loss", active, of.seconds);
    set(metrics, "mean_normalised_loss", normalised.sum, normalised.jobs);
    for (std::size_t level = 0; level < times.size(); ++level)
        set(metrics, timesToLevels[level], times[level].sum, times[level].jobs);
    for (std::size_t level = 0; level < times.size(); ++level) metrics[jobsToLevels[level]] = times[level].jobs;
}

std::optional<double> secondsToShare(std::span<const LossAccounts::Record> records, double first, double limit,
                                     double share) {
    const double drop = first - limit;
    if (drop <= 0) return std::nullopt;
    const double target = first - (share - roundedDrop) * drop;
    const auto it = std::ranges::partition_point(records, [&](const auto& record) { return record.loss > target; });
    if (it == records.end()) return std::nullopt;
    return it->seconds;
}

} // namespace trainyard
